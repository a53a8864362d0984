//===- JsonReader.h - Strict reading of JSON, with paths --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's JSON values with three additions: the path of every value, errors that
// say what was expected and what was found, and refusal of unknown fields (a
// misspelt optional field must not be dropped in silence). The first error
// sticks; every later call does nothing, so callers need no early returns.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_JSONREADER_H
#define HEDDLE_SUPPORT_JSONREADER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::strict {

/// The first error of a whole read.
struct ErrorSink {
  std::string whole; ///< what is read: "the manifest"
  std::string text;
  bool failed() const { return !text.empty(); }
};

/// One JSON value and the path that leads to it.
class Node {
public:
  Node(const llvm::json::Value &value, std::string path, ErrorSink &sink)
      : value(&value), path(std::move(path)), sink(&sink) {}

  const llvm::json::Value &json() const { return *value; }
  bool failed() const { return sink->failed(); }
  /// Reports "PATH: expected `expected`, found WHAT".
  void expected(const std::string &expected) const;

  int64_t integer(int64_t min, int64_t max) const;
  std::string text() const;
  bool boolean() const;
  /// Calls `each` for every element.
  void list(llvm::function_ref<void(const Node &)> each) const;
  /// The elements of a list of exactly `count`; empty after an error.
  std::vector<Node> tuple(size_t count, const std::string &what) const;
  /// A value below this one, for callers that walk the JSON themselves.
  Node at(const llvm::json::Value &child, const std::string &key) const {
    return Node(child, path.empty() ? key : path + "." + key, *sink);
  }

private:
  friend class ObjectReader;
  const llvm::json::Value *value;
  std::string path;
  ErrorSink *sink;
};

/// Reads the fields of one object and refuses those nobody asked for.
class ObjectReader {
public:
  explicit ObjectReader(const Node &node);
  /// Reports unknown fields. That takes memory, and where there is none a
  /// caller's C interface catches the exception (HEDDLE_EXCEPTIONS).
  ~ObjectReader() noexcept(false);

  /// Calls `read` with the field; a missing one is an error.
  void required(llvm::StringRef key,
                llvm::function_ref<void(const Node &)> read);
  /// Calls `read` with the field if there is one.
  void optional(llvm::StringRef key,
                llvm::function_ref<void(const Node &)> read);

  bool has(llvm::StringRef key) const;

private:
  const Node &node;
  const llvm::json::Object *object;
  std::vector<std::string> known;
  int exceptionsBefore; ///< one more, and the object is left by an exception
};

/// "a list of 3", "\"text\"", "12" ...
std::string describe(const llvm::json::Value &value);

/// The integer that `value` is. LLVM's own conversion takes 2^63 and 2^64 for
/// numbers that fit.
std::optional<int64_t> toInteger(const llvm::json::Value &value);
std::optional<uint64_t> toUnsigned(const llvm::json::Value &value);

/// Parses `text` and hands its root to `read`. Returns the first error, which
/// calls the text `whole` ("the manifest"), or nothing.
std::string parse(llvm::StringRef text, const std::string &whole,
                  llvm::function_ref<void(const Node &)> read);

} // namespace heddle::strict

#endif // HEDDLE_SUPPORT_JSONREADER_H
