//===- PinConflict.cpp - Lines that cannot hold together ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines are dropped in halves, quarters and so on, as long as the rest has no
// plan, and then one at a time, until each of the rest is needed. A search in a
// budget may find a plan under more lines and none under fewer, so that is
// asked of the set itself, and not concluded.
//
//===----------------------------------------------------------------------===//

#include "PinConflict.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <vector>

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;
using namespace heddle::sched;

namespace {

/// What is said while a plan is looked for.
struct Answer {
  bool holds = false;
  std::vector<Diagnostic> messages;

  /// The first error, without its id; empty if there was none.
  std::string reason() const {
    for (const Diagnostic &message : messages)
      if (message.getSeverity() == DiagnosticSeverity::Error) {
        std::string text = message.str();
        return StringRef(text).rsplit(" [").first.str();
      }
    return "";
  }
};

/// Is there a plan under these lines? It goes to `plan`, if that is given.
using Question =
    llvm::function_ref<Answer(ArrayRef<Pin>, OwningOpRef<ModuleOp> *plan)>;

/// Values that a line may have, and whether more of it is always easier.
struct Numbers {
  int64_t least, most, step;
  bool isEasierUpward;
};

} // namespace

static Answer answerOf(MLIRContext *context,
                       llvm::function_ref<LogicalResult()> find) {
  Answer answer;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &message) {
    answer.messages.push_back(std::move(message));
    return success();
  });
  answer.holds = succeeded(find());
  return answer;
}

static void sayAgain(MLIRContext *context, Answer answer) {
  for (Diagnostic &message : answer.messages)
    context->getDiagEngine().emit(std::move(message));
}

using Lines = SmallVector<Pin>;

static Lines without(ArrayRef<Pin> lines, size_t first, size_t count) {
  Lines rest(lines.take_front(first));
  llvm::append_range(rest,
                     lines.drop_front(std::min(first + count, lines.size())));
  return rest;
}

/// Lines about what the answer names.
static Lines namedIn(StringRef reason, ArrayRef<Pin> pins) {
  Lines named;
  llvm::copy_if(pins, std::back_inserter(named), [&](const Pin &pin) {
    return !pin.of.empty() && reason.contains(("'" + pin.of + "'").str());
  });
  return named;
}

/// The set, and what was said of it.
static std::pair<Lines, Answer> reduce(ArrayRef<Pin> pins, Answer all,
                                       Question ask) {
  Lines core(pins);
  Answer said = std::move(all);
  // These alone are most often at fault, and then few more questions are left.
  if (Lines named = namedIn(said.reason(), core); !named.empty())
    if (Answer answer = ask(named, nullptr); !answer.holds) {
      core = std::move(named);
      said = std::move(answer);
    }
  auto drop = [&](size_t first, size_t count) {
    Lines rest = without(core, first, count);
    Answer answer = ask(rest, nullptr);
    if (answer.holds)
      return false;
    core = std::move(rest);
    said = std::move(answer);
    return true;
  };
  for (size_t count = core.size() / 2; count > 1; count /= 2)
    for (size_t first = 0; first < core.size();)
      if (!drop(first, count))
        first += count;
  // Until none can be dropped any more, in whichever order.
  for (size_t first = 0, needed = 0; needed < core.size() && core.size() > 1;) {
    first %= core.size();
    if (drop(first, 1)) {
      needed = 0;
    } else {
      ++needed;
      ++first;
    }
  }
  return {std::move(core), std::move(said)};
}

//===----------------------------------------------------------------------===//
// Nearest values
//===----------------------------------------------------------------------===//

static std::optional<Numbers> rangeOf(const Pin &pin,
                                      const machine::Costs &costs) {
  // How far is looked: a plan with more of these is no neighbour.
  constexpr int64_t kMostSlots = 16, kMostBlocks = 8, kMostGroups = 8;
  int64_t unit = costs.limits.sharedBytesUnit;
  if (!isa<IntegerAttr>(pin.value) || isa<BoolAttr>(pin.value))
    return std::nullopt;
  if (pin.name == kPinPipeline || pin.name == kPinDepth)
    return Numbers{1, kMostSlots, 1, false};
  if (pin.name == kPinGroups)
    return Numbers{1, kMostGroups, 1, false};
  if (pin.name == kPinBlocks)
    return Numbers{1, kMostBlocks, 1, false};
  if (pin.name == kPinRegisters)
    return Numbers{int64_t(costs.registers.loader),
                   int64_t(costs.registers.most), 8, false};
  if (pin.name == kPinSharedBytes)
    return Numbers{unit, costs.limits.sharedBytesPerBlock, unit, true};
  return std::nullopt;
}

/// The nearest number for which `holds`; nothing if none is found soon.
static std::optional<int64_t> nearest(int64_t value, const Numbers &range,
                                      llvm::function_ref<bool(int64_t)> holds) {
  if (!range.isEasierUpward) {
    constexpr int64_t kMostTries = 12;
    int64_t tries = 0;
    int64_t down = (value - 1) / range.step * range.step,
            up = (value / range.step + 1) * range.step;
    // What is far out of range starts at its end.
    down = std::min(down, range.most);
    up = std::max(up, range.least);
    while ((down >= range.least || up <= range.most) && tries++ < kMostTries) {
      bool isDown = down >= range.least &&
                    (up > range.most || value - down <= up - value);
      int64_t next = isDown ? down : up;
      if (holds(next))
        return next;
      (isDown ? down : up) += isDown ? -range.step : range.step;
    }
    return std::nullopt;
  }
  // Upward in growing strides, and back by halving.
  int64_t below = value, above = value;
  for (int64_t stride = std::max<int64_t>(range.step, value / 64);;
       stride *= 2) {
    if (above >= range.most)
      return std::nullopt;
    below = above;
    above = std::min(range.most, above + stride);
    if (holds(above))
      break;
  }
  while (above - below > range.step) {
    int64_t middle = below + (above - below) / 2 / range.step * range.step;
    middle = std::max(middle, below + 1);
    (holds(middle) ? above : below) = middle;
  }
  return above;
}

/// An interval, a first cycle or a wait.
static std::optional<int64_t> numberIn(const Pin &pin, PlanOp plan) {
  for (auto table : plan.getOps<TableOp>()) {
    if (pin.name == kPinInterval && table.getLoop() == pin.of)
      return int64_t(table.getIi());
    for (auto entry : table.getOps<EntryOp>())
      if (entry.getOp() == pin.of && pin.name == kPinStart)
        return int64_t(entry.getStart());
      else if (entry.getOp() == pin.of && pin.name == kPinLatency)
        return int64_t(entry.getLatency());
  }
  return std::nullopt;
}

static void noteNearest(Report &error, ArrayRef<Pin> core,
                        const machine::Costs &costs, Question ask) {
  for (auto [index, pin] : llvm::enumerate(core)) {
    Lines lines(core);
    auto with = [&](int64_t value) {
      lines[index].value =
          IntegerAttr::get(cast<IntegerAttr>(pin.value).getType(), value);
      return lines[index];
    };
    auto holds = [&](int64_t value) {
      with(value);
      return ask(lines, nullptr).holds;
    };
    std::optional<int64_t> value;
    if (std::optional<Numbers> range = rangeOf(pin, costs)) {
      value = nearest(pin.number(), *range, holds);
    } else if (llvm::is_contained({kPinInterval, kPinStart, kPinLatency},
                                  pin.name)) {
      // Of these there are too many: the plan without the line has one.
      OwningOpRef<ModuleOp> plans;
      ask(without(core, index, 1), &plans);
      if (plans)
        for (auto plan : plans->getOps<PlanOp>())
          if (auto number = numberIn(pin, plan))
            value = number;
      if (value && !holds(*value))
        value.reset();
    }
    if (value)
      error.attachNote(pin.place) << with(*value).spelling() << " would do";
  }
}

static LogicalResult reportConflict(ArrayRef<Pin> pins, Answer all,
                                    const machine::Costs &costs, Question ask) {
  auto [core, said] = reduce(pins, std::move(all), ask);
  MLIRContext *context = core.front().place->getContext();
  for (Diagnostic &message : said.messages)
    if (message.getSeverity() == DiagnosticSeverity::Remark)
      context->getDiagEngine().emit(std::move(message));
  Report error = report(core.front().place,
                        core.size() > 1 ? diag::pin_conflict : diag::pin_unmet);
  if (core.size() > 1)
    error << "this line and " << core.size() - 1
          << (core.size() > 2 ? " others" : " other")
          << " cannot hold together, and without any one of them the others "
             "can: "
          << said.reason();
  else
    error << said.reason();
  if (core.size() > 1)
    for (const Pin &pin : core)
      error.attachNote(pin.place) << pin.spelling();
  noteNearest(error, core, costs, ask);
  return error;
}

bool heddle::pipeline::hasPins(ModuleOp module) {
  return llvm::any_of(
      module.getOps<tile::KernelOp>(),
      [](tile::KernelOp kernel) { return kernel->hasAttr(kPins); });
}

LogicalResult heddle::pipeline::lowerPinned(
    ModuleOp module, const machine::Costs &costs, Rung to,
    const std::function<LogicalResult()> &run, const LowerPinned &lower) {
  MLIRContext *context = module.getContext();
  OwningOpRef<ModuleOp> before = module.clone();
  Answer answer = answerOf(context, run);
  if (answer.holds) {
    sayAgain(context, std::move(answer));
    return success();
  }
  size_t kernels = llvm::range_size(before->getOps<tile::KernelOp>());
  for (size_t index = 0; index < kernels; ++index) {
    auto kernelOf = [&](ModuleOp program) {
      return *std::next(program.getOps<tile::KernelOp>().begin(),
                        int64_t(index));
    };
    FailureOr<SmallVector<Pin>> pins = readPins(kernelOf(*before));
    if (failed(pins))
      return failure();
    if (pins->empty())
      continue;
    auto ask = [&](ArrayRef<Pin> lines, OwningOpRef<ModuleOp> *plan) {
      OwningOpRef<ModuleOp> copy = before->clone();
      kernelOf(*copy)->setAttr(kPins, writePins(context, lines));
      Answer made = answerOf(
          context, [&] { return lower(*copy, plan ? Rung::Sched : to); });
      if (made.holds && plan)
        *plan = std::move(copy);
      return made;
    };
    Answer all = ask(*pins, nullptr);
    if (!all.holds && ask({}, nullptr).holds)
      return reportConflict(*pins, std::move(all), costs, ask);
  }
  // The program itself is at fault, or several kernels are.
  sayAgain(context, std::move(answer));
  return failure();
}
