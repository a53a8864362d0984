//===- RunEinsum.cpp - heddle run on the einsum rung ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunEinsum.h"

#include "Command.h"
#include "EinsumCheck.h"

#include "heddle/Pipeline/Sparse.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstring>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

EinsumRunOptions::EinsumRunOptions(cl::SubCommand &command)
    : operands(command),
      workers("workers", cl::sub(command), cl::init(2), cl::value_desc("COUNT"),
              cl::desc("Threads that share the work of an einsum program; the "
                       "result is compared with that of one")),
      interpret("interpret", cl::sub(command),
                cl::desc("Run the tile rung of an einsum program by its "
                         "oracle too, and compare")) {}

namespace {

/// What a run gave: slots of the program, and the arrays behind them.
struct Outcome {
  std::vector<int64_t> slots;
  cpu::Arrays arrays;
};

using Statements = std::vector<sparse::Statement>;

} // namespace

/// The arguments of a tile.program for the operands: arrays by level, values,
/// extents.
static std::vector<int64_t> passOperands(std::vector<Operand> &operands) {
  std::vector<int64_t> slots;
  auto add = [&](void *data) { slots.push_back(int64_t(data)); };
  for (Operand &operand : operands) {
    sparse::Tensor &tensor = operand.tensor;
    for (int level = 0; level < tensor.format.rank(); ++level) {
      if (tensor.format.hasPositions(level))
        add(tensor.positions[level].data());
      if (tensor.format.hasCoordinates(level))
        add(tensor.coordinates[level].data());
    }
    add(tensor.values.data());
    for (int64_t extent : tensor.extents)
      slots.push_back(extent);
  }
  return slots;
}

/// The tensor that a program gave back.
static sparse::Tensor readResult(const cpu::HostProgram &program,
                                 const Outcome &outcome,
                                 const sparse::Statement &statement,
                                 const std::vector<int64_t> &extents) {
  sparse::Tensor tensor;
  tensor.format = statement.result.format;
  tensor.element = statement.element;
  tensor.extents = extents;
  const std::string &name = statement.result.tensor;
  auto bytesOf = [&](const std::string &part) {
    for (const cpu::HostProgram::Result &result : program.results)
      if (result.name == name + part) {
        const char *data =
            reinterpret_cast<const char *>(outcome.slots[result.array]);
        return std::vector<char>(data, data + outcome.slots[result.count] *
                                                  result.elementBytes);
      }
    return std::vector<char>();
  };
  for (int level = 0; level < tensor.format.rank(); ++level) {
    auto add = [&](std::vector<sparse::IndexArray> &arrays, int bits,
                   const std::string &part) {
      std::vector<char> bytes = bytesOf(part + std::to_string(level));
      arrays.emplace_back(bits);
      arrays.back().resize(int64_t(bytes.size()) * 8 / bits);
      std::memcpy(arrays.back().data(), bytes.data(), bytes.size());
    };
    add(tensor.positions, tensor.format.positionBits, "_pos");
    add(tensor.coordinates, tensor.format.coordinateBits, "_crd");
  }
  tensor.values = bytesOf("_val");
  return tensor;
}

/// Whether two runs gave the same bytes.
static bool areEqual(const cpu::HostProgram &program, const Outcome &a,
                     const Outcome &b) {
  for (const cpu::HostProgram::Result &result : program.results) {
    int64_t count = a.slots[result.count];
    if (count != b.slots[result.count])
      return false;
    if (count && std::memcmp(reinterpret_cast<void *>(a.slots[result.array]),
                             reinterpret_cast<void *>(b.slots[result.array]),
                             size_t(count) * result.elementBytes) != 0)
      return false;
  }
  return true;
}

static double medianOf(std::vector<double> &values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int heddle::tool::runEinsum(Program &program, const EinsumRunOptions &options,
                            const EinsumRun &request) {
  auto programs = llvm::to_vector(program.module().getOps<einsum::ProgramOp>());
  if (programs.size() != 1)
    return fail(diag::kernel_choice,
                "an einsum file that is run has one program; this has " +
                    Twine(programs.size()));
  if (options.workers < 1 || options.workers > 1024)
    return fail(diag::usage, "--workers is 1 to 1024, not " +
                                 Twine(options.workers.getValue()));
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
  if (failed(addPlans(program.module(), *statistics)))
    return program.exitCode();
  Statements statements;
  for (auto op : source.getEntry().getOps<einsum::StatementOp>())
    statements.push_back(describeStatement(op));
  std::vector<std::string> returned;
  for (mlir::Value value : source.getEntry().back().getOperands())
    returned.push_back(
        value.getDefiningOp<einsum::StatementOp>().getName().str());
  EinsumCheck check(statements);
  if (std::string error = check.evaluate(*operands, *statistics);
      !error.empty())
    return fail(diag::einsum_operands, error);

  if (!program.lower(pipeline::Rung::Tile))
    return program.exitCode();
  auto start = std::chrono::steady_clock::now();
  auto compiled = pipeline::compileForCpu(program.module());
  if (failed(compiled))
    return program.exitCode();
  double compileMilliseconds = std::chrono::duration<double, std::milli>(
                                   std::chrono::steady_clock::now() - start)
                                   .count();
  const cpu::HostProgram &host = compiled->programs[0];
  std::string error;
  auto runOnce = [&](cpu::Pool &pool, Outcome &outcome) {
    outcome.slots = passOperands(*operands);
    return cpu::execute(
        host, outcome.slots, outcome.arrays,
        [&](const std::string &kernel, const std::vector<int64_t> &arguments,
            std::string &error) {
          return compiled->jit->launch(kernel, arguments, pool, error);
        },
        error);
  };
  auto judge = [&](const Outcome &outcome, bool print) {
    bool isRight = true;
    for (auto [number, statement] : enumerate(statements))
      if (is_contained(returned, statement.result.tensor)) {
        std::vector<int64_t> extents;
        for (int index : statement.result.indices)
          extents.push_back((*statistics)[number].extents[index]);
        isRight &=
            check.compare(number, readResult(host, outcome, statement, extents),
                          request.integers, print ? outs() : nulls());
      }
    return isRight;
  };

  cpu::Pool one(1), several(int(options.workers));
  Outcome alone;
  if (!runOnce(one, alone))
    return fail(diag::einsum_run, error);
  outs() << "program " << host.name << ", compiled in "
         << format("%.0f", compileMilliseconds) << " ms\n";
  if (!judge(alone, true))
    return fail(diag::wrong_result,
                "program " + host.name + " differs from the oracle");
  if (options.interpret) {
    Outcome interpreted;
    interpreted.slots = passOperands(*operands);
    if (int status = interpretProgram(program, host, *operands,
                                      interpreted.slots, interpreted.arrays))
      return status;
    if (!judge(interpreted, false))
      return fail(diag::wrong_result,
                  "the tile rung of program " + host.name +
                      ", run by its oracle, differs from that of einsums");
    outs() << "the tile rung, run by its oracle, agrees\n";
  }
  std::vector<double> times;
  for (unsigned round = 0; round < request.repeat; ++round) {
    Outcome outcome;
    auto begin = std::chrono::steady_clock::now();
    if (!runOnce(several, outcome))
      return fail(diag::einsum_run, error);
    times.push_back(std::chrono::duration<double, std::milli>(
                        std::chrono::steady_clock::now() - begin)
                        .count());
    if (!areEqual(host, alone, outcome))
      return fail(diag::wrong_result,
                  "program " + host.name + " gives other bits with " +
                      Twine(options.workers.getValue()) + " workers");
  }
  outs() << "the same bits with " << options.workers
         << " workers; time: " << format("%.4g", medianOf(times))
         << " ms a run\n";
  return kFine;
}
