// SPDX-License-Identifier: Apache-2.0
//
// run_cpp LIBRARY LIST: runs each document that the file LIST names, one a line, through our C++
// API. DOCUMENT.json leaves DOCUMENT.json.cpp/session_ID.rsj for each session and
// DOCUMENT.json.cpp/failures, a line for each call that was not recorded. LIBRARY is
// //backends:libringscribe_backend.so. Exit code 1 if a file cannot be read.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "ringscribe/tests/differential/document_runner.h"

namespace {

bool run(const std::string& library, const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(text.str().c_str());
  if (!in || document.HasParseError()) {
    std::fprintf(stderr, "run_cpp: cannot read %s as JSON\n", path.c_str());
    return false;
  }
  const std::string folder = path + ".cpp";
  std::filesystem::create_directories(folder);
  ringscribe::testing::DocumentRunner runner(library, folder);
  const std::vector<std::string> failures = runner.run(document);
  // Written last: that the file is there says that the run came to its end.
  std::ofstream out(folder + "/failures");
  for (const std::string& failure : failures) out << failure << '\n';
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  std::ifstream list(count == 3 ? arguments[2] : "");
  if (!list) {
    std::fprintf(stderr,
                 "usage: run_cpp LIBRARY LIST, a file that names a document on each line\n");
    return 1;
  }
  // Nothing may be lost for want of room: that would be a difference of timing.
  setenv("RINGSCRIBE_OVERFLOW", "block", 1);
  setenv("RINGSCRIBE_BLOCK_TIMEOUT", "0", 1);
  for (std::string path; std::getline(list, path);)
    if (!path.empty() && !run(arguments[1], path)) return 1;
  return 0;
}
