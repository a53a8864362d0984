//===- Extractor.h - From operations to statements --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: one process of the hopper rung. Out: statements of a protocol, or a gap.
// An operation that cannot be expressed is a gap, and a gap makes the kernel
// *not proved*, so that an unknown operation is never taken for harmless.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_EXTRACTOR_H
#define HEDDLE_LIB_CHECK_EXTRACTOR_H

#include "heddle/Check/Protocol.h"
#include "heddle/Dialect/Hopper/Hopper.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle::check {

/// FILE:LINE:COLUMN of the program, or the location as MLIR prints it.
std::string placeOf(mlir::Location location);

/// The bits of a scalar, or of a tile of one element, which is uniform in the
/// process; 0 for what is no integer of 1 to 64 bits.
int bitsOf(mlir::Type type);
bool isNumber(mlir::Type type);

/// The kernel's argument that a value is; null for others.
mlir::BlockArgument argumentOf(mlir::Value value);

/// Whether nobody writes what lies behind a pointer argument of the kernel.
bool isInput(mlir::BlockArgument pointer);

/// Notes accesses to global memory whose order no barrier of the protocol
/// shows.
void assumeGlobalOrder(hopper::KernelOp kernel, Protocol &protocol);

/// Extracts one process. Numbers.cpp has values, NumberLoops.cpp
/// what loops over numbers find, Events.cpp hopper's operations, Extract.cpp
/// control flow.
class Extractor {
public:
  Extractor(const Protocol &protocol, Process &process)
      : protocol(protocol), process(process) {}

  void extract(hopper::ProcessOp op);

  /// What could not be expressed; empty if all could.
  std::string gap;

private:
  using Statements = std::vector<Statement>;

  // Extract.cpp
  void visitBlock(mlir::Block &block, Statements &into);
  void visit(mlir::Operation *op, Statements &into);
  void visitFor(mlir::scf::ForOp op, Statements &into);
  void visitIf(mlir::scf::IfOp op, Statements &into);
  void visitWhile(mlir::scf::WhileOp op, Statements &into);
  void forget(mlir::Block &block);
  void place(mlir::ValueRange values);
  void fail(mlir::Operation *op, const std::string &why);

  // Numbers.cpp
  Value number(mlir::Value value);
  Value define(Definition definition);
  /// A value of which nothing but its width is known.
  Value data(mlir::Type type);
  /// A new value for a loop's or branch's argument or result; kNoValue for
  /// those that no event can depend on.
  Value carry(mlir::Value value);
  std::vector<Value> numbers(mlir::ValueRange values);
  Value compute(mlir::Operation *op);
  Value apply(mlir::OpResult result, Arith arith, std::string name,
              mlir::ValueRange operands);
  std::optional<Value> behindPointer(tile::GatherOp gather);
  Value element(mlir::Value from, mlir::ValueRange offsets, mlir::Type type);

  // NumberLoops.cpp
  void nameResults(mlir::Operation *loop, Statements &into);

  // Events.cpp
  bool visitEvent(mlir::Operation *op, Statements &into);
  void holdFlights(mlir::Operation *op, Statements &into);
  Event event(Event::Kind kind, mlir::Operation *op);
  void addRegion(mlir::Operation *op, mlir::Value tile,
                 std::vector<Region> &into);
  int ringNamed(mlir::Operation *op, llvm::StringRef name);

  const Protocol &protocol;
  Process &process;
  llvm::DenseMap<mlir::Value, Value> known;
  int loops = 0; ///< around the operation that is visited
  llvm::DenseMap<mlir::Value, int> loopsAround; ///< of tiles in registers
  Statements prologue; ///< what the kernel computes before its processes
  Statements *current = nullptr;
};

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_EXTRACTOR_H
