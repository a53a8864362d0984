//===- SparseProgram.cpp - Random sparse einsums --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements are drawn so that numbers stay moderate, because the oracle
// computes in double and kernels may in f32: functions that grow fast stand
// behind ones that are bounded. A function that makes something else of an
// element that is not stored is drawn only where the rung allows it.
//
//===----------------------------------------------------------------------===//

#include "SparseProgram.h"

#include "Choice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::fuzz {

namespace {

using Functions = std::vector<std::string>; ///< the first is computed first

struct Tensor {
  std::string name, indices;
  std::string layout; ///< "" if dense
  bool isDense() const { return layout.empty(); }
};

class SparseGenerator {
public:
  explicit SparseGenerator(uint64_t seed) : rng(Choice(seed).bits()) {}
  Program run();

private:
  std::string draw(const std::string &from, int64_t count);
  std::string drawLayout(const std::string &chosen, bool isSparse);
  Functions drawFunctions(bool isFree);
  Tensor drawOperand();
  std::string describeType(const Tensor &tensor) const;
  std::string drawTerm(bool isFree, std::vector<Tensor> &factors);
  void drawStatement(int number);
  void drawSizes();
  std::string command(bool isSingle);

  Choice rng;
  std::string all;            ///< indices
  std::vector<int64_t> sizes; ///< of `all`
  std::string element;
  std::string semiring;
  bool hasFunctions = false;
  std::vector<Tensor> arguments, results;
  std::string body;
};

/// So many of the letters, in any order.
std::string SparseGenerator::draw(const std::string &from, int64_t count) {
  std::string rest = from, chosen;
  while (count-- > 0) {
    size_t at = size_t(rng.below(int64_t(rest.size())));
    chosen += rest[at];
    rest.erase(at, 1);
  }
  return chosen;
}

/// A random format; "" for a dense tensor.
std::string SparseGenerator::drawLayout(const std::string &chosen,
                                        bool isSparse) {
  size_t rank = chosen.size();
  size_t kind = rng.weighted({isSparse ? 0 : 30, 60, 10});
  if (kind == 0)
    return "";
  std::vector<std::string> levels;
  for (size_t i = 0; i < rank; ++i)
    levels.push_back(rng.percent(55) ? "compressed" : "dense");
  if (!is_contained(levels, "compressed"))
    levels.back() = "compressed";
  if (kind == 2 && rank > 1) {
    levels.assign(rank, "singleton(nonunique)");
    levels.front() = "compressed(nonunique)";
    levels.back() = "singleton";
  }
  // Mostly in one order for all tensors, as no nest walks some of the others.
  std::string letters = "0123";
  std::string axes = letters.substr(0, rank);
  llvm::sort(axes, [&](char a, char b) {
    return chosen[size_t(a - '0')] < chosen[size_t(b - '0')];
  });
  if (rng.percent(20))
    axes = draw(axes, int64_t(rank));
  std::vector<std::string> dims, places;
  for (size_t i = 0; i < rank; ++i) {
    dims.push_back(std::string("d") + letters[i]);
    places.push_back(std::string("d") + axes[i] + " : " + levels[i]);
  }
  int width = rng.of({0, 32, 64});
  std::string widths = width ? ", posWidth = " + std::to_string(width) +
                                   ", crdWidth = " + std::to_string(width)
                             : "";
  return "#sparse_tensor.encoding<{ map = (" + join(dims, ", ") + ") -> (" +
         join(places, ", ") + ")" + widths + " }>";
}

/// `isFree`: what is not stored plays no part, so any function will do.
Functions SparseGenerator::drawFunctions(bool isFree) {
  // Those that leave the zero of the semiring as it is.
  std::vector<Functions> known;
  if (semiring == "plus-times")
    known = {{"neg"}, {"abs"},  {"relu"}, {"tanh"},        {"square"},
             {"erf"}, {"gelu"}, {"silu"}, {"abs", "sqrt"}, {"neg", "relu"}};
  else if (semiring == "min-plus")
    known = {{"abs"}, {"relu"}, {"abs", "square"}, {"abs", "sqrt"}};
  if (isFree)
    for (Functions more :
         std::initializer_list<Functions>{{"abs", "neg", "exp"},
                                          {"sigmoid"},
                                          {"tanh", "exp", "reciprocal"},
                                          {"tanh", "exp", "log"},
                                          {"tanh", "sigmoid", "rsqrt"},
                                          {"relu", "neg", "exp"}})
      known.push_back(more);
  if (known.empty() || !hasFunctions || !rng.percent(40))
    return {};
  return rng.of(known);
}

std::string SparseGenerator::describeType(const Tensor &tensor) const {
  std::string type = "tensor<";
  for (size_t i = 0; i < tensor.indices.size(); ++i)
    type += "?x";
  return type + element + (tensor.isDense() ? "" : ", " + tensor.layout) + ">";
}

/// A new argument, one that is there, or what a statement before made.
Tensor SparseGenerator::drawOperand() {
  std::vector<Tensor> readable;
  for (const Tensor &result : results)
    if (!result.indices.empty())
      readable.push_back(result);
  if (!readable.empty() && rng.percent(50))
    return rng.of(readable);
  if (!arguments.empty() && rng.percent(12))
    return rng.of(arguments);
  Tensor made;
  made.name = "T" + std::to_string(arguments.size());
  int64_t most = int64_t(all.size());
  made.indices = draw(
      all, std::min(most, int64_t(1) + int64_t(rng.weighted({30, 40, 22, 8}))));
  made.layout = drawLayout(made.indices, false);
  arguments.push_back(made);
  return made;
}

std::string SparseGenerator::drawTerm(bool isFree,
                                      std::vector<Tensor> &factors) {
  std::vector<std::string> texts;
  for (size_t left = 1 + rng.weighted({20, 45, 25, 10}); left > 0; --left) {
    Tensor factor = drawOperand();
    std::string text = "%" + factor.name + "(";
    std::vector<std::string> letters;
    for (char index : factor.indices)
      letters.push_back(std::string(1, index));
    text += join(letters, ", ") + ")";
    for (const std::string &function :
         drawFunctions(isFree || factor.isDense()))
      text = function + "(" + text + ")";
    texts.push_back(text);
    factors.push_back(factor);
  }
  return join(texts, " * ");
}

void SparseGenerator::drawStatement(int number) {
  std::vector<Tensor> operands;
  bool hasMask = hasFunctions && rng.percent(35);
  std::string text;
  for (int64_t term = 0, count = rng.percent(25) ? 2 : 1; term < count;
       ++term) {
    std::string coefficient;
    if (semiring == "plus-times" && hasFunctions)
      coefficient = rng.of({"", "", "", "0.5 * ", "2.0 * "});
    bool isMinus = semiring == "plus-times" && hasFunctions && rng.percent(30);
    text += isMinus ? " - " : term ? " + " : " ";
    text += coefficient + drawTerm(hasMask, operands);
  }
  std::string used;
  for (char index : all)
    if (any_of(operands, [&](const Tensor &operand) {
          return operand.indices.find(index) != std::string::npos;
        }))
      used += index;
  Tensor result;
  result.name = "R" + std::to_string(number);
  result.indices =
      draw(used, rng.between(1, std::min<int64_t>(3, int64_t(used.size()))));
  if (!hasMask && rng.percent(10))
    result.indices.clear();
  // Without a mask no sparse result has several terms yet.
  int64_t terms = llvm::count(text, '+') + llvm::count(text, '-');
  int64_t sort = terms > 0 && !hasMask && rng.percent(85) ? 99 : rng.below(100);
  // Sometimes what a sparse operand has, in another order.
  const Tensor &first = operands.front();
  if (terms == 0 && !first.isDense() && rng.percent(20)) {
    result.indices = draw(first.indices,
                          std::min<int64_t>(3, int64_t(first.indices.size())));
    sort = 0;
  }
  if (sort < 25 && !result.indices.empty()) { // counted rows
    std::vector<std::string> dims, places;
    for (size_t i = 0; i < result.indices.size(); ++i) {
      dims.push_back("d" + std::to_string(i));
      places.push_back(dims.back() + (i + 1 == result.indices.size()
                                          ? " : compressed"
                                          : " : dense"));
    }
    result.layout = "#sparse_tensor.encoding<{ map = (" + join(dims, ", ") +
                    ") -> (" + join(places, ", ") + ") }>";
  } else if (sort < 45) { // the positions of an operand
    const Tensor &like = rng.of(operands);
    result.indices = like.indices;
    result.layout = like.layout;
  }
  if (hasMask) {
    Tensor mask;
    mask.name = "M" + std::to_string(number);
    mask.indices = result.indices;
    if (rng.percent(20))
      mask.indices =
          draw(result.indices, rng.between(1, int64_t(result.indices.size())));
    mask.layout = drawLayout(mask.indices, true);
    // Elements that a statement before made, or those of a new argument.
    std::vector<Tensor> made;
    for (const Tensor &before : results)
      if (!before.isDense() && all_of(before.indices, [&](char index) {
            return result.indices.find(index) != std::string::npos;
          }))
        made.push_back(before);
    bool isNew = made.empty() || rng.percent(40);
    if (!isNew)
      mask = rng.of(made);
    std::vector<std::string> letters;
    for (char index : mask.indices)
      letters.push_back(std::string(1, index));
    text += " where %" + mask.name + "(" + join(letters, ", ") + ")";
    if (mask.indices == result.indices && rng.percent(70))
      result.layout = mask.layout;
    if (isNew)
      arguments.push_back(mask);
    operands.push_back(mask);
  }
  if (semiring != "plus-times")
    text += " over \"" + semiring + "\"";
  Functions then = drawFunctions(result.isDense() || hasMask);
  if (!then.empty())
    text += " then " + join(then, ", ");
  std::vector<std::string> types, letters;
  for (const Tensor &operand : operands)
    types.push_back(describeType(operand));
  for (char index : result.indices)
    letters.push_back(std::string(1, index));
  body += "  %" + result.name + " = einsum.statement (" + join(letters, ", ") +
          ") +=" + text + "\n    : " + join(types, ", ") + " -> " +
          describeType(result) + "\n";
  results.push_back(result);
}

/// The more indices, the fewer iterations of each.
void SparseGenerator::drawSizes() {
  std::vector<int64_t> extents = {0, 1, 2, 3, 5, 8, 9, 17, 31, 70};
  extents.resize(all.size() > 3 ? 7 : all.size() > 2 ? 9 : 10);
  for (size_t i = 0; i < all.size(); ++i)
    sizes.push_back(rng.of(extents));
  if (rng.percent(80))
    for (int64_t &size : sizes)
      size = std::max<int64_t>(size, 2);
}

std::string SparseGenerator::command(bool isSingle) {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= std::max<int64_t>(size, 1);
  std::string text = "//$ heddle run FILE";
  if (isSingle && rng.percent(12)) {
    text += " --device=emulator";
  } else {
    // All of them take long where there are many.
    text += isSingle && all.size() < 4 && rng.percent(25) ? " --plan=all"
                                                          : " --plan=random";
    if (product <= 3000)
      text += " --interpret";
  }
  text += " --seed=" + std::to_string(rng.below(100000));
  if (rng.percent(50))
    text += " --ints";
  for (const Tensor &argument : arguments) {
    std::vector<std::string> extents;
    for (char index : argument.indices)
      extents.push_back(std::to_string(sizes[all.find(index)]));
    text += " --view=" + argument.name + "=" + join(extents, "x");
    if (argument.isDense())
      continue;
    text += " --pattern=" + argument.name + "=" +
            rng.of({"uniform", "uniform", "skewed", "empty", "full", "one"});
    text += " --density=" + argument.name + "=" +
            rng.of({"0.02", "0.1", "0.3", "0.7"});
  }
  return text + "\n";
}

Program SparseGenerator::run() {
  all = std::string("ijkl").substr(0, size_t(rng.of({1, 2, 2, 3, 3, 4})));
  element = rng.of({"f32", "f32", "f64", "f64", "f16", "bf16"});
  semiring = rng.of(
      {"plus-times", "plus-times", "plus-times", "min-plus", "max-plus"});
  hasFunctions = rng.percent(50);
  if (hasFunctions && rng.percent(10))
    semiring = "max-times";
  drawSizes();
  int statements = 1 + int(rng.weighted({60, 25, 15}));
  for (int number = 0; number < statements; ++number)
    drawStatement(number);
  // What a later one reads is compared, too, in some programs.
  std::vector<std::string> names, types, parameters;
  for (const Tensor &result : results)
    if (result.name == results.back().name || rng.percent(50)) {
      names.push_back("%" + result.name);
      types.push_back(describeType(result));
    }
  for (const Tensor &argument : arguments)
    parameters.push_back("%" + argument.name + ": " + describeType(argument));
  Program program;
  program.text = command(statements == 1) + "einsum.program @p(" +
                 join(parameters, ", ") + ") {\n" + body + "  einsum.return " +
                 join(names, ", ") + " : " + join(types, ", ") + "\n}\n";
  return program;
}

} // namespace

Program generateSparse(uint64_t seed) { return SparseGenerator(seed).run(); }

} // namespace heddle::fuzz
