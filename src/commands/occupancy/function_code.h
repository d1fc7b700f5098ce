// SPDX-License-Identifier: MIT
// What the code of an assembly file does, by function: a kernel's own, and what of functions beside
// it counts for it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "commands/occupancy/instructions.h"

namespace rocenv {

struct AssemblyKernel;  // commands/occupancy/assembly.h

class FunctionCode {
   public:
    // A name that a label may have: only these begin a function.
    void declare(std::string name) { functions_.insert(std::move(name)); }
    std::size_t declared() const { return functions_.size(); }
    // What comes behind it is the code of that function, if it is one.
    void label(std::string_view name);
    // An instruction with the rest of its line, and what LLVM remarks of it.
    void instruction(std::string_view name, std::string_view line, std::string_view comment);
    // A comment alone in its line: LLVM sums up a function behind its code ("; ScratchSize: 16").
    void remark(std::string_view comment);

    // Tells the kernel of this symbol what is known of its code. `kernels`: the symbols of all;
    // functions beside them may be called from any.
    void tell(std::string_view symbol, const std::set<std::string, std::less<>>& kernels,
              AssemblyKernel& kernel) const;

   private:
    struct Code {
        CodeCounts counts;
        bool lds = false;
        std::uint64_t scratch_bytes = 0;
    };

    std::set<std::string, std::less<>> functions_;
    std::map<std::string, Code, std::less<>> code_;  // of functions
    Code outside_;                                   // code outside of any
    Code* current_ = &outside_;
    bool seen_ = false;
};

}  // namespace rocenv
