//===- ProcessText.h - Writes processes as text -----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process is short and the same for every stream, so it is written as the
// text that `--emit=aref` shows, and parsed. Values are their names. A token in
// a ring is a number and a code: 0 for a value, 1 for an absent one, 2 + k for
// the stop k; the end is a closed ring.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_FLOWTOAREF_PROCESSTEXT_H
#define HEDDLE_LIB_CONVERSION_FLOWTOAREF_PROCESSTEXT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <string>
#include <vector>

namespace heddle {

/// The name of a value.
using Name = std::string;
using Names = std::vector<Name>;

/// A ring and the type of its numbers: "i64", "f32" or "f64".
struct RingText {
  std::string name, element;
  std::string type() const { return "!aref.ring<[" + element + ", i64]>"; }
  /// A ring that nobody reads is not there.
  bool isThere() const { return !name.empty(); }
};

/// What a process has of a ring that it reads: the token at its head, if there
/// is one, and the turn of the token after it.
struct Head {
  Name has, number, code, turn;
};

class ProcessText {
public:
  /// Types of the values that loops carry.
  static constexpr const char *kTurn = "!aref.turn";

  void line(const llvm::Twine &text);
  /// `op operands : type`, for operations whose result has the operands' type.
  Name make(const llvm::Twine &text);
  Name compare(llvm::StringRef how, const Name &a, const Name &b);
  Name both(const Name &a, const Name &b);
  Name either(const Name &a, const Name &b);
  Name flip(const Name &a);
  Name select(const Name &when, const Name &a, const Name &b,
              llvm::StringRef type);

  /// A constant in front of the processes.
  Name number(int64_t value);
  Name zero(llvm::StringRef element);
  Name yes() { return "%yes"; }
  Name no() { return "%no"; }

  Names branch(const Name &when, const std::vector<std::string> &types,
               llvm::function_ref<Names()> then,
               llvm::function_ref<Names()> other, bool isBeside = false);
  /// As long as the first carried value, an i1, is true.
  Names loop(const std::vector<std::string> &types, const Names &initial,
             llvm::function_ref<Names(const Names &)> body);

  Name firstTurn(const RingText &ring);
  /// The next token of a ring, waiting for it.
  Head fetch(const RingText &ring, const Name &turn);
  /// The same if `when`; else `head` stays.
  Head fetchIf(const Name &when, const RingText &ring, const Head &head);
  static std::vector<std::string> headTypes(const RingText &ring);
  static Names namesOf(const Head &head) {
    return {head.has, head.number, head.code, head.turn};
  }
  static Head headOf(const Names &names, size_t at) {
    return {names[at], names[at + 1], names[at + 2], names[at + 3]};
  }

  /// Puts a token into a ring; the turn after it. The process is first busy for
  /// what `tokens` take, 0 or 1.
  Name emit(const RingText &ring, const Name &turn, const Name &value,
            const Name &code, int64_t tokens);
  void close(const RingText &ring, const Name &turn);

  /// Element `at`, an i64, of a view.
  Name load(const Name &view, const Name &at, llvm::StringRef element);
  void store(const Name &view, const Name &at, const Name &value,
             llvm::StringRef element);

  /// What so many tokens occupy the process for, as an attribute's text.
  std::string issue(int64_t tokens) const;
  /// Cycles of a token, from here on.
  void setTokenCycles(int64_t cycles) { tokenCycles = cycles; }

  const std::string &getText() const { return text; }
  /// The constants that were asked for.
  std::string getConstants() const { return constants; }
  void clear() { text.clear(); }

private:
  Name fresh() { return "%v" + std::to_string(next++); }

  std::string text, constants;
  std::vector<std::string> known;
  int next = 0;
  int64_t tokenCycles = 1;
};

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_FLOWTOAREF_PROCESSTEXT_H
