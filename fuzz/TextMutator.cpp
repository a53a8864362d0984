//===- TextMutator.cpp - Mutations that keep text looking like text -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextMutator.h"

#include <cstring>
#include <random>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

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
    static const char *const hurtful[] = {
        "0",          "1",          "-1",
        "2",          "3",          "7",
        "8",          "16",         "24",
        "63",         "64",         "65",
        "128",        "255",        "256",
        "1000",       "65535",      "1048576",
        "2147483647", "4294967296", "9223372036854775807",
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

/// libFuzzer calls this instead of its own mutations, which it keeps for one
/// input in eight: what breaks lexers is worth some tries too.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t capacity, unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, capacity);
  std::string text(reinterpret_cast<char *>(data), size);
  for (unsigned i = 0; i <= seed / 8 % 4; ++i)
    text = heddle::fuzz::mutateText(text, seed + i);
  size_t length = std::min(text.size(), capacity);
  std::memcpy(data, text.data(), length);
  return length;
}
