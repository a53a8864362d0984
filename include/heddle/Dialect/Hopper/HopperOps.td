//===- HopperOps.td - Processes on sm_90a: layouts, slots, instruction families ===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per process, still tile values and structured loops (scf), element-wise arith
// and math on tensors whose encoding is a register layout. Every op is one
// instruction family; hopper-to-nvvm expands it to threads and decides nothing.
// Not here: lanes, addresses, parities of single barriers.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_HOPPER_OPS
#define HEDDLE_HOPPER_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "heddle/Dialect/Tile/TileBase.td"

def Hopper_Dialect : Dialect {
  let name = "hopper";
  let cppNamespace = "::heddle::hopper";
  let summary = "Warp-specialised programs for sm_90a";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::heddle::tile::TileDialect"];
}

def Hopper_LayoutAttr : AttrDef<Hopper_Dialect, "Layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "layout";
  let summary = "which lane and register of a process hold which element of a tile";
  let description = [{
    An atom times an integer repetition per axis. The atom is bit-linear: bit i
    of the lane index adds the coordinate vector lane[i], and so on for the warp
    index (within the process) and the register index; a zero vector replicates.
    `tile` is the atom's extent; the tile's extent is tile * rep. Registers are
    numbered with the atom's register bits fastest, then the repetitions, last
    axis fastest. Vectors are flattened, rank numbers each. The wgmma
    accumulator m64nN is
    `<lane = [0,2, 0,4, 1,0, 2,0, 4,0], warp = [16,0, 32,0], reg = [0,1, 8,0],
      tile = [64,8], rep = [1,N/8]>`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$lane,
                        ArrayRefParameter<"int64_t">:$warp,
                        ArrayRefParameter<"int64_t">:$reg,
                        ArrayRefParameter<"int64_t">:$tile,
                        ArrayRefParameter<"int64_t">:$rep);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

class Hopper_Type<string name, string typeMnemonic>
    : TypeDef<Hopper_Dialect, name> { let mnemonic = typeMnemonic; }

def Hopper_Smem : Hopper_Type<"Smem", "smem"> {
  let summary = "a tile in shared memory";
  let description = [{
    `!hopper.smem<64x64xf16, order = [1, 0], swizzle = 128>`. `order` lists axes
    fastest first. The tile is a row of boxes along the fastest axis, each
    `swizzle` bytes wide (the whole extent if swizzle is 0) and as tall as the
    other axis; a box is contiguous, its rows `swizzle` bytes apart, with
    Hopper's address-bit swizzle. Boxes follow each other.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        ArrayRefParameter<"int64_t">:$order,
                        "int64_t":$swizzle);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes of the tile in shared memory.
    int64_t getSizeBytes() const;
    /// Elements along the fastest axis of one box.
    int64_t getBoxWidth() const;
    /// The same of what TMA copies at once: a tile of one axis goes in pieces
    /// where it is longer than a box may be.
    int64_t getCopyWidth() const;
    /// The type of a tile of rank 2 with its axes exchanged.
    SmemType getTransposed() const;
  }];
}

def Hopper_Flight : Hopper_Type<"Flight", "flight"> {
  let summary = "accumulators that a wgmma in flight is writing";
  let parameters = (ins "::mlir::RankedTensorType":$value);
  let assemblyFormat = "`<` $value `>`";
}

class Hopper_Op<string mnemonic, list<Trait> traits = []>
    : Op<Hopper_Dialect, mnemonic, traits>;
defvar Hopper_Effects = [MemoryEffects<[MemRead, MemWrite]>];

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def Hopper_KernelOp : Hopper_Op<"kernel", [Symbol, IsolatedFromAbove,
    SingleBlock, NoTerminator,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "one variant of a kernel for one thread block";
  let description = [{
    Arguments are those of the tile kernel. The body is scalar arithmetic on the
    arguments, ring and buffer declarations, the grid, and processes.
    `tma` lists the arguments that must be TMA tensors for this variant, `rows`
    those whose rows begin at multiples of 16 bytes and span one, `multiples`
    addresses and numbers that are multiples of 16, which gathers and scatters
    of several elements at once (`hopper.vector`) count on.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrArrayAttr>:$arg_names,
                       StrAttr:$source_name,
                       I64Attr:$threads, I64Attr:$shared_bytes,
                       DenseI64ArrayAttr:$tma_args,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$row_args,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$multiple_args);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getEntry() { return getBody().front(); }
    std::string getArgName(unsigned i);
    /// What makes argument `i`; null if a caller passes it.
    MadeViewOp getMaker(unsigned i);
    /// What says that argument `i` is of counters; null if it is not.
    CountersOp getCounters(unsigned i);
    /// Processes begin behind a barrier: there are mbarriers to initialise, or
    /// tensor maps to fetch.
    bool beginsWithBarrier();
    /// Copies of the process in a block.
    int64_t getTeams();
  }];
}

def Hopper_GridOp : Hopper_Op<"grid", Hopper_Effects> {
  let summary = "thread blocks to launch: min(instances, multiprocessors * blocks)";
  let description = [{
    The host evaluates it: `instances` must be arithmetic on dims and scalars.
    `blocks` share a multiprocessor, so that one computes while others wait for
    memory; a thread has as many registers as that leaves. With `each` there is a
    block for each instance: the hardware gives a multiprocessor the next one when
    one ends, a thread has as many registers as its code needs, and `blocks` only
    says how many are thought to fit. `dealt` is a block for each instance too,
    with the registers that `blocks` leave.
    With `each`, `teams` instances share a block: it has as many copies of its
    process, each with warps and an instance of its own, since a multiprocessor
    takes fewer blocks than warps and starts them one by one. Each team's
    `tile.worker_id` is its own; those behind the last instance have none, so the
    process asks. Teams never wait for each other.
    Not pure, although it computes nothing: without results it would look dead.
  }];
  let arguments = (ins Index:$instances, DefaultValuedAttr<I64Attr, "1">:$blocks,
                       UnitAttr:$each, UnitAttr:$dealt,
                       DefaultValuedAttr<I64Attr, "1">:$teams);
  let assemblyFormat = [{
    (`each` $each^)? (`dealt` $dealt^)? $instances (`blocks` $blocks^)?
    (`teams` $teams^)? attr-dict
  }];
  let extraClassDeclaration = "bool hasBlockEach() { return getEach() || getDealt(); }";
}

def Hopper_RequireOp : Hopper_Op<"require", Hopper_Effects> {
  let summary = "refuses a launch with a message unless value >= bound";
  let description = [{
    The host evaluates both sides, which are arithmetic on dims and scalars. With
    `variant` it is a condition of this kernel alone, and a launch takes the next
    variant that there is.
  }];
  let arguments = (ins Index:$value, Index:$bound, StrAttr:$message,
                       UnitAttr:$variant);
  let assemblyFormat = [{
    (`variant` $variant^)? $value `at_least` $bound `,` $message attr-dict
  }];
  let hasVerifier = 1;
}

def Hopper_MadeViewOp : Hopper_Op<"made_view", !listconcat(Hopper_Effects,
    [AttrSizedOperandSegments])> {
  let summary = "what an argument is that no caller passes";
  let description = [{
    `hopper.made_view %v of %p + %o, [%m, %k], [%s, %c1]`: the view that the program
    makes of the array `o` elements behind an argument. The host evaluates the
    numbers, so that the view can be a TMA tensor. `far_axis` is as `tile.make_view`
    has it, and the places of what TMA loads along it are constants.
  }];
  let arguments = (ins Tile_View:$view, Tile_Ptr:$ptr, Index:$offset,
                       Variadic<Index>:$extents, Variadic<Index>:$strides,
                       OptionalAttr<I64Attr>:$far_axis);
  let assemblyFormat = [{
    $view `of` $ptr `+` $offset `,` `[` $extents `]` `,` `[` $strides `]` attr-dict
    `:` qualified(type($view)) `,` qualified(type($ptr))
  }];
  let hasVerifier = 1;
}

def Hopper_CountersOp : Hopper_Op<"counters", Hopper_Effects> {
  let summary = "an argument that no caller passes: zeros that a launch brings";
  let description = [{
    `hopper.counters %t, %n for %y : !tile.view<?xi32>, !tile.view<?xf32>`: memory
    for `n` numbers, of which the host evaluates how many; they are zero when the
    first block begins, and nobody else has them while the kernel runs. They say
    whose turn it is to add to `y`, so whatever adds there awaits its turn.
  }];
  let arguments = (ins Tile_View:$view, Index:$count, Tile_View:$added);
  let assemblyFormat = [{
    $view `,` $count `for` $added attr-dict
    `:` qualified(type($view)) `,` qualified(type($added))
  }];
  let hasVerifier = 1;
}

def Hopper_RingOp : Hopper_Op<"ring"> {
  let summary = "places a ring in shared memory, offsets in bytes";
  let description = [{
    Slot i starts at offset + i * slot_bytes. full[i] and empty[i] are mbarriers
    at full + 8 i and empty + 8 i, initialised with the arrival counts.
  }];
  let arguments = (ins StrAttr:$sym, I64Attr:$depth, I64Attr:$offset,
                       I64Attr:$slot_bytes, I64Attr:$full, I64Attr:$empty,
                       I64Attr:$full_arrivals, I64Attr:$empty_arrivals);
  let assemblyFormat = [{
    $sym `depth` $depth `at` $offset `slot` $slot_bytes `full` $full `x` $full_arrivals
    `empty` $empty `x` $empty_arrivals attr-dict
  }];
}

def Hopper_ProcessOp : Hopper_Op<"process", [SingleBlock, NoTerminator]> {
  let summary = "a process on warps [first_warp, first_warp + warps)";
  let description = [{
    With `elected` one thread of the first warp runs the body and the other
    threads do nothing: for processes that only issue asynchronous operations.
    `registers` is the budget a thread (setmaxnreg), 0 leaves it.
  }];
  let arguments = (ins StrAttr:$sym, I64Attr:$first_warp, I64Attr:$warps,
                       I64Attr:$registers, UnitAttr:$elected);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym `warps` $first_warp `+` $warps `registers` $registers (`elected` $elected^)?
    attr-dict-with-keyword $body
  }];
}

//===----------------------------------------------------------------------===//
// Rings and barriers. `side` is "full" or "empty".
//===----------------------------------------------------------------------===//

def Hopper_WaitOp : Hopper_Op<"wait", Hopper_Effects> {
  let summary = "waits until the phase of parity `phase` of a slot's barrier has completed";
  let arguments = (ins StrAttr:$ring, StrAttr:$side, I32:$slot, I32:$phase);
  let assemblyFormat = "$ring $side `[` $slot `]` `phase` $phase attr-dict";
}

def Hopper_ArriveOp
    : Hopper_Op<"arrive", !listconcat(Hopper_Effects, [AttrSizedOperandSegments])> {
  let summary = "one arrival a warp (one in all in an elected process)";
  let description = [{
    With `copies`, the results of copies before it, one arrival a thread: each comes
    when what the thread copies so far is in shared memory, and nobody waits for that.
    Such an arrival publishes the copies and nothing else that the threads did.
  }];
  let arguments = (ins StrAttr:$ring, StrAttr:$side, I32:$slot, Variadic<AnyType>:$after,
                       Variadic<I1>:$copies);
  let assemblyFormat = [{
    $ring $side `[` $slot `]` (`after` $after^ `:` type($after))? (`copies` $copies^)? attr-dict
  }];
}

def Hopper_ExpectOp : Hopper_Op<"expect", Hopper_Effects> {
  let summary = "arrives once at the full barrier and announces `bytes` of TMA data";
  let arguments = (ins StrAttr:$ring, I32:$slot, I64Attr:$bytes);
  let assemblyFormat = "$ring `[` $slot `]` `bytes` $bytes attr-dict";
}

def Hopper_SyncOp : Hopper_Op<"sync", Hopper_Effects> {
  let summary = "named barrier `id` over `threads` threads";
  let arguments = (ins I64Attr:$id, I64Attr:$threads);
  let assemblyFormat = "$id `threads` $threads attr-dict";
}

def Hopper_StampOp : Hopper_Op<"stamp", Hopper_Effects> {
  let summary = "the process's first thread notes the clock: what `names` say begins here";
  let description = [{
    Only in instrumented kernels. `number` is the stamp's own in the kernel;
    `activity` is one of acquire, get, issue, await, work and end, `names` the
    rings or the operations of the schedule that it concerns.
    Conversion/Stamps.h says what the thread writes to `trace`.
  }];
  let arguments = (ins Tile_View:$trace, I64Attr:$number, StrAttr:$activity,
                       StrArrayAttr:$names);
  let assemblyFormat = "$trace `[` $number `]` $activity $names attr-dict `:` qualified(type($trace))";
}

def Hopper_FenceAsyncOp : Hopper_Op<"fence_async", Hopper_Effects> {
  let summary = "orders this thread's shared-memory writes before the async proxy's reads";
  let description = "So it does with copies under way by other threads whose end this thread knows of.";
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

def Hopper_SlotOp : Hopper_Op<"slot", [Pure]> {
  let summary = "a tile in a slot of a ring, `offset` bytes into the slot";
  let arguments = (ins StrAttr:$ring, I32:$slot, I64Attr:$offset);
  let results = (outs Hopper_Smem:$tile);
  let assemblyFormat = "$ring `[` $slot `]` `at` $offset attr-dict `:` qualified(type($tile))";
}

def Hopper_BufferOp : Hopper_Op<"buffer", [Pure]> {
  let summary = "a tile in shared memory outside the rings";
  let arguments = (ins StrAttr:$sym, I64Attr:$offset);
  let results = (outs Hopper_Smem:$tile);
  let assemblyFormat = "$sym `at` $offset attr-dict `:` qualified(type($tile))";
}

def Hopper_SharedTransOp : Hopper_Op<"shared_trans", [Pure]> {
  let summary = "the same tile in shared memory with its two axes exchanged: moves nothing";
  let arguments = (ins Hopper_Smem:$tile);
  let results = (outs Hopper_Smem:$result);
  let assemblyFormat = "$tile attr-dict `:` qualified(type($tile)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Hopper_LocalStoreOp : Hopper_Op<"local_store", Hopper_Effects> {
  let summary = "registers to shared memory (generic proxy)";
  let arguments = (ins AnyRankedTensor:$value, Hopper_Smem:$tile);
  let assemblyFormat = "$value `,` $tile attr-dict `:` type($value) `,` qualified(type($tile))";
}

def Hopper_LocalLoadOp : Hopper_Op<"local_load", Hopper_Effects> {
  let summary = "shared memory to registers (generic proxy)";
  let arguments = (ins Hopper_Smem:$tile);
  let results = (outs AnyRankedTensor:$value);
  let assemblyFormat = "$tile attr-dict `:` qualified(type($tile)) `->` type($value)";
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

def Hopper_TmaLoadOp : Hopper_Op<"tma_load",
    !listconcat(Hopper_Effects, [AttrSizedOperandSegments])> {
  let summary = "TMA: a box (or a row of boxes) of a view into a slot; completes on its full barrier";
  let description = [{
    With `steps`, one for each axis of the view, neighbours in the tile are so
    many elements of the view apart.

    With `run`, in im2col mode: the tile's rows are pixels. The view's fastest
    axis counts channels, its slowest images, the pixels' own axes lie between.
    A run goes on along the pixel axes, in steps, from `first` for `count`
    pixels each, and then to the next image; `offsets` say where it begins, and
    `run` is added to the places of all pixels. `first`, `count` and `run` list
    the pixel axes in the view's order, fastest first; a host knows the first two.
  }];
  let arguments = (ins Tile_View:$view, Variadic<Index>:$offsets,
                       Variadic<Index>:$run, Variadic<Index>:$first,
                       Variadic<Index>:$count,
                       Hopper_Smem:$tile, StrAttr:$ring, I32:$slot,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$steps);
  let assemblyFormat = [{
    $view `[` $offsets `]` (`run` `[` $run^ `]` `first` `[` $first `]` `count` `[` $count `]`)?
    `to` $tile `,` $ring `[` $slot `]` attr-dict
    `:` qualified(type($view)) `,` qualified(type($tile))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$view, "::mlir::ValueRange":$offsets,
      "::mlir::Value":$tile, "::llvm::StringRef":$ring, "::mlir::Value":$slot), [{
    build($_builder, $_state, view, offsets, {}, {}, {}, tile, ring, slot,
          ::llvm::ArrayRef<int64_t>{});
  }]>];
}

def Hopper_TmaStoreOp : Hopper_Op<"tma_store", Hopper_Effects> {
  let summary = "TMA: shared memory to a view, and commit; issued by the process's first thread";
  let description = [{
    With `add`, each element is added to what stands in the view, atomically; the
    sums of several such stores may come in any order.
  }];
  let arguments = (ins Hopper_Smem:$tile, Tile_View:$view, Variadic<Index>:$offsets,
                       UnitAttr:$add);
  let assemblyFormat = [{
    $tile (`add` $add^)? `to` $view `[` $offsets `]` attr-dict `:` qualified(type($tile)) `,` qualified(type($view))
  }];
}

def Hopper_TmaStoreWaitOp : Hopper_Op<"tma_store_wait", Hopper_Effects> {
  let summary = "the first thread waits until at most `pending` stores still read shared memory";
  let arguments = (ins I64Attr:$pending, UnitAttr:$complete);
  let assemblyFormat = "$pending (`complete` $complete^)? attr-dict";
}

def Hopper_AwaitTurnOp : Hopper_Op<"await_turn", Hopper_Effects> {
  let summary = "the first thread waits until counter `place` is `turn`";
  let description = [{
    Behind it the thread, what it orders TMA to do, and behind a `hopper.sync` the
    other threads of the process come after all that blocks did before they passed
    their turns. A block waits for blocks of lower numbers alone, which the
    hardware has started before: so there is a block for each instance, and turns
    grow with the number of the instance.
  }];
  let arguments = (ins Tile_View:$counters, Index:$place, Index:$turn);
  let assemblyFormat = [{
    $counters `[` $place `]` `turn` $turn attr-dict `:` qualified(type($counters))
  }];
}

def Hopper_PassTurnOp : Hopper_Op<"pass_turn", Hopper_Effects> {
  let summary = "the first thread adds one to counter `place`";
  let description = [{
    Before it comes what the thread did, its stores by TMA whose writes it has
    waited for, and what other threads did before a `hopper.sync`.
  }];
  let arguments = (ins Tile_View:$counters, Index:$place);
  let assemblyFormat = "$counters `[` $place `]` attr-dict `:` qualified(type($counters))";
}

def Hopper_CopyOp : Hopper_Op<"copy", !listconcat(Hopper_Effects,
    [AttrSizedOperandSegments])> {
  let summary = "all threads copy a tile of a view into shared memory, zeros outside (generic proxy)";
  let description = [{
    For views that are no TMA tensors. Returns when this thread's part is written,
    unless it has a result: then the copy may go on, and one arrival after it in the
    block names the result, which says whether it does.

    `rows` are those of `tile.load`, a column in the layout of the threads that
    copy each row, which hopper::rowsLayout gives.
  }];
  let arguments = (ins Tile_View:$view, Variadic<Index>:$offsets, Hopper_Smem:$tile,
                       Optional<AnyRankedTensor>:$rows);
  let results = (outs Optional<I1>:$under_way);
  let assemblyFormat = [{
    $view `[` $offsets `]` (`rows` $rows^ `:` type($rows))? `to` $tile attr-dict `:` qualified(type($view)) `,` qualified(type($tile))
    (`->` type($under_way)^)?
  }];
}

def Hopper_GlobalLoadOp : Hopper_Op<"global_load", !listconcat(Hopper_Effects,
    [AttrSizedOperandSegments])> {
  let summary = "a tile of a view to registers, zeros outside";
  let description = [{
    `vector` elements at once, guarded as one: the layout's neighbouring registers
    hold neighbours in memory, which lie wholly inside the view or outside.

    `rows` are those of `tile.load`, a column in the layout of the tile's rows;
    then elements are read one by one.
  }];
  let arguments = (ins Tile_View:$view, Variadic<Index>:$offsets,
                       DefaultValuedAttr<I64Attr, "1">:$vector,
                       Optional<AnyRankedTensor>:$rows);
  let results = (outs AnyRankedTensor:$value);
  let assemblyFormat = "$view `[` $offsets `]` (`rows` $rows^ `:` type($rows))? (`vector` $vector^)? attr-dict `:` qualified(type($view)) `->` type($value)";
}

def Hopper_GlobalStoreOp : Hopper_Op<"global_store", !listconcat(Hopper_Effects,
    [AttrSizedOperandSegments])> {
  let summary = "registers to a tile of a view; elements outside are dropped";
  let description = [{
    `vector` elements at once, as of `hopper.global_load`. With `looks` nobody has
    asked whether the view's rows allow that: the threads look, and store
    elements one by one where they do not. Where a condition is given and does not
    hold, nothing is stored; no branch says so, since products may be in flight.
  }];
  let arguments = (ins AnyRankedTensor:$value, Tile_View:$view, Variadic<Index>:$offsets,
                       DefaultValuedAttr<I64Attr, "1">:$vector, UnitAttr:$looks,
                       Optional<I1>:$condition);
  let assemblyFormat = "$value `,` $view `[` $offsets `]` (`vector` $vector^)? (`looks` $looks^)? (`if` $condition^)? attr-dict `:` type($value) `,` qualified(type($view))";
}

//===----------------------------------------------------------------------===//
// Registers and the tensor core
//===----------------------------------------------------------------------===//

def Hopper_WgmmaOp : Hopper_Op<"wgmma", Hopper_Effects> {
  let summary = "acc + a . b on the tensor core, asynchronously: fence, m64nNk16 steps, commit";
  let description = [{
    a is a tile in shared memory or a register tile, b is in shared memory. acc
    is a tile, a flight of the same process (accumulated into in place), or
    absent, which means zero.
  }];
  let arguments = (ins AnyType:$a, Hopper_Smem:$b, Optional<AnyType>:$acc);
  let results = (outs Hopper_Flight:$flight);
  let assemblyFormat = [{
    $a `,` $b (`,` $acc^ `:` type($acc))? attr-dict `:` type($a) `,` qualified(type($b)) `->` qualified(type($flight))
  }];
  let hasVerifier = 1;
}

def Hopper_WgmmaWaitOp : Hopper_Op<"wgmma_wait", Hopper_Effects> {
  let summary = "waits until at most `pending` committed groups are in flight";
  let description = [{
    The flight named must then have landed; the result is its value. A flight is
    registers: once a later wgmma accumulates into them, or a wait gave a value
    that is read, it may be waited for, but neither read nor accumulated into.
  }];
  let arguments = (ins Hopper_Flight:$flight, I64Attr:$pending);
  let results = (outs AnyRankedTensor:$value);
  let assemblyFormat = "$flight `pending` $pending attr-dict `:` qualified(type($flight)) `->` type($value)";
}

def Hopper_ConvertLayoutOp : Hopper_Op<"convert_layout", [Pure]> {
  let summary = "the same tile in another register layout";
  let arguments = (ins AnyRankedTensor:$value);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Hopper_SubtileOp : Hopper_Op<"subtile", [Pure]> {
  let summary = "a block of a register tile: names registers, moves nothing";
  let description = [{
    `hopper.subtile %v at [0, 64] : tensor<64x256xf16, #l> -> tensor<64x64xf16, #m>`:
    the elements from coordinate (0, 64) on. Each thread must already hold
    everything that #m gives it.
  }];
  let arguments = (ins AnyRankedTensor:$value, DenseI64ArrayAttr:$offsets);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value `at` $offsets attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

include "heddle/Dialect/Hopper/HopperCombineOps.td"

#endif // HEDDLE_HOPPER_OPS
