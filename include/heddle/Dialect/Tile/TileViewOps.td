//===- TileViewOps.td - Views of views --------------------------*- tablegen -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by TileOps.td. A view is a map from coordinates to an element or to
// zero. These operations make such a map of another one without moving an
// element: sliding windows along an axis, and neighbouring axes that become
// one. A product whose rows are windows is never written down; stencils and
// pooling read the same views.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILE_VIEW_OPS
#define HEDDLE_TILE_VIEW_OPS

include "heddle/Dialect/Tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_WindowOp : Tile_Op<"window", [Pure]> {
  let summary = "one axis of a view becomes the number of a window and a place in it";
  let description = [{
    `tile.window %x axis 1 extent %p, window 3 extent %f, low %l
       {stride = 2, dilation = 1} : !tile.view<?x?x?xf16> -> !tile.view<?x?x?x?xf16>`:
    axis 1 counts windows, axis 3 of the result the places in one. Window o has
    its place f at o * stride + f * dilation - low of the axis that was; what
    lies outside of the view that was is zero, and so is what lies outside of
    the two extents. The other axes keep their order.

    `low` may be negative. Windows may overlap, so nothing is stored in them.
  }];
  let arguments = (ins Tile_View:$view, Index:$extent, Index:$windowExtent, Index:$low,
                       I64Attr:$axis, I64Attr:$window,
                       DefaultValuedAttr<I64Attr, "1">:$stride,
                       DefaultValuedAttr<I64Attr, "1">:$dilation);
  let results = (outs Tile_View:$result);
  let assemblyFormat = [{
    $view `axis` $axis `extent` $extent `,` `window` $window `extent` $windowExtent
    `,` `low` $low attr-dict `:` qualified(type($view)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_MergeOp : Tile_Op<"merge", [Pure]> {
  let summary = "neighbouring axes of a view become one";
  let description = [{
    `tile.merge %x axes 0 to 2 : !tile.view<?x?x?x?xf16> -> !tile.view<?x?xf16>`:
    coordinate ((i * E1) + j) * E2 + k of the result's axis 0 is (i, j, k), E
    being the extents. The merged extent is their product.
  }];
  let arguments = (ins Tile_View:$view, I64Attr:$first, I64Attr:$last);
  let results = (outs Tile_View:$result);
  let assemblyFormat = [{
    $view `axes` $first `to` $last attr-dict
    `:` qualified(type($view)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // HEDDLE_TILE_VIEW_OPS
