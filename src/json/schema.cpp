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
