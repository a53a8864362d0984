//===- StandardStreams.cpp - The streams of a tool's process --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Standard output is looked at when the process ends, because options such as
// --help end it themselves. LLVM would call report_fatal_error there, for
// standard error too, and end with 1.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/StandardStreams.h"

#include "heddle/Support/Diagnostics/Program.h"

#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

using namespace heddle;
using namespace llvm;

static const char *toolName = "";

/// The lower numbers are taken, so that a file which is opened gets this one.
static void holdDescriptor(int number, int flags) {
  if (::fcntl(number, F_GETFD) < 0)
    (void)::open("/dev/null", flags);
}

static void finishStreams() {
  outs().flush();
  bool isLost = outs().has_error();
  if (isLost) {
    std::string reason = outs().error().message();
    outs().clear_error();
    errs() << toolName << ": error: "
           << diag::withId(diag::file_unwritable,
                           "standard output cannot be written: " + reason)
           << "\n";
  }
  errs().clear_error();
  if (isLost)
    ::_exit(diag::exitCode(diag::file_unwritable.outcome));
}

void heddle::takeStandardStreams(const char *tool) {
  // Reading from the one and writing to the other fail as they do when closed.
  holdDescriptor(STDIN_FILENO, O_WRONLY);
  holdDescriptor(STDOUT_FILENO, O_RDONLY);
  holdDescriptor(STDERR_FILENO, O_RDWR);
  toolName = tool;
  // What is made before is destroyed after `finishStreams`.
  (void)outs();
  (void)errs();
  (void)std::atexit(finishStreams);
}

void heddle::outliveFileLimit() { std::signal(SIGXFSZ, SIG_IGN); }
