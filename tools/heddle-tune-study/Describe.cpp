//===- Describe.cpp - A problem, for programs that tune it ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Describe.h"

#include "heddle/Tuner/Scenario.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <iostream>

using namespace heddle::tuner;
using heddle::study::Problem;
namespace json = llvm::json;

static constexpr Count kFew = 200000;
static constexpr int kDraws = 20000;

/// The valid values, ascending.
static std::vector<double> valuesOf(const Problem &problem) {
  std::vector<double> values;
  auto add = [&](const Point &point) {
    Outcome outcome = problem.measure(point);
    if (outcome.isValid)
      values.push_back(outcome.value);
  };
  std::optional<Count> count = problem.space.smallCount();
  if (count && *count <= kFew)
    for (Count k = 0; k < *count; ++k)
      add(problem.space.at(k));
  else {
    Random random(1);
    for (int k = 0; k < kDraws; ++k)
      add(*problem.space.draw(random));
  }
  std::sort(values.begin(), values.end());
  return values;
}

static void writeParameter(json::OStream &out, const Parameter &parameter) {
  static constexpr const char *kNames[] = {"real", "integer", "ordinal",
                                           "categorical", "permutation"};
  out.object([&] {
    out.attribute("name", parameter.name);
    out.attribute("kind", kNames[size_t(parameter.kind)]);
    if (parameter.kind == Kind::Permutation) {
      out.attribute("items", parameter.items);
      return;
    }
    out.attribute("log", parameter.isLog);
    out.attributeArray("values", [&] {
      for (uint64_t word = 0; word < parameter.words(); ++word)
        out.rawValue(spell(parameter, Word(word)));
    });
  });
}

void heddle::study::describe(const Problem &problem) {
  std::vector<double> values = valuesOf(problem);
  json::OStream out(llvm::outs());
  auto value = [&](const char *name, const std::optional<Point> &point) {
    if (!point)
      return;
    Outcome outcome = problem.measure(*point);
    if (outcome.isValid)
      out.attribute(name, outcome.value);
  };
  out.object([&] {
    out.attribute("problem", problem.name);
    out.attribute("suite", problem.suite);
    out.attribute("budget", problem.budget);
    out.attribute("first", problem.firstSamples);
    out.attribute("points", problem.space.count());
    if (!values.empty()) {
      out.attribute("least", values.front());
      out.attribute("median", values[values.size() / 2]);
    }
    std::optional<Point> preset = presetOf(problem.space);
    value("default", preset);
    value("expert", problem.expert);
    if (preset)
      out.attributeBegin("preset"), out.rawValue(problem.space.spell(*preset)),
          out.attributeEnd();
    out.attributeArray("parameters", [&] {
      for (const Parameter &parameter : problem.space.parameters())
        writeParameter(out, parameter);
    });
  });
  llvm::outs() << "\n";
}

/// Which of so many choices a share in [0, 1] is.
static uint64_t choiceAt(double share, uint64_t count) {
  double index = std::clamp(share, 0.0, 1.0) * double(count);
  return std::min(uint64_t(index), count - 1);
}

static std::string answer(const Problem &problem, const json::Object &asked) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (const json::Object *named = asked.getObject("point")) {
    Point point;
    std::string spelled;
    llvm::raw_string_ostream(spelled) << json::Value(json::Object(*named));
    std::string fault = parsePoint(spelled, problem.space, point);
    if (!fault.empty() || !problem.space.contains(point))
      return "{\"outside\": true}";
    Outcome outcome = problem.measure(point);
    if (outcome.isValid)
      out << json::Value(json::Object{{"value", outcome.value}});
    else
      out << json::Value(json::Object{{"invalid", outcome.reason}});
  } else if (const json::Array *walk = asked.getArray("walk")) {
    size_t at = 0;
    Point point = problem.space.follow([&](uint64_t count) {
      double share =
          at < walk->size() ? (*walk)[at].getAsNumber().value_or(0) : 0;
      ++at;
      return choiceAt(share, count);
    });
    out << "{\"point\": " << problem.space.spell(point)
        << ", \"choices\": " << at << "}";
  } else {
    Random random(uint64_t(asked.getInteger("seed").value_or(1)));
    out << "{\"points\": [";
    for (int64_t k = 0; k < asked.getInteger("draw").value_or(0); ++k)
      out << (k ? ", " : "")
          << problem.space.spell(*problem.space.draw(random));
    out << "]}";
  }
  return text;
}

int heddle::study::serve(const Problem &problem) {
  std::string line;
  while (std::getline(std::cin, line)) {
    llvm::Expected<json::Value> asked = json::parse(line);
    if (!asked || !asked->getAsObject()) {
      llvm::consumeError(asked.takeError());
      llvm::errs() << "no JSON object: " << line << "\n";
      return 3;
    }
    llvm::outs() << answer(problem, *asked->getAsObject()) << "\n";
    llvm::outs().flush();
  }
  return 0;
}
