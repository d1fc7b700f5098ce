// SPDX-License-Identifier: MIT
// rocm.version: the installed ROCm, as the .info/version file below ROCM_PATH or /opt/rocm states
// it. A node need not have one: programs in containers bring their own. From 7.14 on /opt/rocm is a
// folder with trees core-X.Y in it and a link core to the default (ROCm/TheRock
// build_tools/packaging/linux, 2026-08); whether these have an .info file is not verified, and the
// name stands for it. Several trees are all told.
#include "rocenv/setting.h"
#include "settings/version_wish.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct RocmTree {
    std::string path;
    std::string version;
};

// Trees of one folder, by what their names start with; what cannot be listed holds none.
void add_trees(const Fs& fs, const std::string& folder, std::string_view start,
               std::vector<RocmTree>& out) {
    const auto names = fs.list(folder);
    for (const auto& name : names ? *names : std::vector<std::string>()) {
        if (!name.starts_with(start) || !compare_versions(name.substr(start.size()), "0")) {
            continue;
        }
        const std::string path = folder + "/" + name;
        const auto text = fs.read(path + "/.info/version");
        const bool told = text && compare_versions(trim(*text), "0") && is_plain(trim(*text));
        out.push_back({path, told ? std::string(trim(*text)) : name.substr(start.size())});
    }
}

// The default where no .info file tells: the only tree in /opt/rocm.
Result<std::string> version_by_name(const Error& missing, const std::vector<RocmTree>& cores) {
    if (cores.size() > 1) {
        return garbled("/opt/rocm", "holds several trees, and no file says which is the default: " +
                                        cores.front().path + " and " + cores.back().path);
    }
    return cores.empty() ? Result<std::string>(missing) : cores.front().version;
}

class RocmVersion final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "rocm.version",
            .summary = "The version of the installed ROCm",
            .why = "Each GPU needs a ROCm that knows it, and defaults change with the version",
            .source = "ROCm/system-acceptance-docs docs/gpus/mi325x.md, 2026-07",
            .target = "system",
            .read_from =
                ".info/version below $ROCM_PATH, /opt/rocm or /opt/rocm/core; names in /opt",
            .set_by = "",
            .next_step = "ls -d /opt/rocm*; install the release, or point ROCM_PATH at it",
            .persist = "is persistent: installed",
            .risk_note = "programs built for another release may not start",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::at_least}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const VersionWish wish = version_wish(want.value);
        auto version = context.machine.rocm_version(context.process.variable("ROCM_PATH"));
        std::vector<RocmTree> trees;
        add_trees(context.fs(), "/opt/rocm", "core-", trees);
        if (version.is(ErrorKind::not_here)) {
            version = version_by_name(Error(version.error()), trees);
        }
        add_trees(context.fs(), "/opt", "rocm-", trees);
        if (version.is(ErrorKind::not_here)) {
            if (auto row = dangling(context, wish.text)) {
                row->detail += others(trees, "");
                return {*std::move(row)};
            }
            auto row = no_target(version.error().text);
            row.detail += others(trees, "");
            return {row};
        }
        if (!version) {
            return {unreadable({}, version.error(), wish.text)};
        }
        auto row = compared({}, wish.text, *version);
        row.outcome = wish.accepts(*version) ? Outcome::ok : Outcome::differs;
        row.detail = others(trees, *version);
        row.remark = !row.detail.empty();
        return {row};
    }

   private:
    // A link to a tree that is gone was one once.
    static std::optional<Assessment> dangling(const Context& context, const std::string& wanted) {
        for (const auto& path : {context.process.variable("ROCM_PATH").value_or(""),
                                 std::string("/opt/rocm"), std::string("/opt/rocm/core")}) {
            const auto link =
                path.starts_with('/') ? context.fs().link(path) : Result<std::string>("");
            if (!path.starts_with('/') || !link || exists(context.fs(), path)) {
                continue;
            }
            auto row = compared({}, wanted, "none");
            row.outcome = Outcome::differs;
            row.detail =
                printable(path, 80) + " leads to " + printable(*link, 80) + ", which is not there";
            return row;
        }
        return std::nullopt;
    }

    // The trees that are not the default.
    static std::string others(const std::vector<RocmTree>& trees, const std::string& version) {
        std::string out;
        for (const auto& tree : trees) {
            if (tree.version != version) {
                out += (out.empty() ? "there is another tree: " : ", ") + tree.path + " (" +
                       tree.version + ")";
            }
        }
        return out.empty() || !version.empty() ? out : "; " + out;
    }
};

}  // namespace

const Setting& rocm_version() {
    static const RocmVersion setting;
    return setting;
}

}  // namespace rocenv
