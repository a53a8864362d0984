//===- Accesses.cpp - Which pieces launches touch -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two pieces of one partition are the same or apart, so the question is whether
// their block numbers can be equal in two iterations i and i' of a prange. Each
// axis gives an equation f(i, k) = g(i', k'), where k are the indices of loops
// inside, free on both sides, and values from outside are the same on both.
// With f and g of one shape that is an equation of the difference i - i', and
// elimination says whether it can be other than 0.
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

std::optional<int64_t> heddle::task::constantOf(Value value) {
  IntegerAttr number;
  if (!matchPattern(value, m_Constant(&number)))
    return std::nullopt;
  return number.getInt();
}

LinearForm::Atom Accesses::atomOf(Value value) {
  return atoms.insert({value, LinearForm::Atom(atoms.size())}).first->second;
}

LinearForm Accesses::formOf(Value value) { return composeForm(value, 0); }

/// A sum is read so far down; what lies below is a value of its own.
static constexpr int kMostDepth = 64;

LinearForm Accesses::composeForm(Value value, int depth) {
  if (auto known = forms.find(value); known != forms.end())
    return known->second;
  auto operand = [&](Value value) { return composeForm(value, depth + 1); };
  auto compose = [&]() -> LinearForm {
    if (std::optional<int64_t> number = constantOf(value))
      return LinearForm(*number);
    Operation *op = depth < kMostDepth ? value.getDefiningOp() : nullptr;
    if (auto add = dyn_cast_or_null<arith::AddIOp>(op))
      return operand(add.getLhs()) + operand(add.getRhs());
    if (auto sub = dyn_cast_or_null<arith::SubIOp>(op))
      return operand(sub.getLhs()) - operand(sub.getRhs());
    if (auto mul = dyn_cast_or_null<arith::MulIOp>(op)) {
      if (std::optional<int64_t> factor = constantOf(mul.getRhs()))
        return operand(mul.getLhs()) * *factor;
      if (std::optional<int64_t> factor = constantOf(mul.getLhs()))
        return operand(mul.getRhs()) * *factor;
    }
    return LinearForm::atom(atomOf(value));
  };
  LinearForm form = compose();
  forms.try_emplace(value, form);
  return form;
}

/// The comparison for equality that `piece` is there by, if any.
static arith::CmpIOp conditionOf(PieceOp piece) {
  Value condition = piece.getCondition();
  auto compare =
      condition ? condition.getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  bool isEqual = compare && compare.getPredicate() == arith::CmpIPredicate::eq;
  return isEqual ? compare : arith::CmpIOp();
}

Access Accesses::describe(LaunchOp launch, unsigned argument,
                          int64_t privileges) {
  Value tensor = launch.getArguments()[argument];
  Access access{launch,
                argument,
                bool(privileges & 1),
                bool(privileges & ~1),
                privileges & ~3,
                rootOf(tensor),
                {}};
  while (auto piece = tensor.getDefiningOp<PieceOp>()) {
    Cut cut{piece.getBlocks(), {}};
    for (int64_t axis = 0; axis < piece.getType().getRank(); ++axis)
      cut.block.push_back(piece.getWhole()[axis]
                              ? LinearForm(0)
                              : formOf(piece.getIndex(axis)));
    access.isConditional |= bool(piece.getCondition());
    if (auto equal = conditionOf(piece))
      cut.block.push_back(formOf(equal.getLhs()) - formOf(equal.getRhs()));
    access.path.push_back(std::move(cut));
    tensor = piece.getBlocks().getTensor();
  }
  std::reverse(access.path.begin(), access.path.end());
  return access;
}

/// The same extents of the same axes; the tensor that is cut is compared by
/// whoever follows the path.
bool Accesses::areSameBlocks(BlocksOp a, BlocksOp b) {
  if (a == b)
    return true;
  if (a.getWhole() != b.getWhole())
    return false;
  return llvm::all_of(llvm::zip(a.getExtents(), b.getExtents()),
                      [&](auto pair) {
                        LinearForm difference = formOf(std::get<0>(pair)) -
                                                formOf(std::get<1>(pair));
                        return difference == LinearForm(0);
                      });
}

/// Is `value` the same in all iterations of `range`?
bool Accesses::isInvariant(Value value, PrangeOp range) {
  if (!range->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  return isa_and_present<TunableOp>(op) || constantOf(value);
}

/// How many cuts from the root on are the same for both, and in all iterations.
unsigned Accesses::commonSteps(const Access &a, const Access &b,
                               PrangeOp range) {
  unsigned steps = 0;
  for (auto [mine, other] : llvm::zip(a.path, b.path)) {
    BlocksOp blocks = mine.blocks;
    bool isSame = areSameBlocks(blocks, other.blocks);
    if (range)
      for (Value extent : blocks.getExtents())
        isSame &= isInvariant(extent, range);
    if (!isSame)
      break;
    ++steps;
  }
  return steps;
}

bool Accesses::areApartAtOnce(const Access &a, const Access &b) {
  unsigned steps = commonSteps(a, b, {});
  for (unsigned step = 0; step < steps; ++step)
    for (auto [mine, other] :
         llvm::zip(a.path[step].block, b.path[step].block)) {
      LinearForm difference = mine - other;
      // Whatever differs before: other blocks there are apart, too.
      if (difference.isConstant() && difference.getConstant() != 0)
        return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Two iterations
//===----------------------------------------------------------------------===//

/// sum of first[v] i_v - sum of second[v] i'_v + sum of inner[w] k_w + constant
/// = 0, where each access has its own k.
struct Accesses::Row {
  SmallVector<int64_t> first, second;
  llvm::SmallDenseMap<int64_t, int64_t> inner; ///< by 2 * atom + which access
  int64_t constant = 0;
};

namespace {

/// Rational elimination with 128-bit numbers; gives up beyond them.
class Elimination {
public:
  explicit Elimination(unsigned columns) : columns(columns) {}

  /// `numbers` has the columns, then the constant: sum + constant = 0.
  bool add(SmallVector<Wide> numbers) {
    for (unsigned row = 0; row < rows.size(); ++row)
      if (!reduce(numbers, rows[row], pivots[row]))
        return false;
    for (unsigned column = 0; column < columns; ++column)
      if (numbers[column] != 0) {
        for (SmallVector<Wide> &row : rows)
          if (!reduce(row, numbers, column))
            return false;
        rows.push_back(std::move(numbers));
        pivots.push_back(column);
        return true;
      }
    isContradictory |= numbers[columns] != 0;
    return true;
  }

  bool isContradictory = false;
  unsigned columns;
  SmallVector<SmallVector<Wide>> rows;
  SmallVector<unsigned> pivots;

private:
  /// `row` without its entry at `column`, where `other` has one.
  bool reduce(SmallVector<Wide> &row, const SmallVector<Wide> &other,
              unsigned column) {
    Wide a = row[column], b = other[column];
    if (a == 0)
      return true;
    Wide divisor = 0;
    for (auto [mine, its] : llvm::zip(row, other)) {
      Wide left, right;
      if (__builtin_mul_overflow(mine, b, &left) ||
          __builtin_mul_overflow(its, a, &right) ||
          __builtin_sub_overflow(left, right, &mine))
        return false;
      divisor = greatestDivisor(divisor, mine);
    }
    if (divisor > 1)
      for (Wide &number : row)
        number /= divisor;
    return true;
  }

  static Wide greatestDivisor(Wide a, Wide b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0)
      std::tie(a, b) = std::pair(b, a % b);
    return a;
  }
};

} // namespace

/// The bound of a loop whose index is `value`, -1 where it is no number, 0
/// where `value` is no index of a loop.
static int64_t boundOf(Value value) {
  auto index = dyn_cast<BlockArgument>(value);
  Operation *loop = index ? index.getOwner()->getParentOp() : nullptr;
  if (auto range = dyn_cast_or_null<SrangeOp>(loop))
    return constantOf(range.getBound()).value_or(-1);
  if (auto range = dyn_cast_or_null<PrangeOp>(loop))
    return constantOf(range.getBounds()[index.getArgNumber()]).value_or(-1);
  return 0;
}

/// Two different iterations that fulfil `rows`, if small ones do; none do, if
/// all could be tried.
Collision Accesses::search(PrangeOp range, ArrayRef<Row> rows,
                           ArrayRef<int64_t> bounds) {
  constexpr int64_t kSide = 3, kMostTries = 1 << 12;
  unsigned indices = bounds.size();
  SmallVector<int64_t> inner;
  for (const Row &row : rows)
    for (auto [atom, factor] : row.inner)
      if (!llvm::is_contained(inner, atom))
        inner.push_back(atom);
  llvm::sort(inner);
  SmallVector<int64_t> limits;
  for (int turn = 0; turn < 2; ++turn)
    llvm::append_range(limits, bounds);
  for (int64_t atom : inner) {
    int64_t bound = boundOf(atoms.getArrayRef()[atom / 2].first);
    if (bound == 0) // computed from the index, one way or another
      return {};
    limits.push_back(bound);
  }
  SmallVector<int64_t> sides = limits;
  auto countTries = [&] {
    int64_t tries = 1;
    for (int64_t side : sides)
      tries = std::min(tries, kMostTries + 1) * std::min(side, kMostTries + 1);
    return tries;
  };
  bool isExhaustive =
      !llvm::is_contained(limits, -1) && countTries() <= kMostTries;
  if (!isExhaustive)
    for (auto [side, limit] : llvm::zip(sides, limits))
      side = limit < 0 ? kSide : std::min(kSide, limit);
  int64_t tries = countTries();
  if (tries > kMostTries)
    return {};
  SmallVector<int64_t> at(sides.size(), 0);
  for (int64_t number = 0; number < tries; ++number) {
    int64_t rest = number;
    for (size_t i = sides.size(); i-- > 0; rest /= sides[i])
      at[i] = rest % sides[i];
    ArrayRef<int64_t> first = ArrayRef(at).take_front(indices),
                      second = ArrayRef(at).slice(indices, indices);
    if (first == second)
      continue;
    bool meets = llvm::all_of(rows, [&](const Row &row) {
      Wide sum = row.constant;
      for (unsigned v = 0; v < indices; ++v)
        sum += Wide(row.first[v]) * first[v] - Wide(row.second[v]) * second[v];
      for (auto [position, atom] : llvm::enumerate(inner))
        if (auto found = row.inner.find(atom); found != row.inner.end())
          sum += Wide(found->second) * at[2 * indices + position];
      return sum == 0;
    });
    if (meets) {
      Collision found;
      found.first.assign(first.begin(), first.end());
      found.second.assign(second.begin(), second.end());
      return found;
    }
  }
  Collision none;
  none.isApart = isExhaustive;
  return none;
}

Collision Accesses::compare(PrangeOp range, const Access &a, const Access &b) {
  SmallVector<LinearForm::Atom> own;
  SmallVector<int64_t> bounds;
  for (auto [index, bound] :
       llvm::zip(range.getBody().getArguments(), range.getBounds())) {
    own.push_back(atomOf(index));
    bounds.push_back(constantOf(bound).value_or(-1));
  }
  Collision apart;
  apart.isApart = true;
  // One iteration, or none.
  if (llvm::all_of(bounds, [](int64_t bound) { return bound == 1; }) ||
      llvm::is_contained(bounds, 0))
    return apart;
  llvm::DenseMap<LinearForm::Atom, Value> values;
  for (auto [value, atom] : atoms)
    values[atom] = value;
  SmallVector<Row> rows;
  bool isOneShape = true;
  unsigned steps = commonSteps(a, b, range);
  for (unsigned step = 0; step < steps; ++step)
    for (auto [mine, other] :
         llvm::zip(a.path[step].block, b.path[step].block)) {
      Row row;
      bool isUsable = !mine.isLost() && !other.isLost();
      auto narrow = [&](Wide number) {
        isUsable &= number == Wide(int64_t(number)) &&
                    std::abs(int64_t(number)) < (int64_t(1) << 30);
        return int64_t(number);
      };
      LinearForm outside = mine - other;
      row.constant = narrow(outside.isLost() ? Wide(0) : outside.getConstant());
      for (LinearForm::Atom atom : own) {
        row.first.push_back(narrow(mine.factorOf(atom)));
        row.second.push_back(narrow(other.factorOf(atom)));
      }
      for (int which = 0; isUsable && which < 2; ++which)
        for (auto [atom, factor] : (which ? other : mine).getTerms()) {
          if (llvm::is_contained(own, atom))
            continue;
          if (isInvariant(values.lookup(atom), range)) {
            // The same number on both sides, if it is on both.
            isUsable &= mine.factorOf(atom) == other.factorOf(atom);
            continue;
          }
          row.inner[2 * int64_t(atom) + which] =
              which ? -narrow(factor) : narrow(factor);
        }
      if (!isUsable)
        continue;
      isOneShape &= row.first == row.second;
      rows.push_back(std::move(row));
    }
  // A condition says more than its row does, so that an iteration that only
  // the rows allow is no example.
  auto find = [&] {
    return a.isConditional || b.isConditional ? Collision()
                                              : search(range, rows, bounds);
  };
  if (!isOneShape)
    return find();
  // Columns: what is free inside, then the differences of the indices.
  SmallVector<int64_t> inner;
  for (const Row &row : rows)
    for (auto [atom, factor] : row.inner)
      if (!llvm::is_contained(inner, atom))
        inner.push_back(atom);
  llvm::sort(inner);
  unsigned free = inner.size(), indices = own.size();
  Elimination elimination(free + indices);
  for (const Row &row : rows) {
    SmallVector<Wide> numbers(free + indices + 1, 0);
    for (auto [position, atom] : llvm::enumerate(inner))
      numbers[position] = row.inner.lookup(atom);
    for (unsigned v = 0; v < indices; ++v)
      numbers[free + v] = row.first[v];
    numbers[free + indices] = row.constant;
    if (!elimination.add(std::move(numbers)))
      return {};
  }
  // An index that has one value has no difference.
  for (auto [v, bound] : llvm::enumerate(bounds))
    if (bound == 1) {
      SmallVector<Wide> numbers(free + indices + 1, 0);
      numbers[free + v] = 1;
      if (!elimination.add(std::move(numbers)))
        return {};
    }
  if (elimination.isContradictory)
    return apart;
  // Determined is a difference whose row has no other column. All determined
  // and all 0: only an iteration meets itself. One that is no integer, or too
  // large for the bound: nothing meets.
  unsigned zeros = 0;
  for (auto [row, pivot] : llvm::zip(elimination.rows, elimination.pivots)) {
    if (pivot < free)
      continue;
    bool isAlone = true;
    for (unsigned column = 0; column < free + indices; ++column)
      isAlone &= column == pivot || row[column] == 0;
    if (!isAlone)
      continue;
    Wide constant = row[free + indices], factor = row[pivot];
    if (constant % factor != 0)
      return apart;
    Wide difference = -constant / factor;
    int64_t bound = bounds[pivot - free];
    if (bound >= 0 && (difference >= bound || -difference >= bound))
      return apart;
    zeros += difference == 0;
  }
  if (zeros == indices)
    return apart;
  return find();
}
