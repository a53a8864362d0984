//===- SavedProgram.h - Compiled programs as bytes --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a program and the object file of its kernels, for a later
// process on the same kind of processor. The caller keeps the bytes, and
// must give them back whole: they hold code.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CPU_SAVEDPROGRAM_H
#define HEDDLE_CPU_SAVEDPROGRAM_H

#include "heddle/Cpu/HostProgram.h"

#include "llvm/ADT/StringRef.h"

namespace heddle::cpu {

struct SavedProgram {
  HostProgram program;
  std::string processor; ///< whose instructions the object has
  double cycles = 0;     ///< modelled ones of a run
  std::string object;
};

std::string write(const SavedProgram &saved);

/// False, with a sentence, if the bytes are not what `write` gave.
bool read(llvm::StringRef bytes, SavedProgram &saved, std::string &error);

} // namespace heddle::cpu

#endif // HEDDLE_CPU_SAVEDPROGRAM_H
