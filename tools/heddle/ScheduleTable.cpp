//===- ScheduleTable.cpp - A schedule as text -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;

namespace {

/// One line of the table; `process` is the column of `cell`.
struct Row {
  int64_t start;
  int64_t stage;
  size_t process;
  std::string cell;
};

std::vector<Row> collectRows(sched::TableOp table,
                             ArrayRef<std::string> processes) {
  std::vector<Row> rows;
  int64_t interval = table.getIi();
  for (auto entry : table.getBody().getOps<sched::EntryOp>()) {
    Row row;
    row.start = entry.getStart();
    row.stage = interval ? row.start / interval : 0;
    row.process = find(processes, entry.getProcess()) - processes.begin();
    row.cell = formatv("{0} ({1}, {2})", entry.getOp(), entry.getUnit(),
                       int64_t(entry.getLatency()));
    if (auto ring = entry.getRing())
      row.cell += (" > " + *ring).str();
    rows.push_back(std::move(row));
  }
  stable_sort(rows, [](const Row &a, const Row &b) { return a.start < b.start; });
  return rows;
}

void printTable(sched::TableOp table, ArrayRef<std::string> processes,
                raw_ostream &os) {
  os << "\nloop " << table.getLoop();
  if (int64_t interval = table.getIi())
    os << ": an iteration every " << interval << " cycles\n";
  else
    os << ": not pipelined, in order\n";

  std::vector<Row> rows = collectRows(table, processes);
  SmallVector<size_t> widths;
  for (const auto &[column, process] : enumerate(processes)) {
    size_t width = process.size();
    for (const Row &row : rows)
      if (row.process == column)
        width = std::max(width, row.cell.size());
    widths.push_back(width);
  }

  auto printLine = [&](StringRef cycle, StringRef stage, size_t only,
                       auto cellOf) {
    std::string line = formatv("{0,8}  {1,5}", cycle, stage);
    for (size_t column = 0; column < processes.size(); ++column) {
      StringRef cell = only == column || only == processes.size()
                           ? StringRef(cellOf(column))
                           : StringRef();
      line += "  " + cell.str() + std::string(widths[column] - cell.size(), ' ');
    }
    os << StringRef(line).rtrim() << "\n";
  };
  printLine("cycle", "stage", processes.size(),
            [&](size_t column) -> StringRef { return processes[column]; });
  for (const Row &row : rows)
    printLine(std::to_string(row.start), std::to_string(row.stage), row.process,
              [&](size_t) -> StringRef { return row.cell; });
}

} // namespace

void heddle::tool::printSchedule(sched::PlanOp plan, raw_ostream &os) {
  std::vector<std::string> processes;
  os << "kernel " << plan.getKernel() << "\n";
  for (auto process : plan.getBody().getOps<sched::ProcessOp>()) {
    processes.push_back(process.getSym().str());
    os << "  process " << process.getSym() << ": " << int64_t(process.getWarps())
       << " warps, " << int64_t(process.getRegisters())
       << " registers a thread\n";
  }
  for (auto ring : plan.getBody().getOps<sched::RingOp>())
    os << "  ring " << ring.getSym() << ": " << int64_t(ring.getDepth())
       << " slots\n";
  for (auto table : plan.getBody().getOps<sched::TableOp>())
    printTable(table, processes, os);
}
