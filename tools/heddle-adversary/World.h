//===- World.h - Warps, barriers and shared memory at a moment --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine as `docs/trust.md` describes it, for one launch. A process that
// is not elected is two agents, its first warp and the others: what one of the
// others does to another one, it does to the first, too; arrivals of several
// are made at once. Each access of threads is one of the whole tile by both,
// since layouts are not looked into.
//
// Order is kept by vector clocks: a component for each agent, one for each
// mbarrier that counts its completed phases, and one for each agent that counts
// its waits. The arrival of a copy hands on these two of an agent, moments, and
// no more: the copies of others that ended with a phase have a third component
// for each mbarrier, which it leaves out. So an access that nothing orders
// behind another is a race in whatever order the two came here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_WORLD_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_WORLD_H

#include "Script.h"

#include <array>
#include <memory>

namespace heddle::adversary {

inline constexpr int kMostAgents = 8, kMostBarriers = 24, kMostRings = 4;
using Clocks = std::array<uint16_t, 2 * (kMostAgents + kMostBarriers)>;

/// The scripts of one process, by the numbers that it read.
struct Scripts {
  struct Entry {
    Script script;
    std::vector<int64_t> numbers;
    std::map<int64_t, int> next; ///< by the next number
  };
  std::vector<Entry> entries;
};

struct Agent {
  Clocks knows{};
  std::array<uint16_t, kMostBarriers> waitedAt{}; ///< own waits till then
  std::array<int16_t, kMostBarriers> waited; ///< phase; -1 before the first
  std::array<int16_t, kMostRings> held{};
  int16_t script = 0, at = 0;
  uint16_t products = 0, stores = 0; ///< committed
  bool isAtSync = false;
};

struct MBarrier {
  int64_t pending = 0, bytes = 0;
  uint16_t completions = 0;
  Clocks arriving{}, completed{};
};

struct NamedBarrier {
  int64_t arrived = 0, threads = 0;
  unsigned agents = 0;
};

/// An access that later ones must be ordered behind.
struct Access {
  enum Kind : uint8_t {
    Read,
    Write,
    CopyWrite,
    Multiply, ///< from here on through the async proxy
    StoreRead,
    LoadWrite
  };
  Kind kind = Read;
  bool isDone = true;
  int8_t agent = 0;     ///< that did it or issued it
  int8_t component = 0; ///< of the clocks, which orders it when it is done
  uint16_t clock = 0;
  uint16_t fence = 0; ///< the agent's clock at its next fence; 0: none
  uint16_t group = 0; ///< of products or stores
  int16_t event = 0;  ///< which of the agent's
  /// CopyWrite: the event that arrives for it, and each agent's clock at its
  /// first fence when it knew of the copy's end.
  int16_t arrival = -1;
  std::array<uint16_t, kMostAgents> fences{};
  Range range;
  bool isWrite() const {
    return kind == Write || kind == CopyWrite || kind == LoadWrite;
  }
};

/// A copy that was issued and has not landed, or an arrival that waits for
/// copies.
struct Flying {
  int16_t barrier, agent, event;
  uint16_t known; ///< completed phases that the issuer knew
  int64_t bytes;
  Range range;
  int64_t arrivals = 0;
  Clocks gives{};
};

struct State {
  std::array<Agent, kMostAgents> agents;
  std::array<MBarrier, kMostBarriers> barriers;
  std::array<NamedBarrier, 16> named;
  std::vector<Access> accesses;
  std::vector<Flying> flying;
  std::vector<Range> written; ///< disjoint, in order
  std::vector<std::pair<Range, int64_t>> numbers;
};

/// Adds a part, and keeps parts apart from each other.
void addPart(std::vector<Range> &parts, Range part);

/// What execution found.
struct Finding {
  enum Kind { Fine, Faulty, Excluded, Unknown };
  Kind kind = Fine;
  std::string fault; ///< or why nothing follows from it
  int line = 0;
  /// It is one because another order could differ, as far as clocks say.
  bool isOfOrder = false;
};

class World {
public:
  World(const Kernel &kernel, const Launch &launch);

  State initial() const;
  int agents() const { return int(who.size()); }

  enum class Step { Blocked, Local, Visible, Ended };
  /// What the agent's next action is: local to it, or an action on a barrier.
  Step next(const State &state, int agent) const;
  /// Executes the agent's next action, which is not blocked.
  void step(State &state, int agent);
  /// A copy lands.
  void land(State &state, size_t flying);
  /// Nobody can go on.
  void checkEnd(const State &state);
  /// Check on the way that no other order lets a wait, an arrival or a copy
  /// meet another phase. Else `phases` must be compared between orders.
  bool checksOrder = true;

  bool isOver() const { return finding.kind != Finding::Fine; }
  Finding finding;
  /// Of the last step at an mbarrier: which action, and which phase it met.
  struct Meeting {
    int agent = -1, event = 0, phase = 0;
  } met;
  uint64_t hash(const State &state, uint64_t seed) const;

private:
  struct Who {
    int process = 0;
    bool isFirst = true;
    int64_t warps = 1; ///< that it stands for
  };
  const Action &actionOf(const State &state, int agent) const {
    const Agent &a = state.agents[agent];
    return scripts[who[agent].process].entries[a.script].script.actions[a.at];
  }
  int component(int barrier) const { return kMostAgents + barrier; }
  int waitsOf(int agent) const { return kMostAgents + kMostBarriers + agent; }
  int endsOf(int barrier) const {
    return 2 * kMostAgents + kMostBarriers + barrier;
  }
  void fail(const std::string &fault, int line) {
    if (!isOver())
      finding = {Finding::Faulty, fault, line, false};
  }
  void failOfOrder(const std::string &fault, int line) {
    if (!isOver())
      finding = {Finding::Faulty, fault, line, true};
  }
  int64_t countOf(int barrier) const { return counts[barrier]; }
  void wait(State &state, int agent, const Action &action);
  void arrive(State &state, int agent, const Action &action, int64_t count,
              int64_t bytes);
  void complete(State &state, int barrier, int line);
  void sync(State &state, int agent, const Action &action);
  void load(State &state, int agent, const Action &action);
  void arriveCopies(State &state, int agent, const Action &action);
  void landCopies(State &state, const Flying &arrival);
  void fence(State &state, int agent);
  bool access(State &state, int agent, const Action &action, const Range &range,
              Access::Kind kind);
  void retire(State &state, int agent, Access::Kind kind, int64_t below);
  void readNumber(State &state, int agent, const Action &action);
  void add(Scripts &all, int process, const std::vector<int64_t> &numbers);

  const Kernel &kernel;
  const Launch &launch;
  std::vector<Who> who;
  std::vector<Scripts> scripts; ///< by process
  std::vector<int64_t> counts;
};

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_WORLD_H
