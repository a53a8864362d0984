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
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Units.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <set>

namespace heddle {
#define GEN_PASS_DEF_ASSIGNROLES
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// What an operation reads: its operands, and what its regions read.
llvm::SetVector<Value> readsOf(Operation *op) {
  llvm::SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads;
}

/// What decides how often what stands in `op` is executed.
SmallVector<Value> controlOf(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return {conditional.getCondition()};
  return {};
}

/// The values that `value` is made of, if it is no load: operands, what loops
/// carry, and the control of what it comes out of.
SmallVector<Value> partsOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return {};
    if (argument == loop.getInductionVar())
      return controlOf(loop);
    unsigned number = argument.getArgNumber() - 1;
    return {loop.getInitArgs()[number], loop.getYieldedValues()[number]};
  }
  Operation *def = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  SmallVector<Value> parts = controlOf(def);
  if (auto loop = dyn_cast<scf::ForOp>(def)) {
    parts.push_back(loop.getInitArgs()[number]);
    parts.push_back(loop.getYieldedValues()[number]);
  } else if (isa<scf::IfOp>(def)) {
    for (Region &region : def->getRegions())
      parts.push_back(region.front().getTerminator()->getOperand(number));
  } else {
    parts = readsOf(def).takeVector();
  }
  return parts;
}

/// Which loads may read ahead, what makes their addresses, and how long the
/// chain of loads before each of them is.
class RoleFinder {
public:
  explicit RoleFinder(tile::KernelOp kernel) : kernel(kernel) {
    kernel.walk([&](Operation *op) {
      if (auto access = tile::memoryAccess(op)) {
        accesses.push_back(*access);
        if (access->writes)
          writes.push_back(*access);
      }
    });
    for (const tile::MemoryAccess &access : accesses)
      if (!access.writes)
        decide(access);
    kernel.walk([&](tile::AssertOp check) {
      if (!strangeParent(check) && !findObstacle(inputsOf(check)))
        checks.insert(check);
    });
    for (Operation *load : ahead)
      collect(load);
    for (Operation *check : checks)
      collect(check);
    findLevels();
  }

  bool isAhead(Operation *op) const { return ahead.contains(op); }
  /// An operation on tiles that makes an address or a bound, or what holds it
  /// against others.
  bool isOfAddresses(Operation *op) const {
    return closure.contains(op) || checks.contains(op);
  }
  int64_t levelOf(Operation *op) const { return levels.lookup(op); }
  /// Why a load does not read ahead; "" for others.
  std::string reasonFor(Operation *op) const { return reasons.lookup(op); }
  /// Does the value follow from what a load reads?
  bool comesFromMemory(Value value) const {
    return valueLevels.lookup(value) > 0;
  }

private:
  static std::string nameOf(Operation *op) {
    StringRef name = sched::opName(op);
    return "'" + (name.empty() ? op->getName().getStringRef() : name).str() +
           "'";
  }

  const tile::MemoryAccess *writeTo(const tile::MemoryAccess &access) const {
    for (const tile::MemoryAccess &write : writes)
      if (tile::mayConflict(access, write))
        return &write;
    return nullptr;
  }

  void decide(const tile::MemoryAccess &access) {
    std::string reason;
    if (const tile::MemoryAccess *write = writeTo(access))
      reason = "reads what " + nameOf(write->op) + " may write";
    else if (Operation *around = strangeParent(access.op))
      reason =
          "stands in " + nameOf(around) + ", whose end only who computes knows";
    else if (Operation *obstacle = findObstacle(inputsOf(access.op)))
      reason = "needs an address or a bound from " + nameOf(obstacle) +
               ", which does not read ahead";
    if (reason.empty())
      ahead.insert(access.op);
    else
      reasons[access.op] = std::move(reason);
  }

  /// Of the loops and conditionals around `op`, one that has no roles.
  Operation *strangeParent(Operation *op) const {
    for (Operation *around = op->getParentOp(); around != kernel;
         around = around->getParentOp())
      if (!isa<scf::ForOp, scf::IfOp>(around) || sched::isUndivided(around))
        return around;
    return nullptr;
  }

  /// Its operands, and the control of what it stands in.
  SmallVector<Value> inputsOf(Operation *op) const {
    SmallVector<Value> inputs = readsOf(op).takeVector();
    for (Operation *around = op->getParentOp(); around != kernel;
         around = around->getParentOp())
      llvm::append_range(inputs, controlOf(around));
    return inputs;
  }

  /// The operation because of which one of the values is not known ahead; null
  /// if all are.
  Operation *findObstacle(SmallVector<Value> values) const {
    llvm::SetVector<Value> seen(values.begin(), values.end());
    for (size_t i = 0; i < seen.size(); ++i) {
      Operation *def = seen[i].getDefiningOp();
      if (def && !isa<scf::ForOp, scf::IfOp>(def)) {
        auto access = tile::memoryAccess(def);
        bool isHarmless =
            access ? !access->writes && !writeTo(*access) && !strangeParent(def)
                   : isMemoryEffectFree(def) &&
                         !isa<scf::SCFDialect>(def->getDialect());
        if (!isHarmless)
          return def;
        if (access)
          for (Value input : inputsOf(def))
            seen.insert(input);
      }
      for (Value part : partsOf(seen[i]))
        seen.insert(part);
    }
    return nullptr;
  }

  void collect(Operation *load) {
    SmallVector<Value> inputs = inputsOf(load);
    llvm::SetVector<Value> seen(inputs.begin(), inputs.end());
    for (size_t i = 0; i < seen.size(); ++i) {
      if (Operation *def = seen[i].getDefiningOp();
          def && sched::isScheduled(def) && !ahead.contains(def))
        closure.insert(def);
      for (Value part : partsOf(seen[i]))
        seen.insert(part);
    }
  }

  int64_t highest(ValueRange values) const {
    int64_t level = 0;
    for (Value value : values)
      level = std::max(level, valueLevels.lookup(value));
    return level;
  }

  /// Loads before a value, to a fixed point: what loops carry comes back.
  void findLevels() {
    bool changes = true;
    auto raise = [&](Value value, int64_t level) {
      level = std::min<int64_t>(level, int64_t(ahead.size()));
      int64_t &known = valueLevels[value];
      changes |= level > known;
      known = std::max(known, level);
    };
    while (changes) {
      changes = false;
      kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (op == kernel)
          return;
        SmallVector<Value> inputs = inputsOf(op);
        int64_t level = levels[op] = highest(inputs);
        if (auto loop = dyn_cast<scf::ForOp>(op)) {
          raise(loop.getInductionVar(), highest(controlOf(op)));
          for (Value carried : loop.getRegionIterArgs())
            raise(carried, highest(partsOf(carried)));
        }
        for (Value result : op->getResults())
          raise(result, isa<scf::ForOp, scf::IfOp>(op)
                            ? highest(partsOf(result))
                            : level + isAhead(op));
      });
    }
  }

  tile::KernelOp kernel;
  std::vector<tile::MemoryAccess> accesses, writes;
  llvm::SetVector<Operation *> ahead, checks;
  DenseSet<Operation *> closure;
  DenseMap<Operation *, std::string> reasons;
  DenseMap<Operation *, int64_t> levels;
  DenseMap<Value, int64_t> valueLevels;
};

int64_t bytesOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !tile.hasStaticShape() || !tile.getElementType().isIntOrFloat())
    return 8;
  return tile.getNumElements() *
         llvm::divideCeil(tile.getElementTypeBitWidth(), 8);
}

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
        ringBytes.back().second += bytesOf(op->getResult(0).getType());
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
      ringBytes.back().second += bytesOf(op->getResult(0).getType());
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

  void write() {
    findRings();
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
    llvm::StringMap<int64_t> depths = findDepths();
    for (auto &[ring, bytes] : ringBytes)
      sched::RingOp::create(builder, loc, ring, depths.lookup(ring),
                            IntegerAttr());
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
        control);
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
  DenseMap<Operation *, std::string> ringOf;
  std::vector<std::pair<std::string, int64_t>> ringBytes; ///< in order
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
