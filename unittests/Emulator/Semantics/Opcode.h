//===- Opcode.h - The text of a table's row ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of a table is a pattern, `add{,.rn,.rz}{,.ftz}.f32`, which stands for
// one opcode for each choice. A model works from the opcode's text alone.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_OPCODE_H
#define HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_OPCODE_H

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::emulator::model {

/// All opcodes that a pattern stands for.
inline std::vector<std::string> expand(const std::string &pattern) {
  size_t open = pattern.find('{');
  if (open == std::string::npos)
    return {pattern};
  size_t close = pattern.find('}', open);
  std::vector<std::string> result;
  for (size_t at = open + 1; at <= close;) {
    size_t end = std::min(pattern.find(',', at), close);
    for (std::string &tail : expand(pattern.substr(close + 1)))
      result.push_back(pattern.substr(0, open) + pattern.substr(at, end - at) +
                       tail);
    at = end + 1;
  }
  return result;
}

template <class List> std::vector<std::string> expandAll(const List &patterns) {
  std::vector<std::string> result;
  for (const char *pattern : patterns)
    for (std::string &opcode : expand(pattern))
      result.push_back(std::move(opcode));
  return result;
}

/// An opcode and its parts between the dots.
struct Opcode {
  explicit Opcode(std::string whole) : text(std::move(whole)) {
    std::string_view rest = text;
    while (true) {
      size_t dot = rest.find('.');
      parts.push_back(std::string(rest.substr(0, dot)));
      if (dot == std::string_view::npos)
        break;
      rest = rest.substr(dot + 1);
    }
  }
  const std::string &name() const { return parts[0]; }
  /// From the end: 0 is the last.
  const std::string &type(size_t fromEnd = 0) const {
    return parts[parts.size() - 1 - fromEnd];
  }
  bool has(std::string_view modifier) const {
    return std::find(parts.begin() + 1, parts.end(), modifier) != parts.end();
  }
  template <class... Names> bool hasAny(Names... names) const {
    return (has(names) || ...);
  }

  std::string text;
  std::vector<std::string> parts;
};

} // namespace heddle::emulator::model

#endif // HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_OPCODE_H
