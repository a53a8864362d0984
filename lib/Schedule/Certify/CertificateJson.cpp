//===- CertificateJson.cpp - Certificates as text -------------------------===//
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

#include "heddle/Schedule/Certificate.h"
#include "heddle/Schedule/Json.h"
#include "heddle/Support/JsonReader.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace heddle;
using namespace heddle::schedule;
using llvm::json::OStream;
using strict::Node;
using strict::ObjectReader;

namespace {

constexpr int64_t kCertificateVersion = 1;
constexpr int64_t kMaxIndex = 1 << 16;
constexpr const char *kKinds[] = {"unit", "process", "recurrence"};

void writeList(OStream &json, const char *name, const std::vector<int> &list) {
  json.attributeArray(name, [&] {
    for (int element : list)
      json.value(element);
  });
}

void write(OStream &json, const Problem &problem, const Link &link) {
  json.object([&] {
    json.attribute("rule", spelling(link.rule));
    json.attribute("index", link.index);
    json.attribute("from", describeStart(problem, link));
    json.attribute("to", describeEnd(problem, link));
    json.attribute("delay", link.delay);
    json.attribute("distance", link.distance);
  });
}

void write(OStream &json, const Problem &problem, const Bound &bound) {
  json.object([&] {
    json.attribute("ii", bound.ii);
    json.attribute("kind", kKinds[bound.kind]);
    json.attribute("text", describe(problem, bound));
    if (bound.kind == Bound::Unit)
      json.attribute("unit", bound.unit);
    if (bound.kind != Bound::Recurrence)
      writeList(json, "operations", bound.operations);
    if (bound.kind == Bound::Process)
      writeList(json, "dependences", bound.dependences);
    if (bound.kind == Bound::Recurrence)
      json.attributeArray("steps", [&] {
        for (const Link &link : bound.links)
          write(json, problem, link);
      });
  });
}

void writeLoop(OStream &json, const CertifiedLoop &loop) {
  json.object([&] {
    json.attribute("ii", loop.ii);
    json.attribute("gap", loop.gap);
    json.attribute("optimal", loop.optimal);
    json.attributeBegin("bound");
    write(json, loop.problem, loop.bound);
    json.attributeEnd();
    json.attributeArray("refuted", [&] {
      for (const Refutation &refutation : loop.refuted)
        json.object([&] {
          json.attribute("ii", refutation.ii);
          json.attribute("footprints", refutation.footprints);
          json.attribute("query", refutation.query);
        });
    });
    json.attributeBegin("solution");
    write(json, loop.solution);
    json.attributeEnd();
    json.attributeBegin("problem");
    write(json, loop.problem);
    json.attributeEnd();
  });
}

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

void read(const Node &node, const Problem &problem, Link &link) {
  ObjectReader object(node);
  object.required("rule", [&](const Node &value) {
    std::string word = value.text();
    for (int rule = Link::Value; rule <= Link::Slot; ++rule)
      if (spelling(Link::Rule(rule)) == word) {
        link.rule = Link::Rule(rule);
        return;
      }
    value.expected("value, accumulate, order, queue, copy or slot");
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

void read(const Node &node, const Problem &problem, Bound &bound) {
  ObjectReader object(node);
  object.required("ii", [&](const Node &value) {
    bound.ii = value.integer(0, kMaxQuantity);
  });
  object.required("kind", [&](const Node &value) {
    std::string word = value.text();
    for (int kind = Bound::Unit; kind <= Bound::Recurrence; ++kind)
      if (word == kKinds[kind]) {
        bound.kind = Bound::Kind(kind);
        return;
      }
    value.expected("unit, process or recurrence");
  });
  if (node.failed())
    return;
  if (bound.kind == Bound::Unit)
    object.required("unit", [&](const Node &value) {
      int64_t units = static_cast<int64_t>(problem.units.size());
      bound.unit = static_cast<int>(value.integer(0, units - 1));
    });
  if (bound.kind != Bound::Recurrence)
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
        read(element, problem, bound.links.emplace_back());
      });
      if (!value.failed() && bound.links.empty())
        value.expected("steps");
    });
  // Describing a witness is safe once it names what there is.
  if (!node.failed() && checkBound(problem, bound).empty())
    expectText(object, "text", describe(problem, bound));
  else
    object.required("text", [](const Node &value) { value.text(); });
}

void readLoop(const Node &node, CertifiedLoop &loop) {
  ObjectReader object(node);
  object.required("problem", [&](const Node &value) {
    schedule::read(value, loop.problem);
    if (value.failed())
      return;
    // Bounds look operations up by what the problem says.
    if (std::string reason = checkProblem(loop.problem); !reason.empty())
      value.expected("a sound problem (" + reason + ")");
  });
  object.required("solution", [&](const Node &value) {
    schedule::read(value, loop.solution);
  });
  object.required("ii", [&](const Node &value) {
    loop.ii = value.integer(1, kMaxQuantity);
  });
  object.required("gap", [&](const Node &value) {
    loop.gap = value.integer(0, kMaxQuantity);
  });
  object.required("optimal",
                  [&](const Node &value) { loop.optimal = value.boolean(); });
  object.required("bound", [&](const Node &value) {
    read(value, loop.problem, loop.bound);
  });
  object.required("refuted", [&](const Node &value) {
    value.list([&](const Node &element) {
      Refutation &refutation = loop.refuted.emplace_back();
      ObjectReader fields(element);
      fields.required("ii", [&](const Node &field) {
        refutation.ii = field.integer(1, kMaxQuantity);
      });
      fields.required("footprints", [&](const Node &field) {
        refutation.footprints = field.boolean();
      });
      fields.required(
          "query", [&](const Node &field) { refutation.query = field.text(); });
    });
  });
}

} // namespace

std::string heddle::schedule::toJson(const Certificate &certificate) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OStream json(stream, 1);
  json.object([&] {
    json.attribute("version", kCertificateVersion);
    json.attribute("kernel", certificate.kernel);
    json.attributeArray("loops", [&] {
      for (const CertifiedLoop &loop : certificate.loops)
        writeLoop(json, loop);
    });
  });
  return text + "\n";
}

std::string heddle::schedule::fromJson(llvm::StringRef text,
                                       Certificate &certificate) {
  return strict::parse(text, "the certificate", [&](const Node &node) {
    ObjectReader object(node);
    object.required("version", [](const Node &value) {
      value.integer(kCertificateVersion, kCertificateVersion);
    });
    object.required("kernel", [&](const Node &value) {
      certificate.kernel = value.text();
    });
    object.required("loops", [&](const Node &value) {
      value.list([&](const Node &element) {
        readLoop(element, certificate.loops.emplace_back());
      });
    });
  });
}
