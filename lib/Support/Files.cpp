//===- Files.cpp - Reading and writing files of the command line ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contents are copied and not mapped: a mapped file that another process cuts
// off is a signal.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Files.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace heddle;
using llvm::StringRef;

/// The descriptor of this process that a path names.
static std::optional<int> descriptorOf(StringRef path) {
  if (path == "-" || path == "/dev/stdin")
    return 0;
  int number = -1;
  if (!path.consume_front("/dev/fd/") && !path.consume_front("/proc/self/fd/"))
    return std::nullopt;
  if (path.getAsInteger(10, number) || number < 0)
    return std::nullopt;
  return number;
}

static std::string describeKind(mode_t mode) {
  if (S_ISDIR(mode))
    return "it is a folder";
  if (S_ISFIFO(mode))
    return "it is a FIFO";
  if (S_ISSOCK(mode))
    return "it is a socket";
  return "it is a device";
}

static std::string tooLong(uint64_t longest) {
  return "it has more than " + std::to_string(longest) + " bytes";
}

namespace {
struct OpenFile {
  int descriptor = -1;
  uint64_t size = 0; ///< as far as known
};
} // namespace

/// Opens without waiting for whoever is at the other end of a FIFO.
static bool openFile(StringRef path, uint64_t longest, OpenFile &file,
                     std::string &reason) {
  struct stat status;
  std::optional<int> own = descriptorOf(path);
  bool isStream =
      own && ::fstat(*own, &status) == 0 &&
      (path == "-" || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)));
  file.descriptor = isStream
                        ? ::fcntl(*own, F_DUPFD_CLOEXEC, 0)
                        : ::open(path.str().c_str(),
                                 O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0) {
    reason = std::strerror(errno);
    return false;
  }
  if (S_ISDIR(status.st_mode) || (!isStream && !S_ISREG(status.st_mode))) {
    reason = describeKind(status.st_mode);
    return false;
  }
  file.size = S_ISREG(status.st_mode) ? uint64_t(status.st_size) : 0;
  if (file.size > longest)
    reason = tooLong(longest);
  return reason.empty();
}

/// Reads until `to` is full or the file ends.
static bool fill(int descriptor, llvm::MutableArrayRef<char> to, size_t &length,
                 std::string &reason) {
  for (length = 0; length < to.size();) {
    ssize_t count = ::read(descriptor, to.data() + length, to.size() - length);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0) {
      reason = std::strerror(errno);
      return false;
    }
    if (count == 0)
      break;
    length += size_t(count);
  }
  return true;
}

std::unique_ptr<llvm::MemoryBuffer>
heddle::readFile(StringRef path, std::string &reason, uint64_t longest) {
  reason.clear();
  OpenFile file;
  auto close = llvm::make_scope_exit([&] {
    if (file.descriptor >= 0)
      ::close(file.descriptor);
  });
  if (!openFile(path, longest, file, reason))
    return nullptr;
  StringRef name = path == "-" ? "<stdin>" : path;
  if (file.size) {
    auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
        size_t(file.size), name);
    size_t length = 0;
    if (!buffer ||
        !fill(file.descriptor, buffer->getBuffer(), length, reason)) {
      if (!buffer)
        reason = "there is no memory for its " + std::to_string(file.size) +
                 " bytes";
      return nullptr;
    }
    if (length == file.size)
      return buffer;
    // Somebody cut it off meanwhile.
    return llvm::MemoryBuffer::getMemBufferCopy(
        StringRef(buffer->getBufferStart(), length), name);
  }
  // The size is not known before the end: a pipe, or a file of /proc.
  std::string text;
  size_t length = 0;
  while (length == text.size() && length <= longest) {
    text.resize(std::min<uint64_t>(2 * length + 65536, longest + 1));
    size_t more = 0;
    if (!fill(
            file.descriptor,
            llvm::MutableArrayRef(text.data(), text.size()).drop_front(length),
            more, reason))
      return nullptr;
    length += more;
  }
  if (length > longest) {
    reason = tooLong(longest);
    return nullptr;
  }
  return llvm::MemoryBuffer::getMemBufferCopy(StringRef(text.data(), length),
                                              name);
}

std::string heddle::whyUnreadable(StringRef path, uint64_t longest) {
  std::string reason;
  OpenFile file;
  openFile(path, longest, file, reason);
  if (file.descriptor >= 0)
    ::close(file.descriptor);
  return reason;
}

/// Flushes and says what went wrong on the way.
static std::string finish(llvm::raw_fd_ostream &stream) {
  stream.flush();
  std::string reason = stream.has_error() ? stream.error().message() : "";
  stream.clear_error();
  return reason;
}

/// For what is there and no regular file. Nobody waits for a FIFO's reader.
static std::string
writeInPlace(StringRef path,
             llvm::function_ref<void(llvm::raw_ostream &)> write) {
  int descriptor =
      ::open(path.str().c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0)
    return errno == ENXIO ? "it is a FIFO that nobody reads"
                          : std::strerror(errno);
  (void)::fcntl(descriptor, F_SETFL,
                ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  write(stream);
  return finish(stream);
}

std::string
heddle::writeFile(StringRef path,
                  llvm::function_ref<void(llvm::raw_ostream &)> write) {
  struct stat status;
  bool isThere = ::stat(path.str().c_str(), &status) == 0;
  if (isThere && !S_ISREG(status.st_mode))
    return writeInPlace(path, write);
  // What a link points to is replaced, and not the link.
  llvm::SmallString<128> target;
  if (!isThere || llvm::sys::fs::real_path(path, target))
    target = path;
  if (isThere && ::access(target.c_str(), W_OK) != 0)
    return std::strerror(errno);
  auto file = llvm::sys::fs::TempFile::create(target + ".%%%%%%");
  if (!file)
    return llvm::toString(file.takeError());
  std::string reason;
  {
    llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
    write(stream);
    reason = finish(stream);
  }
  if (reason.empty() && isThere)
    (void)::fchmod(file->FD, status.st_mode & 07777);
  if (!reason.empty()) {
    llvm::consumeError(file->discard());
    return reason;
  }
  if (llvm::Error error = file->keep(target))
    return llvm::toString(std::move(error));
  return "";
}

std::string heddle::writeFile(StringRef path, StringRef contents) {
  return writeFile(path,
                   [&](llvm::raw_ostream &stream) { stream << contents; });
}
