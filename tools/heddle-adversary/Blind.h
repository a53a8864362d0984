//===- Blind.h - A checker that is told less --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
