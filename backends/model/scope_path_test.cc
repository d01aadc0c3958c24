// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/scope_path.h"

#include <catch2/catch.hpp>

namespace ringscribe::model {
namespace {

TEST_CASE("nodes are separated by slashes, and empty ones are none") {
  CHECK(split_scope_path("").empty());
  CHECK(split_scope_path("///").empty());
  const auto nodes = split_scope_path("//GPU[0]/ /queue/");
  REQUIRE(nodes.size() == 3);
  CHECK(nodes[0].name == "GPU[0]");
  CHECK(nodes[1].name == " ");
  CHECK(nodes[2].name == "queue");
  CHECK(nodes[0].kind == ScopeNodeKind::kPlain);
}

TEST_CASE("escaped slashes and brackets are part of the name") {
  const auto nodes = split_scope_path("a\\/b\\[c\\]/d\\\\/e\\f");
  REQUIRE(nodes.size() == 3);
  CHECK(nodes[0].name == "a/b[c]");
  CHECK(nodes[0].text == "a\\/b\\[c\\]");
  CHECK(nodes[1].name == "d\\");
  CHECK(nodes[2].name == "e\\f");
}

TEST_CASE("processes and threads carry their numbers") {
  const auto nodes = split_scope_path("Process[4711:my server]/Thread[3:4713:worker: 1\\/2]");
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].kind == ScopeNodeKind::kProcess);
  CHECK(nodes[0].pid == 4711);
  CHECK(nodes[0].name == "my server");
  CHECK(nodes[1].kind == ScopeNodeKind::kThread);
  CHECK(nodes[1].thread_number == 3);
  CHECK(nodes[1].tid == 4713);
  CHECK(nodes[1].name == "worker: 1/2");
}

TEST_CASE("a missing name is made of the number") {
  CHECK(split_scope_path("Process[7:]")[0].name == "Process 7");
  CHECK(split_scope_path("Process[7]")[0].name == "Process 7");
  CHECK(split_scope_path("Thread[2:99:]")[0].name == "Thread 2");
}

TEST_CASE("what only looks like a process or a thread is a plain node") {
  for (const char* text :
       {"Process[x:y]", "Process[-1:y]", "Process[]", "Process[1:y", "Process", "Thread[1]",
        "Thread[1:]", "Thread[1:x:y]", "process[1:y]", "Process[99999999999999999999:y]"}) {
    INFO(text);
    const auto nodes = split_scope_path(text);
    REQUIRE(nodes.size() == 1);
    CHECK(nodes[0].kind == ScopeNodeKind::kPlain);
    CHECK(nodes[0].name == text);
    CHECK(nodes[0].pid == 0);
    CHECK(nodes[0].thread_number == 0);
  }
}

TEST_CASE("names are valid UTF-8 whatever the path holds") {
  CHECK(split_scope_path("a\xFF")[0].name == "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace ringscribe::model
