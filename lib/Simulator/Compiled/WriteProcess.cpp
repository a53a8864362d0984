//===- WriteProcess.cpp - A process becomes a function --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body is copied, its types become numbers (a turn and a token the number
// of the turn, a tile of one element that element), and then each operation
// that is no scalar arithmetic is replaced. What does not change while the
// process runs is read from the frame at the beginning of the function, which
// every call passes through, so that no wait has to keep it.
//
//===----------------------------------------------------------------------===//

#include "WriteProcess.h"

#include "Scalars.h"
#include "Words.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

namespace {

/// Which operation of the program each copy is of.
using Origins = llvm::DenseMap<Operation *, Operation *>;

class ProcessWriter {
public:
  ProcessWriter(aref::ProcessOp process, ModuleOp module, ConsumerOf consumerOf,
                ConsumerCount consumerCount, std::string &declined)
      : process(process), module(module), consumerOf(consumerOf),
        consumerCount(consumerCount), declined(declined),
        builder(module.getContext()), loc(process.getLoc()) {}

  FailureOr<ProcessCode> write(StringRef name) {
    if (failed(check()))
      return failure();
    pointer = LLVM::LLVMPointerType::get(module.getContext());
    builder.setInsertionPointToEnd(module.getBody());
    function = func::FuncOp::create(builder, loc, name,
                                    builder.getFunctionType({pointer}, {}));
    copyBody();
    Block &body = function.getBody().front();
    OpBuilder first = OpBuilder::atBlockBegin(&body);
    Operation *begin =
        LLVM::CallOp::create(first, loc, TypeRange{}, kBegin, ValueRange{});
    front.setInsertionPoint(begin);
    self = function.getArgument(0);
    clock = variable(frame::Clock);
    busy = variable(frame::Busy);
    begun = variable(frame::Begun);
    beside = variable(frame::Beside);
    busyBeside = variable(frame::BusyBeside);
    steps = variable(frame::Steps);
    limit = load(front, self, frame::Limit);
    for (Operation *op : copied)
      rewrite(op);
    leave();
    return std::move(code);
  }

private:
  LogicalResult decline(Operation *op, const Twine &reason) {
    declined = ("'" + op->getName().getStringRef() + "' " + reason).str();
    return failure();
  }

  //===--------------------------------------------------------------------===//
  // What can be compiled
  //===--------------------------------------------------------------------===//

  static bool isScalar(Type type) {
    return type.isIndex() || type.isF32() || type.isF64() ||
           type.isInteger(1) || type.isInteger(32) || type.isInteger(64);
  }
  /// The scalar that a tile of one element is; null for other tiles.
  static Type scalarOf(Type type) {
    if (isa<aref::TurnType, aref::TokenType>(type))
      return IntegerType::get(type.getContext(), 64);
    if (auto tile = dyn_cast<RankedTensorType>(type))
      type = tile.getRank() == 1 && tile.getDimSize(0) == 1
                 ? tile.getElementType()
                 : Type();
    return type && isScalar(type) ? type : Type();
  }
  /// Elements in memory are their bytes.
  static bool isView(Value value) {
    auto type = dyn_cast<tile::ViewType>(value.getType());
    return type && type.getShape().size() == 1 && isa<BlockArgument>(value) &&
           isScalar(type.getElementType()) &&
           !type.getElementType().isInteger(1);
  }

  LogicalResult checkControl(Operation *op) {
    if (op->hasAttr(aref::kIssue))
      return decline(op, "takes time");
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      APInt step;
      if (loop.getUnsignedCmp() ||
          !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
          !step.isStrictlyPositive())
        return decline(op, "has a step that is no positive constant");
    }
    return success();
  }

  /// A value of a slot ends with its release, which follows in the same block.
  LogicalResult checkGet(aref::GetOp op) {
    Operation *release = nullptr;
    for (Operation *user : op.getToken().getUsers())
      if (isa<aref::ReleaseOp>(user) && user->getBlock() == op->getBlock())
        release = user;
    if (!release)
      return decline(op, "keeps its slot beyond its block");
    for (Value value : op.getValues())
      for (Operation *user : value.getUsers())
        if (user->getBlock() != op->getBlock() ||
            release->isBeforeInBlock(user))
          return decline(op, "has a value that is used behind the release");
    return success();
  }

  LogicalResult check(Operation *op) {
    for (Type type : op->getResultTypes())
      if (!scalarOf(type))
        return decline(op, "makes what is no number");
    if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp,
            scf::ConditionOp>(op))
      return checkControl(op);
    if (auto get = dyn_cast<aref::GetOp>(op))
      return checkGet(get);
    if (auto release = dyn_cast<aref::ReleaseOp>(op))
      for (Value after : release.getAfter())
        if (!scalarOf(after.getType()))
          return decline(op, "waits for something other than numbers");
    if (isa<aref::FirstTurnOp, aref::AcquireOp, aref::PublishOp,
            aref::ReleaseOp, aref::CloseOp, aref::MoreOp>(op))
      return success();
    if (auto dim = dyn_cast<tile::DimOp>(op))
      return isView(dim.getView()) ? success() : decline(op, "asks no array");
    if (auto read = dyn_cast<tile::LoadOp>(op))
      return isView(read.getView()) && !read.getRows()
                 ? success()
                 : decline(op, "reads something other than an array");
    if (auto write = dyn_cast<tile::StoreOp>(op))
      return isView(write.getView()) && scalarOf(write.getValue().getType())
                 ? success()
                 : decline(op, "writes something other than an array");
    if (isa<tile::SplatOp, tile::UnsplatOp>(op) || isKnownScalarOp(op))
      return success();
    return decline(op, "has no compiled form");
  }

  LogicalResult check() {
    WalkResult done = process.getBody().walk(
        [&](Operation *op) { return WalkResult(check(op)); });
    return failure(done.wasInterrupted());
  }

  //===--------------------------------------------------------------------===//
  // The function around the body
  //===--------------------------------------------------------------------===//

  void copyBody() {
    IRMapping mapping;
    process.getBody().cloneInto(&function.getBody(), mapping);
    Block &body = function.getBody().front();
    body.addArgument(pointer, loc);
    // Copies are in the order of what they are copies of.
    SmallVector<Operation *> originals;
    process.getBody().walk([&](Operation *op) { originals.push_back(op); });
    function.getBody().walk([&](Operation *op) {
      origins[op] = originals[copied.size()];
      copied.push_back(op);
    });
    // Types that a process has and a function has not.
    function.getBody().walk([&](Operation *op) {
      for (Value result : op->getResults())
        result.setType(scalarOf(result.getType()));
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          argument.setType(scalarOf(argument.getType()));
    });
  }

  void leave() {
    OpBuilder end = OpBuilder::atBlockEnd(&function.getBody().front());
    waitUntil(end, get(end, beside));
    set(end, busy,
        LLVM::SMaxOp::create(end, loc, get(end, busy), get(end, busyBeside)));
    save(end);
    store(end, self, frame::State, constant(end, frame::kEnded));
    func::ReturnOp::create(end, loc);
  }

  /// A word of the frame that the function keeps in a variable.
  Value variable(frame::Word word) {
    Value one = LLVM::ConstantOp::create(front, loc, front.getI64Type(),
                                         front.getI64IntegerAttr(1));
    Value place =
        LLVM::AllocaOp::create(front, loc, pointer, front.getI64Type(), one, 8);
    LLVM::StoreOp::create(front, loc, load(front, self, word), place);
    return place;
  }
  void save(OpBuilder &at) {
    for (auto [place, word] :
         {std::pair(clock, frame::Clock), std::pair(busy, frame::Busy),
          std::pair(begun, frame::Begun), std::pair(beside, frame::Beside),
          std::pair(busyBeside, frame::BusyBeside),
          std::pair(steps, frame::Steps)})
      store(at, self, word, get(at, place));
  }

  //===--------------------------------------------------------------------===//
  // Small pieces of code
  //===--------------------------------------------------------------------===//

  // There are many of these, so they are of LLVM at once and nobody converts
  // them.

  Value constant(OpBuilder &at, int64_t value) {
    return LLVM::ConstantOp::create(at, loc, at.getI64Type(),
                                    at.getI64IntegerAttr(value));
  }
  Value yes(OpBuilder &at) {
    return LLVM::ConstantOp::create(at, loc, at.getI1Type(),
                                    at.getBoolAttr(true));
  }
  Value address(OpBuilder &at, Value base, Value index, Type element) {
    return LLVM::GEPOp::create(at, loc, pointer, element, base,
                               ArrayRef<LLVM::GEPArg>{index});
  }
  Value wordOf(OpBuilder &at, Value base, int64_t word) {
    return LLVM::GEPOp::create(at, loc, pointer, at.getI64Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(word)});
  }
  Value load(OpBuilder &at, Value base, int64_t word) {
    return LLVM::LoadOp::create(at, loc, at.getI64Type(),
                                wordOf(at, base, word));
  }
  void store(OpBuilder &at, Value base, int64_t word, Value value) {
    LLVM::StoreOp::create(at, loc, value, wordOf(at, base, word));
  }
  Value get(OpBuilder &at, Value variable) {
    return LLVM::LoadOp::create(at, loc, at.getI64Type(), variable);
  }
  void set(OpBuilder &at, Value variable, Value value) {
    LLVM::StoreOp::create(at, loc, value, variable);
  }
  Value compare(OpBuilder &at, LLVM::ICmpPredicate how, Value a, Value b) {
    return LLVM::ICmpOp::create(at, loc, how, a, b);
  }
  void add(OpBuilder &at, Value variable, int64_t amount) {
    set(at, variable,
        LLVM::AddOp::create(at, loc, get(at, variable), constant(at, amount)));
  }
  /// The clock is not before `time`.
  void waitUntil(OpBuilder &at, Value time) {
    set(at, clock, LLVM::SMaxOp::create(at, loc, get(at, clock), time));
  }

  //===--------------------------------------------------------------------===//
  // What is used from outside
  //===--------------------------------------------------------------------===//

  /// A word of the frame, read at the beginning.
  Value input(ProcessInput::Kind kind, Value value) {
    Value &known = inputs[{int(kind), value.getAsOpaquePointer()}];
    if (known)
      return known;
    known = load(front, self, frame::Inputs + int64_t(code.inputs.size()));
    code.inputs.push_back({kind, value});
    if (kind == ProcessInput::Ring || kind == ProcessInput::Data)
      known = LLVM::IntToPtrOp::create(front, loc, pointer, known);
    else if (kind == ProcessInput::Scalar)
      known = fromWord(front, known, value.getType());
    return known;
  }
  /// A word of a ring that does not change while the process runs.
  Value fixed(Value ringValue, ring::Word word, bool isAddress = false) {
    Value words = input(ProcessInput::Ring, ringValue);
    Value &known = fixedWords[{ringValue.getAsOpaquePointer(), int64_t(word)}];
    if (!known) {
      known = load(front, words, word);
      if (isAddress)
        known = LLVM::IntToPtrOp::create(front, loc, pointer, known);
    }
    return known;
  }

  Value fromWord(OpBuilder &at, Value word, Type type) {
    if (type.isIndex())
      return arith::IndexCastOp::create(at, loc, type, word);
    if (type.isF64())
      return LLVM::BitcastOp::create(at, loc, type, word);
    if (type.isInteger(64))
      return word;
    Type narrow = type.isF32() ? at.getI32Type() : type;
    Value cut = LLVM::TruncOp::create(at, loc, narrow, word);
    return type.isF32() ? Value(LLVM::BitcastOp::create(at, loc, type, cut))
                        : cut;
  }

  /// Operands of the copy that are still the program's.
  void adoptOperands(Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isa<aref::RingType, tile::ViewType>(value.getType()) ||
          function->isAncestor(value.getParentBlock()->getParentOp()))
        continue;
      Operation *maker = value.getDefiningOp();
      if (!maker || !isa<arith::ConstantOp>(maker)) {
        operand.set(input(ProcessInput::Scalar, value));
        continue;
      }
      Value &known = constants[value];
      if (!known)
        known = front.clone(*maker)->getResult(0);
      operand.set(known);
    }
  }

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  Value pointOf(OpBuilder &at, Operation *op) {
    code.points.push_back(origins.lookup(op));
    return constant(at, int64_t(code.points.size()));
  }
  void call(OpBuilder &at, StringRef callee, Value point) {
    LLVM::CallOp::create(at, loc, TypeRange{}, callee, ValueRange{point});
  }

  /// Waits as long as `isReady` says no.
  void waitAt(OpBuilder &at, Operation *op, Value turn,
              llvm::function_ref<Value(OpBuilder &)> isReady) {
    auto loop = scf::WhileOp::create(at, loc, TypeRange{}, ValueRange{});
    OpBuilder before(at);
    before.createBlock(&loop.getBefore());
    Value ready = isReady(before);
    Value no = LLVM::XOrOp::create(before, loc, ready, yes(before));
    scf::ConditionOp::create(before, loc, no, ValueRange{});
    OpBuilder after(before);
    after.createBlock(&loop.getAfter());
    store(after, self, frame::Waited, turn);
    call(after, kWait, pointOf(after, op));
    scf::YieldOp::create(after, loc);
  }

  void expect(OpBuilder &at, Operation *op, Value holds) {
    Value no = LLVM::XOrOp::create(at, loc, holds, yes(at));
    auto branch = scf::IfOp::create(at, loc, no, /*withElse=*/false);
    OpBuilder then = branch.getThenBodyBuilder();
    call(then, kFail, pointOf(then, op));
  }

  void takeTime(OpBuilder &at, Operation *op) {
    auto issue = op->getAttrOfType<IntegerAttr>(aref::kIssue);
    if (!issue || issue.getInt() == 0)
      return;
    add(at, clock, issue.getInt());
    add(at, busy, issue.getInt());
  }

  int64_t wordsOfSlot(Value ringValue) {
    return 1 +
           int64_t(
               cast<aref::RingType>(ringValue.getType()).getPayload().size());
  }
  /// The address of word `word` of the slot of a turn.
  Value slotWord(OpBuilder &at, Value ringValue, Value turn, int64_t word) {
    Value place =
        LLVM::AndOp::create(at, loc, turn, fixed(ringValue, ring::SlotMask));
    int64_t words = wordsOfSlot(ringValue);
    Value first = LLVM::MulOp::create(at, loc, place, constant(at, words));
    Value index = LLVM::AddOp::create(at, loc, first, constant(at, word));
    return address(at, fixed(ringValue, ring::Slots, true), index,
                   at.getI64Type());
  }
  Value loadFull(OpBuilder &at, Value ringValue, Value turn) {
    return LLVM::LoadOp::create(
        at, loc, at.getI64Type(),
        slotWord(at, ringValue, turn, wordsOfSlot(ringValue) - 1));
  }
  Value freePlace(OpBuilder &at, Value ringValue, Value turn) {
    Value place =
        LLVM::AndOp::create(at, loc, turn, fixed(ringValue, ring::FreeMask));
    return address(at, fixed(ringValue, ring::Free, true), place,
                   at.getI64Type());
  }
  Value words(Value ringValue) { return input(ProcessInput::Ring, ringValue); }
  int64_t gotWord(Value ringValue) {
    return ring::Consumers + 2 * int64_t(consumerOf(ringValue, process));
  }
  Value next(OpBuilder &at, Value turn) {
    return LLVM::AddOp::create(at, loc, turn, constant(at, 1));
  }

  using Cmp = LLVM::ICmpPredicate;

  // A copy's values no longer have the types that its accessors promise.

  void rewriteAcquire(OpBuilder &at, aref::AcquireOp op) {
    Value ringValue = op.getRing(), turn = op->getOperand(1);
    Value isNext =
        compare(at, Cmp::eq, turn, load(at, words(ringValue), ring::Acquired));
    Value isOpen = compare(at, Cmp::eq, constant(at, 0),
                           load(at, words(ringValue), ring::IsClosed));
    expect(at, op, LLVM::AndOp::create(at, loc, isNext, isOpen));
    waitAt(at, op, turn, [&](OpBuilder &at) {
      Value ready = yes(at);
      for (unsigned i = 0; i < consumerCount(ringValue); ++i) {
        Value released =
            load(at, words(ringValue), ring::Consumers + 2 * i + 1);
        Value most = LLVM::AddOp::create(at, loc, released,
                                         fixed(ringValue, ring::Limit));
        ready = LLVM::AndOp::create(at, loc, ready,
                                    compare(at, Cmp::slt, turn, most));
      }
      return ready;
    });
    add(at, steps, 1);
    // Turns before the first `depth` were never free: their words are zero.
    Value before =
        LLVM::SubOp::create(at, loc, turn, fixed(ringValue, ring::Depth));
    waitUntil(at, LLVM::LoadOp::create(at, loc, at.getI64Type(),
                                       freePlace(at, ringValue, before)));
    store(at, words(ringValue), ring::Acquired, next(at, turn));
    takeTime(at, op);
    op->getResult(0).replaceAllUsesWith(turn);
    op->getResult(1).replaceAllUsesWith(next(at, turn));
  }

  void rewritePublish(OpBuilder &at, aref::PublishOp op) {
    Value ringValue = op.getRing(), turn = op->getOperand(1);
    Value isNext =
        compare(at, Cmp::eq, turn, load(at, words(ringValue), ring::Published));
    expect(at, op, isNext);
    for (auto [index, value] : llvm::enumerate(op.getValues())) {
      Value kept = value;
      if (kept.getType().isIndex())
        kept = arith::IndexCastOp::create(at, loc, at.getI64Type(), kept);
      LLVM::StoreOp::create(at, loc, kept,
                            slotWord(at, ringValue, turn, int64_t(index)));
    }
    LLVM::StoreOp::create(
        at, loc, get(at, clock),
        slotWord(at, ringValue, turn, wordsOfSlot(ringValue) - 1));
    store(at, words(ringValue), ring::Published, next(at, turn));
    takeTime(at, op);
  }

  void rewriteGet(OpBuilder &at, aref::GetOp op) {
    Value ringValue = op.getRing(), turn = op->getOperand(1);
    int64_t got = gotWord(ringValue);
    expect(at, op, compare(at, Cmp::eq, turn, load(at, words(ringValue), got)));
    Value isThere = compare(at, Cmp::slt, turn,
                            load(at, words(ringValue), ring::Published));
    Value isOpen = compare(at, Cmp::eq, constant(at, 0),
                           load(at, words(ringValue), ring::IsClosed));
    expect(at, op, LLVM::OrOp::create(at, loc, isThere, isOpen));
    waitAt(at, op, turn, [&](OpBuilder &at) {
      return compare(at, Cmp::slt, turn,
                     load(at, words(ringValue), ring::Published));
    });
    add(at, steps, 1);
    waitUntil(at, loadFull(at, ringValue, turn));
    store(at, words(ringValue), got, next(at, turn));
    takeTime(at, op);
    for (auto [index, value] : llvm::enumerate(op.getValues())) {
      Type type = value.getType();
      Value place = slotWord(at, ringValue, turn, int64_t(index));
      Value read = LLVM::LoadOp::create(
          at, loc, type.isIndex() ? at.getI64Type() : type, place);
      if (type.isIndex())
        read = arith::IndexCastOp::create(at, loc, type, read);
      value.replaceAllUsesWith(read);
    }
    op->getResult(0).replaceAllUsesWith(turn);
    op->getResult(1).replaceAllUsesWith(next(at, turn));
  }

  void rewriteRelease(OpBuilder &at, aref::ReleaseOp op) {
    Value ringValue = op.getRing(), turn = op->getOperand(1);
    int64_t released = gotWord(ringValue) + 1;
    expect(at, op,
           compare(at, Cmp::eq, turn, load(at, words(ringValue), released)));
    Value place = freePlace(at, ringValue, turn);
    Value time = get(at, clock);
    if (consumerCount(ringValue) > 1)
      time = LLVM::SMaxOp::create(
          at, loc, time, LLVM::LoadOp::create(at, loc, at.getI64Type(), place));
    LLVM::StoreOp::create(at, loc, time, place);
    store(at, words(ringValue), released, next(at, turn));
    takeTime(at, op);
  }

  void rewriteClose(OpBuilder &at, aref::CloseOp op) {
    Value ringValue = op.getRing();
    Value isNext = compare(at, Cmp::eq, op->getOperand(1),
                           load(at, words(ringValue), ring::Acquired));
    Value isOpen = compare(at, Cmp::eq, constant(at, 0),
                           load(at, words(ringValue), ring::IsClosed));
    expect(at, op, LLVM::AndOp::create(at, loc, isNext, isOpen));
    add(at, steps, 1);
    store(at, words(ringValue), ring::IsClosed, constant(at, 1));
    store(at, words(ringValue), ring::ClosedAt, get(at, clock));
    takeTime(at, op);
  }

  void rewriteMore(OpBuilder &at, aref::MoreOp op) {
    Value ringValue = op.getRing(), turn = op->getOperand(1);
    expect(at, op,
           compare(at, Cmp::eq, turn,
                   load(at, words(ringValue), gotWord(ringValue))));
    auto isThere = [&](OpBuilder &at) {
      return compare(at, Cmp::slt, turn,
                     load(at, words(ringValue), ring::Published));
    };
    waitAt(at, op, turn, [&](OpBuilder &at) -> Value {
      Value isClosed = compare(at, Cmp::ne, constant(at, 0),
                               load(at, words(ringValue), ring::IsClosed));
      return LLVM::OrOp::create(at, loc, isThere(at), isClosed);
    });
    add(at, steps, 1);
    Value more = isThere(at);
    Value full = loadFull(at, ringValue, turn);
    Value closed = load(at, words(ringValue), ring::ClosedAt);
    waitUntil(at, LLVM::SelectOp::create(at, loc, more, full, closed));
    takeTime(at, op);
    op.getMore().replaceAllUsesWith(more);
  }

  /// The number of an element as a word, and whether the view has it.
  std::pair<Value, Value> place(OpBuilder &at, Value view, Value index) {
    Value number = arith::IndexCastOp::create(at, loc, at.getI64Type(), index);
    return {number,
            compare(at, Cmp::ult, number, input(ProcessInput::Extent, view))};
  }

  void rewriteLoad(OpBuilder &at, tile::LoadOp op) {
    Type element = op->getResult(0).getType();
    auto [number, isInside] = place(at, op.getView(), op.getOffsets()[0]);
    Value data = input(ProcessInput::Data, op.getView());
    auto branch = scf::IfOp::create(at, loc, element, isInside, true);
    OpBuilder then = branch.getThenBodyBuilder();
    Type stored = element.isIndex() ? then.getI64Type() : element;
    Value read = LLVM::LoadOp::create(then, loc, stored,
                                      address(then, data, number, stored));
    if (element.isIndex())
      read = arith::IndexCastOp::create(then, loc, element, read);
    scf::YieldOp::create(then, loc, read);
    OpBuilder other = branch.getElseBodyBuilder();
    Value zero = arith::ConstantOp::create(other, loc, element,
                                           other.getZeroAttr(element));
    scf::YieldOp::create(other, loc, zero);
    takeTime(at, op);
    op->getResult(0).replaceAllUsesWith(branch.getResult(0));
  }

  void rewriteStore(OpBuilder &at, tile::StoreOp op) {
    Value value = op->getOperand(0);
    auto [number, isInside] = place(at, op.getView(), op.getOffsets()[0]);
    Value data = input(ProcessInput::Data, op.getView());
    auto branch = scf::IfOp::create(at, loc, isInside, /*withElse=*/false);
    OpBuilder then = branch.getThenBodyBuilder();
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(then, loc, then.getI64Type(), value);
    LLVM::StoreOp::create(then, loc, value,
                          address(then, data, number, value.getType()));
    takeTime(at, op);
  }

  /// A loop without a ring's step could go on for ever.
  void countLoop(Block *body, Operation *loop) {
    OpBuilder at = OpBuilder::atBlockBegin(body);
    add(at, steps, 1);
    expect(at, loop, compare(at, Cmp::sle, get(at, steps), limit));
  }

  /// What BesideClock does.
  void moveBeside(Block *block) {
    auto exchangeBusy = [&](OpBuilder &at) {
      Value mine = get(at, busy);
      set(at, busy, get(at, busyBeside));
      set(at, busyBeside, mine);
    };
    OpBuilder first = OpBuilder::atBlockBegin(block);
    waitUntil(first, get(first, beside));
    set(first, begun, get(first, clock));
    exchangeBusy(first);
    OpBuilder last(block->getTerminator());
    set(last, beside, get(last, clock));
    set(last, clock, get(last, begun));
    exchangeBusy(last);
  }

  void rewrite(Operation *op) {
    adoptOperands(op);
    OpBuilder at(op);
    bool isReplaced = true;
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](aref::FirstTurnOp op) {
          op->getResult(0).replaceAllUsesWith(constant(at, 0));
        })
        .Case([&](aref::AcquireOp op) { rewriteAcquire(at, op); })
        .Case([&](aref::PublishOp op) { rewritePublish(at, op); })
        .Case([&](aref::GetOp op) { rewriteGet(at, op); })
        .Case([&](aref::ReleaseOp op) { rewriteRelease(at, op); })
        .Case([&](aref::CloseOp op) { rewriteClose(at, op); })
        .Case([&](aref::MoreOp op) { rewriteMore(at, op); })
        .Case([&](tile::LoadOp op) { rewriteLoad(at, op); })
        .Case([&](tile::StoreOp op) { rewriteStore(at, op); })
        .Case([&](tile::DimOp op) {
          Value extent = input(ProcessInput::Extent, op.getView());
          op.getResult().replaceAllUsesWith(
              arith::IndexCastOp::create(at, loc, at.getIndexType(), extent));
        })
        .Case<tile::SplatOp, tile::UnsplatOp>([&](Operation *op) {
          takeTime(at, op);
          op->getResult(0).replaceAllUsesWith(op->getOperand(0));
        })
        .Case<arith::DivUIOp, arith::RemUIOp>([&](Operation *op) {
          Value zero = arith::ConstantOp::create(
              at, loc, at.getZeroAttr(op->getOperand(1).getType()));
          expect(at, op,
                 arith::CmpIOp::create(at, loc, arith::CmpIPredicate::ne,
                                       op->getOperand(1), zero));
          at.setInsertionPointAfter(op);
          takeTime(at, op);
          isReplaced = false;
        })
        .Case([&](scf::WhileOp op) {
          countLoop(op.getAfterBody(), op);
          isReplaced = false;
        })
        .Case([&](scf::ForOp op) {
          countLoop(op.getBody(), op);
          isReplaced = false;
        })
        .Case([&](scf::IfOp op) {
          if (op->removeAttr(aref::kBeside))
            moveBeside(op.thenBlock());
          isReplaced = false;
        })
        .Default([&](Operation *op) {
          at.setInsertionPointAfter(op);
          takeTime(at, op);
          isReplaced = replaceScalarOp(op);
        });
    if (isReplaced)
      op->erase();
  }

  aref::ProcessOp process;
  ModuleOp module;
  ConsumerOf consumerOf;
  ConsumerCount consumerCount;
  std::string &declined;
  OpBuilder builder, front{module.getContext()};
  Location loc;
  Type pointer;
  func::FuncOp function;
  std::vector<Operation *> copied; ///< innermost first
  Origins origins;
  Value self, clock, busy, begun, beside, busyBeside, steps, limit;
  llvm::DenseMap<std::pair<int, void *>, Value> inputs;
  llvm::DenseMap<std::pair<void *, int64_t>, Value> fixedWords;
  llvm::DenseMap<Value, Value> constants;
  ProcessCode code;
};

} // namespace

FailureOr<ProcessCode> heddle::simulator::writeProcess(
    aref::ProcessOp process, ModuleOp module, StringRef name,
    ConsumerOf consumerOf, ConsumerCount consumerCount, std::string &declined) {
  return ProcessWriter(process, module, consumerOf, consumerCount, declined)
      .write(name);
}
