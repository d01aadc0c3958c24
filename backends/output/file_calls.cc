// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/output/file_calls.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <ctime>
#include <system_error>

namespace ringscribe::output {
namespace {

const char* advice(int error) {
  switch (error) {
    case ENOENT:
      return "create the folder first or choose another output";
    case ENOTDIR:
      return "a part of the path is not a folder: choose another output";
    case EISDIR:
      return "name a file, not a folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose an output that this user may write";
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose an output on another disk";
    case EFBIG:
      return "raise the file size limit (ulimit -f) or record less";
    case ENAMETOOLONG:
      return "choose a shorter output name";
    case ELOOP:
      return "remove that link or choose an output in a folder of your own";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    default:
      return "check the output path and its disk";
  }
}

std::string errno_text(int error) {
  return std::generic_category().message(error) + " (errno " + std::to_string(error) + "); " +
         advice(error);
}

// The folder is resolved and the file is not: the file may not exist yet.
std::string canonical(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  char* resolved = realpath(folder.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result = std::string(resolved) + "/" + path.substr(slash + 1);
  std::free(resolved);
  return result;
}

}  // namespace

Status failure(const std::string& what, int error) {
  return Status(ResultCode::kFailed, what + ": " + errno_text(error));
}

std::string numbered(const std::string& path, int number) {
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  size_t dot = path.rfind('.');
  if (dot == std::string::npos || dot <= name) dot = path.size();
  return path.substr(0, dot) + "-" + std::to_string(number) + path.substr(dot);
}

WrittenPaths& WrittenPaths::instance() {
  static WrittenPaths& paths = *new WrittenPaths;
  return paths;
}

bool WrittenPaths::insert(const std::string& path) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return paths_.insert(canonical(path)).second;
}

void WrittenPaths::erase(const std::string& path) {
  const std::lock_guard<std::mutex> lock(mutex_);
  paths_.erase(canonical(path));
}

ssize_t write_without_signal(int fd, const void* data, size_t size, int* error) {
  sigset_t xfsz;
  sigemptyset(&xfsz);
  sigaddset(&xfsz, SIGXFSZ);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &xfsz, &before);
  sigset_t pending;
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGXFSZ) == 1;
  const ssize_t written = write(fd, data, size);
  *error = errno;
  if (written < 0 && *error == EFBIG && !was_pending) {
    const timespec no_wait = {0, 0};
    while (sigtimedwait(&xfsz, nullptr, &no_wait) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return written;
}

}  // namespace ringscribe::output
