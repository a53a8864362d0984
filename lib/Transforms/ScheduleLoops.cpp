//===- ScheduleLoops.cpp - Find a schedule, write its table -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a split, named kernel. Out: the same kernel and its sched.plan. Loops
// worth pipelining are exported, solved and written as tables; the ops around
// them run in program order (ii 0) in the process that owns their operands. A
// kernel without such a loop becomes one process, with a remark. Instead of
// finding a schedule, the pass takes a plan from a file.
//
//===----------------------------------------------------------------------===//

#include "ChooseWarps.h"
#include "CopyingWarps.h"
#include "DeclinedLoops.h"
#include "DescribeLoop.h"
#include "ExportProblem.h"
#include "KeepPins.h"
#include "LateStores.h"
#include "LoopProposal.h"
#include "OperationCosts.h"
#include "SeveralLoops.h"
#include "StreamedLoads.h"
#include "UnevenWork.h"
#include "UsePlan.h"

#include "heddle/Analysis/FindCosts.h"
#include "heddle/Analysis/Products.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Dialect/Tile/Turns.h"
#include "heddle/Plan/Choose.h"
#include "heddle/Plan/Epilogue.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace heddle {
#define GEN_PASS_DEF_SCHEDULELOOPS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// What a table entry will say.
struct Placement {
  std::string unit, process, ring;
  int64_t start = 0, latency = 0;
  bool isLate = false;
};

class KernelScheduler {
public:
  KernelScheduler(tile::KernelOp kernel, uint64_t seed, plan::Method method,
                  const machine::Costs &costs, int64_t kept,
                  const PlanLines &lines)
      : kernel(kernel), lines(lines), seed(seed), method(method), kept(kept),
        costs(costs), epilogue(int64_t(costs.registers.overhead) +
                                   int64_t(costs.registers.spare),
                               costs.choices.deferring) {}

  LogicalResult run() {
    Proposal chosen = choose();
    if (isMisread)
      return failure();
    blocks = chosen.blocks;
    costs = chosen.costs;
    for (const SolvedLoop &solved : chosen.loops)
      if (failed(takeLoop(solved)))
        return failure();
    processes = chosen.processes();
    if (!chosen.fitsRegisters())
      return reportCrowded(chosen.loops, chosen.registers());
    if (!kernel->hasAttr(sched::kOneProcess))
      reportDeclinedLoops(kernel);
    if (processes.empty())
      processes.push_back(
          {"main", lines.warpsOf("main").value_or(chooseWarps(kernel, costs)),
           0});
    placeOperandsFromOutside();
    placeRest();
    repeatForProcesses();
    placeStreams();
    giveRingsOutside();
    isDealt = dealsOut();
    delayStores();
    write();
    return success();
  }

private:
  /// What there is to plan.
  SolvedLoop describe(scf::ForOp loop, const machine::Costs &share,
                      int64_t blocks, int64_t storing) {
    SolvedLoop solved;
    solved.loop = loop;
    solved.exported = exportProblem(kernel, loop, share, storing);
    divideCopies(solved.exported, share, [&](tile::LoadOp load) {
      StringRef process = lines.processOf(sched::opName(load)).value_or("load");
      return lines.warpsOf(process).value_or(4) / 4;
    });
    solved.described = describeLoop(loop, solved.exported, costs);
    // Whatever is legal may be drawn.
    solved.described.problem.loadsApart = !seed;
    // A whole multiprocessor's registers leave what ptxas wants, a share may
    // not.
    int64_t &beside = solved.described.problem.machine.overheadRegisters;
    if (blocks > 1)
      beside = std::max(beside, int64_t(costs.registers.wanted));
    return solved;
  }

  SolvedLoop solve(scf::ForOp loop, const machine::Costs &share, int64_t blocks,
                   int64_t storing) {
    SolvedLoop solved = describe(loop, share, blocks, storing);
    isMisread |= failed(lines.pinLoop(solved.exported, solved.described));
    if (seed)
      solved.plan = plan::drawLoop(solved.described, seed);
    else if (auto stated = lines.stated(solved.described))
      solved.plan = *stated;
    else
      solved.plan = plan::chooseLoop(solved.described, method);
    return solved;
  }

  /// All loops, if `storing` processes keep memory to store through; 0: as many
  /// as there may be. Each loop leaves so much shared memory to the others.
  Proposal propose(int64_t blocks, int64_t storing,
                   ArrayRef<int64_t> left = {}) {
    Proposal proposal;
    proposal.blocks = blocks;
    proposal.costs = shareOf(blocks);
    kernel.walk([&](scf::ForOp loop) {
      if (!isPipelined(loop))
        return;
      machine::Costs share = proposal.costs;
      if (!left.empty())
        share.limits.sharedBytesPerBlock -= left[proposal.loops.size()];
      SolvedLoop next = solve(loop, share, blocks, storing);
      if (!isFixed() && pinToHolders(proposal.loops, next))
        next.plan = plan::chooseLoop(next.described, plan::Method::Heuristic);
      proposal.loops.push_back(std::move(next));
    });
    return proposal;
  }

  machine::Costs shareOf(int64_t blocks) const {
    machine::Costs share = costs;
    share.limits = machine::shareOf(costs.limits, blocks);
    share.limits.sharedBytesPerBlock -= kept;
    return share;
  }

  /// Threads of a block, at most, if so many share a multiprocessor: what its
  /// registers hold is known before a schedule is, and a search takes its time.
  int64_t mostThreads(int64_t blocks) {
    machine::Costs share = shareOf(blocks);
    int64_t computing = 0;
    bool isKnown = true;
    kernel.walk([&](scf::ForOp loop) {
      if (!isPipelined(loop))
        return;
      std::optional<int> most = schedule::mostDivision(
          describe(loop, share, blocks, 0).described.problem);
      isKnown &= most.has_value();
      computing = std::max<int64_t>(computing, most.value_or(0));
    });
    return isKnown ? costs.limits.threadsPerGroup * (computing + 1)
                   : costs.limits.threadsPerMultiprocessor;
  }

  /// Lines that somebody fixed, and what was drawn, are kept as they are.
  bool isFixed() const { return seed || lines.steer(); }

  /// The same, with the rings of all loops in shared memory together.
  Proposal proposeTogether(int64_t blocks, int64_t storing) {
    Proposal apart = propose(blocks, storing);
    if (isFixed() || !apart.isSolved())
      return apart;
    std::vector<int64_t> left = leftToOthers(apart.loops);
    if (left.empty())
      return apart;
    Proposal together = propose(blocks, storing, left);
    return together.isSolved() ? together : apart;
  }

  /// Fewer processes than sub-tiles keep less memory to store through, and
  /// rings get what is left.
  Proposal propose(int64_t blocks) {
    Proposal all = proposeTogether(blocks, 0);
    int64_t subTiles = all.subTiles();
    int64_t most = all.isSolved() ? all.storing() : subTiles / 2;
    for (int64_t storing = most;
         storing > 0 && storing < subTiles && !isMisread; storing /= 2) {
      Proposal fewer = proposeTogether(blocks, storing);
      if (fewer.isSolved() && fewer.storing() <= storing)
        return fewer;
      // What was found in less memory stays.
      if (all.isSolved())
        break;
    }
    return all;
  }

  /// Additions to memory wait for the L2 that all blocks share, and no number
  /// of the machine says how many it takes.
  bool addsToMemory() {
    return kernel
        .walk([](Operation *op) {
          return isa<tile::ViewReduceOp, tile::AtomicRmwOp>(op)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  Proposal choose() {
    std::optional<int64_t> pinned = lines.blocks();
    return pinned ? propose(*pinned) : chooseBlocks();
  }

  /// A loop that leaves units idle, because each of its steps waits for the one
  /// before, is executed by several blocks at once while their shares suffice.
  Proposal chooseBlocks() {
    Proposal best = propose(1);
    if (seed || best.loops.empty() || !best.isSolved() || addsToMemory())
      return best;
    const machine::Limits &limits = costs.limits;
    int64_t threads = best.threads();
    for (int64_t blocks = 2;
         blocks <= limits.blocksPerMultiprocessor &&
         blocks * threads <= limits.threadsPerMultiprocessor;
         ++blocks) {
      // A share that makes one process do the work of several gains nothing.
      if (mostThreads(blocks) < threads)
        break;
      Proposal next = propose(blocks);
      if (!next.isSolved() || !next.fitsRegisters() || !next.fitsProducts() ||
          next.threads() < threads ||
          !plan::isWorthMoreBlocks(next.cycles(), best.cycles()))
        break;
      best = std::move(next);
    }
    return best;
  }

  LogicalResult takeLoop(const SolvedLoop &solved) {
    const auto &[loop, exported, described, plan] = solved;
    if (!plan.outcome.solution)
      return reportUnsolved(loop, exported, plan.outcome.reason,
                            bool(lines.steer()));
    const schedule::Solution &solution = *plan.outcome.solution;
    if (plan::isThorough(method) && !lines.steer() &&
        solution.ii > plan.outcome.lowerBound)
      reportGap(loop, described.problem, solution.ii);
    intervals[exported.problem.loop] = solution.ii;
    epilogue.addLoop(described.problem, solution);
    if (plan.orderedUnit >= 0)
      orders[exported.problem.loop] =
          exported.problem.units[plan.orderedUnit].name;
    if (plan.prefetchesOperands)
      ahead.insert(exported.problem.loop);
    if (plan.splitsTail)
      tails.insert(exported.problem.loop);
    outerDepth = std::max(outerDepth, exported.outerDepth);
    streamDepth = std::min(streamDepth, exported.streamDepth);
    for (auto [i, op] : llvm::enumerate(exported.ops)) {
      const schedule::Operation &description = exported.problem.operations[i];
      placements[op] = {
          exported.problem.units[description.unit].name,
          solution.processes[solution.process[i]].name, "", solution.start[i],
          solution.latencyOf(exported.problem, static_cast<int>(i))};
    }
    for (const schedule::Ring &ring : solution.rings) {
      bool taken = llvm::any_of(
          rings, [&](auto &known) { return known.name == ring.name; });
      std::string name =
          taken ? ring.name + "." + exported.problem.loop : ring.name;
      rings.push_back({name, ring.depth, {}});
      for (int op : ring.operations)
        placements[exported.ops[op]].ring = name;
    }
    return success();
  }

  /// The process that loads for a pipelined loop; "" without one.
  std::string loader() const {
    for (const auto &[op, placement] : placements)
      if (isa<tile::LoadOp>(op) && placement.unit == "tma")
        return placement.process;
    return "";
  }

  /// It loads for the loop from outside, too.
  void placeOperandsFromOutside() {
    std::string process = loader();
    if (process.empty())
      return;
    for (tile::LoadOp load : operandsFromOutside(kernel)) {
      std::string ring = sched::opName(load).str();
      placements[load] = {"tma", process, ring, 0, 0};
      rings.push_back({ring, lines.depthOf(ring).value_or(outerDepth), {}});
    }
  }

  /// And for loops that are not pipelined, if their readers have a process.
  void placeStreams() {
    std::string process = loader();
    if (process.empty() || streamDepth == 0)
      return;
    for (tile::LoadOp load : streamedLoads(kernel)) {
      Placement &placement = placements[load];
      bool isRead = llvm::all_of(load->getUses(), [&](OpOperand &use) {
        return readerOf(use) == placement.process;
      });
      if (placement.process == process || !isRead)
        continue;
      std::string ring = sched::opName(load).str();
      placement = {"tma", process, ring, 0, 0};
      rings.push_back({ring, lines.depthOf(ring).value_or(streamDepth), {}});
    }
  }

  /// Program order for what no table holds yet, next to its operands, or to its
  /// users if it has none.
  void placeRest() {
    SmallVector<Operation *> rest;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (sched::isScheduled(op) && !placements.count(op))
        rest.push_back(op);
    });
    for (Operation *op : rest) {
      std::string process;
      op->walk([&](Operation *inner) { // what a region captures, too
        for (Value operand : inner->getOperands())
          if (process.empty())
            process = ownerOf(operand);
      });
      if (!process.empty())
        place(op, process);
    }
    for (Operation *op : llvm::reverse(rest)) {
      if (placements.count(op))
        continue;
      std::string process = firstUserOf(op);
      // Those that load come first. Who only asserts reads its numbers from
      // memory, which computing processes would wait for, and do otherwise the
      // same.
      if (process.empty())
        process = isa<tile::AssertOp>(op) ? processes.front().name
                                          : processes.back().name;
      place(op, process);
    }
  }

  /// The process of a user that has one, behind what hands it on, too.
  std::string firstUserOf(Operation *op) {
    std::string process;
    for (OpOperand &use : op->getUses()) {
      process = holderOf(use);
      Operation *user = use.getOwner(), *around = user->getParentOp();
      if (isa<scf::YieldOp>(user) && isa<scf::ForOp, scf::IfOp>(around))
        for (OpOperand &behind :
             around->getResult(use.getOperandNumber()).getUses())
          process = process.empty() ? readerOf(behind) : process;
      while (user != kernel && !placements.count(user))
        user = user->getParentOp();
      if (process.empty() && user != kernel)
        process = placements[user].process;
      if (!process.empty())
        break;
    }
    return process;
  }

  /// May several processes do it, each for itself? What it reads, nobody
  /// writes.
  bool isRepeatable(Operation *op) {
    if (op->getNumRegions() || op->getNumResults() != 1 ||
        isa<tile::DotOp, tile::StageOp>(op) || !placements[op].ring.empty() ||
        placements[op].start != 0 || intervals.lookup(loopAround(op)) > 0 ||
        op->hasAttr(tile::kInOrderAttr))
      return false;
    return isMemoryEffectFree(op) || sched::isOnlyRead(op);
  }

  StringRef loopAround(Operation *op) {
    auto loop = op->getParentOfType<scf::ForOp>();
    return loop ? sched::loopName(loop) : StringRef();
  }

  /// The process that computes what a loop carries, if it carries `use` at
  /// first.
  std::string holderOf(OpOperand &use) {
    auto loop = dyn_cast<scf::ForOp>(use.getOwner());
    if (!loop || use.getOperandNumber() < loop.getNumControlOperands())
      return "";
    BlockArgument carried = loop.getTiedLoopRegionIterArg(&use);
    return ownerOf(loop.getTiedLoopYieldedValue(carried)->get());
  }

  /// The one process that reads `use`, or holds what a loop makes of it.
  std::string readerOf(OpOperand &use) {
    if (std::string holder = holderOf(use); !holder.empty())
      return holder;
    Operation *user = use.getOwner();
    while (user != kernel && !placements.count(user) &&
           !isa<scf::SCFDialect>(user->getDialect()))
      user = user->getParentOp();
    return placements.count(user) ? placements[user].process : "";
  }

  /// Rows and columns of offsets, of masks or factors that several processes
  /// read: rings carry what loops make.
  void repeatForProcesses() {
    SmallVector<Operation *> ops;
    kernel.walk([&](Operation *op) {
      if (placements.count(op))
        ops.push_back(op);
    });
    OpBuilder builder(kernel.getContext());
    for (Operation *op : llvm::reverse(ops)) {
      if (!isRepeatable(op))
        continue;
      llvm::MapVector<StringRef, Operation *> copies;
      std::string mine = placements[op].process;
      for (OpOperand &use :
           llvm::make_early_inc_range(op->getResult(0).getUses())) {
        std::string reader = readerOf(use);
        if (reader.empty() || reader == mine)
          continue;
        auto known = llvm::find_if(
            processes, [&](auto &process) { return process.name == reader; });
        Operation *&copy = copies[known->name];
        if (!copy) {
          builder.setInsertionPointAfter(op);
          copy = builder.clone(*op);
          copy->setAttr(sched::kOpName, builder.getStringAttr(
                                            sched::opName(op) + "." + reader));
          copy->removeAttr(sched::kOriginal);
          place(copy, reader);
        }
        use.set(copy->getResult(0));
      }
    }
  }

  /// What threads make for the products of a later loop goes through a ring,
  /// too.
  void giveRingsOutside() {
    for (tile::StageOp stage : stagedOutside(kernel)) {
      std::string ring = sched::opName(stage).str();
      placements[stage].ring = ring;
      rings.push_back({ring, lines.depthOf(ring).value_or(outerDepth), {}});
    }
  }

  bool isOnTensor(Operation *op) const {
    auto dot = dyn_cast<tile::DotOp>(op);
    return dot && formOf(dot, costs) == ProductForm::Group;
  }

  void place(Operation *op, std::string process) {
    if (auto pinned = lines.processOf(sched::opName(op));
        pinned && llvm::any_of(processes, [&](auto &known) {
          return known.name == *pinned;
        }))
      process = pinned->str();
    placements[op] = {isa<tile::StoreOp>(op)  ? "store"
                      : isa<tile::LoadOp>(op) ? "load"
                      : isOnTensor(op)        ? "tensor"
                                              : "alu",
                      std::move(process), "", 0, 0};
  }

  /// The hardware deals out what memory makes uneven, where several processes
  /// would do instances in a fixed order. Of several blocks one has the units
  /// while another has less to do, and each start of a block costs. (Of one
  /// process without rings the lowering makes a block for each instance
  /// anyway.)
  bool dealsOut() {
    if (std::optional<bool> isPersistent = lines.isPersistent())
      return !*isPersistent;
    // So that nobody waits for an instance that has not begun.
    if (tile::waitsForOthers(kernel))
      return true;
    return processes.size() > 1 && blocks == 1 && hasUnevenWork(kernel);
  }

  /// Results that wait in registers for the next instance, whose products run
  /// while they are stored. A block that has one instance has no next one.
  void delayStores() {
    auto hasRoom = [&](tile::StoreOp store) {
      const std::string &name = placements[store].process;
      auto process = llvm::find_if(
          processes, [&](auto &known) { return known.name == name; });
      auto type = cast<RankedTensorType>(store.getValue().getType());
      return process != processes.end() && ownerOf(store.getValue()) == name &&
             epilogue.take(*process, registersOf(type, costs));
    };
    SmallVector<tile::StoreOp> late;
    if (!isDealt)
      late = chooseLateStores(kernel, hasRoom);
    // A process that stops for one store gains nothing by another that waits,
    // and ptxas spills for it.
    for (tile::StoreOp store : late)
      placements[store].isLate =
          llvm::none_of(placements, [&](const auto &placed) {
            return isa<tile::StoreOp>(placed.first) &&
                   placed.first->getBlock() == store->getBlock() &&
                   placed.second.process == placements[store].process &&
                   !llvm::is_contained(late, placed.first);
          });
    for (auto &[op, placement] : placements)
      placement.isLate =
          lines.isLate(sched::opName(op)).value_or(placement.isLate);
  }

  /// The process that computes a value; through a loop, that of what it yields,
  /// and through a conditional, that of what a branch yields.
  std::string ownerOf(Value value) {
    value = tile::lookThroughRenaming(value);
    if (!isa<RankedTensorType>(value.getType()))
      return "";
    if (auto loop = value.getDefiningOp<scf::ForOp>())
      return ownerOf(
          loop.getYieldedValues()[cast<OpResult>(value).getResultNumber()]);
    auto it = placements.find(value.getDefiningOp());
    if (it != placements.end())
      return it->second.process;
    std::string owner;
    if (auto conditional = value.getDefiningOp<scf::IfOp>())
      for (Region &region : conditional->getRegions())
        if (owner.empty() && !region.empty())
          owner = ownerOf(region.front().getTerminator()->getOperand(
              cast<OpResult>(value).getResultNumber()));
    return owner;
  }

  void write() {
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfter(kernel);
    Location loc = kernel.getLoc();
    auto plan = sched::PlanOp::create(builder, loc, kernel.getSymName(), blocks,
                                      isDealt);
    plan->setAttr(sched::kMachine, builder.getStringAttr(costs.name));
    builder.createBlock(&plan.getBody());
    for (const schedule::Process &process : processes)
      sched::ProcessOp::create(builder, loc, process.name, process.warps,
                               process.registers, StringAttr());
    for (const schedule::Ring &ring : rings)
      sched::RingOp::create(builder, loc, ring.name, ring.depth, IntegerAttr(),
                            IntegerAttr());
    kernel.walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op))
        writeTable(builder, op, sched::loopName(op));
    });
    writeTable(builder, kernel, "");
  }

  void writeTable(OpBuilder &builder, Operation *owner, StringRef name) {
    SmallVector<Operation *> ops;
    owner->walk([&](Operation *op) {
      if (placements.count(op) && enclosingLoop(op) == owner)
        ops.push_back(op);
    });
    if (ops.empty() && name.empty())
      return;
    auto table = sched::TableOp::create(
        builder, owner->getLoc(), builder.getStringAttr(name),
        builder.getI64IntegerAttr(intervals.lookup(name)),
        orders.contains(name) ? builder.getStringAttr(orders[name])
                              : StringAttr(),
        ahead.contains(name) ? builder.getUnitAttr() : UnitAttr(),
        tails.contains(name) ? builder.getUnitAttr() : UnitAttr(), StringAttr(),
        IntegerAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&table.getBody());
    for (Operation *op : ops) {
      const Placement &p = placements[op];
      sched::EntryOp::create(
          builder, op->getLoc(), builder.getStringAttr(sched::opName(op)),
          builder.getStringAttr(p.unit), builder.getI64IntegerAttr(p.start),
          builder.getI64IntegerAttr(p.latency),
          builder.getStringAttr(p.process),
          p.ring.empty() ? StringAttr() : builder.getStringAttr(p.ring),
          p.isLate ? builder.getUnitAttr() : UnitAttr(), UnitAttr());
    }
  }

  Operation *enclosingLoop(Operation *op) {
    Operation *parent = op->getParentOp();
    while (!isa<scf::ForOp, scf::WhileOp>(parent) && parent != kernel)
      parent = parent->getParentOp();
    return parent;
  }

  tile::KernelOp kernel;
  PlanLines lines;
  bool isMisread = false; ///< a line says something that has no meaning
  uint64_t seed;          ///< 0: solve; else draw
  plan::Method method;
  int64_t kept;         ///< bytes of shared memory that rings leave
  machine::Costs costs; ///< of a block's share, once it is chosen
  int64_t blocks = 1;   ///< that share a multiprocessor
  bool isDealt = false; ///< instances, one to a block
  llvm::MapVector<Operation *, Placement> placements;
  std::vector<schedule::Process> processes;
  SmallVector<schedule::Ring> rings;
  llvm::StringMap<int64_t> intervals;
  llvm::StringMap<std::string> orders; ///< the unit kept in order, by loop
  llvm::StringSet<> ahead;             ///< loops that prepare operands ahead
  llvm::StringSet<> tails;             ///< loops whose tail is one of its own
  plan::DeferredEpilogue epilogue;
  int64_t outerDepth = 1;
  int64_t streamDepth = std::numeric_limits<int64_t>::max();
};

struct ScheduleLoopsPass : heddle::impl::ScheduleLoopsBase<ScheduleLoopsPass> {
  using ScheduleLoopsBase::ScheduleLoopsBase;

  void runOnOperation() override {
    machine::Costs costs;
    if (failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    // Each kernel by its own lines.
    SmallVector<tile::KernelOp> kernels;
    getOperation().walk(
        [&](tile::KernelOp kernel) { kernels.push_back(kernel); });
    bool isFile = !plan::findMethod(method);
    machine::Costs left = costs;
    left.limits.sharedBytesPerBlock -= kept;
    if (isFile && failed(usePlans(getOperation(), method, left)))
      return signalPassFailure();
    for (tile::KernelOp kernel : kernels)
      if (failed(schedule(kernel, costs, isFile)))
        return signalPassFailure();
  }

  /// Under the lines that the kernel has.
  LogicalResult schedule(tile::KernelOp kernel, machine::Costs costs,
                         bool isFile) {
    PinKeeper pins(kernel);
    std::string wanted = method;
    if (failed(pins.constrain(costs, wanted)))
      return failure();
    std::optional<plan::Method> found = plan::findMethod(wanted);
    if (!isFile && !found)
      return report(kernel, diag::pin_form)
             << "\"" << wanted << "\" is no method of scheduling";
    // Pinned lines speak of one block with all that a multiprocessor has,
    // unless they say how many share it.
    if (pins.hasPins() && !pins.lines().blocks())
      costs.limits.blocksPerMultiprocessor = 1;
    if (!isFile && failed(KernelScheduler(kernel, random, *found, costs, kept,
                                          pins.lines())
                              .run()))
      return failure();
    return pins.check(costs);
  }
};

} // namespace
