// SPDX-License-Identifier: MIT
#include "launch/env_format.h"

#include <algorithm>

#include "json/writer.h"
#include "util/text.h"
#include "variables/environment.h"

namespace rocenv {

namespace {

constexpr const char* bad_name = "the format cannot express this name";

std::string identifier_error(const EnvLine& line) {
    return is_identifier(line.name) ? "" : bad_name;
}

// Replaces each byte of `special` by `before` and the byte itself.
std::string escaped(std::string_view value, std::string_view special, std::string_view before) {
    std::string out;
    for (const char byte : value) {
        if (special.find(byte) != std::string_view::npos) {
            out += before;
        }
        out += byte;
    }
    return out;
}

std::string sh_line(const std::string& name, const std::string& value) {
    return "export " + name + "=" + shell_quoted(value) + "\n";
}

std::string plain_unset(const std::string& name) {
    return "unset " + name + "\n";
}

// Returns a line for fish, which has two escapes in single quotes, \\ and \'.
std::string fish_line(const std::string& name, const std::string& value) {
    return "set -gx " + name + " '" + escaped(value, "\\'", "\\") + "'\n";
}

std::string fish_unset(const std::string& name) {
    return "set -e " + name + "\n";
}

// Returns a line for csh. In single quotes csh still interprets history (!) and line ends; a
// backslash prevents both.
std::string csh_line(const std::string& name, const std::string& value) {
    std::string quoted = "'";
    for (const char byte : value) {
        quoted += byte == '\''                  ? std::string("'\\''")
                  : byte == '!' || byte == '\n' ? std::string{'\\', byte}
                                                : std::string(1, byte);
    }
    return "setenv " + name + " " + quoted + "';\n";
}

std::string csh_unset(const std::string& name) {
    return "unsetenv " + name + ";\n";
}

std::string assignment(const std::string& name, const std::string& value) {
    return name + "=" + value + "\n";
}

// Returns whether a name is valid for docker (docker/cli pkg/kvfile, 2026-03). docker reads UTF-8
// lines of less than 64 KiB, drops a carriage return at their end and keeps the rest unchanged. A
// name ends at "=" and has no blank. Blanks in front of a name are dropped, and so is a byte order
// mark at the start of the file.
bool is_docker_name(std::string_view name) {
    return !name.empty() && !name.starts_with("\xef\xbb\xbf") &&
           std::string_view("#\v\f\r").find(name.front()) == std::string_view::npos &&
           name.find_first_of(" \t") == std::string_view::npos;
}

std::string docker_obstacle(const EnvLine& line) {
    constexpr std::size_t longest_line = 65535;
    const std::string& value = line.value.value_or("");
    if (value.find('\n') != std::string::npos) {
        return "a line of this format cannot hold a line end";
    }
    if (value.ends_with('\r')) {
        return "a carriage return at the end would be lost";
    }
    if (line.name.size() + 1 + value.size() > longest_line) {
        return "is too long for a line of this format (64 KiB)";
    }
    if (!is_docker_name(line.name)) {
        return bad_name;
    }
    return is_utf8(line.name) && is_utf8(value) ? "" : "holds bytes that are not UTF-8";
}

// Returns a line for systemd. In double quotes, systemd keeps line ends, and \ escapes these four
// characters (and itself).
std::string systemd_line(const std::string& name, const std::string& value) {
    return name + "=\"" + escaped(value, "\"\\`$", "\\") + "\"\n";
}

// The noncharacters of Unicode: U+FDD0 to U+FDEF and the last two of each plane.
bool has_noncharacter(std::string_view text) {
    for (std::size_t at = 0; at < text.size();
         at += std::max<std::size_t>(utf8_length(text.substr(at)), 1)) {
        const auto byte = [&](std::size_t offset) {
            return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) : 0U;
        };
        const bool three = byte(0) == 0xEF;
        const bool four = byte(0) >= 0xF0;
        const bool arabic = three && byte(1) == 0xB7 && byte(2) >= 0x90 && byte(2) <= 0xAF;
        const bool last = (three && byte(1) == 0xBF && byte(2) >= 0xBE) ||
                          (four && (byte(1) & 0x0F) == 0x0F && byte(2) == 0xBF && byte(3) >= 0xBE);
        if (arabic || last) {
            return true;
        }
    }
    return false;
}

// systemd drops a value with control bytes, and the whole file when it is not proper UTF-8
// (systemd.exec(5), src/basic/env-file.c and env-util.c, 2026-03).
std::string systemd_obstacle(const EnvLine& line) {
    const std::string& value = line.value.value_or("");
    if (!is_identifier(line.name)) {
        return bad_name;
    }
    if (!is_utf8(value) || has_noncharacter(value)) {
        return "holds bytes that are not UTF-8 text";
    }
    const bool control = std::any_of(value.begin(), value.end(), [](unsigned char byte) {
        return (byte < ' ' && byte != '\t' && byte != '\n') || byte == 0x7f;
    });
    return control ? "systemd drops a value with control bytes" : "";
}

std::string slurm_line(const std::string& name, const std::string& value) {
    return "export " + name + "=" + value + "\n";
}

// Slurm reads the text after "=" up to the end of the line (its task prolog, manual of 2026-03).
std::string slurm_obstacle(const EnvLine& line) {
    if (line.value.value_or("").find('\n') != std::string::npos) {
        return "a line of this format cannot hold a line end";
    }
    return identifier_error(line);
}

// Lua's decimal escapes carry every byte.
std::string lua_text(std::string_view text) {
    std::string out = "\"";
    for (const char byte : text) {
        const auto code = static_cast<unsigned char>(byte);
        const bool plain = code >= ' ' && code < 0x7f && byte != '"' && byte != '\\';
        const std::string digits = number(static_cast<unsigned>(code));
        out += plain ? std::string(1, byte) : "\\" + std::string(3 - digits.size(), '0') + digits;
    }
    return out + "\"";
}

std::string lmod_line(const std::string& name, const std::string& value) {
    return "setenv(" + lua_text(name) + ", " + lua_text(value) + ")\n";
}

std::string lmod_unset(const std::string& name) {
    return "unsetenv(" + lua_text(name) + ")\n";
}

// Returns NAME<<WORD, the value's lines, and WORD. WORD is not a line of the value.
std::string github_line(const std::string& name, const std::string& value) {
    std::string word = "ROCENV_END";
    while (("\n" + value + "\n").find("\n" + word + "\n") != std::string::npos) {
        word += "_";
    }
    return name + "<<" + word + "\n" + value + "\n" + word + "\n";
}

// The runner keeps some names to itself (docs.github.com, workflow commands, 2026-03).
std::string github_obstacle(const EnvLine& line) {
    if (line.name.starts_with("GITHUB_") || line.name.starts_with("RUNNER_") ||
        line.name == "NODE_OPTIONS") {
        return "a step of this runner cannot set it";
    }
    if (!is_identifier(line.name)) {
        return bad_name;
    }
    return is_utf8(line.value.value_or("")) ? "" : "holds bytes that are not UTF-8";
}

std::string json_obstacle(const EnvLine& line) {
    return is_utf8(line.name) && is_utf8(line.value.value_or(""))
               ? ""
               : "holds bytes that are not UTF-8";
}

std::string one_object(std::span<const EnvLine> lines) {
    JsonWriter json;
    json.open_object();
    for (const auto& line : lines) {
        json.text_or_null(line.name, line.value);
    }
    json.close_object();
    return json.finish();
}

constexpr EnvFormat all_env_formats[] = {
    {"sh", identifier_error, sh_line, plain_unset},
    {"fish", identifier_error, fish_line, fish_unset},
    {"csh", identifier_error, csh_line, csh_unset},
    {"docker", docker_obstacle, assignment, nullptr},
    {"systemd", systemd_obstacle, systemd_line, nullptr},
    {"slurm", slurm_obstacle, slurm_line, plain_unset},
    {"lmod", identifier_error, lmod_line, lmod_unset},
    {"github", github_obstacle, github_line, nullptr},
    {"json", json_obstacle, one_object},
};

Error refusal(const EnvLine& line, const EnvFormat& format, const std::string& why) {
    return {ErrorKind::bad_input, 0, "",
            printable(line.name, 60) + ": " + why + " (--format " + std::string(format.word) + ")"};
}

}  // namespace

std::span<const EnvFormat> env_formats() {
    return all_env_formats;
}

Result<EnvText> render_environment(const EnvFormat& format, std::span<const EnvLine> lines) {
    EnvText text;
    for (const auto& line : lines) {
        const std::string why = format.obstacle_(line);
        if (!why.empty()) {
            return refusal(line, format, why);
        }
        if (format.whole_ != nullptr) {
            continue;
        }
        if (line.value) {
            text.out += format.line_(line.name, *line.value);
        } else if (format.unset_ != nullptr) {
            text.out += format.unset_(line.name);
        } else {
            text.not_unset.push_back(line.name);
        }
    }
    if (format.whole_ != nullptr) {
        text.out = format.whole_(lines);
    }
    return text;
}

}  // namespace rocenv
