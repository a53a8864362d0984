//===- FilesTest.cpp - Reading and writing files -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing of files that are none, or not yet: pipes, devices,
// links, a full disk, a file without an end. A command that waits for ever, or
// that leaves half a file in place of the old one, is the fault looked for.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

#include <csignal>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace heddle;

namespace {
class Files : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("files", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) const {
    return (folder + "/" + name).str();
  }
  std::string contents(llvm::StringRef name) const {
    std::string reason;
    auto buffer = readFile(path(name), reason);
    return buffer ? buffer->getBuffer().str() : "NOT READ: " + reason;
  }
  /// Names in the folder.
  int count() const {
    std::error_code error;
    int found = 0;
    for (llvm::sys::fs::directory_iterator at(folder, error), end; at != end;
         at.increment(error))
      ++found;
    return found;
  }

  llvm::SmallString<64> folder;
};
} // namespace

TEST_F(Files, WhatIsWrittenIsRead) {
  std::string text(100000, 'x');
  EXPECT_EQ(writeFile(path("a"), text), "");
  EXPECT_EQ(contents("a"), text);
  EXPECT_EQ(writeFile(path("a"), "short"), "");
  EXPECT_EQ(contents("a"), "short");
  EXPECT_EQ(count(), 1);
}

TEST_F(Files, WhatIsNoFileIsRefusedAtOnce) {
  std::string fifo = path("fifo"), reason;
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_FALSE(readFile(fifo, reason));
  EXPECT_EQ(reason, "it is a FIFO");
  EXPECT_FALSE(readFile("/dev/zero", reason));
  EXPECT_EQ(reason, "it is a device");
  EXPECT_FALSE(readFile(folder, reason));
  EXPECT_EQ(reason, "it is a folder");
  EXPECT_FALSE(readFile(path("none"), reason));
  EXPECT_EQ(reason, "No such file or directory");
  EXPECT_EQ(whyUnreadable(fifo), "it is a FIFO");
  EXPECT_EQ(writeFile(fifo, "x"), "it is a FIFO that nobody reads");
}

TEST_F(Files, AFileHasABound) {
  std::string reason;
  ASSERT_EQ(writeFile(path("a"), "12345"), "");
  EXPECT_TRUE(readFile(path("a"), reason, 5));
  EXPECT_FALSE(readFile(path("a"), reason, 4));
  EXPECT_EQ(reason, "it has more than 4 bytes");
  // A file whose size is not known before.
  EXPECT_TRUE(readFile("/proc/self/maps", reason));
  EXPECT_FALSE(readFile("/proc/self/maps", reason, 10));
}

TEST_F(Files, APipeThatIsOpenIsRead) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "hello", 5), 5);
  close(ends[1]);
  std::string reason;
  auto buffer = readFile("/dev/fd/" + std::to_string(ends[0]), reason);
  ASSERT_TRUE(buffer) << reason;
  EXPECT_EQ(buffer->getBuffer(), "hello");
  close(ends[0]);
}

TEST_F(Files, AFullDiskLeavesTheOldFile) {
  ASSERT_EQ(writeFile(path("a"), "old"), "");
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = {1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  std::string error = writeFile(path("a"), std::string(100000, 'x'));
  std::string fresh = writeFile(path("b"), std::string(100000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, "File too large");
  EXPECT_EQ(fresh, "File too large");
  EXPECT_EQ(contents("a"), "old");
  EXPECT_EQ(count(), 1); // nothing half-written, nothing beside it
}

TEST_F(Files, ADeviceIsWrittenInPlace) {
  EXPECT_EQ(writeFile("/dev/null", "x"), "");
  EXPECT_EQ(writeFile("/dev/full", "x"), "No space left on device");
}

TEST_F(Files, WhatALinkNamesIsReplacedAndKeepsItsMode) {
  ASSERT_EQ(writeFile(path("a"), "old"), "");
  ASSERT_EQ(chmod(path("a").c_str(), 0640), 0);
  ASSERT_EQ(symlink(path("a").c_str(), path("link").c_str()), 0);
  EXPECT_EQ(writeFile(path("link"), "new"), "");
  EXPECT_EQ(contents("a"), "new");
  struct stat status;
  ASSERT_EQ(lstat(path("link").c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
  ASSERT_EQ(stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}
