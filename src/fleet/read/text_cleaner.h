// SPDX-License-Identifier: MIT
// Removes identities and secrets from the texts of reports, which another or older program may have
// written. Each text is checked when it first appears; clean texts cost nothing afterwards.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "fleet/read/pools.h"
#include "os/redact/redact.h"

namespace rocenv {

// The cleaner of one reader.
class TextCleaner {
   public:
    explicit TextCleaner(FleetPools& pools) : pools_(pools) {}

    // Begins a report. Call of_node() next.
    void start();
    // Sets the name of the report's node, which is removed from texts.
    void of_node(std::string_view name) { node_ = name; }
    // Begins a row; call it before the texts of the row are read.
    void start_row() { texts_before_ = pools_.texts->count(); }

    // Removes identities and secrets from all texts of a row. Values of secret and of unknown
    // variables are replaced; such a finding loses its detail and fix.
    void clean(FleetFinding& row);
    void clean(FleetFact& row);
    // Returns the setting without credentials.
    FleetSetting clean(FleetSetting setting);

   private:
    enum class Kind { value, prose, fact };
    bool is_clean() const { return dirty_.empty() && pools_.texts->count() == texts_before_; }
    // Returns why no value of this setting is shown. Empty if values are shown.
    std::string_view hidden(std::string_view id);
    std::string_view stand_in(std::string_view hidden, std::string_view text);
    void clean(std::string_view id, std::string_view& text, Kind kind);
    void clean(std::string_view id, std::optional<std::string_view>& text, Kind kind);
    std::string cleaned(std::string_view id, std::string_view text, Kind kind);
    void clean_id(std::string_view& id);
    const HostName& host(Kind kind);

    FleetPools& pools_;
    std::string_view node_;
    std::optional<HostName> host_;
    std::size_t texts_before_ = 0;
    // Replacements by address of the text. Clean texts are not included.
    std::unordered_map<const char*, std::string_view> dirty_;
    std::unordered_map<const char*, std::string_view> hidden_;  // by address of the id
    std::unordered_map<const char*, std::size_t> unknown_;      // by address of the text
};

}  // namespace rocenv
