//===- AsyncState.h - What is under way at a point of a process ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the events of a process, one by one. Out: the age of each wgmma flight,
// and how far writes to each shared tile have become visible. VerifyAsync.cpp
// carries this state along all paths and has the diagnostics; the meaning of a
// commit, a fence and a meeting is here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_DIALECT_HOPPER_ASYNCSTATE_H
#define HEDDLE_LIB_DIALECT_HOPPER_ASYNCSTATE_H

#include "heddle/Dialect/Hopper/Hopper.h"

#include <map>

namespace heddle::hopper {

/// Age of what is no longer under way.
inline constexpr int64_t kRetired = 1 << 20;

/// How far generic-proxy writes to a shared tile have got, the worst last.
enum class Written {
  Visible, ///< to everyone, the async proxy included
  Fenced,  ///< by the writing threads, which have not met since
  Met,     ///< the threads have met, but nobody fenced
  Fresh,   ///< neither
};

struct TileState {
  Written written = Written::Visible;
  bool loaded = false; ///< by threads that have not met since
  int64_t storeAge =
      kRetired; ///< TMA stores committed after the one that reads it
  bool storeDone =
      false; ///< the first thread knows that it is read, others not

  bool operator==(const TileState &) const = default;
};

/// Joining keeps the worst of each: what holds afterwards holds on every path.
struct AsyncState {
  /// wgmma groups committed after the one that made a flight.
  std::map<void *, int64_t> flightAge;
  /// By ring and offset in the slot, or by address for buffers.
  std::map<std::string, TileState> tiles;

  bool operator==(const AsyncState &) const = default;

  int64_t ageOf(mlir::Value flight) const;
  void setAge(mlir::Value flight, int64_t age);
  void commitGroup();
  void retireGroups(int64_t pending);

  void fence();
  void meet();
  void commitStore(const std::string &tile);
  void waitStores(int64_t pending, bool alone);

  void join(const AsyncState &other);
};

/// The name that a shared tile has in `AsyncState`.
std::string getTileName(mlir::Value tile);

} // namespace heddle::hopper

#endif // HEDDLE_LIB_DIALECT_HOPPER_ASYNCSTATE_H
