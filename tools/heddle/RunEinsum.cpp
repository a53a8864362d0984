//===- RunEinsum.cpp - heddle run on the einsum rung ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunEinsum.h"

#include "Command.h"
#include "EinsumSession.h"

#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/Sparse.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Sparse.h"
#include "heddle/Support/SplitMix.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <limits>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

EinsumRunOptions::EinsumRunOptions(cl::SubCommand &command)
    : operands(command),
      plan("plan", cl::sub(command), cl::init("auto"),
           cl::value_desc("auto|all|random|greedy|FILE"),
           cl::desc(
               "How an einsum program is carried out: by the program's "
               "own plan or else the planner's (default), by each legal "
               "one after the other, by one that --seed draws, by one in the "
               "order that a greedy search finds, or by the einsum.plan "
               "of FILE")),
      workers("workers", cl::sub(command), cl::init(2), cl::value_desc("COUNT"),
              cl::desc("Threads that share the work of an einsum program; the "
                       "result is compared with that of one")),
      interpret("interpret", cl::sub(command),
                cl::desc("Run the tile rung of an einsum program by its "
                         "oracle too, and compare")) {}

static double medianOf(std::vector<double> &values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

namespace {

/// One program with its operands, run by one plan after another.
class Session {
public:
  Session(Program &program, const EinsumRunOptions &options,
          const EinsumRun &request, EinsumSession &session)
      : program(program), options(options), request(request), session(session) {
  }

  /// Compiles a module that has its plan, runs it and compares. An exit code.
  int run(mlir::ModuleOp module, bool isQuiet,
          pipeline::CpuPrograms *kept = nullptr) {
    raw_ostream &os = isQuiet ? nulls() : outs();
    if (failed(pipeline::lower(module, pipeline::Rung::Einsum,
                               pipeline::Rung::Tile)))
      return program.exitCode();
    auto start = std::chrono::steady_clock::now();
    auto compiled = pipeline::compileForCpu(module);
    if (failed(compiled))
      return program.exitCode();
    double milliseconds = std::chrono::duration<double, std::milli>(
                              std::chrono::steady_clock::now() - start)
                              .count();
    os << "program " << compiled->programs[0].name << ", compiled in "
       << format("%.0f", milliseconds) << " ms\n";
    EinsumOutcome alone;
    if (Error error = session.launch(*compiled, /*isAlone=*/true, alone))
      return fail(std::move(error));
    if (!session.judge(compiled->programs[0], alone, os))
      return fail(diag::wrong_result, "program " + compiled->programs[0].name +
                                          " differs from the oracle");
    if (int status = options.interpret
                         ? interpret(module, compiled->programs[0], os)
                         : kFine)
      return status;
    if (int status = repeat(*compiled, alone, os))
      return status;
    if (kept)
      *kept = std::move(*compiled);
    return kFine;
  }

  /// The least time of each program in milliseconds, in rounds over all of
  /// them, so that what else the machine does falls on all alike.
  int time(std::vector<pipeline::CpuPrograms> &all, unsigned rounds,
           std::vector<double> &least) {
    least.assign(all.size(), std::numeric_limits<double>::infinity());
    for (unsigned round = 0; round < rounds; ++round)
      for (size_t turn = 0; turn < all.size(); ++turn) {
        size_t i = round % 2 ? all.size() - 1 - turn : turn;
        EinsumOutcome outcome;
        auto milliseconds = session.time(all[i], outcome);
        if (!milliseconds)
          return fail(milliseconds.takeError());
        least[i] = std::min(least[i], *milliseconds);
      }
    return kFine;
  }

private:
  int interpret(mlir::ModuleOp module, const cpu::HostProgram &host,
                raw_ostream &os) {
    EinsumOutcome interpreted;
    interpreted.slots = session.arguments();
    if (int status = interpretProgram(program, module, host, session.operands(),
                                      interpreted.slots, interpreted.arrays,
                                      request.maxSteps))
      return status;
    if (!session.judge(host, interpreted, nulls()))
      return fail(diag::wrong_result,
                  "the tile rung of program " + host.name +
                      ", run by its oracle, differs from that of einsums");
    os << "the tile rung, run by its oracle, agrees\n";
    return kFine;
  }

  int repeat(pipeline::CpuPrograms &compiled, const EinsumOutcome &alone,
             raw_ostream &os) {
    std::vector<double> times;
    for (unsigned round = 0; round < request.repeat; ++round) {
      EinsumOutcome outcome;
      auto milliseconds = session.time(compiled, outcome);
      if (!milliseconds)
        return fail(milliseconds.takeError());
      times.push_back(*milliseconds);
      if (!areEqual(compiled.programs[0], alone, outcome))
        return fail(diag::wrong_result, "program " + compiled.programs[0].name +
                                            " gives other bits with " +
                                            Twine(options.workers.getValue()) +
                                            " workers");
    }
    os << "the same bits with " << options.workers
       << " workers; time: " << format("%.4g", medianOf(times))
       << " ms a run\n";
    return kFine;
  }

  Program &program;
  const EinsumRunOptions &options;
  const EinsumRun &request;
  EinsumSession &session;
};

} // namespace

/// In place of the program's own plan, that of a file. An exit code.
static int takePlan(Program &program, StringRef path) {
  Expected<Source> text = loadSource(path, {});
  if (!text)
    return fail(text.takeError());
  auto parsed = pipeline::parse(*text, *program.module().getContext());
  if (!parsed)
    return program.exitCode();
  if (parsed->getOps<einsum::PlanOp>().empty())
    return fail(diag::einsum_plan, path + " holds no einsum.plan");
  for (auto plan :
       make_early_inc_range(program.module().getOps<einsum::PlanOp>()))
    plan.erase();
  for (auto plan : make_early_inc_range(parsed->getOps<einsum::PlanOp>()))
    plan->moveBefore(program.module().getBody(),
                     program.module().getBody()->end());
  return kFine;
}

static void describe(const PlannedTerm &term, size_t choice) {
  const sparse::Candidate &candidate = term.candidates[choice];
  sparse::Statement statement = describeStatement(term.statement);
  outs() << "; " << statement.result.tensor << "." << term.term << " modelled "
         << format("%.4g", candidate.cost) << " cycles,";
  for (int index : candidate.nest.order)
    outs() << " " << statement.indices[index];
  if (candidate.nest.vector >= 0)
    outs() << " vector " << candidate.nest.width;
  outs() << " " << sparse::spell(candidate.nest.into) << " "
         << sparse::spell(candidate.nest.assemble, candidate.nest.pattern);
}

/// Each legal plan of the program, one after the other. An exit code.
static int runAll(Program &program, einsum::ProgramOp source, Session &session,
                  const ProgramStatistics &statistics, unsigned rounds) {
  auto planned = planProgram(source, statistics);
  if (failed(planned))
    return program.exitCode();
  size_t most = 0;
  for (const PlannedTerm &term : *planned)
    most = std::max(most, term.candidates.size());
  if (einsum::PlanOp own = findPlan(source))
    own.erase();
  std::vector<pipeline::CpuPrograms> compiled(rounds > 1 ? most : 0);
  for (size_t choice = 0; choice < most; ++choice) {
    mlir::OwningOpRef<mlir::ModuleOp> copy(program.module().clone());
    // A term that has fewer keeps its last one.
    auto choose = [&](size_t count) { return std::min(choice, count - 1); };
    if (failed(addPlans(*copy, statistics, choose)))
      return program.exitCode();
    std::string text = pipeline::print(*copy);
    if (int status = session.run(*copy, /*isQuiet=*/true,
                                 rounds > 1 ? &compiled[choice] : nullptr)) {
      errs() << text;
      return status;
    }
  }
  outs() << "program " << source.getSymName() << ": " << most
         << " plans, all right, each with the same bits for any workers\n";
  std::vector<double> least;
  if (int status = session.time(compiled, rounds, least))
    return status;
  for (auto [choice, time] : enumerate(least)) {
    outs() << "plan " << choice << ": " << format("%.4g", time) << " ms";
    for (const PlannedTerm &term : *planned)
      describe(term, std::min(choice, term.candidates.size() - 1));
    outs() << "\n";
  }
  return kFine;
}

/// In the order that a greedy search finds for each term. An exit code.
static int runGreedy(Program &program, einsum::ProgramOp source,
                     Session &session, const ProgramStatistics &statistics) {
  auto planned = planProgram(source, statistics);
  if (failed(planned))
    return program.exitCode();
  if (einsum::PlanOp own = findPlan(source))
    own.erase();
  std::map<std::string, size_t> numbers;
  for (auto op : source.getEntry().getOps<einsum::StatementOp>())
    numbers.emplace(op.getName().str(), numbers.size());
  std::vector<size_t> choices;
  outs() << "greedy";
  for (const PlannedTerm &term : *planned) {
    sparse::Statement statement = describeStatement(term.statement);
    choices.push_back(sparse::chooseGreedily(
        statement, term.term, statistics[numbers[statement.result.tensor]],
        term.candidates));
    describe(term, choices.back());
  }
  outs() << "\n";
  size_t next = 0;
  auto choose = [&](size_t) { return choices[next++]; };
  if (failed(addPlans(program.module(), statistics, choose)))
    return program.exitCode();
  return session.run(program.module(), /*isQuiet=*/false);
}

/// A legal nest of each term, drawn from the seed. An exit code.
static int runDrawn(Program &program, einsum::ProgramOp source,
                    Session &session, const ProgramStatistics &statistics,
                    uint64_t seed) {
  if (einsum::PlanOp own = findPlan(source))
    own.erase();
  SplitMix random(seed);
  auto choose = [&](size_t count) { return size_t(random.next() % count); };
  if (failed(addPlans(program.module(), statistics, choose)))
    return program.exitCode();
  std::string text = pipeline::print(program.module());
  int status = session.run(program.module(), /*isQuiet=*/false);
  if (status)
    errs() << text;
  return status;
}

/// As one kernel, compared with the oracle. An exit code.
static int runOnDevice(Program &program, einsum::ProgramOp source,
                       const EinsumRunOptions &options,
                       const EinsumRun &request, SoundOperands &sound) {
  if (options.plan == "all" || options.plan == "random" ||
      options.plan == "greedy")
    return fail(diag::usage,
                "--plan=" + options.plan + " is for this processor");
  if (int status =
          options.plan == "auto" ? kFine : takePlan(program, options.plan))
    return status;
  // Which says that there is one statement.
  if (failed(planKernels(program.module(), sound.statistics)))
    return program.exitCode();
  auto op = *source.getEntry().getOps<einsum::StatementOp>().begin();
  sparse::Statement statement = describeStatement(op);
  EinsumCheck check({statement});
  if (std::string error = check.evaluate(sound.operands, sound.statistics);
      !error.empty())
    return fail(diag::einsum_operands, error);
  return runEinsumKernel(program, *request.device, statement, sound.operands,
                         check, request.integers, request.repeat);
}

int heddle::tool::runEinsum(Program &program, const EinsumRunOptions &options,
                            const EinsumRun &request) {
  auto programs = llvm::to_vector(program.module().getOps<einsum::ProgramOp>());
  if (programs.size() != 1)
    return fail(diag::kernel_choice,
                "an einsum file that is run has one program; this has " +
                    Twine(programs.size()));
  if (options.workers < 1 || options.workers > 1024)
    return fail(diag::usage, "--workers is 1 to 1024, not " +
                                 Twine(options.workers.getValue()));
  einsum::ProgramOp source = programs[0];
  if (!request.device)
    storeOperandsAgain(program.module());
  auto sound = makeSoundOperands(source, request.views, options.operands,
                                 request.seed, request.integers);
  if (!sound)
    return fail(sound.takeError());
  if (request.device)
    return runOnDevice(program, source, options, request, *sound);
  if (Error error = describeMachine(source, program.options().machine,
                                    int(options.workers), sound->statistics))
    return fail(std::move(error));
  EinsumSession prepared(source, std::move(*sound), request.integers,
                         int(options.workers));
  if (Error error = prepared.prepare())
    return fail(std::move(error));
  const ProgramStatistics &statistics = prepared.statistics();
  Session session(program, options, request, prepared);
  if (options.plan == "all")
    return runAll(program, source, session, statistics, request.repeat);
  if (options.plan == "greedy")
    return runGreedy(program, source, session, statistics);
  if (options.plan == "random")
    return runDrawn(program, source, session, statistics, request.seed);
  if (int status =
          options.plan == "auto" ? kFine : takePlan(program, options.plan))
    return status;
  if (failed(addPlans(program.module(), statistics)))
    return program.exitCode();
  return session.run(program.module(), /*isQuiet=*/false);
}
