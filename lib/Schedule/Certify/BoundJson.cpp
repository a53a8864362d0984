//===- BoundJson.cpp - Lower bounds and their witnesses as text -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bound is written with the words and names that a person needs to add it up.
// They follow from the numbers, and reading holds them against each other: what
// a person reads is what is checked.
//
//===----------------------------------------------------------------------===//

#include "BoundJson.h"

#include "Cases.h"

#include "heddle/Schedule/Json.h"
#include "heddle/Support/JsonReader.h"

#include "llvm/Support/JSON.h"

using namespace heddle;
using namespace heddle::schedule;
using llvm::json::OStream;
using strict::Node;
using strict::ObjectReader;

namespace {

constexpr int64_t kMaxIndex = 1 << 16;
constexpr const char *kKinds[] = {"unit", "process", "recurrence", "cases"};

void writeList(OStream &json, const char *name, const std::vector<int> &list) {
  json.attributeArray(name, [&] {
    for (int element : list)
      json.value(element);
  });
}

void writeLink(OStream &json, const Problem &problem, const Link &link) {
  json.object([&] {
    json.attribute("rule", spelling(link.rule));
    json.attribute("index", link.index);
    json.attribute("from", describeStart(problem, link));
    json.attribute("to", describeEnd(problem, link));
    json.attribute("delay", link.delay);
    json.attribute("distance", link.distance);
  });
}

constexpr const char *kDisjunctions[] = {"unit", "process", "registers",
                                         "slots"};

void writeDisjunction(OStream &json, const Disjunction &disjunction,
                      const std::string &text) {
  json.attribute("rule", kDisjunctions[disjunction.rule]);
  json.attribute("first", disjunction.first);
  json.attribute("second", disjunction.second);
  json.attribute("turn", disjunction.turn);
  json.attribute("text", text);
}

/// "value 3, assumed 2.0": there are many.
std::string stepsOf(const Case &node) {
  std::string steps;
  for (const Link &link : node.links) {
    steps += (steps.empty() ? "" : ", ") + spelling(link.rule) + " " +
             std::to_string(link.index);
    if (link.rule == Link::Assumed)
      steps += "." + std::to_string(link.part);
  }
  return steps;
}

void writeCases(OStream &json, const Problem &problem, const Bound &bound) {
  std::vector<CaseText> texts = textsOf(problem, bound);
  DisjunctionRules rules(problem);
  json.attributeArray("anchors", [&] {
    for (const Disjunction &anchor : bound.anchors)
      json.object(
          [&] { writeDisjunction(json, anchor, rules.describe(anchor)); });
  });
  json.attributeArray("cases", [&] {
    for (size_t i = 0; i < bound.cases.size(); ++i)
      json.object([&] {
        json.attribute("depth", texts[i].depth);
        if (bound.cases[i].links.empty())
          return writeDisjunction(json, bound.cases[i].disjunction,
                                  texts[i].text);
        json.attribute("steps", stepsOf(bound.cases[i]));
        json.attribute("text", texts[i].text);
      });
  });
}

} // namespace

void heddle::schedule::write(OStream &json, const Problem &problem,
                             const Bound &bound) {
  json.object([&] {
    json.attribute("ii", bound.ii);
    json.attribute("kind", kKinds[bound.kind]);
    json.attribute("text", describe(problem, bound));
    if (bound.kind == Bound::Unit)
      json.attribute("unit", bound.unit);
    if (bound.kind < Bound::Recurrence)
      writeList(json, "operations", bound.operations);
    if (bound.kind == Bound::Process)
      writeList(json, "dependences", bound.dependences);
    if (bound.kind == Bound::Recurrence)
      json.attributeArray("steps", [&] {
        for (const Link &link : bound.links)
          writeLink(json, problem, link);
      });
    if (bound.kind == Bound::Cases)
      writeCases(json, problem, bound);
  });
}

namespace {

std::vector<int> readList(const Node &node) {
  std::vector<int> list;
  node.list([&](const Node &element) {
    list.push_back(static_cast<int>(element.integer(0, kMaxIndex)));
  });
  return list;
}

/// The field is there, and says what the numbers do.
void expectText(ObjectReader &object, const char *name,
                const std::string &text) {
  object.required(name, [&](const Node &node) {
    if (node.text() != text)
      node.expected("\"" + text + "\"");
  });
}

/// One of the words that `spell` gives from `first` to `last`.
template <class Word, class Spell>
void readWord(const Node &value, Word first, Word last, Spell spell,
              Word &result, const char *words) {
  std::string text = value.text();
  for (int word = first; word <= last; ++word)
    if (text == spell(Word(word))) {
      result = Word(word);
      return;
    }
  value.expected(words);
}

void readLink(const Node &node, const Problem &problem, Link &link) {
  ObjectReader object(node);
  object.required("rule", [&](const Node &value) {
    readWord(
        value, Link::Value, Link::Slot,
        [](Link::Rule rule) { return spelling(rule); }, link.rule,
        "value, accumulate, order, queue, copy or slot");
  });
  object.required("index", [&](const Node &value) {
    link.index = static_cast<int>(value.integer(0, kMaxIndex));
  });
  object.required("delay", [&](const Node &value) {
    link.delay = value.integer(0, 4 * kMaxQuantity);
  });
  object.required("distance", [&](const Node &value) {
    link.distance = value.integer(-kMaxIndex, kMaxIndex);
  });
  if (node.failed())
    return;
  expectText(object, "from", describeStart(problem, link));
  expectText(object, "to", describeEnd(problem, link));
}

void readDisjunction(ObjectReader &object, Disjunction &disjunction) {
  object.required("rule", [&](const Node &value) {
    readWord(
        value, Disjunction::Unit, Disjunction::Slots,
        [](Disjunction::Rule rule) { return kDisjunctions[rule]; },
        disjunction.rule, "unit, process, registers or slots");
  });
  for (auto [name, op] : {std::pair("first", &disjunction.first),
                          std::pair("second", &disjunction.second)})
    object.required(name, [op = op](const Node &value) {
      *op = static_cast<int>(value.integer(0, kMaxIndex));
    });
  object.required("turn", [&](const Node &value) {
    disjunction.turn = value.integer(-kMaxIndex, kMaxIndex);
  });
}

bool readNumber(llvm::StringRef word, int &number) {
  return !word.getAsInteger(10, number) && number >= 0 && number <= kMaxIndex;
}

bool readStep(llvm::StringRef step, Link &link) {
  auto [word, place] = step.split(' ');
  for (int rule = Link::Value; rule <= Link::Assumed; ++rule) {
    if (word != spelling(Link::Rule(rule)))
      continue;
    link.rule = Link::Rule(rule);
    if (link.rule != Link::Assumed)
      return readNumber(place, link.index);
    auto [index, part] = place.split('.');
    return readNumber(index, link.index) && readNumber(part, link.part);
  }
  return false;
}

void readSteps(const Node &node, std::vector<Link> &links) {
  std::string text = node.text();
  llvm::SmallVector<llvm::StringRef> steps;
  llvm::StringRef(text).split(steps, ", ");
  for (llvm::StringRef step : steps)
    if (!readStep(step, links.emplace_back()))
      return node.expected("steps such as \"value 3, assumed 2.0\"");
}

/// Where a word or number stands that follows from others.
struct Telling {
  Node depth, text;
};

void readCase(const Node &node, Case &result, std::vector<Telling> &tellings) {
  ObjectReader object(node);
  if (object.has("steps"))
    object.required("steps",
                    [&](const Node &value) { readSteps(value, result.links); });
  else
    readDisjunction(object, result.disjunction);
  object.required("depth", [&](const Node &depth) {
    object.required(
        "text", [&](const Node &text) { tellings.push_back({depth, text}); });
  });
}

void expect(const Telling &telling, const CaseText &said) {
  if (telling.depth.integer(0, kMaxIndex) != said.depth)
    telling.depth.expected(std::to_string(said.depth));
  if (telling.text.text() != said.text)
    telling.text.expected("\"" + said.text + "\"");
}

void readCases(ObjectReader &object, const Problem &problem, Bound &bound) {
  std::vector<Telling> tellings;
  std::vector<Node> anchors;
  object.required("anchors", [&](const Node &value) {
    value.list([&](const Node &element) {
      ObjectReader fields(element);
      readDisjunction(fields, bound.anchors.emplace_back());
      fields.required("text",
                      [&](const Node &text) { anchors.push_back(text); });
    });
  });
  bool failed = false;
  object.required("cases", [&](const Node &value) {
    value.list([&](const Node &element) {
      readCase(element, bound.cases.emplace_back(), tellings);
    });
    failed = value.failed();
  });
  // Describing a witness is safe once it names what there is.
  if (failed || tellings.size() != bound.cases.size() ||
      anchors.size() != bound.anchors.size() ||
      !checkBound(problem, bound).empty())
    return;
  DisjunctionRules rules(problem);
  for (size_t i = 0; i < anchors.size(); ++i)
    if (std::string text = rules.describe(bound.anchors[i]);
        anchors[i].text() != text)
      anchors[i].expected("\"" + text + "\"");
  std::vector<CaseText> texts = textsOf(problem, bound);
  for (size_t i = 0; i < tellings.size(); ++i)
    expect(tellings[i], texts[i]);
}

} // namespace

void heddle::schedule::read(const Node &node, const Problem &problem,
                            Bound &bound) {
  ObjectReader object(node);
  object.required("ii", [&](const Node &value) {
    bound.ii = value.integer(0, kMaxQuantity);
  });
  object.required("kind", [&](const Node &value) {
    readWord(
        value, Bound::Unit, Bound::Cases,
        [](Bound::Kind kind) { return kKinds[kind]; }, bound.kind,
        "unit, process, recurrence or cases");
  });
  if (node.failed())
    return;
  if (bound.kind == Bound::Unit)
    object.required("unit", [&](const Node &value) {
      int64_t units = static_cast<int64_t>(problem.units.size());
      bound.unit = static_cast<int>(value.integer(0, units - 1));
    });
  if (bound.kind < Bound::Recurrence)
    object.required("operations", [&](const Node &value) {
      bound.operations = readList(value);
      if (!value.failed() && bound.operations.empty())
        value.expected("operations");
    });
  if (bound.kind == Bound::Process)
    object.required("dependences", [&](const Node &value) {
      bound.dependences = readList(value);
    });
  if (bound.kind == Bound::Recurrence)
    object.required("steps", [&](const Node &value) {
      value.list([&](const Node &element) {
        readLink(element, problem, bound.links.emplace_back());
      });
      if (!value.failed() && bound.links.empty())
        value.expected("steps");
    });
  if (bound.kind == Bound::Cases)
    readCases(object, problem, bound);
  // The same holds for what all of it says.
  if (!node.failed() && checkBound(problem, bound).empty())
    expectText(object, "text", describe(problem, bound));
  else
    object.required("text", [](const Node &value) { value.text(); });
}
