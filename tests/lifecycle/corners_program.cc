// SPDX-License-Identifier: Apache-2.0
//
// Records in the corners of a process's life; corners_test reads what came of it.
//
//   corners_program OUTPUT LIBRARY
#include <dlfcn.h>
#include <pthread.h>
#include <ringscribe/ringscribe.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace rs = ringscribe;

namespace {

// Made before main, destroyed after it.
struct Early {
  Early() {
    auto begun =
        rs::Session::begin("corners", {.backend = "journal", .output = std::getenv("OUT")});
    if (!begun.ok()) std::_Exit(begun.status().print());
    session.emplace(std::move(*begun));
    stream = session->live_stream("live");
    RINGSCRIBE_MARK(stream, "before main");
  }
  ~Early() { RINGSCRIBE_MARK(stream, "in the destructor of a static object"); }
  std::optional<rs::Session> session;
  rs::Stream stream;
};

Early& early() {
  static Early instance;
  return instance;
}
const bool g_is_early = (early(), true);

// Constructed before its thread records, destroyed when the thread ends.
struct RecordsAtThreadEnd {
  ~RecordsAtThreadEnd() {
    if (is_armed) RINGSCRIBE_MARK(early().stream, "in the destructor of a thread_local object");
  }
  bool is_armed = false;
};
thread_local RecordsAtThreadEnd t_records;

void record_from_key(void*) {
  RINGSCRIBE_MARK(early().stream, "in the destructor of a thread's key");
}

void record_at_exit() { RINGSCRIBE_MARK(early().stream, "in a handler of atexit"); }

std::atomic<bool> g_is_hooked{false};
std::atomic<int> g_hook_calls{0};

}  // namespace

// An allocator that records, as a profiler of memory would.
void* operator new(size_t bytes) {
  if (g_is_hooked.load()) {
    g_hook_calls.fetch_add(1);
    RINGSCRIBE_MARK(early().stream, "in operator new");
  }
  if (void* memory = std::malloc(bytes); memory != nullptr) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const rs::Stream& stream = early().stream;
  std::thread([&] {
    t_records.is_armed = true;
    RINGSCRIBE_MARK(stream, "of a thread that goes on recording when it ends");
  }).join();
  pthread_key_t key;
  pthread_key_create(&key, record_from_key);
  std::thread([&] { pthread_setspecific(key, &key); }).join();

  // Many threads that end at once, one event each.
  for (int i = 0; i < 2000; ++i) std::thread([&] { RINGSCRIBE_MARK(stream, "short"); }).join();

  // A cancelled thread, in the middle of recording.
  std::atomic<bool> is_recording{false};
  pthread_t cancelled;
  struct Shared {
    const rs::Stream* stream;
    std::atomic<bool>* is_recording;
  } shared{&stream, &is_recording};
  pthread_create(
      &cancelled, nullptr,
      [](void* all) -> void* {
        const auto* own = static_cast<const Shared*>(all);
        while (true) {
          RINGSCRIBE_RANGE(*own->stream, "of a cancelled thread");
          own->is_recording->store(true);
          own->is_recording->notify_one();
          pthread_testcancel();
        }
      },
      &shared);
  is_recording.wait(false);
  pthread_cancel(cancelled);
  pthread_join(cancelled, nullptr);

  // The first record of a thread and new definitions, both of which allocate, with the hook on.
  rs::Domain domain = early().session->get_domain();
  g_is_hooked = true;
  for (int i = 0; i < 20; ++i) {
    std::thread([&] {
      RINGSCRIBE_MARK(stream, "beside a hook");
      (void)stream.mark({.message = domain.get_registered_string("text " + std::to_string(i))});
      (void)domain.get_counter<int64_t>("counter " + std::to_string(i));
    }).join();
  }
  g_is_hooked = false;
  if (g_hook_calls == 0) return 4;

  void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 3;
  }
  using Record = void (*)(const rs::Stream*);
  const auto record = reinterpret_cast<Record>(dlsym(library, "record_in_library"));
  record(&stream);
  dlclose(library);

  std::atexit(record_at_exit);
  // A thread that records while the process exits.
  static std::atomic<bool> has_recorded{false};
  std::thread([&] {
    while (true) {
      RINGSCRIBE_MARK(stream, "while the process exits");
      has_recorded = true;
    }
  }).detach();
  while (!has_recorded) std::this_thread::yield();
  std::exit(g_is_early ? 0 : 1);
}
