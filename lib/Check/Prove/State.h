//===- State.h - Where an exploration stands --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that decides what can still go wrong, and nothing that grows with
// the number of iterations: loop positions are relative, phases are counted
// modulo 2, and instead of clocks each remembered event carries the set of
// those who know of it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_STATE_H
#define HEDDLE_LIB_CHECK_STATE_H

#include "Program.h"

#include <bitset>

namespace heddle::check {

/// Who knows of an event: threads of processes, and barriers that pass it on.
using Knowers = std::bitset<256>;

/// The bits of Knowers.
struct Bits {
  int processes = 0, barriers = 0;
  int all(int process) const { return 2 * process; }
  /// Set wherever `all` is: the first thread is one of them.
  int first(int process) const { return 2 * process + 1; }
  /// What arrivals of the current phase bring, and the last phase brought.
  int arriving(int barrier) const { return 2 * (processes + barrier); }
  int completed(int barrier) const { return 2 * (processes + barrier) + 1; }
  int count() const { return 2 * (processes + barriers); }
};

/// Constructs and positions of the loops around; of an instance, ending in its
/// construct.
using Path = std::vector<int64_t>;

/// An event that later ones must be ordered behind.
struct Record {
  enum Kind {
    Read,      ///< by threads
    Write,     ///< by threads: the generic proxy
    Multiply,  ///< a read by a wgmma
    StoreRead, ///< a read by a TMA store
    LoadWrite, ///< a write by TMA
    CopyWrite, ///< a write by copies of threads: the generic proxy
    Completed, ///< a phase of `barrier`; age 0 the last, 1 the one before
    Waited,    ///< `owner` waited for the last completed phase of `barrier`
    Met,       ///< the last meeting at named barrier `barrier`
  };
  Kind kind = Read;
  int owner = -1; ///< the process whose threads did it, or issued it
  /// LoadWrite, CopyWrite: the barrier that it completes on.
  int barrier = -1;
  int age = 0; ///< of what is in flight: groups committed since
  bool isDone = true;
  bool isFenced = false; ///< by all threads of the owner
  int64_t begin = 0, end = 0;
  int ring = -1;
  /// Of the last write of a number that is handed on: the writer, and the
  /// iteration in which it wrote; -1 once everybody has left that.
  int writer = -1;
  Path iteration;
  Knowers known;  ///< who is ordered behind it
  Knowers fenced; ///< who is ordered behind its fence
  /// For messages; no part of the state.
  const Event *event = nullptr;
  const std::string *place = nullptr;

  bool isAccess() const { return kind <= CopyWrite; }
  bool isWrite() const { return kind == Write || isAsyncWrite(); }
  bool isAsyncWrite() const { return kind == LoadWrite || kind == CopyWrite; }
  /// A write that the async proxy sees behind a fence only.
  bool isGeneric() const { return kind == Write || kind == CopyWrite; }
};

/// A value of a process: nothing known, a number, or a flight.
struct Datum {
  enum Kind : char { Unknown, Number, Flight } kind = Unknown;
  /// Of a flight, groups committed since; kLanded once a wait retired it.
  int64_t number = 0;
  /// Of a flight: copies of one have one number here.
  int flight = -1;
  /// Of a flight: a later product accumulates into its registers, or its value
  /// was read.
  enum Use : char { Whole, Overwritten } use = Whole;

  static constexpr int64_t kLanded = INT64_MAX;

  bool operator==(const Datum &) const = default;
};

struct Frame {
  int loop = -1;
};

struct Running {
  int pc = 0;
  bool isAtMeeting = false; ///< arrived at the named barrier of its sync
  std::vector<int> frames;  ///< the loops around, outermost first
  std::vector<Datum> values;
  std::vector<int> held; ///< for each ring, turns waited for and not released
  /// Registers that products in flight read, and the iteration in which they
  /// were made (kPast once everybody has left it), with the age of the last
  /// such product.
  std::map<std::pair<Value, Path>, int64_t> operands;
  static inline const Path kPast = {-1};
};

/// An mbarrier.
struct Barrier {
  int64_t pending = 0; ///< arrivals until the phase completes
  int64_t bytes = 0;   ///< expected less delivered
  /// Even at first, as if a phase 0 and a phase 1 had completed that all know
  /// of: parity 1 has passed.
  int parity = 0;
  int completions = 0; ///< since the launch, up to 2
  /// For each process: completed phases that it has not waited for; kNever
  /// before its first wait.
  std::vector<int> behind;
  static constexpr int kNever = -1;
  unsigned waiters = 0; ///< processes that wait for it somewhere
};

struct Meeting {
  int64_t arrived = 0, threads = 0;
  unsigned participants = 0;
};

/// What is known of a construct's trip count in one iteration of its scope,
/// and where its participants are.
struct Instance {
  enum Status : char { NotYet, Asked, Inside, Done };
  static constexpr int64_t kNoLeast = INT64_MIN, kNoMost = INT64_MAX;
  int64_t least = kNoLeast, most = kNoMost; ///< least <= T <= most
  std::vector<int64_t> position;
  std::vector<Status> status;
};

struct State {
  std::vector<Running> processes;
  std::vector<Barrier> barriers;
  std::vector<Meeting> meetings; ///< by id
  std::vector<Record> records;
  std::map<Path, Instance> instances;
  /// Conditions that are decided, by the path of the iteration.
  std::map<std::pair<Path, Linear>, bool> conditions;
  bool usesData = false; ///< a private condition was decided on the way

  /// Brings records into an order that depends on what they are only.
  void sortRecords();
  /// The same for states that differ only in who knows of their records.
  std::string key(const Program &program) const;
  /// Who knows of the records, in their order.
  std::vector<Knowers> knowledge() const;
  void setKnowledge(const std::vector<Knowers> &knowledge);
};

/// Moves loop positions down where all who count them are far enough.
void rebase(State &state, const Program &program);

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_STATE_H
