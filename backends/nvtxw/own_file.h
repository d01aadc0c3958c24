// SPDX-License-Identifier: Apache-2.0
//
// Descriptors that we keep open in somebody else's program, which may run with its standard streams
// closed, and may close every descriptor there is (daemons do) and then open files of its own: what
// we write must not go into those, nor what it prints into ours.
//
//   const int fd = above_standard_streams(open(path, flags));   // 3 or more; -1 with errno
//   const OwnFile file(fd);
//   if (file.is_open()) write(file.fd(), data, size);           // else it was closed behind us
//
// Between the look and the write the program can still close it; it would have to do so while our
// thread is in between.
//
// Threads: values. Does not own the descriptor.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_OWN_FILE_H_
#define RINGSCRIBE_BACKENDS_NVTXW_OWN_FILE_H_

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace ringscribe::nvtxw {

// The same open file, not under the number of a standard stream that is closed: a program that
// prints anyway would print into it. Takes `fd`; -1 with errno if there is no other number. Locks
// of fcntl's are lost: take them after.
inline int above_standard_streams(int fd) noexcept {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(fd);
  errno = error;
  return moved;
}

class OwnFile {
 public:
  OwnFile() = default;
  // -1: none.
  explicit OwnFile(int fd) noexcept : fd_(fd) {
    struct stat info = {};
    if (fd < 0 || ::fstat(fd, &info) != 0) return;
    device_ = info.st_dev;
    inode_ = info.st_ino;
  }
  int fd() const noexcept { return fd_; }
  // Whether the descriptor is still that of the file.
  bool is_open() const noexcept {
    struct stat info = {};
    return fd_ >= 0 && ::fstat(fd_, &info) == 0 && info.st_dev == device_ && info.st_ino == inode_;
  }
  // Closes it, unless it is somebody else's by now. 0, or -1 with errno.
  int close() noexcept {
    const int result = is_open() ? ::close(fd_) : 0;
    fd_ = -1;
    return result;
  }

 private:
  int fd_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_OWN_FILE_H_
