//===- TileOptions.h - Tiles on the command line ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options --tile and --or-tile go in, with the sizes of --view and
// --scalar; a request for lib/TileChoice comes out. Views are compared with the
// program's arguments here, because the model takes a default for each size
// that it does not find, and a misspelt name would change the ranking in
// silence.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_TILEOPTIONS_H
#define HEDDLE_TOOLS_HEDDLE_TILEOPTIONS_H

#include "ArgumentOptions.h"

#include "heddle/TileChoice/Alternatives.h"
#include "heddle/TileChoice/TileChoice.h"

namespace heddle::tool {

/// What somebody wants of a program's tiles.
struct TileRequest {
  bool isAutomatic = false;
  std::vector<std::string> settings; ///< BM=128, ...
  tilechoice::Extents extents;
};

/// `--tile=auto`, or `--tile=BM=128,BN=176`.
struct TileOptions {
  explicit TileOptions(llvm::cl::SubCommand &command);

  /// For views and scalars of the sizes given, if any are.
  llvm::Expected<TileRequest> request(const ArgumentOptions *arguments) const;

  llvm::cl::opt<std::string> tile;
};

/// `--or-tile=BM=128,BN=64`, once for each further tile, `--or-tile=auto`, or
/// `--or-tile=auto:COUNT`.
struct OtherTilesOption {
  explicit OtherTilesOption(llvm::cl::SubCommand &command);

  bool isGiven() const { return !list.empty(); }
  bool isAutomatic() const {
    return list.size() == 1 && asksForAutomatic(list[0]);
  }
  llvm::Expected<tilechoice::OtherTiles> request() const;
  /// "auto", or with a count behind it.
  static bool asksForAutomatic(llvm::StringRef text) {
    return text == "auto" || text.starts_with("auto:");
  }

  llvm::cl::list<std::string> list;
};

/// Are the sizes those of arguments that the program has?
llvm::Error checkSizes(mlir::ModuleOp module,
                       const tilechoice::Extents &extents);

/// "BM=128 BN=256".
std::string describeTiles(const std::vector<std::string> &parameters,
                          const std::vector<int64_t> &values);

/// The ranked table, and why others are not in it.
void printTiles(const tilechoice::Choice &choice,
                const tilechoice::Options &options, llvm::raw_ostream &os);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_TILEOPTIONS_H
