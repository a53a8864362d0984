//===- main.cpp - heddle-mutate: breaks kernels, and asks the checker -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   heddle-mutate FILE                      a line for each mutant: who objects
//   heddle-mutate FILE --operator=NAME      of this operator, or of several
//   heddle-mutate FILE --every=20 --from=3  every 20th of them only
//   heddle-mutate FILE --apply=OPERATOR:SITE --kernel=NAME
//                                           the text of one mutant
//   heddle-mutate FILE --undamaged --kernel=NAME
//                                           the text of this variant alone
//   heddle-mutate --operators               what there is
//
// FILE is a program of any rung above hopper, or of hopper. A line has, between
// tabs: kernel, operator, site, place, what the checker says (proved,
// counterexample, unproved), what about, and whether the rung's verifier
// refuses.
//
//===----------------------------------------------------------------------===//

#include "heddle/Check/Extract.h"
#include "heddle/Check/Prove.h"
#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Mutate/Mutate.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Support/BigStack.h"
#include "heddle/Support/CommandLine.h"
#include "heddle/Support/StandardStreams.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using pipeline::Rung;

static cl::opt<std::string> file(cl::Positional, cl::desc("FILE"));
static cl::list<std::string> settings("set", cl::value_desc("NAME=VALUE"),
                                      cl::desc("Fix a parameter of FILE"));
static cl::opt<std::string> kernelName("kernel", cl::value_desc("NAME"),
                                       cl::desc("This variant only"));
static cl::opt<std::string>
    applied("apply", cl::value_desc("OPERATOR[:SITE]"),
            cl::desc("Print this mutant, or the operator's first"));
static cl::opt<bool> undamaged("undamaged",
                               cl::desc("Print the variant alone, as it is"));
static cl::opt<bool> listed("operators", cl::desc("List the operators"));
static cl::list<std::string> only("operator", cl::value_desc("NAME"),
                                  cl::desc("Mutants of this operator only"));
static NumberOption<unsigned> every("every", within(1u, UINT32_MAX),
                                    cl::init(1),
                                    cl::desc("Only every N-th mutant"));
static NumberOption<unsigned> from("from", within(0u, UINT32_MAX), cl::init(0),
                                   cl::desc("The first of every N"));
static NumberOption<int64_t>
    states("states", within<int64_t>(1, INT64_MAX),
           cl::init(check::Limits().states),
           cl::desc("States that the checker may distinguish"));

static constexpr int kBadUse = 3;

static int fail(const Twine &message) {
  errs() << "heddle-mutate: " << message << "\n";
  return kBadUse;
}

static StringRef spell(const check::Extraction &extraction,
                       const check::Result &result) {
  if (!extraction.gap.empty())
    return "unproved";
  switch (result.verdict) {
  case check::Verdict::Proved:
    return "proved";
  case check::Verdict::Counterexample:
    return "counterexample";
  case check::Verdict::NotProved:
    return "unproved";
  }
  return "";
}

static void judge(hopper::KernelOp kernel, const mutate::Operator &op,
                  unsigned site) {
  mlir::OwningOpRef<hopper::KernelOp> mutant = kernel.clone();
  std::string place = mutate::mutate(*mutant, op, site);
  check::Limits limits;
  limits.states = states;
  check::Extraction extraction = check::extract(*mutant);
  check::Result result;
  if (extraction.gap.empty())
    result = check::prove(extraction.protocol, limits);
  bool isRefused;
  {
    mlir::ScopedDiagnosticHandler silence(
        kernel.getContext(),
        [](mlir::Diagnostic &) { return mlir::success(); });
    isRefused = failed(mlir::verify(*mutant));
  }
  outs() << kernel.getSymName() << "\t" << op.name << "\t" << site << "\t"
         << place << "\t" << spell(extraction, result) << "\t"
         << (result.fault ? check::describe(result.fault->property)
                          : extraction.gap.c_str())
         << "\t" << (isRefused ? "refused" : "accepted") << "\n";
}

static int judgeAll(mlir::ModuleOp module) {
  for (StringRef name : only)
    if (!mutate::findOperator(name))
      return fail("there is no operator '" + name + "'; see --operators");
  auto isAsked = [](const mutate::Operator &op) {
    return only.empty() || is_contained(only, StringRef(op.name));
  };
  unsigned number = 0;
  for (auto kernel : module.getOps<hopper::KernelOp>()) {
    if (!kernelName.empty() && kernel.getSymName() != kernelName)
      continue;
    for (const mutate::Operator &op : mutate::operators())
      for (unsigned site : isAsked(op) ? mutate::findSites(kernel, op)
                                       : std::vector<unsigned>())
        if (number++ % every == from % every)
          judge(kernel, op, site);
  }
  return 0;
}

/// Erases all variants but that of --kernel, or the first; null if there is no
/// such.
static hopper::KernelOp keepOne(mlir::ModuleOp module) {
  hopper::KernelOp kernel;
  for (auto each : make_early_inc_range(module.getOps<hopper::KernelOp>())) {
    if (!kernel && (kernelName.empty() || each.getSymName() == kernelName))
      kernel = each;
    else
      each.erase();
  }
  return kernel;
}

static int printUndamaged(mlir::ModuleOp module) {
  if (!keepOne(module))
    return fail("there is no kernel '" + kernelName + "'");
  outs() << pipeline::print(module);
  return 0;
}

/// Prints the module with the mutated variant as the only one.
static int printMutant(mlir::ModuleOp module) {
  auto [name, number] = StringRef(applied).split(':');
  const mutate::Operator *op = mutate::findOperator(name);
  unsigned site = 0;
  if (!op || (!number.empty() && number.getAsInteger(10, site)))
    return fail("--apply is OPERATOR or OPERATOR:SITE; see --operators");
  hopper::KernelOp kernel = keepOne(module);
  if (!kernel)
    return fail("there is no kernel '" + kernelName + "'");
  std::vector<unsigned> sites = mutate::findSites(kernel, *op);
  if (number.empty() && !sites.empty())
    site = sites.front();
  if (!is_contained(sites, site))
    return fail("'" + name + "' cannot be applied at " + Twine(site));
  mutate::mutate(kernel, *op, site);
  outs() << pipeline::print(module);
  return 0;
}

static int run(int argc, char **argv) {
  std::string complaint;
  if (!parseCommandLine(argc, argv, "heddle-mutate\n", complaint))
    return complaint.empty() ? kBadUse : fail(complaint);
  if (listed) {
    for (const mutate::Operator &op : mutate::operators())
      outs() << op.name << "\t" << op.what << "\n";
    return 0;
  }
  Expected<Source> source = loadSource(file, settings);
  if (!source)
    return fail(toString(source.takeError()));
  auto context = pipeline::createContext();
  pipeline::DiagnosticPrinter printer(*context, *source);
  auto module = pipeline::parse(*source, *context);
  if (!module)
    return kBadUse;
  auto rung = pipeline::detectRung(*module);
  if (failed(rung) || *rung > Rung::Hopper)
    return fail("FILE is below the hopper rung");
  if (*rung < Rung::Hopper &&
      failed(pipeline::lower(*module, *rung, Rung::Hopper)))
    return kBadUse;
  if (undamaged)
    return printUndamaged(*module);
  return applied.empty() ? judgeAll(*module) : printMutant(*module);
}

int main(int argc, char **argv) {
  takeStandardStreams("heddle-mutate");
  InitLLVM init(argc, argv);
  outliveFileLimit();
  return runOnBigStack([&] { return run(argc, argv); });
}
