// SPDX-License-Identifier: Apache-2.0
//
// A library with a copy of ringscribe of its own, all of it hidden; for two_copies_program.
#include <ringscribe/ringscribe.h>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace rs = ringscribe;

namespace {
rs::Session* g_session = nullptr;
rs::Stream* g_stream = nullptr;
}  // namespace

EXPORTED int copy_begin(const char* output) {
  auto session = rs::Session::begin("library", {.backend = "journal", .output = output});
  if (!session.ok()) return session.status().print();
  g_session = new rs::Session(std::move(*session));
  g_stream = new rs::Stream(g_session->live_stream("live"));
  return 0;
}
EXPORTED void copy_record() {
  for (int i = 0; i < 50'000; ++i) RINGSCRIBE_MARK(*g_stream, "of a library");
}
EXPORTED int copy_end() { return g_session->end().print(); }
