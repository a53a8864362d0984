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

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Units.h"
#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace heddle {
#define GEN_PASS_DEF_PRICEUNITS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// Of what a value takes in memory or in a slot; elements take whole bytes.
int64_t bytesOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return type.isIntOrFloat()
               ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8)
               : 8;
  Type element = tile.getElementType();
  int64_t bytes = element.isIntOrFloat()
                      ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                      : 8;
  return tile.hasStaticShape() ? tile.getNumElements() * bytes : bytes;
}

class Pricer {
public:
  explicit Pricer(const machine::Unit &unit) : unit(unit) {}

  void price(Operation *op) const {
    int64_t issue = issueOf(op);
    bool computes = !isa<scf::SCFDialect, aref::ArefDialect>(op->getDialect());
    int64_t latency =
        computes && isOnTiles(op) && isMemoryEffectFree(op) && issue > 0
            ? std::max(unit.latency, issue)
            : 0;
    set(op, aref::kIssue, issue);
    set(op, aref::kLatency, latency);
  }

private:
  static void set(Operation *op, StringRef name, int64_t cycles) {
    if (cycles > 0 && !op->hasAttr(name))
      op->setAttr(name, Builder(op->getContext()).getI64IntegerAttr(cycles));
  }

  static bool isTile(Type type) { return isa<RankedTensorType>(type); }

  static bool isOnTiles(Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isTile) ||
           llvm::any_of(op->getResultTypes(), isTile);
  }

  int64_t vectorsOf(TypeRange types) const {
    int64_t bytes = 0;
    for (Type type : types)
      if (isTile(type))
        bytes = std::max(bytes, bytesOf(type));
    return llvm::divideCeil(bytes, unit.vectorBytes);
  }

  /// What a turn carries: a number each, and a vector each of tiles.
  int64_t turnOf(TypeRange payload, int64_t perVector) const {
    int64_t cycles = unit.turn;
    for (Type type : payload)
      cycles += isTile(type) ? perVector * llvm::divideCeil(bytesOf(type),
                                                            unit.vectorBytes)
                             : unit.number;
    return cycles;
  }

  int64_t issueOf(Operation *op) const {
    if (auto get = dyn_cast<aref::GetOp>(op))
      return turnOf(get.getValues().getTypes(), unit.access);
    // A load arrives in its slot by itself.
    if (auto publish = dyn_cast<aref::PublishOp>(op))
      return turnOf(publish.getValues().getTypes(), 0);
    if (isa<aref::ArefDialect>(op->getDialect()))
      return 0;
    if (isa<scf::YieldOp>(op))
      return isa<scf::ForOp, scf::WhileOp>(op->getParentOp()) ? unit.loop : 0;
    if (isa<scf::SCFDialect>(op->getDialect()))
      return 0;
    if (!isMemoryEffectFree(op)) {
      int64_t vectors = std::max(vectorsOf(op->getOperandTypes()),
                                 vectorsOf(op->getResultTypes()));
      return unit.access * std::max<int64_t>(1, vectors);
    }
    // Constant tiles are in registers before loops begin; a name is no work.
    if (op->hasTrait<OpTrait::ConstantLike>() ||
        isa<tile::SplatOp, tile::UnsplatOp>(op) || tile::isRenaming(op))
      return 0;
    if (!isOnTiles(op))
      return unit.scalar;
    // Copies of one register are that register.
    if (isa<tile::BroadcastOp, tile::ExpandDimsOp>(op))
      return unit.arithmetic * vectorsOf(op->getOperandTypes());
    int64_t vectors = std::max(vectorsOf(op->getOperandTypes()),
                               vectorsOf(op->getResultTypes()));
    // A product adds to its result once for each step of what is summed over.
    if (auto dot = dyn_cast<tile::DotOp>(op))
      vectors = vectorsOf(op->getResultTypes()) *
                cast<RankedTensorType>(dot.getA().getType()).getDimSize(1);
    return unit.arithmetic * vectors;
  }

  const machine::Unit &unit;
};

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
      Pricer pricer(*unit);
      process.getBody().walk([&](Operation *op) { pricer.price(op); });
    }
    return checkRings(kernel, units);
  }

  LogicalResult checkRings(tile::KernelOp kernel, const machine::Units &units) {
    int64_t bytes = 0;
    for (auto ring : kernel.getEntry().getOps<aref::RingOp>())
      for (Type type : ring.getRing().getType().getPayload())
        bytes += int64_t(ring.getDepth()) * bytesOf(type);
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
