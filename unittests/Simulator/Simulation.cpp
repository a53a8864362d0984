//===- Simulation.cpp - Simulates a program text --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Support/Diagnostic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

std::vector<Options> heddle::simulator::allOrders() {
  std::vector<Options> orders = {{Schedule::Fair}};
  for (uint64_t seed = 0; seed < 4; ++seed)
    orders.push_back({Schedule::Adversarial, seed});
  for (uint64_t seed = 0; seed < 8; ++seed)
    orders.push_back({Schedule::Random, seed});
  return orders;
}

/// Sentences only: the ids are tested elsewhere.
static void append(std::string &text, Location location, std::string message) {
  if (diag::kindOfMessage(message))
    message.erase(message.rfind(" ["));
  if (!text.empty())
    text += "\n";
  if (auto line = dyn_cast<FileLineColLoc>(location))
    text += std::to_string(line.getLine()) + ": ";
  text += message;
}

Simulation::Simulation(llvm::StringRef text) {
  context
      .loadDialect<tile::TileDialect, aref::ArefDialect, arith::ArithDialect,
                   math::MathDialect, scf::SCFDialect, sched::SchedDialect>();
  context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    append(messages, diagnostic.getLocation(), diagnostic.str());
    return success();
  });
  module = parseSourceString<ModuleOp>(text, &context);
}

std::string Simulation::run(llvm::ArrayRef<interp::Argument> arguments,
                            const Options &options) {
  if (!module)
    return messages;
  std::string found;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    append(found, diagnostic.getLocation(), diagnostic.str());
    for (Diagnostic &note : diagnostic.getNotes())
      append(found, note.getLocation(), note.str());
    return success();
  });
  output.clear();
  llvm::raw_string_ostream stream(output);
  Options all = options;
  all.output = &stream;
  LogicalResult result =
      simulate(*module->getOps<tile::KernelOp>().begin(), arguments, all);
  if (succeeded(result) != found.empty())
    return "the outcome and the messages do not agree: " + found;
  return found;
}

std::string Simulation::runCompiled(llvm::ArrayRef<interp::Argument> arguments,
                                    const Options &options, bool isLong) {
  using Outcome = CompiledSimulator::Outcome;
  if (!module)
    return messages;
  std::string found, reason;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    append(found, diagnostic.getLocation(), diagnostic.str());
    for (Diagnostic &note : diagnostic.getNotes())
      append(found, note.getLocation(), note.str());
    return success();
  });
  Outcome outcome = compiled.run(*module->getOps<tile::KernelOp>().begin(),
                                 arguments, options, isLong, reason);
  if ((outcome == Outcome::Failed) == found.empty())
    return "the outcome and the messages do not agree: " + found;
  return outcome == Outcome::Interpret ? "interpret: " + reason : found;
}

std::string heddle::simulator::messagesOf(llvm::StringRef body) {
  Simulation simulation(("tile.kernel @test() {\n" + body + "\n}\n").str());
  std::optional<std::string> first;
  for (const Options &order : allOrders()) {
    std::string messages = simulation.run({}, order);
    if (!first)
      first = messages;
    else if (messages != *first)
      return "the orders differ: " + *first + " / " + messages;
  }
  return *first;
}
