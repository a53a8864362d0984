//===- TunePoint.cpp - What compiling a point gave ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TunePoint.h"

#include "heddle/Support/Diagnostic.h"
#include "heddle/Support/TextHash.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

ErrorKeeper::ErrorKeeper(mlir::MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &message) {
        if (first.empty() &&
            message.getSeverity() == mlir::DiagnosticSeverity::Error)
          first = message.str();
        return mlir::success();
      }) {}

std::string heddle::tool::idOf(StringRef message) {
  const diag::Kind *kind = diag::kindOfMessage(message);
  return kind ? kind->id() : "refused";
}

tuner::Outcome heddle::tool::invalidPoint(std::string reason) {
  tuner::Outcome outcome;
  outcome.isValid = false;
  outcome.reason = std::move(reason);
  return outcome;
}

tuner::Outcome heddle::tool::validPoint(double value) {
  tuner::Outcome outcome;
  outcome.value = value;
  return outcome;
}

std::string heddle::tool::digest(StringRef text) {
  TextHash hash;
  hash.add(text);
  return hash.digits();
}
