//===- ArefOps.td - Sequential processes joined by rings ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/rationale/aref.md gives the small-step semantics. Nothing here knows a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_AREF_OPS
#define HEDDLE_AREF_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Aref_Dialect : Dialect {
  let name = "aref";
  let cppNamespace = "::heddle::aref";
  let summary = "Sequential processes joined by asynchronous references";
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

class Aref_Type<string name, string typeMnemonic>
    : TypeDef<Aref_Dialect, name> { let mnemonic = typeMnemonic; }

def Aref_Ring : Aref_Type<"Ring", "ring"> {
  let summary = "a ring of slots, each holding one payload tuple";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$payload);
  let hasCustomAssemblyFormat = 1; // `<[type, ...]>`
}
def Aref_Turn : Aref_Type<"Turn", "turn"> {
  let summary = "which use of a ring comes next for one process";
}
def Aref_Token : Aref_Type<"Token", "token"> {
  let summary = "the right to one slot, from acquire to publish or release";
}
def Aref_Flight : Aref_Type<"Flight", "flight"> {
  let summary = "the result of an asynchronous operation that may not be finished";
  let parameters = (ins "::mlir::Type":$value);
  let assemblyFormat = "`<` $value `>`";
}

class Aref_Op<string mnemonic, list<Trait> traits = []>
    : Op<Aref_Dialect, mnemonic, traits>;

/// Stands in a process, under nothing but scf.for, scf.if and scf.while, and
/// names its ring directly.
def Aref_StepTrait : NativeOpTrait<"StepTrait"> {
  let cppNamespace = "::heddle::aref";
}
/// Stands in a tile.kernel itself.
def Aref_TopTrait : NativeOpTrait<"TopTrait"> {
  let cppNamespace = "::heddle::aref";
}
/// Carries values only, and has one producer.
def Aref_RingTrait : NativeOpTrait<"RingTrait"> {
  let cppNamespace = "::heddle::aref";
}
/// A step of the protocol. Passes keep the order of steps.
class Aref_Step<string mnemonic>
    : Aref_Op<mnemonic, [Aref_StepTrait, MemoryEffects<[MemRead, MemWrite]>]>;

def Aref_RingOp : Aref_Op<"ring", [Aref_TopTrait, Aref_RingTrait]> {
  let summary = "declares a ring of `depth` slots";
  let description = "An empty payload is an ordering credit. All slots start empty.";
  let arguments = (ins StrAttr:$sym, I64Attr:$depth);
  let results = (outs Aref_Ring:$ring);
  let assemblyFormat = "$sym `depth` $depth attr-dict `:` qualified(type($ring))";
  let hasVerifier = 1;
}

def Aref_ProcessOp : Aref_Op<"process", [SingleBlock, NoTerminator,
    RecursiveMemoryEffects, Aref_TopTrait]> {
  let summary = "a sequential process on a set of warps, or on a unit by name";
  let description = [{
    A machine made of units has no warps: a process says which unit it runs on.
    What its operations take there is text, too: `aref.issue` and `aref.latency`
    on an operation, in cycles, or on the process for those that have none.
  }];
  let arguments = (ins StrAttr:$sym, DefaultValuedAttr<I64Attr, "0">:$warps,
                       DefaultValuedAttr<I64Attr, "0">:$registers,
                       OptionalAttr<StrAttr>:$unit);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym (`on` $unit^)? (`warps` $warps^ `registers` $registers)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Aref_FirstTurnOp : Aref_Op<"first_turn", [Pure, Aref_StepTrait]> {
  let summary = "turn 0 of a ring";
  let arguments = (ins Aref_Ring:$ring);
  let results = (outs Aref_Turn:$turn);
  let assemblyFormat = "$ring attr-dict `:` qualified(type($ring))";
}

def Aref_AcquireOp : Aref_Step<"acquire"> {
  let summary = "producer: waits until the slot of this turn is empty";
  let arguments = (ins Aref_Ring:$ring, Aref_Turn:$turn);
  let results = (outs Aref_Token:$token, Aref_Turn:$next);
  let assemblyFormat = "$ring `[` $turn `]` attr-dict `:` qualified(type($ring))";
}

def Aref_PublishOp : Aref_Step<"publish"> {
  let summary = "producer: fills the slot; it is full when all values have arrived";
  let description = [{
    A value may still be on its way: a tile that a copy is loading, or a flight,
    given in place of its value.
  }];
  let arguments = (ins Aref_Ring:$ring, Aref_Token:$token, Variadic<AnyType>:$values);
  let assemblyFormat = [{
    $ring `[` $token `]` (`,` $values^)? attr-dict `:` qualified(type($ring))
    (`,` type($values)^)?
  }];
  let hasVerifier = 1;
}

def Aref_GetOp : Aref_Step<"get"> {
  let summary = "consumer: waits until the slot of this turn is full and borrows its values";
  let arguments = (ins Aref_Ring:$ring, Aref_Turn:$turn);
  let results = (outs Aref_Token:$token, Aref_Turn:$next, Variadic<AnyType>:$values);
  let assemblyFormat = [{
    $ring `[` $turn `]` attr-dict `:` qualified(type($ring)) (`->` type($values)^)?
  }];
  let hasVerifier = 1;
}

def Aref_ReleaseOp : Aref_Step<"release"> {
  let summary = "consumer: gives the slot back, after the values named were waited for";
  let description = [{
    `after` holds results of aref.await (or other values computed from the slot),
    so that no pass can move the release above the wait that retires its reader.
    With a flight in `after` the process goes on at once, and the slot goes back
    when the flight has landed.
  }];
  let arguments = (ins Aref_Ring:$ring, Aref_Token:$token, Variadic<AnyType>:$after);
  let assemblyFormat = [{
    $ring `[` $token `]` (`after` $after^)? attr-dict `:` qualified(type($ring))
    (`,` type($after)^)?
  }];
}

def Aref_CloseOp : Aref_Step<"close"> {
  let summary = "producer: there will be no turn from this one on";
  let description = "For streams whose length the consumers do not know beforehand.";
  let arguments = (ins Aref_Ring:$ring, Aref_Turn:$turn);
  let assemblyFormat = "$ring `[` $turn `]` attr-dict `:` qualified(type($ring))";
}

def Aref_MoreOp : Aref_Step<"more"> {
  let summary = "consumer: waits until this turn is full or closed; true if full";
  let description = "After true, the get of this turn does not wait.";
  let arguments = (ins Aref_Ring:$ring, Aref_Turn:$turn);
  let results = (outs I1:$more);
  let assemblyFormat = "$ring `[` $turn `]` attr-dict `:` qualified(type($ring))";
}

def Aref_StartOp : Aref_Op<"start", [SingleBlock, RecursiveMemoryEffects, Aref_StepTrait]> {
  let summary = "starts operations on an asynchronous unit, which runs them in order";
  let description = [{
    Operands are values or flights of the same unit (an accumulator still in
    flight may be accumulated into); the region's arguments are their values.
    `aref.start "tensor" (%x = %a, %y = %b, %z = %f) { %d = tile.dot ...; aref.yield %d }`
  }];
  let arguments = (ins StrAttr:$unit, Variadic<AnyType>:$inputs);
  let results = (outs Aref_Flight:$flight);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Aref_YieldOp : Aref_Op<"yield", [Pure, Terminator, HasParent<"StartOp">]> {
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Aref_AwaitOp : Aref_Step<"await"> {
  let summary = "waits until a flight has landed, while `pending` later ones may be out";
  let description = [{
    `pending` is the number of flights of the same unit that this process
    started after this one and that may still be in flight: the expander derives
    it from the schedule.
  }];
  let arguments = (ins Aref_Flight:$flight, I64Attr:$pending);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$flight `pending` $pending attr-dict `:` qualified(type($flight)) `->` type($value)";
  let hasVerifier = 1;
}

#endif // HEDDLE_AREF_OPS
