//===- Attempt.cpp - One way down, and what was said on it ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step to the hopper rung notes by how much a kernel overflows on the
// module that it gives up (kSharedOverflow).
//
//===----------------------------------------------------------------------===//

#include "Attempt.h"

#include "heddle/Conversion/ArefToHopper.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;

static bool runKept(ModuleOp module, const Probe &lower,
                    std::vector<Diagnostic> &messages) {
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &message) {
                                    messages.push_back(std::move(message));
                                    return success();
                                  });
  return succeeded(lower(module));
}

static int64_t overflowOf(ModuleOp module) {
  auto noted = module->getAttrOfType<IntegerAttr>(kSharedOverflow);
  return noted ? noted.getInt() : 0;
}

Attempt heddle::pipeline::attempt(ModuleOp module, const Probe &lower,
                                  const Probe &probe) {
  Attempt made;
  made.isLowered = runKept(module, lower, made.messages);
  if (!made.isLowered) {
    made.overflow = overflowOf(module);
    return made;
  }
  if (!probe) {
    made.isProbed = true;
    return made;
  }
  OwningOpRef<ModuleOp> copy = module.clone();
  made.isProbed = runKept(*copy, probe, made.probed);
  made.overflow = made.isProbed ? 0 : overflowOf(*copy);
  return made;
}

const Diagnostic *Attempt::error() const {
  const std::vector<Diagnostic> &where = isLowered ? probed : messages;
  auto found = llvm::find_if(where, [](const Diagnostic &message) {
    return message.getSeverity() == DiagnosticSeverity::Error;
  });
  return found == where.end() ? nullptr : &*found;
}

void Attempt::say(DiagnosticEngine &engine) {
  for (Diagnostic &message : messages)
    engine.emit(std::move(message));
}

void heddle::pipeline::become(ModuleOp module, ModuleOp other) {
  module->setAttrs(other->getAttrDictionary());
  module.getBodyRegion().takeBody(other.getBodyRegion());
}
