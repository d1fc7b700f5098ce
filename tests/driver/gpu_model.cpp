// SPDX-License-Identifier: MIT
#include "driver/gpu_model.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace lab {

namespace {

constexpr std::size_t longest_command = 127;

// The driver compares only as many letters as its word has.
constexpr std::array<std::string_view, 10> level_words{"low",
                                                       "high",
                                                       "auto",
                                                       "manual",
                                                       "profile_exit",
                                                       "profile_peak",
                                                       "profile_standard",
                                                       "profile_min_sclk",
                                                       "profile_min_mclk",
                                                       "perf_determinism"};

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

// The clocks of the section with one of these titles, in order.
std::vector<long> clocks(std::string_view table, std::string_view title, std::string_view other) {
    std::vector<long> out;
    std::istringstream lines{std::string(table)};
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line == title || line == other) {
            inside = true;
        } else if (!line.empty() && line.back() == ':') {
            inside = false;
        } else if (const auto colon = line.find(": "); inside && colon == 1) {
            out.push_back(std::strtol(line.c_str() + colon + 1, nullptr, 10));
        }
    }
    return out;
}

Range range_of(const std::vector<long>& clocks) {
    return clocks.empty() ? Range{} : Range{clocks.front(), clocks.back()};
}

// Reads words like kstrtol with any base; std::nullopt if a word is not a number.
std::optional<std::vector<long>> numbers_in(std::string_view text) {
    std::vector<long> out;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
        char* end = nullptr;
        out.push_back(std::strtol(word.c_str(), &end, 0));
        if (*end != '\0') return std::nullopt;
    }
    return out;
}

std::string entry(int index, long mhz) {
    return std::to_string(index) + ": " + std::to_string(mhz) + "Mhz\n";
}

std::string text_of(Range range) {
    return std::to_string(range.min) + "-" + std::to_string(range.max);
}

}  // namespace

GpuModel::GpuModel(std::string_view level, std::string_view table, long maximum)
    : level_(level.substr(0, level.find('\n'))),
      graphics_(range_of(clocks(table, "OD_SCLK:", "GFXCLK:"))),
      memory_(range_of(clocks(table, "OD_MCLK:", "MCLK:"))),
      now_(graphics_),
      memory_now_(memory_.max) {
    if (maximum > graphics_.max) graphics_.max = maximum;
    if (is_determinism() && now_.max != graphics_.max) armed_ = now_.max;
}

int GpuModel::write_level(std::string_view text) {
    std::string_view word;
    for (const auto known : level_words) {
        if (starts_with(text, known)) word = known;
    }
    if (word.empty()) return EINVAL;
    if (word == level_) return 0;
    // Determinism ends before the word is judged.
    if (is_determinism()) {
        armed_ = 0;
        now_.max = graphics_.max;
    }
    if (word == "auto") {
        now_ = graphics_;
        memory_now_ = memory_.max;
        memory_requested_ = 0;
    } else if (word != "manual" && word != "perf_determinism") {
        return EINVAL;
    }
    level_ = word;
    return 0;
}

int GpuModel::write_table(std::string_view text) {
    if (text.empty() || text.size() > longest_command || !accepts_clocks()) return EINVAL;
    const auto numbers = numbers_in(text.substr(1));
    if (!numbers) return EINVAL;
    switch (text.front()) {
        case 's':
        case 'm':
            return edit(text.front(), *numbers);
        case 'c':
            return numbers->empty() ? commit() : EINVAL;
        case 'r':
            return numbers->empty() ? put_back() : EINVAL;
        default:
            return EINVAL;
    }
}

int GpuModel::edit(char command, const std::vector<long>& numbers) {
    if (numbers.size() != 2) return EINVAL;
    const long index = numbers[0];
    const long mhz = numbers[1];
    if (command == 's' && index == 0) {
        requested_.min = mhz < graphics_.min ? now_.min : mhz;
        return mhz < graphics_.min ? EINVAL : 0;
    }
    if (command == 's' && index == 1) {
        requested_.max = mhz > graphics_.max ? now_.max : mhz;
        return mhz > graphics_.max ? EINVAL : 0;
    }
    if (command == 'm' && index == 1) {
        memory_requested_ = mhz > memory_.max ? memory_now_ : mhz;
        return mhz > memory_.max ? EINVAL : 0;
    }
    return EINVAL;
}

int GpuModel::commit() {
    if (requested_.min == 0) requested_.min = now_.min;
    if (requested_.max == 0) requested_.max = now_.max;
    const int fault = apply_graphics(requested_);
    return fault != 0 || memory_requested_ == 0 ? fault : apply_memory(memory_requested_);
}

int GpuModel::put_back() {
    int fault = apply_graphics(graphics_);
    if (fault == 0) fault = apply_memory(memory_.max);
    if (fault == 0) memory_requested_ = 0;
    return fault;
}

int GpuModel::apply_graphics(Range requested) {
    if (is_determinism()) return arm(requested.max);
    if (requested.min >= requested.max) return EINVAL;
    now_ = requested;
    return 0;
}

// In determinism the driver does not look which clock it is.
int GpuModel::apply_memory(long maximum) {
    if (is_determinism()) return arm(maximum);
    memory_now_ = maximum;
    return 0;
}

int GpuModel::arm(long limit) {
    if (limit < graphics_.min || limit > graphics_.max) return EINVAL;
    armed_ = limit;
    now_ = {graphics_.min, limit};
    return 0;
}

void GpuModel::reset() {
    now_ = graphics_;
    memory_now_ = memory_.max;
    armed_ = 0;
}

std::string GpuModel::table() const {
    return "OD_SCLK:\n" + entry(0, now_.min) + entry(1, now_.max) + "OD_MCLK:\n" +
           entry(0, memory_.min) + entry(1, memory_now_);
}

std::string GpuModel::state() const {
    return "level " + level_ + " range " + text_of(now_) + " memory " +
           std::to_string(memory_now_) + " firmware " + std::to_string(armed_) + " wanted " +
           text_of(requested_) + "," + std::to_string(memory_requested_);
}

int choose_starred(std::string& text, std::string_view index) {
    const auto requested = numbers_in(index);
    if (!requested || requested->size() != 1) return EINVAL;
    std::string out;
    bool found = false;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.back() == '*') line.pop_back();
        const bool chosen = std::strtol(line.c_str(), nullptr, 10) == requested->front();
        found = found || chosen;
        out += line + (chosen ? "*\n" : "\n");
    }
    if (found) text = std::move(out);
    return found ? 0 : EINVAL;
}

}  // namespace lab
