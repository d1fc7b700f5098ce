// SPDX-License-Identifier: MIT
#include "profile/learn/learn.h"

#include <algorithm>

#include "profile/learn/learn_env.h"
#include "profile/learn/learn_value.h"
#include "profile/pinned.h"
#include "profile/profile.h"
#include "profile/profile_selection.h"
#include "profile/request.h"
#include "settings/registry.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

constexpr std::string_view learned_family = "env.";

// Which GPUs and links a node has: one that loses some is no longer the node that was learned.
constexpr std::string_view inventory[] = {"gpu.count", "gpu.model",    "gpu.compute_units",
                                          "gpu.vram",  "gpu.xgmi",     "gpu.xgmi_links",
                                          "pci.link",  "gpu.unique_id"};

struct Entry {
    std::string key;    // as TOML writes it
    std::string value;  // behind "="; empty: the entry is a comment
    std::string why_not;
};

class Learner {
   public:
    Learner(const LearnRequest& request, const Machine& machine, const Process& process)
        : request_(request),
          context_{machine, process, nullptr},
          identity_(process, machine.facts().hostname),
          date_(report_time(process).substr(0, 10)) {}

    std::string text() const {
        return head() + section("settings", settings()) + section("env", variables());
    }

   private:
    std::vector<Entry> settings() const {
        std::vector<Entry> out;
        for (const Setting* setting : all_settings()) {
            const std::string id(setting->info.id);
            if (id != learned_family && selected(id, request_.only, request_.skip)) {
                out.push_back(learn(id, *setting));
            }
        }
        return out;
    }

    Entry learn(const std::string& id, const Setting& setting) const {
        if (setting.info.scope == Scope::process && context_.process.through_sudo) {
            return {id, "", "asked through sudo, which says nothing about the job's process"};
        }
        if (setting.info.only_when_named && request_.only.empty()) {
            return {id, "", "is read only where it is named (--only " + id + ")"};
        }
        const auto learnt = learn_value(context_, setting);
        return learnt.value ? entry_of(id, '"' + id + '"', *learnt.value)
                            : Entry{id, "", learnt.why_not};
    }

    // A profile has a limit, which one value must not take up.
    Entry entry_of(const std::string& id, const std::string& key, const Value& value) const {
        constexpr std::size_t longest = 8192;
        std::string text = inline_text(id, value);
        return text.size() <= longest
                   ? Entry{key, std::move(text), ""}
                   : Entry{id, "", "too long for a profile, " + number(text.size()) + " bytes"};
    }

    std::vector<Entry> variables() const {
        std::vector<Entry> out;
        if (context_.process.through_sudo) {
            return out;
        }
        for (const auto& each : learn_environment(context_, identity_)) {
            if (selected(std::string(learned_family) + each.name, request_.only, request_.skip)) {
                out.push_back(each.value ? entry_of(each.name, each.name, Value{*each.value, {}})
                                         : Entry{each.name, "", each.why_not});
            }
        }
        return out;
    }

    static Level level_of(const std::string& id) {
        const bool counts =
            std::find(std::begin(inventory), std::end(inventory), id) != std::end(inventory);
        return counts ? Level::required : Level::recommended;
    }

    std::string inline_text(const std::string& id, const Value& value) const {
        Want want;
        want.value = value;
        want.level = request_.level.value_or(level_of(id));
        want.why = "as learned on " + date_;
        return entry_text(want);
    }

    std::string section(const std::string& name, const std::vector<Entry>& entries) const {
        std::size_t width = 0;
        for (const auto& entry : entries) {
            width = std::max(width, entry.value.empty() ? 0 : entry.key.size());
        }
        std::string out = entries.empty() ? "" : "\n[" + name + "]\n";
        for (const auto& [key, value, why_not] : entries) {
            out += value.empty()
                       ? "# " + key + ": " + printable(identity_.taken_out(why_not)) + "\n"
                       : key + std::string(width - key.size(), ' ') + " = " + value + "\n";
        }
        return out;
    }

    std::string head() const {
        const std::string gpus = gpus_told(context_.machine);
        const std::string node = gpus.empty() ? "a node without AMD GPUs" : "a node with " + gpus;
        std::string out =
            "# Learned from " + node + " on " + date_ + ". What could not be learned\n" +
            "# is a comment with the reason. rocenv check -p FILE compares a node with it.\n" +
            "\n[profile]\nname = " + toml_text({request_.name, {}}) +
            "\nsummary = " + toml_text({"As " + node + " was on " + date_, {}}) + "\n";
        std::string devices;
        for (const auto device : gpu_kinds(context_.machine)) {
            devices += (devices.empty() ? "" : ", ") + toml_text({hex(device, 4), {}});
        }
        return out + (devices.empty() ? "" : "\n[match]\ndevice = [" + devices + "]\n");
    }

    const LearnRequest& request_;
    const Context context_;
    const Identity identity_;
    const std::string date_;
};

// What -p takes as a name, and a file can be called.
bool is_name(const std::string& name) {
    constexpr std::string_view good =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    constexpr std::size_t longest = 64;
    return !name.empty() && name.size() <= longest && name.front() != '.' && name.front() != '-' &&
           name.find_first_not_of(good) == std::string::npos && !name.ends_with(".toml");
}

}  // namespace

LearnResult learn_profile(const LearnRequest& request, const Fs& machine_fs,
                          const Process& process) {
    LearnResult out;
    check_root(machine_fs, request.root, out.errors);
    check_patterns(request.only, "--only", out.errors);
    check_patterns(request.skip, "--skip", out.errors);
    if (!is_name(request.name)) {
        out.errors.push_back(printable(request.name, 80) +
                             " is no name for a profile: 1 to 64 of A-Z a-z 0-9 . _ -, no .toml");
    }
    if (out.errors.empty()) {
        const Machine machine(machine_fs);
        out.text = Learner(request, machine, process).text();
    }
    return out;
}

}  // namespace rocenv
