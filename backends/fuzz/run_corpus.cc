// SPDX-License-Identifier: Apache-2.0
//
// The main function of a fuzzer where there is no libFuzzer: runs the fuzzer's seeds, those in the
// files named, and a fixed number of changes of them. The changes come from a random generator
// with a fixed seed, so a failure can be repeated; nothing depends on time.
//
//   NAME_test [FILE...]                  runs
//   NAME_test --write FOLDER [FILE...]   writes the seeds, a file each, for libFuzzer
//
// A line of a FILE is "hex 01 02 ff" or "text key=value\n" (with C's \n, \r and \\), or a comment
// after '#'.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/nvtxw/fuzz_input.h"

namespace {

constexpr size_t kChanges = 3000;
constexpr size_t kInputBytesMax = 16384;
// Inputs made of nothing but random bytes, beside the fuzzer's own seeds.
constexpr size_t kRandomSeeds = 32;

using Inputs = std::vector<std::string>;

std::string from_hex(std::string_view text) {
  std::string bytes;
  unsigned value = 0;
  int digits = 0;
  for (const char c : text) {
    const size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) continue;
    value = value * 16 + static_cast<unsigned>(digit);
    if (++digits == 2) {
      bytes += static_cast<char>(value);
      value = 0;
      digits = 0;
    }
  }
  return bytes;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    ++i;
    result += text[i] == 'n' ? '\n' : text[i] == 'r' ? '\r' : text[i];
  }
  return result;
}

bool read_seeds(const char* path, Inputs* seeds) {
  std::ifstream file(path);
  if (!file) {
    std::cerr << "cannot read the seeds in \"" << path << "\": name a file of seeds\n";
    return false;
  }
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("hex ")) seeds->push_back(from_hex(line.substr(4)));
    if (line.starts_with("text ")) seeds->push_back(unescaped(line.substr(5)));
  }
  return true;
}

// One of the changes that libFuzzer makes, too.
void change(std::string& input, const Inputs& seeds, std::mt19937& random) {
  const auto at = [&random](size_t size) { return size == 0 ? 0 : random() % size; };
  switch (random() % 7) {
    case 0:
      if (!input.empty()) input[at(input.size())] ^= static_cast<char>(1u << (random() % 8));
      break;
    case 1:
      if (!input.empty()) input[at(input.size())] = static_cast<char>(random());
      break;
    case 2:
      input.insert(at(input.size() + 1), 1 + random() % 8, static_cast<char>(random()));
      break;
    case 3:
      input.erase(at(input.size()), 1 + random() % 8);
      break;
    case 4:
      if (!input.empty()) input[at(input.size())] = random() % 2 == 0 ? '\xFF' : '\0';
      break;
    case 5: {
      const std::string& other = seeds[at(seeds.size())];
      input.insert(at(input.size() + 1), other.substr(at(other.size() + 1), 1 + random() % 64));
      break;
    }
    default:
      input.resize(at(input.size() + 1));
  }
  if (input.size() > kInputBytesMax) input.resize(kInputBytesMax);
}

void run(const std::string& input) {
  // A block of its own of the exact size: a sanitizer sees a read behind it.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

int write(const Inputs& seeds, const std::string& folder) {
  for (size_t i = 0; i < seeds.size(); ++i) {
    std::ofstream file(folder + "/seed_" + std::to_string(i), std::ios::binary);
    file << seeds[i];
    if (!file.flush()) {
      std::cerr << "cannot write a seed into \"" << folder << "\": name a folder that exists\n";
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int first_file = 1;
  const bool writes = argc > 2 && std::string_view(argv[1]) == "--write";
  if (writes) first_file = 3;
  Inputs seeds = ringscribe::fuzz_seeds();
  for (int i = first_file; i < argc; ++i) {
    if (!read_seeds(argv[i], &seeds)) return 1;
  }
  if (writes) return write(seeds, argv[2]);
  std::mt19937 random(20260101);
  for (size_t i = 0; i < kRandomSeeds; ++i) {
    std::string bytes(random() % 512, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    seeds.push_back(std::move(bytes));
  }
  run("");
  for (const std::string& seed : seeds) run(seed);
  for (size_t i = 0; i < kChanges; ++i) {
    std::string input = seeds[random() % seeds.size()];
    for (uint64_t changes = 1 + random() % 6; changes > 0; --changes) change(input, seeds, random);
    run(input);
  }
  std::cout << "ran " << seeds.size() + 1 << " seeds and " << kChanges << " changes of them\n";
  return 0;
}
