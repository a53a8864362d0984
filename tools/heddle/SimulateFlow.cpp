//===- SimulateFlow.cpp - heddle simulate on streams ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulateFlow.h"

#include "Command.h"
#include "CopySearch.h"
#include "EinsumCheck.h"
#include "MemoryTime.h"
#include "ParallelOption.h"
#include "ProductSearch.h"
#include "RegionSearch.h"
#include "StreamPicture.h"
#include "WriteText.h"

#include "heddle/Conversion/EinsumToFlow.h"
#include "heddle/Flow/Interpret.h"
#include "heddle/Machine/Units.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Sparse.h"
#include "heddle/Support/SplitMix.h"

#include "mlir/IR/AsmState.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static constexpr int kWrongResult = 1, kBadUse = 3;

FlowOptions::FlowOptions(cl::SubCommand &command)
    : operands(command),
      plan("plan", cl::sub(command), cl::init("auto"),
           cl::value_desc("auto|all|random"),
           cl::desc("Of an einsum program: run it by its own plan or else the "
                    "best order of each statement (default), by every order "
                    "that the operands' storage allows, or by one of these "
                    "for each statement, drawn from the seed")),
      tokens("tokens", cl::sub(command),
             cl::desc("Print the tokens of every stream of an einsum program "
                      "(N: absent, S0: the end of a fiber, S1: of two)")),
      regions("regions", cl::sub(command), cl::value_desc("LIST|all|auto"),
              cl::desc("The region of each statement of an einsum program, as "
                       "0,0,1: those of one hand streams on. all: each way to "
                       "cut them, in order, with what it computes, moves and "
                       "takes. auto: the division that takes the fewest "
                       "cycles, and why")),
      reassociates("reassociate", cl::sub(command),
                   cl::desc("With --regions=auto: also make products in "
                            "another order, A (X V) for (A X) V, where that "
                            "takes fewer cycles; their sums are rounded "
                            "otherwise")),
      parallel("parallel", cl::sub(command),
               cl::value_desc("INDEX:COPIES[:CHUNK],..."),
               cl::desc("Of an einsum program, in every statement that has the "
                        "index: so many parallel copies of what lies below it; "
                        "CHUNK coordinates in a row go to one (default 1). "
                        "auto:UNITS: the copies with which each region takes "
                        "the fewest cycles on so many units, and why")),
      slots("slots", cl::sub(command), cl::init("65536"),
            cl::value_desc("COUNT|least|tight"),
            cl::desc("Slots of each ring between the processes of an einsum "
                     "program (default 65536, which seldom fill). least: for "
                     "each ring the fewest with which these operands make no "
                     "deadlock, printed with the reason. tight: the same, and "
                     "the interpreter tries each with one less")),
      emitProcesses("processes", cl::sub(command),
                    cl::desc("Print the processes of an einsum program, too")),
      engine("engine", cl::sub(command), cl::init(Engine::Auto),
             cl::desc("With --order=timed, the processes of an einsum program "
                      "are executed:"),
             cl::values(
                 clEnumValN(Engine::Auto, "auto",
                            "in the way that takes less time (default)"),
                 clEnumValN(Engine::Compiled, "compiled", "as machine code"),
                 clEnumValN(Engine::Interpreted, "interpreted",
                            "one operation after another"),
                 clEnumValN(Engine::Both, "both", "both ways, and compared"))),
      speed("speed", cl::sub(command),
            cl::desc("With --order=timed: print how long machine code took to "
                     "make and to run")),
      profile("profile", cl::sub(command),
              cl::desc("With --order=timed: print how long each process of an "
                       "einsum program was busy and waited, and how many slots "
                       "of each ring were in use")) {}

/// Whether it is to be told what each process did when.
static bool isNoted(const FlowOptions &options, const FlowRequest &request) {
  return options.profile || !request.svgFile.empty() ||
         !request.traceFile.empty();
}

/// Gives the statements of the only plan their regions.
static void setRegions(mlir::ModuleOp module, ArrayRef<int64_t> regions) {
  auto plan = *module.getOps<einsum::PlanOp>().begin();
  mlir::Builder builder(module.getContext());
  auto program = *module.getOps<einsum::ProgramOp>().begin();
  for (auto [statement, region] :
       zip_equal(program.getEntry().getOps<einsum::StatementOp>(), regions))
    for (auto entry : plan.getBody().front().getOps<einsum::StreamsOp>())
      if (entry.getStatement() == statement.getName())
        entry.setInRegionAttr(builder.getI64IntegerAttr(region));
}

static void printTight(int64_t rings, raw_ostream &os) {
  os << "with one slot less, each of " << rings << " rings makes a deadlock\n";
}

namespace {

/// What a run took, for who compares several.
struct FlowTotals {
  int64_t operations = 0, words = 0, tokens = 0, cycles = 0;
};

/// One program with its operands, run by one order after another.
class FlowSession {
public:
  FlowSession(einsum::ProgramOp source, const FlowOptions &options,
              const FlowRequest &request, std::vector<Operand> operands,
              ProgramStatistics statistics)
      : options(options), request(request), operands(std::move(operands)),
        statistics(std::move(statistics)),
        statements(describeStatements(source)), check(statements) {}

  /// Results are to be those of a program, too, of which this one was made.
  /// An exit code.
  int holdAgainst(const std::vector<sparse::Statement> &source,
                  const ProgramStatistics &known) {
    sources = source;
    sourceCheck.emplace(sources);
    std::string error = sourceCheck->evaluate(operands, known);
    return error.empty() ? kFine : fail(diag::einsum_operands, error);
  }

  int prepare() {
    std::string error = check.evaluate(operands, statistics);
    return error.empty() ? kFine : fail(diag::einsum_operands, error);
  }

  /// Divides the statements by what they take. An exit code.
  int choose(einsum::ProgramOp source, raw_ostream &os) const {
    return chooseRegions(source, operands, statistics, check,
                         {request.machine, request.options}, os);
  }

  /// Chooses the copies of the plan's regions. An exit code.
  int chooseCopies(einsum::ProgramOp source, int64_t units,
                   raw_ostream &os) const {
    return chooseCopiesOfPlan(source, operands, statistics, check,
                              {request.machine, request.options, false, units},
                              os);
  }

  const ProgramStatistics &getStatistics() const { return statistics; }
  const FlowTotals &getTotals() const { return totals; }
  /// Of all runs: rings of which one slot less was a deadlock.
  int64_t getTight() const { return tight; }

  /// A module with its plan. An exit code.
  int run(mlir::ModuleOp module, raw_ostream &os) {
    if (failed(lowerEinsumToFlow(module)))
      return kBadUse;
    flow::GraphOp graph =
        findGraph(*module.getOps<einsum::ProgramOp>().begin());
    flow::GraphRun run;
    machine::Units units;
    std::string error;
    if (!machine::findUnits(request.machine, units, error))
      return fail(diag::machine, error);
    run.lineBytes = units.lineBytes;
    for (const Operand &operand : operands)
      run.arguments.push_back(operand.tensor);
    run.keepsStreams = options.tokens;
    if (failed(flow::interpret(graph, run)))
      return kBadUse;
    if (options.tokens)
      printTokens(graph, run, os);
    size_t primitives = 0;
    for (mlir::Operation &op : graph.getEntry())
      primitives += !isa<flow::ReturnOp>(op);
    totals = {run.operations, run.words, run.tokens, 0};
    os << "streams of " << graph.getProgram() << ": " << primitives
       << " primitives, " << run.tokens << " tokens\n";
    for (auto [number, statement] : enumerate(statements)) {
      auto written = run.written.find(statement.result.tensor);
      if (written != run.written.end() &&
          !check.compare(number, written->second, request.integers, os))
        return fail(diag::wrong_result, "the streams of " +
                                            statement.result.tensor +
                                            " differ from the oracle");
    }
    for (auto [number, statement] : enumerate(sources)) {
      auto written = run.written.find(statement.result.tensor);
      if (written != run.written.end() &&
          !sourceCheck->compare(number, written->second, request.integers,
                                nulls()))
        return fail(diag::wrong_result,
                    statement.result.tensor +
                        " differs from what the program makes of it whose "
                        "products are in their own order");
    }
    return runProcesses(module, graph, run, units, os);
  }

private:
  /// The same as processes and rings, in each order asked for.
  int runProcesses(mlir::ModuleOp module, flow::GraphOp graph,
                   const flow::GraphRun &oracle, const machine::Units &units,
                   raw_ostream &os) {
    FlowKernelOptions lowering;
    bool isTried = options.slots == "tight";
    bool isLeast = options.slots == "least" || isTried;
    if (!isLeast &&
        (StringRef(options.slots).getAsInteger(10, lowering.depth) ||
         lowering.depth < 1 || lowering.depth > 65536))
      return fail(diag::usage, "--slots is least, tight or 1 to 65536, not " +
                                   Twine(options.slots.getValue()));
    std::string error = findTokenCycles(graph, units, lowering.tokenCycles);
    if (!error.empty())
      return fail(diag::machine, error);
    auto kernels = lowerFlowToAref(graph, module, lowering);
    auto groups = groupByKernel(graph);
    if (failed(kernels) || failed(groups))
      return kBadUse;
    std::vector<KernelMemory> memory;
    for (const auto &group : *groups)
      memory.push_back(findMemory(group, oracle.lines));
    if (options.emitProcesses)
      for (auto kernel : module.getOps<tile::KernelOp>())
        os << kernel << "\n";
    for (unsigned number = 0; number < request.schedules; ++number) {
      FlowKernelsRun run;
      run.options = request.options;
      run.options.seed += number;
      if (run.options.schedule == simulator::Schedule::Timed)
        run.options.schedule = simulator::Schedule::Local;
      run.compiled = &compiled;
      // Machine code notes no steps.
      run.engine = isNoted(options, request) ? Engine::Interpreted
                                             : options.engine.getValue();
      run.options.notesSteps = isNoted(options, request);
      run.mostCompiledSteps = request.mostCompiledSteps;
      run.tokens = oracle.tokens;
      run.findsSlots = isLeast && number == 0;
      run.triesFewer = isTried;
      for (auto [argument, tensor] :
           zip_equal(graph.getEntry().getArguments(), oracle.arguments))
        run.tensors[argument] = tensor;
      for (auto write : graph.getEntry().getOps<flow::WriteOp>())
        run.tensors[write.getTensor()] =
            oracle.written.at(write.getName().str());
      auto fault = runFlowKernels(module, *kernels, run);
      interpretedFor = run.interpretedFor;
      printSlots(*kernels, run, os);
      if (failed(fault))
        return kWrongResult;
      if (!fault->empty())
        return fail(diag::wrong_result, *fault);
      if (run.findsSlots && isTried)
        printTight(run.tight, os);
      tight += run.tight;
      for (auto write : graph.getEntry().getOps<flow::WriteOp>())
        if (!areEqual(run.tensors[write.getTensor()],
                      oracle.written.at(write.getName().str())))
          return fail(diag::wrong_result,
                      "the processes that write " + write.getName() +
                          " and the streams differ under seed " +
                          Twine(run.options.seed));
      totals.cycles = 0;
      if (request.options.schedule == simulator::Schedule::Timed)
        reportTimes(*kernels, run, units, memory, os);
      if (int status = reportNotes(*kernels, run, os))
        return status;
    }
    os << "as processes: the same\n";
    if (options.speed && !interpretedFor.empty())
      os << "interpreted: " << interpretedFor << "\n";
    if (options.speed)
      reportSpeed(oracle.tokens, os);
    return kFine;
  }

  /// What the processes did when. An exit code.
  int reportNotes(ArrayRef<FlowKernel> kernels, const FlowKernelsRun &run,
                  raw_ostream &os) const {
    if (!isNoted(options, request))
      return kFine;
    std::vector<NotedKernel> noted;
    for (auto [kernel, times] : zip_equal(kernels, run.runs))
      noted.push_back({kernel.name, times});
    if (options.profile)
      printProfile(noted, os);
    if (!request.svgFile.empty())
      if (int status = writeText(request.svgFile, drawGraph(noted)))
        return status;
    return request.traceFile.empty()
               ? kFine
               : writeText(request.traceFile, traceGraph(noted));
  }

  /// The rings that need more than one slot, and why.
  static void printSlots(ArrayRef<FlowKernel> kernels,
                         const FlowKernelsRun &run, raw_ostream &os) {
    for (auto [kernel, rings] : zip(kernels, run.slots)) {
      int64_t all = 0;
      for (const simulator::RingSlots &ring : rings)
        all += ring.slots;
      os << kernel.name << ": " << rings.size() << " rings need " << all
         << " slots, one each but for\n";
      for (const simulator::RingSlots &ring : rings)
        if (ring.slots > 1)
          os << "  '" << ring.ring << "': " << ring.slots << "; with "
             << ring.slots - 1 << ", " << ring.circle << "\n";
    }
  }

  /// Seconds differ from run to run, so they are printed on demand.
  void reportSpeed(int64_t tokens, raw_ostream &os) const {
    const simulator::CompiledSimulator::Spent &spent = compiled.getSpent();
    if (spent.running <= 0)
      return;
    os << format("machine code: %lld processes, %lld functions, made in %.3f "
                 "s, run in %.4f s\n%lld tokens, %.1f million a second\n",
                 static_cast<long long>(spent.processes),
                 static_cast<long long>(spent.functions), spent.compiling,
                 spent.running, static_cast<long long>(tokens),
                 double(tokens) / spent.running / 1e6);
  }

  static bool areEqual(const sparse::Tensor &a, const sparse::Tensor &b) {
    auto equal = [](const sparse::IndexArray &a, const sparse::IndexArray &b) {
      bool isEqual = a.size() == b.size();
      for (int64_t i = 0; isEqual && i < a.size(); ++i)
        isEqual = a.get(i) == b.get(i);
      return isEqual;
    };
    return a.values == b.values &&
           std::equal(a.positions.begin(), a.positions.end(),
                      b.positions.begin(), b.positions.end(), equal) &&
           std::equal(a.coordinates.begin(), a.coordinates.end(),
                      b.coordinates.begin(), b.coordinates.end(), equal);
  }

  void reportTimes(ArrayRef<FlowKernel> kernels, const FlowKernelsRun &run,
                   const machine::Units &units, ArrayRef<KernelMemory> memory,
                   raw_ostream &os) {
    std::string lines;
    raw_string_ostream text(lines);
    for (auto [kernel, times, asked] : zip_equal(kernels, run.runs, memory)) {
      size_t busiest = 0;
      for (size_t i = 1; i < times.busy.size(); ++i)
        if (times.busy[i] > times.busy[busiest])
          busiest = i;
      int64_t cycles = addMemory(units, asked, times.cycles);
      totals.cycles += cycles;
      text << kernel.name << ": " << times.processes.size() << " processes, "
           << cycles << " cycles; '" << times.processes[busiest]
           << "' is busiest, for " << times.busy[busiest];
      if (cycles != times.cycles)
        text << "; " << asked.lines << " lines of " << units.lineBytes
             << " bytes take memory " << cyclesOfLines(units, asked) << ", and "
             << asked.chain << " reads in a row wait "
             << asked.chain * units.latency;
      text << "\n";
    }
    os << totals.cycles << " cycles\n" << lines;
  }

  static void printTokens(flow::GraphOp graph, flow::GraphRun &run,
                          raw_ostream &os) {
    mlir::AsmState state(graph);
    for (mlir::Operation &op : graph.getEntry())
      for (mlir::Value result : op.getResults())
        if (auto type = dyn_cast<flow::StreamType>(result.getType())) {
          result.printAsOperand(os, state);
          os << ": " << flow::spell(run.streams[result], type.getKind())
             << "\n";
        }
  }

  const FlowOptions &options;
  const FlowRequest &request;
  std::vector<Operand> operands;
  ProgramStatistics statistics;
  std::vector<sparse::Statement> statements;
  EinsumCheck check;
  std::vector<sparse::Statement> sources; ///< of the program before
  std::optional<EinsumCheck> sourceCheck;
  simulator::CompiledSimulator compiled;
  std::string interpretedFor; ///< why, if that was not asked for
  FlowTotals totals;
  int64_t tight = 0;
};

} // namespace

/// Each way to divide the statements, in order, into regions. An exit code.
static int runRegions(mlir::ModuleOp module, einsum::ProgramOp source,
                      FlowSession &session) {
  std::vector<std::string> names;
  for (auto op : source.getEntry().getOps<einsum::StatementOp>())
    names.push_back(op.getName().str());
  if (names.size() > 10)
    return fail(diag::usage, "--regions=all is for up to 10 statements; this "
                             "program has " +
                                 Twine(names.size()));
  outs() << "    cycles  operations       words      tokens  regions\n";
  int status = kFine;
  for (unsigned cuts = 0; cuts < 1u << (names.size() - 1); ++cuts) {
    std::vector<int64_t> regions = {0};
    std::string text = names[0];
    for (size_t i = 1; i < names.size(); ++i) {
      bool isCut = cuts >> (i - 1) & 1;
      regions.push_back(regions.back() + isCut);
      text += (isCut ? " | " : " ") + names[i];
    }
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
    setRegions(*copy, regions);
    // What cannot be divided so says why, and the others are tried.
    if (int one = session.run(*copy, nulls())) {
      if (one != kBadUse)
        return one;
      status = kBadUse;
      continue;
    }
    const FlowTotals &totals = session.getTotals();
    outs() << format("%10lld  %10lld  %10lld  %10lld  ",
                     static_cast<long long>(totals.cycles),
                     static_cast<long long>(totals.operations),
                     static_cast<long long>(totals.words),
                     static_cast<long long>(totals.tokens))
           << text << "\n";
  }
  return status;
}

/// The regions of --regions. An exit code.
static int takeRegions(mlir::ModuleOp module, einsum::ProgramOp source,
                       StringRef text) {
  size_t count = 0;
  for (auto op : source.getEntry().getOps<einsum::StatementOp>())
    count += isa<einsum::StatementOp>(op);
  std::vector<int64_t> regions;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts)
    if (int64_t region = 0; !part.getAsInteger(10, region) && region >= 0)
      regions.push_back(region);
  if (regions.size() != count || parts.size() != count)
    return fail(diag::usage,
                "--regions is auto, all, or a number for each of the " +
                    Twine(count) + " statements, joined by commas; not " +
                    text);
  setRegions(module, regions);
  return kFine;
}

/// Every order of each statement. An exit code.
static int runAll(mlir::ModuleOp module, einsum::ProgramOp source,
                  StringRef parallel, FlowSession &session) {
  size_t most = 0, number = 0;
  for (auto op : source.getEntry().getOps<einsum::StatementOp>()) {
    std::string error;
    auto orders = sparse::rankOrders(describeStatement(op),
                                     session.getStatistics()[number++], error);
    most = std::max(most, orders.size());
  }
  for (size_t choice = 0; choice < std::max<size_t>(most, 1); ++choice) {
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
    // The last one of a statement that has fewer.
    auto choose = [&](size_t count) { return std::min(choice, count - 1); };
    if (failed(addStreamPlans(*copy, session.getStatistics(), choose)))
      return kBadUse;
    if (int status =
            setParallel(*copy->getOps<einsum::PlanOp>().begin(), parallel))
      return status;
    if (int status = session.run(*copy, nulls())) {
      errs() << pipeline::print(*copy);
      return status;
    }
  }
  outs() << "program " << source.getSymName() << ": " << most
         << (most == 1 ? " order" : " orders") << " of streams, all right\n";
  if (session.getTight())
    printTight(session.getTight(), outs());
  return kFine;
}

int heddle::tool::simulateFlow(mlir::ModuleOp module,
                               const FlowOptions &options,
                               const FlowRequest &request) {
  auto programs = to_vector(module.getOps<einsum::ProgramOp>());
  if (programs.size() != 1)
    return fail(diag::kernel_choice,
                "an einsum file that is simulated has one program; this has " +
                    Twine(programs.size()));
  if (options.plan != "auto" && options.plan != "all" &&
      options.plan != "random")
    return fail(diag::usage,
                "--plan is auto, all or random, not " + Twine(options.plan));
  if (options.plan == "all" && !options.regions.empty())
    return fail(diag::usage, "--plan=all keeps the regions of the plan; leave "
                             "out --regions");
  if (options.regions == "all" &&
      request.options.schedule != simulator::Schedule::Timed)
    return fail(diag::usage, "--regions=all compares cycles; it needs "
                             "--order=timed");
  if (isNoted(options, request) &&
      request.options.schedule != simulator::Schedule::Timed)
    return fail(diag::usage, "--profile needs --order=timed, the only order in "
                             "which steps have a time");
  if (isNoted(options, request) &&
      (options.plan == "all" || options.regions == "all"))
    return fail(diag::usage, "--profile, --svg and --trace show one run; leave "
                             "out --plan=all and --regions=all");
  einsum::ProgramOp source = programs[0];
  auto sound = makeSoundOperands(source, request.views, options.operands,
                                 request.seed, request.integers);
  if (!sound)
    return fail(sound.takeError());
  std::vector<sparse::Statement> written;
  ProgramStatistics known = sound->statistics;
  if (options.reassociates) {
    if (options.regions != "auto")
      return fail(diag::usage, "--reassociate needs --regions=auto");
    written = describeStatements(source);
    if (int status = chooseProducts(source, *sound,
                                    {request.machine, request.options}, outs()))
      return status;
  }
  FlowSession session(source, options, request, std::move(sound->operands),
                      sound->statistics);
  if (int status = session.holdAgainst(written, known))
    return status;
  if (int status = session.prepare())
    return status;
  std::optional<int64_t> copiesOn = parseCopySearch(options.parallel);
  if (copiesOn && (options.plan == "all" || options.regions == "all"))
    return fail(diag::usage, "--parallel=auto:UNITS chooses for one plan; "
                             "leave out --plan=all and --regions=all");
  if (options.plan == "all")
    return runAll(module, source, options.parallel, session);
  if (options.regions == "auto")
    if (int status = session.choose(source, outs()))
      return status;
  SplitMix random(request.seed);
  auto draw = [&](size_t count) { return size_t(random.next() % count); };
  bool isDrawn = options.plan == "random";
  if (failed(addStreamPlans(module, session.getStatistics(),
                            isDrawn ? ChooseOrder(draw) : nullptr)))
    return kBadUse;
  if (!copiesOn)
    if (int status = setParallel(findPlan(source), options.parallel))
      return status;
  if (options.regions == "all")
    return runRegions(module, source, session);
  if (!options.regions.empty() && options.regions != "auto")
    if (int status = takeRegions(module, source, options.regions))
      return status;
  if (copiesOn)
    if (int status = session.chooseCopies(source, *copiesOn, outs()))
      return status;
  return session.run(module, outs());
}
