//===- CertificateJson.cpp - Certificates as text -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a certificate. Out: its text, and back. The text carries the whole
// problem beside the solution, so that it can be checked without the program
// that it came from; reading refuses unknown fields and unsound problems, since
// what is checked may come from anybody.
//
//===----------------------------------------------------------------------===//

#include "BoundJson.h"

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
    if (!certificate.pinned.empty())
      json.attributeArray("pinned", [&] {
        for (const std::string &line : certificate.pinned)
          json.value(line);
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
    object.optional("pinned", [&](const Node &value) {
      value.list([&](const Node &element) {
        certificate.pinned.push_back(element.text());
      });
    });
  });
}
