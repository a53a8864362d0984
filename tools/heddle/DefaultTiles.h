//===- DefaultTiles.h - Tiles that nobody asked for -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program and the options of a command go in; the tiles for which
// `heddle compile` makes code beside the program's own come out. They are
// decided here for all commands, so that `heddle check` and certificates speak
// of the kernel that `heddle compile` makes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_DEFAULTTILES_H
#define HEDDLE_TOOLS_HEDDLE_DEFAULTTILES_H

#include "Program.h"

namespace heddle::tool {

/// The tiles that --or-tile names. Where neither it nor another option says how
/// to compile, products, and products of products, are one kernel for all sizes
/// (OtherTiles::isDefault).
llvm::Expected<tilechoice::OtherTiles>
requestTiles(Program &program, const ProgramOptions &options,
             const TileOptions &tile, const OtherTilesOption &others);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_DEFAULTTILES_H
