// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/system_calls.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>

namespace ringscribe::sqlite {
namespace {

constexpr std::string_view kCompanions[] = {"-wal", "-shm", "-journal"};

thread_local int last_error = 0;

// Notes the errno of a call that failed.
template <typename Number>
Number noted(Number result) {
  if (result < 0) last_error = errno;
  return result;
}

bool is_companion(std::string_view path) {
  for (const std::string_view suffix : kCompanions) {
    if (path.size() > suffix.size() && path.substr(path.size() - suffix.size()) == suffix) {
      return true;
    }
  }
  return false;
}

// SIGXFSZ goes to the calling thread: it is enough to block it there. What was pending before us
// stays pending.
template <typename Call>
auto without_signal(Call call) {
  sigset_t xfsz;
  sigemptyset(&xfsz);
  sigaddset(&xfsz, SIGXFSZ);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &xfsz, &before);
  sigset_t pending;
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGXFSZ) == 1;
  const auto result = call();
  const int error = errno;
  if (result < 0 && error == EFBIG && !was_pending) {
    const timespec no_wait = {0, 0};
    while (sigtimedwait(&xfsz, nullptr, &no_wait) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return noted(result);
}

}  // namespace

int open_file(const char* path, int flags, int mode) {
  if ((flags & O_ACCMODE) == O_RDONLY) {
    return open(path, flags | O_CLOEXEC, static_cast<mode_t>(mode));
  }
  const int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, static_cast<mode_t>(mode));
  if (fd < 0) return noted(fd);
  struct stat info = {};
  // A second name of a file beside the database would be somebody's trap.
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
      (info.st_nlink <= 1 || !is_companion(path))) {
    return fd;
  }
  close(fd);
  errno = EACCES;
  return noted(-1);
}

int lock_file(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  if (command != F_SETLK && command != F_GETLK) {
    const auto argument = va_arg(arguments, intptr_t);
    va_end(arguments);
    return fcntl(fd, command, argument);
  }
  auto* const lock = va_arg(arguments, struct flock*);
  va_end(arguments);
  lock->l_pid = 0;  // asked for by these two
  const int result = fcntl(fd, command == F_SETLK ? F_OFD_SETLK : F_OFD_GETLK, lock);
  // A file system without them has the other ones.
  return result < 0 && errno == EINVAL ? fcntl(fd, command, lock) : result;
}

ssize_t write_at(int fd, const void* data, size_t size, off_t offset) {
  return without_signal([&] { return pwrite(fd, data, size, offset); });
}

ssize_t write_here(int fd, const void* data, size_t size) {
  return without_signal([&] { return write(fd, data, size); });
}

int set_size(int fd, off_t size) {
  return without_signal([&] { return ftruncate(fd, size); });
}

int take_last_error() noexcept { return std::exchange(last_error, 0); }

bool remove_leftovers(const char* path) {
  for (const std::string_view suffix : kCompanions) {
    if (unlink(std::string(path).append(suffix).c_str()) != 0 && errno != ENOENT) return false;
  }
  return true;
}

}  // namespace ringscribe::sqlite
