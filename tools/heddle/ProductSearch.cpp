//===- ProductSearch.cpp - Which products are made first ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One change after another, the one that saves most first, each judged by the
// best division of the whole program: what a product costs depends on what it
// is fused with.
//
//===----------------------------------------------------------------------===//

#include "ProductSearch.h"

#include "Command.h"

#include "heddle/Conversion/EinsumToFlow.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

/// A division is the best but for so much, so a change has to save more.
static constexpr double kEnough = 0.01;

namespace {

/// One change of the program as it is, and what the best division takes then.
struct Change {
  Reassociation choice;
  std::optional<double> cycles;
};

class ProductSearcher {
public:
  ProductSearcher(einsum::ProgramOp source,
                  const std::vector<Operand> &operands,
                  const RegionRequest &request, raw_ostream &os)
      : source(source), operands(operands), request(request), os(os) {}

  void run() {
    // What nobody can change is not searched.
    if (findReassociations(source).empty()) {
      os << "no product is part of another one\n";
      return;
    }
    cycles = findLeastCycles(source, operands, request);
    while (std::optional<Change> best = findBest()) {
      os << "products of " << best->choice.reader << ": " << best->choice.after
         << " in place of " << best->choice.before << ", "
         << spell(*best->cycles) << " cycles in all and not "
         << (cycles ? spell(*cycles) : "without streams") << "\n";
      undone.insert(spell(best->choice, best->choice.before));
      reassociate(source, best->choice);
      cycles = best->cycles;
    }
    for (const Change &change : left)
      os << "products of " << change.choice.reader << ": "
         << change.choice.before << "; " << change.choice.after << " "
         << (change.cycles ? "would take " + spell(*change.cycles) + " cycles"
                           : "has no streams")
         << "\n";
  }

private:
  static std::string spell(double cycles) {
    return std::to_string(int64_t(cycles));
  }
  static std::string spell(const Reassociation &choice,
                           const std::string &products) {
    return choice.reader + " = " + products;
  }

  /// The change that saves most, if one saves anything; `left` are the others
  /// then.
  std::optional<Change> findBest() {
    std::optional<Change> best;
    left.clear();
    for (const Reassociation &choice : findReassociations(source)) {
      // It was so, and took more.
      if (undone.contains(spell(choice, choice.after)))
        continue;
      auto module = cast<mlir::ModuleOp>(source->getParentOp());
      mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
      auto program = copy->lookupSymbol<einsum::ProgramOp>(source.getSymName());
      reassociate(program, choice);
      Change change{choice, findLeastCycles(program, operands, request)};
      double most = best     ? *best->cycles
                    : cycles ? *cycles * (1 - kEnough)
                             : HUGE_VAL;
      if (change.cycles && *change.cycles < most) {
        if (best)
          left.push_back(*best);
        best = std::move(change);
      } else {
        left.push_back(std::move(change));
      }
    }
    return best;
  }

  einsum::ProgramOp source;
  const std::vector<Operand> &operands;
  const RegionRequest &request;
  raw_ostream &os;
  std::optional<double> cycles;
  std::vector<Change> left;
  StringSet<> undone; ///< "H = (A X) V"
};

} // namespace

int heddle::tool::chooseProducts(einsum::ProgramOp source, SoundOperands &sound,
                                 const RegionRequest &request,
                                 raw_ostream &os) {
  ProductSearcher(source, sound.operands, request, os).run();
  auto statistics = describeOperands(source, sound.operands);
  if (!statistics)
    return fail(statistics.takeError());
  sound.statistics = std::move(*statistics);
  return kFine;
}
