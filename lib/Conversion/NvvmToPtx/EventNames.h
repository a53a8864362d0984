//===- EventNames.h - Which instructions are events -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a statement of PTX, or a call to an intrinsic or inline asm of LLVM IR.
// Out: the name of the event that it is, if it is one. Both sides of the
// comparison in CheckEvents.h must spell an event alike, so one table maps
// either form to the name; an unknown instruction of a known family is an event
// by its full name.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_EVENTNAMES_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_EVENTNAMES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class CallInst;
} // namespace llvm

namespace heddle {

/// A statement of PTX.
struct Statement {
  llvm::StringRef label, opcode, operands;
  bool predicated = false;
};

/// Calls `visit` for what stands between semicolons or line ends.
void forEachStatement(llvm::StringRef text,
                      llvm::function_ref<void(const Statement &)> visit);

/// The name of the event that an instruction of PTX is, if it is one.
std::optional<std::string> nameEvent(llvm::StringRef opcode,
                                     llvm::StringRef operands);

/// Appends the events of a call to an intrinsic or to inline asm.
void addEvents(const llvm::CallInst &call, std::vector<std::string> &events);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_EVENTNAMES_H
