// SPDX-License-Identifier: Apache-2.0
//
// journal_facts LIST: for each journal that the file LIST names, one a line, what it says as lines
// of JSON, in JOURNAL.facts: a line of the session, the calls, what the model made of them, and
//
//   {"fact": "round trip", "difference": TEXT}
//
// For that the journal is replayed through our own table of functions into a second journal, which
// has to say the same; TEXT is "" if it does. Exit code 1 if LIST cannot be read; a journal that
// cannot be read is told by {"fact": "unreadable", "why": TEXT}.
#include <cstdio>
#include <fstream>
#include <string>

#include "ringscribe/backends/factory.h"
#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/journal/replay_to_interface.h"
#include "ringscribe/tests/differential/session_facts.h"

namespace {

using namespace ringscribe;
using testing::SessionFacts;

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + "\"";
}

// "" if the replay went well.
std::string read(const std::string& path, SessionFacts& facts) {
  auto summary = journal::replay(path, facts);
  if (!summary.ok()) return summary.status().to_string();
  if (!summary->finished) return "not finished";
  if (summary->damaged) return summary->damage;
  if (summary->rejected != 0) return "refused: " + summary->first_rejection.to_string();
  return "";
}

std::string copy(const std::string& from, const std::string& to) {
  auto target =
      journal::replay_to_interface(*backends_interface(), "copy", "format=journal|output=" + to);
  if (!target.ok()) return target.status().to_string();
  auto summary = journal::replay(from, *target.value());
  if (!summary.ok()) return summary.status().to_string();
  if (summary->rejected != 0) return "refused: " + summary->first_rejection.to_string();
  return summary->end_status.ok() ? "" : summary->end_status.to_string();
}

std::string first_difference(const std::vector<std::string>& first,
                             const std::vector<std::string>& second) {
  for (size_t i = 0; i < first.size() && i < second.size(); ++i)
    if (first[i] != second[i]) return first[i] + " became " + second[i];
  if (first.size() == second.size()) return "";
  return std::to_string(first.size()) + " lines became " + std::to_string(second.size());
}

std::string round_trip(const std::string& path, const SessionFacts& facts) {
  const std::string copied = path + ".copy";
  if (const std::string failure = copy(path, copied); !failure.empty()) return failure;
  SessionFacts again;
  if (const std::string failure = read(copied, again); !failure.empty()) return failure;
  const std::string difference = first_difference(facts.calls(), again.calls());
  return difference.empty() ? first_difference(facts.decoded(), again.decoded()) : difference;
}

void tell(const std::string& path) {
  std::ofstream out(path + ".facts");
  SessionFacts facts;
  auto info = journal::read_header(path);
  const std::string failure = info.ok() ? read(path, facts) : info.status().to_string();
  if (!failure.empty()) {
    out << "{\"fact\": \"unreadable\", \"why\": " << quoted(failure) << "}\n";
    return;
  }
  out << journal::session_line(*info) << '\n';
  for (const std::string& line : facts.calls()) out << line << '\n';
  for (const std::string& line : facts.decoded()) out << line << '\n';
  out << "{\"fact\": \"round trip\", \"difference\": " << quoted(round_trip(path, facts)) << "}\n";
}

}  // namespace

int main(int count, char** arguments) {
  std::ifstream list(count == 2 ? arguments[1] : "");
  if (!list) {
    std::fprintf(stderr, "usage: journal_facts LIST, a file that names a journal on each line\n");
    return 1;
  }
  for (std::string path; std::getline(list, path);)
    if (!path.empty()) tell(path);
  return 0;
}
