//===- EinsumSession.cpp - An einsum program with its operands ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "EinsumSession.h"

#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include <chrono>
#include <cstring>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using diag::makeError;

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
                                 const EinsumOutcome &outcome,
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
      if (!bytes.empty()) // where a level stores nothing
        std::memcpy(arrays.back().data(), bytes.data(), bytes.size());
    };
    add(tensor.positions, tensor.format.positionBits, "_pos");
    add(tensor.coordinates, tensor.format.coordinateBits, "_crd");
  }
  tensor.values = bytesOf("_val");
  return tensor;
}

bool heddle::tool::areEqual(const cpu::HostProgram &program,
                            const EinsumOutcome &a, const EinsumOutcome &b) {
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

EinsumSession::EinsumSession(einsum::ProgramOp source, SoundOperands sound,
                             bool areIntegers, int workers)
    : given(std::move(sound.operands)), known(std::move(sound.statistics)),
      areIntegers(areIntegers), statements(describeStatements(source)),
      check(statements), one(1), several(workers) {
  for (mlir::Value value : source.getEntry().back().getOperands())
    returned.push_back(
        value.getDefiningOp<einsum::StatementOp>().getName().str());
}

Error EinsumSession::prepare() {
  std::string error = check.evaluate(given, known);
  return error.empty() ? Error::success()
                       : makeError(diag::einsum_operands, error);
}

std::vector<int64_t> EinsumSession::arguments() { return passOperands(given); }

Error EinsumSession::launch(pipeline::CpuPrograms &compiled, bool isAlone,
                            EinsumOutcome &outcome) {
  outcome.slots = arguments();
  std::string error;
  bool isFine = cpu::execute(
      compiled.programs[0], outcome.slots, outcome.arrays,
      [&](const std::string &kernel, const std::vector<int64_t> &arguments,
          std::string &error) {
        return compiled.jit->launch(kernel, arguments, isAlone ? one : several,
                                    error);
      },
      error);
  return isFine ? Error::success() : makeError(diag::einsum_run, error);
}

bool EinsumSession::judge(const cpu::HostProgram &host,
                          const EinsumOutcome &outcome, raw_ostream &os) {
  bool isRight = true;
  for (auto [number, statement] : enumerate(statements)) {
    if (!is_contained(returned, statement.result.tensor))
      continue;
    std::vector<int64_t> extents;
    for (int index : statement.result.indices)
      extents.push_back(known[number].extents[index]);
    isRight &= check.compare(
        number, readResult(host, outcome, statement, extents), areIntegers, os);
  }
  return isRight;
}

Expected<double> EinsumSession::time(pipeline::CpuPrograms &compiled,
                                     EinsumOutcome &outcome) {
  auto start = std::chrono::steady_clock::now();
  if (Error error = launch(compiled, /*isAlone=*/false, outcome))
    return std::move(error);
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}
