//===- Passes.td - heddle's passes -----------------------------*- tablegen -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Name, options and dependent dialects of every pass from the tile rung down;
// their order is in Pipeline.cpp. A pass has no other declaration: heddle-opt
// and C++ take its options from here, so the two cannot differ.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_PASSES
#define HEDDLE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def Instantiate : Pass<"tile-instantiate", "::mlir::ModuleOp"> {
  let summary = "fixes the named shape parameters";
  let options = [ListOption<"values", "set", "std::string", "NAME=VALUE">];
}
def PromoteAccumulation : Pass<"tile-promote-accumulation", "::mlir::ModuleOp"> {
  let summary = "adds partial dots in full precision where max_imprecise_acc or the type asks for it";
  let options = [Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "whose products of 8-bit floats drop low bits of their sums; none: no machine's do">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def SwapOperands : Pass<"tile-swap-operands", "::mlir::ModuleOp"> {
  let summary = "products of few rows or very many columns are computed as the transpose of b^T a^T";
  let options = [Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "whose unit of products takes a fixed number of rows">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def SplitBatches : Pass<"tile-split-batches", "::mlir::ModuleOp"> {
  let summary = "a dot of three axes becomes one of two for each place of the first";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def RecoverViews : Pass<"tile-recover-views", "::mlir::ModuleOp"> {
  let summary = "accesses through addresses that are a box of an array go through a view";
  let options = [Option<"assume", "assume", "bool", "true",
      "whether what a launch can check may be assumed">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def WriteCounted : Pass<"tile-write-counted", "::mlir::ModuleOp"> {
  let summary = "numbers that a loop counts on are written with its own number";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def MergeInstances : Pass<"tile-merge-instances", "::mlir::ModuleOp"> {
  let summary = "a loop over every n-th piece of work becomes an instance for each piece";
  let options = [Option<"assume", "assume", "bool", "true",
      "whether what a launch can check may be assumed">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def ContractProducts : Pass<"tile-contract-products", "::mlir::ModuleOp"> {
  let summary = "a * b + c becomes one operation with one rounding";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}
def FuseLoops : Pass<"tile-fuse-loops", "::mlir::ModuleOp"> {
  let summary = "joins a loop with products to the one that it carries on";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def LeaveEarly : Pass<"tile-leave-early", "::mlir::ModuleOp"> {
  let summary = "instances whose stores write nothing do nothing";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def GuardMasks : Pass<"tile-guard-masks", "::mlir::ModuleOp"> {
  let summary = "loops with products compute masks only where these exclude something";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def FlattenLoops : Pass<"tile-flatten-loops", "::mlir::ModuleOp"> {
  let summary = "a loop that does nothing but a loop with products is one with it";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def NestLoops : Pass<"tile-nest-loops", "::mlir::ModuleOp"> {
  let summary = "a loop with products that counts the iterations of a turn is two loops";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::heddle::tile::TileDialect"];
}
def UnswitchLoops : Pass<"tile-unswitch-loops", "::mlir::ModuleOp"> {
  let summary = "a conditional with products whose condition a loop does not change stands around the loop";
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}
def OpenConditionals : Pass<"tile-open-conditionals", "::mlir::ModuleOp"> {
  let summary = "accesses in conditionals of a loop with products leave them, and reach nothing where the condition does not hold";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::heddle::tile::TileDialect"];
}
def NarrowGathers : Pass<"tile-narrow-gathers", "::mlir::ModuleOp"> {
  let summary = "a gather whose addresses are the same along an axis gathers one element there";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::heddle::tile::TileDialect"];
}
def CarryMemory : Pass<"tile-carry-memory", "::mlir::ModuleOp"> {
  let summary = "a tile that a loop with products loads and stores at one place is carried by it";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::heddle::tile::TileDialect"];
}
def OwnTiles : Pass<"tile-own-tiles", "::mlir::ModuleOp"> {
  let summary = "each tile that a loop with products hands on is made in its body, and handed on once";
  let dependentDialects = ["::heddle::tile::TileDialect"];
}
def MarkApart : Pass<"tile-mark-apart", "::mlir::ModuleOp"> {
  let summary = "a load and a store of what iterations update in place apart from each other say so";
  let options = [Option<"assume", "assume", "bool", "true",
      "whether what a launch can check may be assumed">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::heddle::tile::TileDialect"];
}
def RepeatNumbers : Pass<"tile-repeat-numbers", "::mlir::ModuleOp"> {
  let summary = "numbers of rows that memory holds are computed by each process that they steer";
}
def NumbersAsTiles : Pass<"tile-numbers-as-tiles", "::mlir::ModuleOp"> {
  let summary = "numbers that a loop with products makes of tiles are tiles of one element";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::heddle::tile::TileDialect"];
}
def SkipIterations : Pass<"tile-skip-iterations", "::mlir::ModuleOp"> {
  let summary = "a loop whose products stand in a conditional goes through the iterations that multiply";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def JoinIterations : Pass<"tile-join-iterations", "::mlir::ModuleOp"> {
  let summary = "several iterations along a streamed axis become one with longer tiles";
  let options = [Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "whose costs decide whether longer tiles pay">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def HandOnAddresses : Pass<"tile-hand-on-addresses", "::mlir::ModuleOp"> {
  let summary = "a loop that goes on where another has come to begins with addresses of its own";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def UncarryAddresses : Pass<"tile-uncarry-addresses", "::mlir::ModuleOp"> {
  let summary = "tiles of addresses that loops carry are made anew in each iteration";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def GatherRows : Pass<"tile-gather-rows", "::mlir::ModuleOp"> {
  let summary = "what products gather row by row is loaded, by places of rows";
  let options = [Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "whose threads copy the rows">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def GroupIterations : Pass<"tile-group-iterations", "::mlir::ModuleOp"> {
  let summary = "loops that wait for rows which memory names have several under way";
  let options = [Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "which says how many">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def Distribute : Pass<"tile-distribute", "::mlir::ModuleOp"> {
  let summary = "turns tile.parallel into a loop of persistent workers";
  let options = [Option<"group", "group", "int64_t", "0",
      "instances of the first axis visited together (0: as the machine's L2 wants it)">,
    Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "whose L2 counts; one of units takes instances in ascending order">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}
def NameOps : Pass<"sched-name-ops", "::mlir::ModuleOp"> {
  let summary = "gives every op that touches a tile, and every loop, a stable name";
}
def SplitColumns : Pass<"tile-split-columns", "::mlir::ModuleOp"> {
  let summary = "products whose partial sums outgrow the registers get fewer columns";
  let options = [Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "whose registers hold the sums">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def Split : Pass<"tile-split", "::mlir::ModuleOp"> {
  let summary = "splits tiles along M into sub-tiles of a product's rows for a consumer each";
  let options = [Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "a sub-tile has as many rows as one product of it">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def StageOperands : Pass<"tile-stage-operands", "::mlir::ModuleOp"> {
  let summary = "operands of products that threads make get a place in shared memory";
  let options = [Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "whose products take what from registers">];
}
def ScheduleLoops : Pass<"sched-schedule", "::mlir::ModuleOp"> {
  let summary = "finds a schedule and writes its table";
  let options = [Option<"random", "random", "uint64_t", "0",
      "draw a random legal schedule from this seed (0: solve)">,
    Option<"kept", "kept", "int64_t", "0",
      "bytes of shared memory that rings leave free, beside what is known to be needed">,
    Option<"method", "method", "std::string", "\"heuristic\"",
      "how to find the schedule: auto, heuristic, exact, in-step (exact, sub-tiles at equal "
      "distances), or a file with a sched.plan">,
    Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "whose costs count: the name of a description in machines/, or a file">];
  let dependentDialects = ["::heddle::sched::SchedDialect"];
}
def PriceUnits : Pass<"aref-price-units", "::mlir::ModuleOp"> {
  let summary = "writes down what operations take on a machine's units";
  let options = [Option<"machine", "machine", "std::string", "\"\"",
      "that has the units (none: the one that the kernel names)">];
}
def AssignRoles : Pass<"sched-assign-roles", "::mlir::ModuleOp"> {
  let summary = "a plan by roles: who reads ahead, who computes, what rings carry";
  let options = [Option<"machine", "machine", "std::string", "\"dae\"", "that has the units">,
    Option<"access", "access", "std::string", "\"access\"", "the units that read ahead">,
    Option<"execute", "execute", "std::string", "\"execute\"", "the unit that computes">];
  let dependentDialects = ["::heddle::sched::SchedDialect"];
}
def FindReplicas : Pass<"sched-find-replicas", "::mlir::ModuleOp"> {
  let summary = "says which processes of a plan do the same as others, with other numbers";
  let dependentDialects = ["::heddle::aref::ArefDialect", "::mlir::arith::ArithDialect"];
}
def ExpandSchedule : Pass<"sched-expand", "::mlir::ModuleOp"> {
  let summary = "the generic expander: schedule to processes and rings";
  let dependentDialects = ["::heddle::aref::ArefDialect", "::mlir::arith::ArithDialect"];
}
def SplitIterations : Pass<"aref-split-iterations", "::mlir::ModuleOp"> {
  let summary = "splits a loop where a condition on its induction variable turns";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def LowerToHopper : Pass<"aref-to-hopper", "::mlir::ModuleOp"> {
  let summary = "assigns layouts, shared memory, instructions, waits and fences";
  let options = [Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "whose margins of registers count">];
  let dependentDialects = ["::heddle::hopper::HopperDialect"];
}
def InsertStamps : Pass<"hopper-stamp", "::mlir::ModuleOp"> {
  let summary = "lets the kernels of a module with heddle.trace note the clock";
}
def NarrowNumbers : Pass<"hopper-narrow-numbers", "::mlir::ModuleOp"> {
  let summary = "32 bits of every index are enough: asks launches, or computes in i64";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def LowerToNvvm : Pass<"hopper-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "expands tiles to threads";
  let options = [Option<"machine", "machine", "std::string", "::heddle::machine::kDefaultMachine",
      "whose registers decide how threads copy and compare">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
      "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::NVVM::NVVMDialect",
      "::mlir::scf::SCFDialect"];
}

#endif // HEDDLE_TRANSFORMS_PASSES
