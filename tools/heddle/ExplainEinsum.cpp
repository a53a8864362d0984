//===- ExplainEinsum.cpp - heddle explain on the einsum rung --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplainEinsum.h"

#include "Command.h"
#include "WriteText.h"

#include "heddle/Sparse/Certificate.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static std::string nameOf(const sparse::Statement &statement, int index) {
  return index < 0 ? "none" : statement.indices[index];
}

static std::string orderOf(const sparse::Statement &statement,
                           const sparse::Nest &nest) {
  std::string text;
  for (int index : nest.order)
    text += (text.empty() ? "" : " ") + statement.indices[index];
  return text;
}

static void printEntry(const sparse::Nest &nest, const std::string &entry,
                       const std::string &value) {
  outs() << "  " << left_justify(entry, 9) << left_justify(value, 18);
  if (auto found = nest.because.find(entry); found != nest.because.end())
    outs() << "  " << found->second;
  outs() << "\n";
}

/// The entries in which losers differ most, and of the others those in which
/// this one is not like the best.
static std::string describeLoser(const sparse::Statement &statement,
                                 const sparse::Nest &nest,
                                 const sparse::Nest &best) {
  std::string text =
      orderOf(statement, nest) + ", vector " + nameOf(statement, nest.vector);
  if (nest.vector >= 0 && nest.vector == best.vector &&
      nest.width != best.width)
    text += " of width " + std::to_string(nest.width);
  text += ", into " + sparse::spell(nest.into);
  if (nest.parallel != best.parallel)
    text += ", parallel " + nameOf(statement, nest.parallel);
  else if (nest.parallel >= 0 && nest.chunk != best.chunk)
    text += ", chunks of " + std::to_string(nest.chunk);
  return text;
}

static void printTerm(const PlannedTerm &term) {
  constexpr size_t kMostLosers = 8;
  sparse::Statement statement = describeStatement(term.statement);
  const sparse::Nest &best = term.candidates[0].nest;
  outs() << statement.result.tensor << ", term " << term.term << "\n";
  printEntry(best, "order", orderOf(statement, best));
  for (auto [index, loop] : zip(best.order, best.loops))
    printEntry(best, "loop", statement.indices[index] + ": " + loop);
  printEntry(best, "parallel",
             nameOf(statement, best.parallel) +
                 (best.parallel < 0
                      ? ""
                      : ", chunks of " + std::to_string(best.chunk)));
  printEntry(
      best, "vector",
      nameOf(statement, best.vector) +
          (best.vector < 0 ? "" : ", width " + std::to_string(best.width)));
  if (best.ahead)
    printEntry(best, "ahead",
               std::to_string(best.ahead) + " iterations' rows asked for");
  printEntry(best, "into", sparse::spell(best.into));
  printEntry(best, "assemble", sparse::spell(best.assemble, best.pattern));
  for (size_t i = 1; i < term.candidates.size() && i <= kMostLosers; ++i) {
    const sparse::Candidate &candidate = term.candidates[i];
    outs() << "  not " << describeLoser(statement, candidate.nest, best) << ": "
           << candidate.rejected << "\n";
  }
  if (term.candidates.size() > kMostLosers + 1)
    outs() << "  and " << term.candidates.size() - kMostLosers - 1 << " more\n";
}

/// One certificate, with the arrays of the term's operands if all are given:
/// what statements before make is not there yet.
static std::string certify(const PlannedTerm &term,
                           const sparse::Statistics &statistics,
                           ArrayRef<Operand> operands) {
  sparse::Statement statement = describeStatement(term.statement);
  std::map<std::string, const sparse::Tensor *> arrays;
  for (const Operand &operand : operands)
    for (const sparse::Access &access : statement.terms[size_t(term.term)])
      if (access.tensor == operand.name)
        arrays[operand.name] = &operand.tensor;
  if (!all_of(statement.terms[size_t(term.term)],
              [&](const sparse::Access &access) {
                return arrays.count(access.tensor);
              }))
    arrays.clear();
  return sparse::writeCertificate(statement, term.term, statistics,
                                  term.candidates, arrays);
}

int heddle::tool::explainEinsum(Program &program, const OperandOptions &options,
                                ArrayRef<std::string> views,
                                StringRef certificates) {
  std::string written;
  storeOperandsAgain(program.module());
  for (auto source : program.module().getOps<einsum::ProgramOp>()) {
    ProgramStatistics statistics;
    std::vector<Operand> made;
    outs() << "program " << source.getSymName();
    if (views.empty()) {
      outs() << ", sizes guessed (--view gives them)\n";
    } else {
      auto operands = makeOperands(source, views, options, 0, false);
      if (!operands)
        return fail(operands.takeError());
      auto described = describeOperands(source, *operands);
      if (!described)
        return fail(described.takeError());
      statistics = std::move(*described);
      made = std::move(*operands);
      outs() << "\n";
    }
    if (Error error = describeMachine(source, program.options().machine,
                                      /*workers=*/2, statistics))
      return fail(std::move(error));
    auto planned = planProgram(source, statistics);
    if (failed(planned))
      return program.exitCode();
    for (const PlannedTerm &term : *planned)
      printTerm(term);
    size_t number = 0;
    for (auto op : source.getEntry().getOps<einsum::StatementOp>()) {
      for (const PlannedTerm &term : *planned)
        if (term.statement == op && !certificates.empty())
          written += (written.empty() ? "" : ",\n") +
                     certify(term, statistics[number], made);
      ++number;
    }
    if (findPlan(source))
      outs() << "the program has a plan of its own, which is taken instead\n";
  }
  if (certificates.empty())
    return kFine;
  return writeText(certificates, "[" + written + "]\n");
}
