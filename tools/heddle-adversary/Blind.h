//===- Blind.h - A checker that is told less --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A protocol goes in and loses the facts that one rule of the checker rests on.
// A campaign with a blind checker must report false proofs; if it reports none,
// the generator never makes a kernel for which that rule matters, and its
// silence about the real checker means less.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_BLIND_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_BLIND_H

#include "Judge.h"

#include "heddle/Check/Protocol.h"

namespace heddle::adversary {

/// Takes what `blindness` names out of a protocol, as if a rule of the checker
/// were missing. A campaign must then find false proofs.
void blind(check::Protocol &protocol, Blindness blindness);

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_BLIND_H
