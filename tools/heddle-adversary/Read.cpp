//===- Read.cpp - A kernel of the hopper rung as plain data ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statement by statement, without a thought: what a kernel means is for
// Unroll.cpp and World.cpp. What is not known here makes the kernel
// unsupported.
//
//===----------------------------------------------------------------------===//

#include "Script.h"

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle::adversary;
namespace hopper = heddle::hopper;
namespace tile = heddle::tile;

/// Bits of a number, or of the only element of a tile; 0 for all else.
static int widthOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (tensor.getNumElements() != 1)
      return 0;
    type = tensor.getElementType();
  }
  if (type.isIndex())
    return 64;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() <= 64 ? int(integer.getWidth()) : 0;
}

static int lineOf(Location location) {
  int line = 0;
  location->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    line = int(file.getLine());
    return WalkResult::interrupt();
  });
  return line;
}

namespace {
class Reader {
public:
  explicit Reader(hopper::KernelOp op) : op(op) {}
  Kernel read();

private:
  int valueOf(Value value) {
    auto [entry, isNew] = known.try_emplace(value, kernel.values);
    kernel.values += isNew;
    return entry->second;
  }
  std::vector<int> valuesOf(ValueRange values) {
    std::vector<int> result;
    for (Value value : values)
      result.push_back(valueOf(value));
    return result;
  }
  void readArguments();
  void readRing(hopper::RingOp ring);
  void readProcess(hopper::ProcessOp process);
  void readBlock(Block &block, std::vector<Statement> &into);
  Statement readStatement(Operation &op);
  bool readNumber(Operation &op, Statement &statement);
  bool readControl(Operation &op, Statement &statement);
  bool readEvent(Operation &op, Statement &statement);
  void access(std::vector<int> &places, std::vector<int64_t> &bytes,
              Value tile);
  int ringNamed(StringRef name);
  int argumentOf(Value value);
  void checkPlaces();

  hopper::KernelOp op;
  Kernel kernel;
  llvm::DenseMap<Value, int> known;
  ProcessInfo *current = nullptr;
};
} // namespace

int Reader::ringNamed(StringRef name) {
  for (size_t i = 0; i < kernel.rings.size(); ++i)
    if (kernel.rings[i].name == name)
      return int(i);
  kernel.unsupported = "a ring that is not there";
  return 0;
}

int Reader::argumentOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == &op.getEntry())
    return int(argument.getArgNumber());
  kernel.unsupported = "a view that is no argument";
  return 0;
}

template <typename T> static void addOnce(std::vector<T> &list, T value) {
  if (!llvm::is_contained(list, value))
    list.push_back(value);
}

void Reader::readArguments() {
  for (BlockArgument argument : op.getEntry().getArguments()) {
    int index = int(argument.getArgNumber());
    kernel.argumentNames.push_back(op.getArgName(index));
    auto view = dyn_cast<tile::ViewType>(argument.getType());
    std::vector<int64_t> shape;
    int elements = 0;
    if (view) {
      for (int64_t extent : view.getShape())
        shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
      elements = widthOf(view.getElementType());
    }
    int width = view ? 0 : widthOf(argument.getType());
    kernel.shapes.push_back(shape);
    kernel.elementWidths.push_back(elements);
    kernel.argumentWidths.push_back(width);
    if (width) {
      Statement statement;
      statement.kind = Statement::Scalar;
      statement.argument = index;
      statement.results = {valueOf(argument)};
      kernel.prologue.push_back(statement);
    }
  }
}

void Reader::readRing(hopper::RingOp ring) {
  RingInfo info;
  info.firstBarrier = kernel.barriers();
  info.name = ring.getSym().str();
  info.depth = ring.getDepth();
  info.offset = ring.getOffset();
  info.slotBytes = ring.getSlotBytes();
  info.full = ring.getFull();
  info.empty = ring.getEmpty();
  info.fullArrivals = ring.getFullArrivals();
  info.emptyArrivals = ring.getEmptyArrivals();
  kernel.rings.push_back(info);
}

static std::optional<Arith> arithOf(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return Arith::Eq;
  case P::ne:
    return Arith::Ne;
  case P::slt:
    return Arith::Slt;
  case P::sle:
    return Arith::Sle;
  case P::sgt:
    return Arith::Sgt;
  case P::sge:
    return Arith::Sge;
  case P::ult:
    return Arith::Ult;
  case P::ule:
    return Arith::Ule;
  case P::ugt:
    return Arith::Ugt;
  case P::uge:
    return Arith::Uge;
  }
  return std::nullopt;
}

static std::optional<Arith> arithOf(Operation &op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return arithOf(compare.getPredicate());
  return llvm::StringSwitch<std::optional<Arith>>(op.getName().getStringRef())
      .Case("arith.addi", Arith::Add)
      .Case("arith.subi", Arith::Sub)
      .Case("arith.muli", Arith::Mul)
      .Case("arith.divsi", Arith::DivS)
      .Case("arith.divui", Arith::DivU)
      .Case("arith.ceildivsi", Arith::CeilDivS)
      .Case("arith.ceildivui", Arith::CeilDivU)
      .Case("arith.floordivsi", Arith::FloorDivS)
      .Case("arith.remsi", Arith::RemS)
      .Case("arith.remui", Arith::RemU)
      .Case("arith.minsi", Arith::MinS)
      .Case("arith.minui", Arith::MinU)
      .Case("arith.maxsi", Arith::MaxS)
      .Case("arith.maxui", Arith::MaxU)
      .Case("arith.xori", Arith::Xor)
      .Case("arith.andi", Arith::And)
      .Case("arith.ori", Arith::Or)
      .Case("arith.shli", Arith::Shl)
      .Case("arith.shrsi", Arith::ShrS)
      .Case("arith.shrui", Arith::ShrU)
      .Case("arith.extsi", Arith::ExtS)
      .Case("arith.extui", Arith::ExtU)
      .Case("arith.trunci", Arith::Trunc)
      .Default(std::nullopt);
}

/// Numbers of one element and scalars, and where tiles in shared memory lie.
bool Reader::readNumber(Operation &op, Statement &statement) {
  if (op.getNumResults() != 1 || op.getNumRegions())
    return false;
  statement.operands = valuesOf(op.getOperands());
  int width = widthOf(op.getResult(0).getType());
  int from = op.getNumOperands() ? widthOf(op.getOperand(0).getType()) : 0;
  statement.width = from ? from : 64;
  if (auto slot = dyn_cast<hopper::SlotOp>(op)) {
    statement.kind = Statement::Place;
    statement.ring = ringNamed(slot.getRing());
    statement.number = slot.getOffset();
    return true;
  }
  if (auto buffer = dyn_cast<hopper::BufferOp>(op)) {
    statement.kind = Statement::Place;
    statement.number = buffer.getOffset();
    return true;
  }
  if (isa<hopper::SharedTransOp>(op)) {
    statement.kind = Statement::Copy;
    return true;
  }
  IntegerAttr constant;
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    IntegerAttr left, right;
    if (matchPattern(compare.getLhs(), m_Constant(&left)) &&
        matchPattern(compare.getRhs(), m_Constant(&right))) {
      bool holds = arith::applyCmpPredicate(compare.getPredicate(),
                                            left.getValue(), right.getValue());
      statement.kind = Statement::Constant;
      statement.number = holds ? -1 : 0;
      return true;
    }
  }
  if (isa<arith::TruncIOp>(op) && width &&
      matchPattern(op.getOperand(0), m_Constant(&constant))) {
    // The constant may have more bits than numbers have here.
    statement.kind = Statement::Constant;
    statement.number =
        constant.getValue().trunc(unsigned(width)).getSExtValue();
    return true;
  }
  if (width && matchPattern(op.getResult(0), m_Constant(&constant))) {
    statement.kind = Statement::Constant;
    statement.number = wrap(width, constant.getValue().getSExtValue());
    addOnce(kernel.constants, statement.number);
    return true;
  }
  if (!width || isa<hopper::LocalLoadOp, hopper::CopyOp>(op))
    return false;
  if (auto dim = dyn_cast<tile::DimOp>(op)) {
    statement.argument = argumentOf(dim.getView());
    statement.axis = int(dim.getAxis());
    int64_t extent = kernel.shapes[statement.argument][statement.axis];
    statement.kind = extent < 0 ? Statement::Extent : Statement::Constant;
    statement.number = extent;
    if (extent < 0)
      addOnce(kernel.usedExtents, {statement.argument, statement.axis});
    return true;
  }
  if (isa<tile::WorkerIdOp, tile::WorkerCountOp>(op)) {
    bool isId = isa<tile::WorkerIdOp>(op);
    statement.kind = isId ? Statement::Worker : Statement::Workers;
    kernel.usesWorkers = true;
    return true;
  }
  if (auto load = dyn_cast<hopper::GlobalLoadOp>(op)) {
    statement.kind = Statement::Element;
    statement.argument = argumentOf(load.getView());
    statement.operands = valuesOf(load.getOffsets());
    statement.width = width;
    addOnce(kernel.usedElements, statement.argument);
    return true;
  }
  if (isa<arith::SelectOp>(op)) {
    statement.kind = Statement::Select;
    return true;
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    bool isUnsigned = isa<arith::IndexCastUIOp>(op);
    statement.kind = Statement::Compute;
    statement.arith = width < from ? Arith::Trunc
                      : isUnsigned ? Arith::ExtU
                                   : Arith::ExtS;
    statement.width = width < from ? width : from;
    return true;
  }
  if (isa<tile::SplatOp, tile::UnsplatOp, tile::ReshapeOp,
          hopper::ConvertLayoutOp>(op)) {
    statement.kind = Statement::Copy;
    return true;
  }
  if (auto arith = arithOf(op)) {
    statement.kind = Statement::Compute;
    statement.arith = *arith;
    if (*arith == Arith::Trunc)
      statement.width = width;
    return true;
  }
  statement.kind = Statement::Unknown;
  return true;
}

bool Reader::readControl(Operation &op, Statement &statement) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    statement.kind = Statement::For;
    statement.operands = valuesOf(op.getOperands());
    statement.arguments = valuesOf(loop.getBody()->getArguments());
    statement.width = widthOf(loop.getInductionVar().getType());
    statement.isUnsigned = loop.getUnsignedCmp();
    readBlock(*loop.getBody(), statement.body);
    statement.yields = valuesOf(loop.getBody()->getTerminator()->getOperands());
    return true;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    statement.kind = Statement::If;
    statement.operands = valuesOf(op.getOperands());
    auto side = [&](Region &region, std::vector<Statement> &body,
                    std::vector<int> &yields) {
      if (region.empty())
        return;
      readBlock(region.front(), body);
      yields = valuesOf(region.front().getTerminator()->getOperands());
    };
    side(branch.getThenRegion(), statement.body, statement.yields);
    side(branch.getElseRegion(), statement.other, statement.otherYields);
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    statement.kind = Statement::While;
    statement.operands = valuesOf(op.getOperands());
    statement.arguments = valuesOf(loop.getBeforeArguments());
    readBlock(*loop.getBeforeBody(), statement.body);
    statement.yields = valuesOf(loop.getConditionOp()->getOperands());
    statement.otherArguments = valuesOf(loop.getAfterArguments());
    readBlock(*loop.getAfterBody(), statement.other);
    statement.otherYields = valuesOf(loop.getYieldOp()->getOperands());
    return true;
  }
  return false;
}

void Reader::access(std::vector<int> &places, std::vector<int64_t> &bytes,
                    Value tile) {
  auto type = dyn_cast<hopper::SmemType>(tile.getType());
  if (!type)
    return; // in registers
  places.push_back(valueOf(tile));
  bytes.push_back(type.getSizeBytes());
}

bool Reader::readEvent(Operation &op, Statement &s) {
  s.kind = Statement::Act;
  s.operands.clear();
  auto barrier = [&](StringRef ring, Value slot, bool isEmptySide) {
    s.ring = ringNamed(ring);
    s.isEmptySide = isEmptySide;
    s.operands.push_back(valueOf(slot));
    if (!current)
      return;
    if (s.action == Action::Wait && !isEmptySide)
      current->gets[s.ring] = true;
    if (s.action == Action::Arrive && isEmptySide)
      current->releases[s.ring] = true;
  };
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](hopper::WaitOp op) {
        s.action = Action::Wait;
        barrier(op.getRing(), op.getSlot(), op.getSide() == "empty");
        s.operands.push_back(valueOf(op.getPhase()));
        return true;
      })
      .Case([&](hopper::ArriveOp op) {
        s.action =
            op.getCopies().empty() ? Action::Arrive : Action::ArriveCopies;
        barrier(op.getRing(), op.getSlot(), op.getSide() == "empty");
        return true;
      })
      .Case([&](hopper::ExpectOp op) {
        s.action = Action::Expect;
        barrier(op.getRing(), op.getSlot(), false);
        s.bytes = op.getBytes();
        return true;
      })
      .Case([&](hopper::TmaLoadOp op) {
        s.action = Action::Load;
        barrier(op.getRing(), op.getSlot(), false);
        access(s.writes, s.writeBytes, op.getTile());
        s.bytes = s.writeBytes[0];
        return true;
      })
      .Case([&](hopper::CopyOp op) {
        s.action = op.getUnderWay() ? Action::Copy : Action::Generic;
        access(s.writes, s.writeBytes, op.getTile());
        return true;
      })
      .Case([&](hopper::LocalStoreOp op) {
        s.action = Action::Generic;
        access(s.writes, s.writeBytes, op.getTile());
        if (widthOf(op.getValue().getType()))
          s.stored = valueOf(op.getValue());
        return true;
      })
      .Case([&](hopper::LocalLoadOp op) {
        s.action = Action::Generic;
        access(s.reads, s.readBytes, op.getTile());
        if (widthOf(op.getValue().getType()))
          s.loaded = valueOf(op.getValue());
        return true;
      })
      .Case<hopper::LocalTakeOp, hopper::LocalUnfoldOp>([&](auto op) {
        s.action = Action::Generic;
        access(s.reads, s.readBytes, op.getTile());
        return true;
      })
      .Case([&](hopper::FenceAsyncOp) {
        s.action = Action::Fence;
        return true;
      })
      .Case([&](hopper::SyncOp op) {
        s.action = Action::Sync;
        s.id = op.getId();
        s.threads = op.getThreads();
        return true;
      })
      .Case([&](hopper::WgmmaOp op) {
        s.action = Action::Multiply;
        access(s.reads, s.readBytes, op.getA());
        access(s.reads, s.readBytes, op.getB());
        s.flight = valueOf(op.getFlight());
        if (op.getAcc() && isa<hopper::FlightType>(op.getAcc().getType()))
          s.from = valueOf(op.getAcc());
        return true;
      })
      .Case([&](hopper::WgmmaWaitOp op) {
        s.action = Action::MultiplyWait;
        s.flight = valueOf(op.getFlight());
        s.pending = op.getPending();
        s.isRead = llvm::any_of(op.getValue().getUsers(), [](Operation *user) {
          return !isa<hopper::ArriveOp>(user);
        });
        return true;
      })
      .Case([&](hopper::TmaStoreOp op) {
        s.action = Action::Store;
        access(s.reads, s.readBytes, op.getTile());
        return true;
      })
      .Case([&](hopper::TmaStoreWaitOp op) {
        s.action = Action::StoreWait;
        s.pending = op.getPending();
        return true;
      })
      .Default(false);
}

Statement Reader::readStatement(Operation &op) {
  Statement statement;
  statement.line = lineOf(op.getLoc());
  statement.results = valuesOf(op.getResults());
  if (readControl(op, statement) || readNumber(op, statement))
    return statement;
  if (readEvent(op, statement))
    return statement;
  statement.kind = Statement::Opaque;
  bool isKnown = isa<hopper::GridOp, hopper::GlobalStoreOp,
                     hopper::GlobalLoadOp, hopper::ConvertLayoutOp>(op) ||
                 !isa<hopper::HopperDialect>(op.getDialect());
  if (!isKnown || op.getNumRegions())
    kernel.unsupported = "operation " + op.getName().getStringRef().str();
  return statement;
}

void Reader::readBlock(Block &block, std::vector<Statement> &into) {
  for (Operation &op : block)
    if (!isa<scf::YieldOp, scf::ConditionOp>(op))
      into.push_back(readStatement(op));
}

void Reader::readProcess(hopper::ProcessOp process) {
  ProcessInfo &info = kernel.processes.emplace_back();
  info.name = process.getSym().str();
  info.firstWarp = process.getFirstWarp();
  info.warps = process.getWarps();
  info.elected = process.getElected();
  info.gets.resize(kernel.rings.size());
  info.releases.resize(kernel.rings.size());
  current = &info;
  readBlock(process.getBody().front(), info.body);
  current = nullptr;
}

/// Barriers stand apart from everything else. What slots of one ring share with
/// another ring's is for the order of accesses.
void Reader::checkPlaces() {
  std::vector<heddle::adversary::Range> barriers, others;
  for (const RingInfo &ring : kernel.rings) {
    barriers.push_back({ring.full, ring.full + 8 * ring.depth});
    barriers.push_back({ring.empty, ring.empty + 8 * ring.depth});
    others.push_back({ring.offset, ring.offset + ring.depth * ring.slotBytes});
  }
  // Buffers that are named, not those that an executed action touches.
  op.walk([&](Operation *user) {
    for (Value operand : user->getOperands())
      if (auto buffer = operand.getDefiningOp<hopper::BufferOp>()) {
        int64_t begin = buffer.getOffset();
        others.push_back(
            {begin, begin + buffer.getTile().getType().getSizeBytes()});
      }
  });
  for (size_t i = 0; i < barriers.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (barriers[i].overlaps(barriers[j]))
        kernel.fault = "barriers in each other";
    for (const auto &other : others)
      if (barriers[i].overlaps(other))
        kernel.fault = "barriers in a tile";
  }
}

Kernel Reader::read() {
  kernel.name = op.getSymName().str();
  kernel.sharedBytes = op.getSharedBytes();
  kernel.threads = op.getThreads();
  for (auto ring : op.getOps<hopper::RingOp>())
    readRing(ring);
  readArguments();
  for (Operation &inner : op.getEntry()) {
    if (isa<hopper::RingOp, hopper::GridOp, hopper::RequireOp>(inner))
      continue;
    if (auto process = dyn_cast<hopper::ProcessOp>(inner)) {
      readProcess(process);
      continue;
    }
    inner.walk([&](Operation *deep) {
      Statement ignored;
      if (isa<hopper::ProcessOp>(deep) || readEvent(*deep, ignored))
        kernel.fault = "a process or an event where none can be";
    });
    if (!kernel.fault.empty())
      return std::move(kernel);
    kernel.prologue.push_back(readStatement(inner));
  }
  for (size_t i = 0; i < kernel.argumentWidths.size(); ++i)
    if (kernel.argumentWidths[i] &&
        !op.getEntry().getArgument(unsigned(i)).use_empty())
      kernel.usedScalars.push_back(int(i));
  checkPlaces();
  return std::move(kernel);
}

Kernel heddle::adversary::read(hopper::KernelOp kernel) {
  return Reader(kernel).read();
}
