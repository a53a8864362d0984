//===- WriteText.cpp - Writes a file --------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteText.h"

#include "Command.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Files.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

int heddle::tool::writeText(StringRef path, StringRef text) {
  if (path == "-") {
    outs() << text;
    return kFine;
  }
  if (std::string reason = writeFile(path, text); !reason.empty())
    return fail(diag::file_unwritable, path + ": cannot be written: " + reason);
  return kFine;
}
