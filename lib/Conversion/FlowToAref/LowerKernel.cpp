//===- LowerKernel.cpp - Regions of a graph become kernels ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Primitives that streams join are one kernel; tensors go from one kernel to
// the next through memory.
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

#include "heddle/Conversion/FlowToAref.h"
#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Flow.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace heddle;
using namespace heddle::flow;

static std::string elementOf(Value stream) {
  auto type = cast<StreamType>(stream.getType());
  return !type.isVal() ? "i64" : type.getElement().isF64() ? "f64" : "f32";
}

namespace {

/// One kernel being written.
class KernelWriter {
public:
  KernelWriter(std::string name, ArrayRef<Operation *> ops,
               const FlowKernelOptions &options)
      : ops(ops), options(options) {
    kernel.name = std::move(name);
  }

  LogicalResult write() {
    declareRings();
    for (Operation *op : ops)
      if (failed(writeProcess(op)))
        return failure();
    return success();
  }

  FlowKernel takeKernel() { return std::move(kernel); }

  /// The primitives of the kernel's processes, in order.
  ArrayRef<Operation *> getPrimitives() const { return primitives; }

  /// The whole kernel as text.
  std::string getText() {
    std::string all = "tile.kernel @" + kernel.name + "(" +
                      llvm::join(parameters, ", ") + ") {\n";
    all += "%yes = arith.constant true\n%no = arith.constant false\n";
    all += text.getConstants() + front + rings + processes + "}\n";
    return all;
  }

private:
  void declareRings() {
    for (Operation *op : ops)
      for (Value result : op->getResults()) {
        if (!isa<StreamType>(result.getType()) ||
            llvm::none_of(result.getUsers(), [&](Operation *user) {
              return llvm::is_contained(ops, user);
            }))
          continue;
        RingText ring{"%r" + std::to_string(names.size()), elementOf(result)};
        rings += ring.name + " = aref.ring \"" + nameOf(op, result) +
                 "\" depth " + std::to_string(options.depth) + " : " +
                 ring.type() + "\n";
        names[result] = ring;
      }
  }

  static std::string nameOf(Operation *op, Value result) {
    auto type = cast<StreamType>(result.getType());
    std::string space =
        type.getNest().empty() ? "" : " " + type.getNest().back().str();
    StringRef kind = type.isCrd() ? "crd" : type.isRef() ? "ref" : "val";
    return (op->getName().stripDialect() + space + " " + kind).str();
  }

  RingText ringOf(Value stream) const {
    auto found = names.find(stream);
    return found == names.end() ? RingText{"", elementOf(stream)}
                                : found->second;
  }
  std::vector<RingText> ringsOf(ValueRange streams) const {
    std::vector<RingText> found;
    for (Value stream : streams)
      found.push_back(ringOf(stream));
    return found;
  }

  /// The parameter that stands for a part of a tensor, once.
  Name parameterOf(FlowArgument argument, const std::string &type) {
    for (auto [number, known] : llvm::enumerate(kernel.arguments))
      if (known.kind == argument.kind && known.tensor == argument.tensor &&
          known.level == argument.level)
        return "%a" + std::to_string(number);
    Name name = "%a" + std::to_string(kernel.arguments.size());
    parameters.push_back(name + ": " + type);
    kernel.arguments.push_back(std::move(argument));
    return name;
  }
  Name viewOf(FlowArgument::Kind kind, Value tensor, int64_t level = 0,
              const std::string &element = "i64") {
    return parameterOf({kind, tensor, level, {}},
                       "!tile.view<?x" + element + ">");
  }

  /// The length of an axis, as an i64.
  Name extentOf(Value tensor, int64_t axis) {
    Name parameter =
        parameterOf({FlowArgument::Extent, tensor, axis, {}}, "index");
    Name &known = extents[parameter];
    if (known.empty()) {
      known = "%e" + std::to_string(extents.size());
      front += known + " = arith.index_cast " + parameter + " : index to i64\n";
    }
    return known;
  }

  static int64_t axisOfLevel(Value tensor, int64_t level) {
    auto encoding =
        dyn_cast_if_present<sparse_tensor::SparseTensorEncodingAttr>(
            cast<RankedTensorType>(tensor.getType()).getEncoding());
    AffineMap map = encoding ? encoding.getDimToLvl() : AffineMap();
    return map ? int64_t(map.getDimPosition(unsigned(level))) : level;
  }

  LevelText levelOf(Value tensor, int64_t level) {
    if (isDenseLevel(cast<RankedTensorType>(tensor.getType()), level))
      return {extentOf(tensor, axisOfLevel(tensor, level)), {}, {}};
    return {{},
            viewOf(FlowArgument::Positions, tensor, level),
            viewOf(FlowArgument::Coordinates, tensor, level)};
  }

  LogicalResult writeProcess(Operation *op) {
    if (auto write = dyn_cast<WriteOp>(op))
      return writeParts(write);
    startProcess(op);
    if (failed(readsOnce(op, op->getOperands())))
      return failure();
    LogicalResult done =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case<RootOp, ScanOp, RangeOp, RepeatOp, JoinOp, LocateOp, ValuesOp,
                  ComputeOp, ReduceOp, ForkOp, CollectOp>(
                [&](auto op) { return body(op); });
    if (succeeded(done))
      endProcess(op, nameOf(op, op->getResult(0)));
    return done;
  }

  void startProcess(Operation *op) {
    text.clear();
    auto cycles = options.tokenCycles.find(op->getName().stripDialect());
    text.setTokenCycles(cycles == options.tokenCycles.end() ? 1
                                                            : cycles->second);
  }

  void endProcess(Operation *op, const std::string &name) {
    StringRef unit = op->getName().stripDialect();
    processes += "aref.process \"" + name + "\" on \"" + unit.str() + "\" {\n" +
                 text.getText() + "}\n";
    primitives.push_back(op);
  }

  LogicalResult readsOnce(Operation *op, ValueRange operands) {
    llvm::SmallPtrSet<void *, 8> read;
    for (Value operand : operands)
      if (isa<StreamType>(operand.getType()) &&
          !read.insert(operand.getAsOpaquePointer()).second)
        return report(op, diag::flow_unsupported)
               << "'" << op->getName()
               << "' reads one stream twice, which one process cannot; name it "
                  "once and use it twice in the region";
    return success();
  }

  Outputs outputsOf(Operation *op) {
    return Outputs(ringsOf(op->getResults()));
  }

  LogicalResult body(RootOp op) {
    writeRoot(text, outputsOf(op));
    return success();
  }

  LogicalResult body(ScanOp op) {
    writeScan(text, ringOf(op.getRef()), levelOf(op.getTensor(), op.getLevel()),
              outputsOf(op));
    return success();
  }

  LogicalResult body(RangeOp op) {
    LevelText level{extentOf(op.getTensor(), op.getAxis()), {}, {}};
    writeScan(text, ringOf(op.getAbove()), level, outputsOf(op));
    return success();
  }

  LogicalResult body(RepeatOp op) {
    writeRepeat(text, ringOf(op.getStream()), ringOf(op.getCrd()),
                outputsOf(op));
    return success();
  }

  LogicalResult body(JoinOp op) {
    std::vector<Joined> inputs;
    size_t at = 0;
    for (auto [crd, count] : llvm::zip_equal(op.getCrds(), op.getGroups())) {
      Joined input{ringOf(crd), {}};
      for (int64_t i = 0; i < count; ++i)
        input.carried.push_back(ringOf(op.getCarried()[at++]));
      inputs.push_back(std::move(input));
    }
    writeJoin(text, op.isIntersection(), inputs, outputsOf(op));
    return success();
  }

  LogicalResult body(LocateOp op) {
    Name extent =
        extentOf(op.getTensor(), axisOfLevel(op.getTensor(), op.getLevel()));
    writeMap(text, ringsOf({op.getRef(), op.getCrd()}), outputsOf(op),
             [&](ProcessText &text, const std::vector<Head> &heads) {
               Name row = text.make("arith.muli " + heads[0].number + ", " +
                                    extent + " : i64");
               return Outputs::Value{text.make("arith.addi " + row + ", " +
                                               heads[1].number + " : i64"),
                                     heads[0].code};
             });
    return success();
  }

  LogicalResult body(ValuesOp op) {
    std::string element = elementOf(op.getValues());
    Name view = viewOf(FlowArgument::Values, op.getTensor(), 0, element);
    writeMap(text, ringsOf(op.getRef()), outputsOf(op),
             [&](ProcessText &text, const std::vector<Head> &heads) {
               Name isThere = text.compare("eq", heads[0].code, text.number(0));
               Names value = text.branch(
                   isThere, {element},
                   [&]() -> Names {
                     return {text.load(view, heads[0].number, element)};
                   },
                   [&]() -> Names { return {text.zero(element)}; });
               return Outputs::Value{value[0], heads[0].code};
             });
    return success();
  }

  /// A constant of a stream's type.
  Name constantOf(Value stream, double value) {
    std::string number;
    llvm::raw_string_ostream(number) << FloatAttr::get(
        cast<StreamType>(stream.getType()).getElement(), value);
    return text.make("arith.constant " + number);
  }

  LogicalResult refuseRegion(Operation *op) {
    return report(op, diag::flow_unsupported)
           << "the region of '" << op->getName()
           << "' holds something that is not scalar arithmetic";
  }

  LogicalResult body(ComputeOp op) {
    bool isKnown = true;
    auto map = [&](ProcessText &text, const std::vector<Head> &heads) {
      std::string element = elementOf(op.getValues());
      Name any, all;
      Names values;
      for (const Head &head : heads) {
        Name isAbsent = text.compare("eq", head.code, text.number(1));
        any = any.empty() ? isAbsent : text.either(any, isAbsent);
        all = all.empty() ? isAbsent : text.both(all, isAbsent);
        Name value = head.number;
        if (op.getAbsent()) {
          Name other =
              constantOf(op.getValues(), op.getAbsent()->convertToDouble());
          value = text.select(isAbsent, other, value, element);
        }
        values.push_back(value);
      }
      Name value = writeScalars(text, op.getBody().front(), values);
      isKnown &= !value.empty();
      Name isStop = text.compare("sge", heads[0].code, text.number(2));
      Name present = text.select(isStop, heads[0].code, text.number(0), "i64");
      if (op.getAlways())
        return Outputs::Value{value, present};
      Name code = text.select(op.getAbsent() ? all : any, text.number(1),
                              present, "i64");
      return Outputs::Value{value, code};
    };
    writeMap(text, ringsOf(op.getStreams()), outputsOf(op), map);
    return isKnown ? success() : refuseRegion(op);
  }

  LogicalResult body(ReduceOp op) {
    bool isKnown = true;
    Combine combine = [&](ProcessText &text, const Name &a, const Name &b) {
      Name sum = writeScalars(text, op.getBody().front(), {a, b});
      isKnown &= !sum.empty();
      return sum;
    };
    if (op.getKeys().empty()) {
      RingText per = op.getPer() ? ringOf(op.getPer()) : RingText();
      Name empty;
      if (op.getEmpty())
        empty = constantOf(op.getReduced(), op.getEmpty()->convertToDouble());
      writeReduce(text, ringOf(op.getValue()), per, outputsOf(op), combine,
                  empty);
      return isKnown ? success() : refuseRegion(op);
    }
    std::string element = elementOf(op.getReduced());
    WorkspaceText workspace;
    FlowArgument sums{FlowArgument::Sums, op.getReduced(), 0, {}};
    for (Value key : op.getKeys()) {
      FailureOr<std::pair<Value, int64_t>> axis = axisOf(key);
      if (failed(axis))
        return failure();
      sums.keys.push_back(*axis);
      workspace.extents.push_back(extentOf(axis->first, axis->second));
    }
    FlowArgument bits = sums;
    bits.kind = FlowArgument::Bits;
    workspace.sums =
        parameterOf(std::move(sums), "!tile.view<?x" + element + ">");
    workspace.bits = parameterOf(std::move(bits), "!tile.view<?xi64>");
    writeWorkspace(text, ringsOf(op.getKeys()), ringOf(op.getValue()),
                   workspace, outputsOf(op), combine);
    return isKnown ? success() : refuseRegion(op);
  }

  /// A tensor and the axis from which coordinates come: those of a workspace
  /// are below its length.
  FailureOr<std::pair<Value, int64_t>> axisOf(Value crd) {
    Operation *op = crd.getDefiningOp();
    if (auto scan = dyn_cast<ScanOp>(op))
      return std::pair<Value, int64_t>(
          scan.getTensor(), axisOfLevel(scan.getTensor(), scan.getLevel()));
    if (auto range = dyn_cast<RangeOp>(op))
      return std::pair<Value, int64_t>(range.getTensor(), range.getAxis());
    if (auto join = dyn_cast<JoinOp>(op))
      return axisOf(join.getCrds()[0]);
    if (auto fork = dyn_cast<ForkOp>(op))
      return axisOf(fork.getStream());
    if (auto collect = dyn_cast<CollectOp>(op))
      return axisOf(collect.getShares()[0]);
    if (auto reduce = dyn_cast<ReduceOp>(op))
      for (auto [sorted, key] :
           llvm::zip_equal(reduce.getSorted(), reduce.getKeys()))
        if (sorted == crd)
          return axisOf(key);
    return report(op, diag::flow_unsupported)
           << "nobody knows how large the coordinates of '" << op->getName()
           << "' are, which a workspace is for";
  }

  LogicalResult body(ForkOp op) {
    writeFork(text, ringOf(op.getStream()), int64_t(op.getChunk()),
              outputsOf(op));
    return success();
  }

  LogicalResult body(CollectOp op) {
    writeCollect(text, ringsOf(op.getShares()), ringOf(op.getPer()),
                 op.getDepthBelow(), int64_t(op.getChunk()), outputsOf(op));
    return success();
  }

  /// Each part of a tensor has a process of its own.
  LogicalResult writeParts(WriteOp op) {
    for (auto [part, value] : llvm::enumerate(op.getValues())) {
      startProcess(op);
      OperandRange crds = op.getCrdsOf(part);
      if (failed(readsOnce(op, crds)))
        return failure();
      WrittenText written;
      for (size_t number = 0; number < crds.size(); ++number)
        written.coordinates.push_back(
            viewOf(FlowArgument::Written, op.getTensor(),
                   int64_t(part * crds.size() + number)));
      written.values = viewOf(FlowArgument::WrittenValues, op.getTensor(),
                              int64_t(part), elementOf(value));
      written.count =
          viewOf(FlowArgument::Count, op.getTensor(), int64_t(part));
      writeElements(text, ringsOf(crds), ringOf(value), written);
      std::string name = "write " + op.getName().str();
      if (op.getParts() > 1)
        name += " " + std::to_string(part);
      endProcess(op, name);
    }
    kernel.writes.push_back(op);
    return success();
  }

  ArrayRef<Operation *> ops;
  const FlowKernelOptions &options;
  FlowKernel kernel;
  ProcessText text;
  std::string front, rings, processes;
  std::vector<std::string> parameters;
  std::vector<Operation *> primitives;
  llvm::DenseMap<Value, RingText> names;
  std::map<Name, Name> extents;
};

/// The primitives of a graph by kernel, in the order in which kernels run.
class Regions {
public:
  explicit Regions(GraphOp graph) {
    for (Operation &op : graph.getEntry()) {
      if (isa<ReturnOp>(op))
        continue;
      ops.push_back(&op);
      joined.insert(&op);
      for (Value operand : op.getOperands())
        if (Operation *maker = operand.getDefiningOp())
          if (isa<StreamType>(operand.getType()) && !isa<RootOp>(maker))
            joined.unionSets(maker, &op);
    }
  }

  /// A root is nobody's: each kernel gets one.
  LogicalResult order(std::vector<std::vector<Operation *>> &kernels) {
    llvm::MapVector<Operation *, std::vector<Operation *>> members;
    std::vector<Operation *> roots;
    for (Operation *op : ops) {
      if (isa<RootOp>(op))
        roots.push_back(op);
      else
        members[joined.getLeaderValue(op)].push_back(op);
    }
    llvm::DenseMap<Operation *, int> state; // 1: being visited, 2: done
    for (auto &[leader, list] : members)
      if (failed(visit(leader, members, state, kernels)))
        return failure();
    for (auto &kernel : kernels)
      for (Operation *root : llvm::reverse(roots))
        if (llvm::any_of(root->getUsers(), [&](Operation *user) {
              return llvm::is_contained(kernel, user);
            }))
          kernel.insert(kernel.begin(), root);
    return success();
  }

private:
  LogicalResult
  visit(Operation *leader,
        llvm::MapVector<Operation *, std::vector<Operation *>> &members,
        llvm::DenseMap<Operation *, int> &state,
        std::vector<std::vector<Operation *>> &kernels) {
    if (state.lookup(leader) == 2)
      return success();
    state[leader] = 1;
    for (Operation *op : members[leader])
      for (Value operand : op->getOperands()) {
        auto write = operand.getDefiningOp<WriteOp>();
        if (!write || isa<WriteOp>(op))
          continue;
        Operation *other = joined.getLeaderValue(write.getOperation());
        if (state.lookup(other) == 1)
          return report(op, diag::flow_unsupported)
                 << "reads " << write.getName()
                 << ", which is written beside streams that meet its own; the "
                    "two would wait for each other";
        if (failed(visit(other, members, state, kernels)))
          return failure();
      }
    state[leader] = 2;
    kernels.push_back(members[leader]);
    return success();
  }

  std::vector<Operation *> ops;
  llvm::EquivalenceClasses<Operation *> joined;
};

} // namespace

FailureOr<std::vector<std::vector<Operation *>>>
heddle::groupByKernel(GraphOp graph) {
  std::vector<std::vector<Operation *>> kernels;
  if (failed(Regions(graph).order(kernels)))
    return failure();
  return kernels;
}

FailureOr<std::vector<FlowKernel>>
heddle::lowerFlowToAref(GraphOp graph, ModuleOp module,
                        const FlowKernelOptions &options) {
  MLIRContext *context = module.getContext();
  context->loadDialect<arith::ArithDialect, aref::ArefDialect,
                       math::MathDialect, scf::SCFDialect, tile::TileDialect>();
  dropUnused(graph);
  auto regions = groupByKernel(graph);
  if (failed(regions))
    return failure();
  std::vector<FlowKernel> kernels;
  for (auto [number, ops] : llvm::enumerate(*regions)) {
    std::string name = (graph.getProgram() + "_streams" +
                        (regions->size() > 1 ? "_" + Twine(number) : Twine()))
                           .str();
    KernelWriter writer(name, ops, options);
    if (failed(writer.write()))
      return failure();
    OwningOpRef<ModuleOp> parsed =
        parseSourceString<ModuleOp>(writer.getText(), context);
    if (!parsed)
      return report(graph, diag::internal) << "bug in heddle: the processes of "
                                           << name << " are not well formed";
    auto kernel = *parsed->getOps<tile::KernelOp>().begin();
    // Messages about a process are about its primitive.
    for (auto [process, op] :
         llvm::zip_equal(kernel.getEntry().getOps<aref::ProcessOp>(),
                         writer.getPrimitives()))
      process->walk(
          [&, op = op](Operation *inner) { inner->setLoc(op->getLoc()); });
    kernel->moveBefore(module.getBody(), module.getBody()->end());
    kernels.push_back(writer.takeKernel());
  }
  return kernels;
}
