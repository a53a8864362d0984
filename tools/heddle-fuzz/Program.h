//===- Program.h - A generated program, with its arguments ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is its text: the arguments stand in it as comments, one a line, so
// that a file is all that is needed to repeat a failure.
//
//   //! view a f16 order 1,0 shape 200x64 pitch 72 fill -2..2 quantum 0 seed 7
//   //! view o f32 order 1,0 shape 200x64 pitch 64 written tolerance 0
//   //! pointer p i32 shape 64 fill 0..9 quantum 0 seed 3 written tolerance 0
//   //! scalar n i32 value 5
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_PROGRAM_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_PROGRAM_H

#include "heddle/Manifest/Manifest.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace heddle::fuzz {

/// One argument and what it holds before the launch: multiples of 2^quantum
/// between `low` and `high` times it, drawn from `seed`, or, where nothing
/// fills it, poison.
struct ArgumentPlan {
  manifest::Argument declared;
  std::vector<int64_t> shape;
  /// Elements from one line of the fastest axis to the next, at least its
  /// extent; what is more is padding that nobody may touch.
  int64_t pitch = 0;
  bool filled = false;
  int64_t low = 0, high = 0;
  int quantum = 0;
  uint64_t seed = 0;
  double tolerance = 0; ///< of what the kernel writes, absolute
  double scalar = 0;
};

struct Program {
  std::string text;
  std::vector<ArgumentPlan> arguments;
};

/// The comment line that `parsePlans` reads back.
std::string print(const ArgumentPlan &plan);
/// The plans in the comments of `text`, in order.
llvm::Expected<std::vector<ArgumentPlan>> parsePlans(llvm::StringRef text);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_PROGRAM_H
