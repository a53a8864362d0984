//===- OtherTiles.h - Tiles beside a program's own --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles that a user asks for beside the program's own, as plain data.
// Command line and C interface fill it in; it is a header of its own so that
// reading options does not pull in the choice, and with it MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TILECHOICE_OTHERTILES_H
#define HEDDLE_TILECHOICE_OTHERTILES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle::tilechoice {

/// "BM=128", "BN=64": values in place of the program's own.
using Settings = std::vector<std::string>;

/// Tiles that a launch may take in place of the program's own: those that
/// somebody lists, or the few that are worth having.
struct OtherTiles {
  bool isAutomatic = false;
  /// Automatic, and nobody asked: what stands in the way is no error, and what
  /// is chosen no remark.
  bool isDefault = false;
  /// How many are chosen at the most; without it, the few that are worth their
  /// time in every compilation.
  std::optional<size_t> most;
  /// The largest `most`, and as many are listed at the most: each tile takes a
  /// fifth of a second of a compilation, and a launch of new sizes compares all
  /// of them.
  static constexpr size_t kMostCounted = 64;
  std::vector<Settings> settings;

  /// Of "auto" or "auto:COUNT"; nothing for other texts.
  static std::optional<OtherTiles> readAutomatic(llvm::StringRef text);

  bool areAsked() const { return isAutomatic || !settings.empty(); }
};

} // namespace heddle::tilechoice

#endif // HEDDLE_TILECHOICE_OTHERTILES_H
