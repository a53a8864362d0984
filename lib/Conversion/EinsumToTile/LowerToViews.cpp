//===- LowerToViews.cpp - A statement as one kernel over views ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For machines whose launcher gives a kernel its arrays, results too: a program
// of one statement of one term becomes one kernel, whose arguments are views.
// Positions, coordinates and values of a sparse tensor are views of one axis,
// those of a dense one have its axes. A tile of a row is an instance, as a row
// is. The loops are those of the nest, as on the CPU.
//
//===----------------------------------------------------------------------===//

#include "NestWriter.h"
#include "WritePlan.h"

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using sparse::Access;
using sparse::Assemble;
using sparse::Format;

namespace {

/// Elements of a row that one warp reads: 16 bytes of f32 a lane.
constexpr int kTileOfRow = 128;
constexpr int kLanes = 32;
/// Elements of a row that one warp sums: 32 bytes of f32 a lane.
constexpr int kLongestSum = 256;

/// Whether the arrays of a tensor tell the extent of an index: the shape of a
/// dense one, or the positions of the level below a dense outermost one.
bool tellsExtent(const Access &access, int index) {
  const Format &format = access.format;
  int level = access.levelOfIndex(index);
  return level >= 0 &&
         (format.isDense() ||
          (level == 0 && format.levels[0] == sparse::Level::Dense &&
           format.rank() > 1 && format.hasPositions(1)));
}

/// Whether places in the tensor's arrays are computed with the extent of an
/// index, which the outermost is not. Views of dense tensors do so themselves.
bool placesByExtent(const Access &access, int index) {
  int level = access.levelOfIndex(index);
  return level > 0 && !access.format.isDense() &&
         access.format.levels[size_t(level)] == sparse::Level::Dense;
}

/// An index whose extent the nest needs and no argument tells; -1 if none.
int findUnknownExtent(const sparse::Statement &statement,
                      const sparse::Nest &nest) {
  const auto &factors = statement.terms[size_t(nest.term)];
  for (auto [at, index] : llvm::enumerate(nest.order)) {
    auto tells = [&, index = index](const Access &access) {
      return tellsExtent(access, index);
    };
    auto places = [&, index = index](const Access &access) {
      return placesByExtent(access, index);
    };
    bool isNeeded = index == nest.parallel || index == nest.vector ||
                    nest.loops[at] == "dense" || llvm::any_of(factors, places);
    bool isTold =
        llvm::any_of(factors, tells) ||
        (statement.result.format.isDense() && tells(statement.result));
    if (isNeeded && !isTold)
      return index;
  }
  return -1;
}

/// Empty, or why the nest is no kernel over views.
std::string whyNoKernel(const sparse::Statement &statement,
                        const sparse::Nest &nest) {
  auto spelled = [&](int index) { return statement.indices[size_t(index)]; };
  if (nest.assemble == Assemble::CountFill ||
      nest.assemble == Assemble::CountScatter)
    return "the elements of the result have to be counted first, which is "
           "another launch and an allocation";
  if (nest.into != sparse::Into::Registers)
    return "its sums grow in memory";
  if (nest.parallel < 0)
    return "its instances would be one after the other";
  if (!sparse::coversResult(statement, nest) ||
      (!statement.then.empty() && !sparse::finishesElements(statement, nest)))
    return "it leaves elements of the result to another launch";
  for (const Access &access : statement.terms[size_t(nest.term)]) {
    int level = access.levelOfIndex(nest.parallel);
    if (level >= 0 &&
        access.format.levels[size_t(level)] != sparse::Level::Dense)
      return "only memory says how many instances there are of " +
             spelled(nest.parallel);
    if (nest.vector < 0 || !access.has(nest.vector))
      continue;
    if (!access.format.isDense() ||
        access.indexOfLevel(access.format.rank() - 1) != nest.vector)
      return access.tensor + " does not have neighbours along " +
             spelled(nest.vector);
    if (!access.functions.empty() && !statement.isOutput(nest.vector))
      return "a function of what lies outside of " + access.tensor +
             " would be summed";
  }
  if (nest.vector >= 0 && !statement.isOutput(nest.vector) &&
      statement.semiring != Semiring::PlusTimes)
    return "what lies outside of a row is 0, which counts in this semiring";
  if (nest.vector >= 0 && statement.isOutput(nest.vector) &&
      statement.result.indexOfLevel(statement.result.format.rank() - 1) !=
          nest.vector)
    return "the result does not have neighbours along " + spelled(nest.vector);
  if (int index = findUnknownExtent(statement, nest); index >= 0)
    return "no operand's shape gives the extent of " + spelled(index);
  return "";
}

class ViewLowering {
public:
  ViewLowering(einsum::ProgramOp program, einsum::PlanOp plan,
               einsum::StatementOp op)
      : program(program), plan(plan), op(op), loc(program.getLoc()),
        builder(program), statement(describeStatement(op)) {}

  LogicalResult run();

private:
  void addView(StringRef name, Type element, ArrayRef<int> axes,
               ArrayRef<int64_t> shape, Value *inside) {
    // The innermost level lies closest.
    SmallVector<int64_t> order(llvm::reverse(axes));
    types.push_back(
        tile::ViewType::get(builder.getContext(), shape, element, order));
    names.push_back(builder.getStringAttr(name));
    inner.push_back(inside);
  }
  void addTensor(const Access &access, Type type, const std::string &name,
                 bool isPattern, Arrays &arrays);
  void findExtents(const sparse::Nest &nest);

  einsum::ProgramOp program;
  einsum::PlanOp plan;
  einsum::StatementOp op;
  Location loc;
  OpBuilder builder;
  sparse::Statement statement;
  SmallVector<Type> types;
  SmallVector<Attribute> names;
  SmallVector<Value *> inner;
  NestArguments arguments;
};

} // namespace

/// An argument for each array of a tensor; of a result with another's positions
/// its values alone.
void ViewLowering::addTensor(const Access &access, Type type,
                             const std::string &name, bool isPattern,
                             Arrays &arrays) {
  const Format &format = access.format;
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  arrays.positions.resize(size_t(format.rank()));
  arrays.coordinates.resize(size_t(format.rank()));
  if (format.isDense()) {
    // An extent that the type says is a number below, too.
    addView(name, element, format.axes, tensor.getShape(), &arrays.values);
    return;
  }
  for (int level = 0; level < format.rank() && !isPattern; ++level) {
    std::string number = std::to_string(level);
    if (format.hasPositions(level))
      addView(name + "_pos" + number,
              builder.getIntegerType(unsigned(format.positionBits)), 0,
              ShapedType::kDynamic, &arrays.positions[size_t(level)]);
    if (format.hasCoordinates(level))
      addView(name + "_crd" + number,
              builder.getIntegerType(unsigned(format.coordinateBits)), 0,
              ShapedType::kDynamic, &arrays.coordinates[size_t(level)]);
  }
  bool isRead = llvm::any_of(statement.terms[0], [&](const Access &other) {
    return other.tensor == access.tensor && !other.isMask;
  });
  if (isRead || isPattern || &access == &statement.result)
    addView(name + "_val", element, 0, ShapedType::kDynamic, &arrays.values);
}

/// Of each index that an argument tells the extent of.
void ViewLowering::findExtents(const sparse::Nest &nest) {
  arguments.extents.resize(statement.indices.size());
  auto dimension = [&](Value view, int64_t axis) -> Value {
    int64_t extent =
        cast<tile::ViewType>(view.getType()).getShape()[size_t(axis)];
    if (!ShapedType::isDynamic(extent))
      return arith::ConstantIndexOp::create(builder, loc, extent);
    return tile::DimOp::create(builder, loc, builder.getIndexType(), view,
                               builder.getI64IntegerAttr(axis));
  };
  auto visit = [&](const Access &access, const Arrays &arrays) {
    for (auto [axis, index] : llvm::enumerate(access.indices)) {
      Value &extent = arguments.extents[size_t(index)];
      if (extent || !tellsExtent(access, index))
        continue;
      if (access.format.isDense()) {
        extent = dimension(arrays.values, int64_t(axis));
      } else if (arrays
                     .positions[1]) { // else another tensor's are the result's
        // One position more than there are rows.
        Value one = arith::ConstantIndexOp::create(builder, loc, 1);
        Value count = dimension(arrays.positions[1], 0);
        extent = arith::SubIOp::create(
            builder, loc, arith::MaxSIOp::create(builder, loc, count, one),
            one);
      }
    }
  };
  visit(statement.result, arguments.result);
  for (auto [access, arrays] :
       llvm::zip(statement.terms[size_t(nest.term)], arguments.factors))
    visit(access, arrays);
}

LogicalResult ViewLowering::run() {
  auto nestOp = *plan.getBody().getOps<einsum::NestOp>().begin();
  auto nest = describeNest(nestOp, statement);
  if (failed(nest))
    return failure();
  std::string illegal = sparse::whyIllegal(statement, *nest);
  if (!illegal.empty())
    return report(nestOp, diag::einsum_plan) << illegal;
  illegal = whyNoKernel(statement, *nest);
  if (!illegal.empty())
    return report(nestOp, diag::einsum_no_kernel)
           << "no kernel of a GPU carries out this nest of "
           << statement.result.tensor << ": " << illegal;

  const auto &factors = statement.terms[0];
  std::vector<Value> operands = operandsByTerm(op)[0];
  arguments.areViews = true;
  arguments.factors.resize(factors.size());
  // A tensor that stands twice is passed once.
  llvm::DenseMap<Value, size_t> first;
  for (auto [number, operand] : llvm::enumerate(operands))
    if (first.try_emplace(operand, number).second)
      addTensor(factors[number], operand.getType(), factors[number].tensor,
                false, arguments.factors[number]);
  addTensor(statement.result, op.getType(), statement.result.tensor,
            nest->assemble == Assemble::Same, arguments.result);

  auto kernel =
      tile::KernelOp::create(builder, loc, program.getSymNameAttr(),
                             TypeAttr::get(builder.getFunctionType(types, {})),
                             builder.getArrayAttr(names));
  Block &entry = kernel.getBody().emplaceBlock();
  for (auto [inside, type] : llvm::zip(inner, types))
    *inside = entry.addArgument(type, loc);
  for (auto [number, operand] : llvm::enumerate(operands))
    if (size_t before = first.lookup(operand); before != number)
      arguments.factors[number] = arguments.factors[before];
  builder.setInsertionPointToStart(&entry);
  findExtents(*nest);
  NestWriter(builder, op.getLoc(), statement, *nest, arguments)
      .writeCompute(true);
  plan.erase();
  program.erase();
  return success();
}

/// The extent of an index, as a type says; else dynamic.
static int64_t extentInType(einsum::StatementOp op,
                            const sparse::Statement &statement, int index) {
  std::vector<Value> operands = operandsByTerm(op)[0];
  for (auto [access, operand] : llvm::zip(statement.terms[0], operands))
    for (auto [axis, other] : llvm::enumerate(access.indices))
      if (int64_t extent =
              cast<RankedTensorType>(operand.getType()).getDimSize(axis);
          other == index && !ShapedType::isDynamic(extent))
        return extent;
  return ShapedType::kDynamic;
}

/// A tile of a row is as wide as a warp reads at once. A row that is summed
/// over is a tile of its own where its type says that it fits, since a loop
/// over tiles inside of one over rows would have one row under way.
static void chooseWidth(einsum::StatementOp op,
                        const sparse::Statement &statement,
                        const ProgramStatistics &statistics,
                        sparse::Nest &nest) {
  int64_t extent = extentInType(op, statement, nest.vector);
  bool isKnown = !ShapedType::isDynamic(extent);
  if (!isKnown)
    extent = statistics.empty()
                 ? kTileOfRow
                 : statistics.front().extents[size_t(nest.vector)];
  int64_t whole =
      int64_t(llvm::PowerOf2Ceil(uint64_t(std::max<int64_t>(extent, 1))));
  bool isSummed = !statement.isOutput(nest.vector);
  int64_t most =
      isKnown && isSummed && whole == kLongestSum ? kLongestSum : kTileOfRow;
  nest.width = int(std::clamp<int64_t>(whole, kLanes, most));
  nest.because["width"] = nest.width >= whole && isKnown && isSummed
                              ? "a whole row, so that several are under way"
                          : nest.width == kTileOfRow
                              ? "16 bytes of f32 for each lane of a warp"
                              : "a whole row";
}

/// The best nest by the planner that is a kernel.
static LogicalResult planKernel(einsum::ProgramOp program,
                                einsum::StatementOp op,
                                const ProgramStatistics &statistics) {
  auto planned = planProgram(program, statistics);
  if (failed(planned))
    return failure();
  sparse::Statement statement = describeStatement(op);
  std::string reason;
  for (const sparse::Candidate &candidate : planned->front().candidates) {
    std::string why = whyNoKernel(statement, candidate.nest);
    if (!why.empty()) {
      reason = reason.empty() ? why : reason;
      continue;
    }
    sparse::Nest nest = candidate.nest;
    nest.chunk = 1;
    nest.ahead = 0; // the GPU's loops have several rows under way
    nest.because.erase("ahead");
    nest.because["chunk"] = "a warp takes an instance";
    if (nest.vector >= 0)
      chooseWidth(op, statement, statistics, nest);
    OpBuilder builder(program->getBlock(), std::next(program->getIterator()));
    auto plan =
        einsum::PlanOp::create(builder, program.getLoc(), program.getSymName());
    plan.getBody().emplaceBlock();
    builder.setInsertionPointToStart(&plan.getBody().front());
    writeNest(builder, op.getLoc(), statement, nest);
    return success();
  }
  return report(op, diag::einsum_no_kernel)
         << "no kernel of a GPU carries out " << statement.result.tensor << ": "
         << reason;
}

LogicalResult heddle::planKernels(ModuleOp module,
                                  const ProgramStatistics &statistics) {
  for (auto program : module.getOps<einsum::ProgramOp>()) {
    auto statements = program.getEntry().getOps<einsum::StatementOp>();
    auto op = *statements.begin();
    if (!llvm::hasSingleElement(statements) || op.getTerms().size() != 1 ||
        program.getEntry().back().getNumOperands() != 1)
      return report(program, diag::einsum_no_kernel)
             << "@" << program.getSymName()
             << " has several statements, terms or results, and a kernel of a "
                "GPU carries out one";
    einsum::PlanOp plan = findPlan(program);
    if (plan && !plan.getBody().front().getOps<einsum::NestOp>().empty())
      continue;
    if (failed(planKernel(program, op, statistics)))
      return failure();
  }
  return success();
}

LogicalResult heddle::lowerEinsumToViews(ModuleOp module) {
  module.getContext()
      ->loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                    scf::SCFDialect>();
  if (failed(planKernels(module)))
    return failure();
  for (auto program :
       llvm::make_early_inc_range(module.getOps<einsum::ProgramOp>())) {
    auto op = *program.getEntry().getOps<einsum::StatementOp>().begin();
    if (failed(ViewLowering(program, findPlan(program), op).run()))
      return failure();
  }
  return success();
}
