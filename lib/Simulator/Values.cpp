//===- Values.cpp - When a value may be read ------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads of values, where the rules of the rung are applied: a result in flight
// must be awaited, a slot's tile must not be released yet. A wait with too
// large a count is an error even if the flight has landed in this order,
// because it may not have in another.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;
using interp::Evaluator;

const Cell &Machine::lookup(const Process &process, Value value) const {
  static const Cell nothing;
  if (auto it = process.cells.find(value); it != process.cells.end())
    return it->second;
  auto it = shared.find(value);
  return it == shared.end() ? nothing : it->second;
}

Progress Machine::waitFor(Process &process, Operation *op,
                          const std::shared_ptr<Task> &task) {
  process.wait = Wait();
  process.wait.op = op;
  process.wait.tasks = {task};
  return Progress::Waits;
}

Progress Machine::waitFor(Process &process, Wait::Kind kind, Operation *op,
                          Ring &ring, int64_t turn, Tasks tasks) {
  process.wait = {kind,         op,      &ring, turn, std::move(tasks),
                  ring.changes, landings};
  return Progress::Waits;
}

Progress Machine::read(Process &process, Operation *op, Value value,
                       interp::DatumRef &datum) {
  const Cell &cell = lookup(process, value);
  if (cell.kind != Cell::Data) {
    report(op->getLoc(), diag::protocol_violation)
        << "process '" << process.name() << "' reads a " << value.getType()
        << " as if it were a value";
    return Progress::Failed;
  }
  if (cell.borrow && cell.borrow->releasedBy) {
    Report error = report(op->getLoc(), diag::protocol_violation)
                   << "process '" << process.name() << "' reads turn "
                   << cell.borrow->turn << " of ring '"
                   << cell.borrow->ring->name()
                   << "' after it released the slot";
    error.attachNote(cell.borrow->releasedBy->getLoc()) << "released here";
    return Progress::Failed;
  }
  if (cell.awaitedBy && !cell.task->isKnownToHaveLanded()) {
    Report error = report(op->getLoc(), diag::protocol_violation)
                   << "process '" << process.name()
                   << "' reads the result of a flight on unit '"
                   << cell.task->queue->unit
                   << "' that may not have landed; wait for it with a smaller "
                      "pending count";
    error.attachNote(cell.awaitedBy->getLoc())
        << "this wait leaves the last "
        << countOf(cast<aref::AwaitOp>(cell.awaitedBy).getPending(), "flight")
        << " out, and it is among them";
    error.attachNote(cell.task->op->getLoc()) << "started here";
    return Progress::Failed;
  }
  if (cell.task && !cell.task->hasLanded())
    return waitFor(process, op, cell.task);
  datum = cell.task ? cell.task->result : cell.datum;
  return Progress::Ran;
}

Progress Machine::readInteger(Process &process, Operation *op, Value value,
                              int64_t &number) {
  interp::DatumRef datum;
  Progress progress = read(process, op, value, datum);
  if (progress == Progress::Ran)
    number = Evaluator::getInteger(datum);
  return progress;
}

Progress Machine::readInputs(Process &process, Operation *op,
                             interp::Inputs &inputs) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  if (op->getNumRegions())
    getUsedValuesDefinedAbove(op->getRegions(), values);
  for (Value value : values) {
    interp::DatumRef datum;
    Progress progress = read(process, op, value, datum);
    if (progress != Progress::Ran)
      return progress;
    inputs.push_back({value, std::move(datum)});
  }
  return Progress::Ran;
}

/// Whether the machine may go on while `op` still reads memory.
static bool isCopy(Operation *op) {
  return isa<tile::LoadOp, tile::GatherOp, tile::ViewGatherOp>(op);
}

/// Does the operation compute with tiles or with memory?
static bool isOfTiles(Operation *op) {
  auto isTile = [](Type type) { return isa<ShapedType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTile) ||
         llvm::any_of(op->getResultTypes(), isTile) || !isMemoryEffectFree(op);
}

interp::DatumRef Machine::outlineOfTile() {
  return Evaluator::makeInteger(IntegerType::get(kernel.getContext(), 1), 0);
}

LogicalResult Machine::outline(Operation *op, interp::Outputs &results) {
  for (Type type : op->getResultTypes()) {
    if (!isa<ShapedType>(type))
      return report(op->getLoc(), diag::needs_values)
             << "the result of '" << op->getName()
             << "' comes from tiles or memory, which have no values in a "
                "prediction; 'heddle simulate --order=timed' runs with values";
    results.push_back(outlineOfTile());
  }
  return success();
}

LogicalResult Machine::evaluate(Operation *op, const interp::Inputs &inputs,
                                interp::Outputs &results) {
  if (!options.hasTiles && isOfTiles(op))
    return outline(op, results);
  return evaluator.evaluate(op, inputs, results);
}

Progress Machine::stepPlain(Process &process, Operation *op) {
  interp::Inputs inputs;
  Progress progress = readInputs(process, op, inputs);
  if (progress != Progress::Ran)
    return progress;
  bool isTraced = options.timing && options.timing->units;
  if (isTraced) {
    accesses.clear();
    evaluator.setTrace(&accesses);
  }
  interp::Outputs results;
  bool isRight = true;
  if (isCopy(op))
    progress = beginCopy(process, op, std::move(inputs));
  else
    isRight = succeeded(evaluate(op, inputs, results));
  if (isTraced)
    evaluator.setTrace(nullptr);
  if (!isRight)
    return Progress::Failed;
  if (isCopy(op))
    return progress;
  for (auto [result, datum] : llvm::zip_equal(op->getResults(), results))
    set(process, result, Cell::ofData(datum));
  return Progress::Ran;
}
