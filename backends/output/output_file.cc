// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/output/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "ringscribe/backends/nvtxw/own_file.h"
#include "ringscribe/backends/output/file_calls.h"

namespace ringscribe::output {
namespace {

constexpr size_t kBufferBytes = size_t{256} << 10;

// What others may neither read nor have made. Returns -1 with errno.
int open_private(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return -1;
  struct stat info = {};
  if (fstat(fd, &info) == 0 && info.st_uid == geteuid() && fchmod(fd, 0600) == 0) return fd;
  close(fd);
  errno = EACCES;
  return -1;
}

enum class Opened { kYes, kTakenByAnother, kFailed };

// Opens `path` for writing, and makes it if need be. In a folder that others may write to, anyone
// can leave a symbolic link under a name that we will use: it is followed only if it is ours or the
// system's, like /dev/stdout. Returns -1 with errno, which is ELOOP for somebody else's.
int open_for_writing(const std::string& path) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC;
  const int fd = open(path.c_str(), kFlags | O_NOFOLLOW, 0600);
  if (fd >= 0 || errno != ELOOP) return fd;
  struct stat link = {};
  if (lstat(path.c_str(), &link) != 0) return -1;
  const bool is_trusted = link.st_uid == geteuid() || link.st_uid == 0;
  if (S_ISLNK(link.st_mode) && !is_trusted) {
    errno = ELOOP;
    return -1;
  }
  return open(path.c_str(), kFlags, 0600);
}

// Opens `path` for us alone and empties it. The lock keeps two processes with the same output
// apart; it is taken before the file is emptied, and it is checked that the name still belongs to
// the file that was locked, because the other process may have renamed it meanwhile.
Opened open_locked(const std::string& path, bool is_private, int* fd_out, int* error) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const int fd =
        nvtxw::above_standard_streams(is_private ? open_private(path) : open_for_writing(path));
    *error = errno;
    if (fd < 0 && *error == EINTR) continue;
    if (fd < 0) return Opened::kFailed;
    struct stat mine = {};
    struct stat named = {};
    if (fstat(fd, &mine) == 0 && S_ISREG(mine.st_mode)) {
      // A file system that has no locks (ENOLCK, EOPNOTSUPP) is written without.
      if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(fd);
        return Opened::kTakenByAnother;
      }
      if (stat(path.c_str(), &named) != 0 || named.st_ino != mine.st_ino ||
          named.st_dev != mine.st_dev) {
        close(fd);
        continue;
      }
      if (ftruncate(fd, 0) != 0) {
        *error = errno;
        close(fd);
        return Opened::kFailed;
      }
    }
    *fd_out = fd;
    return Opened::kYes;
  }
  return Opened::kTakenByAnother;
}

}  // namespace

struct OutputFile::Impl {
  std::string path;          // the final one
  std::string written_path;  // the one that is open: path, or path + ".part"
  nvtxw::OwnFile own_file;
  pid_t owner = 0;
  std::unique_ptr<char[]> buffer;
  size_t buffered = 0;
  uint64_t bytes_written = 0;
  uint64_t bytes_on_disk = 0;
  Status result;            // the first failure, and what finish() returns again
  bool is_special = false;  // a pipe or a device
  std::string tail;
  std::string tail_on_disk;

  // Hands `size` bytes to the kernel, whole or with a failure that stays.
  void drain(const char* data, size_t size) {
    if (size > 0 && result.ok() && !own_file.is_open())
      result = failure("cannot write to \"" + written_path + "\" after " +
                           std::to_string(bytes_on_disk) + " bytes: the program closed it",
                       EBADF);
    while (size > 0 && result.ok()) {
      int error = 0;
      const ssize_t written = write_without_signal(own_file.fd(), data, size, &error);
      if (written < 0 && error == EINTR) continue;
      if (written <= 0) {
        result = failure("cannot write to \"" + written_path + "\" after " +
                             std::to_string(bytes_on_disk) + " bytes",
                         written < 0 ? error : EIO);
        return;
      }
      bytes_on_disk += static_cast<uint64_t>(written);
      data += written;
      size -= static_cast<size_t>(written);
    }
  }

  // A forked child has our buffer too: what is in it is the parent's to write.
  bool is_ours() {
    if (owner == getpid()) return true;
    if (result.ok()) {
      result =
          Status(ResultCode::kFailed, "cannot write to \"" + written_path +
                                          "\": it belongs to process " + std::to_string(owner) +
                                          ", which forked this one; begin a session of its "
                                          "own in the child");
    }
    buffered = 0;
    return false;
  }

  // As drain(), with the tail behind it; after a failure the file ends as it did before. Data and
  // tail go in one write: no kill can come between them.
  void drain_with_tail(const char* data, size_t size) {
    const uint64_t before = bytes_on_disk;
    std::string bytes;
    bytes.reserve(size + tail.size());
    bytes.append(data, size).append(tail);
    drain(bytes.data(), bytes.size());
    if (result.ok()) {
      bytes_on_disk = before + size;
      const uint64_t end = bytes_on_disk + tail.size();
      const bool is_shorter = end < before + tail_on_disk.size();
      if (lseek(own_file.fd(), static_cast<off_t>(bytes_on_disk), SEEK_SET) < 0 ||
          (is_shorter && ftruncate(own_file.fd(), static_cast<off_t>(end)) != 0)) {
        result = failure("cannot write the end of \"" + written_path + "\"", errno);
      }
      tail_on_disk = tail;
      return;
    }
    // Its place on the disk is there: the old tail was in it.
    bytes_on_disk = before;
    const auto size_before = static_cast<off_t>(before + tail_on_disk.size());
    const int fd = own_file.fd();
    const bool is_back =
        own_file.is_open() &&
        pwrite(fd, tail_on_disk.data(), tail_on_disk.size(), static_cast<off_t>(before)) ==
            static_cast<ssize_t>(tail_on_disk.size()) &&
        ftruncate(fd, size_before) == 0;
    static_cast<void>(is_back);  // the failure is told already
  }

  void hand_over(const char* data, size_t size) {
    if (tail.empty() || is_special) {
      drain(data, size);
    } else {
      drain_with_tail(data, size);
    }
  }

  void flush() {
    if (!is_ours()) return;
    if (result.ok() && (buffered > 0 || tail != tail_on_disk)) hand_over(buffer.get(), buffered);
    buffered = 0;
  }

  void close_file() {
    if (own_file.fd() < 0) return;
    // The lock belongs to the open file, which a forked child may still hold.
    if (owner == getpid() && own_file.is_open()) flock(own_file.fd(), LOCK_UN);
    if (own_file.close() != 0 && errno != EINTR && result.ok()) {
      result = failure("cannot close \"" + written_path + "\"", errno);
    }
  }
};

OutputFile::OutputFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

OutputFile::~OutputFile() {
  if (impl_->own_file.fd() < 0) return;
  impl_->flush();
  impl_->close_file();
}

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path, Finish finish) {
  if (path.empty()) {
    return Status(ResultCode::kInvalidArgument,
                  "cannot create the output file: its path is empty; give the key output");
  }
  struct stat existing = {};
  const bool exists = stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) {
    return failure("cannot create \"" + path + "\"", EISDIR);
  }
  // A pipe or a device is written where it is, as often as asked for.
  const bool is_special = exists && !S_ISREG(existing.st_mode);
  auto impl = std::make_unique<Impl>();
  impl->is_special = is_special;
  impl->buffer.reset(new (std::nothrow) char[kBufferBytes]);
  if (impl->buffer == nullptr) return failure("cannot buffer \"" + path + "\"", ENOMEM);
  impl->owner = getpid();
  for (int number = 1; number <= kNameAttemptsMax; ++number) {
    impl->path = number == 1 ? path : numbered(path, number);
    if (!is_special && !WrittenPaths::instance().insert(impl->path)) continue;
    const bool rename = finish == Finish::kRename && !is_special;
    impl->written_path = rename ? impl->path + ".part" : impl->path;
    int fd = -1;
    int error = 0;
    const Opened opened = open_locked(impl->written_path, finish == Finish::kPrivate, &fd, &error);
    impl->own_file = nvtxw::OwnFile(fd);
    if (opened == Opened::kYes) return std::unique_ptr<OutputFile>(new OutputFile(std::move(impl)));
    // Nothing was written there: a later session may try again.
    WrittenPaths::instance().erase(impl->path);
    if (opened == Opened::kFailed) {
      return failure("cannot create \"" + impl->written_path + "\"", error);
    }
  }
  return failure("cannot find a free name beside \"" + path + "\"", EEXIST);
}

Status OutputFile::write(const void* data, size_t size) {
  Impl& file = *impl_;
  if (!file.result.ok()) return file.result;
  if (file.own_file.fd() < 0) {
    return Status(ResultCode::kFailed,
                  "cannot write to \"" + file.path + "\": it is finished already");
  }
  if (size == 0) return Status();
  if (size > kBufferBytes - file.buffered) file.flush();
  if (!file.result.ok()) return file.result;
  file.bytes_written += size;
  if (size >= kBufferBytes) {
    if (file.is_ours()) file.hand_over(static_cast<const char*>(data), size);
    return file.result;
  }
  std::memcpy(file.buffer.get() + file.buffered, data, size);
  file.buffered += size;
  return Status();
}

Status OutputFile::flush() {
  if (impl_->own_file.fd() >= 0) impl_->flush();
  return impl_->result;
}

void OutputFile::set_tail(std::string tail) { impl_->tail = std::move(tail); }

Status OutputFile::finish() {
  Impl& file = *impl_;
  if (file.own_file.fd() < 0) return file.result;
  file.flush();
  if (file.is_special && file.result.ok()) file.drain(file.tail.data(), file.tail.size());
  file.close_file();
  // A file that could not be written whole keeps its ".part", so that PATH is never half a file.
  if (file.result.ok() && file.written_path != file.path &&
      std::rename(file.written_path.c_str(), file.path.c_str()) != 0) {
    file.result =
        failure("cannot rename \"" + file.written_path + "\" to \"" + file.path + "\"", errno);
  }
  if (file.result.ok()) file.written_path = file.path;
  return file.result;
}

const std::string& OutputFile::path() const { return impl_->path; }
const std::string& OutputFile::current_path() const { return impl_->written_path; }
uint64_t OutputFile::bytes_written() const { return impl_->bytes_written; }
uint64_t OutputFile::bytes_on_disk() const { return impl_->bytes_on_disk; }

}  // namespace ringscribe::output
