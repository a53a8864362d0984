//===- LongestPaths.h - How far events are apart at least ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Links say "this event is at least so many cycles after that one". The table
// holds what follows from all of them, for each pair of events: the longest
// path. A link is added in the time of what it changes, and taken back in the
// same time, the last first. Each entry knows the last link of its path, so
// that a path can be walked to learn on which decisions of a search it rests.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_SOLVE_LONGESTPATHS_H
#define HEDDLE_LIB_SCHEDULE_SOLVE_LONGESTPATHS_H

#include "Levels.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::schedule {

/// Event `to` is at least `weight` cycles after event `from`.
struct Arc {
  int from = 0, to = 0;
  int64_t weight = 0;
};

class LongestPaths {
public:
  /// At first any event may be up to `apart` cycles before any other.
  LongestPaths(int events, int64_t apart);

  int64_t operator()(int from, int to) const {
    return distance[placeOf(from, to)];
  }
  /// The same by the entry's place.
  int64_t at(int place) const { return distance[place]; }
  bool holds(const Arc &link) const {
    return (*this)(link.from, link.to) >= link.weight;
  }
  /// Cycles by which `link` could be longer; it closes a cycle that cannot hold
  /// if they are fewer than 0.
  int64_t room(const Arc &link) const {
    return -((*this)(link.to, link.from) + link.weight);
  }

  /// Adds a link with room that rests on `levels`, and returns how many entries
  /// were looked at.
  int64_t add(const Arc &link, const Levels &levels);
  /// Changes of entries that were not taken back, and the place of each.
  size_t changes() const { return changeCount; }
  int changedPlace(size_t change) const { return before[change].place; }
  /// Memory of what is kept to be taken back.
  size_t keptBytes() const {
    return changeCount * sizeof(Change) + links.size() * sizeof(Added);
  }
  int placeOf(int from, int to) const { return from * events + to; }

  /// A state to come back to.
  struct Mark {
    size_t links = 0, changes = 0;
  };
  Mark mark() const { return {links.size(), changeCount}; }
  /// Takes back what was added since.
  void goBack(Mark mark);

  /// What the path from one event to another rests on.
  Levels reason(int from, int to) const;
  /// What there is no room for `link` because of.
  Levels reasonAgainst(const Arc &link) const {
    return reason(link.to, link.from);
  }

private:
  struct Added {
    int from;
    Levels levels;
  };

  struct Change {
    int place;
    int32_t last;
    int64_t distance;
  };

  /// Where a path through the new link goes on, and from there.
  struct End {
    int to;
    int32_t last;
    int64_t tail;
  };

  void makeRoom(size_t more);

  int events;
  std::vector<int64_t> distance;
  /// The last step of the longest path: an added link, or, as -1 - event, that
  /// any event may be `apart` before another.
  std::vector<int32_t> last;
  std::vector<Added> links;
  /// What entries were before. An array, since a link changes hundreds.
  std::unique_ptr<Change[]> before;
  size_t changeCount = 0, changeRoom = 0;
  std::unique_ptr<End[]> ends; ///< of the link that is being added
};

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_SOLVE_LONGESTPATHS_H
