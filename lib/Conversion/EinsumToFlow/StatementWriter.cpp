//===- StatementWriter.cpp - The streams of one statement -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatementWriter.h"

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
  int number = names[text]++;
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
    if (sparse.size() > 1 && view.streams && !view.isOver())
      return report(loc, diag::flow_unsupported)
             << "index " << statement.indices[size_t(index)] << " of "
             << view.access->tensor
             << ", which comes as streams, meets another sparse operand above "
                "its last level; put the two statements into different regions";
    if (view.at)
      streams[number].push_back(&view.at);
    carried.push_back(&view);
  }
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
    again.result.value =
        writer.reduce(own, writer.product(again.term), rows.size());
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
  for (auto [term, views] : llvm::zip_equal(terms, walked)) {
    FailureOr<Value> crd = walk(term, index, shared, views);
    if (failed(crd))
      return failure();
    crds.push_back(*crd);
    SmallVector<Value *> &carried = streams.emplace_back();
    for (View *view : views) {
      if (terms.size() > 1 && view->streams && !view->isOver())
        return report(loc, diag::flow_unsupported)
               << view->access->tensor
               << " comes as streams and is a term of a sum, which meet in its "
                  "last index only; put the two statements into different "
                  "regions";
      if (view->at)
        carried.push_back(&view->at);
    }
  }
  Value crd = terms.size() == 1 ? crds[0] : join("union", index, crds, streams);
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

/// Fills `region` with the statement's product or sum of its arguments, each as
/// often as `uses` names it.
void StatementWriter::combineRegion(Region &region, ArrayRef<size_t> uses,
                                    bool isProduct) {
  OpBuilder::InsertionGuard guard(builder);
  Type element = typeOf(StreamKind::Val, {}).getElement();
  Block &block = region.emplaceBlock();
  for (size_t i = 0; i <= *llvm::max_element(uses); ++i)
    block.addArgument(element, loc);
  builder.setInsertionPointToStart(&block);
  Value value = block.getArgument(unsigned(uses[0]));
  for (size_t use : uses.drop_front()) {
    Value other = block.getArgument(unsigned(use));
    bool isTropical = statement.semiring != sparse::Semiring::PlusTimes;
    if (isProduct && !isTropical)
      value = arith::MulFOp::create(builder, loc, value, other);
    else if (isProduct || !isTropical)
      value = arith::AddFOp::create(builder, loc, value, other);
    else if (statement.semiring == sparse::Semiring::MinPlus)
      value = arith::MinimumFOp::create(builder, loc, value, other);
    else
      value = arith::MaximumFOp::create(builder, loc, value, other);
  }
  flow::YieldOp::create(builder, loc, value);
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

Value StatementWriter::product(Term &term) {
  SmallVector<Value> values;
  for (View &view : term)
    values.push_back(
        view.streams
            ? view.at
            : flow::ValuesOp::create(builder, loc,
                                     typeOf(StreamKind::Val, nestOf(view.at)),
                                     view.tensor, view.at)
                  .getResult());
  if (values.size() == 1)
    return values[0];
  llvm::SetVector<Value> streams;
  SmallVector<size_t> uses = countUses(values, streams);
  auto compute = flow::ComputeOp::create(builder, loc, values[0].getType(),
                                         streams.getArrayRef(), FloatAttr());
  combineRegion(compute.getBody(), uses, /*isProduct=*/true);
  return compute;
}

/// Reduces the innermost index that the result lacks, then the one around it.
Value StatementWriter::reduce(std::vector<Row> &rows, Value value,
                              size_t first) {
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
        flow::ReduceOp::create(builder, loc, types, value, per, keys);
    combineRegion(reduction.getBody(), {0, 1}, /*isProduct=*/false);
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
  combineRegion(compute.getBody(), uses, /*isProduct=*/false);
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
  for (Term &term : terms) {
    std::vector<Row> &own = rows.emplace_back(shared);
    for (size_t i = next; i < order.size(); ++i)
      if (isIndexOf(term, order[i]) && failed(walkAlone(term, order[i], own)))
        return failure();
    values.push_back(reduce(own, product(term), 0));
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
  result.value = sum(values);
  const sparse::Access &made = statement.result;
  for (int level = 0; level < made.format.rank(); ++level)
    result.stored.push_back(made.indexOfLevel(level));
  return result;
}
