//===- LowerProgram.cpp - A program of kernels for a program of statements ===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operand becomes its arrays and extents, each statement a kernel or the
// sequence count, sum, allocate, fill. The tile.program allocates results and
// launches; what a statement computed is an operand of those behind it.
//
//===----------------------------------------------------------------------===//

#include "NestWriter.h"

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Conversion/WriteFunctions.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using sparse::Access;
using sparse::Assemble;
using sparse::Format;
using sparse::Level;

namespace {

/// A tensor while its program is written.
struct Storage {
  Arrays arrays;
  SmallVector<Value> extents; ///< by axis
};

/// The arguments of one kernel: what the program passes, and how the kernel
/// names them.
class KernelArguments {
public:
  void add(Value passed, std::string name, Value *inside) {
    values.push_back(passed);
    names.push_back(std::move(name));
    inner.push_back(inside);
  }
  void addArrays(const Arrays &passed, const std::string &name, Arrays &inside,
                 const Format &format) {
    inside.positions.resize(format.rank());
    inside.coordinates.resize(format.rank());
    for (int level = 0; level < format.rank(); ++level) {
      if (passed.positions[level])
        add(passed.positions[level], name + "_pos" + std::to_string(level),
            &inside.positions[level]);
      if (passed.coordinates[level])
        add(passed.coordinates[level], name + "_crd" + std::to_string(level),
            &inside.coordinates[level]);
    }
    if (passed.values)
      add(passed.values, name + "_val", &inside.values);
  }

  SmallVector<Value> values;
  std::vector<std::string> names;
  SmallVector<Value *> inner;
};

class ProgramLowering {
public:
  ProgramLowering(einsum::ProgramOp program, einsum::PlanOp plan)
      : program(program), plan(plan), loc(program.getLoc()), kernels(program),
        builder(program) {}

  LogicalResult run() {
    if (failed(readPlan()))
      return failure();
    startProgram();
    for (auto op : program.getEntry().getOps<einsum::StatementOp>())
      if (failed(lowerStatement(op)))
        return failure();
    finish();
    plan.erase();
    program.erase();
    return success();
  }

private:
  Type elementOf(Type tensor) {
    return cast<RankedTensorType>(tensor).getElementType();
  }
  tile::PtrType pointerTo(Type element) {
    return tile::PtrType::get(builder.getContext(), element);
  }
  Type integer(int bits) { return builder.getIntegerType(unsigned(bits)); }
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// Every term of every statement has one nest, and it is legal.
  LogicalResult readPlan() {
    for (auto op : plan.getBody().getOps<einsum::NestOp>()) {
      einsum::StatementOp found;
      for (auto statement : program.getEntry().getOps<einsum::StatementOp>())
        if (statement.getName() == op.getStatement())
          found = statement;
      if (!found)
        return report(op, diag::einsum_plan)
               << "@" << program.getSymName() << " has no statement "
               << op.getStatement();
      sparse::Statement statement = describeStatement(found);
      auto nest = describeNest(op, statement);
      if (failed(nest))
        return failure();
      std::string illegal = sparse::whyIllegal(statement, *nest);
      if (!illegal.empty())
        return report(op, diag::einsum_plan) << illegal;
      if (!nests.try_emplace({found, nest->term}, *nest).second)
        return report(op, diag::einsum_plan)
               << "term " << nest->term << " of " << op.getStatement()
               << " has two nests";
    }
    for (auto op : program.getEntry().getOps<einsum::StatementOp>())
      for (int term = 0; term < int(op.getTerms().size()); ++term)
        if (!nests.count({op, term}))
          return report(plan, diag::einsum_plan)
                 << "term " << term << " of " << op.getName() << " has no nest";
    return success();
  }

  /// One argument an array and an extent of each operand.
  void startProgram() {
    SmallVector<Type> types;
    SmallVector<Attribute> names;
    auto add = [&](Type type, const std::string &name) {
      types.push_back(type);
      names.push_back(builder.getStringAttr(name));
    };
    for (auto [argument, attribute] :
         llvm::zip(program.getEntry().getArguments(), program.getArgNames())) {
      std::string name = cast<StringAttr>(attribute).getValue().str();
      auto type = cast<RankedTensorType>(argument.getType());
      Format format = describeFormat(type);
      for (int level = 0; level < format.rank(); ++level) {
        if (format.hasPositions(level))
          add(pointerTo(integer(format.positionBits)),
              name + "_pos" + std::to_string(level));
        if (format.hasCoordinates(level))
          add(pointerTo(integer(format.coordinateBits)),
              name + "_crd" + std::to_string(level));
      }
      add(pointerTo(elementOf(type)), name + "_val");
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        add(builder.getIndexType(), name + "_n" + std::to_string(axis));
    }
    made = tile::ProgramOp::create(
        builder, loc, program.getSymNameAttr(),
        TypeAttr::get(builder.getFunctionType(types, {})),
        builder.getArrayAttr(names));
    Block &entry = made.getBody().emplaceBlock();
    for (Type type : types)
      entry.addArgument(type, loc);
    builder.setInsertionPointToStart(&entry);
    unsigned at = 0;
    for (auto argument : program.getEntry().getArguments()) {
      auto type = cast<RankedTensorType>(argument.getType());
      Format format = describeFormat(type);
      Storage &storage = tensors[argument];
      storage.arrays.positions.resize(format.rank());
      storage.arrays.coordinates.resize(format.rank());
      for (int level = 0; level < format.rank(); ++level) {
        if (format.hasPositions(level))
          storage.arrays.positions[level] = entry.getArgument(at++);
        if (format.hasCoordinates(level))
          storage.arrays.coordinates[level] = entry.getArgument(at++);
      }
      storage.arrays.values = entry.getArgument(at++);
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        storage.extents.push_back(entry.getArgument(at++));
    }
  }

  /// An extent for each index, from the first operand that has it.
  SmallVector<Value> extentsOf(einsum::StatementOp op,
                               const sparse::Statement &statement) {
    SmallVector<Value> extents(statement.indices.size());
    for (auto [term, operands] :
         llvm::zip_equal(statement.terms, operandsByTerm(op)))
      for (auto [access, operand] : llvm::zip_equal(term, operands)) {
        const Storage &storage = tensors[operand];
        for (auto [axis, index] : llvm::enumerate(access.indices))
          if (!extents[index])
            extents[index] = storage.extents[axis];
      }
    return extents;
  }

  /// Writes one kernel: `write` gets the arguments as the kernel sees them.
  void launch(const std::string &name, KernelArguments &arguments,
              const std::function<void()> &write) {
    SmallVector<Type> types = llvm::map_to_vector(
        arguments.values, [](Value value) { return value.getType(); });
    SmallVector<Attribute> names;
    for (const std::string &argument : arguments.names)
      names.push_back(builder.getStringAttr(argument));
    auto kernel = tile::KernelOp::create(
        kernels, loc, kernels.getStringAttr(name),
        TypeAttr::get(kernels.getFunctionType(types, {})),
        kernels.getArrayAttr(names));
    Block &entry = kernel.getBody().emplaceBlock();
    for (auto [inside, type] : llvm::zip(arguments.inner, types))
      *inside = entry.addArgument(type, loc);
    tile::LaunchOp::create(builder, loc, name, arguments.values);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&entry);
    write();
  }

  void addNest(KernelArguments &arguments, einsum::StatementOp op,
               const sparse::Statement &statement, int term,
               ArrayRef<Value> extents, const Arrays &result,
               NestArguments &inside) {
    std::vector<Value> operands = operandsByTerm(op)[size_t(term)];
    const auto &factors = statement.terms[term];
    inside.factors.resize(factors.size());
    inside.extents.resize(extents.size());
    for (auto [number, access] : llvm::enumerate(factors)) {
      std::string name = access.tensor;
      for (size_t before = 0; before < number; ++before)
        if (factors[before].tensor == access.tensor)
          name = access.tensor + "_" + std::to_string(number);
      Arrays arrays = tensors[operands[number]].arrays;
      if (access.isMask)
        arrays.values = {};
      arguments.addArrays(arrays, name, inside.factors[number], access.format);
    }
    arguments.addArrays(result, statement.result.tensor, inside.result,
                        statement.result.format);
    for (int index : statement.indicesOf(term))
      arguments.add(extents[index], "n_" + statement.indices[index],
                    &inside.extents[index]);
  }

  std::string nameOf(einsum::StatementOp op, StringRef part) {
    std::string name = (program.getSymName() + "_" + op.getName()).str();
    return part.empty() ? name : name + "_" + part.str();
  }

  /// Writes a kernel that visits each place of arrays of one length.
  void
  launchForEach(einsum::StatementOp op, StringRef part,
                const sparse::Statement &statement, ArrayRef<Value> passed,
                Value count,
                const std::function<void(KernelWriter &, ArrayRef<Value> arrays,
                                         Value at)> &visit) {
    KernelArguments arguments;
    SmallVector<Value> arrays(passed.size());
    Value length;
    for (size_t i = 0; i < passed.size(); ++i)
      arguments.add(passed[i], i ? "from" : "values", &arrays[i]);
    arguments.add(count, "count", &length);
    launch(nameOf(op, part), arguments, [&] {
      KernelWriter writer(builder, op.getLoc(), statement, 1);
      auto parallel = tile::ParallelOp::create(builder, loc, length);
      parallel->setAttr("chunk", builder.getI64IntegerAttr(4096));
      Block &block = parallel.getBody().emplaceBlock();
      Value at = block.addArgument(builder.getIndexType(), loc);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&block);
      visit(writer, arrays, at);
    });
  }

  /// Every element becomes the semiring's zero.
  void launchClear(einsum::StatementOp op, const sparse::Statement &statement,
                   Value values, Value count) {
    launchForEach(op, "clear", statement, values, count,
                  [](KernelWriter &writer, ArrayRef<Value> arrays, Value at) {
                    writer.store(writer.zero(false), arrays[0], at);
                  });
  }

  /// The statement's functions of every element.
  void launchThen(einsum::StatementOp op, const sparse::Statement &statement,
                  Value values, Value count) {
    launchForEach(op, "then", statement, values, count,
                  [&](KernelWriter &writer, ArrayRef<Value> arrays, Value at) {
                    Value made = writeFunctions(builder, loc, statement.then,
                                                writer.load(arrays[0], at));
                    writer.store(made, arrays[0], at);
                  });
  }

  /// An array of the statement's elements with what `sums` has, and behind its
  /// functions if it is not finished.
  Value launchRound(einsum::StatementOp op, const sparse::Statement &statement,
                    Value sums, Value count, bool isFinished) {
    Value rounded = tile::AllocateOp::create(
        builder, loc, pointerTo(elementOf(op.getType())), count, false);
    launchForEach(op, "round", statement, {rounded, sums}, count,
                  [&](KernelWriter &writer, ArrayRef<Value> arrays, Value at) {
                    Value value = writer.load(arrays[1], at);
                    if (!isFinished)
                      value =
                          writeFunctions(builder, loc, statement.then, value);
                    writer.store(value, arrays[0], at);
                  });
    return rounded;
  }

  /// The type that sums have until they are a result's elements.
  Type sumType(const sparse::Statement &statement) {
    return KernelWriter(builder, loc, statement, 1).element();
  }

  /// Whether a sum is stored before it is whole.
  bool storesParts(einsum::StatementOp op, const sparse::Statement &statement) {
    if (statement.terms.size() > 1)
      return true;
    return nests.at({op, 0}).into == sparse::Into::Memory;
  }

  LogicalResult lowerStatement(einsum::StatementOp op) {
    sparse::Statement statement = describeStatement(op);
    const Format &format = statement.result.format;
    SmallVector<Value> extents = extentsOf(op, statement);
    Storage &result = tensors[op.getResult()];
    result.arrays.positions.resize(format.rank());
    result.arrays.coordinates.resize(format.rank());
    for (int index : statement.result.indices)
      result.extents.push_back(extents[index]);
    const sparse::Nest &first = nests.at({op, 0});
    if (first.assemble == Assemble::CountFill) {
      lowerCounted(op, statement, first, extents, result);
      return success();
    }
    if (first.assemble == Assemble::CountScatter) {
      lowerScattered(op, statement, first, extents, result);
      return success();
    }
    Value count;
    if (first.assemble == Assemble::Same)
      count = sharePattern(op, statement, first, result);
    else
      count = product(extents, statement.result.indices);
    int lastTerm = int(statement.terms.size()) - 1;
    bool isFinished =
        sparse::finishesElements(statement, nests.at({op, lastTerm}));
    // What is stored before it is an element is not rounded yet.
    bool isRounded = sumType(statement) != elementOf(op.getType()) &&
                     (!isFinished || storesParts(op, statement));
    auto type =
        pointerTo(isRounded ? sumType(statement) : elementOf(op.getType()));
    bool isZero = sparse::zeroOf(statement.semiring) == 0;
    bool isWhole = sparse::coversResult(statement, first);
    result.arrays.values =
        tile::AllocateOp::create(builder, loc, type, count, isZero && !isWhole);
    counts[result.arrays.values] = count;
    if (!isZero && !isWhole)
      launchClear(op, statement, result.arrays.values, count);
    for (int term = 0; term <= lastTerm; ++term) {
      const sparse::Nest &nest = nests.at({op, term});
      KernelArguments arguments;
      NestArguments inside;
      Arrays values = result.arrays;
      for (int level = 0; level < format.rank(); ++level)
        values.positions[level] = values.coordinates[level] = {};
      addNest(arguments, op, statement, term, extents, values, inside);
      launch(nameOf(op, term ? "term" + std::to_string(term) : ""), arguments,
             [&] {
               NestWriter(builder, op.getLoc(), statement, nest, inside)
                   .writeCompute(isFinished && term == lastTerm);
             });
    }
    if (isRounded) {
      result.arrays.values =
          launchRound(op, statement, result.arrays.values, count, isFinished);
      counts[result.arrays.values] = count;
    } else if (!isFinished) {
      launchThen(op, statement, result.arrays.values, count);
    }
    return success();
  }

  Value product(ArrayRef<Value> extents, ArrayRef<int> indices) {
    Value count = indices.empty() ? number(1) : Value();
    for (int index : indices)
      count = count ? Value(arith::MulIOp::create(builder, loc, count,
                                                  extents[index]))
                    : extents[index];
    return count;
  }

  /// The result has the positions and coordinates of an operand; how many
  /// values that makes.
  Value sharePattern(einsum::StatementOp op, const sparse::Statement &statement,
                     const sparse::Nest &nest, Storage &result) {
    auto which = size_t(sparse::findPattern(statement, nest));
    const Storage &pattern = tensors[operandsByTerm(op)[nest.term][which]];
    Value count = number(1);
    for (int level = 0; level < statement.result.format.rank(); ++level) {
      result.arrays.positions[level] = pattern.arrays.positions[level];
      result.arrays.coordinates[level] = pattern.arrays.coordinates[level];
      if (result.arrays.positions[level]) {
        Value parents = arith::AddIOp::create(builder, loc, count, number(1));
        counts[result.arrays.positions[level]] = parents;
        count = tile::ReadOp::create(builder, loc, builder.getIndexType(),
                                     result.arrays.positions[level], count);
      } else if (!result.arrays.coordinates[level]) {
        int axis = statement.result.format.axes[level];
        count =
            arith::MulIOp::create(builder, loc, count, result.extents[axis]);
      }
      if (result.arrays.coordinates[level])
        counts[result.arrays.coordinates[level]] = count;
    }
    return count;
  }
  /// The number of positions above the last level of a result.
  Value countRows(const sparse::Statement &statement, ArrayRef<Value> extents) {
    Value rows = number(1);
    for (int level = 0; level + 1 < statement.result.format.rank(); ++level)
      rows = arith::MulIOp::create(
          builder, loc, rows, extents[statement.result.indexOfLevel(level)]);
    return rows;
  }

  /// Positions that are zero, one more than there are rows.
  void allocatePositions(const Format &format, Value rows, Storage &result) {
    Value places = arith::AddIOp::create(builder, loc, rows, number(1));
    Value positions = tile::AllocateOp::create(
        builder, loc, pointerTo(integer(format.positionBits)), places, true);
    result.arrays.positions.back() = positions;
    counts[positions] = places;
  }

  /// Behind the counting of rows: makes positions of their counts, and arrays
  /// for the sum of them.
  void allocateElements(einsum::StatementOp op,
                        const sparse::Statement &statement, Value rows,
                        Storage &result) {
    const Format &format = statement.result.format;
    Value total = tile::AllocateOp::create(
        builder, loc, pointerTo(builder.getI64Type()), number(1), true);
    launchSum(op, statement, result.arrays.positions.back(), rows, total);
    Value count = tile::ReadOp::create(builder, loc, builder.getIndexType(),
                                       total, number(0));
    if (format.positionBits == 32)
      tile::LimitOp::create(
          builder, loc, count, builder.getI64IntegerAttr(INT32_MAX),
          builder.getStringAttr("elements of " + statement.result.tensor +
                                ", whose positions have 32 bits"));
    result.arrays.coordinates.back() = tile::AllocateOp::create(
        builder, loc, pointerTo(integer(format.coordinateBits)), count, false);
    result.arrays.values = tile::AllocateOp::create(
        builder, loc, pointerTo(elementOf(op.getType())), count, false);
    counts[result.arrays.coordinates.back()] = count;
    counts[result.arrays.values] = count;
  }

  void lowerScattered(einsum::StatementOp op,
                      const sparse::Statement &statement,
                      const sparse::Nest &nest, ArrayRef<Value> extents,
                      Storage &result) {
    Value rows = countRows(statement, extents);
    allocatePositions(statement.result.format, rows, result);
    auto write = [&](StringRef part, Value next) {
      KernelArguments arguments;
      NestArguments inside;
      Value nextInside;
      addNest(arguments, op, statement, 0, extents, result.arrays, inside);
      if (next)
        arguments.add(next, "next", &nextInside);
      launch(nameOf(op, part), arguments, [&] {
        NestWriter writer(builder, op.getLoc(), statement, nest, inside);
        writer.writeOuterLoops(nest.order.size(), [&] {
          if (next)
            writer.writeElementOfRow(nextInside);
          else
            writer.countElementOfRow();
        });
      });
    };
    write("count", {});
    allocateElements(op, statement, rows, result);
    Value next = tile::AllocateOp::create(
        builder, loc, pointerTo(builder.getI64Type()), rows, true);
    write("scatter", next);
  }

  void lowerCounted(einsum::StatementOp op, const sparse::Statement &statement,
                    const sparse::Nest &nest, ArrayRef<Value> extents,
                    Storage &result) {
    Value rows = countRows(statement, extents);
    allocatePositions(statement.result.format, rows, result);
    auto scratch = [&](Value columns, bool hasSums) {
      auto words = [&](Value count) {
        Value more = arith::AddIOp::create(builder, loc, count, number(63));
        return arith::DivUIOp::create(builder, loc, more, number(64));
      };
      SmallVector<Value> made;
      auto wordType = pointerTo(builder.getI64Type());
      Value count = columns;
      for (int level = 0; level < 3; ++level) {
        count = words(count);
        made.push_back(tile::ScratchOp::create(builder, loc, wordType, count));
      }
      if (hasSums)
        made.push_back(tile::ScratchOp::create(
            builder, loc, pointerTo(sumType(statement)), columns));
      return made;
    };
    int column =
        statement.result.indexOfLevel(statement.result.format.rank() - 1);
    {
      KernelArguments arguments;
      NestArguments inside;
      // The count computes nothing, so it gets no values.
      addNest(arguments, op, statement, 0, extents, result.arrays, inside);
      launch(nameOf(op, "count"), arguments, [&] {
        NestWriter writer(builder, op.getLoc(), statement, nest, inside);
        writeCountKernel(writer, statement, nest, inside,
                         scratch(inside.extents[column], false));
      });
    }
    allocateElements(op, statement, rows, result);
    KernelArguments arguments;
    NestArguments inside;
    addNest(arguments, op, statement, 0, extents, result.arrays, inside);
    launch(nameOf(op, "fill"), arguments, [&] {
      NestWriter writer(builder, op.getLoc(), statement, nest, inside);
      writeFillKernel(writer, statement, nest, inside,
                      scratch(inside.extents[column], true));
    });
  }

  /// Counts become positions: position r + 1 holds the sum of the first r + 1.
  void launchSum(einsum::StatementOp op, const sparse::Statement &statement,
                 Value positions, Value rows, Value total) {
    KernelArguments arguments;
    Value array, length, sumArray;
    arguments.add(positions, "positions", &array);
    arguments.add(rows, "rows", &length);
    arguments.add(total, "total", &sumArray);
    launch(nameOf(op, "sum"), arguments, [&] {
      KernelWriter writer(builder, op.getLoc(), statement, 1);
      auto parallel = tile::ParallelOp::create(builder, loc, writer.number(1));
      Block &block = parallel.getBody().emplaceBlock();
      block.addArgument(builder.getIndexType(), loc);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&block);
      Type type = cast<tile::PtrType>(array.getType()).getElementType();
      auto loop = scf::ForOp::create(
          builder, loc, writer.number(0), length, writer.number(1),
          writer.number(0),
          [&](OpBuilder &, Location, Value row, ValueRange sums) {
            Value next = writer.add(row, writer.number(1));
            Value sum = writer.add(sums[0], writer.loadIndex(array, next));
            writer.store(arith::IndexCastOp::create(builder, loc, type, sum),
                         array, next);
            scf::YieldOp::create(builder, loc, sum);
          });
      writer.store(writer.toWord(loop.getResult(0)), sumArray,
                   writer.number(0));
    });
  }

  /// Gives the arrays of what the program returns.
  void finish() {
    SmallVector<Attribute> names;
    SmallVector<Value> arrays, lengths;
    auto add = [&](Value array, const std::string &name) {
      if (!array)
        return;
      names.push_back(builder.getStringAttr(name));
      arrays.push_back(array);
      lengths.push_back(counts.lookup(array));
    };
    for (Value value : program.getEntry().back().getOperands()) {
      const Storage &storage = tensors[value];
      auto op = value.getDefiningOp<einsum::StatementOp>();
      std::string name = op.getName().str();
      for (size_t level = 0; level < storage.arrays.positions.size(); ++level) {
        add(storage.arrays.positions[level],
            name + "_pos" + std::to_string(level));
        add(storage.arrays.coordinates[level],
            name + "_crd" + std::to_string(level));
      }
      add(storage.arrays.values, name + "_val");
    }
    tile::GiveOp::create(builder, loc, builder.getArrayAttr(names), arrays,
                         lengths);
  }

  einsum::ProgramOp program;
  einsum::PlanOp plan;
  Location loc;
  OpBuilder kernels, builder;
  tile::ProgramOp made;
  llvm::DenseMap<Value, Storage> tensors;
  llvm::DenseMap<Value, Value> counts; ///< how long an array is
  std::map<std::pair<Operation *, int>, sparse::Nest> nests;
};

} // namespace

LogicalResult heddle::lowerEinsumToTile(ModuleOp module) {
  module.getContext()
      ->loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                    scf::SCFDialect>();
  if (failed(addPlans(module)))
    return failure();
  for (auto plan : module.getOps<einsum::PlanOp>())
    if (!isa_and_present<einsum::ProgramOp>(
            module.lookupSymbol(plan.getProgramAttr())))
      return report(plan, diag::einsum_plan)
             << "there is no program @" << plan.getProgram();
  for (auto program :
       llvm::make_early_inc_range(module.getOps<einsum::ProgramOp>()))
    if (failed(ProgramLowering(program, findPlan(program)).run()))
      return failure();
  return success();
}
