// SPDX-License-Identifier: MIT
#include "variables/parsers/parsers.h"

#include <algorithm>
#include <utility>

#include "variables/parsers/parser_functions.h"

namespace rocenv {

namespace {

// The parsers by name. The sources were read in November 2026; glibc, libstdc++ and CPython were
// run instead, and the tests run them again.
constexpr Parser table[] = {
    {"01-else-default", "0 and 1 are used, and any other text counts as not set.",
     "ROCm/rocm-systems projects/rocr-runtime/runtime/hsa-runtime/core/util/flag.h Flag::Refresh",
     parsers::zero_one_or_default},
    {"accelerate-flag",
     "1, y, yes, t, true, on or 0, n, no, f, false, off in any case, else ValueError.",
     "huggingface/accelerate src/accelerate/utils/environment.py str_to_bool",
     parsers::accelerate_flag},
    {"atoi", "Leading decimal digits, else 0; kept in 32 bits.",
     "glibc stdlib/atoi.c; ROCm/ROCR-Runtime libhsakmt/src/openclose.c init_vars_from_env",
     parsers::atoi},
    {"c10-check", "1 is on, 0 is off, any other text is warned about and ignored.",
     "pytorch/pytorch c10/util/env.cpp check_env", parsers::c10_check},
    {"clr-bool", "On for true in small letters and for a text that begins with a number but 0.",
     "ROCm/clr rocclr/utils/flags.cpp Flag::setValue, Tbool", parsers::clr_bool},
    {"clr-int", "Leading decimal digits, else 0; kept in 32 bits.",
     "ROCm/clr rocclr/utils/flags.cpp Flag::setValue, Tint", parsers::atoi},
    {"clr-size", "Leading decimal digits, else 0; kept in 64 bits without a sign.",
     "ROCm/clr rocclr/utils/flags.cpp Flag::setValue, Tsize_t", parsers::atol_size},
    {"clr-string", "Used as it is, without quotes around it; an empty text is one blank.",
     "ROCm/clr rocclr/utils/flags.cpp removeQuotes, Flag::init", parsers::clr_string},
    {"clr-uint", "Leading decimal digits, else 0; kept in 32 bits without a sign.",
     "ROCm/clr rocclr/utils/flags.cpp Flag::setValue, Tuint", parsers::atoi_unsigned},
    {"comma-list", "Items between commas.",
     "triton-lang/triton python/src/ir.cc parseCommaSeparatedValues; pytorch/pytorch "
     "torch/_inductor/config.py",
     parsers::comma_list},
    {"comma-list-upper", "Items between commas in any case, without the blanks around them.",
     "pytorch/pytorch torch/_inductor/utils.py _use_autotune_backend, _use_conv_autotune_backend",
     parsers::comma_list_upper},
    {"compile-debug",
     "On for exactly 1; in PyTorch 2.11 at the latest, a text other than a whole number fails.",
     "pytorch/pytorch torch/_inductor/config.py of 2.6.0 and 2.14.1, provenance_tracking_level",
     parsers::compile_debug},
    {"compile-disable", "On for exactly 1; up to PyTorch 2.7 for any text but empty.",
     "pytorch/pytorch torch/_dynamo/config.py of 2.6.0 and 2.14.1; pytorch/pytorch#149840",
     parsers::compile_disable},
    {"contract-flag", "The compiler's own word; up to PyTorch 2.6 fast for exactly 1, else off.",
     "pytorch/pytorch torch/_inductor/config.py of 2.6.0 and 2.14.1, class cpp",
     parsers::contract_flag},
    {"cvar-bool", "1, y, yes, t, true or 0, n, no, f, false in any case; other texts raise.",
     "pytorch/pytorch torch/csrc/distributed/c10d/Utils.hpp getCvarBool", parsers::cvar_bool},
    {"eq-capital-true", "On for exactly TRUE, else off.",
     "Dao-AILab/flash-attention flash_attn/flash_attn_interface.py of 2.7.1 to 2.8.3.post1",
     parsers::eq_capital_true},
    {"eq1", "On for exactly 1, else off.",
     "pytorch/pytorch torch/_inductor/config.py, aten/src/ATen/cuda/tunable/Tunable.cpp "
     "TuningContext::IsTunableOpEnabled",
     parsers::eq1},
    {"eq1-torch-config", "On for exactly 1; from PyTorch 2.7 on for any text but 0 and empty.",
     "pytorch/pytorch torch/_inductor/config.py of 2.6.0, torch/utils/_config_module.py of 2.14.1",
     parsers::eq1_torch_config},
    {"exact-word", "One of its words as written, else ignored.",
     "NVIDIA/nccl src/misc/socket.cc; ROCm/rocm-systems "
     "projects/rccl/src/transport/net_ib/connect.cc",
     parsers::exact_word},
    {"first-not-0", "Off for a text that begins with 0, else on, empty too.",
     "pytorch/pytorch torch/_inductor/codegen/cpp_wrapper_cpu.py", parsers::first_not_zero},
    {"first1", "On for a text that begins with 1, else off.",
     "ROCm/rocm-libraries projects/rocblas/library/src/handle.cpp", parsers::first_one},
    {"gemm-search-space",
     "Its words in any case; up to PyTorch 2.6 a text but EXHAUSTIVE is DEFAULT.",
     "pytorch/pytorch torch/_inductor/config.py, kernel/mm_common.py of 2.6.0 and 2.14.1",
     parsers::gemm_search_space},
    {"gfx-version", "Three numbers with points between them, at most 63.255.255, else an error.",
     "ROCm/rocm-systems projects/rocr-runtime/libhsakmt/src/topology.c "
     "topology_sysfs_get_node_props",
     parsers::gfx_version},
    {"hf-bool", "On for 1, on, yes, true in any case, else off.",
     "huggingface/huggingface_hub src/huggingface_hub/constants.py _is_true", parsers::hf_bool},
    {"hsa-priority",
     "MAX, HIGH or leading decimal digits, else 0; a number outside 0 to 99 and empty are ignored.",
     "ROCm/rocm-systems projects/rocr-runtime/runtime/hsa-runtime/core/util/flag.h Flag::Refresh",
     parsers::hsa_priority},
    {"hsakmt-level", "Leading decimal digits of a number from 3 to 7, else ignored.",
     "ROCm/rocm-systems projects/rocr-runtime/libhsakmt/src/openclose.c init_vars_from_env",
     parsers::hsakmt_level},
    {"hsakmt-uint", "Leading decimal digits, kept in 32 bits; a text without them is ignored.",
     "ROCm/ROCR-Runtime libhsakmt/src/fmm.c hsakmt_fmm_init_process_apertures, sscanf %u",
     parsers::scanned_unsigned},
    {"miopen-bool",
     "1, enable(d), yes, on, true or 0, disable(d), no, off, false in any case; other texts throw, "
     "up to ROCm 6.0 they are ignored.",
     "ROCm/rocm-libraries projects/miopen/src/include/miopen/env.hpp EnvVar; ROCm/MIOpen#2514",
     parsers::miopen_bool},
    {"miopen-enum",
     "A name in any case or its number; a number out of range is ignored, other texts throw.",
     "ROCm/rocm-libraries projects/miopen/src/find_controls.cpp GetFindEnforceActionImpl, "
     "GetFindModeValueImpl2",
     parsers::miopen_enum},
    {"mori-bool", "1, true, on, yes or 0, false, off, no in any case, else ignored.",
     "ROCm/mori include/mori/utils/env_utils.hpp ParseBool, src/io Override", parsers::mori_bool},
    {"mori-flag", "Off for empty, 0, false, off and no in any case, else on.",
     "ROCm/mori include/mori/utils/env_utils.hpp IsEnvVarEnabled", parsers::mori_flag},
    {"mori-one", "On where the whole text is the number 1, else off.",
     "ROCm/mori src/application/transport/rdma/rdma.cpp ReadUint8FromEnvVar", parsers::mori_one},
    {"nccl-bits",
     "Words between commas in any case, ^ in front leaves them out; an unknown one is ignored "
     "with all others.",
     "NVIDIA/nccl src/include/param/parser_bitset.h bitsetResolve", parsers::nccl_bits},
    {"nccl-bool", "1, T, TRUE or 0, F, FALSE in any case, else ignored.",
     "NVIDIA/nccl src/include/param/parser_default.h ncclParamParserDefault<bool>",
     parsers::nccl_bool},
    {"nccl-cta-policy",
     "Its words in any case with | between them, or an old number; others are ignored.",
     "ROCm/rocm-systems projects/rccl/src/init.cc getEnvCtaPolicyOnce", parsers::nccl_cta_policy},
    {"nccl-debug", "One of its words in any case, another text logs nothing.",
     "ROCm/rocm-systems projects/rccl/src/debug.cc ncclDebugInit", parsers::nccl_debug},
    {"nccl-elements",
     "Words between commas in any case, ^ and a function in front; from NCCL 2.24 on an unknown "
     "one is an error.",
     "ROCm/rocm-systems projects/rccl/src/graph/tuning.cc parseList", parsers::nccl_elements},
    {"nccl-int",
     "Decimal, 0x hexadecimal, 0 octal, else 0; empty and more than 64 bits are ignored.",
     "ROCm/rocm-systems projects/rccl/src/misc/param.cc, NVIDIA/nccl src/misc/param.cc "
     "ncclLoadParam",
     parsers::nccl_int},
    {"nccl-level", "One of its words as written, or an old number; another text is ignored.",
     "ROCm/rocm-systems projects/rccl/src/graph/paths.cc ncclGetLevel", parsers::nccl_level},
    {"nccl-merge-level", "The first of its words that the text begins with, else LOC.",
     "NVIDIA/nccl src/graph/topo.cc ncclTopoGetFusionEnv, src/graph/xml.h kvConvertToInt",
     parsers::nccl_merge_level},
    {"nccl-netdevs", "ALL or MAX:N in any case, else AUTO.",
     "NVIDIA/nccl src/graph/topo.cc getNetDevsPolicyOnce", parsers::nccl_netdevs},
    {"nccl-one", "On where strtol with base 0 finds 1; empty is ignored.",
     "ROCm/rocm-systems projects/rccl/src/graph/paths.cc ncclGetLevel, src/init.cc",
     parsers::nccl_one},
    {"nccl-words",
     "Words between commas in any case, and ^ in front excludes them; unknown ones are ignored.",
     "ROCm/rocm-systems projects/rccl/src/debug.cc ncclDebugInit", parsers::nccl_words},
    {"ne0", "Off for exactly 0, else on.",
     "ROCm/rocm-systems projects/rocr-runtime/runtime/hsa-runtime/core/util/flag.h Flag::Refresh",
     parsers::not_zero},
    {"nonempty", "On for any text, off when empty.",
     "pytorch/pytorch torch/_inductor/config.py profile_bandwidth", parsers::nonempty},
    {"not-off-word", "Off for empty, off, false, f, no, n, 0 in any case, else on.",
     "huggingface/tokenizers tokenizers/src/utils/parallelism.rs get_parallelism",
     parsers::not_off_word},
    {"ofi-bool", "true and false in any case or a whole number; else the plug-in does not start.",
     "aws/aws-ofi-nccl include/nccl_ofi_param_impl.h ofi_nccl_param_string_to_value<bool>",
     parsers::ofi_bool},
    {"ofi-int", "The whole text must be an integer; else the plug-in does not start.",
     "aws/aws-ofi-nccl include/nccl_ofi_param_impl.h ofi_nccl_param_string_to_value",
     parsers::ofi_int},
    {"ofi-word", "One of its words in any case; else the plug-in does not start.",
     "aws/aws-ofi-nccl include/nccl_ofi_param_impl.h OFI_NCCL_PARAM_VALUE_SET", parsers::ofi_word},
    {"present", "On for any text, empty too.",
     "pytorch/pytorch c10/cuda/CUDACachingAllocator.cpp forceUncachedAllocator, torch/__init__.py",
     parsers::present},
    {"py-choice", "One of its words as written, else ValueError.",
     "vllm-project/vllm vllm/envs.py env_with_choices", parsers::py_choice},
    {"py-choice-nocase", "One of its words in any case, else ValueError.",
     "vllm-project/vllm vllm/envs.py env_with_choices, case_sensitive=False",
     parsers::py_choice_nocase},
    {"py-digits", "A text of digits only, another is ignored.",
     "pytorch/pytorch torch/utils/cpp_extension.py _get_num_workers", parsers::py_digits},
    {"py-float", "The whole text must be a number, else ValueError.",
     "python/cpython Objects/floatobject.c PyFloat_FromString", parsers::py_float},
    {"py-int", "The whole text must be an integer, else ValueError.",
     "python/cpython Objects/longobject.c PyLong_FromUnicodeObject", parsers::py_int},
    {"py-int-bool", "Off for an integer 0, on for another, else ValueError.",
     "vllm-project/vllm vllm/envs.py, bool(int(…))", parsers::py_int_bool},
    {"py-int-or-all", "none and all mean all, another text must be an integer, else ValueError.",
     "pytorch/pytorch torch/_inductor/config.py _autotune_num_choices_displayed_default of 2.14.1",
     parsers::py_int_or_all},
    {"py-int-or-empty", "An empty text is ignored; another must be an integer, else ValueError.",
     "ROCm/ATOM atom/utils/envs.py, int(os.getenv(…) or …)", parsers::py_int_or_empty},
    {"py-lower-true", "On for true in any case, else off.",
     "vllm-project/vllm vllm/envs.py VLLM_USE_MODELSCOPE", parsers::py_lower_true},
    {"py-lower-true1", "On for 1 and true in any case, else off.",
     "vllm-project/vllm vllm/envs.py, lower() in (\"true\", \"1\")", parsers::py_lower_true1},
    {"py-lower-true1-yes", "On for 1, true and yes in any case, else off.",
     "Dao-AILab/flash-attention flash_attn/flash_attn_triton_amd/utils.py of 2.7.1 to 2.8.3.post1",
     parsers::py_lower_true1_yes},
    {"py-lower-yes", "On for 1, y, yes, true, in any case in newer releases of PyTorch, else off.",
     "pytorch/pytorch torch/serialization.py load of 2.6.0 and 2.14.1", parsers::py_lower_yes},
    {"py-strip-not-off", "Off for 0, false, no, off in any case with blanks around them, else on.",
     "AMD-AGI/Primus "
     "primus/backends/megatron_bridge/recipes/mlperf_llama2_70b/nemo_loss.py PRIMUS_NEMO_LOSS",
     parsers::py_strip_not_off},
    {"py-strip-on", "On for 1, on, yes, true in any case with blanks around them, else off.",
     "AMD-AGI/Primus primus/backends/megatron/core/extensions/fused_residual_rmsnorm.py",
     parsers::py_strip_on},
    {"py-strip-true1", "On for 1 and true in any case with blanks around them, else off.",
     "vllm-project/vllm vllm/envs.py VLLM_ALLOW_LONG_MAX_MODEL_LEN", parsers::py_strip_true1},
    {"py-strip-yes", "On for 1, on, t, true, y, yes in any case with blanks around them, else off.",
     "sgl-project/sglang python/sglang/multimodal_gen/runtime/utils/common.py get_bool_env_var",
     parsers::py_strip_yes},
    {"rocr-int", "Leading decimal digits, else 0; kept in 32 bits; empty is ignored.",
     "ROCm/rocm-systems projects/rocr-runtime/runtime/hsa-runtime/core/util/flag.h Flag::Refresh",
     parsers::rocr_int},
    {"rocr-size", "Leading decimal digits, else 0; kept in 64 bits without a sign.",
     "ROCm/rocm-systems projects/rocr-runtime/runtime/hsa-runtime/core/util/flag.h Flag::Refresh, "
     "strtoul",
     parsers::rocr_size},
    {"set-ne0", "On for any text but exactly 0.",
     "ROCm/ROCR-Runtime libhsakmt/src/fmm.c hsakmt_fmm_init_process_apertures", parsers::not_zero},
    {"sglang-bool", "true, 1, yes, y or false, 0, no, n in any case, else ignored with a warning.",
     "sgl-project/sglang python/sglang/srt/environ.py EnvBool", parsers::sglang_bool},
    {"sglang-float", "The whole text must be a number, else ignored with a warning.",
     "sgl-project/sglang python/sglang/srt/environ.py EnvFloat", parsers::sglang_float},
    {"sglang-int", "The whole text must be an integer, else ignored with a warning.",
     "sgl-project/sglang python/sglang/srt/environ.py EnvInt", parsers::sglang_int},
    {"stoi", "Leading decimal digits that fit 32 bits, else an exception.",
     "libstdc++ ext/string_conversions.h __stoa; pytorch/pytorch "
     "torch/csrc/distributed/c10d/Utils.hpp getCvarInt",
     parsers::stoi},
    {"stoi-else-default", "Leading decimal digits that fit 32 bits, else ignored with a warning.",
     "pytorch/pytorch aten/src/ATen/cuda/CUDABlas.cpp _parseChosenWorkspaceSize",
     parsers::stoi_or_default},
    {"stoi-positive", "Leading decimal digits of a number above 0, else ignored with a warning.",
     "pytorch/pytorch aten/src/ATen/ParallelCommon.cpp get_env_num_threads",
     parsers::stoi_positive},
    {"stoull", "Leading decimal digits that fit 64 bits, else an exception.",
     "libstdc++ ext/string_conversions.h __stoa; ROCm/mori src/umbp/include/umbp/common/config.h",
     parsers::stoull},
    {"string", "Used as it is.", "getenv", parsers::string},
    {"string-upper", "Compared without regard to case.",
     "NVIDIA/nccl src/debug.cc ncclDebugInit; vllm-project/vllm vllm/envs.py",
     parsers::string_upper},
    {"strtol", "Decimal, 0x hexadecimal, 0 octal, else 0.",
     "ROCm/rocm-libraries projects/rocblas/library/src/handle.cpp, "
     "projects/hipblaslt/tensilelite/src/Debug.cpp, strtol with base 0",
     parsers::strtol},
    {"strtol-ne0", "On where strtol with base 0 finds another number than 0.",
     "ROCm/rocm-libraries projects/hipblaslt/tensilelite/src/Debug.cpp", parsers::strtol_bool},
    {"strtoull", "Decimal, 0x hexadecimal, 0 octal, else 0; kept in 64 bits without a sign.",
     "ROCm/rocm-libraries projects/miopen/src/include/miopen/env.hpp EnvVar", parsers::strtoull},
    {"te-bool", "A number 0 or 1 at the start, else an exception; empty is ignored.",
     "NVIDIA/TransformerEngine transformer_engine/common/util/system.h getenv_helper",
     parsers::te_bool},
    {"te-int", "Leading decimal digits that fit 32 bits, else an exception; empty is ignored.",
     "NVIDIA/TransformerEngine transformer_engine/common/util/system.h getenv_helper",
     parsers::te_int},
    {"tensile-mode", "The whole text must be -1, 0 or 1, else it is ignored.",
     "ROCm/rocm-libraries projects/hipblaslt/tensilelite/src/Debug.cpp, and its documentation of "
     "environment variables",
     parsers::tensile_mode},
    {"torch-config", "1 is on, 0 is off; other texts are on from PyTorch 2.7, before ignored.",
     "pytorch/pytorch torch/utils/_config_module.py _read_env_variable; pytorch/pytorch#145980",
     parsers::torch_config},
    {"triton-bool", "On for 1, true, on in any case, else off.",
     "triton-lang/triton include/triton/Tools/Sys/GetEnv.hpp getBoolEnv", parsers::triton_bool},
    {"triton-bool-or-name",
     "1, true, on or 0, false, off, empty in any case; other texts name a kernel.",
     "triton-lang/triton include/triton/Tools/Sys/GetEnv.hpp isEnvValueBool, python/src/ir.cc",
     parsers::triton_bool_or_name},
    {"triton-knob",
     "On for 1, y, on, yes, true in any case, up to Triton 3.3 for exactly 1, else off.",
     "ROCm/triton python/src/ir.cc is_truthy; before, python/triton/compiler/compiler.py",
     parsers::triton_knob},
    {"tunable-count", "As tunable-int, and a number below 0 is 0.",
     "pytorch/pytorch aten/src/ATen/cuda/tunable/Tunable.cpp TuningContext::GetMaxTuningDurationMs",
     parsers::tunable_count},
    {"tunable-int",
     "Leading decimal digits; without them and below 0 it is 0 up to PyTorch 2.6, then stoi.",
     "pytorch/pytorch aten/src/ATen/cuda/tunable/Tunable.cpp; pytorch/pytorch#140594",
     parsers::tunable_int},
    {"tunableop-backend",
     "1 is on, 0 is off; other texts are off up to PyTorch 2.6, then ignored with a warning.",
     "pytorch/pytorch aten/src/ATen/cuda/tunable/TunableGemm.h of 2.6.0 and 2.14.1",
     parsers::tunableop_backend},
    {"tunableop-numerics",
     "From PyTorch 2.10 on 0 or ATOL_RTOL, else an exception; before, on for 1.",
     "pytorch/pytorch aten/src/ATen/cuda/tunable/Tunable.cpp "
     "TuningContext::GetNumericalCheckConfig, IsNumericsCheckEnabled of 2.6.0",
     parsers::tunableop_numerics},
    {"unverified",
     "The reader was not examined: only plain numbers and documented words are judged.", "none",
     parsers::unverified},
    {"whole-int", "The whole text must be an integer that fits 64 bits, else it is ignored.",
     "ROCm/mori src/umbp/include/umbp/common/env_time.h ParseSignedEnv", parsers::whole_int},
    {"word-nocase", "One of its words in any case, else ignored.",
     "NVIDIA/nccl src/graph/topo.cc ncclTopoGetMergePolicy; ROCm/rocm-systems "
     "projects/rccl/src/rccl_wrap.cc",
     parsers::word_nocase},
};

}  // namespace

std::string Effect::shown() const {
    switch (kind) {
        case EffectKind::truth:
        case EffectKind::number:
        case EffectKind::text:
            return value;
        case EffectKind::unset:
            return "unset";
        case EffectKind::error:
            return "error";
        case EffectKind::unknown:
            break;
    }
    return "unknown";
}

const Parser* find_parser(std::string_view name) {
    const auto* found =
        std::lower_bound(std::begin(table), std::end(table), name,
                         [](const Parser& row, auto expected) { return row.name < expected; });
    return found != std::end(table) && found->name == name ? found : nullptr;
}

std::span<const Parser> all_parsers() {
    return table;
}

namespace parsers {

Effect number_text(std::string decimal) {
    return {EffectKind::number, std::move(decimal), {}};
}

Effect as_text(std::string_view text) {
    return {EffectKind::text, std::string(text), {}};
}

Effect ignored(std::string note) {
    return {EffectKind::unset, {}, std::move(note)};
}

Effect failure(std::string note) {
    return {EffectKind::error, {}, std::move(note)};
}

Effect open_question(std::string note) {
    return {EffectKind::unknown, {}, std::move(note)};
}

Effect by_version(const ParserInput& input, const Change& change, Effect older, Effect newer) {
    if (older == newer) {
        return older;
    }
    const std::string_view version = input.version.value_or("");
    if (compare_versions(version, change.old_until).value_or(0) < 0) {
        return older;
    }
    if (compare_versions(version, change.new_from).value_or(-1) >= 0) {
        return newer;
    }
    const std::string package(change.package);
    return open_question(shown_value(older.shown()) + " before " + package + " " +
                         std::string(change.old_until) + ", " + shown_value(newer.shown()) +
                         " from " + std::string(change.new_from) + " on");
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

std::string ascii_lower(std::string_view text) {
    std::string lower(text);
    for (char& byte : lower) {
        byte = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
    }
    return lower;
}

std::string ascii_upper(std::string_view text) {
    std::string upper(text);
    for (char& byte : upper) {
        byte = byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - ('a' - 'A')) : byte;
    }
    return upper;
}

}  // namespace parsers

}  // namespace rocenv
