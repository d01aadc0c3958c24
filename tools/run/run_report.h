// SPDX-License-Identifier: Apache-2.0
//
// What the injection library tells `ringscribe run`: one line a process, which it appends with one
// write(2) to the file that RINGSCRIBE_INJECT_REPORT names when the process's session has ended:
//
//   pid TAB events TAB lost TAB output path LF
//
//   Result<ReportFile> file = ReportFile::create();   // the command runs …
//   for (const ReportLine& line : parse_report(file->read()).lines) say(sentence(line, folder));
//
// Threads: one at a time.
#ifndef RINGSCRIBE_TOOLS_RUN_RUN_REPORT_H_
#define RINGSCRIBE_TOOLS_RUN_RUN_REPORT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::tools {

struct ReportLine {
  uint64_t pid = 0;
  uint64_t events = 0;
  uint64_t lost = 0;
  std::string output;  // "": it wrote none
};

struct Report {
  std::vector<ReportLine> lines;
  size_t unreadable = 0;  // lines
};

// Takes the last line without its end, too: a file system may be full.
Report parse_report(std::string_view text);

// "app.pftrace: 12345 events, 0 lost"; a path in `folder` is said without it.
std::string sentence(const ReportLine& line, std::string_view folder);
std::string without_folder(std::string_view path, std::string_view folder);

// An empty file in a folder that only this user may enter, both removed by the destructor.
class ReportFile {
 public:
  // In the folder TMPDIR or in /tmp. Fails with the path and the errno text.
  static Result<ReportFile> create();
  ReportFile() = default;
  ReportFile(ReportFile&& other) noexcept;
  ReportFile& operator=(ReportFile&& other) noexcept;
  ~ReportFile();

  std::string path() const { return folder_ + "/report"; }
  std::string read() const;

 private:
  std::string folder_;
};

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RUN_RUN_REPORT_H_
