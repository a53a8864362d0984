//===- Rules.cpp - What streams a primitive takes and makes ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names in a stream's type are its nest of fibers, and each name is made in
// one place. So tokens that are read side by side agree in number and stops if
// and only if the names agree, and that is checked here for every primitive.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Flow/Flow.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Flow.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::flow;

using Nest = ArrayRef<StringAttr>;

static StreamType typeOf(Value value) {
  return cast<StreamType>(value.getType());
}
static Nest nestOf(Value value) { return typeOf(value).getNest(); }

static std::string spell(Nest nest) {
  std::string text = "[";
  for (auto [number, name] : llvm::enumerate(nest))
    text += (number ? ", " : "") + name.getValue().str();
  return text + "]";
}

static const char *spell(StreamKind kind) {
  return kind == StreamKind::Crd   ? "coordinates"
         : kind == StreamKind::Ref ? "references"
                                   : "values";
}

static LogicalResult verifyKind(Operation *op, Value stream, StreamKind kind,
                                StringRef what) {
  if (typeOf(stream).getKind() == kind)
    return success();
  return reportOp(op, diag::flow_kind)
         << "wants " << spell(kind) << " as " << what << ", and gets "
         << spell(typeOf(stream).getKind());
}

static LogicalResult verifyNest(Operation *op, Value stream, Nest nest,
                                StringRef what) {
  if (nestOf(stream) == nest)
    return success();
  return reportOp(op, diag::flow_stops)
         << "needs the stops of " << spell(nest) << " on " << what
         << ", which has those of " << spell(nestOf(stream));
}

/// A stream that walks one space more than `outer`.
static LogicalResult verifyBelow(Operation *op, Value stream, Nest outer,
                                 StringRef what) {
  Nest nest = nestOf(stream);
  if (!nest.empty() && nest.drop_back() == outer)
    return success();
  return reportOp(op, diag::flow_stops)
         << "needs the stops of " << spell(outer)
         << " and of one space more on " << what << ", which has those of "
         << spell(nest);
}

static LogicalResult verifyLevel(Operation *op, RankedTensorType type,
                                 int64_t level) {
  if (level >= 0 && level < type.getRank())
    return success();
  return reportOp(op, diag::flow_tensor)
         << "names level " << level << " of a tensor with " << type.getRank()
         << " levels";
}

LogicalResult RootOp::verify() {
  if (failed(verifyKind(*this, getRef(), StreamKind::Ref, "its result")))
    return failure();
  return verifyNest(*this, getRef(), {}, "its result");
}

LogicalResult ScanOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  if (failed(verifyLevel(*this, type, getLevel())) ||
      failed(verifyKind(*this, getRef(), StreamKind::Ref, "its operand")) ||
      failed(
          verifyKind(*this, getCrd(), StreamKind::Crd, "its first result")) ||
      failed(
          verifyKind(*this, getBelow(), StreamKind::Ref, "its second result")))
    return failure();
  if (failed(verifyBelow(*this, getCrd(), nestOf(getRef()), "its coordinates")))
    return failure();
  return verifyNest(*this, getBelow(), nestOf(getCrd()), "its references");
}

LogicalResult RangeOp::verify() {
  int64_t rank = cast<RankedTensorType>(getTensor().getType()).getRank();
  if (int64_t(getAxis()) < 0 || int64_t(getAxis()) >= rank)
    return reportOp(*this, diag::flow_tensor)
           << "names axis " << getAxis() << " of a tensor with " << rank;
  if (typeOf(getAbove()).isVal())
    return reportOp(*this, diag::flow_kind)
           << "stands below coordinates or references, and gets values";
  if (failed(verifyKind(*this, getCrd(), StreamKind::Crd, "its result")))
    return failure();
  return verifyBelow(*this, getCrd(), nestOf(getAbove()), "its coordinates");
}

LogicalResult RepeatOp::verify() {
  if (failed(
          verifyKind(*this, getCrd(), StreamKind::Crd, "what it repeats over")))
    return failure();
  if (failed(verifyBelow(*this, getCrd(), nestOf(getStream()),
                         "what it repeats over")) ||
      failed(verifyNest(*this, getRepeated(), nestOf(getCrd()), "its result")))
    return failure();
  if (typeOf(getStream()).getKind() != typeOf(getRepeated()).getKind() ||
      typeOf(getStream()).getElement() != typeOf(getRepeated()).getElement())
    return reportOp(*this, diag::flow_kind)
           << "repeats " << getStream().getType() << " as "
           << getRepeated().getType();
  return success();
}

LogicalResult JoinOp::verify() {
  if (getHow() != "intersect" && getHow() != "union")
    return reportOp(*this, diag::flow_kind)
           << "is an \"intersect\" or a \"union\", not \"" << getHow() << "\"";
  int64_t carried = 0;
  for (int64_t count : getGroups())
    carried += std::clamp<int64_t>(count, 0, 1 << 20);
  if (getGroups().size() != getCrds().size() || getCrds().size() < 2 ||
      carried != int64_t(getCarried().size()) ||
      carried != int64_t(getKept().size()))
    return reportOp(*this, diag::flow_kind)
           << "joins two streams of coordinates or more, and `groups` says how "
              "many streams each carries, which come out again";
  Nest outer = nestOf(getCrds()[0]);
  if (outer.empty())
    return reportOp(*this, diag::flow_stops)
           << "joins coordinates, and a stream without a space has none";
  outer = outer.drop_back();
  if (failed(
          verifyKind(*this, getCrd(), StreamKind::Crd, "its first result")) ||
      failed(verifyBelow(*this, getCrd(), outer, "its coordinates")))
    return failure();
  size_t at = 0;
  for (auto [crd, count] : llvm::zip(getCrds(), getGroups())) {
    if (failed(verifyKind(*this, crd, StreamKind::Crd, "what it joins")) ||
        failed(verifyBelow(*this, crd, outer, "what it joins")))
      return failure();
    for (int64_t i = 0; i < count; ++i, ++at) {
      Value in = getCarried()[at], out = getKept()[at];
      if (failed(verifyNest(*this, in, nestOf(crd), "what it carries")) ||
          failed(verifyNest(*this, out, nestOf(getCrd()), "what it hands on")))
        return failure();
      if (typeOf(in).getKind() != typeOf(out).getKind() ||
          typeOf(in).getElement() != typeOf(out).getElement())
        return reportOp(*this, diag::flow_kind)
               << "carries " << in.getType() << " as " << out.getType();
    }
  }
  return success();
}

LogicalResult LocateOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  if (failed(verifyLevel(*this, type, getLevel())))
    return failure();
  if (!isDenseLevel(type, getLevel()))
    return reportOp(*this, diag::flow_tensor)
           << "looks for a coordinate in level " << getLevel()
           << ", which is not dense; only dense levels say where one is";
  if (failed(verifyKind(*this, getRef(), StreamKind::Ref, "its operand")) ||
      failed(verifyKind(*this, getCrd(), StreamKind::Crd, "what it locates")) ||
      failed(verifyKind(*this, getBelow(), StreamKind::Ref, "its result")) ||
      failed(verifyNest(*this, getRef(), nestOf(getCrd()), "its references")))
    return failure();
  return verifyNest(*this, getBelow(), nestOf(getCrd()), "its result");
}

LogicalResult ValuesOp::verify() {
  if (failed(verifyKind(*this, getRef(), StreamKind::Ref, "its operand")) ||
      failed(verifyKind(*this, getValues(), StreamKind::Val, "its result")) ||
      failed(verifyNest(*this, getValues(), nestOf(getRef()), "its result")))
    return failure();
  Type element = cast<RankedTensorType>(getTensor().getType()).getElementType();
  if (typeOf(getValues()).getElement() != element)
    return reportOp(*this, diag::flow_kind)
           << "reads elements of " << element << " as "
           << typeOf(getValues()).getElement();
  return success();
}

/// A region of scalars that takes `count` values of `element` to one.
static LogicalResult verifyRegion(Operation *op, Region &region, size_t count,
                                  Type element) {
  Block &block = region.front();
  bool fits = block.getNumArguments() == count &&
              llvm::all_of(block.getArgumentTypes(),
                           [&](Type type) { return type == element; });
  if (!fits)
    return reportOp(op, diag::flow_region)
           << "has a region with " << block.getNumArguments()
           << " arguments; it needs " << count << " of type " << element;
  auto yield = dyn_cast_if_present<YieldOp>(
      block.mightHaveTerminator() ? block.getTerminator() : nullptr);
  if (!yield || yield.getValue().getType() != element)
    return reportOp(op, diag::flow_region)
           << "has a region that does not end in a flow.yield of " << element;
  return success();
}

LogicalResult ComputeOp::verify() {
  if (failed(verifyKind(*this, getValues(), StreamKind::Val, "its result")))
    return failure();
  if (getStreams().empty())
    return reportOp(*this, diag::flow_kind)
           << "computes of at least one stream";
  if (getAlways() && !getAbsent())
    return reportOp(*this, diag::flow_kind)
           << "is `always` there, and no `absent` says as which number";
  Type element = typeOf(getValues()).getElement();
  for (Value stream : getStreams()) {
    if (failed(verifyKind(*this, stream, StreamKind::Val, "an operand")) ||
        failed(verifyNest(*this, stream, nestOf(getValues()), "an operand")))
      return failure();
    if (typeOf(stream).getElement() != element)
      return reportOp(*this, diag::flow_kind)
             << "makes " << element << " of " << typeOf(stream).getElement();
  }
  return verifyRegion(*this, getBody(), getStreams().size(), element);
}

LogicalResult ReduceOp::verify() {
  if (failed(
          verifyKind(*this, getValue(), StreamKind::Val, "what it reduces")) ||
      failed(verifyKind(*this, getReduced(), StreamKind::Val, "its result")))
    return failure();
  Type element = typeOf(getValue()).getElement();
  if (typeOf(getReduced()).getElement() != element)
    return reportOp(*this, diag::flow_kind)
           << "reduces " << element << " to "
           << typeOf(getReduced()).getElement();
  size_t keys = getKeys().size();
  Nest nest = nestOf(getValue()), made = nestOf(getReduced());
  if (getSorted().size() != keys)
    return reportOp(*this, diag::flow_kind)
           << "has " << keys << " keys and gives back " << getSorted().size();
  if (nest.size() < keys + 1 || made.size() + 1 != nest.size() ||
      made.drop_back(keys) != nest.drop_back(keys + 1))
    return reportOp(*this, diag::flow_stops)
           << "turns the stops of " << spell(nest) << " into those of "
           << spell(made) << "; with " << keys << (keys == 1 ? " key" : " keys")
           << " it drops the space outside of them and makes new ones";
  for (size_t key = 0; key < keys; ++key) {
    size_t deeper = keys - 1 - key;
    if (failed(verifyKind(*this, getKeys()[key], StreamKind::Crd, "a key")) ||
        failed(verifyKind(*this, getSorted()[key], StreamKind::Crd,
                          "a sorted key")) ||
        failed(verifyNest(*this, getKeys()[key], nest.drop_back(deeper),
                          "a key")) ||
        failed(verifyNest(*this, getSorted()[key], made.drop_back(deeper),
                          "a sorted key")))
      return failure();
  }
  if (keys > 0 && getEmpty())
    return reportOp(*this, diag::flow_kind)
           << "has `empty` beside keys, and a workspace has no fibers that "
              "could "
              "be empty";
  bool needsPer = keys == 0 && !made.empty();
  if (needsPer != bool(getPer()))
    return reportOp(*this, diag::flow_stops)
           << (needsPer
                   ? "reduces without `per`, the coordinates whose fibers "
                     "it reduces; stops do not tell empty fibers from none"
                   : "has `per`, which only a reduction without keys below "
                     "another space takes");
  if (needsPer &&
      (failed(verifyKind(*this, getPer(), StreamKind::Crd, "`per`")) ||
       failed(verifyNest(*this, getPer(), made, "`per`"))))
    return failure();
  return verifyRegion(*this, getBody(), 2, element);
}

OperandRange WriteOp::getCrdsOf(size_t part) {
  size_t rank = getCrds().size() / getParts();
  return getCrds().slice(unsigned(part * rank), unsigned(rank));
}

SmallVector<int64_t> WriteOp::getLevelOrder() {
  if (getLevels())
    return llvm::to_vector(*getLevels());
  return llvm::to_vector(
      llvm::seq<int64_t>(0, getTensor().getType().getRank()));
}

bool WriteOp::isMoved() {
  RankedTensorType type = getTensor().getType();
  // Where all levels are dense, each element has its place beforehand.
  return (getLevels() || getParts() > 1) &&
         !llvm::all_of(
             llvm::seq<int64_t>(0, type.getRank()),
             [&](int64_t level) { return isDenseLevel(type, level); });
}

/// The streams of one part of a tensor.
static LogicalResult verifyPart(WriteOp op, size_t part) {
  Value value = op.getValues()[part];
  if (failed(verifyKind(op, value, StreamKind::Val, "its values")))
    return failure();
  RankedTensorType type = op.getTensor().getType();
  if (typeOf(value).getElement() != type.getElementType())
    return reportOp(op, diag::flow_kind)
           << "writes " << typeOf(value).getElement() << " to a tensor of "
           << type.getElementType();
  Nest nest = nestOf(value);
  OperandRange crds = op.getCrdsOf(part);
  if (int64_t(crds.size()) != type.getRank() ||
      int64_t(nest.size()) != type.getRank())
    return reportOp(op, diag::flow_tensor)
           << "has " << crds.size() << " streams of coordinates and values in "
           << nest.size() << " spaces for a tensor with " << type.getRank()
           << " levels";
  for (auto [level, crd] : llvm::enumerate(crds))
    if (failed(verifyKind(op, crd, StreamKind::Crd, "its coordinates")) ||
        failed(
            verifyNest(op, crd, nest.take_front(level + 1), "its coordinates")))
      return failure();
  return success();
}

LogicalResult WriteOp::verify() {
  RankedTensorType type = getTensor().getType();
  if (getValues().empty() || getCrds().size() % getParts() != 0)
    return reportOp(*this, diag::flow_copies)
           << "has " << getCrds().size() << " streams of coordinates for "
           << getParts() << (getParts() == 1 ? " part" : " parts")
           << "; there is one part at least, and each has as many";
  for (size_t part = 0; part < getParts(); ++part)
    if (failed(verifyPart(*this, part)))
      return failure();
  if (getLevels()) {
    auto sorted = llvm::to_vector(*getLevels());
    llvm::sort(sorted);
    if (!llvm::equal(sorted, llvm::seq<int64_t>(0, type.getRank())))
      return reportOp(*this, diag::flow_tensor)
             << "has `levels` that name the levels of its tensor not once each";
  }
  if (int64_t(getShape().size()) != type.getRank() ||
      int64_t(getAxes().size()) != type.getRank())
    return reportOp(*this, diag::flow_tensor)
           << "has a shape of " << getShape().size() << " tensors and "
           << getAxes().size() << " axes for a tensor with " << type.getRank();
  for (auto [tensor, axis] : llvm::zip(getShape(), getAxes()))
    if (axis < 0 || axis >= cast<RankedTensorType>(tensor.getType()).getRank())
      return reportOp(*this, diag::flow_tensor)
             << "takes a length from axis " << axis << " of a tensor with "
             << cast<RankedTensorType>(tensor.getType()).getRank();
  return success();
}

static LogicalResult verifyChunk(Operation *op, int64_t chunk) {
  if (chunk >= 1)
    return success();
  return reportOp(op, diag::flow_copies)
         << "deals out runs of " << chunk << " tokens; a run has one at least";
}

static LogicalResult verifyElement(Operation *op, Value in, Value out) {
  if (typeOf(in).getKind() == typeOf(out).getKind() &&
      typeOf(in).getElement() == typeOf(out).getElement())
    return success();
  return reportOp(op, diag::flow_kind)
         << "takes " << in.getType() << " and makes " << out.getType();
}

LogicalResult ForkOp::verify() {
  // The getter takes it for unsigned.
  if (failed(verifyChunk(*this, getChunkAttr().getInt())))
    return failure();
  Nest nest = nestOf(getStream());
  if (nest.empty() || getShares().empty())
    return reportOp(*this, diag::flow_copies)
           << "deals out the tokens of a space to one copy at least";
  llvm::SmallDenseSet<StringAttr> spaces;
  for (Value share : getShares()) {
    if (failed(verifyElement(*this, getStream(), share)) ||
        failed(verifyBelow(*this, share, nest.drop_back(), "a share")))
      return failure();
    if (!spaces.insert(nestOf(share).back()).second)
      return reportOp(*this, diag::flow_copies)
             << "gives two shares the space "
             << nestOf(share).back().getValue();
  }
  return success();
}

LogicalResult CollectOp::verify() {
  if (failed(verifyChunk(*this, getChunkAttr().getInt())) ||
      failed(verifyKind(*this, getPer(), StreamKind::Crd, "`per`")))
    return failure();
  Nest per = nestOf(getPer()), made = nestOf(getCollected());
  if (per.empty() || getShares().empty())
    return reportOp(*this, diag::flow_copies)
           << "collects the tokens of a space from one copy at least";
  if (made.take_front(per.size()) != per)
    return reportOp(*this, diag::flow_stops)
           << "collects streams of " << spell(per)
           << " or below, and makes one "
           << "of " << spell(made);
  for (Value share : getShares()) {
    if (failed(verifyElement(*this, share, getCollected())))
      return failure();
    Nest nest = nestOf(share);
    if (nest.size() != made.size() ||
        nest.take_front(per.size() - 1) != per.drop_back())
      return reportOp(*this, diag::flow_stops)
             << "collects " << spell(made) << " from a share with the stops of "
             << spell(nest);
  }
  return success();
}

/// The spaces that a primitive makes: those that no operand of it walks.
static void collectMade(Operation *op, SmallVectorImpl<StringAttr> &made) {
  if (isa<ScanOp, RangeOp, JoinOp>(op))
    made.push_back(nestOf(op->getResult(0)).back());
  else if (auto reduce = dyn_cast<ReduceOp>(op))
    for (Value key : reduce.getSorted())
      made.push_back(nestOf(key).back());
  else if (auto fork = dyn_cast<ForkOp>(op))
    for (Value share : fork.getShares())
      made.push_back(nestOf(share).back());
  else if (auto collect = dyn_cast<CollectOp>(op))
    llvm::append_range(
        made,
        nestOf(collect.getCollected()).take_back(collect.getDepthBelow()));
}

/// Whether two primitives make the space `name` of the same: streams that stand
/// side by side are dealt out, and what copies made collected, one by one.
static bool makeAlike(Operation *one, Operation *other, StringAttr name) {
  auto fork = dyn_cast<ForkOp>(one), otherFork = dyn_cast<ForkOp>(other);
  if (fork && otherFork)
    return fork.getChunk() == otherFork.getChunk() &&
           nestOf(fork.getStream()) == nestOf(otherFork.getStream()) &&
           llvm::equal(fork.getShares(), otherFork.getShares(),
                       [](Value a, Value b) { return nestOf(a) == nestOf(b); });
  auto collect = dyn_cast<CollectOp>(one);
  auto otherCollect = dyn_cast<CollectOp>(other);
  if (!collect || !otherCollect)
    return false;
  auto depth = size_t(llvm::find(nestOf(collect.getCollected()), name) -
                      nestOf(collect.getCollected()).begin()) +
               1;
  auto upToName = [&](Value stream) {
    return nestOf(stream).take_front(depth);
  };
  return collect.getChunk() == otherCollect.getChunk() &&
         nestOf(collect.getPer()) == nestOf(otherCollect.getPer()) &&
         nestOf(otherCollect.getCollected()).size() >= depth &&
         upToName(collect.getCollected()) ==
             upToName(otherCollect.getCollected()) &&
         llvm::equal(
             collect.getShares(), otherCollect.getShares(),
             [&](Value a, Value b) { return upToName(a) == upToName(b); });
}

/// What is collected was dealt out, in the same order to the same copies.
static LogicalResult
verifyShares(CollectOp op,
             const llvm::DenseMap<StringAttr, Operation *> &makers) {
  Nest per = nestOf(op.getPer());
  for (auto [number, share] : llvm::enumerate(op.getShares())) {
    StringAttr space = nestOf(share)[per.size() - 1];
    auto fork = dyn_cast_if_present<ForkOp>(makers.lookup(space));
    if (fork && nestOf(fork.getStream()) == per &&
        fork.getChunk() == op.getChunk() &&
        fork.getShares().size() == op.getShares().size() &&
        nestOf(fork.getShares()[number]).back() == space)
      continue;
    return reportOp(op, diag::flow_copies)
           << "collects as share " << number << " of " << spell(per)
           << " the space " << space.getValue() << ", and no flow.fork with"
           << " chunk " << op.getChunk() << " and " << op.getShares().size()
           << " shares of " << spell(per) << " made it at that place";
  }
  return success();
}

/// From `level` inwards, what `parts` walk is one space or all shares of one
/// deal, so that each element is of one part.
static LogicalResult
verifyParts(WriteOp op, ArrayRef<size_t> parts, size_t level,
            const llvm::DenseMap<StringAttr, Operation *> &makers) {
  auto nestOfPart = [&](size_t part) { return nestOf(op.getValues()[part]); };
  if (level == nestOfPart(parts[0]).size()) {
    if (parts.size() == 1)
      return success();
    return reportOp(op, diag::flow_copies)
           << "has " << parts.size() << " parts with the stops of "
           << spell(nestOfPart(parts[0]))
           << "; each part is another copy's share";
  }
  llvm::MapVector<StringAttr, SmallVector<size_t>> bySpace;
  for (size_t part : parts)
    bySpace[nestOfPart(part)[level]].push_back(part);
  SmallVector<StringAttr> written, dealt;
  for (auto &[space, list] : bySpace)
    written.push_back(space);
  auto fork = dyn_cast_if_present<ForkOp>(makers.lookup(written[0]));
  if (fork)
    for (Value share : fork.getShares())
      dealt.push_back(nestOf(share).back());
  bool isAll = fork ? written.size() == dealt.size() &&
                          llvm::all_of(dealt,
                                       [&](StringAttr space) {
                                         return bySpace.contains(space);
                                       })
                    : written.size() == 1;
  if (!isAll && fork)
    return reportOp(op, diag::flow_copies)
           << "has parts in the spaces " << spell(written)
           << ", and flow.fork dealt out to " << spell(dealt)
           << "; each of these writes a part";
  if (!isAll)
    return reportOp(op, diag::flow_copies)
           << "has parts in the spaces " << spell(written)
           << ", which no flow.fork dealt out";
  for (auto &[space, list] : bySpace)
    if (failed(verifyParts(op, list, level + 1, makers)))
      return failure();
  return success();
}

LogicalResult GraphOp::verifyRegions() {
  if (getFunctionType().getInputs() !=
          ArrayRef<Type>(llvm::to_vector(getEntry().getArgumentTypes())) ||
      getArgNames().size() != getEntry().getNumArguments())
    return report(*this, diag::flow_graph)
           << "the arguments of the graph do not fit its type";
  for (Type type : getEntry().getArgumentTypes())
    if (!isa<RankedTensorType>(type))
      return report(*this, diag::flow_graph)
             << "a graph takes tensors, not " << type;
  if (!getEntry().mightHaveTerminator() ||
      !isa<ReturnOp>(getEntry().getTerminator()))
    return report(*this, diag::flow_graph)
           << "the graph does not end in a flow.return";
  llvm::DenseMap<StringAttr, Operation *> makers;
  for (Operation &op : getEntry()) {
    if (!isa<FlowDialect>(op.getDialect()))
      return report(&op, diag::flow_graph)
             << "'" << op.getName()
             << "' stands in a graph; scalars are computed in the region of a "
                "flow.compute or flow.reduce";
    SmallVector<StringAttr> made;
    collectMade(&op, made);
    for (StringAttr space : made) {
      auto [found, isNew] = makers.try_emplace(space, &op);
      if (isNew || makeAlike(found->second, &op, space))
        continue;
      Report error = report(&op, diag::flow_graph)
                     << "the space " << space.getValue()
                     << " is made a second time; its streams would agree in "
                        "name only";
      error.attachNote(found->second->getLoc()) << "the first time was here";
      return error;
    }
  }
  for (auto collect : getEntry().getOps<CollectOp>())
    if (failed(verifyShares(collect, makers)))
      return failure();
  llvm::DenseMap<StringAttr, Operation *> writers;
  for (auto write : getEntry().getOps<WriteOp>()) {
    auto parts = llvm::to_vector(llvm::seq<size_t>(0, write.getParts()));
    if (failed(verifyParts(write, parts, 0, makers)))
      return failure();
    if (!writers.try_emplace(write.getNameAttr(), write).second)
      return report(write, diag::flow_graph)
             << "the graph writes " << write.getName() << " twice";
  }
  for (Value value : getEntry().getTerminator()->getOperands())
    if (!value.getDefiningOp<WriteOp>())
      return report(getEntry().getTerminator(), diag::flow_graph)
             << "a graph returns what it writes, and this is an argument";
  return success();
}
