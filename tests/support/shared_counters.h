// SPDX-License-Identifier: MIT
// Results of forked helpers for the test: atomics in memory that outlives them.
#pragma once

#include <sys/mman.h>

#include <new>

#include "support/catch.h"

namespace rocenv {

template <class Counters>
class Shared {
   public:
    Shared() {
        void* memory = ::mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        REQUIRE(memory != MAP_FAILED);
        counters_ = new (memory) Counters();
    }
    ~Shared() { ::munmap(counters_, sizeof(Counters)); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
    Counters* operator->() const { return counters_; }

   private:
    Counters* counters_;
};

}  // namespace rocenv
