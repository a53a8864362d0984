//===- TextMutator.cpp - Mutations that keep text looking like text -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextMutator.h"

#include <cctype>
#include <cstdint>
#include <random>
#include <vector>

namespace heddle::fuzz {

namespace {

/// A part of the text.
struct Span {
  size_t begin = 0, end = 0;
};

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' ||
         c == '@' || c == '!' || c == '#' || c == '.' || c == '-';
}

std::vector<Span> findWords(const std::string &text) {
  std::vector<Span> words;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && isWord(text[end]))
      ++end;
    if (end > i)
      words.push_back({i, end});
    i = end + 1;
  }
  return words;
}

std::vector<Span> findNumbers(const std::string &text) {
  std::vector<Span> numbers;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    if (end > i)
      numbers.push_back({i, end});
    i = end + 1;
  }
  return numbers;
}

/// Each with its newline.
std::vector<Span> findLines(const std::string &text) {
  std::vector<Span> lines;
  for (size_t i = 0; i < text.size();) {
    size_t end = text.find('\n', i);
    end = end == std::string::npos ? text.size() : end + 1;
    lines.push_back({i, end});
    i = end;
  }
  return lines;
}

std::string cut(const std::string &text, Span span) {
  return text.substr(span.begin, span.end - span.begin);
}

class Mutation {
public:
  Mutation(const std::string &text, uint32_t seed) : text(text), engine(seed) {}

  std::string run() {
    // Deep nests and long chains are what grows a stack.
    if (engine() % 24 == 0)
      return repeatWord();
    switch (engine() % 7) {
    case 0:
      return withLine([&](std::string &result, Span line, Span) {
        result.erase(line.begin, line.end - line.begin);
      });
    case 1:
      return withLine([&](std::string &result, Span line, Span other) {
        result.insert(line.begin, cut(text, other));
      });
    case 2:
      return withLine([&](std::string &result, Span line, Span other) {
        result.replace(line.begin, line.end - line.begin, cut(text, other));
      });
    case 3:
    case 4:
      return replaceNumber();
    default:
      return replaceWord();
    }
  }

private:
  template <typename Edit> std::string withLine(Edit edit) {
    std::vector<Span> lines = findLines(text);
    std::string result = text;
    if (!lines.empty())
      edit(result, pick(lines), pick(lines));
    return result;
  }

  std::string replaceNumber() {
    static const char *const hurtful[] = {"0",
                                          "1",
                                          "-1",
                                          "2",
                                          "3",
                                          "7",
                                          "8",
                                          "16",
                                          "24",
                                          "63",
                                          "64",
                                          "65",
                                          "128",
                                          "255",
                                          "256",
                                          "1000",
                                          "65535",
                                          "1048576",
                                          "2147483647",
                                          "4294967296",
                                          "9223372036854775807",
                                          "2147483648",
                                          "2305843009213693952",
                                          "4611686018427387904",
                                          "-9223372036854775808",
                                          "18446744073709551615",
                                          "1e400",
                                          "?"};
    std::vector<Span> numbers = findNumbers(text);
    std::string result = text;
    if (numbers.empty())
      return result;
    Span span = pick(numbers);
    return result.replace(span.begin, span.end - span.begin,
                          hurtful[engine() % std::size(hurtful)]);
  }

  std::string replaceWord() {
    std::vector<Span> words = findWords(text);
    std::string result = text;
    if (words.empty())
      return result;
    Span span = pick(words);
    return result.replace(span.begin, span.end - span.begin,
                          cut(text, pick(words)));
  }

  /// A short piece of the text, many times in its place: one that opens a
  /// bracket, if the text has any.
  std::string repeatWord() {
    if (text.empty())
      return text;
    size_t begin = engine() % text.size();
    size_t open = text.find_first_of("([{<", begin);
    if (open == std::string::npos)
      open = begin;
    // The shortest pieces nest deepest.
    size_t before = engine() % 2 ? 0 : engine() % 12;
    begin = open - std::min(open, before);
    std::string piece = text.substr(begin, open + 1 - begin), many;
    size_t times = size_t(1) << (6 + engine() % 11);
    for (size_t i = 0; i < times && many.size() < 55000; ++i)
      many += piece;
    std::string result = text;
    return result.insert(begin, many);
  }

  Span pick(const std::vector<Span> &spans) {
    return spans[engine() % spans.size()];
  }

  const std::string &text;
  std::minstd_rand engine;
};

} // namespace

std::string mutateText(const std::string &text, uint32_t seed) {
  return Mutation(text, seed).run();
}

} // namespace heddle::fuzz
