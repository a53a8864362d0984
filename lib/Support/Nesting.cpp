//===- Nesting.cpp - Bounds on the shape of a program's text --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the characters, which knows strings, comments and brackets and
// nothing else of the grammar. `>` is a bracket only where a `<` is open and no
// arrow or comparison ends in it; a bracket that closes nothing is left to the
// parser. What is counted is therefore never less than what the parser nests.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Nesting.h"

#include "heddle/Support/CheckedMath.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <vector>

using namespace heddle;
using llvm::StringRef;

namespace {

/// What a name stands for: `!t = tuple<!s, !s>`.
struct Alias {
  size_t begin = 0;
  int64_t length = 0;
  /// Of its own text; and where the names in it stand.
  int64_t depth = 0;
  llvm::SmallVector<std::pair<StringRef, int64_t>> uses;
  /// With all names replaced.
  int64_t fullLength = 0, fullDepth = 0;
};

class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}
  std::optional<TextFault> run();

private:
  struct Bracket {
    char open;
    size_t at;
    bool isAffine; ///< of an affine map or set
  };

  void skipString();
  void scanName();
  void scanNumber();
  void open(char c);
  void close(char c);
  void checkAffine(const Bracket &bracket);
  void endAlias();
  void checkAliases();
  void fail(size_t at, std::string message);
  bool isNameChar(char c) const {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  }

  StringRef text;
  size_t at = 0;
  std::vector<Bracket> brackets;
  StringRef lastWord;     ///< directly before, without a blank
  Alias *alias = nullptr; ///< being defined
  int64_t aliasBase = 0;  ///< brackets open where it began
  llvm::StringMap<Alias> aliases;
  /// Names used outside of definitions, with the brackets around them.
  llvm::StringMap<std::pair<int64_t, size_t>> uses;
  std::optional<TextFault> fault;
};

} // namespace

void Scanner::fail(size_t place, std::string message) {
  if (fault)
    return;
  StringRef before = text.take_front(place);
  fault = TextFault{unsigned(before.count('\n')) + 1,
                    unsigned(place - (before.rfind('\n') + 1)) + 1,
                    std::move(message)};
}

void Scanner::skipString() {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    at += text[at] == '\\';
  ++at;
}

void Scanner::open(char c) {
  bool isAffine =
      (!brackets.empty() && brackets.back().isAffine) ||
      (c == '<' && (lastWord == "affine_map" || lastWord == "affine_set"));
  brackets.push_back({c, at, isAffine});
  if (int64_t(brackets.size()) > kDeepestNesting)
    fail(at, "brackets are nested more than " +
                 std::to_string(kDeepestNesting) + " deep");
  if (alias)
    alias->depth = std::max(alias->depth, int64_t(brackets.size()) - aliasBase);
}

void Scanner::close(char c) {
  char opener = c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '<';
  if (c == '>' && at && (text[at - 1] == '-' || text[at - 1] == '='))
    return;
  // What does not match is for the parser to refuse; a `<` that was a
  // comparison ends with the bracket around it.
  size_t match = brackets.size();
  while (match && brackets[match - 1].open != opener &&
         brackets[match - 1].open == '<')
    --match;
  if (!match || brackets[match - 1].open != opener)
    return;
  for (; brackets.size() >= match; brackets.pop_back())
    checkAffine(brackets.back());
}

void Scanner::checkAffine(const Bracket &bracket) {
  if (bracket.isAffine && int64_t(at - bracket.at) > kLongestAffineText)
    fail(bracket.at, "an affine expression has more than " +
                         std::to_string(kLongestAffineText) + " characters");
}

/// A word, or an alias and what it is used for.
void Scanner::scanName() {
  size_t begin = at;
  ++at;
  while (at < text.size() && isNameChar(text[at]))
    ++at;
  // `->` and `d0-1` are no parts of a name that matters here.
  StringRef name = text.slice(begin, at).rtrim('-');
  at = begin + std::max<size_t>(1, name.size());
  lastWord = name;
  bool isAlias =
      (name[0] == '!' || name[0] == '#') && name.size() > 1 &&
      (!begin || (text[begin - 1] != '%' && !isNameChar(text[begin - 1])));
  if (!isAlias)
    return;
  StringRef rest = text.drop_front(at).ltrim(" \t\r\n");
  bool isDefinition =
      rest.consume_front("=") && !rest.starts_with("=") && brackets.empty();
  if (isDefinition) {
    endAlias();
    alias = &aliases[name];
    alias->begin = begin;
    aliasBase = int64_t(brackets.size());
    return;
  }
  int64_t depth = int64_t(brackets.size());
  if (alias) {
    alias->uses.push_back({name, depth - aliasBase});
    return;
  }
  auto &use = uses[name];
  if (depth >= use.first)
    use = {depth, begin};
}

void Scanner::scanNumber() {
  size_t begin = at;
  while (at < text.size() && llvm::isHexDigit(text[at]))
    ++at;
  if (at - begin > size_t(kMostDigits))
    fail(begin,
         "a number has more than " + std::to_string(kMostDigits) + " digits");
  // The rest of `0xff` or of `4x4xf32` is a word of its own.
  lastWord = "";
}

/// At the end of the line on which all its brackets are closed.
void Scanner::endAlias() {
  if (!alias)
    return;
  alias->length = int64_t(at - alias->begin);
  alias = nullptr;
}

/// Fills in what aliases stand for, without recursion.
void Scanner::checkAliases() {
  llvm::StringMap<int> state; // 1: on the stack, 2: done
  for (auto &root : aliases) {
    std::vector<StringRef> stack = {root.first()};
    while (!stack.empty() && !fault) {
      StringRef name = stack.back();
      Alias &entry = aliases[name];
      int &mark = state[name];
      if (mark == 0) {
        mark = 1;
        for (auto [used, depth] : entry.uses)
          if (aliases.contains(used) && !state.lookup(used))
            stack.push_back(used);
        continue;
      }
      stack.pop_back();
      if (mark == 2)
        continue;
      mark = 2;
      entry.fullLength = entry.length;
      entry.fullDepth = entry.depth;
      for (auto [used, depth] : entry.uses) {
        // One that is defined by itself is refused by the parser.
        auto found = aliases.find(used);
        if (found == aliases.end() || state.lookup(used) != 2)
          continue;
        entry.fullLength = satAdd(entry.fullLength, found->second.fullLength);
        entry.fullDepth =
            std::max(entry.fullDepth, satAdd(depth, found->second.fullDepth));
      }
      // A long constant is no harm; what names multiply is.
      if (satSub(entry.fullLength, entry.length) > kLongestAlias)
        fail(entry.begin, "alias " + name.str() + " stands for more than " +
                              std::to_string(kLongestAlias) +
                              " characters, once the aliases in it are "
                              "replaced");
      if (entry.fullDepth > kDeepestNesting)
        fail(entry.begin, "alias " + name.str() +
                              " stands for brackets nested more than " +
                              std::to_string(kDeepestNesting) + " deep");
    }
  }
  for (auto &use : uses) {
    auto found = aliases.find(use.first());
    if (found != aliases.end() &&
        satAdd(found->second.fullDepth, use.second.first) > kDeepestNesting)
      fail(use.second.second, "alias " + use.first().str() +
                                  " stands for brackets nested more than " +
                                  std::to_string(kDeepestNesting) +
                                  " deep at this place");
  }
}

std::optional<TextFault> Scanner::run() {
  while (at < text.size() && !fault) {
    char c = text[at];
    if (c == '"') {
      skipString();
      lastWord = "";
    } else if (c == '/' && text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (llvm::isAlpha(c) || c == '_' || c == '!' || c == '#' ||
               c == '%' || c == '@' || c == '^') {
      scanName();
    } else if (llvm::isDigit(c)) {
      scanNumber();
    } else {
      if (c == '(' || c == '[' || c == '{' || c == '<')
        open(c);
      else if (c == ')' || c == ']' || c == '}' || c == '>')
        close(c);
      else if (c == '\n' && alias && int64_t(brackets.size()) <= aliasBase &&
               at > alias->begin + 1)
        endAlias();
      lastWord = "";
      ++at;
    }
  }
  for (const Bracket &bracket : brackets)
    checkAffine(bracket);
  endAlias();
  if (!fault)
    checkAliases();
  return fault;
}

std::optional<TextFault> heddle::findDeepNesting(StringRef text) {
  return Scanner(text).run();
}

bool heddle::nestsDeeperThan(StringRef text, int levels) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > levels)
        return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}
