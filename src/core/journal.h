// SPDX-License-Identifier: MIT
// The records of a journal as text (grammar: journal.cpp). Each function gives whole lines, to be
// appended at once.
#pragma once

#include <string>
#include <vector>

#include "rocenv/journal.h"

namespace rocenv {

std::string head_record(const std::string& boot_id);
// The transaction's number, time, user, hold and `announced`.
std::string begin_record(const Transaction& transaction);
std::string entry_record(const Key& key, const Recorded& entry);
std::string wanted_record(const Key& key, const std::string& shown);
// The baseline is complete: what follows may have been written.
std::string writing_record();
std::string changed_record(const Key& key, const Changed& changed);
std::string end_record();
std::string leave_record(const std::string& holder);
std::string undone_record(std::size_t transaction);
// Undoing these begins; none: all there are.
std::string reset_record(const std::vector<std::size_t>& transactions = {});
// The key is at its baseline again, or no longer ours to put back.
std::string settled_record(const Key& key, const std::vector<std::size_t>& transactions);
std::string foreign_record(const Key& key, const std::string& shown);
std::string rest_record();  // the reset is over; what is left in the journal stays

}  // namespace rocenv
