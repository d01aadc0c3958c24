// SPDX-License-Identifier: Apache-2.0
//
// A program with one mark and no backend linked in: compare.py measures its text, less mimalloc's,
// as the cost to link (library_text). It is not run.
#include <ringscribe/ringscribe.h>

int main() {
  auto session = ringscribe::Session::begin("api only");
  if (!session.ok()) return session.status().print();
  const ringscribe::Stream live = session->live_stream("live");
  RINGSCRIBE_MARK(live, "mark");
  return session->end().print();
}
