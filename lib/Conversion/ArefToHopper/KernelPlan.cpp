//===- KernelPlan.cpp - Decide: everything a variant fixes
//------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"

#include "AccessPlan.h"
#include "ChooseBlocks.h"
#include "ClusterSums.h"
#include "CutStaging.h"
#include "LiveRegisters.h"
#include "PlanConversions.h"
#include "RegisterBudget.h"
#include "ReportOverflow.h"
#include "SharedTile.h"
#include "StoredPlaces.h"
#include "Turns.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"
#include "heddle/Dialect/Replicas.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Dialect/Tile/Turns.h"
#include "heddle/Machine/Clusters.h"
#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <set>
#include <utility>

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

namespace {

class Planner {
public:
  Planner(const KernelFacts &facts, Variant variant, Places places)
      : facts(facts) {
    plan.variant = variant;
    plan.places = places;
    kernel = facts.kernel;
    plan.name = kernel.getSymName().str();
  }

  FailureOr<KernelPlan> run();

private:
  LogicalResult planRing(const RingFacts &ring);
  std::string whyNotByTma(tile::LoadOp load, hopper::SmemType tile);
  void planPayloadMovement(const RingFacts &ring, RingPlan &ringPlan);
  LogicalResult planProcess(const ProcessFacts &process);
  void planStores(const ProcessFacts &process, const LayoutMap &layouts);
  void countArrivals();
  FailureOr<SharedRequest> requestShared() const;
  LogicalResult placeShared();
  void dropUnstagedStores(unsigned process);
  int leaderOf(unsigned process) const;
  int partnerOf(unsigned process) const;
  LogicalResult planRegisters();
  LogicalResult planBarriers();
  LogicalResult planBlocks();
  void chooseInlined(bool isPersistent);
  int64_t chooseTeams(aref::ProcessOp process) const;
  void planTmaArgs();
  bool goesOn(const RingFacts &ring, const PayloadFacts &element,
              const PayloadPlan &elementPlan) const;
  bool isElected(const ProcessFacts &process) const;
  bool copies(const ProcessFacts &process) const;
  int64_t estimateFloor(unsigned process) const;

  const KernelFacts &facts;
  tile::KernelOp kernel;
  KernelPlan plan;
};

LogicalResult Planner::planRing(const RingFacts &ring) {
  RingPlan &ringPlan = plan.rings[aref::RingOp(ring.op)];
  for (unsigned index = 0; index < ring.payload.size(); ++index) {
    FailureOr<hopper::SmemType> tile = chooseSharedTile(ring, index, facts);
    if (failed(tile))
      return failure();
    ringPlan.payload.push_back({*tile, false});
  }
  planPayloadMovement(ring, ringPlan);
  return success();
}

void Planner::planPayloadMovement(const RingFacts &ring, RingPlan &ringPlan) {
  for (auto [element, elementPlan] :
       llvm::zip(ring.payload, ringPlan.payload)) {
    elementPlan.tma =
        (plan.variant == Variant::Tma || plan.variant == Variant::TmaLoads) &&
        !element.loads.empty();
    for (tile::LoadOp load : element.loads) {
      if (!elementPlan.tma)
        continue;
      std::string reason = whyNotByTma(load, elementPlan.tile);
      if (reason.empty())
        continue;
      report(load, diag::load_not_tma) << "threads copy this tile: " << reason;
      elementPlan.tma = false;
    }
    if (plan.variant == Variant::Tma)
      for (tile::LoadOp load : element.carried)
        report(load, diag::load_not_tma)
            << "threads copy this tile: its slot is published in the iteration "
               "after the one that loads it";
    bool byThreads =
        element.fromRegisters || (!element.loads.empty() && !elementPlan.tma);
    elementPlan.goesOn = goesOn(ring, element, elementPlan);
    ringPlan.anyTma |= elementPlan.tma;
    ringPlan.anyGeneric |= byThreads && !elementPlan.goesOn;
    ringPlan.fence |= byThreads && !elementPlan.goesOn && element.use.any();
    ringPlan.anyGoesOn |= elementPlan.goesOn;
    ringPlan.fenceReaders |= elementPlan.goesOn && element.use.any();
  }
  // A ring without payload carries an ordering credit: warps arrive.
  ringPlan.anyGeneric |= ring.payload.empty();
}

/// Rows of views that the kernel makes are aligned more often than not, and the
/// copy looks. A launch that could use TMA for an argument's view has looked.
bool Planner::goesOn(const RingFacts &ring, const PayloadFacts &element,
                     const PayloadPlan &elementPlan) const {
  if (elementPlan.tma || element.fromRegisters || element.loads.empty() ||
      ring.producers.size() != 1)
    return false;
  int64_t threads =
      cast<aref::ProcessOp>(ring.producers.front()).getWarps() * 32;
  return llvm::all_of(element.loads, [&](tile::LoadOp load) {
    return facts.isDirect(load) && !tile::isMapped(load.getView()) &&
           (load.getRows() || !facts.findArgument(load.getView())) &&
           hopper::copiesInChunks(load.getView().getType(), elementPlan.tile,
                                  threads);
  });
}

/// Notes the way of a view of views.
std::string Planner::whyNotByTma(tile::LoadOp load, hopper::SmemType tile) {
  if (load.getRows())
    return "only memory says where its rows are";
  if (!tile::isMapped(load.getView()))
    return facts.findArgument(load.getView())
               ? whyNotTma(load.getView().getType(), load.getOffsets(), tile)
               : "a launch cannot make the view";
  std::string why;
  std::optional<LoadWay> way = findLoadWay(load, tile, why);
  if (!way)
    return why;
  if (!facts.findArgument(way->map.base))
    return "a launch cannot make the view";
  plan.ways.insert({load, std::move(*way)});
  return "";
}

bool Planner::isElected(const ProcessFacts &process) const {
  if (process.computes)
    return false;
  return !copies(process);
}

bool Planner::copies(const ProcessFacts &process) const {
  for (auto &[op, ring] : facts.rings)
    if (ring.producers.contains(aref::ProcessOp(process.op)))
      for (auto [element, elementPlan] :
           llvm::zip(ring.payload, plan.rings.find(op)->second.payload))
        if (!element.loads.empty() && !elementPlan.tma)
          return true;
  return false;
}

LogicalResult Planner::planProcess(const ProcessFacts &process) {
  // By element, neighbouring lanes take neighbouring elements; TMA leaves
  // threads the little that does not matter.
  bool byElement = facts.rings.empty() && plan.variant == Variant::General;
  bool byRuns = plan.places == Places::InRuns;
  FailureOr<LayoutMap> layouts =
      assignLayouts(process, facts,
                    {.loads = byElement ? 0 : hopper::kAccessBytes,
                     .gathers = byRuns ? hopper::kAccessBytes : 0});
  if (failed(layouts))
    return failure();
  planStores(process, *layouts);
  ProcessPlan processPlan;
  processPlan.elected = isElected(process);
  processPlan.scratchBytes =
      planConversions(process, *layouts, facts,
                      /*remarks=*/plan.variant == Variant::Tma);
  FailureOr<int64_t> exchanged = planClusterSums(
      process, *layouts, machine::clusterBlocksOf(facts.costs.target));
  if (failed(exchanged))
    return failure();
  processPlan.scratchBytes = std::max(processPlan.scratchBytes, *exchanged);
  processPlan.sums = SumPlan(process.op, *layouts);
  processPlan.layouts = std::move(*layouts);
  plan.processes.push_back(std::move(processPlan));
  return success();
}

static void reportByThreads(Stored store, const std::string &reason) {
  if (store.reduces())
    report(store, diag::reduction_not_tma)
        << "threads add this tile, an element at a time: " << reason;
  else
    report(store, diag::store_not_tma) << "threads store this tile: " << reason;
}

void Planner::planStores(const ProcessFacts &process,
                         const LayoutMap &layouts) {
  for (Stored store : process.written()) {
    StorePlan &storePlan = plan.stores[store];
    if (plan.variant != Variant::Tma)
      continue;
    storePlan = planStore(store, layouts.stored.lookup(store),
                          /*isPlain=*/facts.rings.empty(),
                          facts.findArgument(store.getView()).has_value());
    bool isInOrder =
        static_cast<Operation *>(store)->hasAttr(tile::kInOrderAttr) &&
        !isOverwrittenOnly(store, kernel);
    if (isInOrder || ((facts.processes.size() == 1 || store.reduces()) &&
                      isAccessedElsewhere(store, kernel)))
      storePlan = {{},
                   0,
                   "the kernel accesses the view elsewhere too, and only "
                   "threads keep that in order"};
    if (!storePlan.isTma())
      reportByThreads(store, storePlan.reason);
  }
  // A store by TMA behind one by threads would need their fence.
  auto isBehindThreads = [&](Stored store) {
    WalkResult result = process.op->walk([&](Operation *other) {
      auto planned = plan.stores.find(other);
      bool isByTma = planned != plan.stores.end() && planned->second.isTma();
      return !isByTma && mayOverwrite(store, other) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
    });
    return result.wasInterrupted();
  };
  for (bool isChanged = true; std::exchange(isChanged, false);)
    for (Stored store : process.written()) {
      StorePlan &storePlan = plan.stores[store];
      if (!storePlan.isTma() || store.reduces() || !isBehindThreads(store))
        continue;
      storePlan = {{},
                   0,
                   "threads may have stored to the same place before, and "
                   "only threads keep that in order"};
      reportByThreads(store, storePlan.reason);
      isChanged = true;
    }
}

void Planner::countArrivals() {
  auto planOf = [&](Operation *op) -> const ProcessPlan & {
    for (auto [process, processPlan] :
         llvm::zip(facts.processes, plan.processes))
      if (process.op == op)
        return processPlan;
    llvm_unreachable(
        "bug in heddle: a ring names a process outside the kernel");
  };
  auto arrivals = [&](Operation *op) -> int64_t {
    return planOf(op).elected ? 1 : cast<aref::ProcessOp>(op).getWarps();
  };
  for (auto &[op, ring] : facts.rings) {
    RingPlan &ringPlan = plan.rings[op];
    ringPlan.fullArrivals = ringPlan.anyTma ? 1 : 0;
    // Warps beside the one that announces wait for slots, too. Unless they say
    // that they did, a consumer may release a slot twice before one has seen
    // the first time.
    bool waitApart = llvm::any_of(ring.producers, [&](Operation *producer) {
      return arrivals(producer) > 1;
    });
    ringPlan.anyGeneric |= ringPlan.anyTma && !ringPlan.anyGoesOn && waitApart;
    for (Operation *producer : ring.producers)
      ringPlan.fullArrivals +=
          (ringPlan.anyGeneric ? arrivals(producer) : 0) +
          (ringPlan.anyGoesOn ? cast<aref::ProcessOp>(producer).getWarps() * 32
                              : 0);
    for (Operation *consumer : ring.consumers)
      ringPlan.emptyArrivals += arrivals(consumer);
  }
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

FailureOr<SharedRequest> Planner::requestShared() const {
  SharedRequest request;
  request.limitBytes = facts.share().sharedBytesPerBlock;
  FailureOr<SmallVector<sched::Pin>> pins = sched::readPins(kernel);
  if (failed(pins))
    return failure();
  for (const sched::Pin &pin : *pins)
    if (pin.name == sched::kPinSharedBytes)
      request.limitBytes = std::min(request.limitBytes, pin.number());
  for (auto &[op, ring] : facts.rings) {
    RingRequest &ringRequest = request.rings.emplace_back();
    auto ringOp = cast<aref::RingOp>(op);
    ringRequest.name = ringOp.getSym().str();
    ringRequest.depth = ringOp.getDepth();
    for (const PayloadPlan &element : plan.rings.find(op)->second.payload)
      ringRequest.elements.push_back(
          {element.tile.getSizeBytes(), alignmentOf(element.tile)});
  }
  for (auto [index, process] : llvm::enumerate(facts.processes)) {
    std::string name = aref::ProcessOp(process.op).getSym().str();
    request.scratch.push_back({name, plan.processes[index].scratchBytes});
    StagingRequest &staging = request.staging.emplace_back();
    staging.process = name;
    staging.leader = leaderOf(index);
    for (Stored store : process.written())
      if (const StorePlan &storePlan = plan.stores.find(store)->second;
          storePlan.isTma()) {
        staging.bytes = std::max(staging.bytes, storePlan.chunk.getSizeBytes());
        staging.count = 2;
      }
  }
  return request;
}

LogicalResult Planner::placeShared() {
  FailureOr<SharedRequest> request = requestShared();
  if (failed(request))
    return failure();
  SharedPlan shared = planShared(*request);
  while (shared.fits && cutUnstaged(facts, *request, shared, plan)) {
    request = requestShared();
    shared = planShared(*request);
  }
  if (!shared.fits)
    return reportSharedOverflow(kernel, facts, *request, shared);
  plan.sharedBytes = shared.totalBytes;
  for (auto [index, ring] : llvm::enumerate(plan.rings))
    ring.second.place = shared.rings[index];
  for (unsigned index = 0; index < facts.processes.size(); ++index) {
    plan.processes[index].scratch = shared.scratch[index];
    llvm::append_range(plan.processes[index].staging, shared.staging[index]);
    if (request->staging[index].count && shared.staging[index].empty())
      dropUnstagedStores(index);
  }
  return success();
}

void Planner::dropUnstagedStores(unsigned process) {
  for (Stored store : facts.processes[process].written())
    if (StorePlan &storePlan = plan.stores[store]; storePlan.isTma()) {
      reportByThreads(store,
                      std::to_string(storePlan.chunk.getSizeBytes()) +
                          " B of shared memory are not left for staging it");
      storePlan = {};
    }
}

//===----------------------------------------------------------------------===//
// Registers, warps, barriers
//===----------------------------------------------------------------------===//

/// A flight that is only waited for so that its slot can be released is some
/// later flight's accumulator: it has no registers of its own.
static bool isOnlyReleased(Value value) {
  if (!isa<aref::FlightType>(value.getType()))
    return false;
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    auto await = dyn_cast<aref::AwaitOp>(user);
    return await && llvm::all_of(await.getValue().getUsers(),
                                 llvm::IsaPred<aref::ReleaseOp>);
  });
}

/// Registers of the tiles that the widest op carries: they are live all along
/// it.
int64_t Planner::estimateFloor(unsigned index) const {
  const LayoutMap &layouts = plan.processes[index].layouts;
  int64_t most = 0;
  auto registersOf = [&](Value value) -> int64_t {
    hopper::LayoutAttr layout = layouts.lookup(value);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (auto flight = dyn_cast<aref::FlightType>(value.getType()))
      type = dyn_cast<RankedTensorType>(flight.getValue());
    return layout && type
               ? countRegisters(layout, elementBits(type.getElementType()))
               : 0;
  };
  aref::ProcessOp(facts.processes[index].op).walk([&](Operation *op) {
    int64_t live = 0;
    auto loop = dyn_cast<scf::ForOp>(op);
    for (Value carried : loop ? ValueRange(loop.getRegionIterArgs())
                              : ValueRange(op->getResults()))
      live += isOnlyReleased(carried) ? 0 : registersOf(carried);
    most = std::max(most, live);
  });
  return llvm::alignTo(most + int64_t(facts.costs.registers.floor), 8);
}

/// Whether nothing but products is computed in loops with products: then what
/// such a loop carries is all that it holds.
static bool onlyMultiplies(aref::ProcessOp process) {
  auto isComputed = [](Operation &op) {
    return !isa<aref::GetOp, aref::AwaitOp, aref::StartOp>(op) &&
           llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>);
  };
  bool multiplies = false, computes = false;
  process.walk([&](aref::StartOp product) {
    auto loop = dyn_cast<scf::ForOp>(product->getParentOp());
    if (!loop)
      return;
    multiplies = true;
    computes |= llvm::any_of(*loop.getBody(), isComputed);
  });
  return multiplies && !computes;
}

/// What of a process are sub-tiles, by the names of their originals.
static std::set<std::string> originalsOf(Operation *process) {
  std::set<std::string> originals;
  process->walk([&](Operation *op) {
    if (StringRef original = sched::originalName(op); !original.empty())
      originals.insert(original.str());
  });
  return originals;
}

/// The first process in front of this one whose budget goes with its own: of a
/// replica, the same as its leader's, or else that; of another one, what does
/// the same for another sub-tile, in an order in which it needs as many
/// registers. -1 if there is none.
int Planner::partnerOf(unsigned process) const {
  if (int leader = leaderOf(process); leader >= 0) {
    int first = partnerOf(leader);
    return first < 0 ? leader : first;
  }
  auto originals = originalsOf(facts.processes[process].op);
  for (unsigned other = 0; other < process && !originals.empty(); ++other)
    if (originalsOf(facts.processes[other].op) == originals &&
        estimateFloor(other) == estimateFloor(process))
      return int(other);
  return -1;
}

/// The process in front of this one that it is a replica of; -1 if there is
/// none.
int Planner::leaderOf(unsigned process) const {
  StringRef name = replicaOf(facts.processes[process].op);
  for (unsigned other = 0; other < process && !name.empty(); ++other)
    if (aref::ProcessOp(facts.processes[other].op).getSym() == name)
      return int(other);
  return -1;
}

LogicalResult Planner::planRegisters() {
  std::vector<RegisterRequest> requests;
  int64_t firstWarp = 0;
  for (auto [index, process] : llvm::enumerate(facts.processes)) {
    auto op = aref::ProcessOp(process.op);
    int64_t budget = op.getRegisters();
    if (budget && (budget % 8 || budget < 24 || budget > 256))
      return report(op, diag::process_size)
             << "process \"" << op.getSym() << "\" has a budget of " << budget
             << " registers; it must be a multiple of 8 from 24 to 256, or 0";
    int64_t tiles = countRegistersOfProducts(op, plan.processes[index].layouts);
    requests.push_back({int64_t(op.getWarps()), budget, estimateFloor(index),
                        copies(process), onlyMultiplies(op),
                        tiles + int64_t(facts.costs.registers.wanted),
                        partnerOf(index)});
    plan.processes[index].firstWarp = firstWarp;
    firstWarp += llvm::alignTo(op.getWarps(), 4);
  }
  plan.threads = firstWarp * 32;
  if (int64_t most = facts.costs.limits.threadsPerBlock; plan.threads > most)
    return report(kernel, diag::too_many_threads)
           << "the processes have " << plan.threads
           << " threads, a thread block has at most " << most
           << "; use fewer warps";
  if (countRegisters(requests) > registerPool(requests, facts.share()))
    return reportRegisterOverflow(kernel, facts, requests);
  for (auto [processPlan, budget] : llvm::zip(
           plan.processes,
           rebalanceRegisters(requests, facts.costs.registers, facts.share())))
    processPlan.registers = budget;
  return success();
}

LogicalResult Planner::planBarriers() {
  // 0 is the thread block's.
  int64_t most = facts.costs.limits.namedBarriers - 1;
  int64_t next = 1;
  for (auto [own, process] : llvm::zip(facts.processes, plan.processes))
    if (!process.staging.empty() || process.scratchBytes ||
        addsInTurns(own, plan))
      process.barrier = next++;
  if (next - 1 > most)
    return report(kernel, diag::too_many_barriers)
           << "the processes need " << next - 1 << " named barriers, sm_90 has "
           << most << "; use fewer processes";
  return success();
}

/// The loop that takes every worker through its instances; null where it
/// carries something from one to the next, or is another than `distribute`
/// makes.
static scf::ForOp findInstances(aref::ProcessOp process, Value instances) {
  for (auto loop : process.getBody().getOps<scf::ForOp>())
    if (loop.getLowerBound().getDefiningOp<tile::WorkerIdOp>() &&
        loop.getStep().getDefiningOp<tile::WorkerCountOp>() &&
        loop.getUpperBound() == instances && loop.getInits().empty())
      return loop;
  return {};
}

LogicalResult Planner::planBlocks() {
  FailureOr<SmallVector<sched::Pin>> pins = sched::readPins(kernel);
  if (failed(pins))
    return failure();
  const sched::Pin *pinned = nullptr;
  for (const sched::Pin &pin : *pins)
    if (pin.name == sched::kPinPersistent)
      pinned = &pin;
  chooseInlined(pinned && pinned->flag());
  bool isEach = plan.inlined || facts.isDealt;
  int64_t cluster = tile::clusterBlocks(kernel);
  if (!isEach && tile::waitsForOthers(kernel))
    return report(pinned ? pinned->place : kernel.getLoc(), diag::pin_unmet)
           << "instances that "
           << (cluster > 1 ? "add up in a cluster" : "take turns")
           << " have a block each, so that nobody waits for who has not begun; "
              "blocks go through several instances here";
  if (!pinned || pinned->flag() != isEach)
    return success();
  return report(pinned->place, diag::pin_unmet)
         << (isEach ? "each instance has a block of its own here"
                    : "blocks go through several instances here");
}

/// Instances of a warp each share a block, where nothing in it would be shared:
/// no shared memory, no barrier between a write and what must come behind it.
int64_t Planner::chooseTeams(aref::ProcessOp process) const {
  if (!plan.inlined || process.getWarps() != 1 || plan.sharedBytes ||
      tile::waitsForOthers(process))
    return 1;
  std::vector<tile::MemoryAccess> accesses;
  process.walk([&](Operation *op) {
    if (auto access = tile::memoryAccess(op))
      accesses.push_back(*access);
  });
  for (size_t i = 0; i < accesses.size(); ++i)
    for (size_t j = 0; j <= i; ++j) {
      // One access alone meets itself in another iteration.
      bool isOnce = i == j && accesses[i].op->getParentOp() == plan.inlined;
      if (!isOnce && tile::mayConflict(accesses[i], accesses[j]))
        return 1;
    }
  return int64_t(facts.costs.rows.fewestWarps);
}

/// The plan says how many blocks with rings or budgets share a multiprocessor;
/// of what only waits for memory, as many as fit.
void Planner::chooseInlined(bool isPersistent) {
  plan.blocks = facts.blocks;
  if (facts.processes.size() != 1 || !facts.rings.empty() ||
      !facts.processes.front().dots.empty())
    return;
  auto process = aref::ProcessOp(facts.processes.front().op);
  if (process.getRegisters())
    return;
  if (!isPersistent)
    plan.inlined = findInstances(process, facts.instances);
  plan.teams = chooseTeams(process);
  if (plan.teams > 1)
    plan.threads = 32 * int64_t(process.getWarps()) * plan.teams;
  int64_t live = countLiveRegisters(process, plan.processes.front().layouts);
  plan.blocks = chooseBlocks(facts.costs.limits, plan.threads,
                             live + int64_t(facts.costs.registers.rows),
                             plan.sharedBytes);
}

void Planner::planTmaArgs() {
  SetVector<int64_t> arguments;
  auto add = [&](Value view) { arguments.insert(*facts.findArgument(view)); };
  for (auto &[op, ring] : facts.rings)
    for (auto [element, elementPlan] :
         llvm::zip(ring.payload, plan.rings[op].payload))
      for (tile::LoadOp load : element.loads)
        if (elementPlan.tma) {
          auto way = plan.ways.find(load);
          add(way == plan.ways.end() ? load.getView() : way->second.map.base);
        }
  for (const ProcessFacts &process : facts.processes)
    for (Stored store : process.written())
      if (plan.stores[store].isTma())
        add(store.getView());
  plan.tmaArgs = arguments.takeVector();
  llvm::sort(plan.tmaArgs);
}

FailureOr<KernelPlan> Planner::run() {
  for (auto &[op, ring] : facts.rings)
    if (failed(planRing(ring)))
      return failure();
  for (const ProcessFacts &process : facts.processes)
    if (failed(planProcess(process)))
      return failure();
  countArrivals();
  if (failed(placeShared()) || failed(planRegisters()) ||
      failed(planBarriers()))
    return failure();
  planAccesses(plan, facts);
  if (failed(planBlocks()))
    return failure();
  planTmaArgs();
  return std::move(plan);
}

} // namespace

FailureOr<KernelPlan> heddle::areftohopper::planKernel(const KernelFacts &facts,
                                                       Variant variant,
                                                       Places places) {
  return Planner(facts, variant, places).run();
}

bool heddle::areftohopper::KernelPlan::storesByTma() const {
  return llvm::any_of(stores,
                      [](const auto &entry) { return entry.second.isTma(); });
}
