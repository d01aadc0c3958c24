// SPDX-License-Identifier: Apache-2.0
//
// writer BACKEND OUTPUT: records 100,000 probes, flushes in between, and says what came of it.
#include <ringscribe/ringscribe.h>

#include <cstdio>

#include "ringscribe/tests/support/probes.h"

namespace rs = ringscribe;

int main(int count, char** arguments) {
  if (count != 3) return 2;
  auto session = rs::Session::begin("files", {.backend = arguments[1], .output = arguments[2]});
  if (!session.ok()) {
    std::printf("begin failed: %s\n", session.status().message().c_str());
    return 3;
  }
  rs::Domain domain = session->get_domain("files");
  const rs::Stream stream = session->create_stream("probes", {.domain = domain});
  const auto schema = domain.get_schema<rs::testing::Probe>(rs::EventKind::kMark);
  int failures = 0;
  for (uint64_t i = 0; i < 100'000; ++i) {
    // Numbers that no codec makes small.
    const uint64_t noise = rs::testing::mix(i, i) * rs::testing::mix(i, i + 7);
    stream.write_event(schema, {static_cast<int64_t>(i), noise, i, rs::testing::mix(noise, i)});
    if (i % 10'000 != 9'999) continue;
    const rs::Status flushed = session->flush();
    if (flushed.ok()) continue;
    if (failures++ == 0) std::printf("flush failed: %s\n", flushed.message().c_str());
  }
  const rs::Status ended = session->end();
  const rs::Counts counts = session->stats();
  std::printf("failures %d ended %d recorded %llu lost %llu\n", failures, ended.ok() ? 1 : 0,
              static_cast<unsigned long long>(counts.recorded),
              static_cast<unsigned long long>(counts.lost()));
  return 0;
}
