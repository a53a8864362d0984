//===- CheckerNumbers.h - A program by the checker's arithmetic -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integers that a straight program stores, computed by what heddle check
// concludes from (Check/Integers.h), compared with those of the oracle. Proofs
// rest on that arithmetic, which shares no code with any other of heddle's.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_CHECKERNUMBERS_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_CHECKERNUMBERS_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Run/ArgumentData.h"

#include <string>

namespace heddle::fuzz {

/// Empty, or the first stored number that differs from `expected`. A number
/// that the checker gives no value is not compared, nor is what depends on it;
/// a program with anything but integers in one block is not at all.
std::string compareWithChecker(tile::KernelOp kernel,
                               llvm::ArrayRef<tool::ArgumentData> inputs,
                               llvm::ArrayRef<tool::ArgumentData> expected);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_CHECKERNUMBERS_H
