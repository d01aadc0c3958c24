// SPDX-License-Identifier: Apache-2.0
//
// quickstart: a parallel text indexer under the recorder.
//
//   bazel run //examples:quickstart -- [FOLDER] [--output FILE]
//
// Reads every file under FOLDER (default: the system's include folder) with as many workers as
// there are cores, counts lines and distinct words, and prints what it found, then where the trace
// is. Open the trace in ui.perfetto.dev: a row a worker, a range for each file and stage, the two
// counters as curves, and on each file's event its path, bytes, lines and distinct words.
#include <ringscribe/ringscribe.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fs = std::filesystem;
namespace rs = ringscribe;

namespace {

// The event that each file gets: a struct of our own, described to the recorder by one line.
struct FileIndexed {
  int64_t time;
  rs::FixedString<200> path;
  int64_t bytes;
  int64_t lines;
  int64_t distinct_words;
};
RINGSCRIBE_SCHEMA(FileIndexed, MARK(time), MESSAGE(path), FIELD(bytes), FIELD(lines),
                  FIELD(distinct_words));

struct FileResult {
  int64_t bytes = 0;
  int64_t lines = 0;
  std::unordered_set<std::string> words;
};

// What the recorder needs, made once.
struct Recording {
  rs::Stream stream;
  rs::Counter bytes_done;
  rs::Counter queue_length;
  rs::Schema<FileIndexed> file_indexed;
};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

FileResult index_text(std::string_view text) {
  FileResult result;
  result.bytes = static_cast<int64_t>(text.size());
  result.lines = static_cast<int64_t>(std::count(text.begin(), text.end(), '\n'));
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    result.words.emplace(text.substr(at, end - at));
    at = end;
  }
  return result;
}

class Indexer {
 public:
  Indexer(fs::path folder, const Recording& recording)
      : folder_(std::move(folder)), recording_(recording) {}

  void run() {
    list_files();
    std::vector<std::thread> workers;
    const unsigned count = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < count; ++i) workers.emplace_back([this, i] { work(i); });
    for (std::thread& worker : workers) worker.join();
  }

  void print() const {
    std::printf("indexed %zu files under %s: %lld bytes, %lld lines, %zu distinct words\n",
                files_.size(), folder_.c_str(), static_cast<long long>(bytes_.load()),
                static_cast<long long>(lines_), files_with_word_.size());
    std::string_view commonest;
    size_t files = 0;
    for (const auto& [word, in_files] : files_with_word_)
      if (in_files > files || (in_files == files && word < commonest)) {
        commonest = word;
        files = in_files;
      }
    if (files != 0)
      std::printf("the word in most files is \"%.*s\", in %zu\n",
                  static_cast<int>(commonest.size()), commonest.data(), files);
  }

 private:
  void list_files() {
    RINGSCRIBE_RANGE(recording_.stream, "list files", {.color = rs::color::purple});
    std::error_code error;
    for (fs::recursive_directory_iterator
             at(folder_, fs::directory_options::skip_permission_denied, error),
         end;
         !error && at != end; at.increment(error))
      if (std::error_code ignored; at->is_regular_file(ignored)) files_.push_back(at->path());
    std::sort(files_.begin(), files_.end());
    RINGSCRIBE_SAMPLE(recording_.stream, recording_.queue_length, files_.size());
  }

  void work(unsigned number) {
    rs::prepare_thread("indexer " + std::to_string(number));
    for (size_t i = next_.fetch_add(1); i < files_.size(); i = next_.fetch_add(1)) {
      RINGSCRIBE_SAMPLE(recording_.stream, recording_.queue_length, files_.size() - i - 1);
      index_file(files_[i]);
    }
  }

  void index_file(const fs::path& path) {
    // The name is made at run time, so this is a ScopedRange; the stages have constant names.
    const rs::ScopedRange whole(recording_.stream, {.message = path.native(), .category = "file"});
    std::string text;
    {
      RINGSCRIBE_RANGE(recording_.stream, "read", {.color = rs::color::blue, .category = "stage"});
      text = read_file(path);
    }
    FileResult result;
    {
      RINGSCRIBE_RANGE(recording_.stream, "split",
                       {.color = rs::color::green, .category = "stage"});
      result = index_text(text);
    }
    {
      RINGSCRIBE_RANGE(recording_.stream, "merge",
                       {.color = rs::color::orange, .category = "stage"});
      merge(result);
    }
    recording_.stream.write_event(
        recording_.file_indexed,
        FileIndexed{rs::now(), std::string_view(path.native()), result.bytes, result.lines,
                    static_cast<int64_t>(result.words.size())});
  }

  void merge(const FileResult& result) {
    const std::lock_guard lock(mutex_);
    lines_ += result.lines;
    for (const std::string& word : result.words) ++files_with_word_[word];
    bytes_ += result.bytes;
    RINGSCRIBE_SAMPLE(recording_.stream, recording_.bytes_done, bytes_.load());
  }

  const fs::path folder_;
  const Recording& recording_;
  std::vector<fs::path> files_;
  std::atomic<size_t> next_{0};
  std::atomic<int64_t> bytes_{0};
  std::mutex mutex_;
  int64_t lines_ = 0;                                        // under mutex_
  std::unordered_map<std::string, size_t> files_with_word_;  // under mutex_
};

struct Arguments {
  fs::path folder = "/usr/include";
  fs::path output;
  bool ok = true;
};

Arguments parse(int count, char** values) {
  Arguments result;
  bool has_folder = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view value = values[i];
    if (value == "--output" && i + 1 < count) {
      result.output = values[++i];
    } else if (!value.starts_with("-") && !has_folder) {
      result.folder = value;
      has_folder = true;
    } else {
      result.ok = false;
    }
  }
  // `bazel run` changes the folder; what the user typed is relative to where it was typed.
  const char* typed_in = std::getenv("BUILD_WORKING_DIRECTORY");
  const fs::path base = typed_in != nullptr ? fs::path(typed_in) : fs::current_path();
  result.folder = base / result.folder;
  if (!result.output.empty()) result.output = base / result.output;
  return result;
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse(count, values);
  if (!arguments.ok || !fs::is_directory(arguments.folder)) {
    std::fprintf(stderr, "%s\nusage: quickstart [FOLDER] [--output FILE]\n",
                 arguments.ok ? (arguments.folder.native() + " is not a folder").c_str()
                              : "that is not an argument of this program");
    return 2;
  }
  const char* typed_in = std::getenv("BUILD_WORKING_DIRECTORY");
  if (typed_in != nullptr && ::chdir(typed_in) != 0) std::perror(typed_in);
  // What is typed goes before what the environment says.
  if (!arguments.output.empty()) ::setenv("RINGSCRIBE_OUTPUT", arguments.output.c_str(), 1);

  auto session = rs::Session::begin("quickstart", {.output = "quickstart.pftrace"});
  if (!session.ok()) return session.status().print();
  rs::Domain domain = session->get_domain("indexer");
  const Recording recording{
      session->live_stream("indexer", domain),
      domain.get_counter<int64_t>("bytes done", {.unit = "bytes"}),
      domain.get_counter<int64_t>("queue length", {.unit = "files"}),
      domain.get_schema<FileIndexed>(rs::EventKind::kMark),
  };
  Indexer indexer(arguments.folder, recording);
  indexer.run();
  indexer.print();

  const int result = session->end().print();
  const rs::Counts counts = session->stats();
  if (counts.recorded == 0 && counts.lost() == 0) {
    std::printf("nothing was recorded (RINGSCRIBE_ENABLED=0)\n");
    return result;
  }
  const fs::path output = fs::absolute(session->output());
  const std::string extension = output.extension();
  std::printf("%s (%llu events recorded, %llu lost); %s\n", output.c_str(),
              static_cast<unsigned long long>(counts.recorded),
              static_cast<unsigned long long>(counts.lost()),
              extension == ".rsj"      ? "print it: bazel run //backends/journal:journal_dump -- FILE"
              : extension == ".sqlite" ? "ask it: sqlite3 FILE 'SELECT * FROM range_durations'"
                                       : "open it in ui.perfetto.dev");
  return result;
}
