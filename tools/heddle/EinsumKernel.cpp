//===- EinsumKernel.cpp - An einsum as a GPU's kernel, run ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EinsumKernel.h"

#include "Command.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

namespace {

/// What an argument of a kernel is made of.
struct Array {
  std::vector<int64_t> shape;
  const void *data = nullptr;
};

} // namespace

/// The arrays of a tensor, by the names that the kernel gives them.
static void addArrays(sparse::Tensor &tensor, const std::string &name,
                      std::map<std::string, Array> &arrays) {
  if (tensor.format.isDense()) {
    arrays[name] = {tensor.extents, tensor.values.data()};
    return;
  }
  for (int level = 0; level < tensor.format.rank(); ++level) {
    std::string number = std::to_string(level);
    auto add = [&](sparse::IndexArray &array, const std::string &part) {
      arrays[name + part + number] = {{array.size()}, array.data()};
    };
    if (tensor.format.hasPositions(level))
      add(tensor.positions[size_t(level)], "_pos");
    if (tensor.format.hasCoordinates(level))
      add(tensor.coordinates[size_t(level)], "_crd");
  }
  arrays[name + "_val"] = {{tensor.valueCount()}, tensor.values.data()};
}

static Expected<std::vector<ArgumentData>>
passArrays(const manifest::Manifest &manifest,
           const std::map<std::string, Array> &arrays) {
  std::vector<ArgumentData> made;
  for (const manifest::Argument &argument : manifest.arguments) {
    auto found = arrays.find(argument.name);
    if (found == arrays.end())
      return diag::makeError(diag::internal,
                             "bug in heddle: a kernel's argument '" +
                                 argument.name + "' is no operand's");
    const Array &array = found->second;
    int64_t bytes = argumentBytes(argument.element, array.shape);
    if (Error error = checkArgumentMemory(argument.name, bytes))
      return error;
    ArgumentData &data = made.emplace_back(argument, array.shape);
    if (argument.written)
      data.poison();
    else if (data.sizeBytes())
      std::memcpy(data.data(), array.data, data.sizeBytes());
  }
  return made;
}

int heddle::tool::runEinsumKernel(Program &program, const EinsumDevice &device,
                                  const sparse::Statement &statement,
                                  std::vector<Operand> &operands,
                                  const EinsumCheck &check, bool integers,
                                  unsigned repeat) {
  auto kernels = program.compileToPtx();
  if (failed(kernels))
    return program.exitCode();
  const pipeline::CompiledKernel &kernel = kernels->front();
  manifest::Manifest manifest;
  std::string error;
  if (!manifest::parse(kernel.manifest, manifest, error))
    return fail(diag::internal,
                "bug in heddle: the manifest is not valid: " + error);

  std::map<std::string, Array> arrays;
  for (Operand &operand : operands)
    addArrays(operand.tensor, operand.name, arrays);
  sparse::Tensor result;
  if (std::string reason = check.store(0, result); !reason.empty())
    return fail(diag::einsum_run, reason);
  addArrays(result, statement.result.tensor, arrays);
  auto arguments = passArrays(manifest, arrays);
  if (!arguments)
    return fail(arguments.takeError());

  auto runner = device.isGpu
                    ? createGpuDevice(kernel, manifest)
                    : createEmulatorDevice(kernel, manifest, device.settings);
  if (!runner)
    return fail(runner.takeError());
  ArgumentData *written = nullptr;
  for (ArgumentData &data : *arguments)
    if (data.argument().written)
      written = &data;
  std::vector<char> before;
  for (int turn = 0; turn < 2; ++turn) {
    if (Error failure = (*runner)->launch(*arguments))
      return fail(std::move(failure));
    const char *bytes = reinterpret_cast<const char *>(written->data());
    result.values.assign(bytes, bytes + written->sizeBytes());
    if (turn && before != result.values)
      return fail(diag::wrong_result, "kernel " + kernel.name +
                                          " gives other bits the second time");
    before = result.values;
    written->poison();
  }
  outs() << "kernel " << kernel.name << ", variant "
         << manifest.variants[size_t((*runner)->variant())].entry << ", on "
         << (*runner)->name() << "\n";
  if (!check.compare(0, result, integers, outs()))
    return fail(diag::wrong_result,
                "kernel " + kernel.name + " differs from the oracle");
  auto milliseconds = (*runner)->timeMilliseconds(*arguments, int(repeat));
  if (!milliseconds)
    return fail(milliseconds.takeError());
  outs() << "the same bits twice; time: " << format("%.4g", *milliseconds)
         << " ms a launch\n";
  return kFine;
}
