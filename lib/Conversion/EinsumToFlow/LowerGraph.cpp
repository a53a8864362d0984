//===- LowerGraph.cpp - Programs become graphs of streams -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statement by statement, by the plan. A result is written where the program
// returns it or another region reads it; inside a region it stays a stream.
//
//===----------------------------------------------------------------------===//

#include "CopySpace.h"
#include "StatementWriter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Flow.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <map>

using namespace mlir;
using namespace heddle;

flow::GraphOp heddle::findGraph(einsum::ProgramOp program) {
  for (auto graph :
       program->getParentOfType<ModuleOp>().getOps<flow::GraphOp>())
    if (graph.getProgram() == program.getSymName())
      return graph;
  return nullptr;
}

namespace {

class GraphWriter {
public:
  GraphWriter(einsum::ProgramOp program, einsum::PlanOp plan)
      : program(program), plan(plan),
        builder(program->getBlock(), std::next(plan->getIterator())) {}

  LogicalResult write() {
    if (failed(checkPlan()))
      return failure();
    auto graph = flow::GraphOp::create(
        builder, program.getLoc(),
        FlatSymbolRefAttr::get(program.getSymNameAttr()),
        program.getFunctionTypeAttr(), program.getArgNamesAttr());
    Block &block = graph.getBody().emplaceBlock();
    for (BlockArgument argument : program.getEntry().getArguments())
      stored[argument] =
          block.addArgument(argument.getType(), argument.getLoc());
    builder.setInsertionPointToEnd(&block);
    for (auto op : program.getEntry().getOps<einsum::StatementOp>())
      if (failed(writeStatement(op))) {
        graph.erase();
        return failure();
      }
    SmallVector<Value> returned;
    for (Value value : program.getEntry().getTerminator()->getOperands())
      returned.push_back(stored[value]);
    flow::ReturnOp::create(builder, program.getLoc(), returned);
    flow::dropUnused(graph);
    if (failed(copyAll(graph))) {
      graph.erase();
      return failure();
    }
    return success();
  }

private:
  LogicalResult copyAll(flow::GraphOp graph) {
    auto tooMany = copySpaces(graph, spaces);
    if (!tooMany)
      return success();
    for (auto [one, entry] : llvm::zip_equal(spaces, entriesOfSpaces))
      if (one.space == tooMany->space)
        return report(entry, diag::einsum_plan)
               << entry.getStatement() << " wants " << one.copies
               << " copies of " << tooMany->below
               << " primitives below one index, and a graph has at most "
               << kMostPrimitives << "; have fewer copies";
    llvm_unreachable("a space that nobody wanted copies of");
  }

  einsum::StreamsOp planOf(StringRef statement) {
    for (auto op : plan.getBody().front().getOps<einsum::StreamsOp>())
      if (op.getStatement() == statement)
        return op;
    return nullptr;
  }

  /// Each entry is of a statement, and each statement has one.
  LogicalResult checkPlan() {
    llvm::StringSet<> known, seen;
    for (auto op : program.getEntry().getOps<einsum::StatementOp>())
      known.insert(op.getName());
    for (auto op : plan.getBody().front().getOps<einsum::StreamsOp>()) {
      if (!known.contains(op.getStatement()))
        return report(op, diag::einsum_plan)
               << "program @" << program.getSymName() << " has no statement "
               << op.getStatement();
      if (!seen.insert(op.getStatement()).second)
        return report(op, diag::einsum_plan)
               << op.getStatement() << " has two orders of streams";
    }
    return success();
  }

  LogicalResult writeStatement(einsum::StatementOp op) {
    sparse::Statement statement = describeStatement(op);
    einsum::StreamsOp entry = planOf(op.getName());
    FailureOr<sparse::RankedOrder> order = describeStreams(entry, statement);
    if (failed(order))
      return failure();
    std::vector<StatementWriter::Term> terms;
    if (failed(makeViews(op, statement, *order, /*isAgain=*/false, terms)))
      return failure();
    StatementWriter writer(builder, op.getLoc(), statement, order->order,
                           around(op));
    FailureOr<StreamedResult> result = writer.write(std::move(terms));
    if (failed(result))
      return failure();
    for (const sparse::ParallelIndex &parallel : order->parallel)
      for (const StatementWriter::IndexSpace &one : writer.getSpaces())
        if (one.index == parallel.index &&
            failed(addCopies(entry, parallel, one.space)))
          return failure();
    StreamedResult &made = results[op.getResult().getAsOpaquePointer()];
    made = std::move(*result);
    auto isHandedTo = [&](Operation *user) {
      auto reader = dyn_cast<einsum::StatementOp>(user);
      return reader &&
             planOf(reader.getName()).getInRegion() == entry.getInRegion();
    };
    if (!llvm::all_of(op->getUsers(), isHandedTo))
      writeTensor(op, statement, made);
    // Memory has the rest of a dense result beforehand, and streams do not.
    if (!made.isWhole && statement.result.format.isDense() &&
        llvm::any_of(op->getUsers(), isHandedTo))
      writer.complete(made, 0);
    return success();
  }

  /// Statements that hand streams on share their spaces, so each that names the
  /// index has to give it the same number.
  LogicalResult addCopies(einsum::StreamsOp entry,
                          const sparse::ParallelIndex &parallel,
                          StringAttr space) {
    for (const SpaceCopies &other : spaces) {
      if (other.space != space)
        continue;
      if (other.copies == parallel.copies && other.chunk == parallel.chunk)
        return success();
      return report(entry, diag::einsum_plan)
             << entry.getStatement() << " wants " << parallel.copies
             << " copies in runs of " << parallel.chunk
             << " where it walks the streams of another statement, which has "
             << other.copies << " in runs of " << other.chunk
             << "; give both the same, or leave out one";
    }
    spaces.push_back({space, parallel.copies, parallel.chunk});
    entriesOfSpaces.push_back(entry);
    return success();
  }

  Surroundings around(einsum::StatementOp op) {
    return {names, [this] { return getRoot(); },
            [this, op](int index) {
              return extentOf(op, index, describeStatement(op));
            }};
  }

  Value getRoot() {
    if (!root)
      root = flow::RootOp::create(
          builder, builder.getUnknownLoc(),
          flow::StreamType::get(builder.getContext(), flow::StreamKind::Ref,
                                builder.getIndexType(), {}));
    return root;
  }

  LogicalResult makeViews(einsum::StatementOp op,
                          const sparse::Statement &statement,
                          const sparse::RankedOrder &order, bool isAgain,
                          std::vector<StatementWriter::Term> &terms) {
    Reading reading{op,           statement,          order.order,
                    order.copies, operandsByTerm(op), isAgain};
    for (auto [accesses, operands] :
         llvm::zip_equal(statement.terms, reading.operands)) {
      terms.emplace_back();
      for (auto [access, operand] : llvm::zip_equal(accesses, operands)) {
        FailureOr<View> view = makeView(reading, operand, access);
        if (failed(view))
          return failure();
        terms.back().push_back(std::move(*view));
      }
    }
    if (!sparse::needsMaskTerm(statement))
      return success();
    FailureOr<View> view =
        makeView(reading, op.getOperands().back(), *statement.mask);
    if (failed(view))
      return failure();
    terms.push_back({std::move(*view)});
    return success();
  }

  /// A statement while its views are made.
  struct Reading {
    einsum::StatementOp op;
    const sparse::Statement &statement;
    const std::vector<int> &order;
    const sparse::Copies &copies;
    std::vector<std::vector<Value>> operands;
    bool isAgain;
  };

  /// What the value is as streams; null if it is stored.
  const StreamedResult *streamsOf(einsum::StatementOp reader, Value value) {
    auto maker = value.getDefiningOp<einsum::StatementOp>();
    if (!maker || planOf(maker.getName()).getInRegion() !=
                      planOf(reader.getName()).getInRegion())
      return nullptr;
    return &results[value.getAsOpaquePointer()];
  }

  FailureOr<View> makeView(const Reading &reading, Value value,
                           const sparse::Access &access) {
    View view;
    view.access = &access;
    view.streams = streamsOf(reading.op, value);
    if (!view.streams) {
      view.tensor = stored[value];
      view.at = getRoot();
      if (reading.copies.count(access.tensor))
        transpose(reading, view, value.getLoc());
      return view;
    }
    auto maker = value.getDefiningOp<einsum::StatementOp>();
    sparse::Statement made = describeStatement(maker);
    FailureOr<sparse::RankedOrder> own =
        describeStreams(planOf(maker.getName()), made);
    if (failed(own))
      return failure();
    // One value, which every row may read.
    if (access.format.rank() == 0) {
      view.at = view.streams->value;
      return view;
    }
    // Which rows of a compressed level have an element, streams do not know
    // before they have passed.
    bool isDense = access.format.levels.back() == sparse::Level::Dense;
    bool isFillable = made.result.format.isDense();
    std::vector<int> levels = sparse::sortLevels(access, reading.order);
    bool isTurned = !llvm::is_sorted(levels);
    if (isDense && !isFillable &&
        (isTurned || !sparse::computesAll(made, own->order)))
      return report(reading.op, diag::flow_unsupported)
             << "the last level of " << access.tensor
             << " is dense below a compressed one, and as streams it has only "
                "what was computed; make the level compressed, or put the two "
                "statements into different regions";
    bool isInOrder = !isTurned && view.streams->indices == view.streams->stored;
    if (!reading.isAgain && isInOrder && view.streams->isWhole &&
        passesOnce(reading, *view.streams, access))
      return view;
    // Not where it would be needed as it is: once more, then, below this.
    if (isTurned) {
      view.access = &turn(access, levels);
      made.result = turn(made.result, levels);
    }
    auto again = std::make_shared<Repeated>();
    if (!sparse::comesByRows(made, own->order)) {
      std::optional<sparse::RankedOrder> other = sparse::findRowOrder(made);
      if (!other)
        return view; // the streams themselves, or a message that says why not
      *own = std::move(*other);
    }
    again->isFilled = isDense && !sparse::computesAll(made, own->order);
    again->statement = std::move(made);
    again->order = own->order;
    if (failed(makeViews(maker, again->statement, *own, /*isAgain=*/true,
                         again->terms)))
      return failure();
    again->writer = std::make_unique<StatementWriter>(
        builder, maker.getLoc(), again->statement, again->order, around(maker));
    again->writer->fillsRows = again->isFilled;
    view.streams = nullptr;
    view.repeated = std::move(again);
    return view;
  }

  /// The same elements with the levels in another order.
  const sparse::Access &turn(const sparse::Access &access,
                             ArrayRef<int> levels) {
    sparse::Access &turned = turnedAccesses.emplace_back(access);
    for (auto [axis, level] : llvm::zip_equal(turned.format.axes, levels))
      axis = access.format.axes[size_t(level)];
    // A dense level inside a compressed one has all of a fiber, which is
    // another fiber here: there would be more elements.
    if (!access.format.isDense())
      std::fill(turned.format.levels.begin() + 1, turned.format.levels.end(),
                sparse::Level::Compressed);
    return turned;
  }

  /// Lets the view read a copy that is stored as it is walked.
  void transpose(const Reading &reading, View &view, Location loc) {
    const sparse::Access &access = *view.access;
    std::vector<int> levels = sparse::sortLevels(access, reading.order);
    if (llvm::is_sorted(levels))
      return;
    const sparse::Access &copied = turn(access, levels);
    view.access = &copied;
    Value &copy = copies[{view.tensor.getAsOpaquePointer(), levels}];
    if (!copy)
      copy = writeCopy(loc, access, view.tensor, copied.format, levels);
    view.tensor = copy;
  }

  /// Reads a tensor and writes its elements in another order.
  Value writeCopy(Location loc, const sparse::Access &access, Value tensor,
                  const sparse::Format &format, ArrayRef<int> levels) {
    auto type = cast<RankedTensorType>(tensor.getType());
    std::string name = access.tensor + " by";
    for (int axis : format.axes)
      name += " " + std::to_string(axis);
    SmallVector<Value> crds, shape;
    SmallVector<StringAttr> nest;
    Value at = getRoot();
    SmallVector<int64_t> axes, places(levels.size());
    auto typeOf = [&](flow::StreamKind kind, Type element) {
      return flow::StreamType::get(builder.getContext(), kind, element, nest);
    };
    for (int level = 0; level < int(levels.size()); ++level) {
      std::string space =
          name + "." + std::to_string(access.format.axes[size_t(level)]);
      nest.push_back(builder.getStringAttr(space));
      auto scan = flow::ScanOp::create(
          builder, loc, typeOf(flow::StreamKind::Crd, builder.getIndexType()),
          typeOf(flow::StreamKind::Ref, builder.getIndexType()), tensor,
          builder.getI64IntegerAttr(level), at);
      crds.push_back(scan.getCrd());
      at = scan.getBelow();
      places[size_t(level)] = llvm::find(levels, level) - levels.begin();
      shape.push_back(tensor);
      axes.push_back(level); // each axis is as long as it was
    }
    Value values = flow::ValuesOp::create(
        builder, loc, typeOf(flow::StreamKind::Val, type.getElementType()),
        tensor, at);
    return flow::WriteOp::create(
        builder, loc, transposedType(type, format), builder.getStringAttr(name),
        crds, values, shape, builder.getDenseI64ArrayAttr(axes),
        builder.getDenseI64ArrayAttr(places), FloatAttr());
  }

  static RankedTensorType transposedType(RankedTensorType type,
                                         const sparse::Format &format) {
    MLIRContext *context = type.getContext();
    unsigned positionBits = 0, coordinateBits = 0;
    if (auto encoding =
            dyn_cast_if_present<sparse_tensor::SparseTensorEncodingAttr>(
                type.getEncoding())) {
      positionBits = encoding.getPosWidth();
      coordinateBits = encoding.getCrdWidth();
    }
    using sparse_tensor::LevelFormat;
    SmallVector<sparse_tensor::LevelType> levels;
    for (sparse::Level level : format.levels)
      levels.push_back(*sparse_tensor::buildLevelType(
          level == sparse::Level::Dense ? LevelFormat::Dense
                                        : LevelFormat::Compressed,
          /*ordered=*/true, /*unique=*/true));
    SmallVector<unsigned> axes(format.axes.begin(), format.axes.end());
    return RankedTensorType::get(
        type.getShape(), type.getElementType(),
        sparse_tensor::SparseTensorEncodingAttr::get(
            context, levels, AffineMap::getPermutationMap(axes, context),
            AffineMap(), positionBits, coordinateBits));
  }

  /// Whether the streams are walked from the outermost loop in, and above their
  /// last level no term has coordinates other than theirs.
  bool passesOnce(const Reading &reading, const StreamedResult &streams,
                  const sparse::Access &access) {
    // No other index of its term stands outside of one of its own.
    const std::vector<sparse::Access> *term = nullptr;
    for (const auto &accesses : reading.statement.terms)
      if (llvm::any_of(accesses, [&](auto &one) { return &one == &access; }))
        term = &accesses;
    int walked = 0;
    for (int index : reading.order) {
      if (walked == access.format.rank())
        break;
      if (index == access.indexOfLevel(walked)) {
        ++walked;
        continue;
      }
      if (walked == 0 || reading.statement.isOutput(index) ||
          (term &&
           llvm::any_of(*term, [&](auto &one) { return one.has(index); })))
        return false;
    }
    for (int level = 0; level + 1 < access.format.rank(); ++level)
      for (auto [accesses, operands] :
           llvm::zip_equal(reading.statement.terms, reading.operands)) {
        bool isLed = false, isLacking = true;
        for (auto [other, operand] : llvm::zip_equal(accesses, operands)) {
          int at = other.levelOfIndex(access.indexOfLevel(level));
          if (at < 0)
            continue;
          isLacking = false;
          const StreamedResult *others = streamsOf(reading.op, operand);
          bool isSame =
              others && others->crds[size_t(at)] == streams.crds[size_t(level)];
          bool isAsked = !others && other.format.levels[size_t(at)] ==
                                        sparse::Level::Dense;
          if (!isSame && !isAsked)
            return false;
          isLed |= isSame;
        }
        // A term that lacks the index repeats along all that a dense one has.
        if (!isLed && !(isLacking && access.format.isDense()))
          return false;
      }
    return true;
  }

  void writeTensor(einsum::StatementOp op, const sparse::Statement &statement,
                   const StreamedResult &result) {
    const sparse::Access &access = statement.result;
    SmallVector<Value> shape;
    SmallVector<int64_t> axes, levels;
    for (int index : access.indices) {
      // Any stored operand with the index has its extent.
      auto [tensor, axis] = extentOf(op, index, statement);
      shape.push_back(tensor);
      axes.push_back(axis);
    }
    for (int index : result.indices)
      levels.push_back(access.levelOfIndex(index));
    bool isInOrder = llvm::is_sorted(levels);
    double zero = statement.emptyValue();
    auto write = flow::WriteOp::create(
        builder, op.getLoc(), op.getType(), op.getNameAttr(), result.crds,
        result.value, shape, builder.getDenseI64ArrayAttr(axes),
        isInOrder ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(levels),
        zero == 0 ? FloatAttr() : builder.getF64FloatAttr(zero));
    stored[op.getResult()] = write.getTensor();
  }

  /// A stored tensor and the axis of it that is as long as `index`.
  std::pair<Value, int64_t> extentOf(einsum::StatementOp op, int index,
                                     const sparse::Statement &statement) {
    for (auto [accesses, operands] :
         llvm::zip_equal(statement.terms, operandsByTerm(op)))
      for (auto [access, value] : llvm::zip_equal(accesses, operands)) {
        auto found = llvm::find(access.indices, index);
        if (found == access.indices.end())
          continue;
        int64_t axis = found - access.indices.begin();
        // What is written beside these streams has no length before they end.
        if (Value tensor = stored.lookup(value);
            tensor && !streamsOf(op, value))
          return {tensor, axis};
        auto maker = value.getDefiningOp<einsum::StatementOp>();
        sparse::Statement made = describeStatement(maker);
        return extentOf(maker, made.result.indices[size_t(axis)], made);
      }
    llvm_unreachable("an index of the result is one of an operand");
  }

  einsum::ProgramOp program;
  einsum::PlanOp plan;
  OpBuilder builder;
  llvm::StringMap<int> names;
  llvm::DenseMap<Value, Value> stored; ///< of the program, in the graph
  /// Views point into these.
  std::map<void *, StreamedResult> results;
  std::deque<sparse::Access> turnedAccesses;
  /// Of a tensor, by its levels in the order of the copy's.
  std::map<std::pair<void *, std::vector<int>>, Value> copies;
  std::vector<SpaceCopies> spaces; ///< that have several
  std::vector<einsum::StreamsOp> entriesOfSpaces;
  Value root;
};

} // namespace

/// A graph that a person wrote takes and gives what its program does.
static LogicalResult checkGraph(flow::GraphOp graph, ModuleOp module) {
  einsum::ProgramOp program;
  for (auto op : module.getOps<einsum::ProgramOp>())
    if (op.getSymName() == graph.getProgram())
      program = op;
  if (!program)
    return report(graph, diag::flow_graph)
           << "there is no program @" << graph.getProgram()
           << ", which the graph would carry out";
  if (findGraph(program) != graph)
    return report(graph, diag::flow_graph)
           << "program @" << graph.getProgram() << " has two graphs";
  if (graph.getFunctionType() != program.getFunctionType() ||
      graph.getArgNames() != program.getArgNames())
    return report(graph, diag::flow_graph)
           << "the graph has other arguments than program @"
           << graph.getProgram();
  auto wanted = program.getEntry().getTerminator()->getOperands();
  auto given = graph.getEntry().getTerminator()->getOperands();
  bool isSame = wanted.size() == given.size();
  for (size_t i = 0; isSame && i < wanted.size(); ++i) {
    auto statement = wanted[i].getDefiningOp<einsum::StatementOp>();
    auto write = given[i].getDefiningOp<flow::WriteOp>();
    isSame = statement && write && statement.getName() == write.getName() &&
             statement.getType() == write.getTensor().getType();
  }
  if (!isSame)
    return report(graph.getEntry().getTerminator(), diag::flow_graph)
           << "the graph does not return what program @" << graph.getProgram()
           << " returns, by the same names and in the same formats";
  return success();
}

LogicalResult heddle::lowerEinsumToFlow(ModuleOp module) {
  for (auto graph : module.getOps<flow::GraphOp>())
    if (failed(checkGraph(graph, module)))
      return failure();
  module.getContext()
      ->loadDialect<arith::ArithDialect, flow::FlowDialect,
                    math::MathDialect>();
  if (failed(addStreamPlans(module)))
    return failure();
  for (auto program : module.getOps<einsum::ProgramOp>())
    if (!findGraph(program) &&
        failed(GraphWriter(program, findPlan(program)).write()))
      return failure();
  return success();
}
