// SPDX-License-Identifier: MIT
#include "commands/occupancy/triton.h"

#include <algorithm>
#include <array>
#include <set>

#include "json/cursor.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Returns a gfx name without "hip:" in front; empty for other texts.
std::string_view gfx_in(std::string_view text) {
    text = text.substr(text.starts_with("hip:") ? 4 : 0);
    return text.starts_with("gfx") ? text : std::string_view();
}

// Returns the text after the last `name = ` (the name may be quoted), or an empty text.
std::string_view attribute(std::string_view text, std::string_view name) {
    for (auto at = text.rfind(name); at != std::string_view::npos;
         at = at == 0 ? std::string_view::npos : text.rfind(name, at - 1)) {
        auto rest = text.substr(at + name.size());
        rest.remove_prefix(rest.starts_with('"') ? 1 : 0);
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        const bool whole =
            at == 0 || std::string_view(" \"{,").find(text[at - 1]) != std::string_view::npos;
        if (whole && rest.starts_with('=')) {
            rest.remove_prefix(1);
            return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
        }
    }
    return {};
}

std::optional<std::uint64_t> count_of(std::string_view text) {
    return parse_number(text.substr(0, text.find_first_not_of("0123456789")));
}

// Returns the attribute by its present name, else by its name before Triton 3.2.
std::string_view either_attribute(std::string_view text, std::string_view name) {
    const auto found = attribute(text, "ttg." + std::string(name));
    return found.empty() ? attribute(text, "triton_gpu." + std::string(name)) : found;
}

// Reads the gfx name that "arch" or "target" states: itself, or the second element of a list, or
// the member "arch" of an object.
bool read_gfx(JsonCursor& json, std::string& gfx) {
    std::string_view text;
    bool good = true;
    if (json.peek() == '{') {
        json.enter('{');
        while (good && json.key(text)) {
            good = text == "arch" && json.peek() == '"' ? read_gfx(json, gfx) : json.skip();
        }
        return good && json.good();
    }
    if (json.peek() == '[') {
        json.enter('[');
        for (std::size_t at = 0; good && json.element(); ++at) {
            good = at == 1 && json.peek() == '"' ? read_gfx(json, gfx) : json.skip();
        }
        return good && json.good();
    }
    if (json.peek() != '"') {
        return json.skip();
    }
    good = json.text(text);
    gfx = good && !gfx_in(text).empty() ? std::string(gfx_in(text)) : gfx;
    return good;
}

// Reads one member. Sets `wrong` for an invalid count.
bool read_member(JsonCursor& json, const std::string& name, TritonFacts& facts,
                 std::string& wrong) {
    if (name == "arch" || name == "target") {
        return read_gfx(json, facts.gfx);
    }
    auto* const into = name == "shared"      ? &facts.shared
                       : name == "num_warps" ? &facts.num_warps
                       : name == "n_spills"  ? &facts.spills
                                             : nullptr;
    std::string_view value;
    const bool good = json.raw(value);
    if (good && into != nullptr && (name != "n_spills" || value != "null")) {
        *into = parse_number(value);
        wrong = *into ? wrong : ": " + name + ": " + printable(value, 40) + " is not a count";
    }
    return good;
}

}  // namespace

Result<TritonFacts> triton_json(const std::string& file, std::string_view text) {
    TritonFacts facts;
    std::string wrong;
    std::set<std::string> names;
    JsonCursor json(text);
    json.enter('{');
    std::string_view key;
    while (json.key(key)) {
        const std::string name(key);
        if (!names.insert(name).second || !read_member(json, name, facts, wrong)) {
            json.fail();
            break;
        }
    }
    wrong = json.at_end() ? wrong : ": not valid JSON, or cut off";
    if (!wrong.empty()) {
        return Error{ErrorKind::bad_input, 0, file, printable(file) + wrong};
    }
    return facts;
}

TritonFacts triton_ir(std::string_view text) {
    TritonFacts facts;
    facts.shared = count_of(either_attribute(text, "shared"));
    const auto all = count_of(either_attribute(text, "total-num-warps"));
    facts.num_warps = all ? all : count_of(either_attribute(text, "num-warps"));
    const auto target = either_attribute(text, "target");
    if (target.starts_with('"')) {
        facts.gfx = gfx_in(target.substr(1, target.find('"', 1) - 1));
    }
    return facts;
}

}  // namespace rocenv
