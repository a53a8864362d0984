//===- KernelFacts.cpp - Collect: what a kernel's processes do with its rings
//===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFacts.h"

#include "HeldSlots.h"

#include "ChooseLayout.h"

#include "heddle/Dialect/Hopper/HostScalar.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Aref.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

Value heddle::areftohopper::lookThroughStart(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto start = dyn_cast<aref::StartOp>(argument.getOwner()->getParentOp());
    if (!start)
      break;
    value = start.getInputs()[argument.getArgNumber()];
  }
  return value;
}

std::optional<int64_t> KernelFacts::findArgument(Value view) const {
  if (auto argument = dyn_cast<BlockArgument>(view))
    if (argument.getOwner() == &tile::KernelOp(kernel).getEntry())
      return argument.getArgNumber();
  const auto *made =
      llvm::find(launchViews, view.getDefiningOp<tile::MakeViewOp>());
  if (made == launchViews.end())
    return std::nullopt;
  return int64_t(tile::KernelOp(kernel).getEntry().getNumArguments()) +
         (made - launchViews.begin());
}

bool KernelFacts::storesByThreads(tile::StoreOp store) const {
  auto type = cast<RankedTensorType>(store.getValue().getType());
  return !rings.empty() && type.getRank() == 2 &&
         store.getView().getDefiningOp<tile::MakeViewOp>() &&
         !findArgument(store.getView());
}

Operation *heddle::areftohopper::repeatableSource(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op || !isa<RankedTensorType>(tile.getType()))
    return nullptr;
  return isa<tile::SplatOp, tile::IotaOp, arith::ConstantOp>(op) ? op : nullptr;
}

bool heddle::areftohopper::isZeroTile(Value tile) {
  Operation *source = repeatableSource(tile);
  if (!source)
    return false;
  Value scalar = isa<tile::SplatOp>(source) ? source->getOperand(0) : tile;
  return matchPattern(scalar, m_Zero()) ||
         matchPattern(scalar, m_PosZeroFloat());
}

std::optional<Home> KernelFacts::homeOf(Value value) const {
  auto it = homes.find(lookThroughStart(value));
  return it == homes.end() ? std::nullopt : std::optional(it->second);
}

FailureOr<KernelFacts> KernelFacts::collect(tile::KernelOp kernel,
                                            const machine::Costs &costs) {
  KernelFacts facts;
  facts.kernel = kernel;
  facts.costs = costs;
  if (auto blocks = kernel->getAttrOfType<IntegerAttr>(aref::kBlocks))
    facts.blocks = blocks.getInt();
  facts.isDealt = kernel->hasAttr(aref::kDealt);
  facts.collectDirectLoads();
  if (failed(facts.collectTop()) || failed(facts.checkRings()))
    return failure();
  facts.keepRowsInRegisters();
  facts.findHomes();
  facts.collectOperandUses();
  return facts;
}

void KernelFacts::collectDirectLoads() {
  kernel.walk([&](tile::LoadOp load) {
    Value value = load.getResult();
    if (!value.hasOneUse())
      return;
    auto publish = dyn_cast<aref::PublishOp>(*value.getUsers().begin());
    // The load moves down to its publish, so nothing may lie between them that
    // writes.
    if (!publish || publish->getBlock() != load->getBlock())
      return;
    for (Operation *op = load->getNextNode(); op != publish;
         op = op->getNextNode())
      if (isa<tile::StoreOp>(op) || op->getNumRegions())
        return;
    direct.insert(load);
  });
}

/// Rows that memory names go to a slot in copies of 16 bytes or, where that is
/// not how the whole ring is filled, through registers.
void KernelFacts::keepRowsInRegisters() {
  for (auto &[op, ring] : rings)
    for (PayloadFacts &element : ring.payload) {
      auto producer = cast<aref::ProcessOp>(ring.producers.front());
      bool isCopied = llvm::all_of(element.loads, [&](tile::LoadOp load) {
        return !load.getRows() || (!element.fromRegisters &&
                                   rowsLayout(load, producer.getWarps()));
      });
      if (isCopied)
        continue;
      for (tile::LoadOp load : element.loads)
        direct.erase(load);
      element.loads.clear();
      element.fromRegisters = true;
      for (ProcessFacts &process : processes)
        process.computes |= process.op == producer;
    }
}

/// Whether threads of a process execute it: whatever has a region, and whatever
/// makes, takes or changes a tile, but for tiles that each process repeats.
static bool needsProcess(Operation &op) {
  if (op.getNumResults() && repeatableSource(op.getResult(0)))
    return false;
  return op.getNumRegions() ||
         llvm::any_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
         llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

LogicalResult KernelFacts::collectTop() {
  for (auto process : kernel.getEntry().getOps<aref::ProcessOp>())
    if (process.getUnit())
      return reportOp(process, diag::unit_code)
             << "'" << process.getSym() << "' is on unit '"
             << *process.getUnit()
             << "', and code is made of warps; `heddle simulate` runs the "
                "program";
  for (Operation &op : kernel.getEntry()) {
    if (op.hasAttr("tile.instances"))
      instances = op.getResult(0);
    if (auto view = dyn_cast<tile::MakeViewOp>(op);
        view && hopper::isMadeAtLaunch(view))
      launchViews.push_back(view);
    if (auto ring = dyn_cast<aref::RingOp>(op)) {
      RingFacts &facts = rings[ring];
      facts.op = ring;
      for (Type type : ring.getRing().getType().getPayload()) {
        auto tile = dyn_cast<RankedTensorType>(type);
        if (!tile || !tile.hasStaticShape())
          return report(ring, diag::ring_element)
                 << "ring \"" << ring.getSym() << "\" carries " << type
                 << "; shared memory holds tiles of known extents";
        facts.payload.push_back({tile, {}, {}, false, {}});
      }
    } else if (auto process = dyn_cast<aref::ProcessOp>(op)) {
      if (failed(collectProcess(process)))
        return failure();
    } else if (needsProcess(op)) {
      return report(&op, diag::outside_process)
             << "'" << op.getName()
             << "' stands outside every process; only scalars and "
             << "constant tiles are shared: move it into the process that uses "
                "it";
    }
  }
  return success();
}

/// What the rung allows and barriers of this machine cannot do.
static LogicalResult checkStep(Operation *op) {
  if (isa<aref::CloseOp, aref::MoreOp>(op))
    return report(op, diag::no_form)
           << "'" << op->getName()
           << "' has no form on sm_90a: a barrier cannot say "
           << "that nothing follows; send the number of turns first";
  bool isStep = isa<aref::PublishOp, aref::ReleaseOp>(op);
  if (isStep &&
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<aref::FlightType>))
    return report(op, diag::no_form)
           << "'" << op->getName()
           << "' names a flight, but no unit of sm_90a arrives "
           << "at a barrier by itself; await the flight and name its value";
  return success();
}

/// A view is known where it is used: an argument, or made on the spot.
static LogicalResult checkViews(Operation *op) {
  bool handsOn =
      isa<scf::SCFDialect, arith::ArithDialect>(op->getDialect()) &&
      (llvm::any_of(op->getResultTypes(), llvm::IsaPred<tile::ViewType>) ||
       llvm::any_of(op->getOperandTypes(), llvm::IsaPred<tile::ViewType>));
  if (!handsOn)
    return success();
  return reportOp(op, diag::no_form)
         << "hands on a view, which has no form on sm_90a; hand on "
            "its pointer and make the view where it is used";
}

LogicalResult KernelFacts::collectProcess(aref::ProcessOp process) {
  ProcessFacts facts;
  facts.op = process;
  auto result = process.walk([&](Operation *op) -> WalkResult {
    if (failed(checkStep(op)))
      return failure();
    if (failed(checkViews(op)))
      return failure();
    if (isa<tile::PrintOp>(op))
      report(op, diag::print_dropped)
          << "nothing prints on sm_90a: run the program in the interpreter to "
             "see it";
    if (auto publish = dyn_cast<aref::PublishOp>(op))
      return collectPublish(publish, process);
    if (auto release = dyn_cast<aref::ReleaseOp>(op)) {
      if (auto ring = ringOf(release.getRing()))
        rings[ring].consumers.insert(process);
    } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
      facts.stores.push_back(store);
    } else if (auto reduction = dyn_cast<tile::ViewReduceOp>(op)) {
      facts.reductions.push_back(reduction);
    } else if (auto dot = dyn_cast<tile::DotOp>(op)) {
      facts.dots.push_back(dot);
    }
    bool makesTile =
        llvm::any_of(op->getResultTypes(),
                     llvm::IsaPred<RankedTensorType, aref::FlightType>);
    auto load = dyn_cast<tile::LoadOp>(op);
    facts.computes |=
        isa<tile::StoreOp>(op) ||
        (!op->getNumRegions() && !isa<aref::ArefDialect>(op->getDialect()) &&
         hasEffect<MemoryEffects::Write>(op)) ||
        (makesTile && !(load && isDirect(load)));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  processes.push_back(facts);
  return success();
}

/// The load whose result of the iteration before is `value`, if it is one.
static tile::LoadOp carriedLoad(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  if (!loop || argument.getArgNumber() == 0)
    return {};
  return loop.getYieldedValues()[argument.getArgNumber() - 1]
      .getDefiningOp<tile::LoadOp>();
}

LogicalResult KernelFacts::collectPublish(aref::PublishOp publish,
                                          aref::ProcessOp process) {
  auto ring = ringOf(publish.getRing());
  if (!ring)
    return report(publish, diag::ring_protocol)
           << "publishes into a ring that is not declared in the kernel";
  RingFacts &facts = rings[ring];
  facts.producers.insert(process);
  facts.publishes.push_back(publish);
  for (auto [element, value] : llvm::zip(facts.payload, publish.getValues())) {
    auto load = value.getDefiningOp<tile::LoadOp>();
    if (load && isDirect(load)) {
      element.loads.push_back(load);
      continue;
    }
    element.fromRegisters = true;
    if (tile::LoadOp carried = carriedLoad(value))
      element.carried.push_back(carried);
  }
  return success();
}

LogicalResult KernelFacts::checkRings() {
  for (auto &[op, ring] : rings) {
    if (ring.producers.size() != 1)
      return report(op, diag::ring_protocol)
             << "ring \"" << ring.op.getSym() << "\" is filled by "
             << ring.producers.size()
             << " processes; a slot's full barrier counts the arrivals of "
                "exactly one";
    if (ring.consumers.empty())
      return report(op, diag::ring_protocol)
             << "ring \"" << ring.op.getSym()
             << "\" is never released, so its producer would wait forever";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Homes: which values lie in a slot
//===----------------------------------------------------------------------===//

/// Assumes that a loop's carried value stays where it entered, then refutes the
/// assumptions that a yield breaks, until nothing changes. What is carried on
/// when its slot has been given back is in registers.
void KernelFacts::findHomes() {
  DenseSet<Value> refuted;
  do {
    homes.clear();
    assumeHomes(refuted);
  } while (refuteHomes(refuted));
}

std::optional<Home> KernelFacts::homeOfTransposed(tile::TransOp trans) const {
  std::optional<Home> home = homeOf(trans.getValue());
  if (!home || trans.getOrder() != ArrayRef<int64_t>{1, 0})
    return std::nullopt;
  home->transposed = !home->transposed;
  return home;
}

void KernelFacts::assumeHomes(const DenseSet<Value> &refuted) {
  auto assume = [&](Value value, std::optional<Home> home) {
    if (home && !refuted.contains(value))
      homes[value] = *home;
  };
  std::function<void(Block &)> visit = [&](Block &block) {
    for (Operation &op : block) {
      if (auto get = dyn_cast<aref::GetOp>(op)) {
        for (auto [index, value] : llvm::enumerate(get.getValues()))
          assume(value, Home{ringOf(get.getRing()), unsigned(index)});
      }
      if (auto trans = dyn_cast<tile::TransOp>(op))
        assume(trans.getResult(), homeOfTransposed(trans));
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        for (auto [argument, result, init] :
             llvm::zip(loop.getRegionIterArgs(), loop.getResults(),
                       loop.getInitArgs())) {
          if (homeOf(init) && !isGivenBack(init, loop))
            assume(argument, homeOf(init));
          if (homes.contains(argument))
            assume(result, homeOf(init));
        }
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner);
      if (auto branch = dyn_cast<scf::IfOp>(op);
          branch && branch.getNumResults())
        for (auto [result, a, b] :
             llvm::zip(branch.getResults(), branch.thenYield().getOperands(),
                       branch.elseYield().getOperands()))
          if (homeOf(a) == homeOf(b))
            assume(result, homeOf(a));
    }
  };
  visit(kernel.getEntry());
}

bool KernelFacts::refuteHomes(DenseSet<Value> &refuted) {
  bool changed = false;
  kernel.walk([&](scf::ForOp loop) {
    for (auto [argument, result, yielded] :
         llvm::zip(loop.getRegionIterArgs(), loop.getResults(),
                   loop.getYieldedValues()))
      if (homeOf(argument) &&
          (homeOf(argument) != homeOf(yielded) ||
           isGivenBack(yielded, loop.getBody()->getTerminator()))) {
        changed |= refuted.insert(argument).second;
        refuted.insert(result);
      }
  });
  return changed;
}

void KernelFacts::collectOperandUses() {
  auto note = [&](Value operand, bool OperandUse::*side, int contraction) {
    std::optional<Home> home = homeOf(operand);
    if (!home)
      return;
    OperandUse &use = rings[home->ring].payload[home->element].use;
    use.*side = true;
    use.contracts[home->transposed ? 1 - contraction : contraction] = true;
  };
  for (ProcessFacts &process : processes)
    for (tile::DotOp dot : process.dots) {
      if (isByThreads(dot))
        continue;
      note(dot.getA(), &OperandUse::a, 1);
      note(dot.getB(), &OperandUse::b, 0);
    }
}
