//===- SchedDialect.cpp - Plans and their verifier -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan's verifier holds the rung together: every scheduled op has exactly
// one entry, every entry an op, and every name it uses is declared.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::sched;

#include "heddle/Dialect/Sched/SchedDialect.cpp.inc"

#define GET_OP_CLASSES
#include "heddle/Dialect/Sched/SchedOps.cpp.inc"

void SchedDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "heddle/Dialect/Sched/SchedOps.cpp.inc"
      >();
}

StringRef heddle::sched::opName(Operation *op) {
  auto attr = op->getAttrOfType<StringAttr>(kOpName);
  return attr ? attr.getValue() : StringRef();
}

StringRef heddle::sched::originalName(Operation *op) {
  auto attr = op->getAttrOfType<StringAttr>(kOriginal);
  return attr ? attr.getValue() : StringRef();
}

void heddle::sched::nameSubTile(Operation *op, StringRef original,
                                int64_t sub) {
  Builder builder(op->getContext());
  op->setAttr(kOpName, builder.getStringAttr(original + "." + Twine(sub)));
  op->setAttr(kOriginal, builder.getStringAttr(original));
  op->setAttr(kSubIndex, builder.getI64IntegerAttr(sub));
}

void heddle::sched::forgetSubTile(Operation *op) {
  op->removeAttr(kSubIndex);
  op->removeAttr(kOriginal);
}

StringRef heddle::sched::loopName(Operation *op) {
  auto attr = op->getAttrOfType<StringAttr>(kLoopName);
  return attr ? attr.getValue() : StringRef();
}

scf::ForOp heddle::sched::findLoop(Operation *kernel, StringRef name) {
  scf::ForOp found;
  kernel->walk([&](scf::ForOp loop) {
    if (loopName(loop) == name)
      found = loop;
  });
  return found;
}

bool heddle::sched::isUndivided(Operation *op) {
  auto conditional = dyn_cast<scf::IfOp>(op);
  if (!conditional ||
      !llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
    return false;
  return !op->walk([&](Operation *inner) {
              bool computes =
                  inner == op ||
                  isa<scf::IfOp, scf::YieldOp, tile::YieldOp>(inner) ||
                  (isMemoryEffectFree(inner) &&
                   !isa<scf::SCFDialect>(inner->getDialect()) &&
                   !isa<tile::DotOp>(inner));
              return computes ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

bool heddle::sched::isOnlyRead(Operation *op) {
  if (!isa<tile::GatherOp, tile::LoadOp>(op))
    return false;
  tile::MemoryAccess read = *tile::memoryAccess(op);
  auto kernel = op->getParentOfType<tile::KernelOp>();
  return kernel && !kernel
                        .walk([&](Operation *other) {
                          auto access = tile::memoryAccess(other);
                          return access && tile::mayConflict(read, *access)
                                     ? WalkResult::interrupt()
                                     : WalkResult::advance();
                        })
                        .wasInterrupted();
}

bool heddle::sched::isRepeatedInput(Operation *op) {
  return isa<tile::GatherOp, tile::LoadOp>(op) &&
         (!isa<TensorType>(op->getResult(0).getType()) ||
          op->hasAttr(kRepeated)) &&
         isOnlyRead(op);
}

bool heddle::sched::isScheduled(Operation *op) {
  for (Operation *around = op->getParentOp();
       isa_and_present<scf::IfOp>(around); around = around->getParentOp())
    if (isUndivided(around))
      return false;
  if (isUndivided(op))
    return true;
  if (op->hasAttr(kRepeated) && !isa<tile::DotOp>(op) &&
      (!op->getNumRegions() || isa<tile::ReduceOp>(op)) &&
      (isMemoryEffectFree(op) || isRepeatedInput(op)))
    return false;
  if (isa<scf::SCFDialect>(op->getDialect()) ||
      op->hasTrait<OpTrait::IsTerminator>() ||
      op->hasTrait<OpTrait::ConstantLike>() ||
      isa<tile::KernelOp, tile::ParallelOp, tile::ParamOp, tile::SplatOp>(op) ||
      tile::isRenaming(op))
    return false;
  // An op inside another op's region (a combiner) runs with that op.
  Operation *parent = op->getParentOp();
  if (!isa<scf::SCFDialect>(parent->getDialect()) &&
      !isa<tile::KernelOp, tile::ParallelOp>(parent))
    return false;
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>) ||
         (!isMemoryEffectFree(op) && !isRepeatedInput(op));
}

bool heddle::sched::isAsynchronousUnit(StringRef unit) {
  return unit == "tensor";
}

bool heddle::sched::isByRoles(PlanOp plan) {
  return llvm::any_of(
      plan.getBody().getOps<ProcessOp>(),
      [](ProcessOp process) { return process.getUnit().has_value(); });
}

PlanOp heddle::sched::findPlan(Operation *kernel) {
  StringRef name = SymbolTable::getSymbolName(kernel).getValue();
  for (Operation &op : *kernel->getBlock())
    if (auto plan = dyn_cast<PlanOp>(op))
      if (plan.getKernel() == name)
        return plan;
  return {};
}

namespace {

/// Collects what the plan declares, then holds it against the kernel.
class PlanVerifier {
public:
  explicit PlanVerifier(PlanOp plan) : plan(plan) {}

  LogicalResult run() {
    int64_t blocks = plan.getBlocksAttr().getInt();
    if (blocks < 1 || blocks > kMost)
      return reportOp(plan, diag::plan_number)
             << "puts " << blocks
             << " blocks on a multiprocessor; it takes 1 to " << kMost;
    for (Operation &op : plan.getBody().front())
      if (failed(declare(op)))
        return failure();
    for (EntryOp entry : entries)
      if (failed(checkEntry(entry)))
        return failure();
    return checkProgram();
  }

private:
  /// More than any machine has; sums and products of them do not wrap.
  static constexpr int64_t kMost = 65536;

  LogicalResult declare(Operation &op) {
    if (auto process = dyn_cast<ProcessOp>(op)) {
      if (!processes.insert(process.getSym()).second)
        return reportOp(&op, diag::plan_name)
               << "declares process '" << process.getSym() << "' twice";
      int64_t warps = process.getWarpsAttr().getInt();
      int64_t registers = process.getRegistersAttr().getInt();
      if (process.getUnit() && (warps || registers))
        return reportOp(&op, diag::plan_form)
               << "'" << process.getSym() << "' is on unit '"
               << *process.getUnit() << "' and has warps or registers";
      if (process.getUnit())
        return success();
      if (warps < 1 || warps > kMost)
        return reportOp(&op, diag::plan_number)
               << "has " << warps << " warps; a process needs 1 to " << kMost;
      if (registers < 0 || registers > kMost)
        return reportOp(&op, diag::plan_number)
               << "has a budget of " << registers
               << " registers a thread; a process takes 0 to " << kMost;
      return success();
    }
    if (auto ring = dyn_cast<RingOp>(op)) {
      if (!rings.insert(ring.getSym()).second)
        return reportOp(&op, diag::plan_name)
               << "declares ring '" << ring.getSym() << "' twice";
      int64_t depth = ring.getDepthAttr().getInt();
      if (depth < 1 || depth > kMost)
        return reportOp(&op, diag::plan_number)
               << "has depth " << depth << "; a ring needs 1 to " << kMost
               << " slots";
      if (IntegerAttr carries = ring.getCarriesAttr();
          carries && (carries.getInt() < 1 || carries.getInt() > kMost))
        return reportOp(&op, diag::plan_number)
               << "carries " << carries.getInt()
               << " elements a turn; a ring takes 1 to " << kMost;
      if (IntegerAttr rest = ring.getRestAttr();
          rest && (rest.getInt() < 1 || rest.getInt() > kMost))
        return reportOp(&op, diag::plan_number)
               << "has " << rest.getInt()
               << " slots for the rest of groups; a ring needs 1 to " << kMost
               << " slots";
      return success();
    }
    auto table = dyn_cast<TableOp>(op);
    if (!table)
      return reportOp(&op, diag::plan_form)
             << "is not a part of a plan (process, ring or table)";
    if (!tables.insert(table.getLoop()).second)
      return reportOp(&op, diag::plan_name)
             << "schedules loop '" << table.getLoop() << "' twice";
    if (table.getIiAttr().getInt() > 0)
      pipelined.insert(table.getLoop());
    if (table.getIiAttr().getInt() < 0)
      return reportOp(&op, diag::plan_number)
             << "has the negative initiation interval "
             << table.getIiAttr().getInt();
    if (table.getIiAttr().getInt() > kMostCycles)
      return reportOp(&op, diag::plan_number)
             << "has the initiation interval " << table.getIiAttr().getInt()
             << "; a table takes at most " << kMostCycles << " cycles";
    if (table.getAhead() && table.getIiAttr().getInt() == 0)
      return reportOp(&op, diag::plan_form)
             << "prepares operands ahead, but its ops run in program order: it "
                "has no interval";
    if (table.getTail() && table.getIiAttr().getInt() == 0)
      return reportOp(&op, diag::plan_form)
             << "gives the tail a loop of its own, but its ops run in program "
                "order: it has no interval";
    if (table.getControl() &&
        !llvm::is_contained({"replicate", "count", "flag"},
                            *table.getControl()))
      return reportOp(&op, diag::plan_form)
             << "passes control by \"" << *table.getControl()
             << "\"; there are \"replicate\", \"count\" and \"flag\"";
    if (IntegerAttr groups = table.getGroupsAttr()) {
      if (groups.getInt() < 1 || groups.getInt() > kMostIterations)
        return reportOp(&op, diag::plan_number)
               << "has groups of " << groups.getInt()
               << " iterations; a loop takes 1 to " << kMostIterations;
      if (!table.getControl())
        return reportOp(&op, diag::plan_form)
               << "has groups of iterations, which only loops of a plan by "
                  "roles have";
    }
    if (table.getOrders() && !isAsynchronousUnit(*table.getOrders()))
      return reportOp(&op, diag::plan_form)
             << "orders unit '" << *table.getOrders()
             << "', which is not asynchronous: each process has its own";
    for (Operation &entry : table.getBody().front()) {
      if (!isa<EntryOp>(entry))
        return reportOp(&entry, diag::plan_form)
               << "is not an entry of a table";
      entries.push_back(cast<EntryOp>(entry));
    }
    return success();
  }

  /// A group's iterations are written out.
  static constexpr int64_t kMostIterations = 64;
  static constexpr uint64_t kMostIntervals = 32;
  static constexpr int64_t kMostCycles = 1 << 20;

  LogicalResult checkEntry(EntryOp entry) {
    if (!byName.try_emplace(entry.getOp(), entry).second)
      return reportOp(entry, diag::plan_name)
             << "schedules op '" << entry.getOp() << "' a second time";
    if (!processes.contains(entry.getProcess()))
      return reportOp(entry, diag::plan_name)
             << "places '" << entry.getOp() << "' in the undeclared process '"
             << entry.getProcess() << "'";
    if (entry.getRing() && !rings.contains(*entry.getRing()))
      return reportOp(entry, diag::plan_name)
             << "sends '" << entry.getOp() << "' through the undeclared ring '"
             << *entry.getRing() << "'";
    if (entry.getStartAttr().getInt() < 0 ||
        entry.getLatencyAttr().getInt() < 0)
      return reportOp(entry, diag::plan_number)
             << "has a negative start or latency";
    constexpr int64_t kMostTime = kMostCycles * int64_t(kMostIntervals);
    if (int64_t most = std::max(entry.getStartAttr().getInt(),
                                entry.getLatencyAttr().getInt());
        most > kMostTime)
      return reportOp(entry, diag::plan_number)
             << "starts or ends after " << most << " cycles; a table takes at "
             << "most " << kMostTime;
    if (cast<TableOp>(entry->getParentOp()).getIiAttr().getInt() > 0 &&
        isAsynchronousUnit(entry.getUnit()) && entry.getLatency() == 0)
      return reportOp(entry, diag::plan_number)
             << "gives '" << entry.getOp() << "' no latency, but unit '"
             << entry.getUnit() << "' is asynchronous: at least 1 cycle";
    // Each interval is a stage, which the expander peels from both ends; loops
    // that are shorter have code of their own.
    int64_t ii = cast<TableOp>(entry->getParentOp()).getIiAttr().getInt();
    if (ii == 0)
      return success();
    uint64_t stages = uint64_t(entry.getStartAttr().getInt() / ii) +
                      uint64_t(entry.getLatencyAttr().getInt() / ii);
    if (stages > kMostIntervals)
      return reportOp(entry, diag::plan_number)
             << "takes '" << entry.getOp() << "' " << stages
             << " initiation intervals further; a table overlaps at most "
             << kMostIntervals;
    return success();
  }

  LogicalResult checkProgram() {
    Operation *kernel =
        SymbolTable::lookupNearestSymbolFrom(plan, plan.getKernelAttr());
    if (!kernel)
      return reportOp(plan, diag::plan_mismatch)
             << "schedules the unknown kernel @" << plan.getKernel();
    llvm::StringSet<> loops;
    llvm::StringMap<StringRef> loopOf; ///< around an op; "" for none
    WalkResult result = kernel->walk([&](Operation *op) {
      if (StringRef loop = loopName(op); !loop.empty()) {
        loops.insert(loop);
        if (!tables.contains(loop)) {
          report(op, diag::plan_mismatch)
              << "loop '" << loop << "' has no table in the plan of @"
              << plan.getKernel();
          return WalkResult::interrupt();
        }
      }
      StringRef name = opName(op);
      if (name.empty())
        return WalkResult::advance();
      if (!loopOf.try_emplace(name, loopAround(op)).second) {
        report(op, diag::plan_name) << "op name '" << name << "' is used twice";
        return WalkResult::interrupt();
      }
      if (!byName.contains(name)) {
        report(op, diag::plan_mismatch)
            << "op '" << name << "' has no entry in the plan of @"
            << plan.getKernel();
        return WalkResult::interrupt();
      }
      EntryOp entry = byName[name];
      if (entry.getLate() && !mayBeLate(op)) {
        reportOp(entry, diag::plan_late)
            << "is late, but '" << name
            << "' is no store behind a pipelined loop in the loop over "
               "instances";
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    for (EntryOp entry : entries) {
      auto own = loopOf.find(entry.getOp());
      if (own == loopOf.end())
        return reportOp(entry, diag::plan_mismatch)
               << "schedules '" << entry.getOp() << "', which is no op of @"
               << plan.getKernel();
      StringRef loop = cast<TableOp>(entry->getParentOp())
                           .getLoop(); // "" is the kernel itself
      if (!loop.empty() && !loops.contains(loop))
        return reportOp(entry->getParentOp(), diag::plan_mismatch)
               << "schedules '" << loop << "', which is no loop of @"
               << plan.getKernel();
      if (loop != own->second)
        return reportOp(entry, diag::plan_mismatch)
               << "schedules '" << entry.getOp() << "' in " << spell(loop)
               << ", and it stands in " << spell(own->second);
    }
    return success();
  }

  static StringRef loopAround(Operation *op) {
    while ((op = op->getParentOp()))
      if (StringRef loop = loopName(op); !loop.empty())
        return loop;
    return "";
  }

  static std::string spell(StringRef loop) {
    return loop.empty() ? "the table of no loop"
                        : ("loop '" + loop + "'").str();
  }

  /// A late store comes under the pipelined loop of the next instance.
  bool mayBeLate(Operation *op) {
    auto instances = dyn_cast<scf::ForOp>(op->getParentOp());
    if (!isa<tile::StoreOp>(op) || !instances || tile::isOrderedLoop(instances))
      return false;
    return llvm::any_of(instances.getOps<scf::ForOp>(), [&](scf::ForOp loop) {
      return pipelined.contains(loopName(loop)) && loop->isBeforeInBlock(op);
    });
  }

  PlanOp plan;
  llvm::StringSet<> processes, rings, tables, pipelined;
  SmallVector<EntryOp> entries;
  llvm::StringMap<EntryOp> byName;
};

} // namespace

LogicalResult PlanOp::verify() { return PlanVerifier(*this).run(); }
