//===- FlowToAref.h - Streams become rings ----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a graph of streams. Out: for each of its regions a kernel of the aref
// rung, in which a primitive is a process on a unit, a stream a ring whose
// payload is a number and a code, and a tensor an array for each part of its
// storage. What is written comes out as a list of elements.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_FLOWTOAREF_H
#define HEDDLE_CONVERSION_FLOWTOAREF_H

#include "heddle/Dialect/Flow/Flow.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace heddle {

/// An argument of a kernel made of streams.
struct FlowArgument {
  enum Kind {
    Positions,   ///< of `level` of `tensor`, i64
    Coordinates, ///< of `level` of `tensor`, i64
    Values,      ///< of `tensor`
    Extent,      ///< of axis `level` of `tensor`, an index
    /// Coordinates of what `tensor` gets, i64; `level` is the number of the
    /// stream among all that flow.write reads.
    Written,
    WrittenValues, ///< of part `level`
    Count,         ///< one i64: how many elements part `level` has
    Sums,          ///< a workspace: a value for each coordinate
    Bits, ///< and 64 of them a word: which are there; zero, and left so
  };
  Kind kind;
  mlir::Value tensor; ///< of the graph; of a workspace, its flow.reduce's value
  int64_t level = 0;
  /// Of a workspace: the extents of its keys, each a tensor and an axis.
  std::vector<std::pair<mlir::Value, int64_t>> keys;
};

struct FlowKernel {
  std::string name;
  std::vector<FlowArgument> arguments;
  std::vector<flow::WriteOp> writes; ///< what it makes, in order
};

struct FlowKernelOptions {
  int64_t depth = 65536; ///< slots of each ring
  /// Cycles of a token, by the primitive's name; 1 for those that are not here.
  llvm::StringMap<int64_t> tokenCycles;
};

/// The primitives of each kernel of `graph`, in the order in which they run:
/// the primitives that streams connect, and a root.
mlir::FailureOr<std::vector<std::vector<mlir::Operation *>>>
groupByKernel(flow::GraphOp graph);

/// The kernels of `graph`, in the order in which they run, put into `module`
/// after it.
mlir::FailureOr<std::vector<FlowKernel>>
lowerFlowToAref(flow::GraphOp graph, mlir::ModuleOp module,
                const FlowKernelOptions &options);

} // namespace heddle

#endif // HEDDLE_CONVERSION_FLOWTOAREF_H
