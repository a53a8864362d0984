//===- Emulate.cpp - heddle_emulate ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX, a manifest and a launch's arguments go in; the emulator computes in the
// memory that the arguments point to, and a message comes out if it objects. A
// caller in C may pass any number, so kinds, element types, ranks and sizes are
// checked before the emulator gets a range of memory.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "Options.h"

#include "heddle/Manifest/LaunchPlan.h"
#include "heddle/Manifest/PtxCheck.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"

using namespace heddle;
using namespace heddle::compiler;
using namespace llvm;

/// More than any process can map: a size above is a mistake.
static constexpr int64_t kMostBytes = int64_t(1) << 47;

/// What lies behind a planned argument, so that its extents and strides are not
/// negative; `bytes` is the size behind a pointer.
static Error addMemory(const manifest::Argument &argument,
                       const heddle_arg &arg, size_t bytes,
                       std::vector<emulator::MemoryRange> &memory) {
  __int128 size = bytes;
  if (arg.kind == HEDDLE_VIEW) {
    size = 1;
    for (int axis = 0; axis < arg.rank && size; ++axis)
      size = arg.shape[axis] > 0
                 ? size + __int128(arg.shape[axis] - 1) * arg.strides[axis]
                 : 0;
    size *= manifest::elementBytes(argument.element);
  }
  if (size > kMostBytes)
    return diag::makeError(diag::launch_refused,
                           "argument '" + argument.name +
                               "' would span more than 2^47 bytes, which no "
                               "memory of the host has");
  memory.push_back({reinterpret_cast<uint64_t>(arg.data), size_t(size),
                    argument.written, argument.name});
  return Error::success();
}

/// The launch's arguments as the plan wants them.
static Error readArguments(const manifest::Manifest &manifest,
                           const heddle_arg *args, size_t count,
                           std::vector<manifest::ArgumentValue> &values) {
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
  if (!manifest::parse(text, manifest, fault) ||
      !manifest::checkPtx(manifest, ptx, fault))
    return diag::makeError(diag::manifest_text, fault);
  std::vector<manifest::ArgumentValue> values;
  if (Error error = readArguments(manifest, args, count, values))
    return error;
  manifest::LaunchPlan plan;
  if (!manifest::planLaunch(manifest, values, options.multiprocessors, plan,
                            fault))
    return diag::makeError(diag::launch_refused, fault);
  std::vector<emulator::MemoryRange> memory;
  for (size_t i = 0; i < count; ++i)
    if (args[i].kind != HEDDLE_SCALAR)
      if (Error error = addMemory(manifest.arguments[i], args[i],
                                  bytes ? bytes[i] : 0, memory))
        return error;
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
                              heddle_result **result) noexcept {
  return enter(result, [&](heddle_result &texts) {
    Expected<EmulateOptions> read = readEmulateOptions(options);
    Error error =
        !read ? read.takeError()
        : !ptx || !manifest_json || (!args && n_args)
            ? diag::makeError(diag::usage, "an argument of the call is null")
        : ptx_size > kMostTextBytes || manifest_size > kMostTextBytes
            ? diag::makeError(
                  diag::usage,
                  "a text has " + Twine(std::max(ptx_size, manifest_size)) +
                      " bytes; heddle reads at most " + Twine(kMostTextBytes))
            : emulate({ptx, ptx_size}, {manifest_json, manifest_size}, args,
                      bytes, n_args, *read);
    if (!error)
      return HEDDLE_FINE;
    std::string message = toString(std::move(error));
    const diag::Kind *kind = diag::kindOfMessage(message);
    texts.messages += "error: " + message + "\n";
    return kind ? static_cast<heddle_outcome>(diag::exitCode(kind->outcome))
                : HEDDLE_BAD_INPUT;
  });
}
