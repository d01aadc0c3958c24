// SPDX-License-Identifier: Apache-2.0
//
// A C++ program with nvtx3.hpp that knows of no tool: the most frequent words of files.
//
//   ringscribe run -- ./words FILE...
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <map>
#include <nvtx3/nvtx3.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

struct words_domain {
  static constexpr char const* name{"words"};
};
struct reading {
  static constexpr char const* name{"reading"};
  static constexpr uint32_t id{1};
};
struct count_message {
  static constexpr char const* message{"count"};
};

using Counts = std::map<std::string, int>;

void count_words(const std::string& text, Counts& counts) {
  NVTX3_FUNC_RANGE_IN(words_domain);
  std::string word;
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      ++counts[std::exchange(word, {})];
    }
  }
}

bool count_file(const char* path, Counts& counts) {
  const nvtx3::scoped_range_in<words_domain> range{
      nvtx3::registered_string_in<words_domain>::get<count_message>(), nvtx3::rgb{61, 90, 163},
      nvtx3::named_category_in<words_domain>::get<reading>()};
  std::ifstream file(path);
  if (!file) {
    nvtx3::mark_in<words_domain>("not readable", nvtx3::rgb{200, 40, 40});
    std::fprintf(stderr, "words: \"%s\" cannot be read\n", path);
    return false;
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  nvtx3::mark_in<words_domain>("read", nvtx3::payload{static_cast<int64_t>(text.size())});
  count_words(text, counts);
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  Counts counts;
  bool all_read = true;
  for (int i = 1; i < count; ++i) all_read = count_file(arguments[i], counts) && all_read;
  const nvtx3::unique_range_in<words_domain> sorting{"sort"};
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (size_t i = 0; i < sorted.size() && i < 10; ++i)
    std::printf("%7d %s\n", sorted[i].second, sorted[i].first.c_str());
  return all_read ? 0 : 1;
}
