//===- PtxEntries.cpp - What PTX says of its entries ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxEntries.h"

#include <algorithm>

using namespace heddle::manifest;

namespace {

bool isNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%' || c == '.';
}

int64_t bytesOf(std::string_view type) {
  if (type == "pred")
    return 1;
  size_t digits = type.find_first_of("0123456789");
  if (digits == type.npos)
    return 0;
  int64_t bits = 0;
  for (char c : type.substr(digits, 3))
    bits = c >= '0' && c <= '9' ? 10 * bits + (c - '0') : 0;
  return bits % 8 ? 0 : bits / 8;
}

/// Words, numbers and single characters, without comments.
class Scanner {
public:
  Scanner(std::string_view text, size_t at) : text(text), at(at) {}

  std::string_view next() {
    skip();
    size_t begin = at;
    while (at < text.size() && isNameChar(text[at]))
      ++at;
    if (at == begin && at < text.size())
      ++at;
    return text.substr(begin, at - begin);
  }
  std::string_view peek() {
    size_t before = at;
    std::string_view token = next();
    at = before;
    return token;
  }
  bool take(std::string_view token) {
    if (peek() != token)
      return false;
    next();
    return true;
  }
  /// A number of at most nine digits; -1 for anything else.
  int64_t number() {
    std::string_view token = next();
    int64_t value = 0;
    if (token.empty() || token.size() > 9)
      return -1;
    for (char c : token) {
      if (c < '0' || c > '9')
        return -1;
      value = 10 * value + (c - '0');
    }
    return value;
  }
  size_t place() const { return at; }

private:
  void skip() {
    for (;;) {
      while (at < text.size() && (unsigned char)text[at] <= ' ')
        ++at;
      if (text.substr(at, 2) == "//")
        at = std::min(text.find('\n', at), text.size());
      else if (text.substr(at, 2) == "/*")
        at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
      else
        return;
    }
  }

  std::string_view text;
  size_t at;
};

/// [.param .align 8 .u64 .ptr .global .align 1 NAME] or [.. NAME[128]].
bool readParam(Scanner &scanner, PtxParam &param) {
  if (!scanner.take(".param"))
    return false;
  bool isPointee = false; // an alignment behind .ptr is what it points to
  while (scanner.peek().substr(0, 1) == ".") {
    std::string_view word = scanner.next();
    if (word == ".align") {
      int64_t alignment = scanner.number();
      if (!isPointee)
        param.alignment = alignment;
    } else if (word == ".ptr") {
      isPointee = true;
    } else if (!isPointee) {
      param.type = word.substr(1);
      param.bytes = bytesOf(param.type);
    }
  }
  param.alignment = std::max(param.alignment, param.bytes);
  param.name = scanner.next();
  if (scanner.take("[")) {
    int64_t count = scanner.number();
    if (count < 1 || !scanner.take("]"))
      return false;
    param.bytes *= count;
  }
  return param.bytes > 0 && !param.name.empty();
}

void readExtents(Scanner &scanner, std::array<int64_t, 3> &extents) {
  extents = {1, 1, 1};
  for (size_t axis = 0; axis < 3; ++axis) {
    extents[axis] = scanner.number();
    if (!scanner.take(","))
      return;
  }
}

/// Between the parameters and the body.
void readBounds(Scanner &scanner, PtxEntry &entry) {
  for (;;) {
    std::string_view word = scanner.peek();
    if (word.empty() || word == "{" || word == ";")
      return;
    scanner.next();
    if (word == ".reqntid")
      readExtents(scanner, entry.requiredThreads);
    else if (word == ".maxntid")
      readExtents(scanner, entry.mostThreads);
    else if (word == ".reqnctapercluster")
      readExtents(scanner, entry.cluster);
  }
}

bool readEntry(std::string_view ptx, size_t at, PtxEntry &entry) {
  Scanner scanner(ptx, at);
  entry.name = scanner.next();
  if (scanner.take("(") && !scanner.take(")"))
    for (;;) {
      if (!readParam(scanner, entry.params.emplace_back()))
        return false;
      if (scanner.take(")"))
        break;
      if (!scanner.take(","))
        return false;
    }
  readBounds(scanner, entry);
  entry.body = ptx.substr(scanner.place());
  return true;
}

/// The next place of the directive `word` that is not in a line's comment.
size_t findDirective(std::string_view ptx, std::string_view word, size_t from) {
  for (;; from += word.size()) {
    from = ptx.find(word, from);
    if (from == ptx.npos)
      return from;
    size_t line = ptx.rfind('\n', from) + 1;
    char behind = from + word.size() < ptx.size() ? ptx[from + word.size()] : 0;
    char before = from > line ? ptx[from - 1] : ' ';
    if (!isNameChar(behind) && !isNameChar(before) &&
        ptx.substr(line, from - line).find("//") == ptx.npos)
      return from;
  }
}

} // namespace

bool heddle::manifest::readPtxEntries(std::string_view ptx, PtxEntries &result,
                                      std::string &error) {
  size_t first = findDirective(ptx, ".entry", 0);
  std::string_view head = ptx.substr(0, first);
  if (size_t at = findDirective(head, ".target", 0); at != head.npos)
    result.target = Scanner(head, at + 7).next();
  if (size_t at = findDirective(head, ".extern", 0); at != head.npos) {
    Scanner scanner(head, at + 7);
    if (scanner.take(".shared")) {
      while (scanner.peek().substr(0, 1) == ".")
        if (scanner.next() == ".align")
          scanner.number();
      result.dynamicShared = scanner.next();
    }
  }
  for (size_t at = first; at != ptx.npos;) {
    size_t next = findDirective(ptx, ".entry", at + 6);
    PtxEntry &entry = result.entries.emplace_back();
    if (!readEntry(ptx.substr(0, next), at + 6, entry)) {
      size_t line = 1 + size_t(std::count(ptx.begin(), ptx.begin() + at, '\n'));
      error = "PTX line " + std::to_string(line) + ": entry '" +
              std::string(entry.name) +
              "' has a parameter that is not written as PTX has them";
      return false;
    }
    at = next;
  }
  return true;
}
