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
#include "RingWords.h"
#include "WaitCycle.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Simulator/Compiled.h"
#include "heddle/Support/Diagnostics/Run.h"

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

/// A deeper ring's times would take more memory than they are worth.
constexpr int64_t kMostSlots = int64_t(1) << 24;

class CompiledRun {
public:
  CompiledRun(Machine &machine, ArrayRef<interp::Argument> arguments,
              const Options &options)
      : machine(machine), arguments(arguments), options(options) {}

  /// Makes the functions and what they work on. False, with a reason, if
  /// something cannot be compiled.
  bool prepare(Functions &functions, bool isLong, std::string &reason) {
    for (auto &[value, ring] : machine.getRings()) {
      if (ring->depth() > kMostSlots) {
        reason = ("ring '" + ring->name() + "' has too many slots").str();
        return false;
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
      return false;
    processes = std::move(*compiled);
    for (const Functions::Compiled &process : processes) {
      frames.emplace_back(size_t(process.function.words));
      if (failed(fill(process.code, frames.back(), reason)))
        return false;
    }
    return true;
  }

  Outcome run(std::string &reason) {
    if (!runAll([&] { return growRings(); })) {
      reason = kBroken;
      return Outcome::Interpret;
    }
    note();
    return succeeded(isOutOfSteps ? failure() : end()) ? Outcome::Finished
                                                       : Outcome::Failed;
  }

  Outcome probe(CompiledSimulator::Probe &probe, std::string &reason) {
    size_t number = 0;
    for (auto &[value, ring] : rings)
      ring->setLimit(probe.slots[number++]);
    if (!runAll([&] { return giveSlot(probe); })) {
      reason = kBroken;
      return Outcome::Interpret;
    }
    if (isOutOfSteps)
      return Outcome::Failed;
    return llvm::all_of(frames,
                        [](const Words &words) {
                          return words[frame::State] == frame::kEnded;
                        })
               ? Outcome::Finished
               : Outcome::Stuck;
  }

private:
  static constexpr const char *kBroken =
      "a process breaks the protocol of rings, or divides by zero";

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

  /// Until nothing moves and `makeRoom` makes none. False if a process breaks
  /// the protocol.
  bool runAll(llvm::function_ref<bool()> makeRoom) {
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
      if (!moved && !makeRoom())
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
    if (!isa<scf::WhileOp, scf::ForOp>(op))
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

  /// One more slot, by the rule of CompiledSimulator::Probe.
  bool giveSlot(CompiledSimulator::Probe &probe) {
    std::vector<BlockedProcess> blocked;
    for (auto [process, compiled, words] :
         llvm::zip_equal(machine.getProcesses(), processes, frames))
      if (Operation *op = placeOf(compiled.code, words))
        blocked.push_back(describe(*process, op, words[frame::Waited]));
    std::optional<WaitCycle> cycle = findWaitCycle(
        blocked, [&](Ring *ring) { return wordsOf(*ring).get(ring::Limit); });
    if (!cycle)
      return false;
    if (!probe.grows) {
      probe.circle = cycle->text;
      return false;
    }
    RingWords &words = wordsOf(*cycle->ring);
    words.setLimit(words.get(ring::Limit) + 1);
    size_t number = 0;
    for (auto &[value, ring] : machine.getRings()) {
      if (ring.get() == cycle->ring)
        probe.slots[number] = words.get(ring::Limit);
      ++number;
    }
    return true;
  }

  RingWords &wordsOf(Ring &ring) {
    return *rings.find(ring.op.getRing())->second;
  }

  BlockedProcess describe(Process &process, Operation *op, int64_t turn) {
    Ring &ring = *machine.getRings().find(op->getOperand(0))->second;
    BlockedProcess blocked{&process, &ring, isa<aref::AcquireOp>(op), {}};
    const RingWords &words = wordsOf(ring);
    if (!blocked.wantsSlot && ring.producer)
      blocked.waitsFor.push_back(ring.producer);
    for (size_t i = 0; blocked.wantsSlot && i < ring.consumers.size(); ++i)
      if (words.released(i) + words.get(ring::Limit) <= turn)
        blocked.waitsFor.push_back(ring.consumers[i]);
    return blocked;
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

/// Seconds of this process, whoever else uses the machine.
static double now() { return double(std::clock()) / CLOCKS_PER_SEC; }

Outcome CompiledSimulator::execute(tile::KernelOp kernel,
                                   ArrayRef<interp::Argument> arguments,
                                   const Options &options, bool isLong,
                                   Probe *probe, std::string &reason) {
  double begin = now();
  Machine machine(kernel, options);
  if (failed(machine.setUp(arguments)))
    return Outcome::Failed;
  CompiledRun run(machine, arguments, options);
  if (!run.prepare(state->functions, isLong, reason))
    return Outcome::Interpret;
  Spent &spent = state->spent;
  spent.compiling += now() - begin;
  begin = now();
  Outcome outcome = probe ? run.probe(*probe, reason) : run.run(reason);
  spent.running += now() - begin;
  spent.processes += int64_t(machine.getProcesses().size());
  spent.functions = int64_t(state->functions.size());
  return outcome;
}

Outcome CompiledSimulator::run(tile::KernelOp kernel,
                               ArrayRef<interp::Argument> arguments,
                               const Options &options, bool isLong,
                               std::string &reason) {
  return execute(kernel, arguments, options, isLong, nullptr, reason);
}

Outcome CompiledSimulator::probe(tile::KernelOp kernel,
                                 ArrayRef<interp::Argument> arguments,
                                 Probe &probe, const Options &options,
                                 std::string &reason) {
  return execute(kernel, arguments, options, /*isLong=*/false, &probe, reason);
}
