//===- ScheduleTable.cpp - A schedule as text -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Report/ScheduleTable.h"

#include "heddle/Dialect/Sched/Pins.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;

namespace {

/// One line of the table: what each process, by column, starts in this cycle.
struct Row {
  int64_t start;
  SmallVector<std::string> cells;
};

std::string describe(sched::EntryOp entry) {
  std::string text = (entry.getOp() + " (" + entry.getUnit()).str();
  if (int64_t latency = entry.getLatency())
    text += ", " + std::to_string(latency);
  if (entry.getLate())
    text += ", late";
  text += ")";
  if (auto ring = entry.getRing())
    text += (" > " + *ring).str();
  return text;
}

/// Rows in order of start; within one start, a column keeps the program's
/// order.
std::vector<Row> collectRows(sched::TableOp table,
                             ArrayRef<std::string> processes) {
  SmallVector<sched::EntryOp> entries(table.getBody().getOps<sched::EntryOp>());
  stable_sort(entries, [](sched::EntryOp a, sched::EntryOp b) {
    return a.getStart() < b.getStart();
  });
  std::vector<Row> rows;
  for (sched::EntryOp entry : entries) {
    int64_t start = entry.getStart();
    size_t column = find(processes, entry.getProcess()) - processes.begin();
    // Share the earliest row of this start below which the column is free.
    size_t row = rows.size();
    while (row > 0 && rows[row - 1].start == start &&
           rows[row - 1].cells[column].empty())
      --row;
    if (row == rows.size())
      rows.push_back({start, SmallVector<std::string>(processes.size())});
    rows[row].cells[column] = describe(entry);
  }
  return rows;
}

/// `start` and `stage` in front, then the cells, padded to `widths`.
void printLine(StringRef start, StringRef stage, ArrayRef<std::string> cells,
               ArrayRef<size_t> widths, raw_ostream &os) {
  std::string line = formatv("{0,8}  {1,5}", start, stage);
  for (auto [cell, width] : zip(cells, widths))
    line += "  " + cell + std::string(width - cell.size(), ' ');
  os << StringRef(line).rtrim() << "\n";
}

void printTable(sched::TableOp table, ArrayRef<std::string> processes,
                raw_ostream &os) {
  int64_t interval = table.getIi();
  os << "\nloop " << table.getLoop();
  if (interval)
    os << ": an iteration every " << interval << " cycles\n";
  else
    os << ": not pipelined, in order\n";
  if (table.getOrders())
    os << "  a credit keeps the processes' order on unit '"
       << *table.getOrders() << "'\n";
  if (table.getAhead())
    os << "  what an asynchronous unit reads from registers is made a step "
          "ahead\n";

  std::vector<Row> rows = collectRows(table, processes);
  SmallVector<size_t> widths;
  for (const auto &[column, process] : enumerate(processes)) {
    size_t width = process.size();
    for (const Row &row : rows)
      width = std::max(width, row.cells[column].size());
    widths.push_back(width);
  }
  printLine("cycle", "stage", processes, widths, os);
  for (const Row &row : rows)
    printLine(std::to_string(row.start),
              std::to_string(interval ? row.start / interval : 0), row.cells,
              widths, os);
}

/// The lines that somebody fixed of the plan, and where.
void printPins(sched::PlanOp plan, raw_ostream &os) {
  mlir::Operation *kernel =
      mlir::SymbolTable::lookupNearestSymbolFrom(plan, plan.getKernelAttr());
  if (!kernel || !kernel->hasAttr(sched::kPins))
    return;
  auto pins = sched::readPins(kernel);
  if (failed(pins))
    return;
  for (const sched::Pin &pin : *pins) {
    os << "  pinned " << pin.name;
    if (pin.argument >= 0)
      os << " of argument " << pin.argument;
    if (!pin.of.empty())
      os << " of " << pin.of;
    os << ": ";
    if (auto number = dyn_cast<mlir::IntegerAttr>(pin.value);
        number && !isa<mlir::BoolAttr>(pin.value))
      os << number.getInt();
    else
      os << pin.value;
    if (auto place = pin.place->findInstanceOf<mlir::FileLineColLoc>())
      os << " (" << sys::path::filename(place.getFilename().getValue()) << ":"
         << place.getLine() << ")";
    os << "\n";
  }
}

} // namespace

void heddle::tool::printSchedule(sched::PlanOp plan, raw_ostream &os) {
  std::vector<std::string> processes;
  os << "kernel " << plan.getKernel() << "\n";
  if (int64_t blocks = plan.getBlocks(); blocks > 1)
    os << "  " << blocks << " blocks share a multiprocessor\n";
  if (plan.getDealt())
    os << "  a block for each instance, dealt out by the hardware\n";
  for (auto process : plan.getBody().getOps<sched::ProcessOp>()) {
    processes.push_back(process.getSym().str());
    os << "  process " << process.getSym() << ": "
       << int64_t(process.getWarps()) << " warps, "
       << int64_t(process.getRegisters()) << " registers a thread\n";
  }
  for (auto ring : plan.getBody().getOps<sched::RingOp>())
    os << "  ring " << ring.getSym() << ": " << int64_t(ring.getDepth())
       << " slots\n";
  printPins(plan, os);
  for (auto table : plan.getBody().getOps<sched::TableOp>())
    printTable(table, processes, os);
}
