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
    ArrayRef<StringAttr> outer = nestOf(crd).drop_back();
    ArrayRef<StringAttr> here =
        rows.empty() ? ArrayRef<StringAttr>() : nestOf(rows.back().crd);
    if (outer != here)
      return report(loc, diag::flow_unsupported)
             << "the streams of " << view.access->tensor << " pass once, and "
             << statement.result.tensor << " would need them again at index "
             << name
             << "; put the two statements into different regions, or choose "
                "another order";
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

/// A repeated statement begins with the streams of its own factors.
void StatementWriter::collectParts(Term &term, int index,
                                   std::vector<Part> &parts) {
  for (View &view : term) {
    if (!view.access->has(index))
      continue;
    if (!view.repeated || view.level > 0) {
      parts.push_back({this, &view, index});
      continue;
    }
    ++view.level;
    Repeated &again = *view.repeated;
    again.writer->collectParts(again.term, again.order[0], parts);
  }
}

FailureOr<Value> StatementWriter::walk(Term &term, int index,
                                       const std::vector<Row> &rows,
                                       std::vector<View *> &carried) {
  // The operand with few coordinates names them; a dense level is asked.
  std::vector<Part> parts, sparse;
  collectParts(term, index, parts);
  if (parts.empty())
    return range(index, rows);
  for (const Part &part : parts) {
    const View &view = *part.view;
    bool isDense =
        !view.streams &&
        view.access->format.levels[size_t(view.level)] == sparse::Level::Dense;
    if (!isDense)
      sparse.push_back(part);
  }
  if (sparse.empty())
    sparse.push_back(parts[0]);
  SmallVector<Value> crds(sparse.size());
  SmallVector<SmallVector<Value *>> streams(sparse.size());
  for (auto [number, part] : llvm::enumerate(sparse)) {
    View &view = *part.view;
    if (failed(part.writer->scan(view, part.index, rows, crds[number])))
      return failure();
    if (view.at)
      streams[number].push_back(&view.at);
    carried.push_back(&view);
  }
  // Streams pass once: what lies deeper in them fits these coordinates only.
  for (const Part &part : sparse)
    if (part.view->streams && !part.view->isOver() && !llvm::all_equal(crds))
      return report(loc, diag::flow_unsupported)
             << "index " << statement.indices[size_t(index)] << " of "
             << part.view->access->tensor
             << ", which comes as streams, meets another sparse operand above "
                "its last level; put the two statements into different regions";
  return sparse.size() == 1 ? crds[0] : join("intersect", index, crds, streams);
}

void StatementWriter::follow(Term &term, int index, Value crd,
                             const std::vector<View *> &walked) {
  for (View &view : term) {
    if (llvm::is_contained(walked, &view))
      continue;
    if (view.repeated && !view.streams) {
      Repeated &again = *view.repeated;
      again.writer->follow(again.term,
                           view.access->has(index) ? again.order[0] : -1, crd,
                           walked);
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

LogicalResult StatementWriter::expand(Term &term,
                                      const std::vector<Row> &rows) {
  for (View &view : term) {
    if (!view.repeated || view.streams || view.level == 0)
      continue;
    Repeated &again = *view.repeated;
    StatementWriter &writer = *again.writer;
    if (failed(writer.expand(again.term, rows)))
      return failure();
    std::vector<Row> own = rows;
    for (size_t i = 1; i < again.order.size(); ++i)
      if (failed(writer.walkAlone(again.term, again.order[i], own)))
        return failure();
    Value product =
        writer.product(again.term, again.statement.coefficientOf(0));
    again.result.value =
        writer.finish(writer.reduce(0, own, product, rows.size()));
    again.result.indices = {again.order[0]};
    again.result.crds = {rows.back().crd};
    for (size_t i = rows.size(); i < own.size(); ++i) {
      again.result.indices.push_back(own[i].index);
      again.result.crds.push_back(own[i].crd);
    }
    const sparse::Access &made = again.statement.result;
    for (int level = 0; level < made.format.rank(); ++level)
      again.result.stored.push_back(made.indexOfLevel(level));
    view.streams = &again.result;
    if (view.isOver())
      view.at = again.result.value;
  }
  return success();
}

/// Where all terms are together: each has a part of the coordinates.
LogicalResult StatementWriter::walkShared(std::vector<Term> &terms, int index) {
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
    if (llvm::all_of(views, [](View *view) { return hasAll(*view); }))
      all = *crd;
    SmallVector<Value *> &carried = streams.emplace_back();
    for (View *view : views)
      if (view->at)
        carried.push_back(&view->at);
  }
  // A term that lacks the index repeats along all of it.
  if (crds.size() < terms.size()) {
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
  shared.push_back({index, crd});
  for (Term &term : terms)
    if (failed(expand(term, shared)))
      return failure();
  return success();
}

LogicalResult StatementWriter::walkAlone(Term &term, int index,
                                         std::vector<Row> &rows) {
  std::vector<View *> walked;
  FailureOr<Value> crd = walk(term, index, rows, walked);
  if (failed(crd))
    return failure();
  follow(term, index, *crd, walked);
  rows.push_back({index, *crd});
  return expand(term, rows);
}

bool StatementWriter::hasAll(const View &view) {
  const sparse::Format &format = view.access->format;
  if (view.streams)
    return format.isDense();
  return format.levels[size_t(view.level) - 1] == sparse::Level::Dense;
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
  auto compute = flow::ComputeOp::create(builder, loc, streams[0].getType(),
                                         streams.getArrayRef(), FloatAttr());
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
                                         FloatAttr());
  fillRegion(compute.getBody(), 1, [&](ValueRange arguments) {
    return writeFunctions(builder, loc, statement.then, arguments[0]);
  });
  return compute;
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
    for (auto [number, crd] : llvm::enumerate(reduction.getSorted()))
      rows[place + number].crd = crd;
  }
}

Value StatementWriter::sum(ArrayRef<Value> values) {
  if (values.size() == 1)
    return values[0];
  llvm::SetVector<Value> streams;
  SmallVector<size_t> uses = countUses(values, streams);
  auto compute = flow::ComputeOp::create(
      builder, loc, values[0].getType(), streams.getArrayRef(),
      builder.getF64FloatAttr(sparse::zeroOf(statement.semiring)));
  fillRegion(compute.getBody(), streams.size(), [&](ValueRange arguments) {
    Value sum = arguments[uses[0]];
    for (size_t use : ArrayRef(uses).drop_front())
      sum = add(sum, arguments[use]);
    return sum;
  });
  return compute;
}

FailureOr<StreamedResult> StatementWriter::write(std::vector<Term> terms) {
  size_t next = 0;
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
    values.push_back(reduce(int(number), own, value, 0));
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
  for (const Row &row : rows[0]) {
    result.indices.push_back(row.index);
    result.crds.push_back(row.crd);
  }
  result.value = finish(sum(values));
  const sparse::Access &made = statement.result;
  for (int level = 0; level < made.format.rank(); ++level)
    result.stored.push_back(made.indexOfLevel(level));
  return result;
}
