//===- Replay.cpp - Runs the inputs of a folder once ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FOLDER/TARGET/* are inputs of each target: small ones of every kind, and
// those that once crashed. Each runs once, with a limit on time, and on memory
// where no sanitizer wants the address space; so every build, also one without
// libFuzzer, says whether each target starts and what was mended stays so.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "heddle/Support/BigStack.h"
#include "heddle/Support/Files.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

using namespace heddle;
using namespace heddle::fuzz;

static constexpr unsigned kSeconds = 60; ///< of one input

static std::vector<std::string> listFiles(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(folder, error), end;
       at != end && !error; at.increment(error))
    files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

static int replay(const std::string &folder) {
  for (const Target &target : targets()) {
    std::vector<std::string> files = listFiles(folder + "/" + target.name);
    if (files.empty()) {
      std::fprintf(stderr, "%s: no inputs in %s\n", target.name,
                   folder.c_str());
      return 1;
    }
    for (const std::string &file : files) {
      std::string reason;
      auto buffer = readFile(file, reason);
      if (!buffer || buffer->getBufferSize() > target.longest) {
        std::fprintf(stderr, "%s: unread, or too long for its target: %s\n",
                     file.c_str(), reason.c_str());
        return 1;
      }
      // Said before it runs: what ends the process is the last one.
      std::printf("%s %s\n", target.name,
                  llvm::sys::path::filename(file).str().c_str());
      std::fflush(stdout);
      ::alarm(kSeconds);
      target.run(buffer->getBuffer().str());
      ::alarm(0);
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  if (argc != 2) {
    std::fprintf(stderr, "usage: heddle-fuzz-replay FOLDER\n");
    return 3;
  }
  prepareProcess();
#if !__has_feature(address_sanitizer)
  rlim_t bytes = rlim_t(4) << 30;
  rlimit memory{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &memory);
#endif
  llvm::SmallString<128> folder(argv[1]);
  llvm::sys::fs::make_absolute(folder); // targets leave the current one
  return replay(folder.str().str());
}
