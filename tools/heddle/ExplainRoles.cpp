//===- ExplainRoles.cpp - A plan by roles in words ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan says who executes what; what rings carry is known of the expanded
// program, which a copy is lowered to.
//
//===----------------------------------------------------------------------===//

#include "ExplainRoles.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

bool heddle::tool::hasRoles(mlir::ModuleOp module) {
  return any_of(module.getOps<sched::PlanOp>(), sched::isByRoles);
}

static void printProcesses(sched::PlanOp plan, raw_ostream &out) {
  for (auto process : plan.getBody().getOps<sched::ProcessOp>()) {
    out << "  process " << process.getSym() << " on "
        << process.getUnit().value_or("warps") << ":";
    StringRef separator = " ";
    for (auto table : plan.getBody().getOps<sched::TableOp>())
      for (auto entry : table.getBody().getOps<sched::EntryOp>()) {
        if (entry.getProcess() != process.getSym())
          continue;
        out << separator << entry.getOp();
        if (entry.getRing())
          out << " > " << *entry.getRing();
        if (entry.getStream())
          out << " (stream)";
        separator = ", ";
      }
    out << "\n";
  }
}

static void printControl(sched::PlanOp plan, raw_ostream &out) {
  for (auto table : plan.getBody().getOps<sched::TableOp>()) {
    if (!table.getControl())
      continue;
    StringRef kind = *table.getControl();
    out << "  loop " << table.getLoop() << ": "
        << (kind == "replicate" ? "each process finds its bounds"
            : kind == "count"   ? "told by the number of its iterations"
                                : "told by a flag with each iteration");
    if (table.getGroups())
      out << ", " << *table.getGroups() << " at a time";
    out << "\n";
  }
}

static void printReasons(sched::PlanOp plan, raw_ostream &out) {
  for (auto table : plan.getBody().getOps<sched::TableOp>())
    for (auto entry : table.getBody().getOps<sched::EntryOp>())
      if (auto reason = entry->getAttrOfType<mlir::StringAttr>(sched::kBecause))
        out << "  " << entry.getOp() << " stays in " << entry.getProcess()
            << ": it " << reason.getValue() << "\n";
}

static void printRings(tile::KernelOp kernel, raw_ostream &out) {
  for (auto ring : kernel.getEntry().getOps<aref::RingOp>()) {
    out << "  ring " << ring.getSym() << ": " << ring.getDepth()
        << (ring.getDepth() == 1 ? " slot, a turn carries "
                                 : " slots, a turn carries ");
    interleaveComma(ring.getRing().getType().getPayload(), out);
    out << "\n";
  }
}

mlir::LogicalResult
heddle::tool::printRoles(mlir::ModuleOp module,
                         const pipeline::LowerOptions &options,
                         raw_ostream &out) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  if (failed(pipeline::lower(*copy, pipeline::Rung::Sched, pipeline::Rung::Aref,
                             options)))
    return mlir::failure();
  for (auto plan : module.getOps<sched::PlanOp>()) {
    if (!sched::isByRoles(plan))
      continue;
    out << "kernel " << plan.getKernel();
    if (auto machine = plan->getAttrOfType<mlir::StringAttr>(sched::kMachine))
      out << " on " << machine.getValue();
    out << "\n";
    printProcesses(plan, out);
    printControl(plan, out);
    printRings(copy->lookupSymbol<tile::KernelOp>(plan.getKernel()), out);
    printReasons(plan, out);
  }
  return mlir::success();
}
