//===- FitShared.cpp - Schedules again where shared memory overflowed -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step to the hopper rung notes by how much a kernel overflows on the
// module that it gives up (kSharedOverflow). Messages of an attempt are
// kept until it is known whether it counts.
//
//===----------------------------------------------------------------------===//

#include "FitShared.h"

#include "heddle/Conversion/ArefToHopper.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;

namespace {

/// Keeps what is said while it lives.
class Messages {
public:
  explicit Messages(MLIRContext *context)
      : handler(context, [this](Diagnostic &message) {
          kept.push_back(std::move(message));
          return success();
        }) {}

  /// Once the keeper is gone.
  static void say(DiagnosticEngine &engine, std::vector<Diagnostic> messages) {
    for (Diagnostic &message : messages)
      engine.emit(std::move(message));
  }
  std::vector<Diagnostic> take() { return std::move(kept); }

private:
  std::vector<Diagnostic> kept;
  ScopedDiagnosticHandler handler;
};

struct Attempt {
  bool isLowered = false;
  int64_t overflow = 0; ///< bytes
  std::vector<Diagnostic> messages;
};

int64_t overflowOf(ModuleOp module) {
  auto noted = module->getAttrOfType<IntegerAttr>(kSharedOverflow);
  return noted ? noted.getInt() : 0;
}

Attempt attempt(ModuleOp module, const Lower &lower, int64_t kept,
                const std::function<LogicalResult(ModuleOp)> &probe) {
  Attempt made;
  Messages messages(module.getContext());
  made.isLowered = succeeded(lower(module, kept));
  made.messages = messages.take();
  if (!made.isLowered) {
    made.overflow = overflowOf(module);
  } else if (probe) {
    OwningOpRef<ModuleOp> copy = module.clone();
    if (failed(probe(*copy)))
      made.overflow = overflowOf(*copy);
  }
  return made;
}

/// `module` becomes what `other` is.
void become(ModuleOp module, ModuleOp other) {
  module->setAttrs(other->getAttrDictionary());
  module.getBodyRegion().takeBody(other.getBodyRegion());
}

} // namespace

LogicalResult heddle::pipeline::lowerToFit(
    ModuleOp module, const machine::Limits &limits, const Lower &lower,
    const std::function<LogicalResult(ModuleOp)> &probe) {
  constexpr int kMostAttempts = 6;
  OwningOpRef<ModuleOp> program = module.clone();
  Location start = module->getLoc();
  for (auto kernel : module.getOps<tile::KernelOp>())
    start = kernel.getLoc();
  DiagnosticEngine &engine = module.getContext()->getDiagEngine();
  Attempt first = attempt(module, lower, 0, probe);
  int64_t kept = 0, overflow = first.overflow;
  for (int count = 1; overflow && count < kMostAttempts; ++count) {
    kept += int64_t(llvm::alignTo(overflow, limits.sharedBytesUnit));
    OwningOpRef<ModuleOp> copy = program->clone();
    Attempt next = attempt(*copy, lower, kept, probe);
    if (next.isLowered && !next.overflow) {
      become(module, *copy);
      report(start, diag::fewer_slots)
          << "shared memory overflowed by " << first.overflow
          << " B: the schedule gives rings " << kept << " B less";
      Messages::say(engine, std::move(next.messages));
      return success();
    }
    // There is no schedule with so little. Otherwise slots go in whole rounds:
    // a little less may change nothing.
    if (!next.overflow)
      break;
    kept += next.overflow >= overflow ? kept : 0;
    overflow = next.overflow;
  }
  Messages::say(engine, std::move(first.messages));
  return success(first.isLowered);
}
