//===- KernelSignature.cpp - Collects what a kernel's processes use ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Conversion/KernelSignature.h"

#include "heddle/Conversion/DebugWaits.h"
#include "heddle/Conversion/HostExpr.h"
#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Dialect/Hopper/TargetLimits.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using heddle::manifest::Param;

namespace heddle {

/// Boxes of the tile alone, as if the view had its axes and no more.
static TmaBoxes cutTile(hopper::SmemType tile) {
  machine::SharedLayout layout = hopper::getSharedLayout(tile);
  int64_t limit = hopper::targetLimits().tmaBoxExtent;
  TmaBoxes result;
  int64_t width = tile.getCopyWidth();
  result.box.push_back(width);
  for (int i = 1; i < layout.rank; ++i)
    result.box.push_back(layout.shape[layout.order[i]]);
  // A box that is too tall is cut along its slowest axis, where parts stay
  // contiguous.
  int64_t &tallest = result.box.back();
  while (layout.rank > 1 && tallest > limit && tallest % 2 == 0)
    tallest /= 2;

  int slowest = layout.order[layout.rank - 1], fastest = layout.fastest();
  for (int64_t column = 0; column < layout.shape[fastest]; column += width)
    for (int64_t row = 0; row < layout.shape[slowest]; row += tallest) {
      TmaBoxes::Part part;
      part.offset.assign(layout.rank, 0);
      part.offset[fastest] = column;
      if (layout.rank > 1)
        part.offset[slowest] = row;
      machine::Coord coord = {};
      llvm::copy(part.offset, coord.begin());
      part.byteOffset = layout.fixedOffset(coord);
      result.parts.push_back(part);
      if (layout.rank == 1)
        break;
    }
  return result;
}

TmaBoxes getTmaBoxes(tile::ViewType view, hopper::SmemType tile) {
  TmaBoxes result = cutTile(tile);
  int64_t missing = view.getRank() - int64_t(tile.getShape().size());
  for (auto [position, axis] : llvm::enumerate(view.getOrder()))
    if (axis < missing)
      result.box.insert(result.box.begin() + position, 1);
  for (TmaBoxes::Part &part : result.parts)
    part.offset.insert(part.offset.begin(), missing, 0);
  return result;
}

TmaBoxes getRunBoxes(tile::ViewType view, hopper::SmemType tile) {
  machine::SharedLayout layout = hopper::getSharedLayout(tile);
  TmaBoxes result;
  result.box = {layout.boxWidth()};
  int fastest = layout.fastest();
  for (int64_t column = 0; column < layout.shape[fastest];
       column += layout.boxWidth()) {
    TmaBoxes::Part part;
    part.offset.assign(view.getRank(), 0);
    part.offset[view.getOrder().front()] = column;
    machine::Coord coord = {};
    coord[fastest] = column;
    part.byteOffset = layout.fixedOffset(coord);
    result.parts.push_back(part);
  }
  return result;
}

std::optional<manifest::ElementType> getElementType(Type type) {
  using manifest::ElementType;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  if (isa<Float8E4M3FNType>(type))
    return ElementType::E4M3;
  if (isa<Float8E5M2Type>(type))
    return ElementType::E5M2;
  if (type.isIndex() || type.isInteger(32))
    return ElementType::I32;
  if (type.isInteger(8))
    return ElementType::I8;
  if (type.isInteger(16))
    return ElementType::I16;
  if (type.isInteger(64))
    return ElementType::I64;
  return std::nullopt;
}

DenseSet<Operation *> getDeviceOps(hopper::KernelOp kernel) {
  DenseSet<Operation *> live;
  SmallVector<Operation *> work;
  auto need = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (def && def->getBlock() == &kernel.getEntry() && live.insert(def).second)
      work.push_back(def);
  };
  for (auto process : kernel.getOps<hopper::ProcessOp>())
    process.getBody().walk(
        [&](Operation *op) { llvm::for_each(op->getOperands(), need); });
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    op->walk(
        [&](Operation *inner) { llvm::for_each(inner->getOperands(), need); });
  }
  return live;
}

namespace {
/// What the processes use of each argument.
struct ArgumentUse {
  std::vector<manifest::TensorMapRecipe> maps;
  bool pointer = false;
  bool scalar = false;
  llvm::SmallDenseSet<int64_t> dims, strides;
};

class UseCollector {
public:
  UseCollector(hopper::KernelOp kernel)
      : kernel(kernel), uses(kernel.getEntry().getNumArguments()) {}

  void collect() {
    DenseSet<Operation *> device = getDeviceOps(kernel);
    for (Operation &op : kernel.getEntry())
      if (isa<hopper::ProcessOp>(op) || device.contains(&op))
        op.walk([&](Operation *inner) { visit(inner); });
  }
  KernelSignature order();

private:
  ArgumentUse *useOf(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &kernel.getEntry())
      return nullptr;
    return &uses[argument.getArgNumber()];
  }
  void visit(Operation *op);
  void useTensorMap(Value view, const manifest::TensorMapRecipe &recipe);
  void usePointer(Value view);
  void useCounters(Value view);

  hopper::KernelOp kernel;
  std::vector<ArgumentUse> uses;
};
} // namespace

static manifest::TensorMapRecipe makeRecipe(hopper::KernelOp kernel, Value view,
                                            hopper::SmemType tile) {
  manifest::TensorMapRecipe recipe;
  if (auto argument = dyn_cast<BlockArgument>(view))
    recipe.view = kernel.getArgName(argument.getArgNumber());
  auto type = cast<tile::ViewType>(view.getType());
  for (int64_t extent : getTmaBoxes(type, tile).box)
    recipe.box.push_back(int(extent));
  recipe.swizzleBytes = int(tile.getSwizzle());
  return recipe;
}

/// What the verifier has checked to be a number of the host.
static manifest::Expr hostExpr(hopper::KernelOp kernel, Value value) {
  auto nameOf = [&](BlockArgument argument) {
    return std::optional(kernel.getArgName(argument.getArgNumber()));
  };
  Operation *culprit = nullptr;
  return findHostExpr(value, nameOf, culprit).value_or(manifest::Expr());
}

static manifest::TensorMapRecipe makeRecipe(hopper::KernelOp kernel,
                                            hopper::TmaLoadOp load) {
  hopper::SmemType tile = load.getTile().getType();
  manifest::TensorMapRecipe recipe = makeRecipe(kernel, load.getView(), tile);
  tile::ViewType view = load.getView().getType();
  for (int64_t axis :
       load.getSteps().empty() ? ArrayRef<int64_t>() : view.getOrder()) {
    int step = int(load.getSteps()[axis]);
    // A box spans what lies between its elements, too.
    int &extent = recipe.box[recipe.steps.size()];
    extent = (extent - 1) * step + 1;
    recipe.steps.push_back(step);
  }
  if (load.getRun().empty())
    return recipe;
  manifest::Im2colRecipe &im2col = recipe.im2col.emplace();
  im2col.pixels = int(tile.getShape()[tile.getOrder()[1]]);
  recipe.box.resize(1);
  for (auto [first, count] : llvm::zip(load.getFirst(), load.getCount())) {
    im2col.first.push_back(hostExpr(kernel, first));
    im2col.count.push_back(hostExpr(kernel, count));
  }
  return recipe;
}

void UseCollector::useTensorMap(Value view,
                                const manifest::TensorMapRecipe &recipe) {
  ArgumentUse *use = useOf(view);
  if (use && !llvm::is_contained(use->maps, recipe))
    use->maps.push_back(recipe);
}

void UseCollector::usePointer(Value value) {
  ArgumentUse *use = useOf(value);
  if (!use)
    return;
  auto view = cast<tile::ViewType>(value.getType());
  use->pointer = true;
  for (auto [axis, extent] : llvm::enumerate(view.getShape()))
    if (ShapedType::isDynamic(extent))
      use->dims.insert(axis);
  for (int64_t axis : view.getOrder().drop_front())
    use->strides.insert(axis);
}

/// Of counters nothing but the address is asked.
void UseCollector::useCounters(Value view) {
  if (ArgumentUse *use = useOf(view))
    use->pointer = true;
}

void UseCollector::visit(Operation *op) {
  if (auto load = dyn_cast<hopper::TmaLoadOp>(op))
    useTensorMap(load.getView(), makeRecipe(kernel, load));
  if (auto store = dyn_cast<hopper::TmaStoreOp>(op))
    useTensorMap(store.getView(), makeRecipe(kernel, store.getView(),
                                             store.getTile().getType()));
  bool isTma = isa<hopper::TmaLoadOp, hopper::TmaStoreOp>(op);
  bool isTurn = isa<hopper::AwaitTurnOp, hopper::PassTurnOp>(op);
  if (auto dim = dyn_cast<tile::DimOp>(op)) {
    ArgumentUse *use = useOf(dim.getView());
    if (use && dim.getView().getType().getShape()[dim.getAxis()] ==
                   ShapedType::kDynamic)
      use->dims.insert(dim.getAxis());
    return;
  }
  for (Value operand : op->getOperands()) {
    if (isa<tile::ViewType>(operand.getType())) {
      if (isTurn)
        useCounters(operand);
      else if (!isTma)
        usePointer(operand);
    } else if (ArgumentUse *use = useOf(operand))
      use->scalar = true;
  }
}

/// The arguments as the manifest lists them: the caller's, then views that a
/// launch makes. Stamps are the caller's, though they come last.
static SmallVector<unsigned> manifestOrder(hopper::KernelOp kernel) {
  SmallVector<unsigned> given, made;
  for (unsigned i = 0; i < kernel.getEntry().getNumArguments(); ++i)
    (kernel.getMaker(i) || kernel.getCounters(i) ? made : given).push_back(i);
  given.append(made);
  return given;
}

KernelSignature UseCollector::order() {
  KernelSignature result;
  SmallVector<unsigned> order = manifestOrder(kernel);
  auto add = [&](Param::Kind kind, unsigned i, int axis = 0) {
    Param param;
    param.kind = kind;
    param.argument = kernel.getArgName(i);
    param.axis = axis;
    result.params.push_back(param);
  };
  for (unsigned i : order)
    for (const manifest::TensorMapRecipe &recipe : uses[i].maps) {
      add(Param::Kind::TensorMap, i);
      result.params.back().tensorMap = recipe;
    }
  for (unsigned i : order) {
    bool isView =
        isa<tile::ViewType>(kernel.getEntry().getArgument(i).getType());
    int rank =
        isView
            ? cast<tile::ViewType>(kernel.getEntry().getArgument(i).getType())
                  .getRank()
            : 0;
    if (uses[i].pointer)
      add(Param::Kind::Pointer, i);
    if (uses[i].scalar)
      add(isa<tile::PtrType>(kernel.getEntry().getArgument(i).getType())
              ? Param::Kind::Pointer
              : Param::Kind::Scalar,
          i);
    for (int axis = 0; axis < rank; ++axis)
      if (uses[i].dims.contains(axis))
        add(Param::Kind::Dim, i, axis);
    for (int axis = 0; axis < rank; ++axis)
      if (uses[i].strides.contains(axis))
        add(Param::Kind::Stride, i, axis);
  }
  // Last, so that the other parameters stay where they are.
  auto module = kernel->getParentOfType<ModuleOp>();
  if (module && module->hasAttr(kDebugWaitsAttribute)) {
    result.params.emplace_back();
    result.params.back().kind = Param::Kind::TrapRecord;
  }
  return result;
}

KernelSignature getKernelSignature(hopper::KernelOp kernel) {
  UseCollector collector(kernel);
  collector.collect();
  return collector.order();
}

static int findMap(ArrayRef<Param> params,
                   const manifest::TensorMapRecipe &recipe) {
  for (auto [i, param] : llvm::enumerate(params))
    if (param.kind == Param::Kind::TensorMap && param.tensorMap == recipe)
      return int(i);
  return -1;
}

int KernelSignature::findTensorMap(hopper::KernelOp kernel,
                                   hopper::TmaLoadOp load) const {
  return findMap(params, makeRecipe(kernel, load));
}

int KernelSignature::findTensorMap(hopper::KernelOp kernel,
                                   hopper::TmaStoreOp store) const {
  return findMap(
      params, makeRecipe(kernel, store.getView(), store.getTile().getType()));
}

int KernelSignature::find(Param::Kind kind, StringRef argument,
                          int axis) const {
  for (auto [i, param] : llvm::enumerate(params))
    if (param.kind == kind && param.argument == argument && param.axis == axis)
      return int(i);
  return -1;
}

} // namespace heddle
