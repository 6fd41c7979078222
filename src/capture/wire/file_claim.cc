#include "capture/wire/file_claim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/wire/format.h"

namespace xsp::wire {
namespace {

bool IsRecording(const FileHeader& header) {
  return memcmp(header.magic, kMagic, sizeof kMagic) == 0;
}

// Whether an earlier program of this very process wrote it, and exec ended it.
bool IsFromBeforeExec(const FileHeader& header) {
  return IsRecording(header) && header.state != static_cast<std::uint64_t>(FileState::kClosed) &&
         header.process_id == static_cast<std::uint32_t>(getpid()) &&
         header.process_start == ProcessStart();
}

// Makes room at `path`. 0: it is free now; EBUSY: what lies there is to be kept; else an errno.
int RemoveStale(const char* path, bool keep_existing) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return errno == ENOENT ? 0 : errno;
  int result = 0;
  struct stat mine = {}, there = {};
  FileHeader header = {};
  if (fstat(fd, &mine) != 0) {
    result = errno;
  } else if (!S_ISREG(mine.st_mode)) {
    result = S_ISDIR(mine.st_mode) ? EISDIR : EEXIST;
  } else if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    result = EBUSY;
  } else if (stat(path, &there) == 0 && there.st_ino == mine.st_ino &&
             there.st_dev == mine.st_dev) {
    // Under the lock and still in place: nobody else removes it meanwhile.
    if (pread(fd, &header, sizeof header, 0) == static_cast<ssize_t>(sizeof header) &&
        (IsFromBeforeExec(header) || (keep_existing && IsRecording(header)))) {
      result = EBUSY;
    } else if (unlink(path) != 0) {
      result = errno;
    }
  }
  close(fd);
  return result;
}

}  // namespace

int ClaimFile(const FileRequest& request, char* taken) {
  constexpr int kMaxNumber = 1000;
  for (int number = request.beside ? 1 : 0; number < kMaxNumber;) {
    int length;
    if (number == 0) {
      length = snprintf(taken, kMaxPath, "%s", request.path);
    } else if (number == 1) {
      length = snprintf(taken, kMaxPath, "%s.%d", request.path, static_cast<int>(getpid()));
    } else {
      length =
          snprintf(taken, kMaxPath, "%s.%d.%d", request.path, static_cast<int>(getpid()), number);
    }
    if (length < 0 || static_cast<std::size_t>(length) >= kMaxPath) return -ENAMETOOLONG;
    const int fd = open(taken, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd >= 0) {
      // A file system without locks loses only the protection against a second writer.
      if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return fd;
      close(fd);
      continue;
    }
    if (errno != EEXIST) return -errno;
    const int stale = RemoveStale(taken, request.keep_existing);
    if (stale == EBUSY) {
      ++number;
    } else if (stale != 0) {
      return -stale;
    }
  }
  return -EEXIST;
}

std::uint64_t ProcessStart() {
  const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[1024];
  const ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return 0;
  text[length] = '\0';
  // Field 2 is the name in brackets and may itself hold blanks and brackets.
  const char* at = strrchr(text, ')');
  for (int field = 2; at != nullptr && field < 22; ++field) at = strchr(at + 1, ' ');
  return at == nullptr ? 0 : strtoull(at, nullptr, 10);
}

FileSizeSignalGuard::FileSizeSignalGuard() {
  sigset_t pending, only;
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
  sigemptyset(&only);
  sigaddset(&only, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &only, &before_);
}

FileSizeSignalGuard::~FileSizeSignalGuard() {
  if (!was_pending_) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGXFSZ);
    const timespec now = {0, 0};
    while (sigtimedwait(&only, nullptr, &now) == -1 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace xsp::wire
