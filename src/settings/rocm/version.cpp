// SPDX-License-Identifier: MIT
// rocm.version: the version of the ROCm that counts here (variables/releases/versions.h has the
// rule). A node need not have one: programs in containers bring their own. Every other one is told.
#include "rocenv/setting.h"
#include "settings/rocm/rocm_trees.h"
#include "settings/shapes/version_wish.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

std::string kind_in_brackets(const RocmLayout& layout) {
    const bool is_tree = layout.kind == RocmKind::release || layout.kind == RocmKind::core;
    return is_tree ? "" : ", " + std::string(rocm_kind_word(layout.kind));
}

std::string other_trees(const RocmLayouts& layouts) {
    std::string out;
    for (const auto& layout : layouts.all) {
        if (&layout == layouts.counting()) {
            continue;
        }
        out += (out.empty() ? "there is another tree: " : ", ") + printable(layout.folder, 120) +
               " (" + (layout.version ? *layout.version : std::string("version unknown")) +
               kind_in_brackets(layout) + ")";
    }
    return out;
}

// All but the one that counts, and what leads away from it.
std::string others(const RocmLayouts& layouts) {
    const std::string trees = other_trees(layouts);
    return layouts.misled + (layouts.misled.empty() || trees.empty() ? "" : "; ") + trees;
}

Assessment none_counts(const RocmLayouts& layouts, const VersionWish& wish) {
    const std::string more = others(layouts);
    const std::string beside = more.empty() ? "" : "; " + more;
    if (!layouts.dangling.empty()) {
        auto row = compared({}, wish.text, "none");  // a link to a tree that was one once
        row.outcome = Outcome::differs;
        row.detail = layouts.dangling + beside;
        return row;
    }
    return layouts.why_none->kind == ErrorKind::not_here
               ? no_target(layouts.why_none->text + beside)
               : none_counts_for(layouts, wish.text);
}

std::vector<Assessment> assess_version(const Setting&, const Context& context, const Want& want) {
    const VersionWish wish = version_wish(want.value);
    const RocmLayouts layouts = layouts_of(context.versions, context.fs(), context.process);
    if (const auto assumed = assumed_rocm(context.versions)) {
        return {judged_version(wish, *assumed)};
    }
    const RocmLayout* counting = layouts.counting();
    if (counting == nullptr) {
        return {none_counts(layouts, wish)};
    }
    if (!counting->version) {
        return {unreadable({}, counting->version.error(), wish.text)};
    }
    auto row = compared({}, wish.text, *counting->version);
    row.outcome = wish.accepts(*counting->version) ? Outcome::ok : Outcome::differs;
    row.detail = others(layouts);
    row.remark = !row.detail.empty();
    if (const auto kind = kind_in_brackets(*counting); !kind.empty()) {
        row.detail = "found in " + printable(counting->folder, 120) + kind +
                     (row.detail.empty() ? "" : "; " + row.detail);
    }
    return {row};
}

}  // namespace

const Setting& rocm_version() {
    static const Setting setting{
        .info =
            {
                .id = "rocm.version",
                .summary = "The version of the installed ROCm",
                .why = "Each GPU needs a ROCm that knows it, and defaults change with the version",
                .source = "ROCm/system-acceptance-docs docs/gpus/mi325x.md, 2026-07",
                .target = "system",
                .read_from =
                    ".info/version below $ROCM_PATH, /opt/rocm, /opt/rocm/core; names in /opt, of "
                    "Python's packages and of libraries in /usr",
                .set_by = "",
                .next_step = "ls -d /opt/rocm*; install the release, or point ROCM_PATH at it",
                .persist = "is persistent: installed",
                .risk_note = "programs built for another release may not start",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::at_least}},
            },
        .assess = assess_version,
    };
    return setting;
}

}  // namespace rocenv
