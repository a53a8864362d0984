//===- HopperCombineOps.td - Combining what registers of a warp hold -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by HopperOps.td. The tile rung's reductions become these within a
// warp; what several warps share goes through shared memory in between.
//
//===----------------------------------------------------------------------===//

def Hopper_ReduceOp : Hopper_Op<"reduce", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "each warp combines what it holds along an axis: registers, then lanes";
  let description = [{
    ```
    %t = hopper.reduce %x axis 1 : tensor<64x128xf32, #l> -> tensor<64x1xf32, #m>
        combine (%p: f32, %q: f32) { ...; hopper.yield %s : f32 }
    ```
    The axis stays, with one coordinate for each position that a warp has along
    it: 1 where no two warps differ there. #m follows from #l: lanes that moved
    along the axis hold replicas, equal in every bit. A thread combines its
    registers in the order of the axis, as a balanced tree, then lanes do over
    the bits of their index from the lowest; the lower coordinate is the
    combiner's first argument.

    `hopper.reduce %x axis 1 by_thread`: only a thread's registers. The axis
    keeps a coordinate for each position that a thread has along it, of which
    another hopper.reduce makes the total.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values, I64Attr:$axis,
                       UnitAttr:$byThread);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    $values `axis` $axis (`by_thread` $byThread^)? attr-dict `:` type($values)
    `->` type($results) `combine` custom<Combiner>($combiner)
  }];
  let hasVerifier = 1;
}

def Hopper_ScanOp : Hopper_Op<"scan", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "combines each element with those before it along an axis, within a warp";
  let description = [{
    As tile.scan, in a layout whose warps do not move along the axis; the results
    have the layout of the operands. Blocks grow digit by digit of the position:
    the second of two adds the total of the first to each of its elements.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values, I64Attr:$axis,
                       UnitAttr:$reverse);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    $values `axis` $axis (`reverse` $reverse^)? attr-dict `:` type($values)
    `->` type($results) `combine` custom<Combiner>($combiner)
  }];
  let hasVerifier = 1;
}

def Hopper_LocalTakeOp : Hopper_Op<"local_take", Hopper_Effects> {
  let summary = "elements of a shared tile chosen by indices along an axis";
  let description = [{
    `hopper.local_take %tile[%i], 0`: result[i, j] = tile[index[i, j], j], in the
    layout of the indices. An index outside is an error that nothing reports.
  }];
  let arguments = (ins Hopper_Smem:$tile, AnyRankedTensor:$indices, I64Attr:$axis);
  let results = (outs AnyRankedTensor:$value);
  let assemblyFormat = [{
    $tile `[` $indices `]` `,` $axis attr-dict `:` qualified(type($tile)) `,`
    type($indices) `->` type($value)
  }];
  let hasVerifier = 1;
}

def Hopper_LocalUnfoldOp : Hopper_Op<"local_unfold", Hopper_Effects> {
  let summary = "windows that slide along a shared tile, to registers";
  let description = [{
    `hopper.local_unfold %tile from %first {size = 33, step = 12}`: result[r, k]
    = tile[first + step * r + k] for k below `size`, and zero behind. A window
    that ends outside of the tile is an error that nothing reports.
  }];
  let arguments = (ins Hopper_Smem:$tile, Index:$first, I64Attr:$size, I64Attr:$step);
  let results = (outs AnyRankedTensor:$value);
  let assemblyFormat = [{
    $tile `from` $first attr-dict `:` qualified(type($tile)) `->` type($value)
  }];
  let hasVerifier = 1;
}

def Hopper_LocalCountOp : Hopper_Op<"local_count", Hopper_Effects> {
  let summary = "adds 1 to the element of a shared tile that each number names";
  let description = [{
    Numbers outside the tile and those that the mask excludes are left out;
    replicas count once. The tile has one axis of i32, without a swizzle.
  }];
  let arguments = (ins AnyRankedTensor:$value, Optional<AnyRankedTensor>:$mask,
                       Hopper_Smem:$tile);
  let assemblyFormat = [{
    $value (`mask` $mask^ `:` type($mask))? `,` $tile attr-dict `:` type($value)
    `,` qualified(type($tile))
  }];
  let hasVerifier = 1;
}

def Hopper_YieldOp : Hopper_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "what a combiner gives";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}
