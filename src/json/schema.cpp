// SPDX-License-Identifier: MIT
#include "json/schema.h"

#include "util/text.h"

namespace rocenv {

void write_type(JsonWriter& json, std::string_view name, OrNull or_null) {
    if (or_null == OrNull::no) {
        json.text("type", name);
        return;
    }
    json.open_array("type");
    json.text({}, name);
    json.text({}, "null");
    json.close_array();
}

void write_words(JsonWriter& json, const std::vector<std::string>& words, OrNull or_null) {
    json.open_array("enum");
    for (const auto& word : words) {
        json.text({}, word);
    }
    if (or_null == OrNull::yes) {
        json.null({});
    }
    json.close_array();
}

void write_whole(JsonWriter& json, const JsonNote& note, OrNull or_null) {
    if (*note.words != '\0') {
        json.open_array("enum");
        for (const auto number : split(note.words, '|')) {
            json.json({}, number);
        }
        json.close_array();
        return;
    }
    write_type(json, "integer", or_null);
    json.integer("minimum", static_cast<std::uint64_t>(note.at_least));
    if (note.at_most >= note.at_least) {
        json.integer("maximum", static_cast<std::uint64_t>(note.at_most));
    }
}

void begin_schema(JsonWriter& json, std::string_view title) {
    json.open_object();
    json.text("$schema", "https://json-schema.org/draft/2020-12/schema");
    json.text("title", title);
}

void write_text(JsonWriter& json, const JsonNote& note, OrNull or_null) {
    if (*note.words != '\0') {
        const auto words = split(note.words, '|');
        write_words(json, {words.begin(), words.end()}, or_null);
        return;
    }
    write_type(json, "string", or_null);
    if (*note.pattern != '\0') {
        json.text("pattern", note.pattern);
    }
    if (note.filled) {
        json.integer("minLength", 1);
    }
}

}  // namespace rocenv
