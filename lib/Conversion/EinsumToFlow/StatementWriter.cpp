//===- StatementWriter.cpp - The streams of one statement -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatementWriter.h"

#include "heddle/Conversion/WriteFunctions.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Flow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace heddle;
using flow::StreamKind, flow::StreamType;

static ArrayRef<StringAttr> nestOf(Value stream) {
  return cast<StreamType>(stream.getType()).getNest();
}

StringAttr StatementWriter::newSpace(const Twine &name) {
  std::string text = name.str();
  int number = around.names[text]++;
  return builder.getStringAttr(number ? text + "." + std::to_string(number)
                                      : text);
}

StreamType StatementWriter::typeOf(StreamKind kind,
                                   ArrayRef<StringAttr> nest) const {
  Type element = builder.getIndexType();
  if (kind == StreamKind::Val)
    element = statement.element == sparse::Element::F64
                  ? Type(builder.getF64Type())
                  : Type(builder.getF32Type());
  return StreamType::get(builder.getContext(), kind, element, nest);
}

Value StatementWriter::repeat(Value stream, Value crd) {
  auto type = cast<StreamType>(stream.getType());
  auto deeper = StreamType::get(builder.getContext(), type.getKind(),
                                type.getElement(), nestOf(crd));
  return flow::RepeatOp::create(builder, loc, deeper, stream, crd);
}

bool StatementWriter::isIndexOf(const Term &term, int index) const {
  return llvm::any_of(
      term, [&](const View &view) { return view.access->has(index); });
}

LogicalResult StatementWriter::scan(View &view, int index,
                                    const std::vector<Row> &rows, Value &crd) {
  const std::string &name = statement.indices[size_t(index)];
  int level = view.level++;
  if (view.streams) {
    crd = view.streams->crds[size_t(level)];
    if (view.streams->indices[size_t(level)] !=
        view.streams->stored[size_t(level)])
      return report(loc, diag::flow_unsupported)
             << view.access->tensor
             << " comes as streams in another order than that of its levels; "
                "put the two statements into different regions";
    // What would need them again has them carried out once more there, unless
    // no order of the statement begins with its rows.
    if (nestOf(crd).drop_back() !=
        (rows.empty() ? ArrayRef<StringAttr>() : nestOf(rows.back().crd)))
      return report(loc, diag::flow_unsupported)
             << view.access->tensor
             << " is needed at other coordinates than those at which it comes "
                "as streams, and in no order can its rows be computed alone; "
                "put the two statements into different regions";
    if (view.isOver())
      view.at = view.streams->value;
    return success();
  }
  SmallVector<StringAttr> nest(nestOf(view.at));
  nest.push_back(newSpace(view.access->tensor + "." + name));
  auto scan = flow::ScanOp::create(builder, loc, typeOf(StreamKind::Crd, nest),
                                   typeOf(StreamKind::Ref, nest), view.tensor,
                                   builder.getI64IntegerAttr(level), view.at);
  crd = scan.getCrd();
  view.at = scan.getBelow();
  return success();
}

Value StatementWriter::join(StringRef how, int index, ArrayRef<Value> crds,
                            ArrayRef<SmallVector<Value *>> carried) {
  // A stream that comes twice meets itself at every coordinate.
  llvm::MapVector<Value, SmallVector<Value *>> groups;
  for (auto [crd, streams] : llvm::zip_equal(crds, carried))
    groups[crd].append(streams);
  if (groups.size() == 1)
    return crds[0];
  SmallVector<StringAttr> nest(nestOf(crds[0]).drop_back());
  nest.push_back(newSpace(statement.result.tensor + "." +
                          statement.indices[size_t(index)]));
  SmallVector<Value> inputs, joined;
  SmallVector<int64_t> counts;
  SmallVector<Type> types = {typeOf(StreamKind::Crd, nest)};
  llvm::MapVector<Value, SmallVector<Value *>> kept;
  for (auto &[crd, streams] : groups) {
    size_t before = kept.size();
    for (Value *stream : streams)
      kept[*stream].push_back(stream);
    joined.push_back(crd);
    counts.push_back(int64_t(kept.size() - before));
  }
  for (auto &[stream, places] : kept) {
    inputs.push_back(stream);
    auto type = cast<StreamType>(stream.getType());
    types.push_back(StreamType::get(builder.getContext(), type.getKind(),
                                    type.getElement(), nest));
  }
  auto join = flow::JoinOp::create(builder, loc, types,
                                   builder.getStringAttr(how), joined, inputs,
                                   builder.getDenseI64ArrayAttr(counts));
  for (auto [entry, result] : llvm::zip_equal(kept, join.getKept()))
    for (Value *place : entry.second)
      *place = result;
  return join.getCrd();
}

bool StatementWriter::Part::isAsked() const {
  return !view->streams && view->access->format.levels[size_t(view->level)] ==
                               sparse::Level::Dense;
}

/// A repeated statement of one term begins with the streams of its own factors.
void StatementWriter::collectParts(Term &term, int index,
                                   std::vector<Part> &parts) {
  for (View &view : term) {
    if (!view.access->has(index))
      continue;
    if (!view.repeated || view.streams) {
      parts.push_back({this, &view, index});
      continue;
    }
    Repeated &again = *view.repeated;
    if (again.terms.size() > 1 || again.isFilled)
      continue; // walkRepeated has it
    ++view.level;
    again.writer->collectParts(again.terms[0], again.order[0], parts);
  }
}

FailureOr<StatementWriter::Source>
StatementWriter::scanPart(const Part &part, const std::vector<Row> &rows) {
  Source source;
  if (failed(part.writer->scan(*part.view, part.index, rows, source.crd)))
    return failure();
  source.views.push_back(part.view);
  return source;
}

Value StatementWriter::meet(StringRef how, int index,
                            ArrayRef<Source> sources) {
  if (sources.size() == 1)
    return sources[0].crd;
  SmallVector<Value> crds;
  SmallVector<SmallVector<Value *>> streams;
  for (const Source &source : sources) {
    crds.push_back(source.crd);
    SmallVector<Value *> &carried = streams.emplace_back();
    for (View *view : source.views)
      if (view->at)
        carried.push_back(&view->at);
  }
  return join(how, index, crds, streams);
}

LogicalResult StatementWriter::walkRepeated(Term &term, int index,
                                            const std::vector<Row> &rows,
                                            std::vector<Source> &needed,
                                            std::vector<Source> &optional) {
  for (View &view : term) {
    if (!view.repeated || view.level > 0 || !view.access->has(index))
      continue;
    Repeated &again = *view.repeated;
    StatementWriter &writer = *again.writer;
    if (again.terms.size() == 1 && !again.isFilled) {
      // Below it may stand another one.
      if (failed(writer.walkRepeated(again.terms[0], again.order[0], rows,
                                     needed, optional)))
        return failure();
      continue;
    }
    ++view.level;
    std::vector<Source> sources;
    for (Term &inner : again.terms) {
      std::vector<Source> together, either;
      if (failed(writer.walkRepeated(inner, again.order[0], rows, together,
                                     either)))
        return failure();
      std::vector<Part> parts;
      writer.collectParts(inner, again.order[0], parts);
      for (const Part &part : parts) {
        if (part.isAsked())
          continue;
        FailureOr<Source> source = writer.scanPart(part, rows);
        if (failed(source))
          return failure();
        together.push_back(std::move(*source));
      }
      optional.insert(optional.end(), either.begin(), either.end());
      if (together.empty())
        continue; // it has all
      Source met{writer.meet("intersect", again.order[0], together), {}};
      for (const Source &source : together)
        met.views.append(source.views);
      sources.push_back(std::move(met));
    }
    if (again.isFilled || sources.size() < again.terms.size()) {
      optional.insert(optional.end(), sources.begin(), sources.end());
      continue;
    }
    Source any{writer.meet("union", again.order[0], sources), {}};
    for (const Source &source : sources)
      any.views.append(source.views);
    needed.push_back(std::move(any));
  }
  return success();
}

FailureOr<Value> StatementWriter::walk(Term &term, int index,
                                       const std::vector<Row> &rows,
                                       std::vector<View *> &carried) {
  // The operand with few coordinates names them; a dense level is asked.
  std::vector<Source> sources, optional;
  if (failed(walkRepeated(term, index, rows, sources, optional)))
    return failure();
  std::vector<Part> parts, sparse;
  collectParts(term, index, parts);
  for (const Part &part : parts)
    if (!part.isAsked())
      sparse.push_back(part);
  if (sparse.empty() && sources.empty() && !parts.empty())
    sparse.push_back(parts[0]);
  for (const Part &part : sparse) {
    FailureOr<Source> source = scanPart(part, rows);
    if (failed(source))
      return failure();
    sources.push_back(std::move(*source));
  }
  if (sources.empty())
    sources.push_back({range(index, rows), {}});
  Source all{meet("intersect", index, sources), {}};
  for (const Source &source : sources)
    all.views.append(source.views);
  for (Source &source : optional) {
    source.crd = meet("intersect", index, {source, {all.crd, {}}});
    all.crd = meet("union", index, {all, source});
    all.views.append(source.views);
  }
  // Streams pass once: what lies deeper in them fits their coordinates only.
  for (const View *view : all.views)
    if (view->streams && !view->isOver() &&
        view->streams->crds[size_t(view->level) - 1] != all.crd)
      return report(loc, diag::flow_unsupported)
             << "index " << statement.indices[size_t(index)] << " of "
             << view->access->tensor
             << ", which comes as streams, meets another sparse operand above "
                "its last level; put the two statements into different regions";
  carried.insert(carried.end(), all.views.begin(), all.views.end());
  return all.crd;
}

void StatementWriter::follow(Term &term, int index, Value crd,
                             const std::vector<View *> &walked) {
  for (View &view : term) {
    if (llvm::is_contained(walked, &view))
      continue;
    if (view.repeated && !view.streams) {
      Repeated &again = *view.repeated;
      for (Term &inner : again.terms)
        again.writer->follow(
            inner, view.access->has(index) ? again.order[0] : -1, crd, walked);
      continue;
    }
    if (view.at)
      view.at = repeat(view.at, crd);
    if (!view.access->has(index) || view.streams)
      continue;
    int level = view.level++;
    view.at = flow::LocateOp::create(
        builder, loc, typeOf(StreamKind::Ref, nestOf(crd)), view.tensor,
        builder.getI64IntegerAttr(level), view.at, crd);
  }
}

LogicalResult StatementWriter::expand(Term &term, int index,
                                      const std::vector<Row> &rows) {
  for (View &view : term) {
    if (!view.repeated || view.streams || view.level == 0)
      continue;
    if (!view.isOver() &&
        (index < 0 || view.access->indexOfLevel(view.level) != index))
      continue;
    Repeated &again = *view.repeated;
    StatementWriter &writer = *again.writer;
    for (Term &inner : again.terms)
      if (failed(writer.expand(inner, -1, rows)))
        return failure();
    writer.shared = rows;
    FailureOr<StreamedResult> result =
        writer.write(again.terms, 1, rows.size());
    if (failed(result))
      return failure();
    again.result = std::move(*result);
    if (again.isFilled && !writer.complete(again.result, 1))
      return report(loc, diag::flow_unsupported)
             << "a row of " << view.access->tensor
             << " is dense and lacks coordinates above its last level; put the "
                "two statements into different regions";
    view.streams = &again.result;
    if (view.isOver())
      view.at = again.result.value;
  }
  return success();
}

/// Where all terms are together: each has a part of the coordinates.
LogicalResult StatementWriter::walkShared(std::vector<Term> &terms, int index) {
  for (Term &term : terms)
    if (failed(expand(term, index, shared)))
      return failure();
  SmallVector<Value> crds;
  SmallVector<SmallVector<Value *>> streams;
  std::vector<std::vector<View *>> walked(terms.size());
  Value all; // coordinates that are known to be all
  for (auto [term, views] : llvm::zip_equal(terms, walked)) {
    if (!isIndexOf(term, index))
      continue;
    FailureOr<Value> crd = walk(term, index, shared, views);
    if (failed(crd))
      return failure();
    crds.push_back(*crd);
    if (llvm::all_of(term, hasAll))
      all = *crd;
    SmallVector<Value *> &carried = streams.emplace_back();
    for (View *view : views)
      if (view->at)
        carried.push_back(&view->at);
  }
  size_t streamsOfTerms = crds.size();
  // A term that lacks the index repeats along all of it.
  if (crds.size() < terms.size() || (fillsRows && !all)) {
    crds.push_back(all ? all : range(index, shared));
    streams.emplace_back();
  }
  for (const std::vector<View *> &views : walked)
    for (View *view : views)
      if (view->streams && !view->isOver() && !llvm::all_equal(crds))
        return report(loc, diag::flow_unsupported)
               << view->access->tensor
               << " comes as streams and is a term of a sum, which meet in its "
                  "last index only; put the two statements into different "
                  "regions";
  Value crd = crds.size() == 1 ? crds[0] : join("union", index, crds, streams);
  for (auto [term, views] : llvm::zip_equal(terms, walked))
    follow(term, index, crd, views);
  shared.push_back({index, crd, bool(all) || crds.size() > streamsOfTerms});
  spaces.push_back({index, nestOf(crd).back()});
  for (Term &term : terms)
    if (failed(expand(term, -1, shared)))
      return failure();
  return success();
}

LogicalResult StatementWriter::walkAlone(Term &term, int index,
                                         std::vector<Row> &rows) {
  if (failed(expand(term, index, rows)))
    return failure();
  std::vector<View *> walked;
  FailureOr<Value> crd = walk(term, index, rows, walked);
  if (failed(crd))
    return failure();
  follow(term, index, *crd, walked);
  rows.push_back({index, *crd});
  spaces.push_back({index, nestOf(*crd).back()});
  return expand(term, -1, rows);
}

bool StatementWriter::hasAll(const View &view) {
  // What is carried out once more has what its factors have, whatever its own
  // levels would store.
  if (view.repeated && !view.streams)
    return view.repeated->isFilled ||
           llvm::any_of(view.repeated->terms, [](const Term &term) {
             return llvm::all_of(term, hasAll);
           });
  llvm::ArrayRef levels = view.access->format.levels;
  // Below a coordinate that is absent a dense level has none, too.
  size_t walked = view.streams ? levels.size() : size_t(view.level);
  return llvm::all_of(levels.take_front(walked), [](sparse::Level level) {
    return level == sparse::Level::Dense;
  });
}

Value StatementWriter::range(int index, const std::vector<Row> &rows) {
  auto [tensor, axis] = around.extentOf(index);
  Value above = rows.empty() ? around.root() : rows.back().crd;
  SmallVector<StringAttr> nest(nestOf(above));
  nest.push_back(newSpace(statement.result.tensor + "." +
                          statement.indices[size_t(index)]));
  return flow::RangeOp::create(builder, loc, typeOf(StreamKind::Crd, nest),
                               tensor, builder.getI64IntegerAttr(axis), above);
}

void StatementWriter::fillRegion(Region &region, size_t count,
                                 const Scalars &write) {
  OpBuilder::InsertionGuard guard(builder);
  Type element = typeOf(StreamKind::Val, {}).getElement();
  Block &block = region.emplaceBlock();
  for (size_t i = 0; i < count; ++i)
    block.addArgument(element, loc);
  builder.setInsertionPointToStart(&block);
  Value value = write(block.getArguments());
  flow::YieldOp::create(builder, loc, value);
}

Value StatementWriter::multiply(Value a, Value b) {
  if (hasTimes(statement.semiring))
    return arith::MulFOp::create(builder, loc, a, b);
  return arith::AddFOp::create(builder, loc, a, b);
}

Value StatementWriter::add(Value a, Value b) {
  switch (statement.semiring) {
  case Semiring::PlusTimes:
    return arith::AddFOp::create(builder, loc, a, b);
  case Semiring::MinPlus:
    return arith::MinimumFOp::create(builder, loc, a, b);
  case Semiring::MaxPlus:
  case Semiring::MaxTimes:
    return arith::MaximumFOp::create(builder, loc, a, b);
  }
  llvm_unreachable("a semiring without a sum");
}

/// Each stream once, and which of them each value is.
static SmallVector<size_t> countUses(ArrayRef<Value> values,
                                     llvm::SetVector<Value> &streams) {
  SmallVector<size_t> uses;
  for (Value value : values) {
    streams.insert(value);
    uses.push_back(size_t(llvm::find(streams, value) - streams.begin()));
  }
  return uses;
}

Value StatementWriter::valuesOf(const View &view) {
  if (view.streams)
    return view.at;
  return flow::ValuesOp::create(builder, loc,
                                typeOf(StreamKind::Val, nestOf(view.at)),
                                view.tensor, view.at);
}

/// Of a mask alone, the zero. A mask that is stored is there wherever its
/// reference is; one that comes as streams says by its values where it is not.
Value StatementWriter::product(Term &term, double coefficient) {
  SmallVector<Value> values, presence;
  SmallVector<const View *> factors;
  for (const View &view : term) {
    if (!view.access->isMask) {
      factors.push_back(&view);
      values.push_back(valuesOf(view));
    } else if (view.streams || term.size() == 1) {
      presence.push_back(valuesOf(view));
    }
  }
  if (values.size() == 1 && presence.empty() && coefficient == 1 &&
      factors[0]->access->functions.empty())
    return values[0];
  llvm::SetVector<Value> streams;
  SmallVector<size_t> uses = countUses(values, streams);
  countUses(presence, streams);
  auto compute =
      flow::ComputeOp::create(builder, loc, streams[0].getType(),
                              streams.getArrayRef(), FloatAttr(), UnitAttr());
  fillRegion(compute.getBody(), streams.size(), [&](ValueRange arguments) {
    Value product;
    for (auto [use, view] : llvm::zip_equal(uses, factors)) {
      Value factor =
          writeFunctions(builder, loc, view->access->functions, arguments[use]);
      product = product ? multiply(product, factor) : factor;
    }
    Type type = arguments[0].getType();
    if (!product)
      return writeConstant(builder, loc, type,
                           sparse::zeroOf(statement.semiring));
    if (coefficient == -1)
      return writeFunctions(builder, loc, {ScalarFunction::Neg}, product);
    return coefficient == 1
               ? product
               : multiply(writeConstant(builder, loc, type, coefficient),
                          product);
  });
  return compute;
}

Value StatementWriter::finish(Value value) {
  if (statement.then.empty())
    return value;
  auto compute = flow::ComputeOp::create(builder, loc, value.getType(), value,
                                         FloatAttr(), UnitAttr());
  fillRegion(compute.getBody(), 1, [&](ValueRange arguments) {
    return writeFunctions(builder, loc, statement.then, arguments[0]);
  });
  return compute;
}

bool StatementWriter::complete(StreamedResult &result, size_t known) {
  size_t last = result.crds.size() - 1;
  if (result.indices != result.stored)
    return false;
  for (size_t level = known; level < last; ++level)
    if (!result.isAll[level])
      return false;
  if (last >= known && !result.isAll[last]) {
    std::vector<Row> rows;
    for (size_t level = 0; level < last; ++level)
      rows.push_back({result.indices[level], result.crds[level]});
    int index = result.indices[last];
    Value all = range(index, rows);
    result.crds[last] =
        join("union", index, {result.crds[last], all}, {{&result.value}, {}});
    result.isAll[last] = true;
  }
  double zero = sparse::roundTo(statement.element, statement.emptyValue());
  auto compute = flow::ComputeOp::create(
      builder, loc, result.value.getType(), result.value,
      builder.getF64FloatAttr(zero), builder.getUnitAttr());
  fillRegion(compute.getBody(), 1,
             [](ValueRange arguments) { return arguments[0]; });
  result.value = compute;
  result.isWhole = true;
  return true;
}

/// Reduces the innermost index that the result lacks, then the one around it.
Value StatementWriter::reduce(int term, std::vector<Row> &rows, Value value,
                              size_t first) {
  // A dense result has a sum of nothing, too.
  FloatAttr empty;
  if (term < int(statement.terms.size()) &&
      sparse::isDenseTerm(statement, term))
    empty = builder.getF64FloatAttr(sparse::zeroOf(statement.semiring));
  while (true) {
    size_t place = rows.size();
    while (place > first && statement.isOutput(rows[place - 1].index))
      --place;
    if (place == first)
      return value;
    --place;
    SmallVector<Value> keys;
    SmallVector<StringAttr> nest;
    if (place > 0)
      nest.assign(nestOf(rows[place - 1].crd).begin(),
                  nestOf(rows[place - 1].crd).end());
    SmallVector<Type> types;
    for (size_t i = place + 1; i < rows.size(); ++i) {
      keys.push_back(rows[i].crd);
      nest.push_back(newSpace(statement.result.tensor + "." +
                              statement.indices[size_t(rows[i].index)]));
      types.push_back(typeOf(StreamKind::Crd, nest));
    }
    types.insert(types.begin(), typeOf(StreamKind::Val, nest));
    Value per = keys.empty() && place > 0 ? rows[place - 1].crd : Value();
    auto reduction =
        flow::ReduceOp::create(builder, loc, types, value, per, keys,
                               keys.empty() ? empty : FloatAttr());
    fillRegion(reduction.getBody(), 2, [&](ValueRange arguments) {
      return add(arguments[0], arguments[1]);
    });
    value = reduction.getReduced();
    rows.erase(rows.begin() + int64_t(place));
    for (auto [number, crd] : llvm::enumerate(reduction.getSorted())) {
      rows[place + number].crd = crd;
      rows[place + number].isAll = false;
    }
  }
}

Value StatementWriter::sum(ArrayRef<Value> values) {
  if (values.size() == 1)
    return values[0];
  llvm::SetVector<Value> streams;
  SmallVector<size_t> uses = countUses(values, streams);
  auto compute = flow::ComputeOp::create(
      builder, loc, values[0].getType(), streams.getArrayRef(),
      builder.getF64FloatAttr(sparse::zeroOf(statement.semiring)), UnitAttr());
  fillRegion(compute.getBody(), streams.size(), [&](ValueRange arguments) {
    Value sum = arguments[uses[0]];
    for (size_t use : ArrayRef(uses).drop_front())
      sum = add(sum, arguments[use]);
    return sum;
  });
  return compute;
}

FailureOr<StreamedResult> StatementWriter::write(std::vector<Term> &terms,
                                                 size_t next, size_t first) {
  while (next < order.size() && statement.isOutput(order[next]))
    if (failed(walkShared(terms, order[next++])))
      return failure();
  // Behind the first index that is summed over, each term goes alone.
  SmallVector<Value> values;
  std::vector<std::vector<Row>> rows;
  for (auto [number, term] : llvm::enumerate(terms)) {
    std::vector<Row> &own = rows.emplace_back(shared);
    for (size_t i = next; i < order.size(); ++i)
      if ((isIndexOf(term, order[i]) || statement.isOutput(order[i])) &&
          failed(walkAlone(term, order[i], own)))
        return failure();
    Value value = product(term, statement.coefficientOf(int(number)));
    values.push_back(reduce(int(number), own, value, first));
  }
  // One index of the result may stand there: the terms meet in it.
  if (terms.size() > 1 && rows[0].size() > shared.size()) {
    SmallVector<Value> crds;
    SmallVector<SmallVector<Value *>> streams;
    for (auto [own, value] : llvm::zip_equal(rows, values)) {
      crds.push_back(own.back().crd);
      streams.push_back({&value});
    }
    int index = rows[0].back().index;
    rows[0].back().crd = join("union", index, crds, streams);
  }
  StreamedResult result;
  for (size_t i = 0; i < rows[0].size(); ++i) {
    if (i + 1 < first)
      continue;
    result.indices.push_back(i < first ? order[0] : rows[0][i].index);
    result.crds.push_back(rows[0][i].crd);
    result.isAll.push_back(rows[0][i].isAll);
  }
  result.value = finish(sum(values));
  const sparse::Access &made = statement.result;
  result.isWhole = made.format.rank() == 0 ||
                   made.format.levels.back() != sparse::Level::Dense ||
                   sparse::computesAll(statement, order);
  for (int level = 0; level < made.format.rank(); ++level)
    result.stored.push_back(made.indexOfLevel(level));
  return result;
}
