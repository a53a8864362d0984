//===- Legal.cpp - The rules of a nest ------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the indices of an order are iterated, and whether a nest carries out its
// term. A nest comes from the planner or from a person; both are asked the same
// questions, and the answers are sentences.
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Plan.h"
#include "heddle/Sparse/Streams.h"

#include <algorithm>

using namespace heddle::sparse;

std::string heddle::sparse::spell(Into into) {
  switch (into) {
  case Into::Registers:
    return "registers";
  case Into::Memory:
    return "memory";
  case Into::Bitmap:
    return "bitmap";
  }
  return {};
}

std::string heddle::sparse::spell(Assemble assemble,
                                  const std::string &pattern) {
  switch (assemble) {
  case Assemble::None:
    return "none";
  case Assemble::Same:
    return "same " + pattern;
  case Assemble::CountFill:
    return "count-fill";
  case Assemble::CountScatter:
    return "count-scatter";
  }
  return {};
}

std::string heddle::sparse::deriveLoops(const Statement &statement, int term,
                                        const std::vector<int> &order,
                                        std::vector<std::string> &loops) {
  loops.clear();
  std::vector<bool> isBound(statement.indices.size());
  for (int index : order) {
    std::vector<const Access *> sparse;
    bool isList = false;
    for (const Access &access : statement.terms[term]) {
      int level = access.levelOfIndex(index);
      if (level < 0 || access.format.levels[level] == Level::Dense)
        continue;
      for (int above = 0; above < level; ++above)
        if (!isBound[access.indexOfLevel(above)])
          return access.tensor + " is stored by " +
                 statement.indices[access.indexOfLevel(above)] + " before " +
                 statement.indices[index] +
                 ", and the nest has them the other way round";
      sparse.push_back(&access);
      isList |= access.format.levels[level] != Level::Compressed;
    }
    isBound[index] = true;
    if (sparse.empty()) {
      loops.push_back("dense");
      continue;
    }
    if (sparse.size() > 1 && isList)
      return "coordinate storage is not merged with another sparse operand "
             "yet, and both " +
             sparse[0]->tensor + " and " + sparse[1]->tensor + " have " +
             statement.indices[index];
    std::string loop = sparse.size() > 1 ? "merge" : "walk";
    for (const Access *access : sparse)
      loop += " " + access->tensor;
    loops.push_back(loop);
  }
  return {};
}

int heddle::sparse::findPattern(const Statement &statement, const Nest &nest) {
  const std::vector<Access> &factors = statement.terms[size_t(nest.term)];
  const Access &result = statement.result;
  int named = -1;
  for (int at = 0; at < int(factors.size()); ++at) {
    if (factors[size_t(at)].tensor != nest.pattern)
      continue;
    const Access &access = factors[size_t(at)];
    bool fits = access.format.rank() >= result.format.rank();
    for (int level = 0; fits && level < result.format.rank(); ++level)
      fits = access.indexOfLevel(level) == result.indexOfLevel(level);
    if (fits)
      return at;
    named = named < 0 ? at : named;
  }
  return named;
}

static const Access *patternOf(const Statement &statement, const Nest &nest) {
  int factor = findPattern(statement, nest);
  return factor < 0 ? nullptr
                    : &statement.terms[size_t(nest.term)][size_t(factor)];
}

/// Whether a loop is dense or walks this access, and not another one of the
/// same tensor.
static bool isWalkedBy(const Nest &nest, size_t at, const Access *access) {
  if (nest.loops[at] == "dense")
    return true;
  if (!access || nest.loops[at] != "walk " + access->tensor)
    return false;
  int level = access->levelOfIndex(nest.order[at]);
  return level >= 0 && access->format.levels[size_t(level)] != Level::Dense;
}

namespace {

class Rules {
public:
  Rules(const Statement &statement, const Nest &nest)
      : statement(statement), nest(nest) {}

  std::string check() {
    if (nest.term < 0 || nest.term >= int(statement.terms.size()))
      return "there is no term " + std::to_string(nest.term);
    std::vector<int> wanted = statement.indicesOf(nest.term),
                     given = nest.order;
    std::sort(given.begin(), given.end());
    if (given != wanted)
      return "the order must have each index of the term once: " +
             listOf(wanted);
    std::vector<std::string> loops;
    std::string error = deriveLoops(statement, nest.term, nest.order, loops);
    if (!error.empty())
      return error;
    for (size_t i = 0; i < loops.size(); ++i)
      if (loops[i] != nest.loops[i])
        return "the loop over " + name(nest.order[i]) + " is \"" + loops[i] +
               "\" with these formats, not \"" + nest.loops[i] + "\"";
    for (auto rule :
         {&Rules::checkVector, &Rules::checkResult, &Rules::checkParallel}) {
      error = (this->*rule)();
      if (!error.empty())
        return error;
    }
    return {};
  }

private:
  std::string name(int index) const { return statement.indices[index]; }

  std::string listOf(const std::vector<int> &indices) const {
    std::string text;
    for (int index : indices)
      text += (text.empty() ? "" : ", ") + name(index);
    return text;
  }

  bool isReduction(int index) const { return !statement.isOutput(index); }

  /// Whether all indices of the result come before all others; the vector axis
  /// is wherever it is, since its elements lie side by side.
  bool hasOutputsFirst() const {
    bool reduced = false;
    for (int index : nest.order) {
      if (index == nest.vector)
        continue;
      if (reduced && !isReduction(index))
        return false;
      reduced |= isReduction(index);
    }
    return true;
  }

  /// Whether two iterations may have the same coordinates of the result: a list
  /// repeats the coordinate of its first levels.
  bool repeatsOutputs() const {
    for (const Access &access : statement.terms[nest.term]) {
      bool isList = false, outputs = true;
      for (int level = 0; level < access.format.rank(); ++level) {
        Level kind = access.format.levels[level];
        isList |= kind == Level::List;
        if (isList && kind != Level::Dense)
          outputs &= statement.isOutput(access.indexOfLevel(level));
      }
      if (isList && !outputs)
        return true;
    }
    return false;
  }

  std::string checkVector() {
    if (nest.vector < 0)
      return nest.width == 1 ? "" : "a nest without a vector axis has width 1";
    if (nest.width < 2)
      return "a vector axis has a width of at least 2";
    if (nest.order.back() != nest.vector)
      return "the vector axis " + name(nest.vector) +
             " is the last of the order";
    const std::string &loop = nest.loops.back();
    if (!isReduction(nest.vector)) {
      if (loop != "dense")
        return "the vector axis " + name(nest.vector) +
               " belongs to the result, so its loop must be dense, not \"" +
               loop + "\"";
      if (!statement.result.format.isDense())
        return "a sparse result has no vector axis of its own";
      return {};
    }
    if (nest.into != Into::Registers)
      return "a vector axis that is summed over needs into \"registers\"";
    for (const Access &access : statement.terms[nest.term]) {
      int level = access.levelOfIndex(nest.vector);
      if (level >= 0 && access.format.levels[level] != Level::Dense &&
          (loop.rfind("walk ", 0) != 0 ||
           access.format.levels[level] != Level::Compressed))
        return "the vector axis " + name(nest.vector) +
               " is dense, or the compressed level of one operand, not \"" +
               loop + "\"";
    }
    return {};
  }

  std::string checkSame() {
    const Access *pattern = patternOf(statement, nest);
    const Access &result = statement.result;
    if (!pattern)
      return "no operand of the term is called " + nest.pattern;
    if (pattern->format.rank() < result.format.rank() ||
        pattern->format.positionBits != result.format.positionBits ||
        pattern->format.coordinateBits != result.format.coordinateBits)
      return "the result has not the format of " + nest.pattern;
    for (int level = 0; level < result.format.rank(); ++level)
      if (result.format.levels[level] != pattern->format.levels[level] ||
          result.indexOfLevel(level) != pattern->indexOfLevel(level))
        return "level " + std::to_string(level) +
               " of the result is not that of " + nest.pattern;
    if (statement.mask && !pattern->isAlike(*statement.mask))
      return "the result has the elements of its mask, " +
             statement.mask->tensor + ", not those of " + nest.pattern;
    if (nest.into != Into::Registers)
      return "a result with the positions of an operand needs into "
             "\"registers\"";
    if (!hasOutputsFirst())
      return "a result with the positions of an operand needs its indices "
             "before all others";
    if (repeatsOutputs())
      return "the levels of " + nest.pattern +
             " that the result lacks repeat its coordinates";
    return checkExact(*pattern);
  }

  /// Loops that are those of the pattern alone reach each of its elements.
  std::string checkExact(const Access &pattern) const {
    if (!statement.hasExactElements)
      return {};
    for (size_t at = 0; at < nest.order.size(); ++at)
      if (isReduction(nest.order[at]) || !isWalkedBy(nest, at, &pattern))
        return "a later statement tells elements of " +
               statement.result.tensor +
               " that no product reaches from missing ones, and " +
               nest.pattern + " may have such; say `where` " + nest.pattern +
               " stores an element";
    return {};
  }

  std::string checkCounted() const {
    const Format &format = statement.result.format;
    for (int level = 0; level < format.rank(); ++level) {
      bool isLast = level + 1 == format.rank();
      if (format.levels[level] != (isLast ? Level::Compressed : Level::Dense))
        return "a result whose positions are counted has dense levels and one "
               "compressed level, the last";
    }
    return {};
  }

  /// Elements of one operand go to the end of their rows. Loops go up, so that
  /// a row's elements come in their order.
  std::string checkCountScatter() const {
    if (std::string error = checkCounted(); !error.empty())
      return error;
    if (nest.into != Into::Memory)
      return "count-scatter needs into \"memory\"";
    if (statement.mask)
      return "count-scatter has the elements of an operand, not of the mask " +
             statement.mask->tensor;
    const Access *source = nullptr;
    for (const Access &access : statement.terms[nest.term]) {
      if (access.format.isDense())
        continue;
      if (source)
        return "count-scatter takes the elements of one sparse operand, and "
               "there are " +
               source->tensor + " and " + access.tensor;
      source = &access;
    }
    if (!source)
      return "count-scatter takes the elements of a sparse operand";
    for (int index : nest.order)
      if (isReduction(index) || !source->has(index))
        return "count-scatter makes an element of each one of " +
               source->tensor + ", so both have the same indices; " +
               name(index) + " is not";
    return {};
  }

  std::string checkCountFill() {
    const Format &format = statement.result.format;
    if (std::string error = checkCounted(); !error.empty())
      return error;
    if (needsMaskTerm(statement))
      return "what is counted are products, and elements of the mask " +
             statement.mask->tensor +
             " may have none; a result with the format of the mask has its "
             "positions where the loops over its indices come first";
    if (nest.into != Into::Bitmap)
      return "count-fill needs into \"bitmap\"";
    int dense = format.rank() - 1;
    for (int at = 0; at < int(nest.order.size()); ++at) {
      int level = statement.result.levelOfIndex(nest.order[at]);
      bool isRow = level >= 0 && level < dense;
      if (isRow != (at < dense))
        return "a row of the result is finished before the next one begins, so "
               "the indices of its dense levels come first";
      if (isRow && nest.loops[at] != "dense")
        return "the loop over " + name(nest.order[at]) + " is \"" +
               nest.loops[at] +
               "\"; rows of a counted result are looped over densely, which "
               "needs operands whose level of it is dense";
    }
    return {};
  }

  std::string severalTerms() const {
    return "a sparse result of several terms is lowered where a mask (`where`) "
           "has its positions; make the result dense, or add a mask of the "
           "same format";
  }

  /// Functions of a dense result may concern the elements of a mask alone.
  std::string checkThen() {
    bool isLast = nest.term + 1 == int(statement.terms.size());
    if (!statement.mask || statement.keepsZero() || !isLast ||
        finishesElements(statement, nest))
      return {};
    return "functions that make something else of the zero are computed of a "
           "dense result where " +
           statement.mask->tensor +
           " alone is walked and sums stay in registers; give the result the "
           "format of " +
           statement.mask->tensor;
  }

  std::string checkResult() {
    if (statement.result.format.isDense()) {
      if (nest.assemble != Assemble::None)
        return "a dense result is not assembled";
      if (nest.into == Into::Bitmap)
        return "a dense result needs no bitmap";
      if (nest.into == Into::Registers && !hasOutputsFirst())
        return "sums stay in registers only if the indices of the result come "
               "before all others; put the sums into \"memory\"";
      if (nest.into == Into::Registers && repeatsOutputs())
        return "coordinate storage repeats the coordinates of the result, so "
               "its sums go into \"memory\"";
      return checkThen();
    }
    if (statement.terms.size() > 1 && nest.assemble != Assemble::Same)
      return severalTerms();
    if (statement.terms.size() > 1 && !statement.mask)
      return severalTerms();
    switch (nest.assemble) {
    case Assemble::None:
      return "a sparse result is assembled: by \"count-fill\", "
             "\"count-scatter\", or \"same X\"";
    case Assemble::Same:
      return checkSame();
    case Assemble::CountFill:
      return checkCountFill();
    case Assemble::CountScatter:
      return checkCountScatter();
    }
    return {};
  }

  std::string checkParallel() {
    if (nest.parallel < 0)
      return {};
    if (nest.assemble == Assemble::CountScatter)
      return "rows grow one element after the other, so there is no parallel "
             "axis";
    if (nest.parallel != nest.order[0])
      return "the parallel axis is the outermost, " + name(nest.order[0]);
    if (nest.parallel == nest.vector)
      return "the parallel axis is not the vector axis";
    if (isReduction(nest.parallel))
      return name(nest.parallel) +
             " is summed over, so its iterations cannot run in parallel";
    if (nest.assemble == Assemble::CountFill &&
        statement.result.levelOfIndex(nest.parallel) + 1 ==
            statement.result.format.rank())
      return "the elements of a row share a bitmap, so the parallel axis is "
             "one "
             "of the result's dense levels";
    if (nest.loops[0].rfind("merge", 0) == 0)
      return "a merge is sequential";
    if (repeatsOutputs())
      return "coordinate storage repeats " + name(nest.parallel) +
             ", so its iterations cannot run in parallel";
    return {};
  }

  const Statement &statement;
  const Nest &nest;
};

} // namespace

/// Whether all loops over indices of the result are dense or walk `access`.
static bool walksAll(const Statement &statement, const Nest &nest,
                     const Access *access) {
  for (size_t at = 0; at < nest.order.size(); ++at)
    if (statement.isOutput(nest.order[at]) && !isWalkedBy(nest, at, access))
      return false;
  return true;
}

bool heddle::sparse::coversResult(const Statement &statement,
                                  const Nest &nest) {
  return nest.into == Into::Registers &&
         walksAll(statement, nest, patternOf(statement, nest));
}

bool heddle::sparse::finishesElements(const Statement &statement,
                                      const Nest &nest) {
  if (statement.then.empty())
    return true;
  if (nest.into != Into::Registers)
    return false;
  if (coversResult(statement, nest))
    return !statement.mask || nest.assemble == Assemble::Same;
  if (statement.mask && walksAll(statement, nest, &*statement.mask))
    return true;
  return statement.terms.size() == 1 && statement.keepsZero();
}

std::string heddle::sparse::whyIllegal(const Statement &statement,
                                       const Nest &nest) {
  return Rules(statement, nest).check();
}
