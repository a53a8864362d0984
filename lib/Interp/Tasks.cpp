//===- Tasks.cpp - The oracle of the task rung ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Indices are folded operation by operation. A leaf is run as a tile program of
// its own on copies of its pieces, with zeros beyond an edge, and what it
// writes inside goes back. Each access is noted in every scope around it:
// executions of variants, by the argument that the element came through, and
// iterations.
//
//===----------------------------------------------------------------------===//

#include "heddle/Interp/Tasks.h"

#include "Element.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Task/Task.h"
#include "heddle/Interp/Interp.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include <map>
#include <set>

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

namespace {

/// The memory of a tensor.
struct Storage {
  SmallVector<int64_t> shape;
  std::vector<double> elements;
  std::vector<bool> defined;
};

/// A box of a storage. It may reach beyond its edges.
struct Piece {
  Storage *storage = nullptr;
  SmallVector<int64_t> offset, extent;
  /// By which argument of each execution around, the outermost first, the
  /// tensor came; the first of them is where the storage was made or passed.
  SmallVector<int> route;
  size_t firstScope = 0;
  bool isThere = true; ///< else it has its extents, and no element
};

/// One execution of a variant, or one iteration of a prange.
struct Scope {
  task::VariantOp variant; ///< null for an iteration
  size_t execution = 0;    ///< how many executions are around it
  /// (storage, element) -> a bit for each argument that read or wrote it.
  std::map<std::pair<Storage *, int64_t>, uint64_t> read, written, reduced;
};

class TaskInterpreter {
public:
  TaskInterpreter(ModuleOp module, TaskRun &run) : module(module), run(run) {}

  LogicalResult start();

private:
  struct Frame {
    task::InstanceOp instance;
    task::VariantOp variant;
    llvm::DenseMap<Value, int64_t> numbers;
    llvm::DenseMap<Value, Piece> pieces;
  };

  LogicalResult execute(Frame &frame);
  LogicalResult runBody(Frame &frame, Block &body);
  LogicalResult runOp(Frame &frame, Operation *op);
  LogicalResult runPrange(Frame &frame, task::PrangeOp op);
  LogicalResult launch(Frame &frame, task::LaunchOp op);
  LogicalResult runLeaf(Frame &frame);
  LogicalResult compute(Frame &frame);

  /// `reduction`: of what is written, the privilege by which; 0 for none.
  void note(Operation *access, const Piece &piece, bool isWrite,
            int64_t reduction = 0);
  void checkCoverage(Frame &frame, const Scope &scope);
  void checkAliases(Frame &frame, const Scope &scope);
  void fault(TaskFault::Kind kind, Operation *op, const Twine &text);
  LogicalResult stop(Operation *op, const Twine &why) {
    return report(op, diag::oracle_unsupported)
           << "the oracle of tasks: " << why.str();
  }
  task::InstanceOp findInstance(StringRef name);

  template <typename Visit>
  static void forInside(const Piece &piece, Visit visit);

  ModuleOp module;
  TaskRun &run;
  task::MappingOp mapping;
  std::vector<std::unique_ptr<Storage>> storages;
  std::vector<Scope> scopes;
  size_t executions = 0;
  int64_t steps = 0;
};

/// Calls visit(number in the piece, element of the storage) inside the edges.
template <typename Visit>
void TaskInterpreter::forInside(const Piece &piece, Visit visit) {
  int64_t count = 1;
  for (int64_t extent : piece.extent)
    count *= extent;
  if (!piece.isThere)
    return;
  for (int64_t number = 0; number < count; ++number) {
    int64_t rest = number, element = 0, stride = 1;
    bool isInside = true;
    for (size_t axis = piece.extent.size(); axis-- > 0;) {
      int64_t at = piece.offset[axis] + rest % piece.extent[axis];
      rest /= piece.extent[axis];
      isInside &= at >= 0 && at < piece.storage->shape[axis];
      element += at * stride;
      stride *= piece.storage->shape[axis];
    }
    if (isInside)
      visit(number, element);
  }
}

void TaskInterpreter::fault(TaskFault::Kind kind, Operation *op,
                            const Twine &text) {
  std::string line;
  llvm::raw_string_ostream out(line);
  out << op->getLoc() << ": " << text;
  for (const TaskFault &known : run.faults)
    if (known.kind == kind && known.text == line)
      return;
  run.faults.push_back({kind, line});
}

task::InstanceOp TaskInterpreter::findInstance(StringRef name) {
  for (auto instance : mapping.getOps<task::InstanceOp>())
    if (instance.getSym() == name)
      return instance;
  return {};
}

LogicalResult TaskInterpreter::start() {
  auto mappings = module.getOps<task::MappingOp>();
  if (mappings.empty())
    return stop(module, "there is no mapping");
  mapping = *mappings.begin();
  Frame frame;
  frame.instance = findInstance(mapping.getEntry());
  if (!frame.instance)
    return stop(mapping, "there is no entry");
  frame.variant =
      module.lookupSymbol<task::VariantOp>(frame.instance.getVariant());
  if (!frame.variant ||
      frame.variant.getEntry().getNumArguments() != run.arguments.size())
    return stop(mapping, "the entry takes other arguments");
  for (auto [index, array] : llvm::enumerate(run.arguments)) {
    BlockArgument argument = frame.variant.getEntry().getArgument(index);
    auto type = dyn_cast<task::ArrayType>(argument.getType());
    if (type ? type.getRank() != int64_t(array.shape.size())
             : run.computes || !array.shape.empty())
      return stop(mapping, "the entry takes other arguments");
    auto storage = std::make_unique<Storage>();
    storage->shape = array.shape;
    storage->elements = array.elements;
    storage->defined.assign(array.elements.size(), true);
    Piece piece{storage.get(), {}, array.shape, {int(index)}, 0};
    piece.offset.assign(array.shape.size(), 0);
    frame.pieces[argument] = piece;
    storages.push_back(std::move(storage));
  }
  if (failed(execute(frame)))
    return failure();
  for (auto [index, array] : llvm::enumerate(run.arguments))
    array.elements = storages[index]->elements;
  return success();
}

LogicalResult TaskInterpreter::execute(Frame &frame) {
  scopes.push_back({frame.variant, executions++, {}, {}, {}});
  LogicalResult result = frame.variant.getLeaf()
                             ? runLeaf(frame)
                             : runBody(frame, frame.variant.getEntry());
  --executions;
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  if (failed(result))
    return failure();
  checkCoverage(frame, scope);
  checkAliases(frame, scope);
  return success();
}

LogicalResult TaskInterpreter::runBody(Frame &frame, Block &body) {
  for (Operation &op : body)
    if (failed(runOp(frame, &op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void TaskInterpreter::note(Operation *access, const Piece &piece, bool isWrite,
                           int64_t reduction) {
  for (Scope &scope : scopes) {
    if (scope.variant && scope.execution >= piece.firstScope) {
      int argument = piece.route[scope.execution - piece.firstScope];
      bool mayBoth = argument < 0 || (scope.variant.mayRead(argument) &&
                                      scope.variant.mayWrite(argument));
      bool mayDo =
          mayBoth ||
          (reduction ? scope.variant.getReduction(argument) == reduction
           : isWrite ? scope.variant.mayWrite(argument)
                     : scope.variant.mayRead(argument));
      if (!mayDo)
        fault(TaskFault::Privilege, access,
              Twine(isWrite ? "written" : "read") + ", not allowed by @" +
                  scope.variant.getSymName());
    }
    uint64_t bit = 1;
    if (scope.variant && scope.execution >= piece.firstScope) {
      int argument = piece.route[scope.execution - piece.firstScope];
      bit = argument < 0 ? 0 : uint64_t(1) << (argument % 64);
    } else if (scope.variant) {
      continue;
    }
    forInside(piece, [&](int64_t, int64_t element) {
      (reduction ? scope.reduced
       : isWrite ? scope.written
                 : scope.read)[{piece.storage, element}] |= bit;
    });
  }
  forInside(piece, [&](int64_t, int64_t element) {
    if ((!isWrite || reduction) && !piece.storage->defined[element])
      fault(TaskFault::Undefined, access, "read before a write");
  });
}

void TaskInterpreter::checkCoverage(Frame &frame, const Scope &scope) {
  for (BlockArgument argument : frame.variant.getEntry().getArguments()) {
    unsigned index = argument.getArgNumber();
    if (frame.variant.getPrivileges()[index] != 2)
      continue;
    const Piece &piece = frame.pieces[argument];
    bool isWhole = true;
    forInside(piece, [&](int64_t, int64_t element) {
      isWhole &= scope.written.count({piece.storage, element}) != 0;
    });
    if (!isWhole)
      fault(TaskFault::Coverage, frame.variant,
            "'" + frame.variant.getArgName(index) + "' is not all written");
  }
}

void TaskInterpreter::checkAliases(Frame &frame, const Scope &scope) {
  auto changed = scope.written;
  for (const auto &[place, bits] : scope.reduced)
    changed[place] |= bits;
  for (const auto &[place, bits] : changed) {
    uint64_t all = bits;
    if (auto read = scope.read.find(place); read != scope.read.end())
      all |= read->second;
    if (all & (all - 1))
      return fault(TaskFault::Alias, frame.variant,
                   "an element came by two arguments and was written");
  }
}

//===----------------------------------------------------------------------===//
// Inner variants
//===----------------------------------------------------------------------===//

LogicalResult TaskInterpreter::runOp(Frame &frame, Operation *op) {
  constexpr int64_t kMostSteps = 1 << 22;
  if (++steps > kMostSteps)
    return stop(op, "too many steps");
  if (auto tunable = dyn_cast<task::TunableOp>(op)) {
    for (auto line : frame.instance.getOps<task::TuneOp>())
      if (line.getTunable() == tunable.getTunable()) {
        frame.numbers[tunable] = int64_t(line.getValue());
        return success();
      }
    return stop(op, "a tunable has no value");
  }
  if (auto extent = dyn_cast<task::ExtentOp>(op)) {
    frame.numbers[extent] =
        frame.pieces[extent.getTensor()].extent[extent.getAxis()];
    return success();
  }
  if (auto inside = dyn_cast<task::InsideOp>(op)) {
    const Piece &piece = frame.pieces[inside.getTensor()];
    int64_t axis = inside.getAxis(),
            rest = piece.storage->shape[axis] - piece.offset[axis];
    frame.numbers[inside] =
        std::max<int64_t>(0, std::min(rest, piece.extent[axis]));
    return success();
  }
  if (isa<task::BlocksOp>(op))
    return success();
  if (auto count = dyn_cast<task::CountOp>(op)) {
    auto blocks = count.getPartition().getDefiningOp<task::BlocksOp>();
    int64_t block = frame.numbers[blocks.getBlock(count.getAxis())],
            extent = frame.pieces[blocks.getTensor()].extent[count.getAxis()];
    if (block < 1)
      return stop(op, "a block has no extent");
    frame.numbers[count] = (extent + block - 1) / block;
    return success();
  }
  if (auto element = dyn_cast<task::ElementOp>(op)) {
    Piece one = frame.pieces[element.getTensor()];
    one.offset[0] += frame.numbers[element.getPlace()];
    one.extent[0] = 1;
    note(op, one, false);
    int64_t &number = frame.numbers[element] = 0;
    forInside(one, [&](int64_t, int64_t at) {
      number = int64_t(one.storage->elements[at]);
    });
    return success();
  }
  if (auto piece = dyn_cast<task::PieceOp>(op)) {
    Piece made = frame.pieces[piece.getBlocks().getTensor()];
    for (size_t axis = 0; axis < made.extent.size(); ++axis) {
      Value index = piece.getIndex(axis);
      if (!index)
        continue;
      int64_t block = frame.numbers[piece.getBlocks().getBlock(axis)];
      made.offset[axis] += frame.numbers[index] * block;
      made.extent[axis] = block;
    }
    if (piece.getCondition())
      made.isThere &= frame.numbers[piece.getCondition()] != 0;
    frame.pieces[piece] = made;
    return success();
  }
  if (auto make = dyn_cast<task::MakeOp>(op)) {
    auto storage = std::make_unique<Storage>();
    int64_t count = 1;
    for (Value extent : make.getExtents()) {
      storage->shape.push_back(frame.numbers[extent]);
      count *= frame.numbers[extent];
    }
    if (count < 0 || count > (1 << 22))
      return stop(op, "a tensor is too large");
    storage->elements.assign(count, 0);
    storage->defined.assign(count, false);
    Piece piece{storage.get(), {}, storage->shape, {-1}, executions - 1};
    piece.offset.assign(storage->shape.size(), 0);
    frame.pieces[make] = piece;
    storages.push_back(std::move(storage));
    return success();
  }
  if (auto range = dyn_cast<task::SrangeOp>(op)) {
    for (int64_t i = 0, end = frame.numbers[range.getBound()]; i < end; ++i) {
      frame.numbers[range.getBody().getArgument(0)] = i;
      if (failed(runBody(frame, range.getBody().front())))
        return failure();
    }
    return success();
  }
  if (auto range = dyn_cast<task::PrangeOp>(op))
    return runPrange(frame, range);
  if (auto launched = dyn_cast<task::LaunchOp>(op))
    return launch(frame, launched);
  // Numbers that leaves alone compute with name no element.
  if (!run.computes && op->getNumResults() == 1 &&
      isa<FloatType>(op->getResult(0).getType()))
    return success();
  SmallVector<Attribute> operands;
  SmallVector<OpFoldResult> results;
  Builder builder(op->getContext());
  for (Value operand : op->getOperands())
    operands.push_back(builder.getIndexAttr(frame.numbers[operand]));
  Operation *copy = op->clone();
  LogicalResult folded = copy->fold(operands, results);
  copy->destroy();
  if (failed(folded) || results.size() != 1)
    return stop(op, "an index cannot be computed");
  if (auto same = dyn_cast<Value>(results[0])) { // an operand
    frame.numbers[op->getResult(0)] = int64_t(frame.numbers[same]);
    return success();
  }
  auto number = dyn_cast<IntegerAttr>(cast<Attribute>(results[0]));
  if (!number)
    return stop(op, "an index cannot be computed");
  frame.numbers[op->getResult(0)] = number.getInt();
  return success();
}

LogicalResult TaskInterpreter::runPrange(Frame &frame, task::PrangeOp op) {
  SmallVector<int64_t> bounds;
  int64_t count = 1;
  for (Value bound : op.getBounds()) {
    bounds.push_back(std::max<int64_t>(0, frame.numbers[bound]));
    count *= bounds.back();
  }
  std::set<Storage *> before;
  for (auto &storage : storages)
    before.insert(storage.get());
  // By element, the last iteration that touched and that wrote it; -1 for none,
  // -2 for several.
  std::map<std::pair<Storage *, int64_t>, std::pair<int64_t, int64_t>> seen;
  std::map<std::pair<Storage *, int64_t>, int64_t> reduced; // the last that did
  auto join = [](int64_t &known, int64_t iteration) {
    known = known == -1 || known == iteration ? iteration : -2;
  };
  for (int64_t number = 0; number < count; ++number) {
    int64_t rest = number;
    for (size_t axis = bounds.size(); axis-- > 0; rest /= bounds[axis])
      frame.numbers[op.getBody().getArgument(axis)] = rest % bounds[axis];
    scopes.push_back({{}, executions, {}, {}, {}});
    LogicalResult result = runBody(frame, op.getBody().front());
    Scope scope = std::move(scopes.back());
    scopes.pop_back();
    if (failed(result))
      return failure();
    for (auto &[place, bits] : scope.read)
      join(seen.try_emplace(place, -1, -1).first->second.first, number);
    for (auto &[place, bits] : scope.written) {
      auto &[touched, wrote] = seen.try_emplace(place, -1, -1).first->second;
      join(touched, number);
      join(wrote, number);
    }
    for (auto &[place, bits] : scope.reduced)
      join(reduced.try_emplace(place, -1).first->second, number);
  }
  // Iterations may reduce one element together, and nothing else with it.
  for (auto &[place, iteration] : reduced)
    if (auto other = seen.find(place);
        before.count(place.first) && other != seen.end() &&
        (iteration == -2 || other->second.first != iteration)) {
      fault(TaskFault::Meeting, op, "one iteration reduces what another has");
      break;
    }
  for (auto &[place, iterations] : seen)
    if (before.count(place.first) && iterations.second != -1 &&
        iterations.first == -2) {
      fault(TaskFault::Meeting, op, "two iterations meet");
      break;
    }
  return success();
}

LogicalResult TaskInterpreter::launch(Frame &frame, task::LaunchOp op) {
  Frame callee;
  for (auto call : frame.instance.getCalls().getAsRange<FlatSymbolRefAttr>()) {
    task::InstanceOp instance = findInstance(call.getValue());
    auto variant =
        instance ? module.lookupSymbol<task::VariantOp>(instance.getVariant())
                 : task::VariantOp();
    if (variant && variant.getTask() == op.getTask()) {
      callee.instance = instance;
      callee.variant = variant;
    }
  }
  if (!callee.variant || executions > 64)
    return stop(op, "nothing does this launch");
  for (auto [index, value] : llvm::enumerate(op.getArguments())) {
    BlockArgument argument = callee.variant.getEntry().getArgument(index);
    if (!isa<task::ArrayType>(value.getType())) {
      callee.numbers[argument] = frame.numbers[value];
      continue;
    }
    Piece piece = frame.pieces[value];
    piece.route.push_back(int(index));
    callee.pieces[argument] = piece;
  }
  return execute(callee);
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

LogicalResult TaskInterpreter::runLeaf(Frame &frame) {
  if (run.computes && failed(compute(frame)))
    return failure();
  for (Operation &op : frame.variant.getEntry()) {
    if (auto read = dyn_cast<task::ReadOp>(op))
      note(&op, frame.pieces[read.getTensor()], false);
    if (auto write = dyn_cast<task::WriteOp>(op)) {
      const Piece &piece = frame.pieces[write.getTensor()];
      note(&op, piece, true,
           frame.variant.getReduction(
               cast<BlockArgument>(write.getTensor()).getArgNumber()));
      forInside(piece, [&](int64_t, int64_t element) {
        piece.storage->defined[element] = true;
      });
    }
  }
  return success();
}

/// The leaf as a tile program with an argument for each tensor, all of whose
/// extents are numbers.
LogicalResult TaskInterpreter::compute(Frame &frame) {
  task::VariantOp variant = frame.variant;
  Location loc = variant.getLoc();
  OwningOpRef<ModuleOp> owner = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(owner->getBody());
  llvm::StringMap<int64_t> names;
  auto bind = [&](RankedTensorType type, const Piece &piece) {
    for (auto [axis, extent] : llvm::enumerate(tile::getExtents(type)))
      if (extent.name)
        names[extent.name.getValue()] = piece.extent[axis];
  };
  variant.walk([&](Operation *op) {
    if (auto read = dyn_cast<task::ReadOp>(op))
      bind(cast<RankedTensorType>(read.getType()),
           frame.pieces[read.getTensor()]);
    if (auto write = dyn_cast<task::WriteOp>(op))
      bind(cast<RankedTensorType>(write.getValue().getType()),
           frame.pieces[write.getTensor()]);
  });
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        SmallVector<tile::Extent> extents = tile::getExtents(type);
        for (tile::Extent &extent : extents)
          if (extent.name)
            extent = {names.lookup(extent.name.getValue()), {}};
        return std::pair(
            Type(tile::getTileType(extents, type.getElementType())),
            WalkResult::skip());
      });
  SmallVector<Type> types;
  SmallVector<BlockArgument> tensors;
  for (BlockArgument argument : variant.getEntry().getArguments())
    if (auto type = dyn_cast<task::ArrayType>(argument.getType())) {
      SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
      types.push_back(
          tile::ViewType::getRowMajor(shape, type.getElementType()));
      tensors.push_back(argument);
    }
  auto kernel = tile::KernelOp::create(
      builder, loc, "leaf", builder.getFunctionType(types, {}), ArrayAttr());
  Block &body = kernel.getBody().emplaceBlock();
  for (Type type : types)
    body.addArgument(type, loc);
  builder.setInsertionPointToStart(&body);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto parallel = tile::ParallelOp::create(builder, loc, ValueRange{one});
  Block &instance = parallel.getBody().emplaceBlock();
  instance.addArgument(builder.getIndexType(), loc);
  builder.setInsertionPointToStart(&instance);
  IRMapping values;
  for (BlockArgument argument : variant.getEntry().getArguments())
    if (argument.getType().isIndex())
      values.map(argument, arith::ConstantIndexOp::create(
                               builder, loc, frame.numbers[argument])
                               .getResult());
  auto viewOf = [&](Value tensor) -> Value {
    return body.getArgument(llvm::find(tensors, tensor) - tensors.begin());
  };
  for (Operation &op : variant.getEntry()) {
    if (auto read = dyn_cast<task::ReadOp>(op)) {
      auto type = cast<RankedTensorType>(replacer.replace(read.getType()));
      SmallVector<Value> offsets(type.getRank(), zero);
      values.map(read.getResult(),
                 tile::LoadOp::create(builder, loc, type,
                                      viewOf(read.getTensor()), offsets)
                     .getResult());
    } else if (auto write = dyn_cast<task::WriteOp>(op)) {
      Value value = values.lookup(write.getValue());
      SmallVector<Value> offsets(
          cast<RankedTensorType>(value.getType()).getRank(), zero);
      tile::StoreOp::create(builder, loc, value, viewOf(write.getTensor()),
                            offsets);
    } else if (isa<task::ExtentOp, task::InsideOp>(op)) {
      if (failed(runOp(frame, &op)))
        return failure();
      values.map(op.getResult(0),
                 arith::ConstantIndexOp::create(builder, loc,
                                                frame.numbers[op.getResult(0)])
                     .getResult());
    } else {
      Operation *copy = builder.clone(op, values);
      copy->walk([&](Operation *inner) {
        replacer.replaceElementsIn(inner, true, false, true);
      });
    }
  }
  // Copies with zeros beyond the edges.
  std::vector<std::vector<char>> memory(tensors.size());
  std::vector<Argument> arguments;
  auto elementOf = [&](size_t index) {
    return *Element::get(
        cast<task::ArrayType>(tensors[index].getType()).getElementType());
  };
  for (size_t index = 0; index < tensors.size(); ++index) {
    const Piece &piece = frame.pieces[tensors[index]];
    Element element = elementOf(index);
    int64_t count = 1, size = element.getSizeBytes();
    for (int64_t extent : piece.extent)
      count *= extent;
    memory[index].assign(size_t(count * size), 0);
    forInside(piece, [&](int64_t number, int64_t at) {
      char *place = memory[index].data() + number * size;
      if (element.isFloat())
        element.storeFloat(piece.storage->elements[at], place);
      else
        element.storeInteger(int64_t(piece.storage->elements[at]), place);
    });
    arguments.push_back(Buffer{memory[index].data(), piece.extent, {}, {}});
  }
  if (failed(interpret(kernel, arguments)))
    return failure();
  for (size_t index = 0; index < tensors.size(); ++index) {
    int64_t reduction = variant.getReduction(tensors[index].getArgNumber());
    if (!variant.mayWrite(tensors[index].getArgNumber()) && !reduction)
      continue;
    const Piece &piece = frame.pieces[tensors[index]];
    Element element = elementOf(index);
    forInside(piece, [&](int64_t number, int64_t at) {
      const char *place =
          memory[index].data() + number * element.getSizeBytes();
      double made = element.isFloat() ? element.loadFloat(place)
                                      : double(element.loadInteger(place));
      double &held = piece.storage->elements[at];
      held = reduction == task::kReducesAdd   ? held + made
             : reduction == task::kReducesMin ? std::min(held, made)
             : reduction == task::kReducesMax ? std::max(held, made)
                                              : made;
    });
  }
  return success();
}

} // namespace

LogicalResult heddle::interp::interpretTasks(ModuleOp module, TaskRun &run) {
  return TaskInterpreter(module, run).start();
}
