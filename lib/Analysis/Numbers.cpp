//===- Numbers.cpp - Ranges and sums of a kernel's scalars ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk in program order. Each operation gives its result a range, and a sum
// of earlier numbers where none of its bits can be lost; otherwise the result
// is an atom of its own, with the way in which it was made.
//
//===----------------------------------------------------------------------===//

#include "heddle/Analysis/Numbers.h"

#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Hopper/HostScalar.h"
#include "heddle/Support/LaunchBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

using namespace mlir;

namespace heddle {

NumberRange NumberRange::ofWidth(int64_t bits) {
  if (bits <= 1) // i0 holds one number
    return {0, bits};
  Wide half = Wide(1) << (bits - 1);
  return {-half, half - 1};
}

int64_t numberWidth(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static bool isNumber(Type type) {
  return type.isIndex() ||
         (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() <= 64);
}

/// A tile's elements have one range; a tile is no term of a sum.
static Type elementType(Value value) {
  return getElementTypeOrSelf(value.getType());
}

static NumberRange join(NumberRange a, NumberRange b) {
  return {std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)};
}

static NumberRange meet(NumberRange a, NumberRange b) {
  NumberRange both = {std::max(a.lowest, b.lowest),
                      std::min(a.highest, b.highest)};
  return both.lowest <= both.highest ? both : a; // what is never reached
}

Numbers::Numbers(hopper::KernelOp kernel) {
  workers = {1, kMostBlocks};
  for (auto grid : kernel.getOps<hopper::GridOp>()) {
    instances = grid.getInstances();
    if (!grid.hasBlockEach())
      workers.highest =
          std::min<Wide>(kMostBlocks, Wide(kMostMultiprocessors) *
                                          std::max<Wide>(1, grid.getBlocks()));
  }
  // What launches refuse holds before the place where the kernel says so, which
  // no process does.
  for (Operation &op : kernel.getEntry())
    if (!isa<hopper::ProcessOp>(op))
      visit(&op);
  forms.clear();
  answers.clear();
  visitBlock(kernel.getEntry());
}

/// Does it depend on a number that the caller passes in 64 bits?
static bool isWideByChoice(Value host) {
  SmallVector<Value> open = {host};
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!isNumber(value.getType()) || !seen.insert(value).second)
      continue;
    if (Operation *op = value.getDefiningOp())
      llvm::append_range(open, op->getOperands());
    else if (value.getType().isInteger(64))
      return true;
  }
  return false;
}

bool Numbers::isHostScalar(Value value) {
  if (auto known = hostScalars.find(value); known != hostScalars.end())
    return known->second;
  // What is made of a number that the host cannot compute is none, either.
  Operation *op = value.getDefiningOp();
  bool isNone = op && llvm::any_of(op->getOperands(), [&](Value operand) {
                  auto known = hostScalars.find(operand);
                  return known != hostScalars.end() && !known->second;
                });
  return hostScalars[value] = !isNone && hopper::isHostScalar(value);
}

LinearForm::Atom Numbers::atomOf(Value value) {
  auto [entry, isNew] = atomNumbers.try_emplace(value, int(atoms.size()));
  if (!isNew)
    return entry->second;
  AtomInfo &atom = atoms.emplace_back();
  atom.value = value;
  atom.range = NumberRange::ofWidth(numberWidth(elementType(value)));
  atom.isHost = isHostScalar(value);
  atom.isWideByChoice = atom.isHost && isWideByChoice(value);
  if (atom.isHost && isa<BlockArgument>(value) && value.getType().isIndex())
    atom.range = NumberRange::ofWidth(32); // as callers pass it
  return entry->second;
}

/// Is it a sum of numbers that the host computes as the kernel does?
bool Numbers::isMadeOnHost(Value value) {
  LinearForm sum = form(value);
  return !sum.isLost() && llvm::all_of(sum.getTerms(), [&](const auto &term) {
    return atoms[term.first].isHost;
  });
}

Numbers::AtomInfo &Numbers::define(Value value, NumberRange range, Made made,
                                   LinearForm a, LinearForm b) {
  LinearForm::Atom number = atomOf(value);
  AtomInfo &atom = atoms[number];
  atom.range =
      meet(NumberRange::ofWidth(numberWidth(elementType(value))), range);
  // What a launch is known to refuse stays known on a second visit.
  for (const Fact &fact : facts)
    if (fact.form.getTerms().size() == 1 && fact.form.factorOf(number) != 0)
      learn(fact.form);
  atom.isHost = isHostScalar(value);
  if (Operation *op = value.getDefiningOp(); op && atom.isHost)
    atom.isHost = llvm::all_of(op->getOperands(), [&](Value operand) {
      return !isNumber(elementType(operand)) || isMadeOnHost(operand);
    });
  atom.made = made;
  atom.hasSign = false;
  atom.a = std::move(a);
  atom.b = std::move(b);
  forms[value] = LinearForm::atom(number);
  return atom;
}

NumberRange Numbers::range(Value value) const {
  NumberRange all = NumberRange::ofWidth(numberWidth(elementType(value)));
  if (auto found = forms.find(value); found != forms.end())
    return meet(all, rangeOf(found->second));
  return all;
}

LinearForm Numbers::form(Value value) {
  if (auto found = forms.find(value); found != forms.end())
    return found->second;
  return LinearForm::atom(atomOf(value));
}

/// Beyond all numbers of a program.
static constexpr Wide kFar = Wide(1) << 100;

/// A factor has at most 63 bits and a range 64, so a product has 127.
static Wide timesFactor(Wide number, Wide factor) {
  Wide product;
  if (__builtin_mul_overflow(number, factor, &product))
    return factor > 0 == number > 0 ? kFar : -kFar;
  return std::clamp(product, -kFar, kFar);
}

/// The least that factor * x can be.
static Wide leastMultiple(const NumberRange &x, Wide factor) {
  return timesFactor(factor > 0 ? x.lowest : x.highest, factor);
}

NumberRange Numbers::rangeOf(const LinearForm &form) const {
  if (form.isLost())
    return {-kFar, kFar};
  NumberRange sum = {form.getConstant(), form.getConstant()};
  for (auto [atom, factor] : form.getTerms()) {
    const NumberRange &range = atoms[atom].range;
    sum.lowest = std::max(-kFar, sum.lowest + leastMultiple(range, factor));
    sum.highest = std::min(kFar, sum.highest - leastMultiple(range, -factor));
  }
  return sum;
}

Wide Numbers::leastOf(LinearForm::Atom atom, Wide factor) const {
  return leastMultiple(atoms[atom].range, factor);
}

/// rangeOf(a - b).lowest, for which most questions ask: without the sum.
Wide Numbers::leastOfDifference(const LinearForm &a,
                                const LinearForm &b) const {
  Wide sum = a.getConstant() - b.getConstant();
  if (a.isLost() || b.isLost() || !LinearForm::isExact(sum))
    return -kFar;
  bool isExact = true;
  LinearForm::visitTerms(a, b, [&](LinearForm::Atom atom, Wide mine, Wide its) {
    Wide factor = mine - its;
    isExact &= LinearForm::isExact(factor);
    if (factor != 0 && isExact)
      sum = std::max(-kFar, sum + leastOf(atom, factor));
  });
  return isExact ? sum : -kFar;
}

/// The value is the sum if its type holds it, else an atom.
void Numbers::defineSum(Value value, const LinearForm &sum, NumberRange range) {
  NumberRange all = NumberRange::ofWidth(numberWidth(elementType(value)));
  NumberRange known = sum.isLost() ? range : meet(range, rangeOf(sum));
  bool isTile = isa<RankedTensorType>(value.getType());
  bool isExact = all.contains(known);
  if (!isExact && !isTile && isNeverNegative(sum - all.lowest) &&
      isNeverNegative(LinearForm(all.highest) - sum)) {
    isExact = true;
    known = meet(all, known);
  }
  if (isExact && !isTile && !sum.isLost())
    forms[value] = sum;
  else if (isExact)
    define(value, known);
  else
    defineWrapped(value, isTile ? LinearForm() : sum);
}

/// The host computes without wrapping: it refuses to go beyond 64 bits, which a
/// sum of multiples does by the program's own constants, and can be asked
/// whether fewer bits are enough.
void Numbers::defineWrapped(Value value, const LinearForm &sum) {
  int64_t width = numberWidth(elementType(value));
  bool canAsk = width < 64 && !sum.isLost() && !sum.isConstant();
  AtomInfo &atom = define(value, NumberRange::ofWidth(width),
                          canAsk ? Made::Wrapped : Made::Somehow, sum);
  atom.isHost &= width < 64;
}

/// A new fact may prove what was not known before.
void Numbers::forgetRefusals() {
  std::erase_if(answers, [](const auto &answer) { return !answer.second; });
}

void Numbers::addFact(const LinearForm &isNonNegative) {
  // What contradicts itself holds nowhere, and proves whatever is there.
  bool holds = rangeOf(isNonNegative).highest >= 0;
  facts.push_back({isNonNegative, holds ? isNonNegative.atomBits() : ~0ull});
  forgetRefusals();
}

void Numbers::assume(const LinearForm &form) {
  if (form.isLost())
    return;
  addFact(form);
  learn(form);
}

void Numbers::learn(const LinearForm &form) {
  if (form.getTerms().size() != 1)
    return;
  auto [number, factor] = *form.getTerms().begin();
  NumberRange &range = atoms[number].range;
  Wide bound = form.getConstant();
  auto floorDivide = [](Wide a, Wide b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
  };
  if (factor < 0)
    range = meet(range, {range.lowest, floorDivide(bound, -factor)});
  else
    range = meet(range, {-floorDivide(bound, factor), range.highest});
}

void Numbers::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

void Numbers::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  if (auto require = dyn_cast<hopper::RequireOp>(op)) {
    return assume(form(require.getValue()) - form(require.getBound()));
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visitBlock(block);
  if (op->getNumResults() == 1 && isNumber(elementType(op->getResult(0))))
    visitArithmetic(op);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void Numbers::visitFor(scf::ForOp op) {
  Value point = op.getInductionVar();
  LinearForm lower = form(op.getLowerBound()), upper = form(op.getUpperBound());
  NumberRange range = {this->range(op.getLowerBound()).lowest,
                       this->range(op.getUpperBound()).highest - 1};
  if (range.lowest > range.highest)
    range = this->range(op.getLowerBound()); // never run
  define(point, range, Made::Point, lower, upper);
  if (auto all = NumberRange::ofWidth(numberWidth(point.getType()));
      op.getUnsignedCmp() && range.lowest < 0)
    define(point, all);
  // Nothing is known of what it carries.
  visitBlock(*op.getBody());
}

/// What a comparison says of numbers, if it holds or if it does not.
void Numbers::assumeCondition(Value condition, bool holds) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>(); both && holds) {
    assumeCondition(both.getLhs(), true);
    assumeCondition(both.getRhs(), true);
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || numberWidth(elementType(compare.getLhs())) == 1 ||
      isa<RankedTensorType>(compare.getLhs().getType()))
    return;
  using P = arith::CmpIPredicate;
  P predicate = holds ? compare.getPredicate()
                      : arith::invertPredicate(compare.getPredicate());
  LinearForm distance = form(compare.getRhs()) - form(compare.getLhs());
  auto add = [&](const LinearForm &fact) {
    if (!fact.isLost())
      addFact(fact);
  };
  if (predicate == P::sle || predicate == P::eq)
    add(distance);
  if (predicate == P::sge || predicate == P::eq)
    add(distance * -1);
  if (predicate == P::slt)
    add(distance - 1);
  if (predicate == P::sgt)
    add(distance * -1 - 1);
}

bool Numbers::isNeverNegativeAt(const LinearForm &form, Operation *op) {
  if (isNeverNegative(form))
    return true;
  // What holds here alone answers nothing elsewhere.
  std::map<LinearForm, bool> elsewhere;
  elsewhere.swap(answers);
  size_t known = facts.size();
  for (Operation *inner = op, *around = op->getParentOp(); around;
       inner = around, around = around->getParentOp())
    if (auto branch = dyn_cast<scf::IfOp>(around))
      assumeCondition(branch.getCondition(),
                      inner->getParentRegion() == &branch.getThenRegion());
  bool holds = facts.size() > known && isNeverNegative(form);
  facts.resize(known);
  answers.swap(elsewhere);
  return holds;
}

void Numbers::visitIf(scf::IfOp op) {
  // Answers that a condition gave are none outside of its branch.
  auto before = answers;
  size_t known = facts.size();
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      assumeCondition(op.getCondition(), &region == &op.getThenRegion());
      ++branches;
      visitBlock(block);
      --branches;
      facts.resize(known);
      answers = before;
    }
  for (OpResult result : op.getResults()) {
    if (!isNumber(elementType(result)))
      continue;
    Value a = op.thenYield().getOperand(result.getResultNumber());
    Value b = op.elseYield().getOperand(result.getResultNumber());
    define(result, join(range(a), range(b)), Made::Either, form(a), form(b));
  }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static NumberRange product(NumberRange a, NumberRange b) {
  Wide corners[] = {a.lowest * b.lowest, a.lowest * b.highest,
                    a.highest * b.lowest, a.highest * b.highest};
  return {*std::min_element(corners, corners + 4),
          *std::max_element(corners, corners + 4)};
}

/// Of a >= 0 by b > 0; zero is no divisor.
static NumberRange quotient(NumberRange a, NumberRange b, bool roundsUp) {
  Wide least = std::max<Wide>(b.lowest, 1), most = std::max<Wide>(b.highest, 1);
  Wide more = roundsUp ? 1 : 0;
  return {(a.lowest + more * (most - 1)) / most,
          (a.highest + more * (least - 1)) / least};
}

/// Of a comparison: 0 or 1 where ranges decide it.
static NumberRange outcome(arith::CmpIPredicate predicate, NumberRange a,
                           NumberRange b) {
  using P = arith::CmpIPredicate;
  bool haveNoSign = a.lowest >= 0 && b.lowest >= 0;
  auto less = [](NumberRange a, NumberRange b) {
    return NumberRange{a.highest < b.lowest, a.lowest < b.highest};
  };
  auto noLess = [&](NumberRange a, NumberRange b) {
    NumberRange isLess = less(a, b);
    return NumberRange{1 - isLess.highest, 1 - isLess.lowest};
  };
  bool needsNone =
      llvm::is_contained({P::ult, P::ule, P::ugt, P::uge}, predicate);
  if (needsNone && !haveNoSign)
    return {0, 1};
  switch (predicate) {
  case P::slt:
  case P::ult:
    return less(a, b);
  case P::sgt:
  case P::ugt:
    return less(b, a);
  case P::sle:
  case P::ule:
    return noLess(b, a);
  case P::sge:
  case P::uge:
    return noLess(a, b);
  case P::eq:
  case P::ne:
    return {0, 1};
  }
  llvm_unreachable("a predicate");
}

/// All bits below the highest one of either.
static Wide allBits(Wide a, Wide b) {
  Wide bits = 0;
  while (bits < std::max(a, b))
    bits = 2 * bits + 1;
  return bits;
}

/// What stands for a number of the host: equal for equal ones.
const void *Numbers::hostNumber(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return IntegerAttr::get(value.getType(), constant).getAsOpaquePointer();
  const LinearForm &known = form(value);
  auto [number, isNew] = hostForms.try_emplace(known, nullptr);
  if (isNew)
    number->second = value.getAsOpaquePointer();
  return number->second;
}

void Numbers::visitArithmetic(Operation *op) {
  Value result = op->getResult(0);
  int64_t width = numberWidth(elementType(result));
  NumberRange all = NumberRange::ofWidth(width);
  bool isTile = isa<RankedTensorType>(result.getType());

  APInt constant;
  if (matchPattern(result, m_ConstantInt(&constant))) {
    Wide number = width == 1 ? Wide(constant.getZExtValue())
                             : Wide(constant.getSExtValue());
    return defineSum(result, LinearForm(number), {number, number});
  }
  if (isHostScalar(result) && !isa<tile::DimOp>(op)) {
    // One number for what the host computes, wherever that stands. A product of
    // the same two in 64 bits is another one than that in 32.
    std::vector<const void *> key = {op->getName().getAsOpaquePointer(),
                                     result.getType().getAsOpaquePointer()};
    for (Value operand : op->getOperands())
      key.push_back(hostNumber(operand));
    auto known = hostValues.find(key);
    if (known == hostValues.end()) {
      // What holds in a branch says nothing of the same number elsewhere.
      if (branches == 0)
        hostValues[key] = result;
    } else if (known->second != result && forms.count(known->second)) {
      LinearForm same = forms[known->second]; // a copy: the table may grow
      forms[result] = same;
      return;
    }
  }
  if (auto dim = dyn_cast<tile::DimOp>(op)) {
    int64_t extent = dim.getView().getType().getShape()[dim.getAxis()];
    if (!ShapedType::isDynamic(extent))
      return defineSum(result, LinearForm(extent), {extent, extent});
    if (auto made = dim.getView().getDefiningOp<tile::MakeViewOp>()) {
      Value given = made.getExtents()[dim.getAxis()];
      return defineSum(result, form(given), range(given));
    }
    // One atom for an extent, however often it is asked for.
    if (auto argument = dyn_cast<BlockArgument>(dim.getView())) {
      std::pair key(int(argument.getArgNumber()), int64_t(dim.getAxis()));
      if (auto known = extents.find(key); known != extents.end()) {
        forms[result] = LinearForm::atom(known->second);
        return;
      }
      define(result, {0, kMaxExtent});
      extents[key] = atomOf(result);
      return;
    }
    define(result, {0, kMaxExtent});
    return;
  }
  if (isa<tile::WorkerIdOp, tile::WorkerCountOp>(op)) {
    std::string name = op->getName().getStringRef().str();
    if (auto known = wellKnown.find(name); known != wellKnown.end()) {
      forms[result] = LinearForm::atom(known->second);
      return;
    }
    bool isCount = isa<tile::WorkerCountOp>(op);
    // How many there are bounds which one this is, asked for or not.
    if (!isCount)
      for (Operation &other : *op->getBlock())
        if (isa<tile::WorkerCountOp>(other) && !forms.count(other.getResult(0)))
          visit(&other);
    auto count = wellKnown.find("tile.worker_count");
    LinearForm most = isCount && instances ? form(instances)
                      : !isCount && count != wellKnown.end()
                          ? LinearForm::atom(count->second)
                          : LinearForm(workers.highest);
    define(result, isCount ? workers : NumberRange{0, workers.highest - 1},
           isCount ? Made::AtMost : Made::Worker, {}, most);
    wellKnown[name] = atomOf(result);
    return;
  }
  if (isa<hopper::ClusterRankOp>(op))
    return void(define(
        result,
        {0,
         hopper::clusterBlocks(op->getParentOfType<hopper::KernelOp>()) - 1}));
  bool areNumbers = llvm::all_of(op->getOperands(), [](Value operand) {
    return isNumber(elementType(operand));
  });
  if (!areNumbers || op->getNumOperands() == 0 || op->getNumRegions())
    return void(define(result, all));

  Value first = op->getOperand(0);
  NumberRange a = range(first);
  auto sumOf = [&](Value value) {
    return isTile ? LinearForm(Wide(1) << 120) : form(value); // lost
  };
  auto isPositive = [&](Value value) {
    return range(value).lowest >= 0 ||
           (!isTile && isNeverNegative(form(value)));
  };
  // What is made of numbers that are not negative.
  auto made = [&](Made how, NumberRange range) {
    define(result, range, how, sumOf(first), sumOf(op->getOperand(1)));
  };

  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op)) {
    int64_t from = numberWidth(elementType(first));
    bool isSigned = isa<arith::IndexCastOp, arith::ExtSIOp>(op);
    if (from >= width || (from > 1 && (isSigned || isPositive(first))))
      return defineSum(result, sumOf(first), a);
    if (from == 1)
      return void(define(result, isSigned ? NumberRange{-1, 0} : a));
    return void(define(result, {0, (Wide(1) << from) - 1}));
  }
  if (isa<tile::SplatOp, tile::UnsplatOp>(op))
    return defineSum(result, sumOf(first), a);
  if (op->getNumOperands() == 3 && isa<arith::SelectOp>(op)) {
    Value x = op->getOperand(1), y = op->getOperand(2);
    if (a.lowest == a.highest) { // one of them in every launch
      Value chosen = a.lowest ? x : y;
      return defineSum(result, sumOf(chosen), range(chosen));
    }
    define(result, join(range(x), range(y)), Made::Either, sumOf(x), sumOf(y));
    return;
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op);
      compare && numberWidth(elementType(first)) > 1)
    return void(define(
        result, outcome(compare.getPredicate(), a, range(op->getOperand(1)))));
  if (op->getNumOperands() != 2 || width == 1)
    return void(define(result, all));
  Value second = op->getOperand(1);
  NumberRange b = range(second);

  if (isa<arith::AddIOp>(op))
    return defineSum(result, sumOf(first) + sumOf(second),
                     {a.lowest + b.lowest, a.highest + b.highest});
  if (isa<arith::SubIOp>(op))
    return defineSum(result, sumOf(first) - sumOf(second),
                     {a.lowest - b.highest, a.highest - b.lowest});
  if (isa<arith::MulIOp>(op)) {
    NumberRange range = product(a, b);
    LinearForm x = sumOf(first), y = sumOf(second);
    if (x.isConstant() || y.isConstant())
      return defineSum(
          result, x.isConstant() ? y * x.getConstant() : x * y.getConstant(),
          range);
    if (all.contains(range))
      return made(Made::Product, range);
    return void(define(result, all));
  }
  bool arePositive = isPositive(first) && isPositive(second);
  if (arePositive) {
    a.lowest = std::max<Wide>(a.lowest, 0);
    b.lowest = std::max<Wide>(b.lowest, 0);
    if (isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(op))
      return made(Made::Quotient, quotient(a, b, false));
    if (isa<arith::CeilDivUIOp, arith::CeilDivSIOp>(op))
      return made(Made::Ceiling, quotient(a, b, true));
    if (isa<arith::RemUIOp, arith::RemSIOp>(op))
      return made(Made::Rest,
                  {0, std::max<Wide>(0, std::min(a.highest, b.highest - 1))});
    if (isa<arith::AndIOp>(op))
      return void(define(result, {0, std::min(a.highest, b.highest)}));
    if (isa<arith::OrIOp, arith::XOrIOp>(op))
      return void(define(result, {0, allBits(a.highest, b.highest)}));
    if (isa<arith::ShRUIOp, arith::ShRSIOp>(op))
      return void(define(result, {0, a.highest}));
  }
  // What is left of a number has its sign, and so has the quotient if the
  // divisor has none.
  if (isPositive(first)) {
    Wide most = std::max<Wide>(a.highest, 0);
    if (isa<arith::RemSIOp>(op))
      return made(Made::Rest, {0, most});
    if (isa<arith::DivSIOp>(op)) {
      made(Made::Quotient, {-most, most});
      atoms[atomOf(result)].hasSign = true;
      return;
    }
  }
  if (isa<arith::MinSIOp>(op) || (arePositive && isa<arith::MinUIOp>(op)))
    return made(Made::Minimum,
                {std::min(a.lowest, b.lowest), std::min(a.highest, b.highest)});
  if (isa<arith::MaxSIOp>(op) || (arePositive && isa<arith::MaxUIOp>(op)))
    return made(Made::Maximum,
                {std::max(a.lowest, b.lowest), std::max(a.highest, b.highest)});
  // Without a sign, what is negative is beyond all that is not.
  bool hasNoSign = isa<arith::MinUIOp, arith::MaxUIOp, arith::DivUIOp,
                       arith::RemUIOp, arith::CeilDivUIOp>(op);
  if (isa<arith::MinUIOp, arith::RemUIOp, arith::AndIOp>(op))
    for (NumberRange one : {a, b})
      if (one.lowest >= 0) {
        AtomInfo &made = define(result, {0, one.highest});
        // The host has signs throughout.
        made.isHost &= !hasNoSign;
        return;
      }
  if (isa<arith::ShRSIOp, arith::FloorDivSIOp, arith::DivSIOp, arith::RemSIOp>(
          op)) {
    // Nearer to zero than the number, but for the least one by -1.
    Wide most = std::max(a.highest, -a.lowest);
    return void(define(result, {-most - 1, most}));
  }
  if (isa<arith::ShLIOp>(op))
    if (LinearForm amount = sumOf(second); amount.isConstant() &&
                                           amount.getConstant() >= 0 &&
                                           amount.getConstant() < 62) {
      Wide factor = Wide(1) << int(amount.getConstant());
      return defineSum(result, sumOf(first) * factor,
                       product(a, {factor, factor}));
    }
  define(result, all).isHost &= !hasNoSign;
}

} // namespace heddle
