// SPDX-License-Identifier: MIT
// make_profiles OUTPUT.cpp PROFILE.toml...: writes the shipped profiles in the program's form. It
// runs during the build; a profile with a fault ends the build.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>

#include "profile/profile_image.h"

namespace rocenv {
// Empty: this program makes the profiles.
constinit const std::span<const BuiltinProfile> builtin_profiles{};
}  // namespace rocenv

namespace {

// Returns a text as literals; compilers may reject one of more than 65,535 bytes.
std::string literal(const std::string& text) {
    constexpr std::size_t longest = 60000;
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += longest) {
        out += "R\"rocenv(" + text.substr(at, longest) + ")rocenv\"";
    }
    return out;
}

std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool add(const std::filesystem::path& path, std::map<std::string, std::string>& images) {
    const std::string text = content_of(path);
    const std::string name = path.stem();
    const auto profile = rocenv::parse_profile("built-in:" + name, text);
    for (const auto& diagnostic : profile.diagnostics) {
        std::cerr << path.string() << ": " << rocenv::diagnostic_text(diagnostic) << "\n";
    }
    images[name] = rocenv::image_of(profile);
    return profile.diagnostics.empty() && !text.empty();
}

// Writes the file unless it has this text already, so that ninja compiles nothing.
bool write_if_new(const std::string& path, const std::string& text) {
    if (content_of(path) == text) {
        return true;
    }
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    return out.good();
}

}  // namespace

int main(int argc, char** argv) {
    std::map<std::string, std::string> images;
    bool fine = argc > 2;
    for (int at = 2; at < argc; ++at) {
        fine = add(argv[at], images) && fine;
    }
    if (!fine) {
        return 1;
    }
    std::ostringstream out;
    out << "// Written by make_profiles from profiles/*.toml.\n"
           "#include \"profile/profile_image.h\"\n\nnamespace rocenv {\n\n"
           "static constexpr BuiltinProfile profiles[] = {\n";
    for (const auto& [name, image] : images) {
        out << "    {\"" << name << "\", std::string_view(" << literal(image) << ", "
            << image.size() << ")},\n";
    }
    out << "};\n\nconstinit const std::span<const BuiltinProfile> builtin_profiles{profiles};\n\n"
           "}  // namespace rocenv\n";
    return write_if_new(argv[1], out.str()) ? 0 : 1;
}
