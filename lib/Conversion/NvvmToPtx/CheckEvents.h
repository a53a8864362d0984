//===- CheckEvents.h - Did code generation keep the protocol? -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An event is an instruction that orders threads or asynchronous units:
// mbarriers, TMA, wgmma, named barriers, proxy fences, setmaxnreg, elect. LLVM
// knows little of what these mean, so nothing but their attributes keeps its
// passes from dropping, duplicating or moving them. Hence every compile
// compares the events of the module before optimisation with those of the final
// text.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_NVVMTOPTX_CHECKEVENTS_H
#define HEDDLE_LIB_CONVERSION_NVVMTOPTX_CHECKEVENTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace heddle {

struct EventBlock {
  std::vector<std::string> events; ///< as PTX spells them: "wgmma.wait_group 1"
  std::vector<unsigned> successors;
};

/// Control flow between events; block 0 is the entry.
using EventGraph = std::vector<EventBlock>;

/// Ends a path. Not counted: returns may be merged.
inline constexpr const char *kReturnEvent = "ret";

/// The events of the blocks that can be reached; a branch whose condition folds
/// to a constant has one successor.
EventGraph collectEvents(const llvm::Function &function);

/// The events of `.entry NAME` in PTX text; none if it is not there.
std::optional<EventGraph> collectEvents(llvm::StringRef ptx,
                                        llvm::StringRef entry);

struct Statement;

/// The same with whatever `name` makes of statements.
std::optional<EventGraph> collectEvents(
    llvm::StringRef ptx, llvm::StringRef entry,
    llvm::function_ref<std::optional<std::string>(const Statement &)> name);

/// Empty if both have equally many of each event and every path through `after`
/// is a path through `before`: blocks may be laid out anew, joined or lose an
/// edge, but no event may pass another. Otherwise what to tell the user. With
/// `possible`, `before` without branches that are never taken, `after` may also
/// have any number in between.
std::string compareEvents(llvm::StringRef entry, const EventGraph &before,
                          const EventGraph &after,
                          const EventGraph *possible = nullptr);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_NVVMTOPTX_CHECKEVENTS_H
