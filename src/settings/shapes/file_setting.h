// SPDX-License-Identifier: MIT
// A setting that is one value in one file of the kernel: a number ("1"), or a choice whose present
// word stands in brackets ("always [madvise] never"). Such a setting is an Info and these facts.
#pragma once

#include <optional>
#include <string>

#include "machine/kernel_attribute.h"
#include "rocenv/setting.h"

namespace rocenv {

enum class FileShape { number, choice };

struct FileFacts {
    std::string path;
    FileShape shape;
    std::string folder;   // every kernel has it: where it is missing too, nothing is known
    std::string without;  // what it means that the folder is there and the file is not
    // The value a kernel without the file behaves as: another one wanted is a difference. Nothing:
    // the file may be missing whatever is wanted.
    std::optional<std::string> absent_is{};
    // More to say about a difference.
    std::string (*explain)(const Assessment& row) = nullptr;
};

class FileSetting : public Setting {
   public:
    FileSetting(Info info, FileFacts facts) : info_(std::move(info)), facts_(std::move(facts)) {}

    const Info& info() const override { return info_; }
    std::vector<Assessment> assess(const Context& context, const Want& want) const override;
    std::vector<Baseline> baseline(const Context& context) const override;
    Keeping keeping(const Want& want) const override;

   private:
    KernelAttribute attribute() const;
    Assessment judge(const Fs& fs, const std::string& want) const;
    void explain(const Choices& content, Assessment& row) const;
    Assessment absent(const std::string& want) const;

    Info info_;
    FileFacts facts_;
};

}  // namespace rocenv
