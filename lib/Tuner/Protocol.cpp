//===- Protocol.cpp - Points and outcomes as lines ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "heddle/Tuner/Protocol.h"

#include "heddle/Support/JsonReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using namespace heddle::tuner;
using llvm::StringRef;

std::string heddle::tuner::writeQuestion(const Space &space,
                                         const Point &point) {
  return "{\"point\": " + space.spell(point) + "}\n";
}

std::string heddle::tuner::readAnswer(StringRef line, Outcome &outcome) {
  outcome = {};
  bool hasValue = false;
  std::string error =
      strict::parse(line, "the answer", [&](const strict::Node &node) {
        strict::ObjectReader object(node);
        object.optional("valid", [&](const strict::Node &each) {
          outcome.isValid = each.boolean();
        });
        object.optional("reason", [&](const strict::Node &each) {
          outcome.reason = each.text();
        });
        object.optional("code", [&](const strict::Node &each) {
          outcome.code = each.text();
        });
        object.optional("value", [&](const strict::Node &each) {
          std::optional<double> value = each.json().getAsNumber();
          if (!value)
            each.expected("a number");
          outcome.value = value.value_or(0);
          hasValue = true;
        });
      });
  if (error.empty() && outcome.isValid && !hasValue)
    return "value: the field is missing";
  return error;
}

//===----------------------------------------------------------------------===//
// BaCO
//===----------------------------------------------------------------------===//

/// As BaCO writes it: texts without quotes, orders in parentheses.
static std::string column(const Parameter &parameter, Word word) {
  if (word == kInactive)
    return "None";
  if (parameter.kind == Kind::Categorical)
    return parameter.texts[size_t(word)];
  std::string text = spell(parameter, word);
  if (parameter.kind == Kind::Permutation) {
    text = "(" + text.substr(1, text.size() - 2) + ")";
    llvm::erase(text, ' ');
  }
  return text;
}

std::string heddle::tuner::writeRequest(const Space &space,
                                        const Point &point) {
  std::string names, values;
  for (size_t k = 0; k < point.size(); ++k) {
    names += (k ? "," : "") + space.parameters()[k].name;
    values += (k ? "," : "") + column(space.parameters()[k], point[k]);
  }
  return "Request 1\n" + names + "\n" + values + "\n";
}

/// At commas outside parentheses, without blanks.
static std::vector<std::string> divide(StringRef line) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char c : line.trim()) {
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (!llvm::isSpace(c))
      parts.back() += c;
  }
  return parts;
}

/// Whether a column has the value that was asked for; 4, 4.0 and 4e0 are one.
static bool isSame(const Parameter &parameter, Word word, StringRef found) {
  std::string asked = column(parameter, word);
  if (found == StringRef(asked))
    return true;
  double value, wanted;
  return !found.getAsDouble(value) && !StringRef(asked).getAsDouble(wanted) &&
         std::fabs(value - wanted) <= 1e-6 * std::fabs(wanted);
}

std::string heddle::tuner::readReply(StringRef header, StringRef row,
                                     const Scenario &scenario,
                                     const Space &space, const Point &asked,
                                     Outcome &outcome) {
  outcome = {};
  std::vector<std::string> names = divide(header), values = divide(row);
  if (names.size() != values.size())
    return "a row of " + std::to_string(values.size()) + " columns, and " +
           std::to_string(names.size()) + " names";
  auto find = [&](const std::string &name) -> const std::string * {
    auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? nullptr
                                : &values[size_t(found - names.begin())];
  };
  for (size_t k = 0; k < asked.size(); ++k) {
    const Parameter &parameter = space.parameters()[k];
    const std::string *found = find(parameter.name);
    if (found && asked[k] != kInactive && !isSame(parameter, asked[k], *found))
      return "the row is for " + parameter.name + " = " + *found + ", and " +
             column(parameter, asked[k]) + " was asked for";
  }
  if (scenario.hasValidity) {
    const std::string *valid = find(scenario.validName);
    if (!valid)
      return "no column '" + scenario.validName + "'";
    if (*valid != scenario.trueText && *valid != scenario.falseText)
      return "'" + scenario.validName + "' is " + *valid + ", neither " +
             scenario.trueText + " nor " + scenario.falseText;
    outcome.isValid = *valid == scenario.trueText;
  }
  const std::string *value = find(scenario.objective);
  if (!value)
    return "no column '" + scenario.objective + "'";
  if (outcome.isValid && StringRef(*value).getAsDouble(outcome.value))
    return "'" + scenario.objective + "' is " + *value + ", which is no number";
  if (!outcome.isValid)
    outcome.reason = "invalid";
  return "";
}
