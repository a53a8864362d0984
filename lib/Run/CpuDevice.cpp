//===- CpuDevice.cpp - Runs a kernel on this processor --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Device that compiles a tile kernel for the processor at hand and calls
// it. Each launch is done by one worker and by all of them, and their bits are
// compared.
//
//===----------------------------------------------------------------------===//

#include "heddle/Run/Device.h"

#include "heddle/Pipeline/Sparse.h"
#include "heddle/Run/ElementFormat.h"
#include "heddle/Support/Diagnostics/Run.h"

#include <chrono>
#include <cstring>

using namespace llvm;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using namespace heddle;
using namespace heddle::tool;

namespace {

class CpuDevice : public Device {
public:
  CpuDevice(std::unique_ptr<cpu::Jit> jit, const manifest::Manifest &manifest,
            int workers)
      : jit(std::move(jit)), manifest(manifest), alone(1), all(workers) {}

  std::string name() const override {
    return "cpu, " + std::to_string(all.size()) +
           (all.size() == 1 ? " worker" : " workers");
  }
  int variant() const override { return 0; }
  Error launch(MutableArrayRef<ArgumentData> arguments) override;
  Expected<double> timeMilliseconds(MutableArrayRef<ArgumentData> arguments,
                                    int launches) override;

private:
  Error launchOn(cpu::Pool &pool, MutableArrayRef<ArgumentData> arguments);

  std::unique_ptr<cpu::Jit> jit;
  const manifest::Manifest &manifest;
  cpu::Pool alone, all;
};

} // namespace

/// The slots of Conversion/TileToCpu.h.
static std::vector<int64_t> toSlots(MutableArrayRef<ArgumentData> arguments) {
  std::vector<int64_t> slots;
  for (ArgumentData &argument : arguments) {
    if (!argument.hasMemory()) {
      // An index is read whole, with its sign.
      slots.push_back(isIntegral(argument.argument().element)
                          ? argument.wholeScalar()
                          : int64_t(argument.scalarBits()));
      continue;
    }
    slots.push_back(reinterpret_cast<int64_t>(argument.data()));
    if (argument.isView()) {
      llvm::append_range(slots, argument.shape());
      llvm::append_range(slots, argument.strides());
    }
  }
  return slots;
}

Error CpuDevice::launchOn(cpu::Pool &pool,
                          MutableArrayRef<ArgumentData> arguments) {
  std::string error;
  if (jit->launch(manifest.kernel, toSlots(arguments), pool, error))
    return Error::success();
  return diag::makeError(diag::launch_refused,
                         "kernel " + manifest.kernel + ": " + error);
}

Error CpuDevice::launch(MutableArrayRef<ArgumentData> arguments) {
  if (all.size() == 1)
    return launchOn(all, arguments);
  std::vector<ArgumentData> copies;
  for (const ArgumentData &argument : arguments)
    copies.push_back(argument.clone());
  if (Error error = launchOn(alone, copies))
    return error;
  if (Error error = launchOn(all, arguments))
    return error;
  for (auto [copy, argument] : zip(copies, arguments))
    if (argument.hasMemory() &&
        std::memcmp(copy.data(), argument.data(), argument.sizeBytes()) != 0)
      return diag::makeError(diag::wrong_result,
                             "argument " + argument.argument().name +
                                 " has other bits with one worker than with " +
                                 std::to_string(all.size()));
  return Error::success();
}

/// The least of the launches: other programs only make them slower.
Expected<double>
CpuDevice::timeMilliseconds(MutableArrayRef<ArgumentData> arguments,
                            int launches) {
  double least = 0;
  for (int i = 0; i < launches; ++i) {
    auto begin = std::chrono::steady_clock::now();
    if (Error error = launchOn(all, arguments))
      return error;
    std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - begin;
    least = i == 0 ? elapsed.count() : std::min(least, elapsed.count());
  }
  return least;
}

FailureOr<std::unique_ptr<Device>> heddle::tool::createCpuDevice(
    mlir::ModuleOp module, const manifest::Manifest &manifest,
    const machine::Processor &processor, int workers) {
  auto compiled = pipeline::compileForCpu(module, processor);
  if (failed(compiled))
    return failure();
  return std::unique_ptr<Device>(
      std::make_unique<CpuDevice>(std::move(compiled->jit), manifest, workers));
}
