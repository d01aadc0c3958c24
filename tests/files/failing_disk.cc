// SPDX-License-Identifier: Apache-2.0
//
// LD_PRELOAD: a disk that fails. Writes to files whose path holds FAIL_PATH fail with errno
// FAIL_ERRNO once FAIL_AFTER bytes were written to them; room for files there is refused, too.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>

namespace {

std::atomic<long> g_left{-1};

bool is_failing_file(int fd) {
  const char* part = ::getenv("FAIL_PATH");
  if (part == nullptr) return false;
  char link[64], path[4096];
  ::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = ::readlink(link, path, sizeof path - 1);
  if (size < 0) return false;
  path[size] = '\0';
  return ::strstr(path, part) != nullptr;
}

long number(const char* name) {
  const char* text = ::getenv(name);
  return text == nullptr ? 0 : ::atol(text);
}

// How many of `size` bytes may still be written.
long room_for(long size) {
  long left = g_left.load();
  if (left < 0) left = number("FAIL_AFTER");
  const long given = size < left ? size : left;
  g_left.store(left - given);
  return given;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) ssize_t write(int fd, const void* data,
                                                                size_t size) {
  using Write = ssize_t (*)(int, const void*, size_t);
  static const auto real = reinterpret_cast<Write>(::dlsym(RTLD_NEXT, "write"));
  if (!is_failing_file(fd)) return real(fd, data, size);
  const long given = room_for(static_cast<long>(size));
  if (given > 0) return real(fd, data, static_cast<size_t>(given));
  errno = static_cast<int>(number("FAIL_ERRNO"));
  return -1;
}

extern "C" __attribute__((visibility("default"))) int posix_fallocate(int fd, off_t offset,
                                                                      off_t size) {
  using Allocate = int (*)(int, off_t, off_t);
  static const auto real = reinterpret_cast<Allocate>(::dlsym(RTLD_NEXT, "posix_fallocate"));
  if (!is_failing_file(fd)) return real(fd, offset, size);
  return room_for(size) == size ? real(fd, offset, size) : static_cast<int>(number("FAIL_ERRNO"));
}
