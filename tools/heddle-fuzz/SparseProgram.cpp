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

/// Who carries programs out.
enum class By { Loops, Streams };

struct Tensor {
  std::string name, indices;
  std::string layout; ///< "" if dense
  bool isDense() const { return layout.empty(); }
};

class SparseGenerator {
public:
  SparseGenerator(uint64_t seed, By by)
      : rng(Choice(seed).bits()), areStreams(by == By::Streams) {}
  Program run();

private:
  std::string draw(const std::string &from, int64_t count);
  std::string drawLayout(const std::string &chosen, bool isSparse);
  Functions drawFunctions(bool isFree);
  Tensor drawOperand();
  void renameIndices(Tensor &tensor);
  std::string describeType(const Tensor &tensor) const;
  std::string drawTerm(bool isFree, std::vector<Tensor> &factors);
  void drawStatement(int number);
  void drawSizes();
  std::string loopCommand(bool isSingle);
  std::string drawRegions(int statements);
  std::string streamCommands(int statements);
  std::string describeOperands();

  Choice rng;
  bool areStreams;
  std::string all;            ///< indices
  std::vector<int64_t> sizes; ///< of `all`
  std::string element;
  std::string semiring;
  bool hasFunctions = false;
  std::vector<Tensor> arguments, results;
  std::string body;
  std::string walked; ///< indices of statements
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
  // Streams do not walk lists of coordinates.
  size_t kind = rng.weighted({isSparse ? 0 : 30, 60, areStreams ? 0 : 10});
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

/// Dense levels and a compressed one inside.
static std::string countedRows(size_t rank) {
  std::vector<std::string> dims, places;
  for (size_t i = 0; i < rank; ++i) {
    dims.push_back("d" + std::to_string(i));
    places.push_back(dims.back() +
                     (i + 1 == rank ? " : compressed" : " : dense"));
  }
  return "#sparse_tensor.encoding<{ map = (" + join(dims, ", ") + ") -> (" +
         join(places, ", ") + ") }>";
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

/// A tensor read by other indices of the same extents: rows of a result are
/// needed by who has no row in common with it.
void SparseGenerator::renameIndices(Tensor &tensor) {
  std::string renamed;
  for (char index : tensor.indices) {
    std::vector<char> same;
    for (char other : all)
      if (sizes[all.find(other)] == sizes[all.find(index)])
        same.push_back(other);
    char chosen = rng.of(same);
    if (renamed.find(chosen) != std::string::npos)
      return;
    renamed += chosen;
  }
  tensor.indices = renamed;
}

std::string SparseGenerator::drawTerm(bool isFree,
                                      std::vector<Tensor> &factors) {
  std::vector<std::string> texts;
  for (size_t left = 1 + rng.weighted({20, 45, 25, 10}); left > 0; --left) {
    Tensor factor = drawOperand();
    if (areStreams && rng.percent(50))
      renameIndices(factor);
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
  walked += used;
  Tensor result;
  result.name = "R" + std::to_string(number);
  result.indices =
      draw(used, rng.between(1, std::min<int64_t>(3, int64_t(used.size()))));
  // Mostly in the order of all tensors, since streams are in that of levels.
  if (areStreams && rng.percent(75))
    llvm::sort(result.indices);
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
    result.layout = countedRows(result.indices.size());
  } else if (sort < 45) { // the positions of an operand
    const Tensor &like = rng.of(operands);
    result.indices = like.indices;
    result.layout = like.layout;
  }
  // Mostly results that streams hand on without filling anything in.
  if (areStreams && result.isDense() && !result.indices.empty() &&
      rng.percent(60))
    result.layout = countedRows(result.indices.size());
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
  if (areStreams && rng.percent(50))
    sizes.assign(sizes.size(), sizes.front());
  if (rng.percent(80))
    for (int64_t &size : sizes)
      size = std::max<int64_t>(size, 2);
}

/// By loops: a drawn plan or all of them, or one kernel on the emulator.
std::string SparseGenerator::loopCommand(bool isSingle) {
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
  return text + describeOperands() + "\n";
}

/// Which statements hand streams on: all, none, some neighbours, or any.
std::string SparseGenerator::drawRegions(int statements) {
  std::vector<std::string> regions;
  size_t kind = rng.weighted({35, 15, 35, 15});
  int64_t region = 0;
  for (int number = 0; number < statements; ++number) {
    if (kind == 3)
      region = rng.below(statements);
    else if (number > 0 && (kind == 1 || (kind == 2 && rng.percent(40))))
      ++region;
    regions.push_back(std::to_string(region));
  }
  return join(regions, ",");
}

/// By streams, with the same orders, regions and copies in each order of
/// execution, by both simulators, with the fewest slots of each ring and one
/// less, and with any number of them.
std::string SparseGenerator::streamCommands(int statements) {
  std::string text = "//$ heddle simulate FILE --plan=random --regions=" +
                     drawRegions(statements) + describeOperands();
  if (rng.percent(25)) {
    char index = all[size_t(rng.below(int64_t(all.size())))];
    int64_t copies = rng.between(2, 4), chunk = rng.between(1, 3);
    if (walked.find(index) != std::string::npos)
      text += " --parallel=" + std::string(1, index) + ":" +
              std::to_string(copies) + ":" + std::to_string(chunk);
  }
  std::string slots = std::to_string(rng.of({1, 2, 3, 4, 6, 9, 17, 40}));
  std::string lines;
  for (std::string way :
       {std::string("fair"), std::string("random --schedules=2"),
        std::string("timed --engine=both"),
        std::string("adversarial --slots=tight"),
        rng.of({"fair", "random", "adversarial", "timed"}) +
            (" --slots=" + slots)})
    lines += text + " --order=" + way + "\n";
  return lines;
}

std::string SparseGenerator::describeOperands() {
  std::string text = " --seed=" + std::to_string(rng.below(100000));
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
  return text;
}

Program SparseGenerator::run() {
  all = std::string("ijkl").substr(0, size_t(rng.of({1, 2, 2, 3, 3, 4})));
  element = areStreams ? rng.of({"f32", "f64"})
                       : rng.of({"f32", "f32", "f64", "f64", "f16", "bf16"});
  semiring = rng.of(
      {"plus-times", "plus-times", "plus-times", "min-plus", "max-plus"});
  hasFunctions = rng.percent(50);
  if (hasFunctions && rng.percent(10))
    semiring = "max-times";
  drawSizes();
  int statements =
      areStreams ? int(rng.between(1, 6)) : 1 + int(rng.weighted({60, 25, 15}));
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
  program.text =
      (areStreams ? streamCommands(statements) : loopCommand(statements == 1)) +
      "einsum.program @p(" + join(parameters, ", ") + ") {\n" + body +
      "  einsum.return " + join(names, ", ") + " : " + join(types, ", ") +
      "\n}\n";
  return program;
}

} // namespace

Program generateSparse(uint64_t seed) {
  return SparseGenerator(seed, By::Loops).run();
}

Program generateStreams(uint64_t seed) {
  return SparseGenerator(seed, By::Streams).run();
}

} // namespace heddle::fuzz
