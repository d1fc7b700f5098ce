# SPDX-License-Identifier: MIT
"""The idioms by the names that readers.toml uses, and the files that each is for."""
import c_calls
import c_declared
import python_calls
import python_declared
import shell_words

C_FILES = ["*.c", "*.cc", "*.cpp", "*.cu", "*.h", "*.hpp", "*.cuh", "*.hip", "*.inl", "*.in"]
IDIOMS = {
    "c": (c_calls.extract, C_FILES),
    "nccl-old": (c_declared.nccl_old, C_FILES),
    "nccl-new": (c_declared.nccl_new, C_FILES),
    "clr": (c_declared.clr, ["flags.hpp"]),
    "rocr": (c_declared.rocr, C_FILES),
    "miopen": (c_declared.miopen, C_FILES),
    "python": (python_calls.extract, ["*.py"]),
    "vllm": (python_declared.vllm, ["envs.py"]),
    "sglang": (python_declared.sglang, ["environ.py"]),
    "triton": (python_declared.triton, ["knobs.py"]),
    "torch-config": (python_declared.torch, ["*.py"]),
    "shell": (shell_words.extract, ["*.sh"]),
}
