// SPDX-License-Identifier: MIT
#include "cli/opened.h"

#include "os/fs/posix_fs.h"
#include "vendor/smi_fs.h"
#include "vendor/smi_probe.h"

namespace rocenv {

namespace {

// Of what one operation may take: it ends before that, with the fifth of a second for which whoever
// is stuck in the kernel is waited for, so that the files can still be tried.
constexpr double library_share = 0.6;

Result<std::unique_ptr<WritableFs>> open_this_machine(GpuBackend backend,
                                                      const Patience& patience) {
    if (backend == GpuBackend::sysfs) {
        return real_writable_fs();
    }
    const double seconds = library_share * patience.probe_seconds;
    return std::unique_ptr<WritableFs>(
        std::make_unique<SmiFs>(real_writable_fs(), smi_calls(seconds)));
}

// A journal nobody keeps: of a rehearsal on a recording.
class NoStore final : public JournalStore {
   public:
    std::optional<Error> load(const Take&) const override {
        return Error{ErrorKind::not_here, 0, "", "there is no journal"};
    }
    std::optional<Error> append(std::string_view) override { return refused(); }
    std::optional<Error> cut(std::size_t) override { return refused(); }
    std::optional<Error> replace(std::string_view) override { return refused(); }
    std::optional<Error> discard() override { return refused(); }
    std::optional<Error> set_aside() override { return refused(); }
    std::optional<Error> reserve() override { return refused(); }
    bool release() override { return false; }
    bool outlives_boot() const override { return false; }
    std::string generation() const override { return ""; }

   private:
    static std::optional<Error> refused() {
        return Error{ErrorKind::bad_input, 0, "", "a recording has no journal"};
    }
};

}  // namespace

bool is_tree(const MachineOptions& options) {
    return options.sysroot && options.sysroot->ends_with(".tree");
}

Result<Opened> open_for_writing(const MachineOptions& options, GpuBackend backend,
                                const GivenFiles& given) {
    Opened out;
    if (options.sysroot) {
        out.host = real_fs();
    }
    if (is_tree(options)) {
        auto tree = load_tree(*options.sysroot);
        if (!tree) {
            return tree.error();
        }
        out.tree = std::move(tree).value();
        out.given = given.over(*out.host);
        return out;
    }
    const auto opener = [&]() -> Result<std::unique_ptr<WritableFs>> {
        return options.sysroot ? writable_sysroot_fs(*options.sysroot)
                               : open_this_machine(backend, options.patience);
    };
    auto helper = HelperFs::start(options.patience, opener);
    if (!helper) {
        return helper.error();
    }
    out.helper = std::move(helper).value();
    out.given = given.over(out.host ? *out.host : *out.helper);
    return out;
}

std::unique_ptr<JournalStore> no_store() {
    return std::make_unique<NoStore>();
}

}  // namespace rocenv
