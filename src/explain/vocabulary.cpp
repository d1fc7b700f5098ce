// SPDX-License-Identifier: MIT
#include "explain/vocabulary.h"

namespace rocenv {

namespace {

constexpr WordExplanation all_words[] = {
    {"outcome", "ok", "Is as wanted.", "never counts", ""},
    {"outcome", "changed", "set, reset: was brought there and read back.", "never counts",
     "rocenv status shows what is set, rocenv reset puts it back"},
    {"outcome", "na", "Does not exist here, and that is fine: no cpufreq driver in a guest, say.",
     "never counts", ""},
    {"outcome", "hidden", "Exists, and this container may not see it.", "never counts",
     "ask on the node itself"},
    {"outcome", "unknown",
     "Could not be read: not permitted, asleep, garbled, or no answer in time. Never taken for ok; "
     "its reason says which.",
     "check: 3 where it is required and nothing required differs",
     "what the finding names as next; often the same command as root"},
    {"outcome", "differs", "Was read and is not as wanted.",
     "check: 1 where it is required (--strict: or recommended)",
     "what the finding names as next; what can be set: sudo rocenv set -p PROFILE --only ID"},
    {"outcome", "unsafe",
     "set refused: it would break isolation between devices, a guest or a running job.",
     "set: 1 where it is required; the rest was done", "--allow ID sets it all the same"},
    {"outcome", "failed", "set, reset: the write failed, or the value did not stick.",
     "set: 4 where it is required, and everything went back; reset: 5", "rocenv status"},
    {"reason", "timeout",
     "Of unknown: the kernel's file did not answer within --timeout (5 s), or not before "
     "--deadline "
     "(20 s).",
     "", "look into the kernel's log; the driver or the device may hang"},
    {"reason", "permission", "Of unknown: this user may not read it.", "", "ask again as root"},
    {"reason", "asleep",
     "Of unknown: the device is suspended, and reading would wake it; so it was not touched.", "",
     "ask again while something uses the device"},
    {"reason", "garbled", "Of unknown: it was read and makes no sense.", "",
     "look at the file that the finding names"},
    {"reason", "hidden", "Of what could not be read: this container may not see it.", "",
     "ask on the node itself"},
    {"reason", "error",
     "Of unknown: reading failed in another way, which the finding's detail names.", "",
     "look at the file that the finding names"},
    {"level", "required", "Must be so, or what the profile is for does not work as published.",
     "check: 1 where it differs, 3 where it is unknown", ""},
    {"level", "recommended", "Should be so: published advice that costs or wins something.",
     "never counts without --strict", ""},
    {"level", "info", "Worth knowing. set leaves it alone, env does not export it.", "never counts",
     "-v lists all of them"},
    {"mark", "waived",
     "The site lives with it (/etc/rocenv/waivers.toml, --waivers). The finding keeps its outcome.",
     "never counts, until the waiver's date", "--no-waivers counts it"},
    {"name", "auto",
     "The profile for the GPUs on PCI; mi for a model that nobody knows, host without any.", "",
     "rocenv profile show auto"},
    {"name", "benchmark", "The -benchmark form of what auto chooses.", "",
     "rocenv profile show benchmark"},
    {"finding", "profile.auto",
     "Tells why auto fell back to another profile than one for the GPUs.",
     "a set of GPUs that could not be looked at is required", "name a profile with -p"},
    {"finding", "tunableop.results",
     "Would PyTorch take the result files that the environment names, or discard them without a "
     "word?",
     "as recommended", "rocenv tunableop check FILE"},
    {"status", "0", "As wanted. set, reset: done. status: nothing is set.", "", ""},
    {"status", "1",
     "Something required differs. set: the rest was done. reset: names hold it. status: something "
     "is set, or a set or reset is at work.",
     "", "read the findings that are required"},
    {"status", "2", "Bad usage, profile or input file. Nothing was written.", "",
     "stderr names what was not understood"},
    {"status", "3",
     "Something required could not be read. set, reset: not tried, for lack of rights or because "
     "of "
     "the journal.",
     "", "the same command as root; stderr and the findings say what kept it"},
    {"status", "4", "set failed or was interrupted, and everything was put back.", "",
     "the findings that failed say why"},
    {"status", "5", "Something could not be put back, or was changed by somebody else since.", "",
     "the report names each with its present value; rocenv status"},
    {"status", "125", "run: rocenv refused or failed before the program started.", "",
     "stderr says why"},
    {"status", "126", "run: the program is there and could not be started.", "", ""},
    {"status", "127", "run: there is no such program.", "", ""},
};

}  // namespace

std::span<const WordExplanation> vocabulary() {
    return all_words;
}

}  // namespace rocenv
