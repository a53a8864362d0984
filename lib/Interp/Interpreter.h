//===- Interpreter.h - The state of one run of the oracle -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One run of a kernel: the data of its values, its memory, its parameters, and
// a table of handlers by operation. Each group of operations adds its own
// handlers, so an operation or type that nothing handles is reported before the
// run starts.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_INTERP_INTERPRETER_H
#define HEDDLE_LIB_INTERP_INTERPRETER_H

#include "Datum.h"
#include "Memory.h"

#include "heddle/Interp/Interp.h"

#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace heddle::interp {

class Interpreter;

/// Op -> what runs it. Each op group adds its own.
class Handlers {
public:
  using Handler =
      std::function<mlir::LogicalResult(Interpreter &, mlir::Operation *)>;

  template <typename Op, typename Run> void add(Run run) {
    table[mlir::TypeID::get<Op>()] = [run](Interpreter &interpreter,
                                           mlir::Operation *op) {
      return run(interpreter, mlir::cast<Op>(op));
    };
  }
  /// Null for an op that the oracle does not know.
  const Handler *find(mlir::Operation *op) const;

private:
  llvm::DenseMap<mlir::TypeID, Handler> table;
};

void addFloatOps(Handlers &handlers);
void addIntegerOps(Handlers &handlers);
void addCastOps(Handlers &handlers);
void addMathOps(Handlers &handlers);
void addControlFlowOps(Handlers &handlers);
void addStructureOps(Handlers &handlers);
void addViewOps(Handlers &handlers);
void addMappedViewOps(Handlers &handlers);
void addShapeOps(Handlers &handlers);
void addDotOps(Handlers &handlers);
void addPointerOps(Handlers &handlers);
void addAtomicOps(Handlers &handlers);
void addCombineOps(Handlers &handlers);
void addDebugOps(Handlers &handlers);

class Interpreter {
public:
  Interpreter(tile::KernelOp kernel, const Options &options);

  mlir::LogicalResult run(llvm::ArrayRef<Argument> arguments);

  /// The value of an operand.
  const Datum &get(mlir::Value value) const { return *environment.at(value); }
  DatumRef getRef(mlir::Value value) const { return environment.at(value); }
  /// Null for what is not known: an operation may run alone.
  DatumRef find(mlir::Value value) const { return environment.lookup(value); }
  int64_t getInteger(mlir::Value value) const { return get(value).integers[0]; }
  Shape getIntegers(mlir::ValueRange values) const;

  /// A zero of the value's type, to be filled and set.
  Datum make(mlir::Value value);
  /// While lanes are set, a scalar SSA value stands for this many scalars at
  /// once: how element-wise regions run on whole tiles. 0 ends it.
  void setLanes(int64_t count) { lanes = count; }
  void set(mlir::Value value, Datum datum) {
    environment[value] = std::make_shared<const Datum>(std::move(datum));
  }
  void set(mlir::Value value, DatumRef datum) {
    environment[value] = std::move(datum);
  }
  void setInteger(mlir::Value value, int64_t number);

  /// The extents of a tile type, named ones by their parameters.
  Shape getShape(mlir::Type type) const;
  int64_t getParameter(llvm::StringRef name) const {
    return parameters.lookup(name);
  }

  /// Binds the values of the kernel's arguments.
  mlir::LogicalResult bindArguments(llvm::ArrayRef<Argument> arguments);
  /// An error at `op` if nothing runs it, or if no value has the type.
  mlir::LogicalResult checkOp(mlir::Operation *op) const;
  mlir::LogicalResult checkType(mlir::Operation *op, mlir::Type type) const;

  /// Counts against the limit.
  mlir::LogicalResult takeStep(mlir::Operation *op);
  mlir::LogicalResult runOp(mlir::Operation *op);
  /// Runs the ops of a block but its terminator.
  mlir::LogicalResult runBlock(mlir::Block &block);
  /// What the terminator of a block that has run hands on.
  llvm::SmallVector<DatumRef> getOperands(mlir::Operation *op) const;

  /// Unbinds every value and counts steps anew; the memory stays.
  void forget() {
    environment.clear();
    steps = 0;
  }

  /// The address of zeroed memory that is private to an instance.
  int64_t addScratch(int64_t sizeBytes);
  /// Whether every byte of it is zero, as an instance must leave it.
  bool isScratchZero() const;

  tile::KernelOp getKernel() const { return kernel; }
  Memory &getMemory() { return memory; }
  llvm::raw_ostream *getOutput() const { return options.output; }
  int64_t getWorker() const { return options.worker; }
  int64_t getWorkers() const { return options.workers; }

private:
  mlir::LogicalResult checkProgram();

  tile::KernelOp kernel;
  const Options &options;
  Handlers handlers;
  Memory memory;
  llvm::StringMap<int64_t> parameters;
  llvm::DenseMap<mlir::Value, DatumRef> environment;
  int64_t steps = 0;
  int64_t lanes = 0;
  std::vector<std::vector<char>> scratch;
};

} // namespace heddle::interp

#endif // HEDDLE_LIB_INTERP_INTERPRETER_H
