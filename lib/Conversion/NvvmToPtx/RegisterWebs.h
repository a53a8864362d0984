//===- RegisterWebs.h - Which values may share a register -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function of LLVM IR in which inline assembly ties results to operands.
// Out: the ties, and which of the values that they connect are needed at one
// time. The back end gives tied values one register, as it does a phi and what
// comes into it, and copies where two of them are needed at once.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_REGISTERWEBS_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_REGISTERWEBS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <vector>

namespace heddle {

/// A value of one register: a part of a struct, or a whole value, which is part
/// 0. Loops carry structs, too.
using Part = std::pair<llvm::Value *, unsigned>;

/// What `value` was taken out of; `value` itself if it is no part.
Part partOf(llvm::Value *value);

/// A wish of the back end for one register.
struct Tie {
  Part from, to;
  llvm::CallBase *call; ///< assembly whose result `to` is; null for a phi
};

/// Of all phis and tied assembly of `function`; constants are in no tie.
std::vector<Tie> findTies(llvm::Function &function);

/// Which of some parts are needed at one time.
class Interference {
public:
  Interference(llvm::Function &function, llvm::ArrayRef<Part> parts);

  /// Those that are needed while a part is made, or the other way round.
  const llvm::BitVector &with(size_t part) const { return meets[part]; }

private:
  using Set = llvm::BitVector;

  void findLive();
  Set enter(llvm::BasicBlock &block, Set live, bool notes);
  Set liveAtEnd(llvm::BasicBlock &block);
  void meet(size_t made, const Set &live);
  void need(llvm::Value *value, Set &live) const;
  llvm::ArrayRef<size_t> madeBy(llvm::Value *value) const;

  llvm::Function &function;
  std::vector<Part> parts;
  llvm::DenseMap<Part, size_t> numbers;
  llvm::DenseMap<llvm::Value *, llvm::SmallVector<size_t, 1>> made;
  llvm::DenseMap<llvm::BasicBlock *, Set> liveAtStart; ///< behind the phis
  std::vector<Set> meets;
};

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_REGISTERWEBS_H
