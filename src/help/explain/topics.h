// SPDX-License-Identifier: MIT
// Which settings, variables, profiles and words of reports a request of explain is about.
#pragma once

#include <string>
#include <vector>

#include "help/explain/explain.h"
#include "profile/profile.h"
#include "variables/environment.h"

namespace rocenv {

enum class TopicKind { setting, variable, profile, word };

struct Topic {
    TopicKind kind = TopicKind::setting;
    std::string name;
    std::string as{};  // of a variable: the name that was asked for, where it is another
    bool operator==(const Topic&) const = default;
};

struct FoundTopics {
    std::vector<Topic> topics;  // of words by name in their order, else by kind
    bool many = false;          // a glob or a search was asked, and found several
    std::vector<UnknownWord> unknown;
};

FoundTopics find_topics(const ExplainRequest& request, const ProfileStore& store,
                        const Process& asked);

}  // namespace rocenv
