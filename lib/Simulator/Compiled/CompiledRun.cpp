//===- CompiledRun.cpp - Runs compiled processes --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each process runs until it must wait; no time depends on the order
// (Local.cpp). A ring begins with memory for a few slots, so that what is under
// way stays in the processor's caches, and gets more, up to the depth that the
// program gives it, only when nothing else can go on.
//
//===----------------------------------------------------------------------===//

#include "../Machine.h"
#include "Functions.h"
#include "Words.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Simulator/Compiled.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/Support/MathExtras.h"

#include <ctime>

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

using Outcome = CompiledSimulator::Outcome;

struct CompiledSimulator::State {
  Functions functions;
  Spent spent;
};

namespace {

/// Slots with memory at the beginning.
constexpr int64_t kFirstSlots = 256;
/// A deeper ring's times would take more memory than they are worth.
constexpr int64_t kMostSlots = int64_t(1) << 24;

using Words = std::vector<int64_t>;

int64_t addressOf(const void *place) {
  return int64_t(reinterpret_cast<intptr_t>(place));
}

/// A ring's words, and the memory that they point to.
class RingWords {
public:
  explicit RingWords(Ring &ring)
      : op(ring.op), words(ring::Consumers + 2 * ring.consumers.size()) {
    words[ring::Depth] = ring.depth();
    auto times = int64_t(llvm::PowerOf2Ceil(uint64_t(ring.depth())));
    // Large arrays of zeros take no memory before they are written.
    free.reset(static_cast<int64_t *>(std::calloc(size_t(times), 8)));
    words[ring::Free] = addressOf(free.get());
    words[ring::FreeMask] = times - 1;
    giveSlots(std::min(kFirstSlots, times));
  }

  int64_t *data() { return words.data(); }
  int64_t get(int64_t word) const { return words[size_t(word)]; }
  int64_t got(size_t consumer) const {
    return words[ring::Consumers + 2 * consumer];
  }
  int64_t released(size_t consumer) const {
    return words[ring::Consumers + 2 * consumer + 1];
  }
  /// Turns that every consumer has released.
  int64_t retired() const {
    int64_t least = get(ring::Published);
    for (size_t i = ring::Consumers + 1; i < words.size(); i += 2)
      least = std::min(least, words[i]);
    return least;
  }

  /// Whether slots could have more memory.
  bool canGrow() const { return get(ring::Limit) < get(ring::Depth); }
  void grow() { giveSlots(2 * (get(ring::SlotMask) + 1)); }

private:
  struct Free {
    void operator()(int64_t *memory) const { std::free(memory); }
  };

  void giveSlots(int64_t count) {
    int64_t width = 1 + int64_t(op.getRing().getType().getPayload().size());
    Words more(size_t(count * width));
    for (int64_t turn = retired(); turn < get(ring::Published); ++turn)
      std::copy_n(slots.data() + (turn & get(ring::SlotMask)) * width, width,
                  more.data() + (turn & (count - 1)) * width);
    slots = std::move(more);
    words[ring::Slots] = addressOf(slots.data());
    words[ring::SlotMask] = count - 1;
    words[ring::Limit] = std::min(count, get(ring::Depth));
  }

  aref::RingOp op;
  Words words, slots;
  std::unique_ptr<int64_t, Free> free;
};

class CompiledRun {
public:
  CompiledRun(Machine &machine, ArrayRef<interp::Argument> arguments,
              const Options &options)
      : machine(machine), arguments(arguments), options(options) {}

  Outcome run(Functions &functions, bool isLong,
              CompiledSimulator::Spent &spent, std::string &reason) {
    double begin = now();
    for (auto &[value, ring] : machine.getRings()) {
      if (ring->depth() > kMostSlots) {
        reason = ("ring '" + ring->name() + "' has too many slots").str();
        return Outcome::Interpret;
      }
      rings.try_emplace(value, std::make_unique<RingWords>(*ring));
    }
    SmallVector<aref::ProcessOp> ops;
    for (const auto &process : machine.getProcesses())
      ops.push_back(process->op);
    auto ringOf = [&](Value ring) -> Ring & {
      return *machine.getRings().find(ring)->second;
    };
    auto compiled = functions.compile(
        ops,
        [&](Value ring, aref::ProcessOp op) {
          Ring &found = ringOf(ring);
          return unsigned(llvm::find_if(found.consumers,
                                        [&](Process *process) {
                                          return process->op == op;
                                        }) -
                          found.consumers.begin());
        },
        [&](Value ring) { return unsigned(ringOf(ring).consumers.size()); },
        isLong ? cpu::Jit::Effort::Full : cpu::Jit::Effort::Quick, reason);
    if (failed(compiled))
      return Outcome::Interpret;
    processes = std::move(*compiled);
    for (const Functions::Compiled &process : processes) {
      frames.emplace_back(size_t(process.function.words));
      if (failed(fill(process.code, frames.back(), reason)))
        return Outcome::Interpret;
    }
    spent.compiling += now() - begin;
    begin = now();
    bool isRight = runAll();
    spent.running += now() - begin;
    spent.processes += int64_t(processes.size());
    spent.functions = int64_t(functions.size());
    if (!isRight) {
      reason = "a process breaks the protocol of rings";
      return Outcome::Interpret;
    }
    note();
    return succeeded(isOutOfSteps ? failure() : end()) ? Outcome::Finished
                                                       : Outcome::Failed;
  }

private:
  /// Seconds of this process, whoever else uses the machine.
  static double now() { return double(std::clock()) / CLOCKS_PER_SEC; }

  /// What the process uses from outside.
  LogicalResult fill(const ProcessCode &code, Words &frame,
                     std::string &reason) {
    frame[frame::Limit] = options.maxSteps
                              ? options.maxSteps
                              : std::numeric_limits<int64_t>::max();
    for (auto [index, input] : llvm::enumerate(code.inputs)) {
      int64_t &word = frame[frame::Inputs + index];
      if (input.kind == ProcessInput::Ring) {
        word = addressOf(rings.find(input.value)->second->data());
        continue;
      }
      if (input.kind == ProcessInput::Scalar) {
        const Cell &cell = machine.getShared(input.value);
        if (cell.kind != Cell::Data || !input.value.getType().isIntOrIndex()) {
          reason = "a number from outside the processes is no integer";
          return failure();
        }
        word = interp::Evaluator::getInteger(cell.datum);
        continue;
      }
      const auto *buffer = std::get_if<interp::Buffer>(
          &arguments[cast<BlockArgument>(input.value).getArgNumber()]);
      if (!buffer || !buffer->strides.empty() || buffer->elementType) {
        reason = "an array is not packed";
        return failure();
      }
      word = input.kind == ProcessInput::Data ? addressOf(buffer->data)
                                              : buffer->shape[0];
    }
    return success();
  }

  /// False if a process breaks the protocol.
  bool runAll() {
    while (true) {
      bool moved = false;
      for (auto [process, words] : llvm::zip_equal(processes, frames)) {
        int64_t state = words[frame::State];
        if (state < 0)
          continue;
        int64_t turn = words[frame::Waited];
        process.function.call(words.data());
        if (words[frame::State] <= frame::kFault)
          return reportSteps(process.code, words);
        // A wait for the same turn at the same place is the same wait.
        moved |= words[frame::State] != state || words[frame::Waited] != turn;
      }
      if (!moved && !growRings())
        return true;
    }
  }

  /// The place at which a process waits; null if it has ended.
  static Operation *placeOf(const ProcessCode &code, const Words &words) {
    int64_t state = words[frame::State];
    if (state < 0 && state > frame::kFault)
      return nullptr;
    int64_t point = state < 0 ? frame::kFault - state : state;
    return code.points[size_t(point) - 1];
  }

  /// True if the fault is that there are no steps left, and says so.
  bool reportSteps(const ProcessCode &code, const Words &words) {
    Operation *op = placeOf(code, words);
    if (isa<aref::ArefDialect>(op->getDialect()))
      return false;
    report(op->getLoc(), diag::step_limit)
        << "the simulator stops after " << options.maxSteps
        << " steps of one process, here in process '"
        << op->getParentOfType<aref::ProcessOp>().getSym() << "'";
    isOutOfSteps = true;
    return true;
  }

  /// More memory for the rings whose producers wait though the program gives
  /// them more slots.
  bool growRings() {
    bool hasGrown = false;
    for (auto [process, words] : llvm::zip_equal(processes, frames))
      if (auto op = dyn_cast_if_present<aref::AcquireOp>(
              placeOf(process.code, words))) {
        RingWords &ring = *rings.find(op.getRing())->second;
        if (ring.canGrow()) {
          ring.grow();
          hasGrown = true;
        }
      }
    return hasGrown;
  }

  void note() {
    TimedRun &run = *options.run;
    for (auto [process, words] :
         llvm::zip_equal(machine.getProcesses(), frames)) {
      run.processes.push_back(process->name().str());
      run.busy.push_back(words[frame::Busy]);
      run.cycles = std::max(run.cycles, words[frame::Clock]);
    }
  }

  /// Puts the machine where the processes are, so that it says what is left
  /// undone, if anything is.
  LogicalResult end() {
    for (auto &[value, ring] : machine.getRings())
      adopt(*ring, *rings.find(value)->second);
    for (auto [process, compiled, words] :
         llvm::zip_equal(machine.getProcesses(), processes, frames)) {
      Operation *op = placeOf(compiled.code, words);
      if (!op) {
        process->frames.clear();
        continue;
      }
      Wait::Kind kind = isa<aref::AcquireOp>(op) ? Wait::Empty
                        : isa<aref::GetOp>(op)   ? Wait::Full
                                                 : Wait::More;
      Ring &ring = *machine.getRings().find(op->getOperand(0))->second;
      process->wait = {kind, op, &ring, words[frame::Waited], {}};
    }
    return machine.finish();
  }

  template <typename Op> static Operation *userOf(Ring &ring) {
    for (Operation *user : ring.op->getUsers())
      if (isa<Op>(user))
        return user;
    return ring.op;
  }

  static void adopt(Ring &ring, const RingWords &words) {
    Operation *acquire = userOf<aref::AcquireOp>(ring);
    Operation *publish = userOf<aref::PublishOp>(ring);
    Operation *get = userOf<aref::GetOp>(ring);
    ring.acquired = words.retired();
    ring.published = words.get(ring::Published);
    if (words.get(ring::IsClosed))
      ring.closed = userOf<aref::CloseOp>(ring);
    for (size_t i = 0; i < ring.consumers.size(); ++i)
      ring.got[i] = words.got(i);
    for (int64_t turn = ring.acquired; turn < words.get(ring::Acquired);
         ++turn) {
      TurnState &state = ring.begin(acquire);
      if (turn < ring.published)
        state.published = publish;
      for (size_t i = 0; i < ring.consumers.size(); ++i) {
        state.shares[i].got = turn < words.got(i) ? get : nullptr;
        state.shares[i].released = turn < words.released(i) ? get : nullptr;
      }
    }
  }

  Machine &machine;
  ArrayRef<interp::Argument> arguments;
  const Options &options;
  llvm::MapVector<Value, std::unique_ptr<RingWords>> rings;
  std::vector<Functions::Compiled> processes;
  std::vector<Words> frames;
  bool isOutOfSteps = false;
};

} // namespace

CompiledSimulator::CompiledSimulator() : state(std::make_unique<State>()) {}
CompiledSimulator::~CompiledSimulator() = default;

const CompiledSimulator::Spent &CompiledSimulator::getSpent() const {
  return state->spent;
}

Outcome CompiledSimulator::run(tile::KernelOp kernel,
                               ArrayRef<interp::Argument> arguments,
                               const Options &options, bool isLong,
                               std::string &reason) {
  Machine machine(kernel, options);
  if (failed(machine.setUp(arguments)))
    return Outcome::Failed;
  return CompiledRun(machine, arguments, options)
      .run(state->functions, isLong, state->spent, reason);
}
