//===- Machine.h - All state of one simulation, and its steps -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two moves there are: a process executes its next operation (step), or
// asynchronous work ends (land). Policies.cpp chooses among them and knows
// nothing else. A step whose condition does not hold changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_MACHINE_H
#define HEDDLE_LIB_SIMULATOR_MACHINE_H

#include "Process.h"

#include "heddle/Simulator/Simulator.h"
#include "heddle/Simulator/Timing.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace heddle::simulator {

/// "1 turn", "2 turns".
inline std::string countOf(int64_t number, llvm::StringRef noun) {
  return std::to_string(number) + " " + noun.str() + (number == 1 ? "" : "s");
}

enum class Progress { Ran, Waits, Failed };

class Machine {
public:
  Machine(tile::KernelOp kernel, const Options &options);
  ~Machine();

  /// Checks the program, binds the arguments, and runs what stands in front of
  /// the processes.
  mlir::LogicalResult setUp(llvm::ArrayRef<interp::Argument> arguments);

  llvm::ArrayRef<std::unique_ptr<Process>> getProcesses() const {
    return processes;
  }
  /// Executes the process's next operation if its condition holds.
  Progress step(Process &process);

  /// The asynchronous work that the last step began, or null.
  std::shared_ptr<Task> takeBegun() { return std::move(begun); }

  /// The ring and the turn of the last step of a ring.
  std::pair<Ring *, int64_t> getTouched() const { return touched; }

  /// What the last operation on memory read or wrote, if the run asks for it.
  llvm::ArrayRef<interp::Access> getAccesses() const { return accesses; }

  /// The time at which the process may read a value that it has.
  int64_t readyAt(const Process &process, mlir::Value value) const {
    return lookup(process, value).readyAt;
  }
  void setReadyAt(Process &process, mlir::Value value, int64_t time) {
    process.cells[value].readyAt = time;
  }

  /// By the ring's value, in the order of the program.
  llvm::MapVector<mlir::Value, std::unique_ptr<Ring>> &getRings() {
    return rings;
  }
  /// What a value outside of the processes is.
  const Cell &getShared(mlir::Value value) const {
    return shared.find(value)->second;
  }

  /// What could land now: every copy, and the oldest flight of each queue.
  Tasks getLandable() const;
  /// Lands `task` and the flights before it on its unit.
  mlir::LogicalResult land(const std::shared_ptr<Task> &task);

  /// Nothing can step, and nothing is left to land: a deadlock, unless all have
  /// ended.
  mlir::LogicalResult finish();

private:
  /// Diagnoses that nothing can move: says who waits for whom.
  mlir::LogicalResult reportDeadlock();
  /// Diagnoses what a program that has ended left undone.
  mlir::LogicalResult checkEnd();
  // Setup.cpp
  mlir::LogicalResult checkOp(mlir::Operation *op);
  mlir::LogicalResult collectRing(aref::RingOp op);
  mlir::LogicalResult runShared(mlir::Operation *op);

  // Values.cpp
  const Cell &lookup(const Process &process, mlir::Value value) const;
  Progress read(Process &process, mlir::Operation *op, mlir::Value value,
                interp::DatumRef &datum);
  Progress readInteger(Process &process, mlir::Operation *op, mlir::Value value,
                       int64_t &number);
  /// The operands of `op` and what its regions use from outside.
  Progress readInputs(Process &process, mlir::Operation *op,
                      interp::Inputs &inputs);
  Progress stepPlain(Process &process, mlir::Operation *op);
  /// The results of an operation on tiles that have no values.
  interp::DatumRef outlineOfTile();
  mlir::LogicalResult outline(mlir::Operation *op, interp::Outputs &results);
  mlir::LogicalResult evaluate(mlir::Operation *op,
                               const interp::Inputs &inputs,
                               interp::Outputs &results);
  bool stillWaits(const Process &process) const;
  Progress waitFor(Process &process, mlir::Operation *op,
                   const std::shared_ptr<Task> &task);
  Progress waitFor(Process &process, Wait::Kind kind, mlir::Operation *op,
                   Ring &ring, int64_t turn, Tasks tasks);

  // Control.cpp
  Progress stepControl(Process &process, mlir::Operation *op);
  Progress enterFor(Process &process, mlir::scf::ForOp op);
  Progress enterIf(Process &process, mlir::scf::IfOp op);
  Progress enterWhile(Process &process, mlir::scf::WhileOp op);
  Progress decideWhile(Process &process, mlir::scf::ConditionOp op);
  Progress leaveBlock(Process &process, mlir::scf::YieldOp op);

  // RingSteps.cpp
  Progress stepRing(Process &process, mlir::Operation *op);
  Progress stepAcquire(Process &process, aref::AcquireOp op);
  Progress stepPublish(Process &process, aref::PublishOp op);
  Progress stepGet(Process &process, aref::GetOp op);
  Progress stepRelease(Process &process, aref::ReleaseOp op);
  Progress stepClose(Process &process, aref::CloseOp op);
  Progress stepMore(Process &process, aref::MoreOp op);
  Ring &ringOf(mlir::Value value) { return *rings.find(value)->second; }
  /// Notes a step that others may wait for.
  void change(Ring &ring, int64_t turn) {
    touched = {&ring, turn};
    ++ring.changes;
  }
  mlir::LogicalResult checkTurn(Process &process, mlir::Operation *op,
                                const Cell &cell, Ring &ring, int64_t next);
  std::shared_ptr<Token> takeToken(Process &process, mlir::Operation *op,
                                   mlir::Value value, Ring &ring,
                                   Token::Side side);
  mlir::LogicalResult checkReaders(Process &process, mlir::Operation *release,
                                   const Token &token, const Tasks &after);

  // Flights.cpp
  Progress stepFlight(Process &process, mlir::Operation *op);
  Progress stepStart(Process &process, aref::StartOp op);
  Progress stepAwait(Process &process, aref::AwaitOp op);
  Progress beginCopy(Process &process, mlir::Operation *op,
                     interp::Inputs inputs);
  Queue &queueOf(Process &process, llvm::StringRef unit);
  mlir::LogicalResult complete(Task &task);

  // Reports.cpp
  std::string describeWait(Process &process);

  Progress set(Process &process, mlir::Value value, Cell cell) {
    process.cells[value] = std::move(cell);
    return Progress::Ran;
  }

  tile::KernelOp kernel;
  const Options &options;
  interp::Options evaluatorOptions;
  interp::Evaluator evaluator;
  llvm::DenseMap<mlir::Value, Cell> shared;
  llvm::MapVector<mlir::Value, std::unique_ptr<Ring>> rings;
  std::vector<std::unique_ptr<Process>> processes;
  std::vector<std::shared_ptr<Task>> copies;
  std::vector<std::unique_ptr<Queue>> queues;
  std::shared_ptr<Task> begun;
  std::pair<Ring *, int64_t> touched;
  std::vector<interp::Access> accesses;
  int64_t steps = 0, landings = 0;
};

/// Makes moves until the program has ended.
mlir::LogicalResult runFair(Machine &machine);
mlir::LogicalResult runRandom(Machine &machine, uint64_t seed);
mlir::LogicalResult runAdversarial(Machine &machine, uint64_t seed);
mlir::LogicalResult runTimed(Machine &machine, const Timing &timing,
                             uint64_t seed, TimedRun &run);
/// The same where processes are on units of a machine.
mlir::LogicalResult runOnUnits(Machine &machine, const Timing &timing,
                               TimedRun &run);
/// The same where each has one to itself and memory answers at once.
mlir::LogicalResult runLocal(Machine &machine, TimedRun &run, bool isNoted);

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_MACHINE_H
