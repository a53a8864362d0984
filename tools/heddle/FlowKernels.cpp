//===- FlowKernels.cpp - Runs kernels made of streams ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowKernels.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Flow/Interpret.h"
#include "heddle/Interp/Interp.h"

#include <cstdlib>
#include <cstring>
#include <map>

using namespace mlir;
using namespace heddle;
using namespace heddle::tool;

namespace {

/// Bytes of an array, zero at first. Each part of a tensor has room for all
/// elements, so what nobody touches must not take memory, and calloc sees to
/// it.
class Bytes {
public:
  Bytes() = default;
  explicit Bytes(size_t size)
      : held(static_cast<char *>(std::calloc(std::max<size_t>(size, 8), 1))),
        count(size) {
    if (!held)
      llvm::report_bad_alloc_error("no memory for the arrays of a kernel");
  }
  Bytes(const void *from, size_t size) : Bytes(size) {
    if (size)
      std::memcpy(data(), from, size);
  }
  char *data() const { return held.get(); }
  size_t size() const { return count; }
  bool operator==(const Bytes &other) const {
    return count == other.count &&
           (count == 0 || std::memcmp(data(), other.data(), count) == 0);
  }

private:
  struct Free {
    void operator()(char *bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> held;
  size_t count = 0;
};

/// The arrays of one kernel.
class Arrays {
public:
  Arrays(FlowKernel &kernel, FlowKernelsRun &run) : kernel(kernel), run(run) {
    for (const FlowArgument &argument : kernel.arguments)
      bind(argument);
  }

  /// What the kernel wrote. Empty, or why it is no tensor.
  std::string collect() {
    for (flow::WriteOp write : kernel.writes)
      if (std::string error = collect(write); !error.empty())
        return write.getName().str() + ": " + error;
    return {};
  }

  /// Whether two runs left the same behind.
  bool isSame(const Arrays &other) const { return arrays == other.arrays; }

  std::vector<interp::Argument> arguments;

private:
  using Kind = FlowArgument::Kind;

  void bindBytes(const FlowArgument &argument, Bytes bytes, int64_t count) {
    auto &held = arrays[{argument.kind, argument.tensor.getAsOpaquePointer(),
                         argument.level}];
    held = std::move(bytes);
    interp::Buffer buffer;
    buffer.data = held.data();
    buffer.shape = {count};
    arguments.push_back(buffer);
  }

  void bindIntegers(const FlowArgument &argument,
                    const std::vector<int64_t> &values) {
    bindBytes(argument, Bytes(values.data(), values.size() * 8),
              int64_t(values.size()));
  }

  void bind(const FlowArgument &argument) {
    // A workspace is of a stream, and has the size of its keys.
    if (argument.kind == Kind::Sums || argument.kind == Kind::Bits) {
      int64_t size = 1;
      for (auto [tensor, axis] : argument.keys)
        size *= run.tensors[tensor].extents[size_t(axis)];
      bool isF64 = cast<flow::StreamType>(argument.tensor.getType())
                       .getElement()
                       .isF64();
      int64_t words = (size + 63) / 64;
      int64_t bytes =
          argument.kind == Kind::Bits ? words * 8 : size * (isF64 ? 8 : 4);
      bindBytes(argument, Bytes(size_t(bytes)),
                argument.kind == Kind::Bits ? words : size);
      return;
    }
    sparse::Tensor &tensor = run.tensors[argument.tensor];
    // A wrong program may write more; views drop what lies behind their end.
    int64_t most = tensor.valueCount() + 1;
    auto copyOf = [](const sparse::IndexArray &array) {
      std::vector<int64_t> values;
      for (int64_t i = 0; i < array.size(); ++i)
        values.push_back(array.get(i));
      return values;
    };
    switch (argument.kind) {
    case Kind::Extent:
      arguments.push_back(tensor.extents[size_t(argument.level)]);
      return;
    case Kind::Positions:
      return bindIntegers(argument,
                          copyOf(tensor.positions[size_t(argument.level)]));
    case Kind::Coordinates:
      return bindIntegers(argument,
                          copyOf(tensor.coordinates[size_t(argument.level)]));
    case Kind::Values:
      return bindBytes(argument,
                       Bytes(tensor.values.data(), tensor.values.size()),
                       tensor.valueCount());
    case Kind::Written:
      return bindBytes(argument, Bytes(size_t(most) * 8), most);
    case Kind::WrittenValues:
      return bindBytes(
          argument,
          Bytes(size_t(most) * size_t(sparse::sizeOf(tensor.element))), most);
    case Kind::Count:
      return bindIntegers(argument, {0});
    case Kind::Sums:
    case Kind::Bits:
      return;
    }
  }

  /// An array of integers of 64 bits.
  const int64_t *integers(Kind kind, Value tensor, int64_t level) {
    return reinterpret_cast<const int64_t *>(
        arrays[{kind, tensor.getAsOpaquePointer(), level}].data());
  }

  std::string collect(flow::WriteOp write) {
    sparse::Tensor &tensor = run.tensors[write.getTensor()];
    std::vector<sparse::Entry> entries;
    for (size_t part = 0; part < write.getParts(); ++part)
      if (std::string error = takePart(write, part, tensor, entries);
          !error.empty())
        return error;
    return flow::buildTensor(
        tensor, std::move(entries),
        write.getZero() ? write.getZero()->convertToDouble() : 0);
  }

  /// The elements that one process wrote. Empty, or why they are none.
  std::string takePart(flow::WriteOp write, size_t part,
                       const sparse::Tensor &tensor,
                       std::vector<sparse::Entry> &entries) {
    Value value = write.getTensor();
    size_t rank = tensor.extents.size();
    int64_t count = *integers(Kind::Count, value, int64_t(part));
    if (count < 0 || count > tensor.valueCount())
      return "there are " + std::to_string(count) + " elements where " +
             std::to_string(tensor.valueCount()) + " are expected at most";
    sparse::Tensor values; // reads numbers of the element type
    values.element = tensor.element;
    const Bytes &bytes = arrays[{Kind::WrittenValues,
                                 value.getAsOpaquePointer(), int64_t(part)}];
    values.values.assign(bytes.data(),
                         bytes.data() + count * sparse::sizeOf(tensor.element));
    SmallVector<const int64_t *> written;
    SmallVector<size_t> axes;
    for (auto [number, level] : llvm::enumerate(write.getLevelOrder())) {
      written.push_back(
          integers(Kind::Written, value, int64_t(part * rank + number)));
      axes.push_back(size_t(tensor.format.axes[size_t(level)]));
    }
    entries.reserve(entries.size() + size_t(count));
    for (int64_t i = 0; i < count; ++i) {
      sparse::Entry entry{std::vector<int64_t>(rank), values.value(i)};
      for (auto [axis, coordinates] : llvm::zip_equal(axes, written)) {
        int64_t coordinate = coordinates[i];
        if (coordinate < 0 || coordinate >= tensor.extents[axis])
          return "coordinate " + std::to_string(coordinate) +
                 " lies outside axis " + std::to_string(axis);
        entry.coordinates[axis] = coordinate;
      }
      entries.push_back(std::move(entry));
    }
    return {};
  }

  FlowKernel &kernel;
  FlowKernelsRun &run;
  std::map<std::tuple<Kind, void *, int64_t>, Bytes> arrays;
};

} // namespace

namespace {

/// One kernel after a run.
struct Executed {
  std::unique_ptr<Arrays> arrays;
  simulator::TimedRun times;
};

} // namespace

/// Runs one kernel as machine code. None if it has to be interpreted.
static FailureOr<std::optional<Executed>> runCompiled(tile::KernelOp op,
                                                      FlowKernel &kernel,
                                                      FlowKernelsRun &run,
                                                      bool isLong) {
  using Outcome = simulator::CompiledSimulator::Outcome;
  Executed executed{std::make_unique<Arrays>(kernel, run), {}};
  simulator::Options options = run.options;
  options.maxSteps = run.mostCompiledSteps;
  options.run = &executed.times;
  std::string reason;
  switch (run.compiled->run(op, executed.arrays->arguments, options, isLong,
                            reason)) {
  case Outcome::Finished:
    return std::optional<Executed>(std::move(executed));
  case Outcome::Failed:
    return failure();
  case Outcome::Interpret:
  case Outcome::Stuck: // of probes only
    break;
  }
  run.interpretedFor = reason;
  return std::optional<Executed>();
}

static FailureOr<Executed> runInterpreted(tile::KernelOp op, FlowKernel &kernel,
                                          FlowKernelsRun &run) {
  Executed executed{std::make_unique<Arrays>(kernel, run), {}};
  simulator::Options options = run.options;
  options.run = &executed.times;
  if (failed(simulator::simulate(op, executed.arrays->arguments, options)))
    return failure();
  return executed;
}

/// Empty, or how machine code and the interpreter differ.
static std::string compare(StringRef kernel, const Executed &compiled,
                           const Executed &interpreted) {
  const simulator::TimedRun &one = compiled.times, &other = interpreted.times;
  std::string who = "compiled and interpreted, " + kernel.str();
  if (one.cycles != other.cycles)
    return who + " takes " + std::to_string(one.cycles) + " and " +
           std::to_string(other.cycles) + " cycles";
  for (size_t i = 0; i < one.busy.size(); ++i)
    if (one.busy[i] != other.busy[i])
      return who + "'s process '" + one.processes[i] + "' is busy for " +
             std::to_string(one.busy[i]) + " and " +
             std::to_string(other.busy[i]) + " cycles";
  if (!compiled.arrays->isSame(*interpreted.arrays))
    return who + " leaves different numbers in memory";
  return {};
}

/// Whether a run ends before its machine code would be made. A function takes
/// some 20 ms, which is 2000 tokens of the interpreter; processes share some.
static bool isShort(ModuleOp module, const FlowKernelsRun &run) {
  constexpr int64_t kTokensOfOne = 1000;
  int64_t processes = 0;
  module.walk([&](aref::ProcessOp) { ++processes; });
  return run.tokens < kTokensOfOne * processes;
}

/// Whether better machine code is worth its making: two layers of a graph
/// network take 1.3 s more to make, and 55 ns less a token.
static bool isLong(const FlowKernelsRun &run) {
  constexpr int64_t kTokens = 20'000'000;
  return run.tokens > kTokens;
}

static Engine chooseEngine(ModuleOp module, FlowKernelsRun &run) {
  if (!run.compiled || run.options.schedule != simulator::Schedule::Local)
    return Engine::Interpreted;
  if (run.engine != Engine::Auto)
    return run.engine;
  if (!isShort(module, run))
    return Engine::Compiled;
  run.interpretedFor = "making machine code takes longer than a run of " +
                       std::to_string(run.tokens) + " tokens";
  return Engine::Interpreted;
}

/// Runs one kernel by `engine`. Empty, or how two engines differ.
static FailureOr<std::string> runKernel(tile::KernelOp op, FlowKernel &kernel,
                                        FlowKernelsRun &run, Engine engine,
                                        Executed &executed) {
  std::vector<Executed> compiled;
  if (engine != Engine::Interpreted)
    for (bool isBetter : {false, true}) {
      if (engine == Engine::Compiled && isBetter != isLong(run))
        continue;
      auto one = runCompiled(op, kernel, run, isBetter);
      if (failed(one))
        return failure();
      if (one->has_value())
        compiled.push_back(std::move(**one));
      else if (engine == Engine::Both)
        return kernel.name + " is not machine code: " + run.interpretedFor;
    }
  if (engine == Engine::Compiled && !compiled.empty()) {
    executed = std::move(compiled.front());
    return std::string();
  }
  FailureOr<Executed> interpreted = runInterpreted(op, kernel, run);
  if (failed(interpreted))
    return failure();
  executed = std::move(*interpreted);
  for (const Executed &one : compiled)
    if (std::string difference = compare(kernel.name, one, executed);
        !difference.empty())
      return difference;
  return std::string();
}

/// Whether the kernel stops in a deadlock, by the interpreter.
static bool isDeadlock(tile::KernelOp op, FlowKernel &kernel,
                       FlowKernelsRun &run) {
  bool isStuck = false;
  ScopedDiagnosticHandler handler(op.getContext(), [&](Diagnostic &diagnostic) {
    isStuck |= StringRef(diagnostic.str()).contains("[deadlock]");
    return success();
  });
  return failed(runInterpreted(op, kernel, run)) && isStuck;
}

/// Empty, or which ring has a slot too many.
static std::string tryFewerSlots(tile::KernelOp op, FlowKernel &kernel,
                                 FlowKernelsRun &run) {
  for (auto ring : op.getEntry().getOps<aref::RingOp>()) {
    auto slots = int64_t(ring.getDepth());
    if (slots == 1)
      continue;
    ring.setDepth(slots - 1);
    if (!isDeadlock(op, kernel, run))
      return kernel.name + " runs with " + std::to_string(slots - 1) +
             " slots in ring '" + ring.getSym().str() +
             "', of which it is said to need " + std::to_string(slots);
    ring.setDepth(slots);
    ++run.tight;
  }
  return {};
}

/// Sets the rings' depths to the least ones. Empty, or why not.
static FailureOr<std::string>
setLeastSlots(tile::KernelOp op, FlowKernel &kernel, FlowKernelsRun &run) {
  std::unique_ptr<Arrays> arrays;
  std::string reason;
  simulator::Options options = run.options;
  options.maxSteps = run.mostCompiledSteps;
  auto slots = simulator::findLeastSlots(
      *run.compiled, op,
      [&] {
        arrays = std::make_unique<Arrays>(kernel, run);
        return arrays->arguments;
      },
      options, reason);
  if (failed(slots) && reason.empty())
    return failure();
  if (failed(slots))
    return "least slots are found by machine code, which " + kernel.name +
           " does not become: " + reason;
  run.slots.push_back(std::move(*slots));
  return run.triesFewer ? tryFewerSlots(op, kernel, run) : std::string();
}

FailureOr<std::string>
heddle::tool::runFlowKernels(ModuleOp module, std::vector<FlowKernel> &kernels,
                             FlowKernelsRun &run) {
  Engine engine = chooseEngine(module, run);
  for (FlowKernel &kernel : kernels) {
    auto op = module.lookupSymbol<tile::KernelOp>(kernel.name);
    if (run.findsSlots) {
      FailureOr<std::string> fault = setLeastSlots(op, kernel, run);
      if (failed(fault) || !fault->empty())
        return fault;
    }
    Executed executed;
    FailureOr<std::string> difference =
        runKernel(op, kernel, run, engine, executed);
    if (failed(difference) || !difference->empty())
      return difference;
    run.runs.push_back(std::move(executed.times));
    if (std::string error = executed.arrays->collect(); !error.empty())
      return error;
  }
  return std::string();
}
