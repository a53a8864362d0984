//===- ProveBounds.cpp - Inequalities between a kernel's scalars ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To prove that a sum is never negative, one of its atoms is replaced by what
// bounds it: a loop's point by the loop's ends, a minimum by both of its
// sides, a quotient by a part of the dividend. What is common cancels, and
// ranges decide in the end. The search is small and gives up early.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Numbers.h"

#include "mlir/IR/TypeUtilities.h"

#include <optional>

using namespace mlir;

namespace heddle {

struct Numbers::Search {
  int left = 150; ///< forms that may still be looked at
  bool canRequire = false;
  bool wasCut = false; ///< a form was given up because it was too deep
  std::vector<LinearForm> required;
};

/// Bounds below factor * atom, with factor > 0; sums of two forms in one way
/// mean that it may be either.
Numbers::Ways Numbers::lowerBounds(const AtomInfo &atom, Wide factor) {
  const LinearForm &a = atom.a, &b = atom.b;
  Ways ways;
  switch (atom.made) {
  case Made::Minimum:
  case Made::Either:
    ways.push_back({a * factor, b * factor});
    break;
  case Made::Maximum:
    ways.push_back({a * factor});
    ways.push_back({b * factor});
    break;
  case Made::Point:
    ways.push_back({a * factor});
    break;
  case Made::Quotient:
  case Made::Ceiling: {
    if (!b.isConstant() || b.getConstant() < 1 || factor % b.getConstant())
      break;
    Wide each = factor / b.getConstant();
    bool roundsUp = atom.made == Made::Ceiling;
    ways.push_back({(a - (roundsUp ? 0 : b.getConstant() - 1)) * each});
    break;
  }
  case Made::Product:
    if (rangeOf(a).lowest >= 0 && rangeOf(b).lowest >= 0) {
      ways.push_back({a * (rangeOf(b).lowest * factor)});
      ways.push_back({b * (rangeOf(a).lowest * factor)});
    }
    break;
  case Made::Rest:
  case Made::Worker:
  case Made::AtMost:
  case Made::Wrapped:
  case Made::Somehow:
    break;
  }
  return ways;
}

/// Of a quotient a / b with b = c * e, where there is a product p = m * e that
/// is at least a: m / c is at least a / b. If p is more than a, as the number
/// of all tiles is more than that of each, so is (m - 1) / c, since a / e
/// rounds down.
std::vector<LinearForm> Numbers::partsOfProducts(const AtomInfo &atom,
                                                 Wide factor) {
  std::vector<LinearForm> bounds;
  if (atom.b.isLost() || atom.b.getConstant() != 0 ||
      atom.b.getTerms().size() != 1)
    return bounds;
  auto [divisor, times] = *atom.b.getTerms().begin();
  LinearForm e = LinearForm::atom(divisor);
  for (size_t i = 0; i < atoms.size() && times > 0; ++i) {
    if (atoms[i].made != Made::Product)
      continue;
    const LinearForm *other = atoms[i].a == e   ? &atoms[i].b
                              : atoms[i].b == e ? &atoms[i].a
                                                : nullptr;
    if (!other || rangeOf(*other).lowest < 0)
      continue;
    LinearForm over = LinearForm::atom(int(i)) - atom.a;
    Wide each = (factor + times - 1) / times;
    if (!atom.hasSign && isNeverNegative(over - 1))
      bounds.push_back((*other - 1) * -each);
    else if (isNeverNegative(over))
      bounds.push_back(*other * -each);
  }
  return bounds;
}

/// Bounds below -factor * atom, with factor > 0.
Numbers::Ways Numbers::upperBounds(const AtomInfo &atom, Wide factor) {
  const LinearForm &a = atom.a, &b = atom.b;
  Ways ways;
  switch (atom.made) {
  case Made::Minimum:
    ways.push_back({a * -factor});
    ways.push_back({b * -factor});
    break;
  case Made::Maximum:
  case Made::Either:
    ways.push_back({a * -factor, b * -factor});
    break;
  case Made::Point:
  case Made::Worker:
    ways.push_back({(b - 1) * -factor});
    break;
  case Made::AtMost:
    ways.push_back({LinearForm(atom.range.highest) * -factor});
    ways.push_back({b * -factor});
    break;
  case Made::Rest:
    ways.push_back({a * -factor});
    if (rangeOf(b).lowest >= 0)
      ways.push_back({(b - 1) * -factor});
    break;
  case Made::Quotient:
  case Made::Ceiling: {
    if (atom.made == Made::Quotient)
      for (const LinearForm &bound : partsOfProducts(atom, factor))
        ways.push_back({bound});
    // No divisor is 0, so one that is a multiple of 16 is at least 16.
    Wide least = std::max(
        {b.isLost() ? Wide(1) : b.commonDivisor(), rangeOf(b).lowest, Wide(1)});
    LinearForm dividend = atom.made == Made::Ceiling ? a + (least - 1) : a;
    ways.push_back({dividend * -((factor + least - 1) / least)});
    break;
  }
  case Made::Product:
    // b * (x / b) is no more than x, or than x + b - 1 where x / b is rounded
    // up.
    for (auto [quotient, by] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      if (quotient->isLost() || quotient->getConstant() != 0 ||
          quotient->getTerms().size() != 1 ||
          quotient->getTerms().begin()->second != 1)
        continue;
      const AtomInfo &part = atoms[quotient->getTerms().begin()->first];
      if (part.b != *by)
        continue;
      if (part.made == Made::Quotient)
        ways.push_back({part.a * -factor});
      else if (part.made == Made::Ceiling)
        ways.push_back({(part.a + part.b - 1) * -factor});
    }
    if (rangeOf(a).lowest >= 0 && rangeOf(b).lowest >= 0) {
      ways.push_back({a * -(rangeOf(b).highest * factor)});
      ways.push_back({b * -(rangeOf(a).highest * factor)});
    }
    break;
  case Made::Wrapped:
  case Made::Somehow:
    break;
  }
  return ways;
}

bool Numbers::isFact(const LinearForm &form) const {
  uint64_t bits = form.atomBits();
  std::optional<LinearForm> lowest;
  return llvm::any_of(facts, [&](const Fact &fact) {
    if ((fact.atoms & bits) == 0)
      return false; // the difference is no more than the form
    if (leastOfDifference(form, fact.form) >= 0)
      return true;
    if (!lowest)
      lowest = form.inLowestTerms();
    return *lowest != form && leastOfDifference(*lowest, fact.form) >= 0;
  });
}

/// Numbers of an ordinary launch go up to here; one that has to refuse them is
/// not asked, and the number is computed in 64 bits.
static constexpr Wide kOrdinary = 1 << 16;

/// Can a launch be asked whether it is negative?
bool Numbers::canAsk(const LinearForm &form) const {
  if (form.isLost() || form.getTerms().empty())
    return false;
  Wide least = form.getConstant();
  for (auto [number, factor] : form.getTerms()) {
    const AtomInfo &atom = atoms[number];
    if (!atom.isHost || atom.isWideByChoice)
      return false;
    least += factor * std::clamp(factor < 0 ? kOrdinary : Wide(1),
                                 atom.range.lowest, atom.range.highest);
  }
  return least >= 0;
}

bool Numbers::prove(const LinearForm &form, int depth, Search &search) {
  if (form.isLost() || --search.left < 0)
    return false;
  NumberRange range = rangeOf(form);
  if (range.lowest >= 0 || isFact(form))
    return true;
  if (range.highest < 0)
    return false;
  if (search.canRequire && canAsk(form)) {
    search.required.push_back(form);
    return true;
  }
  if (depth == 0) {
    search.wasCut = true;
    return false;
  }
  // First what takes most off; of others, what was made last is made of the
  // rest.
  struct Term {
    LinearForm::Atom atom;
    Wide factor, least;
  };
  SmallVector<Term> terms;
  for (auto [atom, factor] : llvm::reverse(form.getTerms()))
    terms.push_back({atom, factor, leastOf(atom, factor)});
  llvm::stable_sort(
      terms, [](const Term &a, const Term &b) { return a.least < b.least; });
  for (auto [number, factor, least] : terms) {
    const AtomInfo &atom = atoms[number];
    if (search.canRequire && atom.isHost)
      continue; // the launch can be asked
    Ways ways =
        factor > 0 ? lowerBounds(atom, factor) : upperBounds(atom, -factor);
    bool needsSign = atom.hasSign && search.canRequire && canAsk(atom.b - 1);
    if (atom.hasSign) {
      if (!needsSign)
        ways.clear();
      else if (factor > 0)
        ways.push_back({LinearForm()});
      // Whatever the sign, it is no further from zero than the dividend.
      ways.push_back({atom.a * (factor > 0 ? -factor : factor)});
    }
    if (search.canRequire) // what is left may be the launch's business
      ways.push_back({LinearForm(least)});
    if (ways.empty())
      continue;
    LinearForm rest = form - LinearForm::atom(number) * factor;
    if (atom.made == Made::Wrapped && search.canRequire) {
      NumberRange all = NumberRange::ofWidth(
          numberWidth(getElementTypeOrSelf(atom.value.getType())));
      size_t before = search.required.size();
      if (prove(rest + atom.a * factor, depth - 1, search) &&
          prove(atom.a - all.lowest, depth - 1, search) &&
          prove(LinearForm(all.highest) - atom.a, depth - 1, search))
        return true;
      search.required.resize(before);
    }
    for (const auto &way : ways) {
      size_t before = search.required.size();
      if (needsSign)
        search.required.push_back(atom.b - 1);
      if (llvm::all_of(way, [&](const LinearForm &bound) {
            return prove(rest + bound, depth - 1, search);
          }))
        return true;
      search.required.resize(before);
    }
  }
  return false;
}

/// Short proofs are looked for first.
static constexpr int kDepths[] = {3, 7, 14};

bool Numbers::isNeverNegative(const LinearForm &form) {
  // A question that leads to itself has no answer there.
  auto [known, isNew] = answers.try_emplace(form, false);
  if (!isNew)
    return known->second;
  for (int depth : kDepths) {
    Search search;
    if (prove(form, depth, search))
      return known->second = true;
    if (!search.wasCut) // deeper, it would do the same
      break;
  }
  return false;
}

std::vector<LinearForm> Numbers::whatMakesNonNegative(const LinearForm &form) {
  for (int depth : kDepths) {
    Search search;
    search.canRequire = true;
    if (prove(form, depth, search))
      return std::move(search.required);
    if (!search.wasCut)
      break;
  }
  return {};
}

} // namespace heddle
