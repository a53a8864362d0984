//===- Emulate.cpp - heddle_emulate ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "Options.h"

#include "heddle/Manifest/LaunchPlan.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"

using namespace heddle;
using namespace heddle::compiler;
using namespace llvm;

/// `bytes` says how much lies behind a pointer.
static emulator::MemoryRange memoryOf(const manifest::Argument &argument,
                                      const heddle_arg &arg, size_t bytes) {
  int64_t elements = 1;
  for (int axis = 0; axis < arg.rank && arg.kind == HEDDLE_VIEW; ++axis)
    elements += (arg.shape[axis] - 1) * arg.strides[axis];
  for (int axis = 0; axis < arg.rank && arg.kind == HEDDLE_VIEW; ++axis)
    elements = arg.shape[axis] > 0 ? elements : 0;
  if (arg.kind == HEDDLE_VIEW)
    bytes = size_t(elements) * manifest::elementBytes(argument.element);
  return {reinterpret_cast<uint64_t>(arg.data), bytes, argument.written,
          argument.name};
}

/// The launch's arguments as the plan wants them, and their memory.
static Error readArguments(const manifest::Manifest &manifest,
                           const heddle_arg *args, const size_t *bytes,
                           size_t count,
                           std::vector<manifest::ArgumentValue> &values,
                           std::vector<emulator::MemoryRange> &memory) {
  if (count != manifest.arguments.size())
    return diag::makeError(diag::launch_refused,
                           "kernel '" + manifest.kernel + "' takes " +
                               Twine(manifest.arguments.size()) +
                               " arguments, not " + Twine(count));
  for (size_t i = 0; i < count; ++i) {
    const manifest::Argument &argument = manifest.arguments[i];
    const heddle_arg &arg = args[i];
    if (arg.kind != int(argument.kind) || arg.dtype < HEDDLE_F16 ||
        arg.dtype > HEDDLE_E5M2 || arg.rank < 0 || arg.rank > HEDDLE_MAX_RANK)
      return diag::makeError(diag::launch_refused,
                             "argument '" + argument.name +
                                 "' has another kind, element type or rank "
                                 "than the manifest says");
    manifest::ArgumentValue &value = values.emplace_back();
    value.element = static_cast<manifest::ElementType>(arg.dtype);
    if (arg.kind == HEDDLE_SCALAR) {
      value.scalarBits = arg.scalar_bits;
      continue;
    }
    value.address = reinterpret_cast<uint64_t>(arg.data);
    if (arg.kind == HEDDLE_VIEW) {
      value.shape.assign(arg.shape, arg.shape + arg.rank);
      value.strides.assign(arg.strides, arg.strides + arg.rank);
    }
    memory.push_back(memoryOf(argument, arg, bytes ? bytes[i] : 0));
  }
  return Error::success();
}

static Error emulate(const std::string &ptx, const std::string &text,
                     const heddle_arg *args, const size_t *bytes, size_t count,
                     const EmulateOptions &options) {
  std::string fault;
  auto program = emulator::Program::parse(ptx, fault);
  if (!program)
    return diag::makeError(diag::ptx_text, fault);
  manifest::Manifest manifest;
  if (!manifest::parse(text, manifest, fault))
    return diag::makeError(diag::manifest_text, fault);
  std::vector<manifest::ArgumentValue> values;
  std::vector<emulator::MemoryRange> memory;
  if (Error error = readArguments(manifest, args, bytes, count, values, memory))
    return error;
  manifest::LaunchPlan plan;
  if (!manifest::planLaunch(manifest, values, options.multiprocessors, plan,
                            fault))
    return diag::makeError(diag::launch_refused, fault);
  emulator::Result result =
      emulator::run(*program, manifest, plan, memory, options.emulator);
  if (result.ok)
    return Error::success();
  return diag::makeError(result.refused ? diag::launch_refused
                                        : diag::launch_failed,
                         "emulator: " + result.error);
}

heddle_outcome heddle_emulate(const char *ptx, size_t ptx_size,
                              const char *manifest_json, size_t manifest_size,
                              const heddle_arg *args, const size_t *bytes,
                              size_t n_args, const char *options,
                              heddle_result **result) {
  if (!result)
    return HEDDLE_BAD_INPUT;
  *result = new heddle_result;
  heddle_result &texts = **result;
  return guard(texts, [&] {
    Expected<EmulateOptions> read = readEmulateOptions(options);
    Error error =
        !read ? read.takeError()
        : !ptx || !manifest_json || (!args && n_args)
            ? diag::makeError(diag::usage, "an argument of the call is null")
            : emulate({ptx, ptx_size}, {manifest_json, manifest_size}, args,
                      bytes, n_args, *read);
    if (!error)
      return HEDDLE_FINE;
    std::string message = toString(std::move(error));
    const diag::Kind *kind = diag::kindOfMessage(message);
    texts.messages += "error: " + message + "\n";
    return static_cast<heddle_outcome>(diag::exitCode(kind->outcome));
  });
}
