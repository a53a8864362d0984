//===- KeepPins.cpp - Schedules that keep pinned lines --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A depth and a bound of shared memory are limits of the machine for this one
// kernel, which every proposer keeps; the rest is asked of the plan. A line is
// kept exactly or it is an error: a plan that comes near would look as if the
// line had an effect.
//
//===----------------------------------------------------------------------===//

#include "KeepPins.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::sched;

LogicalResult PinKeeper::constrain(machine::Costs &costs, std::string &method) {
  int64_t most = costs.limits.sharedBytesPerBlock;
  FailureOr<SmallVector<Pin>> read = readPins(kernel);
  if (failed(read))
    return failure();
  pins = std::move(*read);
  for (const Pin &pin : pins) {
    if (pin.name == kPinPipeline) {
      if (pin.number() < 2 || pin.number() > int64_t(costs.shared.ringDepth))
        return report(pin.place, diag::pin_unmet)
               << "a ring has 2 to " << int64_t(costs.shared.ringDepth)
               << " slots on " << costs.name << ", not " << pin.number();
      costs.shared.ringDepth = double(pin.number());
    } else if (pin.name == kPinSharedBytes) {
      if (pin.number() > most)
        return report(pin.place, diag::pin_unmet)
               << "a thread block has at most " << most
               << " B of shared memory here, and " << pin.number()
               << " are no bound";
      costs.limits.sharedBytesPerBlock = pin.number();
    } else if (pin.name == kPinSchedule) {
      StringRef pinned = cast<StringAttr>(pin.value).getValue();
      if (method != "auto" && method != pinned)
        return report(pin.place, diag::pin_unmet)
               << "the schedule is pinned to \"" << pinned
               << "\", and --schedule asks for \"" << method << "\"";
      method = pinned.str();
    } else if (pin.name == kPinMachine && pin.word() != costs.name) {
      return report(pin.place, diag::pin_unmet)
             << "the mapping is for \"" << pin.word()
             << "\", and the schedule is made for \"" << costs.name
             << "\"; --machine=" << pin.word() << " chooses the other";
    } else if (pin.name == kPinBlocks &&
               pin.number() > costs.limits.blocksPerMultiprocessor) {
      return report(pin.place, diag::pin_unmet)
             << "1 to " << costs.limits.blocksPerMultiprocessor
             << " blocks share a multiprocessor of " << costs.name << ", not "
             << pin.number();
    }
  }
  return success();
}

LogicalResult PinKeeper::check(const machine::Costs &costs) {
  if (pins.empty())
    return success();
  PlanOp plan = findPlan(kernel);
  // A line may ask for what no plan may say.
  if (failed(verify(plan)))
    return failure();
  for (const Pin &pin : pins)
    if (failed(checkPin(pin, plan, costs)))
      return failure();
  return success();
}

LogicalResult PinKeeper::checkPin(const Pin &pin, PlanOp plan,
                                  const machine::Costs &costs) {
  if (!pin.of.empty())
    return PlanLines::check(pin, plan, costs);
  if (pin.name == kPinPipeline)
    return checkPipeline(pin, plan);
  if (pin.name == kPinGroups)
    return checkGroups(pin, plan);
  if (pin.name == kPinRing)
    return checkRing(pin, plan);
  if (pin.name == kPinRegisters)
    return checkRegisters(pin, plan);
  if (pin.name == kPinSpecialised &&
      llvm::range_size(plan.getOps<ProcessOp>()) < 2)
    return report(pin.place, diag::pin_unmet)
           << "the kernel is one process, since no loop of it is pipelined, "
              "and nothing loads apart";
  return PlanLines::check(pin, plan, costs);
}

/// The operations of a kernel by their schedule names.
static llvm::StringMap<Operation *> namedOps(tile::KernelOp kernel) {
  llvm::StringMap<Operation *> named;
  kernel.walk([&](Operation *op) {
    if (StringRef name = opName(op); !name.empty())
      named[name] = op;
  });
  return named;
}

static int64_t bytesOf(tile::LoadOp load) {
  auto type = cast<RankedTensorType>(load.getResult().getType());
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

LogicalResult PinKeeper::checkPipeline(const Pin &pin, PlanOp plan) {
  llvm::StringMap<Operation *> named = namedOps(kernel);
  llvm::StringMap<int64_t> bytes; // of a slot, by ring
  for (auto table : plan.getOps<TableOp>())
    for (auto entry : table.getOps<EntryOp>())
      if (auto load =
              dyn_cast_or_null<tile::LoadOp>(named.lookup(entry.getOp()));
          load && entry.getRing() && table.getIi() > 0)
        bytes[*entry.getRing()] += bytesOf(load);
  if (bytes.empty())
    return report(pin.place, diag::pin_unmet)
           << "no loop of the kernel is pipelined, so that no ring has "
           << pin.number() << " slots";
  for (auto ring : plan.getOps<RingOp>()) {
    if (!bytes.contains(ring.getSym()) ||
        int64_t(ring.getDepth()) == pin.number())
      continue;
    return report(pin.place, diag::pin_unmet)
           << "ring '" << ring.getSym() << "' has " << ring.getDepth()
           << " slots of " << bytes[ring.getSym()] << " B where "
           << pin.number() << " are pinned; that is what fits beside the rest";
  }
  return success();
}

LogicalResult PinKeeper::checkGroups(const Pin &pin, PlanOp plan) {
  llvm::StringMap<Operation *> named = namedOps(kernel);
  llvm::StringSet<> multiplying;
  for (auto table : plan.getOps<TableOp>())
    for (auto entry : table.getOps<EntryOp>())
      if (isa_and_present<tile::DotOp>(named.lookup(entry.getOp())))
        multiplying.insert(entry.getProcess());
  if (int64_t(multiplying.size()) == pin.number())
    return success();
  return report(pin.place, diag::pin_unmet)
         << multiplying.size() << " process"
         << (multiplying.size() == 1 ? " multiplies" : "es multiply")
         << " where the tile is split into " << pin.number()
         << "; a warp group takes 64 rows, so choose " << 64 * pin.number()
         << " rows, or another split";
}

LogicalResult PinKeeper::checkRing(const Pin &pin, PlanOp plan) {
  llvm::StringMap<Operation *> named = namedOps(kernel);
  bool wanted = cast<BoolAttr>(pin.value).getValue();
  if (pin.argument >= int64_t(kernel.getEntry().getNumArguments()))
    return report(pin.place, diag::pin_form)
           << "the kernel has no argument " << pin.argument;
  Value view = kernel.getEntry().getArgument(unsigned(pin.argument));
  for (auto table : plan.getOps<TableOp>())
    for (auto entry : table.getOps<EntryOp>()) {
      auto load = dyn_cast_or_null<tile::LoadOp>(named.lookup(entry.getOp()));
      if (!load || load.getView() != view ||
          entry.getRing().has_value() == wanted)
        continue;
      return report(pin.place, diag::pin_unmet)
             << "'" << kernel.getArgName(unsigned(pin.argument)) << "' is in "
             << (wanted ? "registers" : "shared memory")
             << " on its way, since '" << entry.getOp() << "' "
             << (wanted ? "goes through no ring" : "goes through a ring")
             << "; " << (wanted ? "register" : "shared")
             << " is what the schedule keeps";
    }
  return success();
}

LogicalResult PinKeeper::checkRegisters(const Pin &pin, PlanOp plan) {
  llvm::StringMap<Operation *> named = namedOps(kernel);
  for (auto table : plan.getOps<TableOp>())
    for (auto entry : table.getOps<EntryOp>())
      if (entry.getRing() &&
          !isa_and_present<tile::LoadOp>(named.lookup(entry.getOp())))
        return report(pin.place, diag::pin_unmet)
               << "what is computed should stay in registers, and '"
               << entry.getOp() << "' goes through ring '" << *entry.getRing()
               << "' of shared memory";
  return success();
}
