//===- DataTargets.cpp - Readers of data in JSON -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is read is used too: verified, certified, solved for a moment, printed
// and read again.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "heddle/Machine/Costs.h"
#include "heddle/Machine/Processor.h"
#include "heddle/Schedule/Certificate.h"
#include "heddle/Schedule/Json.h"
#include "heddle/Schedule/Solve.h"
#include "heddle/Support/JsonReader.h"

#include "llvm/Support/raw_ostream.h"

using namespace heddle;

static void visit(const strict::Node &node) {
  (void)strict::describe(node.json());
  if (node.json().getAsArray())
    node.list(visit);
  else if (node.json().getAsObject()) {
    strict::ObjectReader object(node);
    object.required("a", visit);
    object.optional("b", [](const strict::Node &child) {
      (void)child.integer(-5, int64_t(1) << 40);
    });
  }
}

int heddle::fuzz::runJson(const std::string &text) {
  (void)strict::parse(text, "the text", visit);
  return 0;
}

int heddle::fuzz::runProblem(const std::string &text) {
  schedule::Problem problem;
  if (!schedule::fromJson(text, problem).empty() || !problem.check().empty())
    return 0;
  schedule::Problem again;
  if (!schedule::fromJson(schedule::toJson(problem), again).empty())
    __builtin_trap(); // what is printed must be read
  (void)schedule::describe(problem, schedule::findBound(problem));
  schedule::Reached reached =
      schedule::solveWish(problem, {}, schedule::Budget{3000});
  if (reached.solution && !schedule::verify(problem, *reached.solution).empty())
    __builtin_trap();
  return 0;
}

/// A problem and a file of the schedule cache, with an empty line in between.
int heddle::fuzz::runSolution(const std::string &text) {
  size_t at = text.find("\n\n");
  schedule::Problem problem;
  schedule::Solution solution;
  if (at == std::string::npos ||
      !schedule::fromJson(text.substr(0, at), problem).empty() ||
      !problem.check().empty())
    return -1;
  if (schedule::fromJson(text.substr(at + 2), solution).empty())
    (void)schedule::verify(problem, solution);
  return 0;
}

int heddle::fuzz::runCertificate(const std::string &text) {
  schedule::Certificate certificate, again;
  if (!schedule::fromJson(text, certificate).empty())
    return 0;
  // What holds is printed and read again; what does not may not be described.
  for (const schedule::CertifiedLoop &loop : certificate.loops)
    if (schedule::recheck(loop).kind == schedule::Verdict::Objected)
      return 0;
  if (!schedule::fromJson(schedule::toJson(certificate), again).empty())
    __builtin_trap();
  return 0;
}

int heddle::fuzz::runMachine(const std::string &text) {
  machine::Costs costs;
  std::string error;
  if (!machine::readCosts(text, costs, error) && error.empty())
    __builtin_trap(); // a refusal says why
  machine::Processor processor;
  error.clear();
  if (!machine::readProcessor(text, processor, error) && error.empty())
    __builtin_trap();
  return 0;
}
