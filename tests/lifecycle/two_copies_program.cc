// SPDX-License-Identifier: Apache-2.0
//
// A program with a copy of ringscribe of its own that loads libraries with theirs;
// two_copies_test reads what came of it.
//
//   two_copies_program OUTPUT LIBRARY...    # each library writes to its path with ".rsj" behind it
#include <dlfcn.h>
#include <ringscribe/ringscribe.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace rs = ringscribe;

int main(int count, char** arguments) {
  if (count < 3) return 2;
  auto session = rs::Session::begin("program", {.backend = "journal", .output = arguments[1]});
  if (!session.ok()) return session.status().print();
  const rs::Stream stream = session->live_stream("live");
  std::vector<std::thread> threads;
  const auto start = [&threads](auto record) {
    for (int thread = 0; thread < 2; ++thread) threads.emplace_back(record);
  };
  start([&stream] {
    for (int i = 0; i < 50'000; ++i) RINGSCRIBE_MARK(stream, "of the program");
  });
  std::vector<int (*)()> ends;
  for (int i = 2; i < count; ++i) {
    void* library = dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 3;
    }
    const auto begin = reinterpret_cast<int (*)(const char*)>(dlsym(library, "copy_begin"));
    const auto record = reinterpret_cast<void (*)()>(dlsym(library, "copy_record"));
    ends.push_back(reinterpret_cast<int (*)()>(dlsym(library, "copy_end")));
    if (begin((std::string(arguments[i]) + ".rsj").c_str()) != 0) return 4;
    start(record);
  }
  // One thread records with all copies in turn.
  for (int i = 0; i < 1000; ++i) RINGSCRIBE_MARK(stream, "of the program");
  for (std::thread& thread : threads) thread.join();
  if (std::getenv("WAIT") != nullptr) {
    std::puts("ready");
    std::fflush(stdout);
    if (std::getchar() == 'k') std::raise(SIGKILL);
  }
  for (const auto end : ends)
    if (end() != 0) return 5;
  return session->end().print();
}
