//===- Diagnostic.h - What an error or a remark is --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every message ends with the id of its kind: `... [shared-memory-overflow]`.
// The kinds are listed in Diagnostics/*.def, one file for each part of the
// compiler, so that a new kind rebuilds that part only. A file that emits
// includes the header beside the list, which declares
// `diag::shared_memory_overflow`, and Report.h where there is MLIR.
// docs/reference/diagnostics.md is made from the lists.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_DIAGNOSTIC_H
#define HEDDLE_SUPPORT_DIAGNOSTIC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace heddle::diag {

/// What a message means for the caller. A tool's exit code is that of the
/// worst: the last one of these wins.
enum class Outcome {
  Remark,   ///< an optimisation was declined; the result is right, but slower
  Declined, ///< a program of the language that heddle cannot compile
  BadInput, ///< the program, a file or the command line is at fault
  Objected, ///< what was compiled is wrong: a bug of heddle, or a failed check
};

/// 0 for a remark, then 2, 3 and 1: the exit codes of every tool.
int exitCode(Outcome outcome);

struct Kind {
  Outcome outcome;
  const char *symbol;  ///< the C++ name: the id with underscores
  const char *summary; ///< one sentence without a full stop
  const char *advice;  ///< why it is so and what to change

  /// "shared-memory-overflow".
  std::string id() const;
};

/// Part of the compiler, as a chapter of the reference.
struct Chapter {
  const char *title;
  llvm::ArrayRef<const Kind *> kinds;
};

/// All kinds, in the order of the ladder.
llvm::ArrayRef<Chapter> catalogue();

/// Null if there is none.
const Kind *findKind(llvm::StringRef id);

/// "MESSAGE [ID]".
std::string withId(const Kind &kind, const llvm::Twine &message);

/// The same as an error, for what has no MLIR.
llvm::Error makeError(const Kind &kind, const llvm::Twine &message);

/// The kind that a message ends with; null if it has no id.
const Kind *kindOfMessage(llvm::StringRef message);

/// What `heddle explain --error ID` prints.
void printKind(const Kind &kind, llvm::raw_ostream &os);

/// docs/reference/diagnostics.md.
void printReference(llvm::raw_ostream &os);

} // namespace heddle::diag

#endif // HEDDLE_SUPPORT_DIAGNOSTIC_H
