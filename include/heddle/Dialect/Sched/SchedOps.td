//===- SchedOps.td - The schedule of a tile program --------------*- tablegen -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sched rung is the tile program after `split`, each scheduled op carrying
// {sched.op = "name"} and each scheduled loop {sched.loop = "name"}, plus one
// sched.plan per kernel, which is the only state. The table can be edited by
// hand: an ablation is an edit of it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SCHED_OPS
#define HEDDLE_SCHED_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"

def Sched_Dialect : Dialect {
  let name = "sched";
  let cppNamespace = "::heddle::sched";
  let summary = "Which process does what, when";
}

class Sched_Op<string mnemonic, list<Trait> traits = []>
    : Op<Sched_Dialect, mnemonic, traits>;

def Sched_PlanOp : Sched_Op<"plan", [SingleBlock, NoTerminator]> {
  let summary = "the schedule of one kernel";
  let description = [{
    `blocks` thread blocks share a multiprocessor. Each has its share of registers
    and shared memory, and works through instances of its own. With `dealt` the
    hardware deals the instances out, one to a block: memory says how long each
    lasts, so that no order fixed beforehand is fair.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, DefaultValuedAttr<I64Attr, "1">:$blocks,
                       UnitAttr:$dealt);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$kernel (`blocks` $blocks^)? (`dealt` $dealt^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Sched_ProcessOp : Sched_Op<"process", [HasParent<"PlanOp">]> {
  let summary = "declares a process: its unit, or warps and the register budget a thread";
  let description = [{
    A plan whose processes are on units is expanded by roles and not by a
    timetable: each process gets the loops that it takes part in.
  }];
  let arguments = (ins StrAttr:$sym, DefaultValuedAttr<I64Attr, "0">:$warps,
                       DefaultValuedAttr<I64Attr, "0">:$registers,
                       OptionalAttr<StrAttr>:$unit);
  let assemblyFormat = [{
    $sym (`on` $unit^)? (`warps` $warps^ `registers` $registers)? attr-dict
  }];
}

def Sched_RingOp : Sched_Op<"ring", [HasParent<"PlanOp">]> {
  let summary = "declares a ring: the values named by entries travel through its slots";
  let description = [{
    Of a tile, a turn `carries` so many elements of the last axis; without it
    all of them.

    With slots for the `rest`, a turn carries what a whole group of iterations
    sends (`groups` of the loop's table), and what an iteration behind the last
    group sends goes through a ring of its own, of so many slots.
  }];
  let arguments = (ins StrAttr:$sym, I64Attr:$depth, OptionalAttr<I64Attr>:$carries,
                       OptionalAttr<I64Attr>:$rest);
  let assemblyFormat =
      "$sym `depth` $depth (`carries` $carries^)? (`rest` $rest^)? attr-dict";
}

def Sched_TableOp : Sched_Op<"table", [HasParent<"PlanOp">, SingleBlock, NoTerminator]> {
  let summary = "the schedule of one loop; cycles are model cycles";
  let description = [{
    `orders` names an asynchronous unit that serves its processes in the order
    of the table: each issues its share of an iteration when it has the
    ordering credit, and hands that on. Without it whoever comes first is
    served first.

    Where a step of the pipeline begins is the code's choice. It makes what an
    asynchronous unit reads from registers in the step that reads it, unless
    the loop prepares operands `ahead`: then they may come from the step before,
    so that the issue waits for no arithmetic.

    Iterations near the end of every run may take another branch: its `tail`, as
    where the rows of a triangle cross its diagonal. A table with `tail` gives
    them a loop of their own behind the steady one, with no branch in either;
    without it the branch stays in the one loop. What only the last, ragged
    tile needs is no tail, and always apart.

    In a plan by roles, `control` says how processes that take part in the loop
    learn of its iterations: they `replicate` its bounds and count, they get the
    `count` of its iterations in front of it, or a `flag` with each. All
    processes do so many iterations at a time as its `groups` have, and those
    that are left behind the last group one by one.
  }];
  let arguments = (ins StrAttr:$loop, I64Attr:$ii,
                       OptionalAttr<StrAttr>:$orders, UnitAttr:$ahead,
                       UnitAttr:$tail, OptionalAttr<StrAttr>:$control,
                       OptionalAttr<I64Attr>:$groups);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$loop `ii` $ii (`orders` $orders^)? (`ahead` $ahead^)? "
      "(`tail` $tail^)? (`control` $control^)? (`groups` $groups^)? "
      "attr-dict-with-keyword $body";
}

def Sched_EntryOp : Sched_Op<"entry", [HasParent<"TableOp">]> {
  let summary = "where and when one op runs";
  let description = [{
    `start` is the issue cycle of iteration 0; stage = start div ii. `latency`
    is the number of cycles until the result may be used. `ring` names the ring
    that carries the result to other processes, if it leaves its own.

    A store may be `late` in the table of the loop over instances: its process
    keeps the tile and stores it under the next instance, once that has started
    the first product of its pipelined loop; the last one behind the loop.
    Only the copy engine stores by itself: in variants for views that it cannot
    write, such a store stands at the end of its own instance.

    What a load with `stream` reads is not read again: no cache keeps it.
  }];
  let arguments = (ins StrAttr:$op, StrAttr:$unit, I64Attr:$start,
                       I64Attr:$latency, StrAttr:$process,
                       OptionalAttr<StrAttr>:$ring, UnitAttr:$late,
                       UnitAttr:$stream);
  let assemblyFormat = [{
    $op `on` $unit `start` $start `latency` $latency `in` $process
    (`via` $ring^)? (`late` $late^)? (`stream` $stream^)? attr-dict
  }];
}

#endif // HEDDLE_SCHED_OPS
