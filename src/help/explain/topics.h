// SPDX-License-Identifier: MIT
// The settings, variables, profiles and words of reports that a request of explain selects.
#pragma once

#include <string>
#include <vector>

#include "help/explain/explain.h"
#include "profile/profile.h"
#include "variables/environment.h"

namespace rocenv {

// Kinds of names that can be explained.
enum class TopicKind { setting, variable, profile, word };

// One selected name.
struct Topic {
    TopicKind kind = TopicKind::setting;
    std::string name;
    std::string as{};  // for a variable: the given name, if it is another one
    bool operator==(const Topic&) const = default;
};

// All selected names.
struct FoundTopics {
    std::vector<Topic> topics;  // for words given by name in their order, else by kind
    bool many = false;          // a glob or a search found several
    std::vector<UnknownWord> unknown;
};

// Returns the topics of a request, each once, and the words that match none. A search without a
// match is one of these. Without words all topics are searched.
FoundTopics find_topics(const ExplainRequest& request, const ProfileStore& store,
                        const Process& asked);

}  // namespace rocenv
