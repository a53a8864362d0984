//===- ProgramImpl.h - What a Program holds ----------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decoded module behind `Program`. It is apart from Emulator.h, so that
// users of the emulator see no types of instructions. It keeps the text, of
// which messages quote the line.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_PROGRAMIMPL_H
#define HEDDLE_LIB_EMULATOR_PROGRAMIMPL_H

#include "Instruction.h"

namespace heddle::emulator {

class ProgramImpl {
public:
  const Entry *find(const std::string &name) const;
  /// The text of a PTX line, trimmed and cut, for messages.
  std::string lineText(int line) const;

  std::string text;
  std::vector<Entry> entries;
  std::map<int, std::string> files;
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_PROGRAMIMPL_H
