//===- Shrink.cpp - A smaller kernel with the same conflict ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"

#include "llvm/ADT/StringExtras.h"

using namespace heddle::adversary;
using Lines = std::vector<std::string>;

static std::string join(const Lines &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

static Judged judgeText(const std::string &text, const JudgeOptions &options,
                        int seconds) {
  Judged result;
  judgeMany(
      0, 1, 1, seconds, options, [&](uint64_t) { return text; },
      [&](const Judged &judged) { result = judged; });
  return result;
}

static bool isAlike(const Judged &a, const Judged &b) {
  if (a.crashed || a.hung || b.crashed || b.hung)
    return a.crashed == b.crashed && a.hung == b.hung &&
           a.opinion.message == b.opinion.message;
  if (a.opinion.verdict == Verdict::NotProved &&
      general(a.opinion.message) != general(b.opinion.message))
    return false;
  return a.opinion.verdict == b.opinion.verdict &&
         a.opinion.conflict == b.opinion.conflict &&
         kindOf(a.opinion.finding.fault) == kindOf(b.opinion.finding.fault);
}

/// The line behind the block that begins at `from`; `from` + 1 if none does.
static size_t endOf(const Lines &lines, size_t from) {
  int depth = 0;
  for (size_t i = from; i < lines.size(); ++i) {
    for (char c : lines[i])
      depth += (c == '{') - (c == '}');
    if (depth <= 0)
      return i + 1;
  }
  return from + 1;
}

/// What a line can become: constants, operands.
static Lines simpler(const std::string &line) {
  Lines result;
  llvm::StringRef text(line);
  size_t at = text.find(" = arith.");
  if (at == llvm::StringRef::npos || text.contains("arith.constant"))
    return result;
  llvm::StringRef type =
      text.rsplit(text.contains(" to ") ? " to " : " : ").second;
  bool isTruth = text.contains("cmpi") || type == "i1";
  for (const char *number : {"0", "1", "2"}) {
    std::string value = isTruth ? number[0] == '0' ? "false" : "true"
                                : std::string(number) + " : " + type.str();
    result.push_back(text.take_front(at).str() + " = arith.constant " + value);
  }
  return result;
}

std::string heddle::adversary::shrink(const std::string &text,
                                      const JudgeOptions &options,
                                      int seconds) {
  Judged wanted = judgeText(text, options, seconds);
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, '\n', -1, /*KeepEmpty=*/false);
  Lines lines;
  for (llvm::StringRef part : parts)
    lines.push_back(part.str());
  auto take = [&](const Lines &candidate) {
    if (!isAlike(wanted, judgeText(join(candidate), options, seconds)))
      return false;
    lines = candidate;
    return true;
  };
  for (bool isSmaller = true; isSmaller;) {
    isSmaller = false;
    // From the end: what uses a value goes before it.
    for (size_t i = lines.size(); i-- > 0;) {
      size_t end = endOf(lines, i);
      Lines without = lines;
      without.erase(without.begin() + i, without.begin() + end);
      if (take(without)) {
        isSmaller = true;
        continue;
      }
      if (end > i + 2) { // only what is around
        Lines inner = lines;
        inner.erase(inner.begin() + end - 1);
        inner.erase(inner.begin() + i);
        if (take(inner)) {
          isSmaller = true;
          continue;
        }
      }
      for (const std::string &other : simpler(lines[i])) {
        Lines changed = lines;
        changed[i] = other;
        if (take(changed)) {
          isSmaller = true;
          break;
        }
      }
    }
  }
  return join(lines);
}
