// SPDX-License-Identifier: MIT
// A machine, a journal and the commands on them, for the contract suite: whatever happens during a
// set or a reset, a later reset brings back every byte, or names what it could not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/kernel_machine.h"
#include "support/machines.h"
#include "transaction/set.h"

namespace rocenv::contract {

// Settings to leave out on mi300x-spx: it has two of a board's eight GPUs.
inline const std::vector<std::string> reported_for_short_boards{"gpu.count", "gpu.xgmi"};

// A journal in memory that can fail or die.
class MemoryStore final : public JournalStore {
   public:
    std::optional<std::string> text;

    // Appends count from 0. A death at append n: 0 before it, 1 half-way, 2 after it,
    // 3 before its last byte.
    std::optional<std::size_t> fails_at;
    std::optional<std::size_t> dies_at;
    int how = 0;
    std::size_t appends = 0;
    std::vector<std::string> dead;  // holds whose processes are gone

    bool has_room = true;              // false: only the spare, while it is there
    std::size_t spare = 0;             // bytes
    bool in_memory = true;             // cannot be of an earlier boot
    std::optional<std::string> aside;  // the forgotten text
    std::string unshortened;           // the text as it was before it was replaced last

    std::optional<Error> load(const Take& take) const override;
    std::optional<Error> append(std::string_view added) override;
    std::optional<Error> cut(std::size_t size) override;
    std::optional<Error> replace(std::string_view other) override;
    std::optional<Error> discard() override;
    std::optional<Error> set_aside() override;
    std::optional<Error> reserve() override;
    bool release() override;
    bool outlives_boot() const override { return !in_memory; }
    std::string generation() const override { return std::to_string(appends); }
    bool is_dead(const std::string& hold) const override;

   private:
    // Takes its bytes from the room that was made; false: there is none.
    bool accepts(std::size_t bytes);
    std::size_t room_ = 0;
};

// A profile without settings, for sets of single values.
constexpr const char* nothing_expected = "/nothing.toml";

// Fixture machine `name` cut to four CPUs, two GPUs and the PCI functions on the way to those.
const MemoryFs& cut_machine(std::string_view name);
const std::vector<std::string>& machine_names();

// Shipped node profiles that match the machine and set something.
std::vector<std::string> profiles_for(const std::string& machine);
// Those that write something, without those that do just what another one does, at the same levels.
std::vector<std::string> different_profiles_for(const std::string& machine);

// With sanitizers every run takes ten times as long: then only each n-th fault is tried.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stride = 11;
#else
constexpr std::size_t stride = 1;
#endif

// One node over time: a machine and its journal, with commands that each start from nothing else,
// as processes do.
struct Node {
    explicit Node(const MemoryFs& start) : kernel(start) { kernel.governor_turns_boost_on = true; }

    KernelMachine kernel;
    MemoryStore store;
    Caller caller{"tester"};
    bool dry_run = false;  // dry run of set

    SetResult set(const std::vector<std::string>& profiles, const std::string& hold = "",
                  const std::vector<std::string>& overrides = {});
    SetResult reset(const ResetRequest& request = {});
    Status status();
    // An exception of the hooks ends a command like a kill: none of its code runs any more. Returns
    // false if the command died.
    template <class Command>
    bool survives(Command command) {
        try {
            command();
            return true;
        } catch (const Death&) {
            return false;
        }
    }
    // No more faults, hooks or deaths.
    void calm();
    // "" when every file is as in `start` and no journal is left; else what differs.
    std::string differs_from(const MemoryFs& start) const;
};

// Everything a command said, for a failed check.
std::string printed(const SetResult& result);

// Counts runs and prints the sum when the program ends.
void count_run(const char* what, std::size_t runs = 1);

}  // namespace rocenv::contract
