//===- Source.h - Program text with its settings applied
//-------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's element types and storage orders are aliases at its top, its tile
// extents are tile.param ops. `--set NAME=VALUE` fixes either: an alias is
// replaced in the text, on its own line, so that source locations stay true; a
// parameter is handed on to the pass that instantiates it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_SOURCE_H
#define HEDDLE_SUPPORT_SOURCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace heddle {

/// What `--set` can name in a program, in order of appearance. Aliases keep
/// their sigil ("!in", "#b_order").
struct SettableNames {
  std::vector<std::string> aliases;
  std::vector<std::string> parameters;
  /// What a mapping binds to one number, which cannot be set.
  std::vector<std::string> bound;
};
SettableNames findSettableNames(llvm::StringRef text);

struct Source {
  std::string path;
  std::string text;
  /// "NAME=VALUE" settings of shape parameters, for `tile-instantiate`.
  std::vector<std::string> parameterSettings;
};

/// Applies "NAME=VALUE" settings. A name may carry its sigil ("!in=bf16"); it
/// must where an alias of each kind has it. A number keeps the type of the one
/// that it replaces ("pad=2" for `#pad = 1 : index`). Unknown, repeated or
/// malformed settings are errors that say what can be set.
llvm::Expected<Source> applySettings(llvm::StringRef path, llvm::StringRef text,
                                     llvm::ArrayRef<std::string> settings);

/// Reads `path` ("-" is standard input) and applies the settings.
llvm::Expected<Source> loadSource(llvm::StringRef path,
                                  llvm::ArrayRef<std::string> settings);

} // namespace heddle

#endif // HEDDLE_SUPPORT_SOURCE_H
