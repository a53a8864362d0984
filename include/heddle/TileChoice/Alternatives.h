//===- Alternatives.h - Tiles that a launch chooses among -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One tile does not suit every size: 32 tiles of 128 x 256 leave a hundred
// multiprocessors without work. A kernel compiled for several tiles carries the
// model's estimate of each as an expression over its arguments, and a launch
// takes the one that is predicted to be fastest. docs/rationale/tiles.md.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILECHOICE_ALTERNATIVES_H
#define HEDDLE_TILECHOICE_ALTERNATIVES_H

#include "heddle/Manifest/Manifest.h"
#include "heddle/TileChoice/OtherTiles.h"
#include "heddle/TileChoice/TileChoice.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace heddle::tilechoice {

/// How much of the time of the program's own tiles others must be predicted to
/// take at most, to be launched instead: a numerator and a denominator, since a
/// launch computes with whole numbers. Times of plans that were executed err
/// less than those by tables.
std::pair<int64_t, int64_t> shareForOthers(const machine::Costs &machine,
                                           bool isExecuted);

/// Lowers `own`, which is `program` on the tile rung or scheduled, in place to
/// nvvm, and adds what `program` becomes with each of `others`; nothing happens
/// where none are worth having. The two may be one module. Automatic ones are
/// up to four, for sizes as far as `options` give them, with a remark that
/// names them. Failures are diagnostics: a program below the tile rung, a
/// setting that it does not know, tiles that a pass refuses, a kernel whose
/// time hangs on more than its arguments. `joined` becomes what a launch must
/// know of the kernels, where any were added; its text is in `own`, and long.
mlir::LogicalResult lowerAlternatives(mlir::ModuleOp own,
                                      mlir::ModuleOp program,
                                      const Options &options,
                                      const OtherTiles &others,
                                      std::vector<manifest::Manifest> &joined);

/// The programs that `others` stand for, on the tile rung as `program` is; two
/// where sums are made in parts. Their kernels are named after the tiles.
/// Failures are as above.
mlir::FailureOr<std::vector<mlir::OwningOpRef<mlir::ModuleOp>>>
writeAlternatives(mlir::ModuleOp program, const Options &options,
                  const OtherTiles &others);

/// Which of its own tiles and `others` a launch with the extents in `options`,
/// all of which are given, takes, and why: a line for each, with its cycles in
/// the model and into how many parts it divides its sums.
mlir::FailureOr<std::vector<std::string>>
describeLaunch(mlir::ModuleOp program, const Options &options,
               const OtherTiles &others);

} // namespace heddle::tilechoice

#endif // HEDDLE_TILECHOICE_ALTERNATIVES_H
