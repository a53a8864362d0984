//===- RowPitch.h - What rows off lines cost a copy -*- C++ -*-------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: bytes that copies take from a view of which rows lie one behind the
// other. Out: the bytes of rows that begin at lines, which would take as long.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_ROWPITCH_H
#define HEDDLE_LIB_TILECHOICE_ROWPITCH_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Manifest/Manifest.h"
#include "heddle/TileChoice/TileChoice.h"

namespace heddle::tilechoice {

/// By extents that are given; `bytes` where they are not.
double asIfOnLines(double bytes, tile::KernelOp kernel, unsigned array,
                   const machine::Costs &costs, const Extents &extents);

/// By extents that a launch knows.
manifest::Expr asIfOnLines(int64_t bytes, tile::KernelOp kernel, unsigned array,
                           const machine::Costs &costs);

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_ROWPITCH_H
