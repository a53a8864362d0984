//===- PriceUnits.cpp - Costs of operations on a machine's units ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: kernels of the aref rung whose processes are on units, and the machine
// that has these units. Out: the same text with `aref.issue` and `aref.latency`
// on each operation that takes time there and does not say how much. Costs that
// somebody wrote stay. A program that asks for more units, or more room in
// slots, than there is, is declined with the numbers.
//
//===----------------------------------------------------------------------===//

#include "UnitPrices.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Units.h"
#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace heddle {
#define GEN_PASS_DEF_PRICEUNITS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

void set(Operation *op, StringRef name, int64_t cycles) {
  if (cycles > 0 && !op->hasAttr(name))
    op->setAttr(name, Builder(op->getContext()).getI64IntegerAttr(cycles));
}

struct PriceUnitsPass : heddle::impl::PriceUnitsBase<PriceUnitsPass> {
  using PriceUnitsBase::PriceUnitsBase;

  void runOnOperation() override {
    auto result = getOperation().walk([&](tile::KernelOp kernel) {
      bool isOnUnits = llvm::any_of(
          kernel.getEntry().getOps<aref::ProcessOp>(),
          [](aref::ProcessOp process) { return process.getUnit(); });
      return isOnUnits ? WalkResult(price(kernel)) : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult price(tile::KernelOp kernel) {
    std::string name = machine;
    auto own = kernel->getAttrOfType<StringAttr>(aref::kMachine);
    if (name.empty() && own)
      name = own.str();
    machine::Units units;
    std::string error;
    if (name.empty())
      return report(kernel, diag::machine)
             << "@" << kernel.getSymName()
             << " has processes on units and names no machine; --machine "
                "names one, like dae";
    if (!machine::findUnits(name, units, error))
      return report(kernel, diag::machine) << error;
    kernel->setAttr(aref::kMachine, StringAttr::get(kernel.getContext(), name));
    return price(kernel, units);
  }

  LogicalResult price(tile::KernelOp kernel, const machine::Units &units) {
    std::map<std::string, int64_t> used;
    for (auto process : kernel.getEntry().getOps<aref::ProcessOp>()) {
      if (!process.getUnit())
        continue;
      const machine::Unit *unit = units.findUnit(process.getUnit()->str());
      if (!unit) {
        std::string known = llvm::join(
            llvm::map_range(units.units,
                            [](const machine::Unit &u) { return u.name; }),
            ", ");
        return reportOp(process, diag::unit_name)
               << "'" << process.getSym() << "' is on unit '"
               << *process.getUnit() << "', which " << units.name
               << " does not have; its units are " << known;
      }
      if (++used[unit->name] > unit->count)
        return reportOp(process, diag::units_overflow)
               << "'" << process.getSym() << "' is process " << used[unit->name]
               << " on unit '" << unit->name << "', and " << units.name
               << " runs " << unit->count << " there";
      UnitPrices prices(*unit);
      process.getBody().walk([&](Operation *op) {
        set(op, aref::kIssue, prices.issueOf(op));
        set(op, aref::kLatency, prices.latencyOf(op));
      });
    }
    return checkRings(kernel, units);
  }

  LogicalResult checkRings(tile::KernelOp kernel, const machine::Units &units) {
    int64_t bytes = 0;
    for (auto ring : kernel.getEntry().getOps<aref::RingOp>())
      for (Type type : ring.getRing().getType().getPayload())
        bytes += int64_t(ring.getDepth()) * bytesInSlot(type);
    if (bytes <= units.ringBytes)
      return success();
    return report(kernel, diag::units_overflow)
           << "the slots of @" << kernel.getSymName() << " take " << bytes
           << " bytes, and " << units.name << " has " << units.ringBytes
           << " for them; lower the depth of a ring in the plan, or choose "
              "smaller tiles";
  }
};

} // namespace
