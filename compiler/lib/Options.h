//===- Options.h - The options of a call, from JSON -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON goes in; a struct comes out, with defaults for the fields that are
// absent. Options are text so that a new one changes no signature of the C
// interface. An unknown field is an error: a misspelt option would otherwise do
// nothing, and nobody would notice.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_COMPILER_LIB_OPTIONS_H
#define HEDDLE_COMPILER_LIB_OPTIONS_H

#include "heddle/Emulator/Emulator.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/TileChoice/OtherTiles.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace heddle::compiler {

struct CompileOptions {
  std::string path = "<source>";
  std::vector<std::string> settings;
  tilechoice::OtherTiles orTile;
  std::string schedule = "auto";
  std::string machine;
  bool debugWaits = false;
  pipeline::Assume assume = pipeline::Assume::Checked;
};
/// `json` may be null. An unknown field or a wrong type is an error.
llvm::Expected<CompileOptions> readCompileOptions(const char *json);

struct EmulateOptions {
  emulator::Options emulator;
  int multiprocessors = 132;
};
llvm::Expected<EmulateOptions> readEmulateOptions(const char *json);

} // namespace heddle::compiler

#endif // HEDDLE_COMPILER_LIB_OPTIONS_H
