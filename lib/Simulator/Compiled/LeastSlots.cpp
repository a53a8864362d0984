//===- LeastSlots.cpp - Rings that are just deep enough -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collect: one run that begins with a slot for each ring and gives one more
// wherever processes wait in a circle (Parks, 1995). Decide: ring by ring, the
// fewest slots with which the others' suffice. More slots never make a
// deadlock, so halving finds them, and so what one ring cannot spare stays
// needed when the next ones get fewer.
//
//===----------------------------------------------------------------------===//

#include "heddle/Simulator/LeastSlots.h"

#include "heddle/Dialect/Aref/Aref.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

using Outcome = CompiledSimulator::Outcome;

namespace {

class LeastSlots {
public:
  LeastSlots(CompiledSimulator &simulator, tile::KernelOp kernel,
             FreshArguments fresh, const Options &options, std::string &reason)
      : simulator(simulator), kernel(kernel), fresh(fresh), options(options),
        reason(reason) {}

  FailureOr<std::vector<RingSlots>> find() {
    auto ops = llvm::to_vector(kernel.getEntry().getOps<aref::RingOp>());
    probe.slots.assign(ops.size(), 1);
    probe.grows = true;
    if (run() != Outcome::Finished)
      return failure();
    probe.grows = false;
    std::vector<RingSlots> rings(ops.size());
    for (size_t number = 0; number < ops.size(); ++number) {
      if (failed(lower(number, rings[number].circle)))
        return failure();
      rings[number].ring = ops[number].getSym().str();
      rings[number].slots = probe.slots[number];
      ops[number].setDepth(probe.slots[number]);
    }
    return rings;
  }

private:
  Outcome run() {
    std::vector<interp::Argument> arguments = fresh();
    return simulator.probe(kernel, arguments, probe, options, reason);
  }

  /// The fewest slots of one ring; `circle` says why not one less.
  LogicalResult lower(size_t number, std::string &circle) {
    int64_t tooFew = 0, enough = probe.slots[number];
    while (enough - tooFew > 1) {
      // Most rings can spare nothing of what they got.
      int64_t slots = circle.empty() ? enough - 1 : (tooFew + enough) / 2;
      probe.slots[number] = slots;
      switch (run()) {
      case Outcome::Finished:
        enough = slots;
        break;
      case Outcome::Stuck:
        tooFew = slots;
        circle = probe.circle;
        break;
      default:
        return failure();
      }
    }
    probe.slots[number] = enough;
    return success();
  }

  CompiledSimulator &simulator;
  tile::KernelOp kernel;
  FreshArguments fresh;
  const Options &options;
  std::string &reason;
  CompiledSimulator::Probe probe;
};

} // namespace

FailureOr<std::vector<RingSlots>>
heddle::simulator::findLeastSlots(CompiledSimulator &simulator,
                                  tile::KernelOp kernel, FreshArguments fresh,
                                  const Options &options, std::string &reason) {
  return LeastSlots(simulator, kernel, fresh, options, reason).find();
}
