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
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values, I64Attr:$axis);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    $values `axis` $axis attr-dict `:` type($values) `->` type($results)
    `combine` custom<Combiner>($combiner)
  }];
  let hasVerifier = 1;
}

def Hopper_YieldOp : Hopper_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["ReduceOp"]>]> {
  let summary = "what a combiner gives";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}
