//===- Pipeline.cpp - Every pass, in order --------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Pipeline.h"

#include "FitShared.h"
#include "Manifests.h"
#include "OwnLadders.h"
#include "PinConflict.h"

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Dialect/Flow/Flow.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Machine/Units.h"
#include "heddle/Pipeline/Registry.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Tile.h"
#include "heddle/Support/Diagnostics/Ttir.h"
#include "heddle/Transforms/MarkSteady.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;

namespace {

// ttir, read as tile: what a Triton program says of memory are addresses.
void addAddressesToViews(PassManager &manager, const LowerOptions &options) {
  // One form of each number, so that equal bounds look equal.
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: dots have two axes. In front of the views, which are those of one
  // matrix, and of whoever reads loops for what they carry.
  manager.addPass(createSplitBatches());
  // After: no loop counts the iterations of a turn, to choose a tile in the
  // first one and to store it in the last. Before the passes that read what
  // loops carry.
  manager.addPass(createNestLoops());
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: no loop with products begins with addresses that another hands on.
  manager.addPass(createHandOnAddresses());
  // After: what loops count on beside their own number is written with that,
  // and looks the same wherever it is the same.
  manager.addPass(createWriteCounted());
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: a persistent program's pieces of work are instances. Before the
  // views, whose ends may depend on how many there are.
  MergeInstancesOptions merge;
  merge.assume = options.assume != Assume::Nothing;
  manager.addPass(createMergeInstances(merge));
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: what is provably a box of an array is accessed through a view.
  RecoverViewsOptions views;
  views.assume = options.assume != Assume::Nothing;
  manager.addPass(createRecoverViews(views));
  // The addresses and masks that nobody reads any more.
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: what is left of gathers reads once what an axis shares. Behind the
  // views, which have their own way for boxes that repeat.
  manager.addPass(createNarrowGathers());
  // After: an instance that memory has no work for does nothing. Behind the
  // views, whose ends say so.
  manager.addPass(createLeaveEarly());
  // After: what a loop with products updates in one place it carries. Behind
  // the views, in which equal places look equal.
  manager.addPass(createCarryMemory());
  // After: updates in place whose order does not show are marked, before
  // other passes move and copy them.
  MarkApartOptions apart;
  apart.assume = options.assume != Assume::Nothing;
  manager.addPass(createMarkApart(apart));
  // After: what Triton's back end may round once is rounded once.
  manager.addPass(createContractProducts());
  manager.addPass(createCSEPass());
  // After: what was cut for a mask's sake is one loop. Behind the views, whose
  // loads correspond where addresses that moved on apart did not, and behind
  // contraction: a product has its sum in each loop, where in the one loop a
  // conditional could stand between them.
  manager.addPass(createFuseLoops());
  manager.addPass(createCSEPass());
  // After: tiles are long enough along the axis that a loop goes through, for
  // machines with a timetable to say so. Behind the views, which say where
  // arrays end.
  JoinIterationsOptions join;
  join.machine = options.machineName();
  if (!machine::isMachineOfUnits(join.machine))
    manager.addPass(createJoinIterations(join));
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: nested loops that carry on the same are one. Behind whoever reads a
  // loop's number as a place.
  manager.addPass(createFlattenLoops());
  // After: conditions that a loop with products does not change stand around
  // it.
  manager.addPass(createUnswitchLoops());
  // After: each iteration of a loop with products multiplies. Behind the passes
  // that read a loop's number as a place, and in front of those that look for
  // products in a loop's own body.
  manager.addPass(createSkipIterations());
  // After: numbers made of rows of memory that decide where or how often are
  // computed by each process.
  manager.addPass(createRepeatNumbers());
  // After: what a loop with products makes of tiles are tiles, which processes
  // hand on. In front of what conditionals hold for good.
  manager.addPass(createNumbersAsTiles());
  // After: each iteration of a loop with products has the same accesses.
  manager.addPass(createOpenConditionals());
  // After: no loop with products carries a tile of addresses. Behind whoever
  // reads what loops carry.
  manager.addPass(createUncarryAddresses());
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: masks are computed where they exclude something. Behind whoever
  // reads loops for what each iteration does.
  manager.addPass(createGuardMasks());
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
}

// tile: sequential, behind `createInstantiate`: every pass sees numbers.
void addTileToSubTiles(OpPassManager &manager, const LowerOptions &options,
                       const machine::Costs &costs, bool isWhole = false) {
  // After: dots have two axes, of programs that were written with views.
  manager.addPass(createSplitBatches());
  // After: a dot's acc is exact to whatever degree the program asked for.
  // Before split and schedule, which treat the additions as ops of their own.
  PromoteAccumulationOptions promote;
  promote.machine = options.machineName();
  manager.addPass(createPromoteAccumulation(promote));
  // Constants that the parameters brought in: trip counts and tile corners are
  // simplified once here, and no later pass needs to fold.
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: nested loops that carry on the same products are one, since one
  // loop has one pipeline.
  manager.addPass(createFlattenLoops());
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: rows that memory names are loaded for products, not gathered. Behind
  // whoever makes views and joins loops, in front of whoever deals out work.
  GatherRowsOptions gather;
  gather.machine = options.machineName();
  manager.addPass(createGatherRows(gather));
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: products of few rows go by the unit of products where their
  // transposes do. Behind whoever makes loads of gathers, since a loaded
  // operand lies as that unit wants it; before names and the split, which see
  // ordinary products.
  SwapOperandsOptions swap;
  swap.machine = options.machineName();
  manager.addPass(createSwapOperands(swap));
  // After: several rows that memory names are under way together, where no
  // product's ring sees to that. Before names, since a group has several of
  // each operation.
  GroupIterationsOptions group;
  group.machine = options.machineName();
  manager.addPass(createGroupIterations(group));
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: one loop over the instances in place of tile.parallel, so that the
  // schedule sees the whole persistent nest.
  DistributeOptions distribute;
  distribute.machine = options.machineName();
  manager.addPass(createDistribute(distribute));
  // After: each op that touches a tile, and each loop, has a name. Before
  // split, so that sub-tiles are numbered within one name.
  manager.addPass(createNameOps());
  if (isWhole) {
    manager.addPass(createMarkSteady());
    return;
  }
  // After: sums in two levels fit the registers, where narrower products make
  // them. Before split, which numbers the sub-tiles of each product.
  SplitColumnsOptions columns;
  columns.machine = options.machineName();
  manager.addPass(createSplitColumns(columns));
  // After: no tile has more rows than one consumer takes.
  SplitOptions split;
  split.machine = options.machineName();
  manager.addPass(createSplit(split));
  // After: what threads make for products of a loop is an op of its own, to be
  // scheduled. Behind split, since each sub-tile may make its own.
  StageOperandsOptions stage;
  stage.machine = options.machineName();
  manager.addPass(createStageOperands(stage));
  // After: a process owns each tile that a loop hands on. Behind split, which
  // cuts what these are made of.
  manager.addPass(createOwnTiles());
  // After: operations that a loop does not execute in each iteration are
  // marked, for the plan and for the lowering. Behind everything that changes
  // loops.
  manager.addPass(createMarkSteady());
}

void addTileToSched(OpPassManager &manager, const StepRequest &request) {
  // First: extents may be named. After: static tile types.
  manager.addPass(createInstantiate());
  addTileToSubTiles(manager, request.options, request.costs);
  // After: one plan a kernel, an entry for each name.
  ScheduleLoopsOptions schedule;
  schedule.kept = request.kept;
  schedule.method = request.options.schedule;
  schedule.machine = request.options.machineName();
  manager.addPass(createScheduleLoops(schedule));
  // After: processes that do the same say so, and get one code.
  manager.addPass(createFindReplicas());
}

// sched: the tile program, and a table that says who does what when.
void expandAndPrice(OpPassManager &manager, std::string machineOfUnits) {
  // After: processes joined by rings, and no table; every value that crosses
  // processes goes through a slot.
  manager.addPass(createExpandSchedule());
  // After: operations of processes on units say what they take there.
  PriceUnitsOptions price;
  price.machine = std::move(machineOfUnits);
  manager.addPass(createPriceUnits(price));
}

/// A saved plan by roles names its machine.
void addSchedToAref(OpPassManager &manager, const StepRequest &) {
  expandAndPrice(manager, "");
}

// aref: processes and rings on any machine.
void addArefToHopper(OpPassManager &manager, const StepRequest &request) {
  // Address arithmetic was copied to whoever needs it; drop what nobody does.
  manager.addPass(createCSEPass());
  // After: no innermost loop asks whether it is near its end. Behind the
  // expansion, so that both loops are one pipeline.
  manager.addPass(createSplitIterations());
  manager.addPass(createCSEPass());
  // After: each value has a layout, each slot an offset, each op is one
  // instruction family, and all waits and fences are there.
  LowerToHopperOptions hopper;
  hopper.machine = request.options.machineName();
  manager.addPass(createLowerToHopper(hopper));
}

// hopper: everything is decided.
void addHopperToNvvm(OpPassManager &manager, const StepRequest &request) {
  // After: 32 bits of each index are enough. Before the manifest, which passes
  // on what launches are asked for that.
  manager.addPass(createNarrowNumbers());
  // After: an instrumented module's kernels note the clock; others are as
  // before. Before the manifest, which lists the stamps.
  manager.addPass(createInsertStamps());
  // After: the module carries what launchers must know, which the expansion to
  // threads forgets.
  manager.addPass(createAttachManifests());
  // After: per-thread values in upstream dialects.
  LowerToNvvmOptions expand;
  expand.machine = request.options.machineName();
  manager.addPass(createLowerToNvvm(expand));
}

struct StepOptions : PassPipelineOptions<StepOptions> {
  Option<std::string> schedule{*this, "schedule",
                               llvm::cl::desc("as heddle compile has it"),
                               llvm::cl::init("auto")};
  Option<std::string> machine{
      *this, "machine", llvm::cl::desc("a name or a file"), llvm::cl::init("")};
};

template <Rung from> void registerStep(StringRef name, StringRef description) {
  PassPipelineRegistration<StepOptions>(
      name, description, [](OpPassManager &manager, const StepOptions &given) {
        LowerOptions options;
        options.schedule = given.schedule;
        options.machine = given.machine;
        // The first pass says what is wrong with a machine.
        machine::Costs costs;
        std::string error;
        machine::findMachine(options.machineName(), costs, error);
        auto find = [&](const std::string &name) {
          const machine::Target *target = machine::targetOf(name, error);
          return target ? findStep(target->name, from) : nullptr;
        };
        const Step *step = find(options.machineName());
        if (!step)
          step = find(machine::kDefaultMachine);
        step->addPasses(manager, {options, costs});
      });
}

} // namespace

void heddle::pipeline::registerSteps() {
  registerStep<Rung::Tile>("step-to-sched", "tile to sched, as heddle compile");
  registerStep<Rung::Sched>("step-to-aref", "sched to aref, as heddle compile");
  registerStep<Rung::Aref>("step-to-hopper",
                           "aref to hopper, as heddle compile");
  registerStep<Rung::Hopper>("step-to-nvvm",
                             "hopper to nvvm, as heddle compile");
}

static LogicalResult findMachine(ModuleOp module, const LowerOptions &options,
                                 machine::Costs &costs) {
  std::string error;
  if (machine::findMachine(options.machineName(), costs, error))
    return success();
  return report(startOf(module), diag::machine) << error;
}

// tile, for a machine of units: roles in the place of a timetable.
void heddle::pipeline::addTileToRoles(OpPassManager &manager,
                                      const StepRequest &request,
                                      const std::string &access,
                                      const std::string &execute) {
  manager.addPass(createInstantiate());
  manager.addPass(createSplitBatches());
  // Its units sum as exactly as the sums' type.
  manager.addPass(createPromoteAccumulation({/*machine=*/""}));
  manager.addPass(createCanonicalizer());
  manager.addPass(createCSEPass());
  // After: one loop over the instances.
  DistributeOptions distribute;
  distribute.machine = request.options.machineName();
  manager.addPass(createDistribute(distribute));
  manager.addPass(createCanonicalizer());
  manager.addPass(createNameOps());
  // After: one plan a kernel, an entry for each name.
  AssignRolesOptions roles;
  roles.machine = request.options.machineName();
  roles.access = access;
  roles.execute = execute;
  manager.addPass(createAssignRoles(roles));
}

void heddle::pipeline::addRolesToAref(OpPassManager &manager,
                                      const StepRequest &request) {
  expandAndPrice(manager, request.options.machineName());
}

std::map<std::string, std::vector<Step>> heddle::pipeline::ownLadders() {
  Step fromEinsum{Rung::Einsum, Rung::Tile, nullptr};
  Step toSched{Rung::Tile, Rung::Sched, addTileToSched};
  return {
      {"sm_90a",
       {fromEinsum,
        toSched,
        {Rung::Sched, Rung::Aref, addSchedToAref},
        {Rung::Aref, Rung::Hopper, addArefToHopper},
        {Rung::Hopper, Rung::Nvvm, addHopperToNvvm}}},
      // Its instructions are other ones: schedules, and no code.
      {"sm_100a", {fromEinsum, toSched}},
      {"units",
       {{Rung::Tile, Rung::Sched,
         [](OpPassManager &manager, const StepRequest &request) {
           addTileToRoles(manager, request);
         }},
        {Rung::Sched, Rung::Aref, addRolesToAref}}},
  };
}

bool heddle::pipeline::isCodeMadeFor(const machine::Costs &costs) {
  return lastRung(costs.target) >= Rung::Nvvm;
}

LogicalResult heddle::pipeline::raiseTtir(ModuleOp module,
                                          const LowerOptions &options) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  addAddressesToViews(manager, options);
  manager.addPass(createVerifyRung(Rung::Tile, Origin::Lowering));
  if (failed(manager.run(module)))
    return failure();
  for (auto kernel : module.getOps<tile::KernelOp>())
    if (kernel.getOps<tile::ParallelOp>().empty())
      return report(kernel, diag::ttir_use)
             << "kernel @" << kernel.getSymName()
             << " writes nothing, whatever its arguments";
  return success();
}

/// No GPU's launcher runs several kernels, and none has scratch memory.
static LogicalResult declineCpuPrograms(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!isa<tile::ProgramOp, tile::ScratchOp>(op))
      return WalkResult::advance();
    report(op, diag::cpu_only) << "'" << op->getName()
                               << "' is compiled for the CPU only; "
                                  "`--emit=llvm` prints what runs there";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult heddle::pipeline::split(ModuleOp module,
                                      const LowerOptions &options,
                                      bool isWhole) {
  machine::Costs costs;
  if (failed(findMachine(module, options, costs)))
    return failure();
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createVerifyRung(Rung::Tile, Origin::Input));
  // Operations say here which tiles they cannot be of.
  manager.addPass(createInstantiate());
  if (failed(manager.run(module)))
    return failure();
  // A choice among tiles asks this of dozens, and what it takes is lowered with
  // a verification behind each pass, so what comes of it is verified once.
  PassManager behind(module.getContext(), ModuleOp::getOperationName());
  behind.enableVerifier(false);
  addTileToSubTiles(behind, options, costs, isWhole);
  return success(succeeded(behind.run(module)) && succeeded(verify(module)));
}

LogicalResult heddle::pipeline::priceUnits(ModuleOp module,
                                           const std::string &machine) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  PriceUnitsOptions options;
  options.machine = machine;
  manager.addPass(createPriceUnits(options));
  return manager.run(module);
}

/// A program goes as far down as the machine's target has steps.
static LogicalResult declineBelow(ModuleOp module, const std::string &machine,
                                  const machine::Target &target, Rung to) {
  Rung last = lastRung(target.name);
  if (to <= last)
    return success();
  return report(startOf(module), diag::machine)
         << machine << " is a machine of " << target.name
         << ", whose way down ends at the " << spelling(last)
         << " rung; code is made for " << targetsWithCode()
         << ", and `--emit=" << spelling(last) << "` stops there";
}

/// einsum: statements and formats; their plan is written down first, so that
/// this rung can be saved with it.
static LogicalResult lowerEinsums(ModuleOp module, Rung to, bool isForGpu) {
  if (!isForGpu)
    storeOperandsAgain(module);
  if (failed(isForGpu ? planKernels(module) : addPlans(module)))
    return failure();
  if (to == Rung::Einsum)
    return success();
  // After: programs of kernels, in which nothing is sparse.
  for (auto graph : llvm::make_early_inc_range(module.getOps<flow::GraphOp>()))
    graph.erase(); // another way down
  LogicalResult lowered =
      isForGpu ? lowerEinsumToViews(module) : lowerEinsumToTile(module);
  return failure(failed(lowered) || failed(verify(module)));
}

LogicalResult heddle::pipeline::lower(ModuleOp module, Rung from, Rung to,
                                      const LowerOptions &options) {
  std::string error;
  const machine::Target *target =
      machine::targetOf(options.machineName(), error);
  if (!target)
    return report(startOf(module), diag::machine) << error;
  bool hasTimetable = target->model != machine::Model::Units;
  machine::Costs costs;
  if (hasTimetable && failed(findMachine(module, options, costs)))
    return failure();
  if (from == Rung::Einsum) {
    if (!findStep(target->name, from))
      return report(startOf(module), diag::machine)
             << "einsums are not brought to machines of " << target->name
             << " yet; write the program in tile text";
    // Down to tile, a machine that nobody names is this processor.
    bool isForGpu =
        hasTimetable && (to > Rung::Tile || !options.machine.empty());
    if (failed(lowerEinsums(module, to, isForGpu)))
      return failure();
    if (to == Rung::Einsum)
      return success();
    from = Rung::Tile;
  }
  if (to > Rung::Tile && hasTimetable && failed(declineCpuPrograms(module)))
    return failure();
  if (failed(declineBelow(module,
                          hasTimetable ? costs.name : options.machineName(),
                          *target, to)))
    return failure();
  auto run = [&](ModuleOp program, Rung first, Rung last, int64_t kept) {
    PassManager manager(program.getContext(), ModuleOp::getOperationName());
    manager.enableVerifier(true);
    manager.addPass(createVerifyRung(first, Origin::Input));
    for (Rung rung = first; rung < last;) {
      const Step *step = findStep(target->name, rung);
      step->addPasses(manager, {options, costs, kept});
      manager.addPass(createVerifyRung(step->to, Origin::Lowering));
      rung = step->to;
    }
    return manager.run(program);
  };
  // Only a timetable's rings are given what shared memory there is.
  if (!hasTimetable)
    return run(module, from, to, 0);
  // Again with fewer slots, where shared memory overflows.
  auto fit = [&](ModuleOp program, Rung last) {
    if (from != Rung::Tile || last < Rung::Sched || options.mostSchedules < 2 ||
        !isCodeMadeFor(costs))
      return run(program, from, last, 0);
    auto lowerAll = [&](ModuleOp copy, int64_t kept) {
      return run(copy, from, last, kept);
    };
    auto probe = [&](ModuleOp copy) {
      return run(copy, last, Rung::Hopper, 0);
    };
    if (last >= Rung::Hopper)
      return lowerToFit(program, costs.limits, options.mostSchedules, lowerAll,
                        nullptr);
    return lowerToFit(program, costs.limits, options.mostSchedules, lowerAll,
                      probe);
  };
  if (from != Rung::Tile || to < Rung::Sched || !hasPins(module))
    return fit(module, to);
  return lowerPinned(
      module, costs, std::min(to, Rung::Hopper),
      [&] { return fit(module, to); }, fit);
}
