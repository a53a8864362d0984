//===- Judge.cpp - The checker's verdict against the model ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include "Blind.h"

#include "heddle/Check/Extract.h"
#include "heddle/Check/Prove.h"
#include "heddle/Dialect/Hopper/Hopper.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace heddle;
using namespace heddle::adversary;

const char *heddle::adversary::spelling(Verdict verdict) {
  static const char *const names[] = {"invalid", "refused", "proved",
                                      "counterexample", "not proved"};
  return names[int(verdict)];
}

const char *heddle::adversary::spelling(Conflict conflict) {
  static const char *const names[] = {"none", "FALSE PROOF",
                                      "FALSE COUNTEREXAMPLE", "WRONG ARGUMENTS",
                                      "MODEL"};
  return names[int(conflict)];
}

std::string heddle::adversary::kindOf(const std::string &fault) {
  for (const char *begin : {"a deadlock", "a race"})
    if (fault.rfind(begin, 0) == 0)
      return begin;
  return fault;
}

namespace {
/// The model's answers for one program, with what is left to spend on it.
class Model {
public:
  Model(const Kernel &kernel, const JudgeOptions &options, Opinion &opinion)
      : kernel(kernel), options(options), opinion(opinion) {}

  Finding run(const Launch &launch);
  bool disagrees = false;

private:
  const Kernel &kernel;
  const JudgeOptions &options;
  Opinion &opinion;
};
} // namespace

Finding Model::run(const Launch &launch) {
  Exploration one = exploreOne(kernel, launch);
  ++opinion.launches;
  opinion.states += one.states;
  if (one.finding.kind == Finding::Faulty &&
      options.ignored.count(kindOf(one.finding.fault)))
    one.finding.kind = Finding::Excluded;
  bool isDecided =
      one.finding.kind == Finding::Fine || one.finding.kind == Finding::Faulty;
  if (!isDecided || opinion.states > options.statesOfProgram)
    return one.finding;
  Exploration all = exploreAll(kernel, launch, options.statesOfLaunch);
  opinion.states += all.states;
  if (all.finding.kind != Finding::Fine && all.finding.kind != Finding::Faulty)
    return one.finding;
  ++opinion.allOrders;
  // What the one order broke is a rule that is enough and not needed: that who
  // arrives has waited for the phase before, say, and not only met those who
  // made it complete. Nothing follows from that for the checker.
  if (all.finding.kind == Finding::Fine && one.finding.isOfOrder) {
    one.finding.kind = Finding::Excluded;
    one.finding.fault = "not needed: " + one.finding.fault;
    return one.finding;
  }
  if (all.finding.kind != one.finding.kind &&
      !options.ignored.count(kindOf(all.finding.fault))) {
    disagrees = true;
    opinion.message = "one order: " + one.finding.fault +
                      "; all orders: " + all.finding.fault;
  }
  return one.finding;
}

/// What a name of the checker's counterexample may be about. Where several
/// things have one name, the later ones have marks behind it.
static bool isName(const std::string &name, const std::string &own, int marks) {
  return name == own + std::string(size_t(marks), '\'');
}

/// The launches that the checker's counterexample means; what it does not name
/// is as in one of `others`. If names are not unique there is more than one way
/// to read it: with a scalar's mark, or an extent's.
static std::vector<Launch> launchesOf(const Kernel &kernel,
                                      const check::Fault &fault,
                                      const std::vector<Launch> &others) {
  std::vector<Launch> result;
  bool isMarked = false;
  for (const auto &[name, value] : fault.arguments)
    isMarked |= name.back() == '\'';
  for (size_t i = 0; i < (isMarked ? 16 : 8); ++i) {
    if (i / 2 >= others.size())
      break;
    Launch launch = others[isMarked ? i / 2 : i % others.size()];
    int ofScalars = isMarked && i % 2, ofOthers = isMarked && !ofScalars;
    launch.worker = 0, launch.workers = 1;
    auto isOther = [&](const std::string &name, const std::string &own) {
      return isName(name, own, ofOthers) || (ofOthers && isName(name, own, 0) &&
                                             !fault.arguments.count(own + "'"));
    };
    auto isScalar = [&](const std::string &name, const std::string &own) {
      return isName(name, own, ofScalars) ||
             (ofScalars && isName(name, own, 0) &&
              !fault.arguments.count(own + "'"));
    };
    for (const auto &[name, value] : fault.arguments) {
      if (isOther(name, "worker id"))
        launch.worker = value;
      if (isOther(name, "worker count"))
        launch.workers = value;
      for (size_t a = 0; a < kernel.argumentNames.size(); ++a) {
        const std::string &own = kernel.argumentNames[a];
        if (kernel.argumentWidths[a]) {
          if (isScalar(name, own))
            launch.scalars[int(a)] = wrap(kernel.argumentWidths[a], value);
          continue;
        }
        if (isOther(name, "each element of " + own))
          launch.elements[int(a)] = value;
        for (size_t axis = 0; axis < kernel.shapes[a].size(); ++axis)
          if (isOther(name, "dim(" + own + ", " + std::to_string(axis) + ")"))
            launch.extents[{int(a), int(axis)}] = value;
      }
    }
    result.push_back(launch);
  }
  return result;
}

/// Does the proof say that it takes the loop's end for granted?
static bool isAssumed(const check::Result &result, const Finding &finding) {
  if (kindOf(finding.fault) != "a loop that never ends")
    return false;
  std::string line = ":" + std::to_string(finding.line) + ":";
  for (const std::string &assumption : result.assumptions)
    if (assumption.find(line) != std::string::npos)
      return true;
  return false;
}

/// A counterexample must go wrong: with its arguments, or at least somewhere.
static Conflict compare(const Kernel &kernel, const check::Fault &fault,
                        const std::vector<Launch> &launches, Model &model,
                        Opinion &opinion) {
  auto leaveOpen = [&](const Finding &finding) {
    if (opinion.openBecause.empty())
      opinion.openBecause = finding.fault;
  };
  for (const Launch &launch : launchesOf(kernel, fault, launches)) {
    Finding finding = model.run(launch);
    if (finding.kind == Finding::Faulty) {
      opinion.finding = finding;
      opinion.launch = launch.describe();
      opinion.openBecause.clear();
      return Conflict::None;
    }
    if (finding.kind != Finding::Fine)
      leaveOpen(finding);
  }
  Conflict worst = Conflict::FalseCounterexample;
  for (const Launch &launch : launches) {
    Finding finding = model.run(launch);
    if (finding.kind == Finding::Unknown)
      leaveOpen(finding);
    if (finding.kind == Finding::Faulty && worst != Conflict::WrongArguments) {
      worst = Conflict::WrongArguments;
      opinion.finding = finding;
      opinion.launch = launch.describe();
    }
  }
  return opinion.openBecause.empty() ? worst : Conflict::None;
}

Opinion heddle::adversary::judge(const std::string &text,
                                 mlir::MLIRContext &context,
                                 const JudgeOptions &options) {
  Opinion opinion;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &said) {
    if (opinion.message.empty())
      opinion.message = said.str();
  });
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(text, config, "adversary");
  if (!module)
    return opinion;
  auto kernels = module->getOps<hopper::KernelOp>();
  if (kernels.empty())
    return opinion;
  opinion.verdict = Verdict::Refused;
  if (failed(mlir::verify(*module)))
    return opinion;

  check::Extraction extraction = check::extract(*kernels.begin());
  blind(extraction.protocol, options.blindness);
  check::Result result;
  if (!extraction.gap.empty()) {
    result.verdict = check::Verdict::NotProved;
    result.reason = extraction.gap;
  } else {
    check::Limits limits;
    limits.states = options.checkerStates;
    limits.steps = 1000000;
    limits.traceSteps = 1;
    result = check::prove(extraction.protocol, limits);
  }
  opinion.message = result.reason;
  if (result.fault && opinion.message.empty())
    opinion.message = std::string(check::describe(result.fault->property)) +
                      ": " + result.fault->message;
  if (result.fault)
    for (const auto &[name, value] : result.fault->arguments)
      opinion.message += ", " + name + " = " + std::to_string(value);

  Kernel kernel = read(*kernels.begin());
  uint64_t seed = 0;
  for (char c : text)
    seed = seed * 31 + uint8_t(c);
  std::vector<Launch> launches = chooseLaunches(kernel, options.launches, seed);
  Model model(kernel, options, opinion);
  if (result.verdict == check::Verdict::Counterexample) {
    opinion.verdict = Verdict::Counterexample;
    opinion.conflict = compare(kernel, *result.fault, launches, model, opinion);
  } else {
    bool isProved = result.verdict == check::Verdict::Proved;
    opinion.verdict = isProved ? Verdict::Proved : Verdict::NotProved;
    for (const Launch &launch : launches) {
      Finding finding = model.run(launch);
      if (finding.kind == Finding::Unknown && opinion.openBecause.empty())
        opinion.openBecause = finding.fault;
      if (finding.kind != Finding::Faulty)
        continue;
      opinion.finding = finding;
      opinion.launch = launch.describe();
      if (isProved && isAssumed(result, finding))
        continue;
      if (isProved)
        opinion.conflict = Conflict::FalseProof;
      break;
    }
  }
  if (model.disagrees)
    opinion.conflict = Conflict::Model;
  return opinion;
}
