//===- ShareCode.h - One code for processes that do the same ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the code of the processes in the dispatch on the warp's number. Out: one
// code for those that differ in numbers only. Warp groups that share a tile run
// the same program on other rows, slots and barriers. With code of their own
// they fill the instruction cache in turn: where a tile has few iterations,
// warps waited for instructions a tenth to a quarter of the time.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SHARECODE_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SHARECODE_H

#include "Emitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle::tonvvm {

/// A process as the dispatch on the warp's number has it.
struct DispatchedProcess {
  hopper::ProcessOp process;
  mlir::Block *block = nullptr; ///< its instructions and a terminator
  mlir::scf::IfOp branch; ///< whose `then` the block is; null for the last
};

/// Where the last processes of the dispatch differ in nothing but numbers,
/// makes one code of them, with numbers that depend on the warp's. `processes`
/// are in the order of the dispatch, each in the `else` of the one before;
/// `warp` is the warp's number in the block. `isReported`: a remark where two
/// codes stay apart.
void shareCode(Code &code, llvm::ArrayRef<DispatchedProcess> processes,
               mlir::Value warp, bool isReported);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_SHARECODE_H
