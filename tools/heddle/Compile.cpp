//===- Compile.cpp - heddle compile ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program on any rung goes in; a lower rung, PTX with manifests, or a C
// header with an object file comes out. Options that contradict each other or
// the program's rung are errors with a sentence, because an option without an
// effect looks like one that works.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "CpuLibrary.h"
#include "DefaultTiles.h"
#include "EinsumOperands.h"
#include "ExplainRoles.h"
#include "KernelArguments.h"
#include "KernelLibrary.h"
#include "Program.h"
#include "WriteCertificates.h"
#include "WriteText.h"

#include "heddle/Conversion/EinsumToFlow.h"
#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Conversion/Stamps.h"
#include "heddle/Conversion/TileToCpu.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Pipeline/Sparse.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using pipeline::Rung;

static cl::SubCommand
    command("compile", "Lower a program to PTX or to any rung on the way");
static ProgramOptions programOptions(command);
static TileOptions tileOptions(command);
static OtherTilesOption otherTiles(command);
static ArgumentOptions sizes(command);
namespace {
/// The rungs of the way to a GPU, then what is made of the last one, then the
/// rung of the CPU, a plan in the words of mappings, and the rung of streams.
enum class Emit {
  Einsum,
  Tile,
  Sched,
  Aref,
  Hopper,
  Nvvm,
  Ptx,
  Library,
  Llvm,
  Mapping,
  Flow
};
} // namespace
static cl::opt<Emit> emitted(
    "emit", cl::sub(command), cl::init(Emit::Ptx), cl::desc("What to write:"),
    cl::values(
        clEnumValN(Emit::Einsum, "einsum", "statements and their plan"),
        clEnumValN(Emit::Tile, "tile", "the program with its settings"),
        clEnumValN(Emit::Sched, "sched", "sub-tiles and the schedule table"),
        clEnumValN(Emit::Aref, "aref", "processes joined by rings"),
        clEnumValN(Emit::Hopper, "hopper", "layouts, slots, instructions"),
        clEnumValN(Emit::Nvvm, "nvvm", "threads"),
        clEnumValN(Emit::Ptx, "ptx", "PTX and manifest (the default)"),
        clEnumValN(Emit::Library, "library",
                   "a C header and an object, to be linked; for this "
                   "processor with --machine=cpu-NAME"),
        clEnumValN(Emit::Llvm, "llvm", "LLVM IR for this processor"),
        clEnumValN(Emit::Mapping, "mapping",
                   "the plan that was found, as a mapping"),
        clEnumValN(Emit::Flow, "flow", "streams that carry out an einsum")));
static Rung targetRung() {
  return emitted == Emit::Library ? Rung::Ptx : Rung(int(emitted.getValue()));
}
static cl::opt<bool> checkProtocol(
    "check-protocol", cl::sub(command), cl::init(true),
    cl::desc("Refuse text with processes that `heddle check` knows to go "
             "wrong (the default)"));
static cl::opt<bool>
    debugWaits("debug-waits", cl::sub(command),
               cl::desc("Waits trap after 2 s and say who waited where"));
static cl::opt<std::string> trace(
    "trace", cl::sub(command), cl::ValueOptional, cl::value_desc("all|elected"),
    cl::desc("Kernels note the clock in an argument more: in all processes, or "
             "in those of one thread, which slows them less"));
static cl::opt<std::string>
    output("o", cl::sub(command), cl::value_desc("OUT"),
           cl::desc("Where to write; - is standard output. Default: KERNEL.ptx "
                    "and KERNEL.json for PTX, FILE.h and FILE.o for a library, "
                    "standard output for a rung"));

static cl::opt<std::string> certificates(
    "certificates", cl::sub(command), cl::value_desc("FOLDER"),
    cl::desc("Write KERNEL.cert.json there: what the schedules claim, for "
             "`heddle check --certificate`"));

/// PTX goes to `path` and the manifest beside it, as .json.
static int writeKernel(const pipeline::CompiledKernel &kernel, StringRef path) {
  if (int status = writeText(path, kernel.ptx))
    return status;
  if (path == "-")
    return kFine;
  SmallString<128> manifestPath(path);
  sys::path::replace_extension(manifestPath, "json");
  if (manifestPath == path)
    return fail(diag::output_name,
                "-o names the PTX file; the manifest beside it ends "
                "in .json");
  return writeText(manifestPath, kernel.manifest);
}

/// OUT.h and OUT.o hold all kernels of the program.
static int writeLibrary(Program &program,
                        ArrayRef<pipeline::CompiledKernel> kernels) {
  SmallString<128> path(output.empty() ? sys::path::stem(program.path())
                                       : output.getValue());
  if (path == "-")
    return fail(diag::output_name,
                "a library is two files; -o names them without their endings");
  KernelLibrary library = makeKernelLibrary(sys::path::filename(path), kernels);
  if (int status = writeText((path + ".h").str(), library.header))
    return status;
  return writeText((path + ".o").str(), library.object);
}

/// `program` is on the tile rung or scheduled, `onTile` is what it was before.
static int compileToPtx(Program &program, mlir::ModuleOp onTile,
                        const tilechoice::OtherTiles &others) {
  if (!checkProtocol)
    program.takeFaulty();
  auto kernels = program.compileToPtx(others, onTile);
  if (failed(kernels))
    return program.exitCode();
  if (emitted == Emit::Library)
    return writeLibrary(program, *kernels);
  if (kernels->size() != 1 && !output.empty() && output != "-")
    return fail(diag::output_name, "-o names one file, but " + program.path() +
                                       " holds " + Twine(kernels->size()) +
                                       " kernels; leave it out");
  for (const pipeline::CompiledKernel &kernel : *kernels)
    if (int status = writeKernel(kernel, output.empty() ? kernel.name + ".ptx"
                                                        : output.getValue()))
      return status;
  return kFine;
}

/// The tiles beside the program's own. Waits that trap and stamps are looked at
/// in the code for one tile.
static Expected<tilechoice::OtherTiles> tilesOf(Program &program) {
  if (debugWaits || trace.getNumOccurrences()) {
    auto others = otherTiles.request();
    bool mayDivide =
        others && (others->isAutomatic ||
                   any_of(others->settings, [](const auto &settings) {
                     return is_contained(settings, "parts=auto");
                   }));
    if (trace.getNumOccurrences() && mayDivide)
      return diag::makeError(
          diag::usage,
          "--trace notes the clock of one launch, and sums in parts, which "
          "--or-tile=auto may choose, take two; list tiles without parts=auto");
    return others;
  }
  return requestTiles(program, programOptions, tileOptions, otherTiles);
}

/// Writes the certificates of the program and of its further tiles, and leaves
/// it scheduled.
static int certifyAll(Program &program, mlir::ModuleOp onTile,
                      const tilechoice::OtherTiles &others) {
  if (!program.lower(Rung::Sched))
    return program.exitCode();
  if (hasRoles(program.module()))
    return fail(diag::usage, "a plan by roles has no timetable to certify");
  if (int status =
          writeCertificates(program.module(), program.machine(), certificates))
    return status;
  if (!others.areAsked())
    return kFine;
  auto written =
      tilechoice::writeAlternatives(onTile, program.tileOptions(), others);
  if (failed(written))
    return program.exitCode();
  for (auto &other : *written) {
    if (program.lowerOther(*other, Rung::Sched, others)) {
      if (int status =
              writeCertificates(*other, program.machine(), certificates))
        return status;
    } else if (!others.isDefault) {
      return program.exitCode();
    }
  }
  return kFine;
}

/// Where the way to the CPU begins. An exit code.
static int lowerToTile(Program &program) {
  if (program.rung() > Rung::Tile)
    return fail(diag::rung_below,
                "the way to the CPU leaves the ladder at tile, and " +
                    program.path() + " is on the " + spelling(program.rung()) +
                    " rung");
  return program.rung() == Rung::Tile || program.lower(Rung::Tile)
             ? kFine
             : program.exitCode();
}

/// Einsums without a plan get one for the processor that --machine names, of
/// sizes that nobody knows yet. An exit code.
static int lowerEinsumsToTile(Program &program) {
  auto programs = to_vector(program.module().getOps<einsum::ProgramOp>());
  if (programs.size() != 1)
    return fail(diag::kernel_choice,
                "a library of einsums has one program; this file has " +
                    Twine(programs.size()));
  storeOperandsAgain(program.module());
  ProgramStatistics statistics;
  if (Error error = describeMachine(programs[0], programOptions.machine,
                                    /*workers=*/2, statistics))
    return fail(std::move(error));
  return succeeded(addPlans(program.module(), statistics)) &&
                 succeeded(pipeline::lower(program.module(), Rung::Einsum,
                                           Rung::Tile))
             ? kFine
             : program.exitCode();
}

/// OUT.h and OUT.o hold all programs and kernels, for the CPU.
static int writeCpuLibrary(Program &program) {
  if (int status = program.rung() == Rung::Einsum ? lowerEinsumsToTile(program)
                                                  : lowerToTile(program))
    return status;
  machine::Processor processor;
  std::string error;
  if (!machine::findProcessor(programOptions.machine, processor, error))
    return fail(diag::machine, error);
  SmallString<128> path(output.empty() ? sys::path::stem(program.path())
                                       : output.getValue());
  if (path == "-")
    return fail(diag::output_name,
                "a library is two files; -o names them without their endings");
  std::vector<CpuProgram> programs;
  StringSet<> launched;
  for (auto op : program.module().getOps<tile::ProgramOp>()) {
    auto steps = buildHostProgram(op);
    if (failed(steps))
      return program.exitCode();
    programs.push_back({op, std::move(*steps)});
    for (auto launch : op.getEntry().getOps<tile::LaunchOp>())
      launched.insert(launch.getKernel());
  }
  std::vector<manifest::Manifest> kernels;
  for (auto kernel : program.module().getOps<tile::KernelOp>()) {
    if (launched.contains(kernel.getSymName()))
      continue; // a part of a program
    auto described = describeArguments(kernel);
    if (failed(described))
      return program.exitCode();
    kernels.push_back(std::move(*described));
  }
  auto object = pipeline::compileToObject(program.module(), processor);
  if (failed(object))
    return program.exitCode();
  if (int status = writeText(
          (path + ".h").str(),
          makeCpuHeader(sys::path::filename(path), kernels, programs)))
    return status;
  return writeText((path + ".o").str(), *object);
}

static int emitLlvm(Program &program) {
  if (int status = lowerToTile(program))
    return status;
  machine::Processor processor = machine::defaultProcessor();
  std::string error;
  if (!programOptions.machine.empty() &&
      !machine::findProcessor(programOptions.machine, processor, error))
    return fail(diag::machine, error);
  auto text = pipeline::printLlvm(program.module(), processor);
  if (failed(text))
    return program.exitCode();
  return writeText(output.empty() ? "-" : output.getValue(), *text);
}

static int emitMapping(Program &program) {
  if (program.rung() > Rung::Sched)
    return fail(diag::rung_below,
                "a plan stands on the sched rung, and " + program.path() +
                    " is on the " + spelling(program.rung()) + " rung, below");
  std::optional<std::string> text = program.writeMappings();
  if (!text)
    return program.exitCode();
  return writeText(output.empty() ? "-" : output.getValue(), *text);
}

static int emitFlow(Program &program) {
  if (program.rung() != Rung::Einsum)
    return fail(diag::rung_below, "streams are made of einsums, and " +
                                      program.path() + " is on the " +
                                      spelling(program.rung()) + " rung");
  if (failed(lowerEinsumToFlow(program.module())))
    return program.exitCode();
  return writeText(output.empty() ? "-" : output.getValue(),
                   pipeline::print(program.module()));
}

static int run() {
  if (!sizes.views.empty() && tileOptions.tile != "auto" &&
      !otherTiles.isAutomatic())
    return fail(diag::usage, "--view gives sizes to --tile=auto or "
                             "--or-tile=auto, which are not asked for; code is "
                             "for all sizes");
  Program program(programOptions, tileOptions.request(&sizes));
  if (!program.isValid())
    return program.exitCode();
  if (emitted == Emit::Llvm)
    return emitLlvm(program);
  if (emitted == Emit::Library && !programOptions.machine.empty() &&
      machine::isProcessor(programOptions.machine))
    return writeCpuLibrary(program);
  if (emitted == Emit::Mapping)
    return emitMapping(program);
  if (emitted == Emit::Flow)
    return emitFlow(program);
  Rung emit = targetRung();
  if (!otherTiles.list.empty() && emit != Rung::Ptx)
    return fail(diag::usage, "--or-tile adds variants to PTX or a library, and "
                             "--emit asks for a rung above");
  if (emit < program.rung())
    return fail(diag::rung_below, program.path() + " is on the " +
                                      spelling(program.rung()) +
                                      " rung, below " + spelling(emit));
  if (int status = debugWaits ? program.debugWaits() : kFine)
    return status;
  if (trace.getNumOccurrences()) {
    if (!trace.empty() && trace != kTraceAll && trace != kTraceElected)
      return fail(diag::usage, "--trace is " + kTraceAll + " or " +
                                   kTraceElected + ", not " + trace);
    if (int status = program.trace(trace.empty() ? StringRef(kTraceAll)
                                                 : StringRef(trace)))
      return status;
  }
  if (!certificates.empty() &&
      (program.rung() > Rung::Sched || emit < Rung::Sched))
    return fail(diag::rung_below,
                "schedules are certified on the sched rung, and this goes "
                "from " +
                    spelling(program.rung()) + " to " + spelling(emit));
  tilechoice::OtherTiles others;
  if (emit == Rung::Ptx) {
    auto requested = tilesOf(program);
    if (!requested)
      return fail(requested.takeError());
    others = std::move(*requested);
  }
  mlir::OwningOpRef<mlir::ModuleOp> onTile;
  if (!certificates.empty()) {
    onTile = program.module().clone();
    if (int status = certifyAll(program, *onTile, others))
      return status;
  }
  if (emit == Rung::Ptx)
    return compileToPtx(program, onTile ? *onTile : program.module(), others);
  if (!program.lower(emit))
    return program.exitCode();
  return writeText(output.empty() ? "-" : output.getValue(),
                   pipeline::print(program.module()));
}

Command heddle::tool::getCompileCommand() { return {command, run}; }
