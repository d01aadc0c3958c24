// SPDX-License-Identifier: Apache-2.0
//
// The system calls that SQLite makes through us (database.cc installs them in our private copy):
//
//   open_file      files that are written are regular and this user's, and never behind a symbolic
//                  link; the -wal, -shm and -journal beside a database, too
//   lock_file      locks belong to the open file, not to the process: an application that opens and
//                  closes our database with an SQLite of its own would take away a process's locks
//   write_at, ...  a file size limit is EFBIG, never the signal SIGXFSZ
//
//   int fd = open_file("/tmp/x.sqlite-wal", O_RDWR | O_CREAT, 0600);  // -1 with EACCES: not ours
//
// Threads: any. Errors: as the system call, in errno.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_SYSTEM_CALLS_H_
#define RINGSCRIBE_BACKENDS_SQLITE_SYSTEM_CALLS_H_

#include <sys/types.h>

#include <cstddef>

namespace ringscribe::sqlite {

// As open(2). A file for reading alone is opened as it is.
int open_file(const char* path, int flags, int mode);
// As fcntl(2); F_SETLK and F_GETLK are made those of the open file.
int lock_file(int fd, int command, ...);
// As pwrite(2), write(2) and ftruncate(2).
ssize_t write_at(int fd, const void* data, size_t size, off_t offset);
ssize_t write_here(int fd, const void* data, size_t size);
int set_size(int fd, off_t size);

// The errno of this thread's latest call above that failed, or 0; the next one gives 0. SQLite
// keeps it in few cases.
int take_last_error() noexcept;

// Removes the PATH-wal, PATH-shm and PATH-journal that an older run left beside a database which is
// made anew: SQLite would take them for its own. False with errno if one cannot be removed.
bool remove_leftovers(const char* path);

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_SYSTEM_CALLS_H_
