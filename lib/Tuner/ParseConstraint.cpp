//===- ParseConstraint.cpp - The text of a constraint ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: `(tile + 4) % vec == 0`. Out: terms, or the column at fault. Operators
// bind as in Python, whose texts BaCO evaluates: `&` and `|` bind tighter than
// comparisons there, so `a < 1 & b < 2` means something else than it seems to,
// and is refused with a word on parentheses. `and`, `or`, `not`, `&&` and `||`
// join comparisons without them.
//
//===----------------------------------------------------------------------===//

#include "Expression.h"

#include "llvm/ADT/StringExtras.h"

using namespace heddle::tuner;
using llvm::StringRef;

// Parentheses and signs; the parser recurses.
static constexpr int kDeepest = 100;

namespace {

struct Token {
  enum Kind { Name, Number, Text, Symbol, End } kind = End;
  StringRef spelling;
  size_t column = 1;
};

class Parser {
public:
  Parser(StringRef text, const std::vector<Parameter> &parameters, Texts &texts,
         Expression &expression)
      : text(text), parameters(parameters), texts(texts),
        expression(expression) {
    advance();
  }

  std::string parse() {
    int root = disjunction();
    if (error.empty() && token.kind != Token::End)
      fail("expected an operator or the end, found " + found());
    if (error.empty() && typeOf(root) != Type::Condition)
      failAt(1, "a constraint is a condition, and this is a " +
                    std::string(typeName(typeOf(root))));
    return error;
  }

private:
  //===--------------------------------------------------------------------===//
  // Tokens
  //===--------------------------------------------------------------------===//

  void advance() {
    while (at < text.size() && llvm::isSpace(text[at]))
      ++at;
    token = {Token::End, text.substr(at, 0), at + 1};
    if (at == text.size())
      return;
    size_t begin = at;
    char first = text[at];
    if (llvm::isAlpha(first) || first == '_') {
      while (at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '_'))
        ++at;
      token.kind = Token::Name;
    } else if (llvm::isDigit(first) || first == '.') {
      lexNumber();
      token.kind = Token::Number;
    } else if (first == '\'' || first == '"') {
      size_t end = text.find(first, at + 1);
      if (end == StringRef::npos)
        return fail("a text without its closing quote");
      at = end + 1;
      token.kind = Token::Text;
    } else {
      static constexpr StringRef doubles[] = {
          "<=", ">=", "==", "!=", "&&", "||", "**", "//"};
      at += llvm::is_contained(doubles, text.substr(at, 2)) ? 2 : 1;
      token.kind = Token::Symbol;
    }
    token.spelling = text.slice(begin, at);
  }

  void lexNumber() {
    auto digits = [&] {
      while (at < text.size() && llvm::isDigit(text[at]))
        ++at;
    };
    digits();
    if (at < text.size() && text[at] == '.') {
      ++at;
      digits();
    }
    if (at < text.size() && llvm::toLower(text[at]) == 'e') {
      size_t before = at++;
      if (at < text.size() && (text[at] == '+' || text[at] == '-'))
        ++at;
      if (at == text.size() || !llvm::isDigit(text[at]))
        at = before;
      digits();
    }
  }

  std::string found() const {
    return token.kind == Token::End ? "the end"
                                    : "'" + token.spelling.str() + "'";
  }
  bool is(StringRef spelling) const {
    return token.spelling == spelling &&
           (token.kind == Token::Symbol || token.kind == Token::Name);
  }
  bool take(StringRef spelling) {
    if (!error.empty() || !is(spelling))
      return false;
    advance();
    return true;
  }
  void expect(StringRef spelling) {
    if (!take(spelling))
      fail("expected '" + spelling.str() + "', found " + found());
  }
  /// The first sentence stays.
  void fail(const std::string &sentence) { failAt(token.column, sentence); }
  void failAt(size_t column, const std::string &sentence) {
    if (error.empty())
      error = "column " + std::to_string(column) + ": " + sentence;
  }

  //===--------------------------------------------------------------------===//
  // Terms
  //===--------------------------------------------------------------------===//

  static StringRef typeName(Type type) {
    return type == Type::Number      ? "number"
           : type == Type::Condition ? "condition"
                                     : "text";
  }
  Type typeOf(int term) const {
    return error.empty() ? expression.terms[size_t(term)].type
                         : Type::Condition;
  }

  int add(Term term) {
    if (!error.empty())
      return 0;
    expression.terms.push_back(std::move(term));
    return int(expression.terms.size()) - 1;
  }
  int addNumber(Fraction value, Type type = Type::Number) {
    Term term{Operation::Number, type};
    term.number = value;
    return add(term);
  }
  int addOf(Operation operation, Type type,
            std::initializer_list<int> operands) {
    Term term{operation, type};
    term.operands.assign(operands);
    return add(term);
  }

  /// Joins two operands, `left` of an operator that stands at `sign`. Sums of
  /// sums are one sum, so that what is chosen of it adds up to one number.
  int join(Operation operation, Token sign, int left, int right,
           Type type = Type::Number) {
    for (int side : {left, right})
      if (error.empty() && typeOf(side) != type) {
        std::string advice =
            type == Type::Condition && sign.spelling.size() == 1
                ? "; put comparisons in parentheses, or write '" +
                      std::string(operation == Operation::And ? "and" : "or") +
                      "'"
                : "";
        failAt(sign.column,
               "'" + sign.spelling.str() + "' takes " + typeName(type).str() +
                   "s, and its " + (side == left ? "left" : "right") +
                   " side is a " + typeName(typeOf(side)).str() + advice);
      }
    if (!error.empty())
      return 0;
    Term term{operation, type};
    bool isChain = operation == Operation::Sum ||
                   operation == Operation::Product ||
                   operation == Operation::And || operation == Operation::Or;
    Term &first = expression.terms[size_t(left)];
    if (isChain && first.operation == operation) {
      term.operands = std::move(first.operands);
      first = Term{Operation::Number}; // nothing uses it any more
    } else
      term.operands.push_back(left);
    term.operands.push_back(right);
    return add(term);
  }

  //===--------------------------------------------------------------------===//
  // Grammar, loosest first
  //===--------------------------------------------------------------------===//

  int disjunction() {
    if (++depth > kDeepest)
      fail("nested deeper than " + std::to_string(kDeepest) + " levels");
    int left = conjunction();
    while (error.empty() && (is("or") || is("||"))) {
      Token sign = token;
      advance();
      left = join(Operation::Or, sign, left, conjunction(), Type::Condition);
    }
    --depth;
    return left;
  }

  int conjunction() {
    int left = negation();
    while (error.empty() && (is("and") || is("&&"))) {
      Token sign = token;
      advance();
      left = join(Operation::And, sign, left, negation(), Type::Condition);
    }
    return left;
  }

  int negation() {
    int negations = 0;
    Token sign = token;
    while (take("not"))
      ++negations;
    int operand = comparison();
    return negations % 2 ? negate(sign, operand) : operand;
  }

  int negate(Token sign, int operand) {
    if (error.empty() && typeOf(operand) != Type::Condition)
      failAt(sign.column, "'" + sign.spelling.str() +
                              "' takes a condition, and this is a " +
                              typeName(typeOf(operand)).str());
    return addOf(Operation::Not, Type::Condition, {operand});
  }

  bool isComparison() const {
    return token.kind == Token::Symbol &&
           (is("<") || is("<=") || is(">") || is(">=") || is("==") || is("!="));
  }

  int comparison() {
    int left = bitOr();
    if (!error.empty() || !isComparison())
      return left;
    Token sign = token;
    advance();
    int right = bitOr();
    if (error.empty() && isComparison())
      fail("comparisons do not chain; write 'a < b and b < c'");
    if (!error.empty())
      return 0;
    StringRef spelling = sign.spelling;
    bool isEquality = spelling == "==" || spelling == "!=";
    if (typeOf(left) != typeOf(right))
      failAt(sign.column, "'" + spelling.str() + "' compares a " +
                              typeName(typeOf(left)).str() + " with a " +
                              typeName(typeOf(right)).str());
    else if (!isEquality && typeOf(left) != Type::Number)
      failAt(sign.column, "'" + spelling.str() +
                              "' orders numbers, and this is a " +
                              typeName(typeOf(left)).str());
    if (spelling.front() == '>')
      std::swap(left, right);
    Operation operation = spelling == "=="       ? Operation::Equal
                          : spelling == "!="     ? Operation::Unequal
                          : spelling.size() == 2 ? Operation::LessOrEqual
                                                 : Operation::Less;
    return addOf(operation, Type::Condition, {left, right});
  }

  int bitOr() {
    int left = bitAnd();
    while (error.empty() && is("|")) {
      Token sign = token;
      advance();
      left = join(Operation::Or, sign, left, bitAnd(), Type::Condition);
    }
    return left;
  }

  int bitAnd() {
    int left = sum();
    while (error.empty() && is("&")) {
      Token sign = token;
      advance();
      left = join(Operation::And, sign, left, sum(), Type::Condition);
    }
    return left;
  }

  int sum() {
    int left = product();
    while (error.empty() && (is("+") || is("-"))) {
      Token sign = token;
      advance();
      int right = product();
      if (sign.spelling == "-" && typeOf(right) == Type::Number)
        right = addOf(Operation::Negative, Type::Number, {right});
      left = join(Operation::Sum, sign, left, right);
    }
    return left;
  }

  int product() {
    int left = unary();
    while (error.empty() && (is("*") || is("/") || is("%") || is("//"))) {
      Token sign = token;
      advance();
      int right = unary();
      Operation operation = sign.spelling == "*"   ? Operation::Product
                            : sign.spelling == "%" ? Operation::Remainder
                                                   : Operation::Quotient;
      left = join(operation, sign, left, right);
      if (sign.spelling == "//")
        left = addOf(Operation::Floor, Type::Number, {left});
    }
    return left;
  }

  int unary() {
    if (++depth > kDeepest)
      fail("nested deeper than " + std::to_string(kDeepest) + " levels");
    int made = signedOperand();
    --depth;
    return made;
  }

  int signedOperand() {
    if (!error.empty())
      return 0;
    Token sign = token;
    if (take("!") || take("~"))
      return negate(sign, unary());
    if (take("+"))
      return unary();
    if (take("-")) {
      int operand = unary();
      if (error.empty() && typeOf(operand) != Type::Number)
        failAt(sign.column, "'-' takes a number, and this is a " +
                                typeName(typeOf(operand)).str());
      return addOf(Operation::Negative, Type::Number, {operand});
    }
    int base = primary();
    if (!error.empty() || !is("**"))
      return base;
    sign = token;
    advance();
    return join(Operation::Power, sign, base, unary());
  }

  int primary() {
    if (take("(")) {
      int inner = disjunction();
      expect(")");
      return inner;
    }
    Token here = token;
    if (token.kind == Token::Number) {
      advance();
      int64_t whole;
      double value;
      if (!here.spelling.getAsInteger(10, whole))
        return addNumber(Fraction::whole(whole));
      if (here.spelling.getAsDouble(value) || !std::isfinite(value))
        failAt(here.column, "'" + here.spelling.str() + "' is no number");
      return addNumber(Fraction::from(value));
    }
    if (token.kind == Token::Text) {
      advance();
      StringRef inner = here.spelling.drop_front().drop_back();
      return addNumber(Fraction::whole(texts.number(inner.str())), Type::Text);
    }
    if (token.kind != Token::Name) {
      fail("expected a number, a name or '(', found " + found());
      return 0;
    }
    advance();
    return is("(") ? call(here) : name(here);
  }

  int call(Token function) {
    expect("(");
    if (function.spelling == "pos" || function.spelling == "item")
      return place(function);
    llvm::SmallVector<int, 4> arguments;
    do
      arguments.push_back(disjunction());
    while (take(","));
    expect(")");
    struct Function {
      StringRef name;
      Operation operation;
      size_t least, most;
    };
    static constexpr Function functions[] = {
        {"min", Operation::Least, 1, 1000},
        {"max", Operation::Greatest, 1, 1000},
        {"abs", Operation::Absolute, 1, 1},
        {"floor", Operation::Floor, 1, 1},
        {"ceil", Operation::Ceiling, 1, 1},
        {"sqrt", Operation::SquareRoot, 1, 1},
        {"log", Operation::Logarithm, 1, 1},
        {"log2", Operation::BinaryLogarithm, 1, 1},
        {"where", Operation::Choice, 3, 3}};
    for (const Function &known : functions) {
      if (known.name != function.spelling)
        continue;
      if (arguments.size() < known.least || arguments.size() > known.most)
        failAt(function.column, function.spelling.str() + " takes " +
                                    std::to_string(known.least) + " argument" +
                                    (known.least == 1 ? "" : "s") +
                                    ", and here are " +
                                    std::to_string(arguments.size()));
      return apply(function, known.operation, arguments);
    }
    failAt(function.column,
           "there is no function '" + function.spelling.str() +
               "'; those here are min, max, abs, floor, ceil, sqrt, log, log2, "
               "where, pos and item");
    return 0;
  }

  int apply(Token function, Operation operation,
            llvm::ArrayRef<int> arguments) {
    if (!error.empty())
      return 0;
    bool isChoice = operation == Operation::Choice;
    Type type = isChoice ? typeOf(arguments[1]) : Type::Number;
    for (size_t k = 0; k < arguments.size(); ++k) {
      Type wanted = isChoice && k == 0 ? Type::Condition : type;
      if (typeOf(arguments[k]) != wanted)
        failAt(function.column, "argument " + std::to_string(k + 1) + " of " +
                                    function.spelling.str() + " is a " +
                                    typeName(typeOf(arguments[k])).str() +
                                    " and should be a " +
                                    typeName(wanted).str());
    }
    Term term{operation, type};
    term.operands.assign(arguments.begin(), arguments.end());
    return add(term);
  }

  int find(StringRef name) const {
    for (size_t k = 0; k < parameters.size(); ++k)
      if (parameters[k].name == name)
        return int(k);
    return -1;
  }

  /// pos(p, k) or item(p, k), behind the parenthesis.
  int place(Token function) {
    Token named = token;
    advance();
    int parameter = find(named.spelling);
    expect(",");
    Token number = token;
    advance();
    expect(")");
    if (!error.empty())
      return 0;
    if (parameter < 0 ||
        parameters[size_t(parameter)].kind != Kind::Permutation)
      failAt(named.column, "'" + named.spelling.str() + "' is no permutation");
    int place = -1;
    if (number.spelling.getAsInteger(10, place))
      failAt(number.column,
             "expected an integer, found '" + number.spelling.str() + "'");
    return addPlace(function.spelling == "pos", parameter, place, number);
  }

  int addPlace(bool isPosition, int parameter, int place, Token where) {
    if (!error.empty())
      return 0;
    const Parameter &permutation = parameters[size_t(parameter)];
    if (place < 0 || place >= permutation.items)
      failAt(where.column, "'" + permutation.name + "' has " +
                               (isPosition ? "items" : "positions") + " 0 to " +
                               std::to_string(permutation.items - 1) +
                               ", and this is " + std::to_string(place));
    Term term{isPosition ? Operation::Position : Operation::Item};
    term.parameter = parameter;
    term.place = place;
    return add(term);
  }

  int name(Token here) {
    int parameter = find(here.spelling);
    if (parameter < 0)
      return placeName(here);
    const Parameter &named = parameters[size_t(parameter)];
    if (named.kind == Kind::Permutation) {
      failAt(here.column, "'" + named.name + "' is a permutation; '" +
                              named.name + "_0' is its first item and '" +
                              named.name + "_i0' the position of item 0");
      return 0;
    }
    Term term{Operation::Value,
              named.kind == Kind::Categorical ? Type::Text : Type::Number};
    term.parameter = parameter;
    return add(term);
  }

  /// p_3 or p_i3 of a permutation p.
  int placeName(Token here) {
    auto [base, suffix] = here.spelling.rsplit('_');
    int parameter = find(base);
    bool isPosition = suffix.consume_front("i");
    int place = -1;
    if (parameter >= 0 && !suffix.getAsInteger(10, place) &&
        parameters[size_t(parameter)].kind == Kind::Permutation)
      return addPlace(isPosition, parameter, place, here);
    std::string names;
    for (const Parameter &known : parameters)
      names += (names.empty() ? "" : ", ") + known.name;
    failAt(here.column, "there is no parameter '" + here.spelling.str() +
                            "'; the parameters are " + names);
    return 0;
  }

  StringRef text;
  const std::vector<Parameter> &parameters;
  Texts &texts;
  Expression &expression;
  size_t at = 0;
  int depth = 0;
  Token token;
  std::string error;
};

} // namespace

std::string
heddle::tuner::parseCondition(StringRef text,
                              const std::vector<Parameter> &parameters,
                              Texts &texts, Expression &expression) {
  return Parser(text, parameters, texts, expression).parse();
}
