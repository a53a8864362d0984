//===- CumulativeResources.h - What is counted, once times are known ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers, columns, shared memory and owner changes are sums over times. No
// link says them, but where times break one, a clause of links does: of what
// overloads one, something must give way, in any legal schedule.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_CUMULATIVERESOURCES_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_CUMULATIVERESOURCES_H

#include "Rules.h"

#include <optional>

namespace heddle::schedule {

class CumulativeResources {
public:
  explicit CumulativeResources(const Rules &rules);

  /// True if what is held all the time, or which process is whose, leaves no
  /// room, whatever the times are.
  bool isImpossible() const { return impossible; }

  /// Of clauses that hold in every legal schedule and do not at `times`, one;
  /// none if nothing is broken.
  std::optional<Clause> findBroken(const std::vector<int64_t> &times) const;

  /// What `process` needs at `times` where processes share the register file,
  /// in eights.
  int64_t registersFor(int process, const std::vector<int64_t> &times) const;

  /// The slots that `ring` needs at `times`.
  int64_t slotsFor(const Ring &ring, const std::vector<int64_t> &times) const;

private:
  /// What is counted over time, in one process or in tensor memory.
  struct Resource {
    int64_t size;   ///< beside what is held all the time
    int64_t always; ///< that
    std::vector<std::pair<int, int64_t>> values; ///< operation, amount
  };
  /// A result of some turn.
  using Copies = std::vector<std::pair<int, int64_t>>;
  /// What is alive at a birth.
  struct Load {
    int64_t amount = 0;
    int born = -1;
    Copies alive;
  };

  template <class Amount> Resource makeResource(int64_t size, Amount amount);
  void addProcesses();
  int64_t birthOf(int op, const std::vector<int64_t> &times) const;
  int64_t endOf(int op, const std::vector<int64_t> &times) const;
  Load loadAt(const Resource &resource, int born, int64_t enough,
              const std::vector<int64_t> &times) const;
  Load largestLoad(const Resource &resource,
                   const std::vector<int64_t> &times) const;
  std::optional<Clause> findOverload(const Resource &resource,
                                     const std::vector<int64_t> &times) const;
  void giveWay(int born, const Copies &alive, Clause &clause) const;
  std::optional<Clause> findFile(const std::vector<int64_t> &times) const;
  std::optional<Clause>
  findSharedMemory(const std::vector<int64_t> &times) const;
  std::optional<Clause>
  findOwnerChanges(const std::vector<int64_t> &times) const;

  const Rules &rules;
  const Problem &problem;
  std::vector<Resource> processes; ///< that have a limit
  Resource columns;
  bool impossible = false;
};

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_CUMULATIVERESOURCES_H
