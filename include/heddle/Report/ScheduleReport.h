//===- ScheduleReport.h - A program's schedules in words --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module on the sched rung and the costs of a machine go in; the text of
// `heddle explain` comes out, as tables and as sentences about each loop. The C
// interface returns the same text as a kernel's report, so it is made apart
// from the command.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_REPORT_SCHEDULEREPORT_H
#define HEDDLE_REPORT_SCHEDULEREPORT_H

#include "heddle/Machine/Costs.h"
#include "heddle/Schedule/Explain.h"
#include "heddle/Transforms/ReadPlan.h"

#include "llvm/Support/raw_ostream.h"

namespace heddle::tool {

/// What `heddle explain` prints: the tables, then what binds each loop.
struct ScheduleReport {
  ScheduleReport() = default;
  /// Of a module on the sched rung, whose schedules were made with these costs.
  ScheduleReport(mlir::ModuleOp module, const machine::Costs &costs);

  void add(const std::string &kernel, const PlannedLoop &loop);
  void print(llvm::raw_ostream &os) const;

  std::string table;
  std::vector<std::string> assumptions; ///< of launches, which check them
  std::vector<schedule::Explanation> loops;
  schedule::Chapter tiles; ///< what others would give
};

} // namespace heddle::tool

#endif // HEDDLE_REPORT_SCHEDULEREPORT_H
