//===- Program.cpp - Arguments as comments of a program -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "heddle/Run/ArgumentData.h"

#include "heddle/Support/CheckedMath.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::fuzz;
using Kind = manifest::Argument::Kind;

static constexpr StringLiteral kMarker = "//! ";

template <typename Numbers>
static std::string joinNumbers(const Numbers &numbers, StringRef separator) {
  return join(map_range(numbers, [](auto n) { return std::to_string(n); }),
              separator);
}

std::string heddle::fuzz::print(const ArgumentPlan &plan) {
  StringRef kinds[] = {"view", "pointer", "scalar"};
  std::string text =
      formatv("{0}{1} {2} {3}", kMarker, kinds[size_t(plan.declared.kind)],
              plan.declared.name, manifest::spelling(plan.declared.element));
  if (plan.declared.kind == Kind::Scalar)
    return text + formatv(" value {0}", plan.scalar).str();
  if (plan.declared.kind == Kind::View)
    text += formatv(" order {0} pitch {1}",
                    joinNumbers(plan.declared.order, ","), plan.pitch);
  text += " shape " + joinNumbers(plan.shape, "x");
  if (plan.filled)
    text += formatv(" fill {0}..{1} quantum {2} seed {3}", plan.low, plan.high,
                    plan.quantum, plan.seed);
  if (plan.declared.written)
    text += formatv(" written tolerance {0:e8}", plan.tolerance);
  return text;
}

template <typename Number>
static bool parseNumbers(StringRef text, StringRef separator,
                         std::vector<Number> &numbers) {
  SmallVector<StringRef> parts;
  text.split(parts, separator);
  return all_of(parts, [&](StringRef part) {
    return !part.getAsInteger(10, numbers.emplace_back());
  });
}

/// Reads the word after `key` into the plan; false if it is malformed.
static bool parseField(StringRef key, StringRef word, ArgumentPlan &plan) {
  if (key == "order")
    return parseNumbers(word, ",", plan.declared.order);
  if (key == "shape")
    return parseNumbers(word, "x", plan.shape);
  if (key == "pitch")
    return !word.getAsInteger(10, plan.pitch);
  if (key == "quantum")
    return !word.getAsInteger(10, plan.quantum);
  if (key == "seed")
    return !word.getAsInteger(10, plan.seed);
  if (key == "tolerance")
    return !word.getAsDouble(plan.tolerance);
  if (key == "value")
    return !word.getAsDouble(plan.scalar);
  if (key != "fill")
    return false;
  plan.filled = true;
  auto [low, high] = word.split("..");
  return !low.getAsInteger(10, plan.low) && !high.getAsInteger(10, plan.high);
}

/// A file is read that somebody may have edited.
static bool isPlausible(const ArgumentPlan &plan) {
  constexpr int64_t largest = int64_t(1) << 31;
  if (any_of(plan.shape, [](int64_t extent) { return extent < 0; }) ||
      plan.pitch < 0 || plan.low > plan.high || plan.low < -largest ||
      plan.high > largest || plan.quantum < -1000 || plan.quantum > 1000)
    return false;
  if (plan.declared.kind != Kind::View)
    return plan.declared.order.empty();
  std::vector<int> order(plan.declared.order);
  sort(order);
  return equal(order, seq<int>(0, int(plan.shape.size())));
}

/// With the elements between lines.
static int64_t bytesOf(const ArgumentPlan &plan) {
  std::vector<int64_t> shape = plan.shape;
  if (!plan.declared.order.empty()) {
    int64_t &fastest = shape[size_t(plan.declared.order.front())];
    fastest = std::max(fastest, plan.pitch);
  }
  return tool::argumentBytes(plan.declared.element, shape);
}

static bool parsePlan(StringRef line, ArgumentPlan &plan) {
  SmallVector<StringRef> words;
  line.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (words.size() < 3)
    return false;
  if (words[0] == "pointer")
    plan.declared.kind = Kind::Pointer;
  else if (words[0] == "scalar")
    plan.declared.kind = Kind::Scalar;
  else if (words[0] != "view")
    return false;
  plan.declared.name = words[1].str();
  auto element = manifest::elementTypeFromSpelling(words[2].str());
  if (!element)
    return false;
  plan.declared.element = *element;
  for (size_t i = 3; i < words.size(); ++i) {
    if (words[i] == "written") {
      plan.declared.written = true;
      continue;
    }
    if (i + 1 == words.size() || !parseField(words[i], words[i + 1], plan))
      return false;
    ++i;
  }
  plan.declared.rank = int(plan.declared.order.size());
  return isPlausible(plan);
}

Expected<std::vector<ArgumentPlan>> heddle::fuzz::parsePlans(StringRef text) {
  std::vector<ArgumentPlan> plans;
  int64_t bytes = 0;
  for (StringRef line : split(text, '\n')) {
    if (!line.consume_front(kMarker))
      continue;
    if (!parsePlan(line.trim(), plans.emplace_back()))
      return createStringError(inconvertibleErrorCode(),
                               "cannot read the argument '" + line + "'");
    bytes = satAdd(bytes, bytesOf(plans.back()));
    if (Error error =
            tool::checkArgumentMemory(plans.back().declared.name, bytes))
      return error;
  }
  return plans;
}
