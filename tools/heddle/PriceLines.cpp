//===- PriceLines.cpp - What each line of a mapping costs -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each line is dropped alone, and the rest is scheduled anew. Lines of one
// place, as the memories of an instance are, are dropped together: a person
// edits the place.
//
//===----------------------------------------------------------------------===//

#include "PriceLines.h"

#include "KernelArguments.h"

#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Turns.h"
#include "heddle/Evaluate/Evaluate.h"
#include "heddle/Transforms/ReadPlan.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::Rung;

namespace {

/// Of one kernel with one plan.
struct Price {
  std::map<std::string, int64_t> intervals; ///< by loop
  int64_t ringBytes = 0;
  std::string registers; ///< of a thread of each process
  int64_t blocks = 1;
  int64_t cycles = 0; ///< of a launch; 0 where nobody gave its sizes
  std::string text;   ///< of the plan
};

} // namespace

static Expected<Price> priceOf(mlir::ModuleOp module, tile::KernelOp kernel,
                               const machine::Costs &costs,
                               const ArgumentOptions &sizes) {
  Price price;
  sched::PlanOp plan = sched::findPlan(kernel);
  for (const PlannedLoop &loop : readPlan(plan, costs)) {
    if (!loop.isPipelined)
      continue;
    price.intervals[loop.problem.loop] = loop.solution.ii;
    for (const schedule::Ring &ring : loop.solution.rings)
      for (const schedule::Transfer &transfer : loop.problem.transfers)
        if (is_contained(ring.operations, transfer.from))
          price.ringBytes += ring.depth * transfer.bytes;
  }
  SmallVector<std::string> registers;
  for (auto process : plan.getOps<sched::ProcessOp>())
    registers.push_back(
        formatv("{0} {1}", process.getSym(), int64_t(process.getRegisters())));
  price.registers = join(registers, ", ");
  price.blocks = int64_t(plan.getBlocks());
  raw_string_ostream text(price.text);
  plan->print(text);
  if (sizes.views.empty())
    return price;
  auto manifest = describeArguments(kernel);
  if (failed(manifest))
    return price;
  auto arguments = makeSizes(sizes, *manifest, kernel);
  if (!arguments)
    return arguments.takeError();
  evaluate::Launch launch{std::move(*arguments), costs.limits.multiprocessors};
  mlir::ScopedDiagnosticHandler silence(
      module.getContext(), [](mlir::Diagnostic &) { return mlir::success(); });
  auto score = evaluate::evaluate(module, manifest->kernel, costs, launch);
  price.cycles = failed(score) ? 0 : score->cycles;
  return price;
}

/// "interval of 'loop' 2182 -> 2048", for what differs.
static std::string compare(const Price &with, const Price &without) {
  SmallVector<std::string> parts;
  auto add = [&](const std::string &what, int64_t a, int64_t b) {
    if (a != b)
      parts.push_back(formatv("{0} {1} -> {2}", what, a, b));
  };
  for (const auto &[loop, interval] : with.intervals)
    if (auto found = without.intervals.find(loop);
        found != without.intervals.end())
      add("interval of '" + loop + "'", interval, found->second);
    else
      parts.push_back("loop '" + loop + "' is not pipelined");
  if (with.cycles && without.cycles && with.cycles != without.cycles)
    parts.push_back(formatv("predicted cycles {0} -> {1} ({2:f3})", with.cycles,
                            without.cycles,
                            double(without.cycles) / double(with.cycles)));
  add("bytes of rings", with.ringBytes, without.ringBytes);
  if (with.registers != without.registers)
    parts.push_back("registers " + with.registers + " -> " + without.registers);
  add("blocks", with.blocks, without.blocks);
  if (!parts.empty())
    return join(parts, "; ");
  return with.text == without.text
             ? "the same plan"
             : "another plan with the same interval, bytes and registers";
}

static std::string placeOf(const sched::Pin &pin) {
  auto place = pin.place->findInstanceOf<mlir::FileLineColLoc>();
  if (!place)
    return "";
  return formatv("{0}:{1}", sys::path::filename(place.getFilename().getValue()),
                 place.getLine());
}

static Error printKernel(Program &program, mlir::ModuleOp before,
                         tile::KernelOp kernel, ArrayRef<sched::Pin> pins,
                         const ArgumentOptions &sizes, raw_ostream &os) {
  machine::Costs costs = program.machine();
  tile::KernelOp planned =
      program.module().lookupSymbol<tile::KernelOp>(kernel.getSymName());
  auto with = priceOf(program.module(), planned, costs, sizes);
  if (!with)
    return with.takeError();
  os << "\nkernel " << kernel.getSymName()
     << ": what there would be without each pinned line\n";
  if (with->cycles)
    os << "  predicted cycles with all of them: " << with->cycles << "\n";
  else
    os << "  (--view gives sizes, for which times are predicted)\n";
  for (size_t first = 0; first < pins.size(); ++first) {
    // The others of its place go with the first.
    auto isOfPlace = [&](const sched::Pin &pin) {
      return pin.place == pins[first].place;
    };
    if (any_of(pins.take_front(first), isOfPlace))
      continue;
    SmallVector<sched::Pin> rest;
    SmallVector<std::string> dropped;
    for (const sched::Pin &pin : pins)
      if (isOfPlace(pin))
        dropped.push_back(pin.spelling());
      else
        rest.push_back(pin);
    os << "  " << placeOf(pins[first]) << " " << join(dropped, ", ") << ": ";
    mlir::OwningOpRef<mlir::ModuleOp> copy = before.clone();
    auto own = copy->lookupSymbol<tile::KernelOp>(kernel.getSymName());
    own->setAttr(sched::kPins, sched::writePins(before.getContext(), rest));
    // What says how blocks add up goes with its line.
    if (is_contained({sched::kPinSplitK, sched::kPinCluster}, pins[first].name))
      own.walk([](mlir::Operation *op) {
        if (!isa<tile::InTurnOp, tile::InClusterOp>(op))
          return;
        op->replaceAllUsesWith(mlir::ValueRange(op->getOperand(0)));
        op->erase();
      });
    if (!program.lowerCopy(*copy, Rung::Tile, Rung::Sched)) {
      os << "no plan was found\n";
      continue;
    }
    auto without =
        priceOf(*copy, copy->lookupSymbol<tile::KernelOp>(kernel.getSymName()),
                costs, sizes);
    if (!without)
      return without.takeError();
    os << compare(*with, *without) << "\n";
  }
  return Error::success();
}

Error heddle::tool::printPrices(Program &program, mlir::ModuleOp before,
                                const ArgumentOptions &sizes, raw_ostream &os) {
  for (auto kernel : before.getOps<tile::KernelOp>()) {
    auto pins = sched::readPins(kernel);
    if (failed(pins) || pins->empty())
      continue;
    if (Error error = printKernel(program, before, kernel, *pins, sizes, os))
      return error;
  }
  return Error::success();
}
