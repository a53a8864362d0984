//===- Arguments.h - heddle_arg to manifest arguments ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch's heddle_arg structs go in; the values that a launch plan takes come
// out, and the words that are the key of a prepared launch. C passes
// enumerations and ranks as plain integers, so each is checked here before it
// is cast or used as a count, and the code behind trusts it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_ARGUMENTS_H
#define HEDDLE_RUNTIME_LIB_ARGUMENTS_H

#include "Driver.h"
#include "heddle/Manifest/LaunchPlan.h"

namespace heddle::runtime {

/// Checks kinds, types and ranks against C's untyped integers and converts.
heddle_status readArguments(const manifest::Manifest &manifest,
                            const heddle_arg *args, size_t count,
                            std::vector<manifest::ArgumentValue> &values);

/// How many words heddle_kernel_launch_words takes.
size_t countWords(const manifest::Manifest &manifest);

/// The arguments that countWords(manifest) words stand for.
std::vector<heddle_arg> unpackWords(const manifest::Manifest &manifest,
                                    const uint64_t *words);

/// Fails for memory of the host or of another device than `device`.
heddle_status
checkReachable(const Driver &driver, CUdevice device,
               const manifest::Manifest &manifest,
               const std::vector<manifest::ArgumentValue> &values);

/// The words of the arguments, on which alone a plan depends: kinds, types and
/// ranks are the kernel's. False where one is not, so that a key never holds
/// what the kernel does not take. `key` is overwritten.
bool makeKey(const manifest::Manifest &manifest, const heddle_arg *args,
             size_t count, std::vector<uint64_t> &key);

} // namespace heddle::runtime

#endif // HEDDLE_RUNTIME_LIB_ARGUMENTS_H
