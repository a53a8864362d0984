//===- Rung.cpp - The rungs of the ladder and how to tell them apart ------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Rung.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;

namespace {

/// Indexed by Rung.
constexpr llvm::StringLiteral kSpellings[] = {"einsum", "tile", "sched", "aref",
                                              "hopper", "nvvm", "ptx"};

/// The rung that introduces a dialect; nullopt for those that serve several.
std::optional<Rung> rungOfDialect(StringRef dialect) {
  return llvm::StringSwitch<std::optional<Rung>>(dialect)
      .Case("einsum", Rung::Einsum)
      .Case("tile", Rung::Tile)
      .Case("sched", Rung::Sched)
      .Case("aref", Rung::Aref)
      .Case("hopper", Rung::Hopper)
      .Cases({"llvm", "nvvm"}, Rung::Nvvm)
      .Default(std::nullopt);
}

/// Dialects whose ops may stand on a rung, besides builtin.
ArrayRef<StringRef> dialectsOf(Rung rung) {
  // A graph of streams stands beside its program, as a plan does.
  static constexpr StringRef einsum[] = {"einsum", "flow", "arith", "math"};
  static constexpr StringRef tile[] = {"tile", "arith", "math", "scf"};
  static constexpr StringRef sched[] = {"tile", "sched", "arith", "math",
                                        "scf"};
  static constexpr StringRef aref[] = {"tile", "aref", "arith", "math", "scf"};
  static constexpr StringRef hopper[] = {"tile", "hopper", "arith", "math",
                                         "scf"};
  static constexpr StringRef nvvm[] = {"llvm", "nvvm"};
  switch (rung) {
  case Rung::Einsum:
    return einsum;
  case Rung::Tile:
    return tile;
  case Rung::Sched:
    return sched;
  case Rung::Aref:
    return aref;
  case Rung::Hopper:
    return hopper;
  case Rung::Nvvm:
  case Rung::Ptx:
    return nvvm;
  }
  llvm_unreachable("a rung without dialects");
}

// A pass that changes nothing says that all analyses are preserved, and what it
// leaves is not verified again: half of what verification takes is on the
// nvvm rung.
struct VerifyRung : PassWrapper<VerifyRung, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyRung)

  VerifyRung(Rung rung, Origin origin) : rung(rung), origin(origin) {}

  StringRef getArgument() const override { return "verify-rung"; }

  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](Operation *op) {
      // Steps look for kernels right in the module, and would find none there.
      if (isa<ModuleOp>(op) && op != getOperation()) {
        report(op, diag::foreign_op)
            << "a module stands in a module, as where text follows the end of "
            << "the first; put all of the program into one";
        return WalkResult::interrupt();
      }
      StringRef dialect = op->getName().getDialectNamespace();
      if (dialect == "builtin" || llvm::is_contained(dialectsOf(rung), dialect))
        return WalkResult::advance();
      if (origin == Origin::Lowering)
        report(op, diag::internal)
            << "bug in heddle: '" << op->getName() << "' was left on the "
            << spelling(rung) << " rung";
      else
        report(op, diag::foreign_op)
            << "'" << op->getName() << "' does not belong on the "
            << spelling(rung) << " rung, which the rest of the program makes "
            << "this; its operations are those of "
            << llvm::join(dialectsOf(rung), ", ");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  Rung rung;
  Origin origin;
};

} // namespace

StringRef heddle::pipeline::spelling(Rung rung) {
  return kSpellings[static_cast<int>(rung)];
}

std::optional<Rung> heddle::pipeline::rungFromSpelling(StringRef text) {
  const auto *found = llvm::find(kSpellings, text);
  if (found == std::end(kSpellings))
    return std::nullopt;
  return static_cast<Rung>(found - std::begin(kSpellings));
}

FailureOr<Rung> heddle::pipeline::detectRung(ModuleOp module) {
  std::optional<Rung> lowest;
  module.walk([&](Operation *op) {
    std::optional<Rung> rung =
        rungOfDialect(op->getName().getDialectNamespace());
    if (rung && (!lowest || *rung > *lowest))
      lowest = rung;
  });
  if (!lowest)
    return report(startOf(module), diag::no_kernel)
           << "there is no kernel in this program; a tile program "
              "holds a tile.kernel";
  return *lowest;
}

Location heddle::pipeline::startOf(ModuleOp module) {
  auto place = module->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!place || place.getLine() > 0)
    return module->getLoc();
  return FileLineColLoc::get(place.getFilename(), 1, 1);
}

std::unique_ptr<Pass> heddle::pipeline::createVerifyRung(Rung rung,
                                                         Origin origin) {
  return std::make_unique<VerifyRung>(rung, origin);
}
