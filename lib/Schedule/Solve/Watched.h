//===- Watched.h - What a search looks at again and again ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search over orders looks at its disjunctions and clauses millions of times:
// at each entry of the table of longest paths that changes, at all whose room
// that is. So their links stand here one behind the other, each with its places
// in the table, and each place knows who watches it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_WATCHED_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_WATCHED_H

#include "Rules.h"

#include <algorithm>
#include <span>

namespace heddle::schedule {

inline int64_t floorOf(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/// A link, and the entries of the table that say how long the path is already,
/// and how long the path back.
struct Placed {
  int ahead, back;
  int from, to;
  int64_t weight;
};

/// Links that hold together, by their numbers.
struct Side {
  int begin, end;
};

/// How often an interval goes into a room: a division only where the answer is
/// not that of the last time.
class WholeTurns {
public:
  int64_t of(int64_t room, int64_t ii) {
    if (room < least || room - least >= ii) {
      turns = floorOf(room, ii);
      least = turns * ii;
    }
    return turns;
  }

private:
  int64_t least = 0, turns = 0;
};

struct WatchedPair {
  Side first, second;
  WholeTurns firstTurns = {}, secondTurns = {};
};

class Watched {
public:
  explicit Watched(int events)
      : events(events), watchers(size_t(events) * events) {}

  /// Disjunctions come before all clauses.
  void add(const Exclusion &disjunction) {
    int watcher = int(pairs.size());
    Side first = place(disjunction.first, watcher);
    pairs.push_back({first, place(disjunction.second, watcher)});
  }
  void add(const Clause &clause) {
    int watcher = int(pairs.size() + clauses.size());
    clauses.push_back({int(options.size()), int(options.size())});
    for (const Links &option : clause)
      options.push_back(place(option, watcher));
    clauses.back().end = int(options.size());
  }

  WatchedPair &pair(size_t index) { return pairs[index]; }
  std::span<const Side> optionsOf(size_t clause) const {
    return {options.data() + clauses[clause].begin,
            size_t(clauses[clause].end - clauses[clause].begin)};
  }
  std::span<const Placed> linksOf(Side side) const {
    return {links.data() + side.begin, size_t(side.end - side.begin)};
  }

  /// Who watches the entry at `place`, in the order in which they came.
  std::span<const int> watchersOf(int place) const {
    const Stretch &mine = watchers[size_t(place)];
    return {numbers.data() + mine.begin, size_t(mine.count)};
  }

private:
  /// Of `numbers`.
  struct Stretch {
    int begin = 0, count = 0, room = 0;
  };

  /// A stretch without room for one more moves to the end, where it has twice
  /// as much.
  void watch(int place, int watcher) {
    Stretch &mine = watchers[size_t(place)];
    if (mine.count == mine.room) {
      int begin = int(numbers.size());
      mine.room = std::max(2, 2 * mine.room);
      numbers.resize(numbers.size() + size_t(mine.room));
      std::copy_n(numbers.begin() + mine.begin, mine.count,
                  numbers.begin() + begin);
      mine.begin = begin;
    }
    numbers[size_t(mine.begin + mine.count++)] = watcher;
  }

  Side place(const Links &given, int watcher) {
    Side side{int(links.size()), int(links.size() + given.size())};
    for (const Arc &link : given) {
      int ahead = link.from * events + link.to,
          back = link.to * events + link.from;
      links.push_back({ahead, back, link.from, link.to, link.weight});
      watch(back, watcher);
    }
    return side;
  }

  int events;
  std::vector<Placed> links;
  std::vector<WatchedPair> pairs;
  std::vector<Side> options, clauses; ///< links of options, options of clauses
  std::vector<Stretch> watchers;      ///< of each entry of the table
  std::vector<int> numbers;           ///< of watchers
};

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_WATCHED_H
