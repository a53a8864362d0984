//===- SimulateFlow.cpp - heddle simulate on streams ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulateFlow.h"

#include "Command.h"
#include "EinsumCheck.h"

#include "heddle/Conversion/EinsumToFlow.h"
#include "heddle/Flow/Interpret.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/IR/AsmState.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static constexpr int kBadUse = 3;

FlowOptions::FlowOptions(cl::SubCommand &command)
    : operands(command),
      plan("plan", cl::sub(command), cl::init("auto"),
           cl::value_desc("auto|all"),
           cl::desc("Of an einsum program: run it by its own plan or else the "
                    "best order of each statement (default), or by every order "
                    "that the operands' storage allows")),
      tokens("tokens", cl::sub(command),
             cl::desc("Print the tokens of every stream of an einsum program "
                      "(N: absent, S0: the end of a fiber, S1: of two)")) {}

namespace {

/// One program with its operands, run by one order after another.
class FlowSession {
public:
  FlowSession(einsum::ProgramOp source, const FlowOptions &options,
              const FlowRequest &request, std::vector<Operand> operands,
              ProgramStatistics statistics)
      : options(options), request(request), operands(std::move(operands)),
        statistics(std::move(statistics)), statements(describe(source)),
        check(statements) {}

  int prepare() {
    std::string error = check.evaluate(operands, statistics);
    return error.empty() ? kFine : fail(diag::einsum_operands, error);
  }

  const ProgramStatistics &getStatistics() const { return statistics; }

  /// A module with its plan. An exit code.
  int run(mlir::ModuleOp module, raw_ostream &os) {
    if (failed(lowerEinsumToFlow(module)))
      return kBadUse;
    auto graph = *module.getOps<flow::GraphOp>().begin();
    flow::GraphRun run;
    for (const Operand &operand : operands)
      run.arguments.push_back(operand.tensor);
    run.keepsStreams = options.tokens;
    if (failed(flow::interpret(graph, run)))
      return kBadUse;
    if (options.tokens)
      printTokens(graph, run, os);
    size_t primitives = 0;
    for (mlir::Operation &op : graph.getEntry())
      primitives += !isa<flow::ReturnOp>(op);
    os << "streams of " << graph.getProgram() << ": " << primitives
       << " primitives, " << run.tokens << " tokens\n";
    for (auto [number, statement] : enumerate(statements)) {
      auto written = run.written.find(statement.result.tensor);
      if (written != run.written.end() &&
          !check.compare(number, written->second, request.integers, os))
        return fail(diag::wrong_result, "the streams of " +
                                            statement.result.tensor +
                                            " differ from the oracle");
    }
    return kFine;
  }

private:
  static std::vector<sparse::Statement> describe(einsum::ProgramOp source) {
    std::vector<sparse::Statement> statements;
    for (auto op : source.getEntry().getOps<einsum::StatementOp>())
      statements.push_back(describeStatement(op));
    return statements;
  }

  static void printTokens(flow::GraphOp graph, flow::GraphRun &run,
                          raw_ostream &os) {
    mlir::AsmState state(graph);
    for (mlir::Operation &op : graph.getEntry())
      for (mlir::Value result : op.getResults())
        if (auto type = dyn_cast<flow::StreamType>(result.getType())) {
          result.printAsOperand(os, state);
          os << ": " << flow::spell(run.streams[result], type.getKind())
             << "\n";
        }
  }

  const FlowOptions &options;
  const FlowRequest &request;
  std::vector<Operand> operands;
  ProgramStatistics statistics;
  std::vector<sparse::Statement> statements;
  EinsumCheck check;
};

} // namespace

/// Every order of each statement. An exit code.
static int runAll(mlir::ModuleOp module, einsum::ProgramOp source,
                  FlowSession &session) {
  size_t most = 0, number = 0;
  for (auto op : source.getEntry().getOps<einsum::StatementOp>()) {
    std::string error;
    auto orders = sparse::rankOrders(describeStatement(op),
                                     session.getStatistics()[number++], error);
    most = std::max(most, orders.size());
  }
  for (size_t choice = 0; choice < std::max<size_t>(most, 1); ++choice) {
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
    if (failed(addStreamPlans(*copy, session.getStatistics(), choice)))
      return kBadUse;
    if (int status = session.run(*copy, nulls())) {
      errs() << pipeline::print(*copy);
      return status;
    }
  }
  outs() << "program " << source.getSymName() << ": " << most
         << (most == 1 ? " order" : " orders") << " of streams, all right\n";
  return kFine;
}

int heddle::tool::simulateFlow(mlir::ModuleOp module,
                               const FlowOptions &options,
                               const FlowRequest &request) {
  auto programs = to_vector(module.getOps<einsum::ProgramOp>());
  if (programs.size() != 1)
    return fail(diag::kernel_choice,
                "an einsum file that is simulated has one program; this has " +
                    Twine(programs.size()));
  if (options.plan != "auto" && options.plan != "all")
    return fail(diag::usage,
                "--plan is auto or all, not " + Twine(options.plan));
  einsum::ProgramOp source = programs[0];
  auto operands = makeOperands(source, request.views, options.operands,
                               request.seed, request.integers);
  if (!operands)
    return fail(operands.takeError());
  auto statistics = describeOperands(source, *operands);
  if (!statistics)
    return fail(statistics.takeError());
  for (const Operand &operand : *operands)
    if (std::string fault = operand.tensor.findFault(); !fault.empty())
      return fail(diag::einsum_operands, operand.name + ": " + fault);
  FlowSession session(source, options, request, std::move(*operands),
                      *statistics);
  if (int status = session.prepare())
    return status;
  if (options.plan == "all")
    return runAll(module, source, session);
  if (failed(addStreamPlans(module, session.getStatistics())))
    return kBadUse;
  return session.run(module, outs());
}
