// SPDX-License-Identifier: MIT
#include "commands/occupancy/assembly.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_symbols = 10000;    // and functions beside them, in one file
constexpr std::size_t most_names_mib = 4;      // limit for all names together
constexpr std::uint64_t largest = 1000000000;  // limit of all numbers; a larger one is not a count

using Count = std::optional<std::uint64_t>;

// Name of a metadata key, and the field for its value.
struct Key {
    std::string_view name;
    Count& (*field)(AssemblyKernel&);
};
constexpr std::array metadata_keys = {
    Key{".vgpr_count", [](AssemblyKernel& kernel) -> Count& { return kernel.vgprs; }},
    Key{".agpr_count", [](AssemblyKernel& kernel) -> Count& { return kernel.agprs; }},
    Key{".sgpr_count", [](AssemblyKernel& kernel) -> Count& { return kernel.sgprs; }},
    Key{".group_segment_fixed_size",
        [](AssemblyKernel& kernel) -> Count& { return kernel.lds_bytes; }},
    Key{".max_flat_workgroup_size",
        [](AssemblyKernel& kernel) -> Count& { return kernel.work_items; }},
    Key{".vgpr_spill_count",
        [](AssemblyKernel& kernel) -> Count& { return kernel.scratch.vgpr_spills; }},
    Key{".sgpr_spill_count",
        [](AssemblyKernel& kernel) -> Count& { return kernel.scratch.sgpr_spills; }},
    Key{".private_segment_fixed_size",
        [](AssemblyKernel& kernel) -> Count& { return kernel.scratch.bytes; }},
};

// A kernel descriptor (.amdhsa_kernel): numbers, or symbols that only an assembler resolves.
struct Descriptor {
    std::size_t line = 0;
    Count next_free_vgpr;  // with AGPRs on gfx90a and later
    Count accum_offset;    // first AGPR
    Count next_free_sgpr;  // without VCC and the like
    Count lds_bytes;
    Count scratch_bytes;
    Count dynamic_stack;  // 0 or 1
};
struct Directive {
    std::string_view name;
    Count Descriptor::*field;
};
constexpr std::array directives = {
    Directive{".amdhsa_next_free_vgpr", &Descriptor::next_free_vgpr},
    Directive{".amdhsa_accum_offset", &Descriptor::accum_offset},
    Directive{".amdhsa_next_free_sgpr", &Descriptor::next_free_sgpr},
    Directive{".amdhsa_group_segment_fixed_size", &Descriptor::lds_bytes},
    Directive{".amdhsa_private_segment_fixed_size", &Descriptor::scratch_bytes},
    Directive{".amdhsa_uses_dynamic_stack", &Descriptor::dynamic_stack},
};
constexpr std::uint64_t sgprs_behind = 6;  // VCC, flat scratch, XNACK mask (getNumExtraSGPRs)

std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find_first_of(" \t,"));
}

// Returns "gfx942:xnack-" for "amdgcn-amd-amdhsa--gfx942:xnack-", or an empty text for other names.
std::string_view gfx_of_target(std::string_view target) {
    const auto at = target.find("gfx");
    return at == std::string_view::npos ? std::string_view() : target.substr(at);
}

class Reader {
   public:
    explicit Reader(const std::string& file) : file_(printable(file)) {}

    Result<Assembly> read(std::string_view text);

   private:
    enum class In { code, metadata, bare_metadata, descriptor };

    void take(std::string_view line);
    void take_code(std::string_view line, std::string_view comment);
    void take_directive(std::string_view name, std::string_view rest);
    void take_metadata(std::string_view line);
    void take_scalar(const MetadataScanner::Found& found);
    void take_descriptor(std::string_view line);
    void begin_metadata(In how);
    void end_of_file();
    void wrong(std::size_t line, const std::string& what);
    std::string named(std::string_view name);
    void merge();
    void merge_descriptor(const std::string& symbol, const Descriptor& descriptor);

    std::string file_;
    std::size_t line_ = 0;
    std::size_t names_ = 0;  // bytes of names that are kept
    In in_ = In::code;
    std::size_t began_ = 0;  // line where the block of in_ began
    MetadataScanner scanner_;
    std::vector<std::string> symbols_;  // symbols of described kernels, without ".kd"
    std::map<std::string, std::size_t, std::less<>> index_of_;  // index in symbols_ by symbol
    std::map<std::string, Descriptor, std::less<>> descriptors_;
    std::vector<std::string> order_;  // keys of descriptors_ in order
    Descriptor* descriptor_ = nullptr;
    FunctionCode code_;
    Assembly out_;
    std::optional<Error> error_;
};

void Reader::wrong(std::size_t line, const std::string& what) {
    if (!error_) {
        error_ = Error{ErrorKind::bad_input, 0, file_, file_ + ":" + number(line) + ": " + what};
    }
}

std::string Reader::named(std::string_view name) {
    names_ += name.size();
    if (names_ > most_names_mib << 20) {
        wrong(line_, "names of more than " + number(most_names_mib) + " MiB");
        return "";
    }
    return std::string(name);
}

void Reader::begin_metadata(In how) {
    in_ = how;
    began_ = line_;
    scanner_ = MetadataScanner();
}

// Outside of quotes a ";" or "//" begins a comment.
std::string_view without_comment(std::string_view line) {
    bool quoted = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        quoted = quoted != (line[at] == '"');
        if (!quoted && (line[at] == ';' || line.substr(at).starts_with("//"))) {
            return line.substr(0, at);
        }
    }
    return line;
}

void Reader::take(std::string_view line) {
    if (in_ == In::metadata || in_ == In::bare_metadata) {
        return take_metadata(line);
    }
    const auto code = without_comment(line);
    const auto content = trim(code);
    if (content.starts_with("amdhsa.kernels:") || content.starts_with("amdhsa.target:")) {
        begin_metadata(In::bare_metadata);
        return take_metadata(line);
    }
    return in_ == In::descriptor ? take_descriptor(content)
                                 : take_code(content, line.substr(code.size()));
}

void Reader::take_code(std::string_view line, std::string_view comment) {
    const auto name = first_word(line);
    if (name.empty()) {
        code_.remark(comment);
    } else if (name.ends_with(':')) {
        code_.label(name.substr(0, name.size() - 1));
    } else if (name.front() == '.') {
        take_directive(name, trim(line.substr(name.size())));
    } else {
        code_.instruction(name, line, comment);
    }
}

void Reader::take_directive(std::string_view name, std::string_view rest) {
    if (name == ".amdgpu_metadata") {
        begin_metadata(In::metadata);
    } else if (name == ".amdhsa_kernel") {
        in_ = In::descriptor;
        began_ = line_;
        const std::string symbol = named(rest);
        if (!descriptors_.contains(symbol)) {
            order_.push_back(symbol);
        }
        descriptor_ = &descriptors_[symbol];
        *descriptor_ = {};
        descriptor_->line = line_;
    } else if (name == ".amdgcn_target") {
        out_.gfx = gfx_of_target(rest.substr(0, rest.find_last_of('"')));
    } else if (name == ".type" && rest.ends_with("@function")) {
        code_.declare(named(first_word(rest)));
    }
}

void Reader::take_descriptor(std::string_view line) {
    const auto name = first_word(line);
    if (name == ".end_amdhsa_kernel") {
        in_ = In::code;
        return;
    }
    for (const auto& directive : directives) {
        if (name == directive.name) {
            const auto value = parse_number(trim(line.substr(name.size())));
            (*descriptor_).*directive.field = value && *value <= largest ? value : std::nullopt;
        }
    }
}

void Reader::take_metadata(std::string_view line) {
    const auto content = trim(line);
    if (content == ".end_amdgpu_metadata" || content == "...") {
        in_ = in_ == In::metadata && content == "..." ? In::metadata : In::code;
        return;
    }
    if (const auto found = scanner_.line(line)) {
        take_scalar(*found);
    }
}

void Reader::take_scalar(const MetadataScanner::Found& found) {
    if (!found.of_kernel) {
        if (found.key == "amdhsa.target" && out_.gfx.empty()) {
            out_.gfx = gfx_of_target(found.value);
        }
        return;
    }
    if (found.new_kernel) {
        AssemblyKernel kernel;
        kernel.line = line_;
        kernel.described = true;
        out_.kernels.push_back(std::move(kernel));
        symbols_.emplace_back();
    }
    auto& kernel = out_.kernels.back();
    if (found.key == ".name") {
        kernel.name = named(found.value);
    } else if (found.key == ".symbol") {
        symbols_.back() = named(found.value.substr(0, found.value.rfind(".kd")));
    } else if (found.key == ".uses_dynamic_stack") {
        kernel.scratch.dynamic_stack = found.value == "true" || found.value == "1";
    }
    for (const auto& key : metadata_keys) {
        if (found.key == key.name) {
            auto& count = key.field(kernel);
            count = parse_number(found.value);
            if (!count || *count > largest) {
                wrong(line_, std::string(key.name) + ": " + printable(found.value, 40) +
                                 " is not a count");
            }
        }
    }
}

void Reader::end_of_file() {
    if (in_ == In::metadata) {
        wrong(began_, ".amdgpu_metadata has no end: the file is cut off");
    } else if (in_ == In::descriptor) {
        wrong(began_, ".amdhsa_kernel has no end: the file is cut off");
    }
}

// The larger number of registers is what is given: waves_per_eu raises the descriptor's alone.
void Reader::merge_descriptor(const std::string& symbol, const Descriptor& descriptor) {
    const auto [found, is_new] = index_of_.emplace(symbol, out_.kernels.size());
    if (is_new) {
        symbols_.push_back(symbol);
        out_.kernels.push_back({});
        out_.kernels.back().name = symbol;
        out_.kernels.back().line = descriptor.line;
    }
    auto& kernel = out_.kernels[found->second];
    kernel.vgprs = std::max(kernel.vgprs, descriptor.next_free_vgpr);
    kernel.lds_bytes = std::max(kernel.lds_bytes, descriptor.lds_bytes);
    kernel.scratch.bytes = std::max(kernel.scratch.bytes, descriptor.scratch_bytes);
    if (!kernel.scratch.dynamic_stack && descriptor.dynamic_stack) {
        kernel.scratch.dynamic_stack = *descriptor.dynamic_stack != 0;
    }
    if (!kernel.sgprs && descriptor.next_free_sgpr) {
        kernel.sgprs = *descriptor.next_free_sgpr + sgprs_behind;
    }
    if (!kernel.agprs && descriptor.accum_offset && descriptor.next_free_vgpr) {
        const auto all = *descriptor.next_free_vgpr;
        kernel.agprs = all > *descriptor.accum_offset ? all - *descriptor.accum_offset : 0;
    }
}

void Reader::merge() {
    for (std::size_t at = 0; at < symbols_.size(); ++at) {
        auto& kernel = out_.kernels[at];
        kernel.name = kernel.name.empty() ? symbols_[at] : kernel.name;
        symbols_[at] = symbols_[at].empty() ? kernel.name : symbols_[at];
        index_of_.emplace(symbols_[at], at);
    }
    for (const auto& symbol : order_) {
        merge_descriptor(symbol, descriptors_.find(symbol)->second);
    }
    for (const auto& kernel : out_.kernels) {
        if (kernel.described && !kernel.vgprs) {
            wrong(kernel.line, "kernel " + printable(kernel.name, 80) +
                                   " has no .vgpr_count: is the file cut off?");
        }
    }
}

Result<Assembly> Reader::read(std::string_view text) {
    while (!text.empty() && !error_) {
        const auto end = std::min(text.find('\n'), text.size());
        ++line_;
        take(text.substr(0, end));
        if (std::max({symbols_.size(), order_.size(), code_.declared()}) > most_symbols) {
            wrong(line_, "more than " + number(most_symbols) + " kernels or functions");
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    end_of_file();
    merge();
    if (!error_ && out_.kernels.empty()) {
        error_ = Error{ErrorKind::bad_input, 0, file_,
                       file_ + ": no kernel in it, neither amdhsa.kernels nor .amdhsa_kernel"};
    }
    if (error_) {
        return *error_;
    }
    const std::set<std::string, std::less<>> kernels(symbols_.begin(), symbols_.end());
    for (std::size_t at = 0; at < symbols_.size(); ++at) {
        code_.assign(symbols_[at], kernels, out_.kernels[at]);
    }
    return std::move(out_);
}

}  // namespace

Result<Assembly> parse_assembly(const std::string& file, std::string_view text) {
    if (text.find('\0') != std::string_view::npos) {
        return Error{ErrorKind::bad_input, 0, file,
                     printable(file) +
                         ": binary file, expected assembly or its YAML metadata (of a "
                         "code object llvm-readelf --notes prints it)"};
    }
    return Reader(file).read(text);
}

namespace {

bool is_wide(std::string_view name) {
    return name.ends_with("x4") || name.find("b128") != std::string_view::npos ||
           (name.starts_with("ds_read2") && name.ends_with("_b64"));
}

bool is_load(std::string_view name) {
    return name.starts_with("global_load_") || name.starts_with("buffer_load_") ||
           name.starts_with("flat_load_");
}

bool is_call(std::string_view name) {
    return name == "s_swappc_b64" || name == "s_call_b64";
}

bool is_spill(std::string_view comment) {
    return comment.find(" Folded Spill") != std::string_view::npos ||
           comment.find(" Folded Reload") != std::string_view::npos;
}

}  // namespace

void count_instruction(std::string_view name, std::string_view comment, CodeCounts& into) {
    if (is_spill(comment)) {
        ++into.spills;
    } else if (is_load(name)) {
        ++into.loads;
        into.wide_loads += static_cast<std::uint64_t>(is_wide(name));
    } else if (is_call(name)) {
        ++into.calls;
    } else if (name.starts_with("ds_read") || name.starts_with("ds_load")) {
        ++into.lds_reads;
        into.wide_lds_reads += static_cast<std::uint64_t>(is_wide(name));
    } else if (name.starts_with("s_wait")) {
        ++into.waits;
    } else if (name.starts_with("v_mfma_") || name.starts_with("v_smfmac_")) {
        ++into.mfma;
    }
}

// Returns whether an instruction uses LDS. Some instructions named ds_… only move data between
// lanes or use the global data share. Other instructions load into LDS if "lds" is in the name or
// is the last word.
bool uses_lds(std::string_view name, std::string_view line) {
    if (name.starts_with("ds_")) {
        return !name.starts_with("ds_gws_") && !name.starts_with("ds_swizzle_") &&
               !name.starts_with("ds_permute_") && !name.starts_with("ds_bpermute_") &&
               name != "ds_nop" && !line.ends_with(" gds");
    }
    const bool loads = name.starts_with("buffer_") || name.starts_with("global_") ||
                       name.starts_with("scratch_") || name.starts_with("tbuffer_");
    return (loads && (line.ends_with(" lds") || line.find(" lds ") != std::string_view::npos ||
                      name.find("_lds") != std::string_view::npos)) ||
           line.find("lds_direct") != std::string_view::npos;
}

namespace {

// Returns the text up to a comment, which in YAML is a "#" at the start or after a blank.
std::string_view without_yaml_comment(std::string_view text) {
    for (std::size_t at = text.find('#'); at != std::string_view::npos;
         at = text.find('#', at + 1)) {
        if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t') {
            return text.substr(0, at);
        }
    }
    return text;
}

std::string_view without_quotes(std::string_view text) {
    const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"') &&
                        text.back() == text.front();
    return quoted ? text.substr(1, text.size() - 2) : text;
}

// "key: value" into both; false when it is something else.
bool take_pair(std::string_view text, MetadataScanner::Found& found) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) {
        return false;
    }
    found.key = without_quotes(trim(text.substr(0, colon)));
    found.value = without_quotes(trim(text.substr(colon + 1)));
    return true;
}

}  // namespace

std::optional<MetadataScanner::Found> MetadataScanner::outside(std::string_view text) {
    Found found;
    if (!take_pair(text, found)) {
        return std::nullopt;
    }
    in_kernels_ = found.key == "amdhsa.kernels";
    dash_.reset();
    return found;
}

std::optional<MetadataScanner::Found> MetadataScanner::line(std::string_view text) {
    text = without_yaml_comment(text);
    const auto column = text.find_first_not_of(' ');
    if (column == std::string_view::npos || trim(text).empty()) {
        return std::nullopt;
    }
    const auto content = trim(text.substr(column));
    const bool entry = content == "-" || content.starts_with("- ");
    if (!in_kernels_ || (dash_ ? column < *dash_ : !entry) ||
        (dash_ && column == *dash_ && !entry)) {
        return outside(content);
    }
    Found found;
    found.of_kernel = true;
    if (entry && (!dash_ || column == *dash_)) {
        const auto first = content.find_first_not_of(' ', 1);
        dash_ = column;
        keys_ = column + (first == std::string_view::npos ? 2 : first);
        found.new_kernel = true;
        take_pair(content.substr(first == std::string_view::npos ? 1 : first), found);
        return found;
    }
    return column == keys_ && take_pair(content, found) ? std::optional(found) : std::nullopt;
}

namespace {

constexpr std::uint64_t most_scratch = 1000000000;  // bytes; a larger number is not a count

}  // namespace

void FunctionCode::label(std::string_view name) {
    if (functions_.contains(name)) {
        current_ = &code_[std::string(name)];
    }
}

void FunctionCode::instruction(std::string_view name, std::string_view line,
                               std::string_view comment) {
    seen_ = seen_ || name == "s_endpgm";
    count_instruction(name, comment, current_->counts);
    current_->lds = current_->lds || uses_lds(name, line);
}

void FunctionCode::remark(std::string_view comment) {
    constexpr std::string_view title = "; ScratchSize: ";
    if (comment.starts_with(title)) {
        const auto bytes = parse_number(trim(comment.substr(title.size())));
        current_->scratch_bytes = bytes && *bytes <= most_scratch ? *bytes : 0;
    }
}

void FunctionCode::assign(std::string_view symbol,
                          const std::set<std::string, std::less<>>& kernels,
                          AssemblyKernel& kernel) const {
    const bool lds_beside =
        outside_.lds || std::any_of(code_.begin(), code_.end(), [&](const auto& function) {
            return function.second.lds && !kernels.contains(function.first);
        });
    kernel.may_use_lds = !seen_ || lds_beside;
    const auto own = code_.find(symbol);
    if (own == code_.end()) {
        return;
    }
    const auto& [counts, lds, scratch_bytes] = own->second;
    kernel.counts = counts;
    kernel.may_use_lds = kernel.may_use_lds || lds;
    kernel.scratch.spill_instructions = counts.spills;
    kernel.scratch.calls = counts.calls > 0;
    if (!kernel.scratch.bytes && scratch_bytes > 0) {
        kernel.scratch.bytes = scratch_bytes;
    }
}

}  // namespace rocenv
