// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/candidates.h"
#include "profile/profile.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// In the output of `completion`, the first line names what the shell adds by itself; the others are
// WORD TAB TEXT. The scripts run rocenv from PATH, never the word that was typed: "./rocenv" may be
// a file of another user, which a Tab would run.
constexpr std::string_view bash_script =
    R"(# bash completion of rocenv, which says itself what may follow.
_rocenv() {
    local cur=${COMP_WORDS[COMP_CWORD]} line at
    local -a lines
    mapfile -t lines < <(command rocenv completion bash --parted-at "${COMP_WORDBREAKS//[^=:]/}" -- \
        "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    COMPREPLY=()
    for line in "${lines[@]:1}"; do
        COMPREPLY+=("${line%%$'\t'*}")
    done
    [[ $cur != [=:] ]] || cur=
    case ${lines[0]-} in
        :files)
            compopt -o filenames 2>/dev/null
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
            ;;
        :folders)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "$cur")
            ;;
        :programs)
            for ((at = 1; at < COMP_CWORD; at++)); do
                [[ ${COMP_WORDS[at]} != -- ]] || break
            done
            if declare -F _command_offset >/dev/null; then
                _command_offset $((at + 1))
            elif ((at + 1 == COMP_CWORD)); then
                mapfile -t COMPREPLY < <(compgen -c -- "$cur")
            else
                mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            fi
            ;;
    esac
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=,.] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _rocenv rocenv
)";

constexpr std::string_view zsh_script = R"(#compdef rocenv
# zsh completion of rocenv, which says itself what may follow.
_rocenv() {
    local -a lines ends goes_on ends_shown goes_on_shown
    local line word shown
    integer at
    lines=("${(@f)$(command rocenv completion zsh -- "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
    for line in "${(@)lines[2,-1]}"; do
        word=${line%%$'\t'*}
        shown="$word  ${line#*$'\t'}"
        if [[ $word == *[=,.] ]]; then
            goes_on+=("$word") goes_on_shown+=("$shown")
        else
            ends+=("$word") ends_shown+=("$shown")
        fi
    done
    (($#ends)) && compadd -l -d ends_shown -a ends
    (($#goes_on)) && compadd -S '' -l -d goes_on_shown -a goes_on
    case $lines[1] in
        :files | :folders)
            [[ $PREFIX != --*=* ]] || compset -P '*='
            if [[ $lines[1] == :files ]]; then _files; else _files -/; fi
            ;;
        :programs)
            at=$words[(i)--]
            words=("${(@)words[at+1,-1]}")
            ((CURRENT -= at))
            _normal
            ;;
    esac
}
if [[ $funcstack[1] == _rocenv ]]; then _rocenv "$@"; else compdef _rocenv rocenv; fi
)";

constexpr std::string_view fish_script =
    R"(# fish completion of rocenv, which says itself what may follow.
function __rocenv_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    set -l lines (command rocenv completion fish -- $words "$current" 2>/dev/null)
    set -l fixed (string match -r -- '^--[^=]*=' "$current")
    set -l rest (string replace -r -- '^--[^=]*=' '' "$current")
    switch "$lines[1]"
        case :files
            for each in (__fish_complete_path "$rest")
                echo "$fixed$each"
            end
        case :folders
            for each in (__fish_complete_directories "$rest")
                echo "$fixed$each"
            end
        case :programs
            set -l at (contains -i -- -- $words)
            complete -C (string join ' ' -- (string escape -- $words[(math $at + 1)..] "$current"))
    end
    set -e lines[1]
    printf '%s\n' $lines
end
complete -c rocenv -f -a '(__rocenv_complete)'
)";

constexpr Shell shells[] = {
    {"bash", bash_script},
    {"zsh", zsh_script},
    {"fish", fish_script},
};

std::string_view sign_of(Besides besides) {
    switch (besides) {
        case Besides::nothing:
            return ":nothing\n";
        case Besides::files:
            return ":files\n";
        case Besides::folders:
            return ":folders\n";
        case Besides::programs:
            return ":programs\n";
    }
    return "";
}

// Joins words that bash splits at signs: "--format=js" arrives as three words.
std::vector<std::string> joined(const std::vector<std::string>& words, const std::string& signs) {
    std::vector<std::string> out;
    bool open = false;  // the last word continues
    for (const auto& word : words) {
        const bool sign = word.size() == 1 && signs.find(word) != std::string::npos;
        if (!out.empty() && (sign || open)) {
            out.back() += word;
        } else {
            out.push_back(word);
        }
        open = sign;
    }
    return out;
}

// Returns the length of the part of a word that bash keeps: up to the last of the signs.
std::size_t left_alone(const std::string& word, const std::string& signs) {
    const auto at = signs.empty() ? std::string::npos : word.find_last_of(signs);
    return at == std::string::npos ? 0 : at + 1;
}

}  // namespace

template <>
std::span<const Shell> formats() {
    return shells;
}

Output run_completion(const CompletionOptions& options, const Fs& host, const Process& process) {
    if (options.shell == nullptr) {
        return misused("completion", "missing argument SHELL");
    }
    if (options.words.empty()) {
        return {exit_ok, std::string(options.shell->script), ""};
    }
    const auto line = joined(options.words, options.parted_at);
    const auto found =
        candidates_for(options.commands, line, [&] { return ProfileStore(host, process).names(); });
    const auto start = left_alone(line.back(), options.parted_at);
    std::string out(sign_of(found.besides));
    for (const auto& each : found.words) {
        out += each.word.substr(std::min(start, each.word.size())) + "\t" + each.says + "\n";
    }
    return {exit_ok, std::move(out), ""};
}

}  // namespace rocenv
