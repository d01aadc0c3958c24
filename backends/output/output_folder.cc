// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/output/output_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "ringscribe/backends/output/file_calls.h"

namespace ringscribe::output {
namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

// In a folder that others may write to, anyone can leave a symbolic link under a name that we will
// use: it is followed only if it is ours or the system's. Returns -1 with errno.
int open_folder(const std::string& path) {
  const int fd = open(path.c_str(), kFolderFlags | O_NOFOLLOW);
  if (fd >= 0) return fd;
  const int error = errno;
  struct stat link = {};
  if (lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) {
    errno = error;
    return -1;
  }
  if (link.st_uid == geteuid() || link.st_uid == 0) return open(path.c_str(), kFolderFlags);
  errno = ELOOP;
  return -1;
}

bool is_of_ours(const std::string& name, const FolderMark& mark) {
  if (name == mark.file || name == "." + mark.file) return true;
  for (const std::string& prefix : mark.prefixes) {
    if (name.starts_with(prefix) || name.starts_with("." + prefix)) return true;
  }
  return false;
}

bool begins_with(int folder, const std::string& name, const std::string& begin) {
  const int fd = openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  std::string text(begin.size(), '\0');
  const ssize_t got = read(fd, text.data(), text.size());
  close(fd);
  return got == static_cast<ssize_t>(text.size()) && text == begin;
}

// The names in a folder without "." and "..". False with errno.
bool list(int folder, std::vector<std::string>& names) {
  const int fd = openat(folder, ".", kFolderFlags);
  DIR* const all = fd < 0 ? nullptr : fdopendir(fd);
  if (all == nullptr) {
    const int error = errno;
    if (fd >= 0) close(fd);
    errno = error;
    return false;
  }
  while (const dirent* entry = readdir(all)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(all);
  return true;
}

enum class Taken { kYes, kByOthers, kFailed };

// Empties what an older run of ours left. kByOthers: there is something that is not ours.
Taken empty_folder(int folder, const FolderMark& mark) {
  struct stat info = {};
  std::vector<std::string> names;
  if (fstat(folder, &info) != 0 || !list(folder, names)) return Taken::kFailed;
  if (info.st_uid != geteuid()) {
    errno = EACCES;
    return Taken::kFailed;
  }
  if (names.empty()) return Taken::kYes;
  for (const std::string& name : names) {
    struct stat file = {};
    if (!is_of_ours(name, mark) || fstatat(folder, name.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(file.st_mode)) {
      return Taken::kByOthers;
    }
  }
  if (!begins_with(folder, mark.file, mark.begin)) return Taken::kByOthers;
  // The mark goes last: what is left when this is interrupted is still known as ours.
  for (const std::string& name : names) {
    if (name != mark.file && unlinkat(folder, name.c_str(), 0) != 0) return Taken::kFailed;
  }
  return unlinkat(folder, mark.file.c_str(), 0) == 0 ? Taken::kYes : Taken::kFailed;
}

// Opens the folder for us alone, made if need be. The lock keeps two processes apart.
Taken take(const std::string& path, const FolderMark& mark, int* fd_out) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return Taken::kFailed;
  const int fd = nvtxw::above_standard_streams(open_folder(path));
  if (fd < 0) return Taken::kFailed;
  // A file system that has no locks (ENOLCK, EOPNOTSUPP) is written without.
  Taken taken = Taken::kByOthers;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) taken = empty_folder(fd, mark);
  if (taken == Taken::kYes) {
    *fd_out = fd;
    return taken;
  }
  const int error = errno;
  close(fd);
  errno = error;
  return taken;
}

}  // namespace

OutputFolder::OutputFolder(std::string path, int fd)
    : path_(std::move(path)), folder_(fd), owner_(getpid()) {}

OutputFolder::~OutputFolder() {
  // The lock belongs to the open folder, which a forked child may still hold.
  if (owner_ == getpid() && folder_.is_open()) flock(folder_.fd(), LOCK_UN);
  static_cast<void>(folder_.close());
}

Result<std::unique_ptr<OutputFolder>> OutputFolder::create(const std::string& given,
                                                           const FolderMark& mark) {
  std::string path = given;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  if (path.empty()) {
    return Status(ResultCode::kInvalidArgument,
                  "cannot create the output folder: its path is empty; give the key output");
  }
  for (int number = 1; number <= kNameAttemptsMax; ++number) {
    const std::string name = number == 1 ? path : numbered(path, number);
    if (!WrittenPaths::instance().insert(name)) continue;
    int fd = -1;
    const Taken taken = take(name, mark, &fd);
    const int error = errno;
    if (taken == Taken::kYes) {
      return std::unique_ptr<OutputFolder>(new OutputFolder(name, fd));
    }
    WrittenPaths::instance().erase(name);
    if (taken == Taken::kFailed) {
      return failure("cannot create the folder \"" + name + "\"", error);
    }
  }
  return failure("cannot find a free name beside \"" + path + "\"", EEXIST);
}

Status OutputFolder::keep(Status failure) {
  failure_ = failure;
  return failure;
}

bool OutputFolder::is_ours() {
  if (owner_ == getpid() && folder_.is_open()) return true;
  if (owner_ == getpid()) {
    failure_ = failure("cannot write to \"" + path_ + "\": the program closed it", EBADF);
  } else if (failure_.ok()) {
    failure_ = Status(ResultCode::kFailed,
                      "cannot write to \"" + path_ + "\": it belongs to process " +
                          std::to_string(owner_) +
                          ", which forked this one; begin a session of its own in the child");
  }
  return false;
}

// Returns 0 or an errno.
int OutputFolder::write_all(int fd, const char* data, size_t size) {
  while (size > 0) {
    int error = 0;
    const ssize_t written = write_without_signal(fd, data, size, &error);
    if (written < 0 && error == EINTR) continue;
    if (written <= 0) return written < 0 ? error : EIO;
    data += written;
    size -= static_cast<size_t>(written);
  }
  return 0;
}

Status OutputFolder::append(const std::string& name, uint64_t size_before, const void* data,
                            size_t size) {
  if (!failure_.ok() || !is_ours()) return failure_;
  const int fd = nvtxw::above_standard_streams(openat(
      folder_.fd(), name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (fd < 0) return keep(failure("cannot open \"" + path_of(name) + "\"", errno));
  int error = write_all(fd, static_cast<const char*>(data), size);
  if (error != 0) {
    const bool is_back = ftruncate(fd, static_cast<off_t>(size_before)) == 0;
    static_cast<void>(is_back);  // the failure is told already
  }
  if (close(fd) != 0 && error == 0 && errno != EINTR) error = errno;
  if (error == 0) {
    bytes_appended_ += size;
    return {};
  }
  return keep(failure(
      "cannot write to \"" + path_of(name) + "\" after " + std::to_string(size_before) + " bytes",
      error));
}

Status OutputFolder::replace(const std::string& name, const void* data, size_t size) {
  if (!failure_.ok() || !is_ours()) return failure_;
  const std::string hidden = "." + name;
  const int folder = folder_.fd();
  unlinkat(folder, hidden.c_str(), 0);
  const int fd = nvtxw::above_standard_streams(
      openat(folder, hidden.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (fd < 0) return keep(failure("cannot create \"" + path_of(hidden) + "\"", errno));
  int error = write_all(fd, static_cast<const char*>(data), size);
  if (close(fd) != 0 && error == 0 && errno != EINTR) error = errno;
  if (error == 0 && renameat(folder, hidden.c_str(), folder, name.c_str()) != 0) error = errno;
  if (error == 0) return {};
  unlinkat(folder, hidden.c_str(), 0);
  return keep(failure("cannot write \"" + path_of(name) + "\"", error));
}

}  // namespace ringscribe::output
