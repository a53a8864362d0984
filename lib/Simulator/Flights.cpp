//===- Flights.cpp - Asynchronous work: start, await, land ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A flight reads its operands when it lands, which the policy may put off; a
// copy reads memory when it lands. Two sorts of knowledge are kept apart: what
// has landed decides who can go on, what the waits prove to have landed decides
// what is an error.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;
using interp::Evaluator;

/// Flights may hold one another through their operands; freeing the oldest
/// first keeps the chain off the C++ stack.
Machine::~Machine() {
  for (auto &queue : queues)
    for (auto &flight : queue->flights)
      flight->captured.clear();
}

Queue &Machine::queueOf(Process &process, StringRef unit) {
  for (auto &queue : queues)
    if (queue->process == &process && queue->unit == unit)
      return *queue;
  queues.push_back(std::make_unique<Queue>());
  queues.back()->process = &process;
  queues.back()->unit = unit;
  return *queues.back();
}

Progress Machine::stepFlight(Process &process, Operation *op) {
  if (auto start = dyn_cast<aref::StartOp>(op))
    return stepStart(process, start);
  return stepAwait(process, cast<aref::AwaitOp>(op));
}

Progress Machine::stepStart(Process &process, aref::StartOp op) {
  Queue &queue = queueOf(process, op.getUnit());
  auto task = std::make_shared<Task>();
  auto capture = [&](Value seen, Value value) {
    Cell cell = lookup(process, value);
    if (cell.kind == Cell::Data) {
      Progress progress = read(process, op, value, cell.datum);
      if (progress != Progress::Ran)
        return progress;
    } else if (cell.kind != Cell::Flight || cell.task->queue != &queue) {
      Report error = report(op.getLoc(), diag::protocol_violation);
      error << "process '" << process.name() << "' hands unit '" << op.getUnit()
            << "' ";
      if (cell.kind == Cell::Flight)
        error << "a flight of unit '" << cell.task->queue->unit
              << "'; only the same unit may read it before it is awaited";
      else
        error << "a " << value.getType() << " as if it were a value";
      return Progress::Failed;
    }
    if (cell.borrow)
      task->reads.push_back(cell.borrow);
    task->captured.push_back({seen, std::move(cell)});
    return Progress::Ran;
  };
  for (auto [argument, input] :
       llvm::zip_equal(op.getBody().getArguments(), op.getInputs()))
    if (Progress progress = capture(argument, input); progress != Progress::Ran)
      return progress;
  llvm::SetVector<Value> outside;
  getUsedValuesDefinedAbove(op.getBody(), outside);
  for (Value value : outside)
    if (Progress progress = capture(value, value); progress != Progress::Ran)
      return progress;

  task->op = op;
  task->process = &process;
  task->queue = &queue;
  task->number = queue.started++;
  queue.flights.push_back(task);
  begun = task;
  Cell flight;
  flight.kind = Cell::Flight;
  flight.task = std::move(task);
  return set(process, op.getFlight(), std::move(flight));
}

Progress Machine::stepAwait(Process &process, aref::AwaitOp op) {
  Cell value = lookup(process, op.getFlight());
  if (value.kind != Cell::Flight) {
    report(op.getLoc(), diag::protocol_violation)
        << "process '" << process.name()
        << "' waits for a flight that it never started";
    return Progress::Failed;
  }
  Queue &queue = *value.task->queue;
  int64_t proven = queue.started - int64_t(op.getPending());
  if (proven > queue.landed) {
    int64_t oldest = queue.flights.front()->number;
    return waitFor(process, op, queue.flights[proven - 1 - oldest]);
  }
  queue.known = std::max(queue.known, proven);
  while (!queue.flights.empty() && queue.flights.front()->number < queue.known)
    queue.flights.pop_front();
  value.kind = Cell::Data;
  value.awaitedBy = op;
  return set(process, op.getValue(), std::move(value));
}

Progress Machine::beginCopy(Process &process, Operation *op,
                            interp::Inputs inputs) {
  auto task = std::make_shared<Task>();
  task->op = op;
  task->process = &process;
  interp::Outputs results;
  if (failed(evaluate(op, inputs, results)))
    return Progress::Failed;
  task->atStart = results.front();
  for (auto &[value, datum] : inputs)
    task->captured.push_back({value, Cell::ofData(datum)});
  copies.push_back(task);
  begun = task;
  Cell cell;
  cell.kind = Cell::Data;
  cell.task = std::move(task);
  return set(process, op->getResult(0), std::move(cell));
}

//===----------------------------------------------------------------------===//
// Landing
//===----------------------------------------------------------------------===//

Tasks Machine::getLandable() const {
  Tasks tasks(copies.begin(), copies.end());
  for (const auto &queue : queues)
    if (queue->landed < queue->started)
      tasks.push_back(
          queue->flights[queue->landed - queue->flights.front()->number]);
  return tasks;
}

LogicalResult Machine::complete(Task &task) {
  interp::Inputs inputs;
  for (auto &[value, cell] : task.captured)
    inputs.push_back(
        {value, cell.kind == Cell::Flight ? cell.task->result : cell.datum});
  interp::Outputs results;
  if (!options.hasTiles) {
    task.result = task.atStart ? task.atStart : outlineOfTile();
    task.captured.clear();
    return success();
  }
  if (auto start = dyn_cast<aref::StartOp>(task.op)) {
    if (failed(
            evaluator.evaluateBlock(start.getBody().front(), inputs, results)))
      return failure();
  } else if (failed(evaluator.evaluate(task.op, inputs, results))) {
    return failure();
  }
  task.captured.clear();
  task.result = results.front();
  if (!task.atStart || Evaluator::areEqual(task.atStart, task.result))
    return success();
  return report(task.op->getLoc(), diag::protocol_violation)
         << "the memory that process '" << task.process->name()
         << "' copies here was written before the copy had landed; order the "
            "two by a ring";
}

LogicalResult Machine::land(const std::shared_ptr<Task> &task) {
  if (task->hasLanded())
    return success();
  ++landings;
  Queue *queue = task->queue;
  if (!queue) {
    copies.erase(llvm::find(copies, task));
    return complete(*task);
  }
  while (queue->landed <= task->number) {
    int64_t oldest = queue->flights.front()->number;
    if (failed(complete(*queue->flights[queue->landed - oldest])))
      return failure();
    ++queue->landed;
  }
  return success();
}
