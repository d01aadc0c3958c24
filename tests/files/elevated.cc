// SPDX-License-Identifier: Apache-2.0
//
// elevated OUTPUT: records one mark and looks for an NVTXW library where NVTXW says. elevated_test
// makes it a program with more rights than its user.
#include <ringscribe/ringscribe.h>

#include <cstdio>

namespace rs = ringscribe;

int main(int count, char** arguments) {
  if (count != 2) return 2;
  auto session = rs::Session::begin("elevated", {.backend = "journal", .output = arguments[1]});
  if (!session.ok()) return session.status().print();
  rs::Stream stream = session->live_stream("live");
  RINGSCRIBE_MARK(stream, "here");
  const rs::Status ended = session->end();
  std::printf("recorded %llu\n", static_cast<unsigned long long>(session->stats().recorded));
  (void)rs::Backend::load("").ok();
  return ended.print();
}
