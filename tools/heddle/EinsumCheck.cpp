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
#include <map>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using sparse::Entry;
using sparse::OracleResult;
using sparse::OracleSum;

/// By what errors of elements that no product reaches are judged: functions
/// are computed of the zero, too.
static double emptyScaleOf(const sparse::Statement &statement) {
  double value = zeroOf(statement.semiring), scale = 0;
  for (ScalarFunction function : statement.then) {
    scale = scaleOf(function, value, scale);
    value = applyFunction(function, value);
  }
  return statement.mask ? 0 : scale;
}

/// What the result stores: what was computed, and what dense levels at its end
/// store beside that.
static std::vector<Entry> entriesOf(const OracleResult &result,
                                    const sparse::Statement &statement) {
  std::vector<Entry> entries;
  const sparse::Access &made = statement.result;
  int sparseLevels = made.format.rank();
  while (sparseLevels > 0 &&
         made.format.levels[size_t(sparseLevels) - 1] == sparse::Level::Dense)
    --sparseLevels;
  entries.reserve(result.sums.size());
  if (sparseLevels == made.format.rank() && sparseLevels > 0) {
    for (const auto &[key, sum] : result.sums)
      entries.push_back({result.coordinatesOf(key), sum.value, sum.scale});
    return entries;
  }
  // Elements with the same coordinates in the levels above, once.
  std::map<std::vector<int64_t>, std::vector<int64_t>> parents;
  if (sparseLevels == 0)
    parents[{}].assign(result.extents.size(), 0);
  for (const auto &[key, sum] : result.sums) {
    std::vector<int64_t> coordinates = result.coordinatesOf(key);
    std::vector<int64_t> above;
    for (int level = 0; level < sparseLevels; ++level)
      above.push_back(coordinates[size_t(made.format.axes[size_t(level)])]);
    parents.try_emplace(std::move(above), coordinates);
    entries.push_back({std::move(coordinates), sum.value, sum.scale});
  }
  int64_t count = 1;
  for (int level = sparseLevels; level < made.format.rank(); ++level)
    count *= result.extents[size_t(made.format.axes[size_t(level)])];
  for (auto &[above, coordinates] : parents)
    for (int64_t number = 0; number < count; ++number) {
      int64_t rest = number;
      for (int level = sparseLevels; level < made.format.rank(); ++level) {
        size_t axis = size_t(made.format.axes[size_t(level)]);
        coordinates[axis] = rest % result.extents[axis];
        rest /= result.extents[axis];
      }
      if (!result.sums.has(result.keyOf(coordinates)))
        entries.push_back(
            {coordinates, statement.emptyValue(), emptyScaleOf(statement)});
    }
  return entries;
}

/// What one element takes besides its products: functions, each of at most
/// eight roundings, numbers in front, and the sum of terms.
static int64_t roundingsOf(const sparse::Statement &statement) {
  int64_t count = int64_t(statement.terms.size());
  for (const auto &term : statement.terms)
    for (const sparse::Access &access : term)
      count += 1 + 8 * int64_t(access.functions.size());
  return count + 8 * int64_t(statement.then.size());
}

/// Half a unit of short elements beside a number, and the least number that
/// has all digits; no short ones: 0.
struct ShortElement {
  explicit ShortElement(sparse::Element element) {
    if (element == sparse::Element::F16)
      halfUnit = 0x1p-11, least = 0x1p-14;
    if (element == sparse::Element::BF16)
      halfUnit = 0x1p-9, least = FLT_MIN;
  }
  double halfUnit = 0, least = 0;
};

/// How many roundings of short elements a product brings in, at most.
static int64_t
shortRoundingsOf(const sparse::Statement &statement,
                 const std::map<std::string, int64_t> &roundings) {
  int64_t most = 0;
  for (const auto &term : statement.terms) {
    int64_t count = 0;
    for (const sparse::Access &access : term)
      if (auto known = roundings.find(access.tensor); known != roundings.end())
        count += known->second;
    most = std::max(most, count);
  }
  return most;
}

/// Whether the statement makes integers of integers.
static bool keepsIntegers(const sparse::Statement &statement) {
  auto areExact = [](const std::vector<ScalarFunction> &functions) {
    return all_of(functions, isExact);
  };
  return areExact(statement.then) &&
         all_of(statement.coefficients,
                [](double value) { return value == std::floor(value); }) &&
         all_of(statement.terms, [&](const auto &term) {
           return all_of(term, [&](const sparse::Access &access) {
             return areExact(access.functions);
           });
         });
}

std::string EinsumCheck::evaluate(const std::vector<Operand> &operands,
                                  const ProgramStatistics &statistics) {
  std::map<std::string, const std::vector<Entry> *> known;
  for (const Operand &operand : operands)
    known[operand.name] = &operand.entries;
  std::map<std::string, std::vector<Entry>> made; // what known points at, too
  auto isRead = [&](const std::string &name) {
    for (const sparse::Statement &statement : statements)
      for (const auto &term : statement.terms)
        for (const sparse::Access &access : term)
          if (access.tensor == name)
            return true;
    return false;
  };
  int64_t sofar = 4;
  std::map<std::string, int64_t> roundingsOfResults;
  bool areIntegers = true;
  for (auto [number, statement] : enumerate(statements)) {
    sparse::FactorEntries factors;
    for (const auto &term : statement.terms) {
      factors.emplace_back();
      for (const sparse::Access &access : term)
        factors.back().push_back(known.at(access.tensor));
    }
    std::string error = sparse::evaluate(
        statement, factors, statistics[number].extents, values.emplace_back());
    if (!error.empty())
      return error;
    const std::string &name = statement.result.tensor;
    if (isRead(name)) {
      made[name] = entriesOf(values.back(), statement);
      known[name] = &made[name];
    }
    shortRoundings.push_back(shortRoundingsOf(statement, roundingsOfResults));
    // Later ones read what is stored.
    if (ShortElement element(statement.element); element.halfUnit > 0) {
      roundingsOfResults[name] = shortRoundings.back() + 1;
      for (Entry &entry : made[name]) {
        entry.value = sparse::roundTo(statement.element, entry.value);
        entry.scale =
            std::max({entry.scale, std::fabs(entry.value), element.least});
      }
    }
    int64_t most = 0;
    for (const auto &[key, sum] : values.back().sums)
      most = std::max(most, sum.count);
    sofar += most + roundingsOf(statement);
    roundings.push_back(sofar);
    areIntegers &= keepsIntegers(statement);
    keepIntegers.push_back(areIntegers);
  }
  return {};
}

std::string EinsumCheck::store(size_t number, sparse::Tensor &result) const {
  const sparse::Statement &statement = statements[number];
  std::string error;
  sparse::Tensor::build(statement.result.format, statement.element,
                        values[number].extents,
                        entriesOf(values[number], statement), result, error);
  return error;
}

bool EinsumCheck::compare(size_t number, const sparse::Tensor &result,
                          bool areIntegers, raw_ostream &os) const {
  const sparse::Statement &statement = statements[number];
  const OracleResult &expected = values[number];
  bool isF64 = statement.element == sparse::Element::F64;
  double unit = isF64 ? DBL_EPSILON : FLT_EPSILON;
  bool isExact = areIntegers && keepIntegers[number];
  ShortElement element(statement.element);
  double empty = statement.emptyValue(), emptyScale = emptyScaleOf(statement);
  os << statement.result.tensor << " (";
  for (int64_t extent : result.extents)
    os << extent << "x";
  os << sparse::spell(statement.element) << "): ";
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
    bool isEmpty = at == expected.sums.end();
    double wanted = isEmpty ? empty : at->second.value;
    double scale =
        isEmpty ? emptyScale : std::max(at->second.scale, std::fabs(wanted));
    bool isSame = entry.value == sparse::roundTo(statement.element, wanted) ||
                  (std::isnan(entry.value) && std::isnan(wanted));
    double error = isSame ? 0 : std::fabs(entry.value - wanted);
    // Below the least normal number, nothing is promised. Infinity, the zero of
    // some semirings, is no number to be near.
    double bound = 0;
    if (!isExact && scale > 0 && std::isfinite(wanted))
      bound = double(roundings[number]) *
              (unit / 2 * scale + (isF64 ? DBL_MIN : double(FLT_MIN)));
    // A sum of short elements is rounded once more.
    if (element.halfUnit > 0 && std::isfinite(wanted))
      bound +=
          element.halfUnit * (std::max(std::fabs(wanted), element.least) +
                              1.01 * double(shortRoundings[number]) * scale);
    if (!isSame && !(error <= bound)) {
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
                                   cpu::Arrays &arrays, int64_t maxSteps) {
  interp::Options limits;
  limits.maxSteps = maxSteps;
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
        return succeeded(interp::interpret(kernel, bound, limits));
      },
      error);
  if (isFine)
    return kFine;
  return error.empty() ? program.exitCode() : fail(diag::einsum_run, error);
}
