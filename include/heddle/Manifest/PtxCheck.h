//===- PtxCheck.h - Does a manifest fit its PTX? ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the text of PTX and a verified manifest. Out: whether the two agree, or
// one sentence. The runtime and the emulator's callers ask before they launch
// by a manifest from a file; PtxCheck.cpp describes the damage that a wrong one
// does.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MANIFEST_PTXCHECK_H
#define HEDDLE_MANIFEST_PTXCHECK_H

#include "heddle/Manifest/Manifest.h"

namespace heddle::manifest {

/// Whether the text of the PTX agrees with a verified manifest: entries,
/// parameters, threads, clusters, shared memory, barriers, and what TMA copies.
/// On failure one sentence in `error` that begins with the path of the field.
/// docs/reference/manifest.md lists what is checked and what is believed. Code
/// that is no text (a cubin) is not looked into.
bool checkPtx(const Manifest &manifest, std::string_view ptx,
              std::string &error);

} // namespace heddle::manifest

#endif // HEDDLE_MANIFEST_PTXCHECK_H
