//===- FlowKernels.cpp - Runs kernels made of streams ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowKernels.h"

#include "heddle/Flow/Interpret.h"
#include "heddle/Interp/Interp.h"

#include <cstring>
#include <map>

using namespace mlir;
using namespace heddle;
using namespace heddle::tool;

namespace {

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

  void bindBytes(const FlowArgument &argument, std::vector<char> bytes,
                 int64_t count) {
    auto &held = arrays[{argument.kind, argument.tensor.getAsOpaquePointer(),
                         argument.level}];
    held = std::move(bytes);
    held.resize(std::max<size_t>(held.size(), 8));
    interp::Buffer buffer;
    buffer.data = held.data();
    buffer.shape = {count};
    arguments.push_back(buffer);
  }

  void bindIntegers(const FlowArgument &argument,
                    const std::vector<int64_t> &values) {
    std::vector<char> bytes(values.size() * 8);
    if (!values.empty())
      std::memcpy(bytes.data(), values.data(), bytes.size());
    bindBytes(argument, std::move(bytes), int64_t(values.size()));
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
      bindBytes(argument, std::vector<char>(size_t(bytes)),
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
      return bindBytes(argument, tensor.values, tensor.valueCount());
    case Kind::Written:
      return bindIntegers(argument, std::vector<int64_t>(size_t(most)));
    case Kind::WrittenValues:
      return bindBytes(
          argument,
          std::vector<char>(size_t(most) * sparse::sizeOf(tensor.element)),
          most);
    case Kind::Count:
      return bindIntegers(argument, {0});
    case Kind::Sums:
    case Kind::Bits:
      return;
    }
  }

  int64_t integer(Kind kind, Value tensor, int64_t level, int64_t at) {
    int64_t value;
    std::memcpy(
        &value,
        arrays[{kind, tensor.getAsOpaquePointer(), level}].data() + at * 8, 8);
    return value;
  }

  std::string collect(flow::WriteOp write) {
    Value value = write.getTensor();
    sparse::Tensor &tensor = run.tensors[value];
    int64_t count = integer(Kind::Count, value, 0, 0);
    if (count < 0 || count > tensor.valueCount())
      return "there are " + std::to_string(count) + " elements where " +
             std::to_string(tensor.valueCount()) + " are expected at most";
    sparse::Tensor values; // reads numbers of the element type
    values.element = tensor.element;
    values.values =
        arrays[{Kind::WrittenValues, value.getAsOpaquePointer(), 0}];
    std::vector<sparse::Entry> entries;
    for (int64_t i = 0; i < count; ++i) {
      sparse::Entry entry{std::vector<int64_t>(tensor.extents.size()),
                          values.value(i)};
      for (size_t number = 0; number < tensor.extents.size(); ++number) {
        int64_t level =
            write.getLevels() ? (*write.getLevels())[number] : int64_t(number);
        auto axis = size_t(tensor.format.axes[size_t(level)]);
        int64_t coordinate = integer(Kind::Written, value, int64_t(number), i);
        if (coordinate < 0 || coordinate >= tensor.extents[axis])
          return "coordinate " + std::to_string(coordinate) +
                 " lies outside axis " + std::to_string(axis);
        entry.coordinates[axis] = coordinate;
      }
      entries.push_back(std::move(entry));
    }
    return flow::buildTensor(
        tensor, std::move(entries),
        write.getZero() ? write.getZero()->convertToDouble() : 0);
  }

  FlowKernel &kernel;
  FlowKernelsRun &run;
  std::map<std::tuple<Kind, void *, int64_t>, std::vector<char>> arrays;
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

/// Runs one kernel by the engine of `run`. Empty, or how two engines differ.
static FailureOr<std::string> runKernel(tile::KernelOp op, FlowKernel &kernel,
                                        FlowKernelsRun &run,
                                        Executed &executed) {
  std::vector<Executed> compiled;
  if (run.compiled && run.engine != Engine::Interpreted &&
      run.options.schedule == simulator::Schedule::Local)
    for (bool isLong : {false, true}) {
      if (run.engine == Engine::Compiled && isLong != run.isLong)
        continue;
      auto one = runCompiled(op, kernel, run, isLong);
      if (failed(one))
        return failure();
      if (one->has_value())
        compiled.push_back(std::move(**one));
      else if (run.engine == Engine::Both)
        return kernel.name + " is not machine code: " + run.interpretedFor;
    }
  if (run.engine == Engine::Compiled && !compiled.empty()) {
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
  return std::string();
}

FailureOr<std::string>
heddle::tool::runFlowKernels(ModuleOp module, std::vector<FlowKernel> &kernels,
                             FlowKernelsRun &run) {
  for (FlowKernel &kernel : kernels) {
    auto op = module.lookupSymbol<tile::KernelOp>(kernel.name);
    if (run.findsSlots) {
      FailureOr<std::string> fault = setLeastSlots(op, kernel, run);
      if (failed(fault) || !fault->empty())
        return fault;
    }
    Executed executed;
    FailureOr<std::string> difference = runKernel(op, kernel, run, executed);
    if (failed(difference) || !difference->empty())
      return difference;
    run.runs.push_back(std::move(executed.times));
    if (std::string error = executed.arrays->collect(); !error.empty())
      return error;
  }
  return std::string();
}
