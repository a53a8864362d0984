//===- Check.cpp - heddle check -------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever rung it is given, the hopper rung is printed and read again: what
// is proved is the text that can be saved, not what passes hold in memory.
//
//===----------------------------------------------------------------------===//

#include "CheckCertificate.h"
#include "Command.h"
#include "DefaultTiles.h"
#include "FindLines.h"
#include "Program.h"

#include "heddle/Check/Extract.h"
#include "heddle/Check/Prove.h"
#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Frontend/Tasks/Import.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Support/Diagnostics/Check.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/TileChoice/Alternatives.h"

#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::Rung;

static cl::SubCommand
    command("check", "Prove the barrier protocol, for every trip count");
static ProgramOptions programOptions(command, cl::Optional);
static TileOptions tileOptions(command);
static OtherTilesOption otherTiles(command);
static cl::list<std::string> kernelNames(
    "kernel", cl::sub(command), cl::value_desc("NAME"),
    cl::desc("Check this kernel or variant only (may be repeated)"));
static NumberOption<int>
    traceSteps("trace", within(0, 100000), cl::sub(command), cl::init(24),
               cl::value_desc("N"),
               cl::desc("Events of a counterexample to print, the last ones"));

static NumberOption<int64_t>
    states("states", within<int64_t>(1, INT64_MAX), cl::sub(command),
           cl::init(check::Limits().states), cl::value_desc("N"),
           cl::desc("States that the checker may distinguish before it gives "
                    "up; some 20 KB each"));
static cl::opt<bool> properties("properties", cl::sub(command),
                                cl::desc("List what is proved, for each ring"));

static cl::opt<std::string> certificate(
    "certificate", cl::sub(command), cl::value_desc("KERNEL.cert.json"),
    cl::desc(
        "Check what a certificate claims of a kernel's schedules instead"));
static cl::opt<std::string>
    solver("solver", cl::sub(command), cl::value_desc("PROGRAM"),
           cl::desc("An SMT solver, as z3 or cvc5, to repeat the refutations "
                    "of a certificate"));

/// Pinned lines by the kernel's name in the program.
using KernelLines = std::map<std::string, SmallVector<sched::Pin>>;

static std::string countOf(int64_t number, StringRef noun) {
  return (Twine(number) + " " + noun + (number == 1 ? "" : "s")).str();
}

/// The options of `heddle run` that lead to the trip counts of a fault. Extents
/// that do not matter are those of the largest that does.
static void printReplay(hopper::KernelOp kernel, const check::Fault &fault) {
  if (fault.arguments.empty())
    return;
  int64_t other = 64;
  for (const auto &[name, value] : fault.arguments)
    other = std::max(other, (value + 63) / 64 * 64);
  outs() << "  replay: heddle run --device=emulator --sms 1 "
            "--order=adversarial";
  for (auto [i, type] : enumerate(kernel.getFunctionType().getInputs())) {
    std::string name = kernel.getArgName(i);
    auto view = dyn_cast<tile::ViewType>(type);
    auto find = [&](const std::string &symbol) {
      auto found = fault.arguments.find(symbol);
      return found == fault.arguments.end() ? other : found->second;
    };
    if (!view) {
      outs() << " --scalar " << name << "=" << find(name);
      continue;
    }
    outs() << " --view " << name << "=";
    for (int64_t axis = 0; axis < view.getRank(); ++axis)
      outs() << (axis ? "x" : "")
             << find("dim(" + name + ", " + std::to_string(axis) + ")");
    if (auto found = fault.arguments.find("each element of " + name);
        found != fault.arguments.end())
      outs() << " --values " << name << "=" << found->second;
  }
  outs() << "\n";
}

/// What was proved, for each ring and for the kernel.
static void printProperties(const check::Protocol &protocol) {
  auto print = [](int first, int last) {
    for (int i = first; i <= last; ++i)
      outs() << (i == first ? " " : ", ")
             << check::describe(check::Property(i));
    outs() << "\n";
  };
  for (const check::Ring &ring : protocol.rings) {
    outs() << "  ring '" << ring.name << "' of " << countOf(ring.depth, "slot")
           << ":";
    print(int(check::Property::Turns), int(check::Property::Held));
  }
  outs() << "  kernel:";
  print(int(check::Property::Order), check::kProperties - 1);
}

static void printFault(const check::Fault &fault) {
  for (const check::TripCount &trips : fault.trips)
    outs() << "  " << trips.what << " runs "
           << (trips.isExact ? "" : "at least ") << countOf(trips.trips, "time")
           << (trips.when.empty() ? "" : " ") << trips.when << "\n";
  for (const auto &[name, value] : fault.arguments)
    outs() << "  with " << name << " = " << value << "\n";
  for (const check::TraceStep &step : fault.trace)
    outs() << "  " << step.process << ": " << step.what << "  (" << step.place
           << ")\n";
}

/// One kernel's verdict; returns its exit code.
static int report(hopper::KernelOp op) {
  check::Extraction extraction = check::extract(op);
  const check::Protocol &protocol = extraction.protocol;
  std::string kernel = "@" + protocol.kernel;
  if (!extraction.gap.empty())
    return fail(diag::protocol_unproved,
                kernel + ": not proved, because " + extraction.gap);
  check::Limits limits;
  limits.traceSteps = traceSteps;
  limits.states = states;
  check::Result result = check::prove(protocol, limits);
  if (result.verdict == check::Verdict::Proved) {
    outs() << kernel << ": proved for every trip count ("
           << (protocol.processes.size() == 1
                   ? std::string("1 process")
                   : std::to_string(protocol.processes.size()) + " processes")
           << ", " << countOf(protocol.rings.size(), "ring") << ", "
           << countOf(result.states, "state") << ")\n";
    for (const std::string &assumption : result.assumptions)
      outs() << "  assumed: " << assumption << "\n";
    if (properties)
      printProperties(protocol);
    return kFine;
  }
  outs().flush();
  int status = fail(result.verdict == check::Verdict::Counterexample
                        ? diag::protocol_fault
                        : diag::protocol_unproved,
                    kernel + ": " + describe(result));
  if (result.fault) {
    printFault(*result.fault);
    printReplay(op, *result.fault);
  }
  return status;
}

/// A counterexample outweighs what is not proved.
static int worse(int a, int b) {
  int counterexample = diag::exitCode(diag::protocol_fault.outcome);
  if (a == counterexample || b == counterexample)
    return counterexample;
  return std::max(a, b);
}

/// Each line of the mapping, looked for in the kernel that was made.
static int checkLines(hopper::KernelOp kernel, ArrayRef<sched::Pin> pins) {
  using Verdict = FoundLine::Verdict;
  int64_t found = 0, unseen = 0;
  int status = kFine;
  for (const FoundLine &line : findLines(pins, kernel)) {
    found += line.verdict == Verdict::Found;
    unseen += line.verdict == Verdict::Unseen;
    if (properties)
      outs() << "  " << line.line << ": "
             << (line.verdict == Verdict::Found    ? "found"
                 : line.verdict == Verdict::Unseen ? "not seen in code"
                                                   : "lost")
             << "\n";
    if (line.verdict != Verdict::Lost)
      continue;
    outs().flush();
    status = diag::exitCode(diag::line_lost.outcome);
    heddle::report(line.place, diag::line_lost)
        << "@" << kernel.getSymName().str() << " does not have " << line.line
        << ": it has " << line.what;
  }
  outs() << "@" << kernel.getSymName() << ": " << found << " of "
         << countOf(int64_t(pins.size()), "pinned line") << " found again";
  if (unseen)
    outs() << ", " << unseen << " that code does not show";
  outs() << "\n";
  return status;
}

/// Kernels that were asked for and checked are counted in `found`.
static int checkModule(mlir::ModuleOp module, const KernelLines &lines,
                       int64_t &found) {
  int status = kFine;
  for (auto kernel : module.getOps<hopper::KernelOp>()) {
    if (!kernelNames.empty() &&
        !is_contained(kernelNames, kernel.getSymName().str()))
      continue;
    ++found;
    status = worse(status, report(kernel));
    auto own = lines.find(kernel.getSourceName().str());
    if (own != lines.end() && !own->second.empty())
      status = worse(status, checkLines(kernel, own->second));
  }
  return status;
}

static int requireFound(int64_t found, int status) {
  if (!found && !kernelNames.empty())
    return fail(diag::kernel_choice,
                "the program has no kernel '" + kernelNames.front() + "'");
  return status;
}

/// A kernel in saved text, against the mapping that --mapping names.
static int checkSaved(Program &program) {
  KernelLines lines;
  if (const Source *mapping = program.givenMapping()) {
    auto written =
        pipeline::parseWritten(*mapping, *program.module().getContext());
    if (!written)
      return program.exitCode();
    auto pins = task::readPlanLines(*written);
    if (failed(pins))
      return program.exitCode();
    for (auto kernel : program.module().getOps<hopper::KernelOp>())
      lines[kernel.getSourceName().str()] = *pins;
  }
  int64_t found = 0;
  int status = checkModule(program.module(), lines, found);
  return requireFound(found, status);
}

/// The hopper rung, printed and read again.
static int checkText(mlir::ModuleOp lowered, StringRef path,
                     const KernelLines &lines, int64_t &found) {
  Source source{path.str(), pipeline::print(lowered), {}};
  auto context = pipeline::createContext();
  pipeline::DiagnosticPrinter printer(*context, source);
  auto module = pipeline::parse(source, *context);
  if (!module)
    return diag::exitCode(printer.worst());
  return checkModule(*module, lines, found);
}

static int run() {
  if (certificate.empty() == programOptions.file.empty())
    return fail(diag::usage, "say what to check: a FILE or --certificate");
  // Whether there is anything to ask is not known before the end.
  if (!solver.empty() && !sys::findProgramByName(solver))
    return fail(diag::solver_missing,
                "--solver is '" + solver + "'; there is no such program");
  if (solver.getNumOccurrences() && certificate.empty())
    return fail(diag::usage, "--solver repeats the refutations of a "
                             "certificate; name one by --certificate");
  if (!certificate.empty())
    return checkCertificate(certificate, solver);
  Program program(programOptions, tileOptions.request(nullptr),
                  /*compares=*/true);
  if (!program.isValid())
    return program.exitCode();
  if (program.rung() > Rung::Hopper)
    return fail(diag::rung_below, program.path() + " is on the " +
                                      spelling(program.rung()) +
                                      " rung, below hopper");
  KernelLines lines;
  if (program.rung() == Rung::Hopper)
    return checkSaved(program);
  for (auto kernel : program.module().getOps<tile::KernelOp>())
    if (auto pins = sched::readPins(kernel); succeeded(pins))
      lines[kernel.getSymName().str()] = *pins;
  auto others = requestTiles(program, programOptions, tileOptions, otherTiles);
  if (!others)
    return fail(others.takeError());
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> programs;
  if (others->areAsked()) {
    auto written = tilechoice::writeAlternatives(
        program.module(), program.tileOptions(), *others);
    if (failed(written))
      return program.exitCode();
    programs = std::move(*written);
  }
  if (!program.lower(Rung::Hopper))
    return program.exitCode();
  int64_t found = 0;
  int status = checkText(program.module(), program.path(), lines, found);
  for (auto &other : programs) {
    if (program.lowerOther(*other, Rung::Hopper, *others))
      status = worse(status, checkText(*other, program.path(), {}, found));
    else if (!others->isDefault)
      return program.exitCode();
  }
  return requireFound(found, status);
}

Command heddle::tool::getCheckCommand() { return {command, run}; }
