//===- Describe.cpp - Statements and nests without MLIR -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the operations of the einsum rung to the data that lib/Sparse plans.
// Names become numbers of indices, encodings become levels.
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"

using namespace mlir;
using namespace heddle;

sparse::Format heddle::describeFormat(RankedTensorType type) {
  using sparse::Level;
  using sparse_tensor::LevelFormat;
  using sparse_tensor::LevelPropNonDefault;
  auto encoding = dyn_cast_if_present<sparse_tensor::SparseTensorEncodingAttr>(
      type.getEncoding());
  if (!encoding || encoding.getLvlTypes().empty())
    return sparse::Format::dense(int(type.getRank()));
  sparse::Format format;
  for (sparse_tensor::LevelType level : encoding.getLvlTypes()) {
    if (level.isa<LevelFormat::Singleton>())
      format.levels.push_back(Level::Singleton);
    else if (level.isa<LevelFormat::Compressed>())
      format.levels.push_back(level.isa<LevelPropNonDefault::Nonunique>()
                                  ? Level::List
                                  : Level::Compressed);
    else
      format.levels.push_back(Level::Dense);
  }
  AffineMap map = encoding.getDimToLvl();
  for (int level = 0; level < format.rank(); ++level)
    format.axes.push_back(map ? int(map.getDimPosition(level)) : level);
  format.positionBits = encoding.getPosWidth() ? encoding.getPosWidth() : 64;
  format.coordinateBits = encoding.getCrdWidth() ? encoding.getCrdWidth() : 64;
  return format;
}

static std::vector<ScalarFunction> describeFunctions(Attribute names) {
  std::vector<ScalarFunction> functions;
  for (Attribute name : cast<ArrayAttr>(names))
    functions.push_back(*findFunction(cast<StringAttr>(name).getValue()));
  return functions;
}

/// Whether a term lacks what the mask stores, so that the mask stands in it.
static bool needsMask(const sparse::Statement &statement, size_t term) {
  return statement.mask &&
         llvm::none_of(statement.terms[term],
                       [&](const sparse::Access &access) {
                         return access.isAlike(*statement.mask);
                       });
}

sparse::Element heddle::describeElement(Type element) {
  return element.isF16()    ? sparse::Element::F16
         : element.isBF16() ? sparse::Element::BF16
         : element.isF64()  ? sparse::Element::F64
                            : sparse::Element::F32;
}

LogicalResult heddle::declineShortElements(ModuleOp module) {
  WalkResult result = module.walk([](einsum::StatementOp op) {
    Type element = cast<RankedTensorType>(op.getType()).getElementType();
    if (sparse::sizeOf(describeElement(element)) != 2)
      return WalkResult::advance();
    report(op, diag::einsum_element)
        << "elements of " << op.getName() << " are of type " << element
        << "; as streams, f32 and f64 are supported";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static Semiring semiringOf(einsum::StatementOp op) {
  return op.getSemiring() ? *findSemiring(*op.getSemiring())
                          : Semiring::PlusTimes;
}

/// Whether what a factor's functions make of the zero is the zero.
static bool keepsZero(einsum::StatementOp op, unsigned factor) {
  if (!op.getFunctions())
    return true;
  double zero = zeroOf(semiringOf(op));
  return applyFunctions(describeFunctions((*op.getFunctions())[factor]),
                        zero) == zero;
}

/// Whether some later statement would tell a stored zero from an element that
/// is missing: as a mask, by a function, or since another semiring's zero is a
/// number like others, and -infinity times a negative one is not itself. A
/// sparse result without a mask has elements where its factors have, so what
/// reads it tells theirs, too.
static bool tellsZeros(einsum::StatementOp op) {
  SmallVector<einsum::StatementOp> reached = {op};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!reached.empty()) {
    einsum::StatementOp made = reached.pop_back_val();
    for (OpOperand &use : made->getUses()) {
      auto reader = dyn_cast<einsum::StatementOp>(use.getOwner());
      if (!reader)
        continue;
      if (use.getOperandNumber() >= reader.getNumFactors() ||
          semiringOf(reader) != semiringOf(made) ||
          semiringOf(made) == Semiring::MaxTimes ||
          !keepsZero(reader, use.getOperandNumber()))
        return true;
      auto type = cast<RankedTensorType>(reader.getType());
      if (type.getEncoding() && !reader.getMasked() &&
          seen.insert(reader).second)
        reached.push_back(reader);
    }
  }
  return false;
}

std::vector<sparse::Statement>
heddle::describeStatements(einsum::ProgramOp program) {
  std::vector<sparse::Statement> statements;
  for (auto op : program.getEntry().getOps<einsum::StatementOp>())
    statements.push_back(describeStatement(op));
  return statements;
}

sparse::Statement heddle::describeStatement(einsum::StatementOp op) {
  sparse::Statement statement;
  auto numberOf = [&](Attribute attribute) {
    std::string name = cast<StringAttr>(attribute).getValue().str();
    auto found = llvm::find(statement.indices, name);
    if (found == statement.indices.end())
      found = statement.indices.insert(found, name);
    return int(found - statement.indices.begin());
  };
  auto access = [&](std::string name, Type type, Attribute indices) {
    sparse::Access made;
    made.tensor = std::move(name);
    made.format = describeFormat(cast<RankedTensorType>(type));
    for (Attribute index : cast<ArrayAttr>(indices))
      made.indices.push_back(numberOf(index));
    return made;
  };
  auto operandAccess = [&](size_t operand) {
    Value value = op.getOperands()[operand];
    return access(einsum::nameOf(value), value.getType(),
                  op.getAccesses()[operand]);
  };
  size_t operand = 0;
  for (int64_t count : op.getTerms()) {
    statement.terms.emplace_back();
    for (int64_t i = 0; i < count; ++i, ++operand) {
      statement.terms.back().push_back(operandAccess(operand));
      if (op.getFunctions())
        statement.terms.back().back().functions =
            describeFunctions((*op.getFunctions())[operand]);
    }
  }
  statement.result = access(op.getName().str(), op.getType(), op.getOutput());
  if (op.getMasked()) {
    statement.mask = operandAccess(operand);
    statement.mask->isMask = true;
    for (size_t term = 0; term < statement.terms.size(); ++term)
      if (needsMask(statement, term))
        statement.terms[term].push_back(*statement.mask);
  }
  if (op.getCoefficients())
    statement.coefficients = op.getCoefficients()->vec();
  if (op.getThen())
    statement.then = describeFunctions(*op.getThen());
  auto type = cast<RankedTensorType>(op.getType());
  statement.element = describeElement(type.getElementType());
  statement.semiring = semiringOf(op);
  statement.hasExactElements = !op.getMasked() && tellsZeros(op);
  return statement;
}

std::vector<std::vector<Value>> heddle::operandsByTerm(einsum::StatementOp op) {
  std::vector<std::vector<Value>> operands;
  size_t operand = 0;
  for (const auto &term : describeStatement(op).terms) {
    operands.emplace_back();
    for (const sparse::Access &access : term)
      operands.back().push_back(access.isMask ? op.getOperands().back()
                                              : op.getOperands()[operand++]);
  }
  return operands;
}

FailureOr<sparse::Nest>
heddle::describeNest(einsum::NestOp op, const sparse::Statement &statement) {
  sparse::Nest nest;
  nest.statement = op.getStatement().str();
  nest.term = int(op.getTerm());
  bool isKnown = true;
  auto numberOf = [&](StringRef name) {
    if (name.empty())
      return -1;
    auto found = llvm::find(statement.indices, name.str());
    if (found != statement.indices.end())
      return int(found - statement.indices.begin());
    if (isKnown)
      report(op, diag::einsum_plan)
          << statement.result.tensor << " has no index " << name;
    isKnown = false;
    return -1;
  };
  for (Attribute index : op.getOrder())
    nest.order.push_back(numberOf(cast<StringAttr>(index).getValue()));
  for (Attribute loop : op.getLoops())
    nest.loops.push_back(cast<StringAttr>(loop).getValue().str());
  nest.parallel = numberOf(op.getParallel());
  nest.chunk = op.getChunk();
  nest.vector = numberOf(op.getVector());
  nest.width = int(op.getWidth());
  nest.ahead = int64_t(op.getAhead().value_or(0));
  if (!isKnown)
    return failure();
  using sparse::Into, sparse::Assemble;
  bool hasInto = false;
  for (Into into : {Into::Registers, Into::Memory, Into::Bitmap})
    if (sparse::spell(into) == op.getInto())
      nest.into = into, hasInto = true;
  if (!hasInto)
    return report(op, diag::einsum_plan)
           << "sums grow in \"registers\", \"memory\" or a \"bitmap\", not in "
              "\""
           << op.getInto() << "\"";
  StringRef assemble = op.getAssemble();
  if (assemble.consume_front("same ")) {
    nest.assemble = Assemble::Same;
    nest.pattern = assemble.str();
  } else if (assemble == "count-fill") {
    nest.assemble = Assemble::CountFill;
  } else if (assemble == "count-scatter") {
    nest.assemble = Assemble::CountScatter;
  } else if (assemble != "none") {
    return report(op, diag::einsum_plan)
           << "a result is assembled by \"none\", \"same X\", "
              "\"count-fill\" or \"count-scatter\", not by \""
           << assemble << "\"";
  }
  return nest;
}

einsum::PlanOp heddle::findPlan(einsum::ProgramOp program) {
  for (auto plan :
       program->getParentOfType<ModuleOp>().getOps<einsum::PlanOp>())
    if (plan.getProgram() == program.getSymName())
      return plan;
  return nullptr;
}
