//===- AssignRoles.cpp - Who reads ahead and who computes -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a named kernel, and a machine with units that read ahead and a unit that
// computes. Out: a plan by roles. A load may read ahead if the kernel writes
// nothing that it reads, and its address, the bounds of the loops and the
// conditions around it follow from numbers and from loads of this kind alone.
// All that makes these goes with it, and so does an assertion on such numbers.
// A process never waits for its own load where the machine has a further unit,
// so the n-th load of a chain of addresses is in the n-th process. Everything
// else is in the last process, and each load among it has a reason.
//
// Loads that only who computes reads, in one place of the program, are one
// process's and share a turn, which costs him more than what it carries. For
// the same reason several iterations may go together (GroupTurns).
//
//===----------------------------------------------------------------------===//

#include "GroupTurns.h"
#include "LoopParts.h"
#include "RoleFinder.h"
#include "UnitPrices.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Units.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <set>

namespace heddle {
#define GEN_PASS_DEF_ASSIGNROLES
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// Writes the plan of one kernel.
class RoleWriter {
public:
  RoleWriter(tile::KernelOp kernel, const machine::Units &units,
             StringRef access, StringRef execute)
      : kernel(kernel), units(units), access(access), execute(execute),
        roles(kernel) {}

  LogicalResult run() {
    for (StringRef name : {access, execute})
      if (!units.findUnit(name.str()))
        return report(kernel, diag::machine)
               << units.name << " has no unit '" << name
               << "'; roles are given on machines that have one";
    place();
    joinLoads();
    findRings();
    depths = findDepths();
    findGroups();
    write();
    return success();
  }

private:
  /// The process of each operation: by the length of its chain of loads, or the
  /// last one.
  void place() {
    std::set<int64_t> used;
    kernel.walk([&](Operation *op) {
      if (roles.isAhead(op))
        used.insert(roles.levelOf(op));
    });
    int64_t most = units.findUnit(access.str())->count;
    for (int64_t level : used)
      processOfLevel[level] =
          std::min<int64_t>(int64_t(processOfLevel.size()), most - 1);
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!roles.isAhead(op))
        return;
      int64_t number = processOfLevel[roles.levelOf(op)];
      if (int64_t(names.size()) <= number)
        names.resize(number + 1);
      if (names[number].empty())
        names[number] = unique("read_" + viewOf(op));
    });
    names.push_back(unique(execute.str()));
  }

  /// Loads of a block that only who computes reads stand side by side, in the
  /// process of the one with the longest chain of addresses.
  void joinLoads() {
    kernel.walk([&](Block *block) {
      SmallVector<Operation *> joined;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        if (!isa<tile::LoadOp>(op) || !roles.isAhead(&op) ||
            readersOf(&op) != std::set<StringRef>{names.back()})
          continue;
        if (joined.empty() || !moveTogether(joined, &op))
          joined.clear();
        joined.push_back(&op);
        int64_t number = 0;
        for (Operation *load : joined)
          number = std::max(number, processOfLevel[roles.levelOf(load)]);
        if (joined.size() > 1)
          for (Operation *load : joined)
            moved[load] = number;
      }
    });
  }

  /// What reads ahead may be read earlier, or later up to where it is needed.
  static bool moveTogether(ArrayRef<Operation *> joined, Operation *op) {
    auto standsBehind = [&](Operation *user, Operation *place) {
      Operation *here = place->getBlock()->findAncestorOpInBlock(*user);
      return !here || !here->isBeforeInBlock(place);
    };
    if (llvm::all_of(op->getOperands(), [&](Value operand) {
          Operation *def = operand.getDefiningOp();
          return !def || def->getBlock() != op->getBlock() ||
                 def->isBeforeInBlock(joined.back());
        })) {
      op->moveAfter(joined.back());
      return true;
    }
    for (Operation *load : joined)
      for (Operation *user : load->getUsers())
        if (!standsBehind(user, op))
          return false;
    for (Operation *load : joined)
      load->moveBefore(op);
    return true;
  }

  std::string unique(std::string base) {
    std::string name = base;
    for (int count = 2; !taken.insert(name).second; ++count)
      name = base + "_" + std::to_string(count);
    return name;
  }

  /// What its name says that it reads.
  static std::string viewOf(Operation *op) {
    StringRef name = sched::opName(op);
    name.consume_front("load_");
    return name.split('.').first.str();
  }

  StringRef processOf(Operation *op) const {
    if (auto it = moved.find(op); it != moved.end())
      return names[it->second];
    bool isAccess = roles.isAhead(op);
    if (!isAccess && roles.isOfAddresses(op))
      isAccess = processOfLevel.contains(roles.levelOf(op));
    return isAccess ? names[processOfLevel.lookup(roles.levelOf(op))]
                    : names.back();
  }

  /// Neighbouring loads have one ring if the same processes need what they
  /// read: a turn costs its consumer more than what it carries.
  void findRings() {
    Operation *before = nullptr;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool isMade = !roles.isAhead(op) && roles.isOfAddresses(op) &&
                    op->getNumResults() == 1 &&
                    isa<TensorType>(op->getResult(0).getType()) &&
                    isNeededElsewhere(op);
      if (isMade) {
        ringBytes.emplace_back(unique(sched::opName(op).str()), 0);
        ringOf[op] = ringBytes.back().first;
        ringBytes.back().second += bytesInSlot(op->getResult(0).getType());
        before = nullptr;
      }
      if (!roles.isAhead(op))
        return;
      bool joins = before && before->getBlock() == op->getBlock() &&
                   before->getName() == op->getName() &&
                   processOf(before) == processOf(op) &&
                   readersOf(before) == readersOf(op) &&
                   onlyLoadsBetween(before, op);
      if (!joins)
        ringBytes.emplace_back(unique(viewOf(op)), 0);
      ringOf[op] = ringBytes.back().first;
      ringBytes.back().second += bytesInSlot(op->getResult(0).getType());
      before = op;
    });
  }

  /// The processes that need what the operation makes, by itself or in a number
  /// that they repeat.
  std::set<StringRef> readersOf(Operation *op) const {
    std::set<StringRef> found;
    llvm::SetVector<Operation *> readers(op->user_begin(), op->user_end());
    for (size_t i = 0; i < readers.size(); ++i) {
      if (!sched::opName(readers[i]).empty())
        found.insert(processOf(readers[i]));
      else
        readers.insert(readers[i]->user_begin(), readers[i]->user_end());
    }
    return found;
  }
  bool isNeededElsewhere(Operation *op) const {
    std::set<StringRef> readers = readersOf(op);
    readers.erase(processOf(op));
    return !readers.empty();
  }

  bool onlyLoadsBetween(Operation *first, Operation *last) const {
    for (Operation *op = first->getNextNode(); op != last;
         op = op->getNextNode())
      if (sched::isScheduled(op) || op->getNumRegions())
        return false;
    return true;
  }

  /// As many slots as the machine's storage holds, few bytes first: what small
  /// rings leave is for large ones. Rings that carry numbers of loops, which
  /// expansion adds, have their share: room for five of them.
  llvm::StringMap<int64_t> findDepths() const {
    constexpr int64_t kMost = 128;
    constexpr int64_t kNumbers = 5 * 8 * sched::kDepthOfNumbers;
    auto rings = ringBytes;
    llvm::stable_sort(rings, [](const auto &a, const auto &b) {
      return a.second < b.second;
    });
    llvm::StringMap<int64_t> depths;
    int64_t room = units.ringBytes - kNumbers;
    for (auto [number, ring] : llvm::enumerate(rings)) {
      int64_t share = room / int64_t(rings.size() - number);
      int64_t depth = std::clamp<int64_t>(
          share / std::max<int64_t>(1, ring.second), 1, kMost);
      depths[ring.first] = depth;
      room = std::max<int64_t>(0, room - depth * ring.second);
    }
    return depths;
  }

  /// How many iterations of innermost loops go together.
  void findGroups() {
    kernel.walk([&](scf::ForOp loop) {
      if (!isInnermost(loop) || !loop.getInductionVar().getType().isIndex() ||
          loop.getUnsignedCmp())
        return;
      IterationOnUnits iteration = describe(loop);
      if (iteration.rings.empty())
        return;
      GroupsOfLoop chosen =
          chooseGroups(iteration, units, *units.findUnit(access.str()),
                       *units.findUnit(execute.str()));
      if (chosen.iterations > 1)
        groups[loop] = chosen.iterations;
      for (auto [ring, slots] : llvm::zip(iteration.rings, chosen.slots)) {
        depths[ring.name] = slots.first;
        rests[ring.name] = slots.second;
      }
    });
  }

  /// Lines that a load asks for: neighbours share theirs, what memory names
  /// does not.
  double linesOf(Operation *op) const {
    double lines = double(bytesInSlot(op->getResult(0).getType())) /
                   double(units.lineBytes);
    bool isNamed = llvm::any_of(op->getOperands(), [&](Value operand) {
      return roles.comesFromMemory(operand);
    });
    return isNamed ? std::ceil(lines) : lines;
  }

  /// What who computes does for all iterations of a run together: he is told
  /// how many there are, and goes through the loop around.
  int64_t workAround(scf::ForOp loop) const {
    const machine::Unit &unit = *units.findUnit(execute.str());
    UnitPrices prices(unit);
    bool isTold = llvm::any_of(controlOf(loop), [&](Value value) {
      return roles.comesFromMemory(value);
    });
    int64_t work = isTold ? unit.turn + unit.number : 0;
    for (Operation &op : *loop->getBlock())
      if (!op.getNumRegions() &&
          (sched::opName(&op).empty() || processOf(&op) == names.back()))
        work += prices.issueOf(&op);
    return work;
  }

  /// What who computes executes in an iteration.
  std::vector<StepOfLoop> stepsOf(scf::ForOp loop,
                                  const UnitPrices &prices) const {
    std::vector<StepOfLoop> steps;
    llvm::DenseMap<Value, size_t> makers, carried;
    for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      carried[argument] = number;
    SmallVector<std::pair<size_t, size_t>> fromBefore; // step, what is carried
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (!sched::opName(&op).empty() && processOf(&op) != names.back())
        continue;
      StepOfLoop step;
      step.latency = prices.latencyOf(&op);
      step.isEarly = isMemoryEffectFree(&op);
      op.walk([&](Operation *inner) {
        step.issue += prices.issueOf(inner);
        for (Value read : inner->getOperands()) {
          if (auto it = makers.find(read); it != makers.end()) {
            step.reads.push_back(it->second);
            step.isEarly &= steps[it->second].isEarly;
          }
          if (auto it = carried.find(read); it != carried.end()) {
            fromBefore.emplace_back(steps.size(), it->second);
            step.isEarly = false;
          }
        }
      });
      for (Value result : op.getResults())
        makers[result] = steps.size();
      steps.push_back(std::move(step));
    }
    for (auto [number, argument] : fromBefore)
      if (auto it = makers.find(loop.getYieldedValues()[argument]);
          it != makers.end())
        steps[number].before.push_back(it->second);
    return steps;
  }

  /// What an iteration takes. No rings if who computes gets nothing in it.
  IterationOnUnits describe(scf::ForOp loop) const {
    IterationOnUnits made;
    llvm::StringMap<ShareOfLoop> shares;
    UnitPrices toRead(*units.findUnit(access.str()));
    UnitPrices toCompute(*units.findUnit(execute.str()));
    std::set<std::string> known;
    made.steps = stepsOf(loop, toCompute);
    bool isRead = false;
    loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      StringRef process =
          sched::opName(op).empty() ? names.back() : processOf(op);
      ShareOfLoop &share = shares[process];
      if (process != names.back())
        share.work += toRead.issueOf(op);
      auto ring = ringOf.find(op);
      if (ring == ringOf.end())
        return;
      TypeRange payload = op->getResultTypes();
      made.lines += linesOf(op);
      bool isNew = known.insert(ring->second).second;
      share.turns += isNew;
      if (isNew)
        made.rings.push_back({ring->second, depths.lookup(ring->second)});
      for (StringRef reader : readersOf(op)) {
        if (reader == process)
          continue;
        ShareOfLoop &other = shares[reader];
        isRead |= reader == names.back();
        other.turns += isNew;
        other.work +=
            (reader == names.back() ? toCompute : toRead).takeOf(payload);
      }
    });
    if (!isRead)
      return {};
    for (auto &[process, share] : shares)
      if (process == names.back())
        made.execute = share;
      else
        made.access.push_back(share);
    made.outside = workAround(loop);
    return made;
  }

  void write() {
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfter(kernel);
    Location loc = kernel.getLoc();
    auto plan = sched::PlanOp::create(builder, loc, kernel.getSymName(), 1);
    plan->setAttr(sched::kMachine, builder.getStringAttr(units.name));
    builder.createBlock(&plan.getBody());
    for (const std::string &name : names)
      sched::ProcessOp::create(
          builder, loc, name, 0, 0,
          builder.getStringAttr(name == names.back() ? execute : access));
    for (auto &[ring, bytes] : ringBytes) {
      auto rest = rests.find(ring);
      sched::RingOp::create(
          builder, loc, ring, depths.lookup(ring), IntegerAttr(),
          rest == rests.end() ? IntegerAttr()
                              : builder.getI64IntegerAttr(rest->second));
    }
    kernel.walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op))
        writeTable(builder, op, sched::loopName(op));
    });
    writeTable(builder, kernel, "");
  }

  Operation *tableOf(Operation *op) const {
    Operation *parent = op->getParentOp();
    while (!isa<scf::ForOp, scf::WhileOp>(parent) && parent != kernel)
      parent = parent->getParentOp();
    return parent;
  }

  void writeTable(OpBuilder &builder, Operation *owner, StringRef name) {
    SmallVector<Operation *> ops;
    owner->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != owner && !sched::opName(op).empty() && tableOf(op) == owner)
        ops.push_back(op);
    });
    if (ops.empty() && name.empty())
      return;
    bool fromMemory = llvm::any_of(controlOf(owner), [&](Value value) {
      return roles.comesFromMemory(value);
    });
    StringAttr control =
        isa<scf::ForOp>(owner)
            ? builder.getStringAttr(fromMemory ? "count" : "replicate")
            : StringAttr();
    auto table = sched::TableOp::create(
        builder, owner->getLoc(), builder.getStringAttr(name),
        builder.getI64IntegerAttr(0), StringAttr(), UnitAttr(), UnitAttr(),
        control,
        groups.contains(owner) ? builder.getI64IntegerAttr(groups[owner])
                               : IntegerAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&table.getBody());
    for (Operation *op : ops)
      writeEntry(builder, op);
  }

  void writeEntry(OpBuilder &builder, Operation *op) {
    StringRef process = processOf(op);
    auto ring = ringOf.find(op);
    auto entry = sched::EntryOp::create(
        builder, op->getLoc(), builder.getStringAttr(sched::opName(op)),
        builder.getStringAttr(process == names.back() ? execute : access),
        builder.getI64IntegerAttr(0), builder.getI64IntegerAttr(0),
        builder.getStringAttr(process),
        ring == ringOf.end() ? StringAttr()
                             : builder.getStringAttr(ring->second),
        UnitAttr(), UnitAttr());
    if (std::string reason = roles.reasonFor(op); !reason.empty()) {
      entry->setAttr(sched::kBecause, builder.getStringAttr(reason));
      report(op, diag::role_left) << "'" << sched::opName(op)
                                  << "' stays with who computes: it " << reason;
    }
  }

  tile::KernelOp kernel;
  const machine::Units &units;
  StringRef access, execute; ///< the names of units
  RoleFinder roles;
  llvm::DenseMap<int64_t, int64_t> processOfLevel;
  std::vector<std::string> names; ///< of processes, in the order of the chain
  llvm::StringSet<> taken;
  DenseMap<Operation *, int64_t> moved; ///< to which process
  DenseMap<Operation *, std::string> ringOf;
  std::vector<std::pair<std::string, int64_t>> ringBytes; ///< in order
  llvm::StringMap<int64_t> depths, rests;
  DenseMap<Operation *, int64_t> groups; ///< iterations of loops
};

struct AssignRolesPass : heddle::impl::AssignRolesBase<AssignRolesPass> {
  using AssignRolesBase::AssignRolesBase;

  void runOnOperation() override {
    machine::Units units;
    std::string error;
    if (!machine::findUnits(machine, units, error)) {
      report(getOperation(), diag::machine) << error;
      return signalPassFailure();
    }
    SmallVector<tile::KernelOp> kernels;
    getOperation().walk(
        [&](tile::KernelOp kernel) { kernels.push_back(kernel); });
    for (tile::KernelOp kernel : kernels)
      if (failed(RoleWriter(kernel, units, access, execute).run()))
        return signalPassFailure();
  }
};

} // namespace
