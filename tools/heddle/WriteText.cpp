//===- WriteText.cpp - Writes a file --------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteText.h"

#include "Command.h"

#include "heddle/Support/Diagnostics/Program.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

int heddle::tool::writeText(StringRef path, StringRef text) {
  if (path == "-") {
    outs() << text;
    return kFine;
  }
  std::error_code error;
  raw_fd_ostream stream(path, error, sys::fs::OF_None);
  if (!error)
    stream << text;
  if (!error) {
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return fail(diag::file_unwritable,
                path + ": cannot be written: " + error.message());
  return kFine;
}
