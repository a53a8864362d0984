//===- Writer.h - The text of a kernel, and numbers in it -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines, fresh names, and integer arithmetic of all widths: an expression over
// constants has a value here that the model computes exactly, so that a guard
// that is made of it has a truth that the generator knows. A checker that takes
// extensions for identities, or cuts constants, sees another truth.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_WRITER_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_WRITER_H

#include "Choice.h"
#include "Integers.h"

#include <functional>
#include <string>
#include <vector>

namespace heddle::adversary {

using fuzz::Choice;

/// A value of the kernel; of a number its bits, and whether it is an index.
struct Num {
  std::string name, type;
  int width = 0;
};

std::string typeOf(int width); ///< "index" for 0
int bitsOfType(const std::string &type);

class Writer {
public:
  explicit Writer(Choice &choice) : choice(choice) {}

  void line(const std::string &text) {
    out += std::string(size_t(2 * depth), ' ') + text + "\n";
  }
  void open(const std::string &text) {
    line(text);
    ++depth;
  }
  void close(const std::string &text = "}") {
    --depth;
    line(text);
  }
  std::string fresh() { return "%v" + std::to_string(next++); }

  Num constant(const std::string &type, int64_t value);
  /// A constant, or an expression over constants that is one.
  Num number(const std::string &type, int64_t value);
  Num binary(const std::string &op, const Num &a, const Num &b);
  Num compare(const std::string &predicate, const Num &a, const Num &b);
  Num select(const Num &condition, const Num &a, const Num &b);
  /// In another type; `isSigned` decides how it is extended.
  Num cast(const Num &a, const std::string &type, bool isSigned);
  Num view(const std::string &name) { return {name, "", 0}; }
  /// An expression over constants, and what it is.
  Num closed(const std::string &type, int64_t &value, int depth);
  /// A condition over constants that holds, or not.
  Num guard(bool holds);
  /// `if` a guard that holds: what is in it always happens.
  void guarded(bool holds, const std::function<void()> &body);

  /// Of 100 numbers so many are expressions.
  int trickyPercent = 0;
  std::string out;

private:
  std::string randomType();
  int64_t interesting(int width);

  Choice &choice;
  int depth = 0, next = 0;
};

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_WRITER_H
