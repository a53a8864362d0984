//===- FindLines.cpp - The lines of a mapping in a kernel -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation is where an instruction of its name stands. Several may: one
// operation becomes several instructions, in several steps of a pipeline.
//
//===----------------------------------------------------------------------===//

#include "FindLines.h"

#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Sched/Sched.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using namespace heddle::sched;
using Verdict = FoundLine::Verdict;

namespace {

class Finder {
public:
  explicit Finder(hopper::KernelOp kernel) : kernel(kernel) {
    for (auto process : kernel.getOps<hopper::ProcessOp>())
      process.walk([&](mlir::Operation *op) {
        if (StringRef name = opName(op); !name.empty())
          processes[name].insert(process.getSym());
        if (isa<hopper::WgmmaOp>(op))
          multiplying.insert(process.getSym());
        if (auto load = dyn_cast<hopper::TmaLoadOp>(op))
          loadRings.insert(load.getRing());
        noteSum(op);
      });
  }

  FoundLine find(const Pin &pin) {
    FoundLine line{pin.spelling(), pin.place, Verdict::Unseen, ""};
    if (pin.of.empty())
      findOfKernel(pin, line);
    else
      findOfName(pin, line);
    return line;
  }

private:
  /// TMA adds floating-point numbers alone.
  void noteSum(mlir::Operation *op) {
    auto store = dyn_cast<hopper::TmaStoreOp>(op);
    auto sum = dyn_cast<tile::ViewReduceOp>(op);
    auto update = dyn_cast<tile::AtomicRmwOp>(op);
    bool byTma = store && store.getAdd();
    isAdded |= byTma || sum;
    bool isInTurn = !op->getBlock()->getOps<hopper::AwaitTurnOp>().empty();
    isInTurns |= isInTurn && (byTma || sum);
    isInClusters |= isa<hopper::ClusterTileOp>(op);
    isRounded |= (!isInTurn &&
                  (byTma || (sum && sum.getKind() == tile::RmwKind::FAdd))) ||
                 (update && update.getKind() == tile::RmwKind::FAdd);
  }

  static void compare(FoundLine &line, bool isThere, const Twine &instead) {
    line.verdict = isThere ? Verdict::Found : Verdict::Lost;
    if (!isThere)
      line.what = instead.str();
  }
  static void compare(FoundLine &line, int64_t wanted, int64_t there) {
    compare(line, wanted == there, Twine(there));
  }

  void findOfKernel(const Pin &pin, FoundLine &line) {
    if (pin.name == kPinSharedBytes)
      return compare(line, int64_t(kernel.getSharedBytes()) <= pin.number(),
                     Twine(int64_t(kernel.getSharedBytes())) + " B");
    if (pin.name == kPinGroups)
      return compare(line, pin.number(), int64_t(multiplying.size()));
    if (pin.name == kPinSpecialised)
      return compare(line, range_size(kernel.getOps<hopper::ProcessOp>()) > 1,
                     "one process");
    if (pin.name == kPinTogether || pin.name == kPinApart)
      return findProcesses(pin, line);
    if (pin.name == kPinRing)
      return findLoads(pin, line);
    if (pin.name == kPinSplitK)
      return compare(line,
                     isAdded && isInTurns == (pin.word() == kInTurns) &&
                         isInClusters == (pin.word() == kInClusters),
                     isInTurns      ? "sums in turns"
                     : isInClusters ? "sums in clusters"
                     : isAdded      ? "sums in any order"
                                    : "nothing that adds to memory");
    if (pin.name == kPinCluster)
      return compare(line, pin.number(), hopper::clusterBlocks(kernel));
    if (pin.name == kPinDeterministic)
      return compare(line, !pin.flag() || !isRounded,
                     "floating-point numbers added in any order");
    // What is computed goes through no ring if each is one that loads fill.
    if (pin.name == kPinRegisters &&
        all_of(kernel.getOps<hopper::RingOp>(), [&](hopper::RingOp ring) {
          return loadRings.contains(ring.getSym());
        }))
      line.verdict = Verdict::Found;
    for (auto grid : kernel.getOps<hopper::GridOp>()) {
      if (pin.name == kPinPersistent)
        return compare(line, pin.flag() != grid.hasBlockEach(),
                       grid.hasBlockEach() ? "a block for each instance"
                                           : "blocks of several instances");
      // Of a block for each instance the number is an estimate.
      if (pin.name == kPinBlocks && !grid.getEach() && hasRings())
        return compare(line, pin.number(), int64_t(grid.getBlocks()));
    }
    if (pin.name != kPinPipeline || loadRings.empty())
      return;
    for (auto ring : kernel.getOps<hopper::RingOp>())
      if (loadRings.contains(ring.getSym()) && isInLoop(ring))
        compare(line, pin.number(), int64_t(ring.getDepth()));
  }

  void findLoads(const Pin &pin, FoundLine &line) {
    kernel.walk([&](hopper::TmaLoadOp load) {
      auto view = dyn_cast<mlir::BlockArgument>(load.getView());
      if (view && view.getOwner() == &kernel.getEntry() &&
          int64_t(view.getArgNumber()) == pin.argument)
        compare(line, pin.flag(), "a ring");
    });
  }

  bool hasRings() { return !kernel.getOps<hopper::RingOp>().empty(); }

  /// Is it filled in a loop within the loop over instances?
  bool isInLoop(hopper::RingOp ring) {
    return kernel
        .walk([&](hopper::TmaLoadOp load) {
          auto loop = load->getParentOfType<mlir::scf::ForOp>();
          return load.getRing() == ring.getSym() && loop &&
                         loop->getParentOfType<mlir::scf::ForOp>()
                     ? mlir::WalkResult::interrupt()
                     : mlir::WalkResult::advance();
        })
        .wasInterrupted();
  }

  void findProcesses(const Pin &pin, FoundLine &line) {
    auto names = to_vector(
        cast<mlir::ArrayAttr>(pin.value).getAsValueRange<mlir::StringAttr>());
    bool isSeen = false;
    auto compareTwo = [&](const auto &a, const auto &b) {
      bool isOne = any_of(a.second, [&](const auto &process) {
        return b.second.contains(process.getKey());
      });
      if (isOne != (pin.name == kPinTogether))
        compare(line, false, isOne ? "one process" : "two processes");
      isSeen = true;
    };
    for (size_t i = 0; i < names.size(); ++i)
      for (size_t j = i + 1; j < names.size(); ++j)
        for (const auto &a : processes)
          for (const auto &b : processes)
            if (&a != &b &&
                arePaired(names[i], a.first(), names[j], b.first()) &&
                line.verdict != Verdict::Lost)
              compareTwo(a, b);
    if (line.verdict == Verdict::Lost)
      return;
    if (isSeen)
      line.verdict = Verdict::Found;
  }

  void findOfName(const Pin &pin, FoundLine &line) {
    for (auto ring : kernel.getOps<hopper::RingOp>())
      if (pin.name == kPinDepth && ring.getSym() == pin.of)
        return compare(line, pin.number(), int64_t(ring.getDepth()));
    for (auto process : kernel.getOps<hopper::ProcessOp>()) {
      if (process.getSym() != pin.of)
        continue;
      if (pin.name == kPinWarps)
        return compare(line, pin.number(), int64_t(process.getWarps()));
      // Where threads copy what a plan loads, they need registers for that.
      if (pin.name == kPinRegisters && kernel.getTmaArgs().empty())
        return;
      if (pin.name == kPinRegisters)
        return compare(line, pin.number(), int64_t(process.getRegisters()));
    }
    if (pin.name == kPinDepth)
      return compare(line, false, "no such ring");
    if (pin.name == kPinWarps || pin.name == kPinRegisters)
      return compare(line, false, "no such process");
    auto found = processes.find(pin.of);
    if (pin.name == kPinProcess && found != processes.end())
      return compare(
          line, found->second.size() == 1 && found->second.contains(pin.word()),
          join(found->second.keys(), ", "));
    if (pin.name != kPinVia)
      return;
    kernel.walk([&](hopper::TmaLoadOp load) {
      if (opName(load) == pin.of && line.verdict != Verdict::Lost)
        compare(line, load.getRing() == pin.word(), load.getRing());
    });
  }

  hopper::KernelOp kernel;
  StringMap<StringSet<>> processes; ///< by operation
  StringSet<> multiplying, loadRings;
  /// What instances add to memory.
  bool isAdded = false, isInTurns = false, isInClusters = false,
       isRounded = false;
};

} // namespace

std::vector<FoundLine> heddle::tool::findLines(ArrayRef<Pin> pins,
                                               hopper::KernelOp kernel) {
  Finder finder(kernel);
  std::vector<FoundLine> lines;
  for (const Pin &pin : pins)
    lines.push_back(finder.find(pin));
  return lines;
}
