// SPDX-License-Identifier: MIT
// The writing part of a set: baseline on disk, forward with proof, end record; or everything back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transaction/change_executor.h"
#include "transaction/journal_session.h"
#include "transaction/set_plan.h"

namespace rocenv {

class SetRun {
   public:
    struct Scene {
        const Context& context;
        JournalSession& session;
        Writer& writer;
        const Caller& caller;
        const std::string& hold;
    };
    SetRun(Scene scene, std::vector<SetItem>& items) : scene_(scene), items_(items) {}

    // Marks each item as written or failed, and its row with the outcome of a failure.
    Aftermath perform();

    std::vector<std::string> errors;  // why it failed, and what could not be put back
    std::vector<std::string> notes;   // side effects

    // What could not be put back, wanted or not, and what it holds now.
    struct Left {
        Key key;
        Target target;
        std::string was;
        std::string have;
    };
    std::vector<Left> left;

   private:
    void note_lost();
    void drop_unrecorded();
    std::optional<Error> record_baseline();
    Aftermath forward();
    std::optional<Aftermath> step(SetItem& item, bool& any);
    std::optional<Aftermath> take_failure(SetItem& item, const Error& error);
    void put_back_alone(SetItem& item);
    std::optional<std::string> find_undone();
    Aftermath roll_back(const std::string& why);
    void name_left(const Key& key);
    Records end_of_hold() const;
    std::optional<Error> record_end();
    Records changed_or_not(const Found& found, const std::string& shown);

    Scene scene_;
    std::vector<SetItem>& items_;
    std::vector<Found> found_;
    bool stuck_ = false;
};

}  // namespace rocenv
