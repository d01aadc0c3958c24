// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/support/argument_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>

namespace ringscribe::testing {
namespace {

// A readable page before one that is not.
struct Pages {
  Pages()
      : size(static_cast<size_t>(sysconf(_SC_PAGESIZE))),
        first(static_cast<char*>(
            mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))),
        border(first + size) {
    mprotect(border, size, PROT_NONE);
  }
  ~Pages() { munmap(first, 2 * size); }
  const size_t size;
  char* const first;
  char* const border;
};

TEST_CASE("memory can be read up to the border of what is mapped, to the byte") {
  const Pages pages;
  CHECK(is_readable(pages.first, pages.size));
  CHECK_FALSE(is_readable(pages.first, pages.size + 1));
  CHECK(is_readable(pages.border - 1, 1));
  CHECK_FALSE(is_readable(pages.border, 1));
  CHECK(is_readable(pages.border, 0));
}

TEST_CASE("NULL can be read for no byte only, and no range wraps around") {
  CHECK(is_readable(nullptr, 0));
  CHECK_FALSE(is_readable(nullptr, 1));
  const Pages pages;
  CHECK_FALSE(is_readable(pages.first, SIZE_MAX));
}

TEST_CASE("a text needs a zero before the border") {
  const Pages pages;
  ArgumentMemory memory;
  std::memcpy(pages.border - 3, "abc", 3);
  CHECK_FALSE(memory.add_text(pages.border - 3));
  pages.border[-1] = '\0';
  CHECK(memory.add_text(pages.border - 3));
  CHECK(memory.add_text(pages.border - 1));
  CHECK_FALSE(memory.add_text(nullptr));
  CHECK_FALSE(memory.add_text(pages.border));
}

TEST_CASE("a change of one remembered byte is seen, of any other byte not") {
  char bytes[] = "0123456789";
  ArgumentMemory memory;
  REQUIRE(memory.add(bytes + 2, 3));
  REQUIRE(memory.add(bytes + 7, 1));
  CHECK_FALSE(memory.has_changed());
  bytes[1] = bytes[5] = bytes[6] = bytes[8] = '#';
  CHECK_FALSE(memory.has_changed());
  bytes[4] = '#';
  CHECK(memory.has_changed());
  bytes[4] = '4';
  CHECK_FALSE(memory.has_changed());
  bytes[7] = '#';
  CHECK(memory.has_changed());
}

}  // namespace
}  // namespace ringscribe::testing
