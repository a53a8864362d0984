//===- Shrink.cpp - A smaller program that fails the same way -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Edits are tried one after the other, each on a copy, and kept where the
// outcome stays: erase an op without results; replace a result by an operand of
// its type; replace it by zero; halve an extent of an argument. Bounds are not
// derived anew: an edit makes values smaller, not larger.
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"
#include "Campaign.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Pipeline/Compile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace heddle;
using namespace heddle::fuzz;

namespace {

class Shrinker {
public:
  Shrinker(const fuzz::Program &program, const Outcome &failure,
           const CheckOptions &options, int seconds)
      : best(program), failure(failure), options(options), seconds(seconds),
        context(pipeline::createContext()) {}

  fuzz::Program run() {
    bool changed = true;
    while (changed) {
      changed = shrinkOps();
      changed |= shrinkArguments();
    }
    return best;
  }

private:
  bool shrinkOps();
  bool shrinkArguments();
  /// Keeps `candidate` if it fails as the program did.
  bool accept(const fuzz::Program &candidate);

  fuzz::Program best;
  const Outcome &failure;
  const CheckOptions &options;
  int seconds;
  std::unique_ptr<mlir::MLIRContext> context;
};

bool Shrinker::accept(const fuzz::Program &candidate) {
  Outcome outcome = checkIsolated(candidate, options, seconds);
  if (outcome.verdict != failure.verdict)
    return false;
  if (outcome.verdict == Verdict::Declined &&
      reasonOf(outcome.message) != reasonOf(failure.message))
    return false;
  best = candidate;
  return true;
}

std::string textOf(mlir::ModuleOp module,
                   const std::vector<ArgumentPlan> &plans) {
  std::string text;
  for (const ArgumentPlan &plan : plans)
    text += print(plan) + "\n";
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text + "\n";
}

void eraseDead(mlir::ModuleOp module) {
  bool changed = true;
  while (changed) {
    changed = false;
    module.walk([&](mlir::Operation *op) {
      if (op != module && mlir::isOpTriviallyDead(op)) {
        op->erase();
        changed = true;
      }
    });
  }
}

/// Zero of a scalar or tile type; null for the others.
mlir::Value makeZero(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (!element.isIntOrIndexOrFloat())
    return {};
  mlir::Value zero = mlir::arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(element));
  if (type == element)
    return zero;
  return tile::SplatOp::create(builder, loc, type, zero);
}

/// Makes the edit of this kind on the op; false if it does not apply.
bool edit(mlir::Operation *op, int kind) {
  if (op->hasTrait<mlir::OpTrait::IsTerminator>() ||
      llvm::isa<mlir::ModuleOp, tile::KernelOp, tile::ParallelOp, tile::ParamOp,
                mlir::arith::ConstantOp>(op))
    return false;
  if (op->getNumResults() == 0) {
    if (kind == 0)
      op->erase();
    return kind == 0;
  }
  if (op->use_empty())
    return false;
  mlir::OpBuilder builder(op);
  for (mlir::Value result : op->getResults()) {
    mlir::Value other;
    if (kind == 0) {
      auto same = llvm::find_if(op->getOperands(), [&](mlir::Value operand) {
        return operand.getType() == result.getType();
      });
      if (same != op->operand_end())
        other = *same;
    } else if (!llvm::isa<tile::SplatOp>(op)) {
      other = makeZero(builder, op->getLoc(), result.getType());
    }
    if (!other)
      return false;
    result.replaceAllUsesWith(other);
  }
  return true;
}

/// The op of this number in the walk, or null.
mlir::Operation *opAt(mlir::ModuleOp module, int number) {
  mlir::Operation *found = nullptr;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (number-- != 0)
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

/// Removes the arguments that nothing uses, and their plans.
void eraseArguments(mlir::ModuleOp module, std::vector<ArgumentPlan> &plans) {
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    mlir::Block &entry = kernel.getEntry();
    std::vector<mlir::Type> types;
    std::vector<mlir::Attribute> names;
    for (unsigned i = entry.getNumArguments(); i-- > 0;) {
      std::string name = kernel.getArgName(i);
      if (entry.getArgument(i).use_empty()) {
        entry.eraseArgument(i);
        llvm::erase_if(plans, [&](const ArgumentPlan &plan) {
          return plan.declared.name == name;
        });
        continue;
      }
      types.insert(types.begin(), entry.getArgument(i).getType());
      names.insert(names.begin(),
                   mlir::StringAttr::get(module.getContext(), name));
    }
    mlir::Builder builder(module.getContext());
    kernel.setFunctionType(builder.getFunctionType(types, {}));
    kernel.setArgNamesAttr(builder.getArrayAttr(names));
  }
}

/// From the end, where whole loops hang on one store.
bool Shrinker::shrinkOps() {
  mlir::ScopedDiagnosticHandler quiet(
      context.get(), [](mlir::Diagnostic &) { return mlir::success(); });
  bool changed = false;
  Source source;
  source.path = "shrunk.mlir";
  source.text = best.text;
  auto module = pipeline::parse(source, *context);
  if (!module)
    return false;
  int count = 0;
  module->walk([&](mlir::Operation *) { ++count; });
  for (int number = count; number-- > 0;) {
    for (int kind : {0, 1}) {
      mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
      mlir::Operation *op = opAt(*copy, number);
      if (!op || !edit(op, kind))
        continue;
      eraseDead(*copy);
      if (failed(mlir::verify(*copy)))
        continue;
      fuzz::Program candidate = best;
      eraseArguments(*copy, candidate.arguments);
      candidate.text = textOf(*copy, candidate.arguments);
      if (!accept(candidate))
        continue;
      module = std::move(copy);
      changed = true;
      break;
    }
  }
  return changed;
}

bool Shrinker::shrinkArguments() {
  bool changed = false;
  for (size_t i = 0; i < best.arguments.size(); ++i)
    for (size_t axis = 0; axis < best.arguments[i].shape.size(); ++axis) {
      if (best.arguments[i].shape[axis] < 2)
        continue;
      fuzz::Program candidate = best;
      ArgumentPlan &plan = candidate.arguments[i];
      plan.shape[axis] /= 2;
      if (!plan.declared.order.empty() && plan.declared.order[0] == int(axis))
        plan.pitch = plan.shape[axis];
      size_t at = candidate.text.find(print(best.arguments[i]));
      if (at == std::string::npos)
        continue;
      candidate.text.replace(at, print(best.arguments[i]).size(), print(plan));
      changed |= accept(candidate);
    }
  return changed;
}

} // namespace

fuzz::Program heddle::fuzz::shrink(const fuzz::Program &program,
                                   const Outcome &failure,
                                   const CheckOptions &options, int seconds) {
  return Shrinker(program, failure, options, seconds).run();
}
