//===- EinsumCheck.cpp - Compares results with the einsum oracle ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EinsumCheck.h"

#include "Command.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Interp/Interp.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "llvm/Support/Format.h"

#include <cfloat>
#include <cmath>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using sparse::Entry;
using sparse::OracleResult;
using sparse::OracleSum;

static std::vector<Entry> entriesOf(const OracleResult &result,
                                    const sparse::Statement &statement) {
  std::vector<Entry> entries;
  for (const auto &[key, sum] : result.sums)
    entries.push_back({result.coordinatesOf(key), sum.value});
  if (!statement.result.format.isDense())
    return entries;
  // A dense operand has every element.
  uint64_t count = 1;
  for (int64_t extent : result.extents)
    count *= uint64_t(extent);
  for (uint64_t key = 0; key < count; ++key)
    if (!result.sums.count(key))
      entries.push_back(
          {result.coordinatesOf(key), sparse::zeroOf(statement.semiring)});
  return entries;
}

static std::vector<Entry> magnitudes(std::vector<Entry> entries) {
  for (Entry &entry : entries)
    entry.value = std::fabs(entry.value);
  return entries;
}

std::string EinsumCheck::evaluate(const std::vector<Operand> &operands,
                                  const ProgramStatistics &statistics) {
  std::map<std::string, std::vector<Entry>> known, scale;
  for (const Operand &operand : operands) {
    known[operand.name] = operand.entries;
    scale[operand.name] = magnitudes(operand.entries);
  }
  auto isRead = [&](const std::string &name) {
    for (const sparse::Statement &statement : statements)
      for (const auto &term : statement.terms)
        for (const sparse::Access &access : term)
          if (access.tensor == name)
            return true;
    return false;
  };
  int64_t sofar = 4;
  for (auto [number, statement] : enumerate(statements)) {
    auto run = [&](const std::map<std::string, std::vector<Entry>> &from,
                   std::vector<OracleResult> &results) {
      std::vector<std::vector<std::vector<Entry>>> factors;
      for (const auto &term : statement.terms) {
        factors.emplace_back();
        for (const sparse::Access &access : term)
          factors.back().push_back(from.at(access.tensor));
      }
      results.emplace_back();
      return sparse::evaluate(statement, factors, statistics[number].extents,
                              results.back());
    };
    std::string error = run(known, values);
    if (error.empty())
      error = run(scale, scales);
    if (!error.empty())
      return error;
    const std::string &name = statement.result.tensor;
    if (isRead(name)) {
      known[name] = entriesOf(values.back(), statement);
      scale[name] = magnitudes(entriesOf(scales.back(), statement));
    }
    int64_t most = 0;
    for (const auto &[key, sum] : values.back().sums)
      most = std::max(most, sum.count);
    sofar += most + int64_t(statement.terms[0].size());
    roundings.push_back(sofar);
  }
  return {};
}

bool EinsumCheck::compare(size_t number, const sparse::Tensor &result,
                          bool isExact, raw_ostream &os) const {
  const sparse::Statement &statement = statements[number];
  const OracleResult &expected = values[number];
  double unit =
      statement.element == sparse::Element::F64 ? DBL_EPSILON : FLT_EPSILON;
  double zero = sparse::zeroOf(statement.semiring);
  os << statement.result.tensor << " (";
  for (size_t axis = 0; axis < result.extents.size(); ++axis)
    os << (axis ? "x" : "") << result.extents[axis];
  os << "x" << (statement.element == sparse::Element::F64 ? "f64" : "f32")
     << "): ";
  if (std::string fault = result.findFault(); !fault.empty()) {
    os << "WRONG: " << fault << "\n";
    return false;
  }
  std::vector<Entry> entries = result.entries();
  int64_t wrong = 0;
  size_t found = 0;
  double worst = 0;
  std::string first;
  for (const Entry &entry : entries) {
    uint64_t key = expected.keyOf(entry.coordinates);
    auto at = expected.sums.find(key);
    found += at != expected.sums.end();
    double wanted = at == expected.sums.end() ? zero : at->second.value;
    double error = entry.value == wanted ? 0 : std::fabs(entry.value - wanted);
    double bound = 0;
    if (auto size = scales[number].sums.find(key);
        !isExact && size != scales[number].sums.end())
      bound = double(roundings[number]) * unit / 2 *
              std::max(size->second.magnitude, std::fabs(size->second.value));
    if (!(error <= bound)) {
      if (wrong++ == 0) {
        raw_string_ostream text(first);
        text << format("%.9g", entry.value) << " for " << format("%.9g", wanted)
             << " at";
        for (int64_t coordinate : entry.coordinates)
          text << " " << coordinate;
      }
    }
    worst = std::max(worst, error);
  }
  if (!statement.result.format.isDense())
    os << entries.size() << " elements, ";
  if (found != expected.sums.size()) {
    os << "WRONG: " << expected.sums.size() - found << " of "
       << expected.sums.size() << " elements are missing\n";
    return false;
  }
  if (wrong) {
    os << "WRONG in " << wrong << " of " << entries.size()
       << " elements, first " << first << "\n";
    return false;
  }
  if (worst == 0)
    os << "equal to the oracle; right\n";
  else
    os << "max error " << format("%.3g", worst) << "; right\n";
  return true;
}

int heddle::tool::interpretProgram(Program &program, mlir::ModuleOp module,
                                   const cpu::HostProgram &host,
                                   std::vector<Operand> &operands,
                                   std::vector<int64_t> &slots,
                                   cpu::Arrays &arrays) {
  std::map<int64_t, int64_t> sizes; // of the operands' arrays
  auto addSize = [&](void *data, int64_t bytes) {
    sizes[int64_t(data)] = bytes;
  };
  for (Operand &operand : operands) {
    sparse::Tensor &tensor = operand.tensor;
    for (auto *list : {&tensor.positions, &tensor.coordinates})
      for (sparse::IndexArray &array : *list)
        addSize(array.data(), array.size() * array.width() / 8);
    addSize(tensor.values.data(), int64_t(tensor.values.size()));
  }
  std::string error;
  bool isFine = cpu::execute(
      host, slots, arrays,
      [&](const std::string &name, const std::vector<int64_t> &arguments,
          std::string &) {
        auto kernel = module.lookupSymbol<tile::KernelOp>(name);
        std::vector<interp::Argument> bound;
        for (auto [type, value] :
             zip(kernel.getFunctionType().getInputs(), arguments)) {
          auto pointer = dyn_cast<tile::PtrType>(type);
          if (!pointer) {
            bound.push_back(value);
            continue;
          }
          int64_t bytes = arrays.sizeOf(reinterpret_cast<void *>(value));
          if (bytes < 0)
            bytes = sizes.count(value) ? sizes.at(value) : 0;
          int64_t size = pointer.getElementType().getIntOrFloatBitWidth() / 8;
          interp::Buffer buffer;
          buffer.data = reinterpret_cast<void *>(value);
          buffer.shape = {bytes / size};
          bound.push_back(buffer);
        }
        return succeeded(interp::interpret(kernel, bound));
      },
      error);
  if (isFine)
    return kFine;
  return error.empty() ? program.exitCode() : fail(diag::einsum_run, error);
}
