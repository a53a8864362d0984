//===- PtxLexer.cpp - PTX text to tokens ----------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxLexer.h"

#include <cctype>
#include <cstdlib>
#include <cstring>

using namespace heddle::emulator;

namespace {
class Lexer {
public:
  Lexer(std::string_view text, std::vector<Token> &tokens)
      : text(text), tokens(tokens) {}
  bool run(std::string &error);

private:
  char peek(size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }
  bool skipBlank(bool &isOpen);
  size_t identifierEnd() const;
  size_t numberEnd() const;
  void push(Token::Kind kind, size_t begin, size_t end) {
    tokens.push_back({kind, text.substr(begin, end - begin), line});
  }

  std::string_view text;
  std::vector<Token> &tokens;
  size_t at = 0;
  int line = 1;
};
} // namespace

static bool startsIdentifier(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

static bool continuesIdentifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

/// Skips one run of white space or one comment; false when there is neither.
/// `isOpen`: it stands at a comment that has no end.
bool Lexer::skipBlank(bool &isOpen) {
  size_t start = at;
  while (at < text.size() &&
         std::isspace(static_cast<unsigned char>(text[at]))) {
    line += text[at] == '\n';
    ++at;
  }
  if (peek() == '/' && peek(1) == '/') {
    while (at < text.size() && text[at] != '\n')
      ++at;
  } else if (peek() == '/' && peek(1) == '*') {
    size_t close = text.find("*/", at + 2);
    isOpen = close == std::string_view::npos;
    for (; !isOpen && at < close + 2; ++at)
      line += text[at] == '\n';
  }
  return at != start;
}

size_t Lexer::identifierEnd() const {
  size_t end = at + 1;
  while (end < text.size()) {
    if (continuesIdentifier(text[end]))
      ++end;
    else if (text[end] == ':' && end + 2 < text.size() &&
             text[end + 1] == ':' && continuesIdentifier(text[end + 2]))
      end += 2; // `shared::cta`, but not the colon of a label
    else
      break;
  }
  return end;
}

size_t Lexer::numberEnd() const {
  bool prefixed =
      peek() == '0' && std::isalpha(static_cast<unsigned char>(peek(1)));
  size_t end = at + 1;
  while (end < text.size()) {
    char c = text[end];
    bool exponentSign = !prefixed && (c == '+' || c == '-') &&
                        (text[end - 1] == 'e' || text[end - 1] == 'E');
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' &&
        !exponentSign)
      break;
    ++end;
  }
  return end;
}

bool Lexer::run(std::string &error) {
  while (true) {
    bool isOpen = false;
    while (!isOpen && skipBlank(isOpen))
      ;
    if (isOpen) {
      error = "ptx:" + std::to_string(line) +
              ": a comment that begins here has no end";
      return false;
    }
    if (at >= text.size())
      break;
    char c = text[at];
    size_t end = at + 1;
    if (std::isdigit(static_cast<unsigned char>(c))) {
      end = numberEnd();
      push(Token::Kind::Number, at, end);
    } else if (startsIdentifier(c)) {
      end = identifierEnd();
      push(Token::Kind::Identifier, at, end);
    } else if (c == '"') {
      size_t close = text.find('"', at + 1);
      if (close == std::string_view::npos) {
        error = "ptx:" + std::to_string(line) + ": unterminated string";
        return false;
      }
      push(Token::Kind::String, at + 1, close);
      end = close + 1;
    } else if (std::strchr("{}[]()<>,;:|!@+-=*", c)) {
      push(Token::Kind::Punctuation, at, end);
    } else {
      error = "ptx:" + std::to_string(line) + ": stray character '" +
              std::string(1, c) + "'";
      return false;
    }
    at = end;
  }
  tokens.push_back({Token::Kind::End, {}, line});
  return true;
}

bool heddle::emulator::lex(std::string_view text, std::vector<Token> &tokens,
                           std::string &error) {
  return Lexer(text, tokens).run(error);
}

bool heddle::emulator::parseLiteral(std::string_view text, Literal &literal) {
  std::string digits(text);
  char *end = nullptr;
  if (digits.size() > 2 && digits[0] == '0' && std::strchr("fFdD", digits[1]) &&
      digits[1]) {
    literal.floatBits = digits[1] == 'f' || digits[1] == 'F' ? 32 : 64;
    literal.bits = std::strtoull(digits.c_str() + 2, &end, 16);
    return *end == '\0';
  }
  bool hexadecimal =
      digits.size() > 2 && (digits[1] == 'x' || digits[1] == 'X');
  if (!hexadecimal && digits.find_first_of(".eE") != std::string::npos) {
    double value = std::strtod(digits.c_str(), &end);
    literal.floatBits = 64;
    std::memcpy(&literal.bits, &value, sizeof(value));
    return *end == '\0';
  }
  if (digits.back() == 'U')
    digits.pop_back();
  bool binary = digits.size() > 2 && digits[0] == '0' &&
                (digits[1] == 'b' || digits[1] == 'B');
  literal.bits = binary ? std::strtoull(digits.c_str() + 2, &end, 2)
                        : std::strtoull(digits.c_str(), &end, 0);
  return *end == '\0';
}
