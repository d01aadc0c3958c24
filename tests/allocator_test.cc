// SPDX-License-Identifier: Apache-2.0
//
// The application's allocator is left alone (DESIGN D12): in a program with the recorder and all
// backends linked in, malloc and operator new are those of the system.
#include <dlfcn.h>
#include <ringscribe/ringscribe.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <string>

#include "ringscribe/runtime/memory.h"

namespace {

std::string library_of(void* function) {
  Dl_info info;
  return dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

TEST_CASE("malloc and operator new of a program that records are the system's") {
  auto session = ringscribe::Session::begin("allocator", {.backend = "null"});
  REQUIRE(session.ok());
  session->live_stream("s").mark({.message = "x"});
  CHECK(library_of(dlsym(RTLD_DEFAULT, "malloc")).find("libc.so") != std::string::npos);
  CHECK(library_of(dlsym(RTLD_DEFAULT, "_Znwm")).find("libstdc++") != std::string::npos);
  const std::unique_ptr<void, decltype(&std::free)> theirs(std::malloc(100), &std::free);
  const auto new_theirs = std::make_unique<int>(1);
  CHECK_FALSE(ringscribe::runtime::is_on_runtime_heap(theirs.get()));
  CHECK_FALSE(ringscribe::runtime::is_on_runtime_heap(new_theirs.get()));
}

#ifndef RINGSCRIBE_SANITIZED
TEST_CASE("the runtime's own memory is mimalloc's") {
  void* ours = ringscribe::runtime::allocate(100, 8);
  CHECK(ringscribe::runtime::is_on_runtime_heap(ours));
  ringscribe::runtime::deallocate(ours);
}
#endif

}  // namespace
