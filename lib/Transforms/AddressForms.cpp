//===- AddressForms.cpp - What a tile of numbers or addresses is ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressForms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;

static int64_t rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

static Form constantForm(Value value, int64_t number) {
  Form form;
  form.start = Polynomial::constant(number);
  form.factors.resize(rankOf(value));
  return form;
}

std::optional<Form> AddressForms::formOf(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  // A value that a loop computes from itself.
  if (!pending.insert(value).second)
    return std::nullopt;
  std::optional<Form> form = compute(value);
  pending.erase(value);
  known[value] = form;
  return form;
}

Polynomial AddressForms::scalar(Value value) { return formOf(value)->start; }

std::optional<Form> AddressForms::compute(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  bool isAddress = isa<tile::PtrType>(element);
  if (!element.isIntOrIndex() && !isAddress)
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return constantForm(value, constant.getSExtValue());
  std::optional<Form> form;
  auto argument = dyn_cast<BlockArgument>(value);
  if (Operation *op = value.getDefiningOp())
    form = computeOp(op);
  else if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
           loop && argument != loop.getInductionVar())
    form = carried(argument, loop);
  if (form && !form->start.isExact())
    form.reset();
  if (form || rankOf(value))
    return form;
  // A scalar that nothing more is known of.
  Form unknown;
  if (isAddress) {
    unknown.base = value;
    return unknown;
  }
  auto [entry, isNew] = numbers.try_emplace(value, unknowns.size());
  if (isNew)
    unknowns.push_back(value);
  unknown.start = Polynomial::unknown(entry->second);
  return unknown;
}

std::optional<Form> AddressForms::computeOp(Operation *op) {
  using Result = std::optional<Form>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<arith::IndexCastOp, arith::ExtSIOp>(
          [&](auto op) { return formOf(op.getIn()); })
      .Case([&](arith::AddIOp op) { return sum(op, 1); })
      .Case([&](arith::SubIOp op) { return sum(op, -1); })
      .Case([&](tile::PtrAddOp op) { return sum(op, 1); })
      .Case([&](arith::MulIOp op) { return product(op); })
      .Case<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(
          [&](auto op) { return quotient(op); })
      .Case([&](arith::RemSIOp op) { return remainder(op); })
      .Case([&](arith::SelectOp op) { return chosen(op); })
      .Case([&](arith::ShLIOp op) -> Result {
        Result left = formOf(op.getLhs()), right = formOf(op.getRhs());
        std::optional<int64_t> bits = right && right->isUniform()
                                          ? right->start.asConstant()
                                          : std::nullopt;
        if (!left || !left->wraps.empty() || !bits || *bits < 0 || *bits > 30)
          return std::nullopt;
        Polynomial factor = Polynomial::constant(int64_t(1) << *bits);
        left->start = left->start * factor;
        for (Polynomial &one : left->factors)
          one = one * factor;
        return left;
      })
      .Case([&](tile::SplatOp op) -> Result {
        Result form = formOf(op.getValue());
        if (form)
          form->factors.resize(rankOf(op.getResult()));
        return form;
      })
      .Case([&](tile::IotaOp op) -> Result {
        Form form = constantForm(op.getResult(), 0);
        form.factors[0] = Polynomial::constant(1);
        return form;
      })
      .Case<tile::ExpandDimsOp, tile::BroadcastOp, tile::TransOp>(
          [&](auto op) -> Result {
            Result form = formOf(op.getValue());
            return form ? moved(op, *form) : std::nullopt;
          })
      .Default([](Operation *) { return std::nullopt; });
}

/// The form of an operation that only moves elements, from its operand's.
std::optional<Form> AddressForms::moved(Operation *op, Form form) {
  Form result = form;
  result.wraps.clear();
  auto moveWraps = [&](auto newAxis) {
    for (Form::Wrap wrap : form.wraps) {
      wrap.axis = newAxis(wrap.axis);
      result.wraps.push_back(wrap);
    }
  };
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
    int64_t axis = expand.getAxis();
    result.factors.insert(result.factors.begin() + axis, Polynomial());
    moveWraps([&](int64_t old) { return old + (old >= axis); });
  } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    auto from = cast<RankedTensorType>(broadcast.getValue().getType());
    auto to = cast<RankedTensorType>(broadcast.getResult().getType());
    for (int64_t axis = 0; axis < from.getRank(); ++axis)
      if (from.getDimSize(axis) != to.getDimSize(axis)) {
        result.factors[axis] = Polynomial();
        if (llvm::any_of(form.wraps,
                         [&](auto &wrap) { return wrap.axis == axis; }))
          return std::nullopt;
      }
    result.wraps = form.wraps;
  } else {
    ArrayRef<int64_t> order = cast<tile::TransOp>(op).getOrder();
    for (auto [axis, old] : llvm::enumerate(order))
      result.factors[axis] = form.factors[old];
    moveWraps(
        [&](int64_t old) { return llvm::find(order, old) - order.begin(); });
  }
  return result;
}

std::optional<Form> AddressForms::sum(Operation *op, int64_t sign) {
  std::optional<Form> left = formOf(op->getOperand(0)),
                      right = formOf(op->getOperand(1));
  if (!left || !right || (right->base && left->base) ||
      (sign < 0 && (right->base || !right->wraps.empty())))
    return std::nullopt;
  Polynomial factor = Polynomial::constant(sign);
  left->start = left->start + factor * right->start;
  for (auto [a, b] : llvm::zip(left->factors, right->factors))
    a = a + factor * b;
  if (right->base)
    left->base = right->base;
  llvm::append_range(left->wraps, right->wraps);
  return left;
}

std::optional<Form> AddressForms::product(Operation *op) {
  std::optional<Form> left = formOf(op->getOperand(0)),
                      right = formOf(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  if (!right->isUniform() || !right->wraps.empty())
    std::swap(left, right);
  if (!right->isUniform() || !right->wraps.empty())
    return std::nullopt;
  left->start = left->start * right->start;
  for (Polynomial &factor : left->factors)
    factor = factor * right->start;
  return left;
}

/// Of a number by a constant that all of it is multiples of.
std::optional<Form> AddressForms::quotient(Operation *op) {
  std::optional<Form> number = formOf(op->getOperand(0)),
                      divisor = formOf(op->getOperand(1));
  if (!number || !divisor || number->base || !number->isUniform() ||
      !number->wraps.empty() || !divisor->start.asConstant())
    return std::nullopt;
  std::optional<Polynomial> result = number->start.dividedBy(divisor->start);
  if (!result)
    return std::nullopt;
  number->start = *result;
  return number;
}

std::optional<int64_t> Form::runAxis() const {
  std::optional<int64_t> axis;
  for (auto [i, factor] : llvm::enumerate(factors)) {
    if (factor.isZero())
      continue;
    if (axis || factor.asConstant() != 1)
      return std::nullopt;
    axis = i;
  }
  return axis;
}

/// A tile of consecutive numbers, each reduced by one modulus.
std::optional<Form> AddressForms::remainder(Operation *op) {
  if (!isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  std::optional<Form> number = formOf(op->getOperand(0)),
                      modulus = formOf(op->getOperand(1));
  if (!number || !modulus || !modulus->isUniform() || !number->wraps.empty() ||
      number->base)
    return std::nullopt;
  std::optional<int64_t> axis = number->runAxis();
  if (!axis)
    return std::nullopt;
  number->wraps.push_back({*axis, number->start, modulus->start});
  return number;
}

/// A tile of consecutive numbers, those from an end on replaced.
std::optional<Form> AddressForms::chosen(Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  if (!isa<RankedTensorType>(select.getType()))
    return std::nullopt;
  std::optional<Form> number = formOf(select.getTrueValue());
  auto conditions = conditionsOf(select.getCondition());
  if (!number || !conditions || conditions->size() != 1 || number->base ||
      !number->wraps.empty() || number->factors.size() != 1 ||
      number->factors[0].asConstant() != 1 ||
      conditions->front().factors[0].asConstant() != -1)
    return std::nullopt;
  Polynomial end = number->start + conditions->front().start;
  number->wraps.push_back({0, number->start, end});
  return number;
}

/// What a loop carries from iteration to iteration by adding the same to it.
std::optional<Form> AddressForms::carried(BlockArgument argument,
                                          scf::ForOp loop) {
  unsigned index = argument.getArgNumber() - 1;
  std::optional<Form> form = formOf(loop.getInitArgs()[index]);
  Operation *next = loop.getYieldedValues()[index].getDefiningOp();
  if (!form || !next || !isa<arith::AddIOp, tile::PtrAddOp>(next))
    return std::nullopt;
  bool isFirst = next->getOperand(0) == argument;
  if (!isFirst &&
      (next->getOperand(1) != argument || isa<tile::PtrAddOp>(next)))
    return std::nullopt;
  Value step = next->getOperand(isFirst ? 1 : 0);
  std::optional<Form> added = formOf(step);
  if (!added || added->base || !added->wraps.empty())
    return std::nullopt;
  // The same each time: nothing that the loop computes.
  auto isInvariant = [&](const Polynomial &polynomial) {
    for (const auto &[product, coefficient] : polynomial.terms())
      for (unsigned unknown : product) {
        Value value = valueOf(unknown);
        if (loop->isAncestor(value.getParentRegion()->getParentOp()))
          return false;
      }
    return true;
  };
  Polynomial distance =
      scalar(loop.getInductionVar()) - scalar(loop.getLowerBound());
  Polynomial width = scalar(loop.getStep());
  auto advance = [&](Polynomial &start, const Polynomial &each) {
    std::optional<Polynomial> slope = each.dividedBy(width);
    if (each.isZero())
      return true;
    if (!slope || !isInvariant(each))
      return false;
    start = start + *slope * distance;
    return true;
  };
  bool isKnown = advance(form->start, added->start);
  for (auto [factor, each] : llvm::zip(form->factors, added->factors))
    isKnown &= advance(factor, each);
  return isKnown ? form : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// `above > below` as a form that must be above 0.
static std::optional<Form> difference(std::optional<Form> above,
                                      std::optional<Form> below,
                                      int64_t slack) {
  if (!above || !below || above->base || below->base || !above->wraps.empty() ||
      !below->wraps.empty())
    return std::nullopt;
  above->start = above->start - below->start + Polynomial::constant(slack);
  for (auto [a, b] : llvm::zip(above->factors, below->factors))
    a = a - b;
  return above;
}

std::optional<std::vector<Form>> AddressForms::conditionsOf(Value mask) {
  using Result = std::optional<std::vector<Form>>;
  Operation *op = mask.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (matchPattern(mask, m_One()))
    return std::vector<Form>();
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AndIOp op) -> Result {
        Result left = conditionsOf(op.getLhs()),
               right = conditionsOf(op.getRhs());
        if (!left || !right)
          return std::nullopt;
        llvm::append_range(*left, *right);
        return left;
      })
      .Case<tile::ExpandDimsOp, tile::BroadcastOp, tile::TransOp>(
          [&](auto op) -> Result {
            Result inner = conditionsOf(op.getValue());
            if (!inner)
              return std::nullopt;
            for (Form &form : *inner)
              form = *moved(op, form);
            return inner;
          })
      .Case([&](tile::SplatOp op) -> Result {
        Result inner = conditionsOf(op.getValue());
        if (inner)
          for (Form &form : *inner)
            form.factors.resize(rankOf(op.getResult()));
        return inner;
      })
      .Case([&](arith::CmpIOp op) -> Result {
        std::optional<Form> left = formOf(op.getLhs()),
                            right = formOf(op.getRhs());
        std::optional<Form> form;
        switch (op.getPredicate()) {
        case arith::CmpIPredicate::slt:
          form = difference(right, left, 0);
          break;
        case arith::CmpIPredicate::sle:
          form = difference(right, left, 1);
          break;
        case arith::CmpIPredicate::sgt:
          form = difference(left, right, 0);
          break;
        case arith::CmpIPredicate::sge:
          form = difference(left, right, 1);
          break;
        default:
          break;
        }
        if (!form)
          return std::nullopt;
        return std::vector<Form>{*form};
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::vector<Form> AddressForms::conditionsAmong(Value mask) {
  if (auto all = conditionsOf(mask))
    return *all;
  Operation *op = mask.getDefiningOp();
  std::vector<Form> found;
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op)) {
    found = conditionsAmong(both.getLhs());
    llvm::append_range(found, conditionsAmong(both.getRhs()));
  } else if (isa_and_present<tile::ExpandDimsOp, tile::BroadcastOp,
                             tile::TransOp>(op)) {
    for (Form &form : conditionsAmong(op->getOperand(0)))
      if (std::optional<Form> here = moved(op, form))
        found.push_back(std::move(*here));
  }
  return found;
}

//===----------------------------------------------------------------------===//
// What a launch knows
//===----------------------------------------------------------------------===//

bool AddressForms::isHost(Value value) {
  auto [found, isNew] = host.try_emplace(value, false);
  if (!isNew)
    return found->second;
  bool result = false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    result = argument.getOwner() == &kernel.getEntry();
  } else {
    Operation *op = value.getDefiningOp();
    bool isArithmetic =
        isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
            arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
            arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
            arith::RemUIOp, arith::MinSIOp, arith::MaxSIOp, arith::IndexCastOp,
            arith::ExtSIOp, tile::DimOp>(op);
    result = isArithmetic && value.getType().isIntOrIndex() &&
             llvm::all_of(op->getOperands(), [&](Value operand) {
               return isa<tile::ViewType>(operand.getType())
                          ? isa<BlockArgument>(operand)
                          : isHost(operand);
             });
  }
  return host[value] = result;
}

bool AddressForms::isHost(const Product &product) {
  return llvm::all_of(
      product, [&](unsigned unknown) { return isHost(valueOf(unknown)); });
}

bool AddressForms::isHost(const Polynomial &polynomial) {
  return llvm::all_of(polynomial.terms(),
                      [&](const auto &term) { return isHost(term.first); });
}
