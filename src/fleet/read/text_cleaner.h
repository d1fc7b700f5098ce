// SPDX-License-Identifier: MIT
// Takes identities and secrets out of the texts of reports, which another program or an older one
// may have written. A text is looked through when it is first met; what is clean costs no more.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "fleet/read/pools.h"
#include "os/redact/redact.h"

namespace rocenv {

class TextCleaner {
   public:
    explicit TextCleaner(FleetPools& pools) : pools_(pools) {}

    // At the start of a report, and where its node is known, whose name is taken out.
    void start();
    void of_node(std::string_view name) { node_ = name; }
    // Before the texts of a row are read.
    void start_row() { texts_before_ = pools_.texts->count(); }

    void clean(FleetFinding& row);
    void clean(FleetFact& row);
    FleetSetting clean(FleetSetting setting);

   private:
    enum class Kind { value, prose, fact };
    bool is_clean() const { return dirty_.empty() && pools_.texts->count() == texts_before_; }
    // Why no value of this setting is shown; empty: it is.
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
    // By the place of the text; those that are clean are not in it.
    std::unordered_map<const char*, std::string_view> dirty_;
    std::unordered_map<const char*, std::string_view> hidden_;  // by the place of the id
    std::unordered_map<const char*, std::size_t> unknown_;      // by the place of the text
};

}  // namespace rocenv
