//===- Distances.h - How far apart events are at least ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The longest paths between all events, kept as links are added.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDULE_CERTIFY_DISTANCES_H
#define HEDDLE_LIB_SCHEDULE_CERTIFY_DISTANCES_H

#include <cstdint>
#include <vector>

namespace heddle::schedule {

class Distances {
public:
  static constexpr int64_t kUnrelated = -(int64_t(1) << 60);

  explicit Distances(int events) : events(events) {
    table.assign(static_cast<size_t>(events) * events, kUnrelated);
    for (int event = 0; event < events; ++event)
      at(event, event) = 0;
  }

  int64_t operator()(int from, int to) const {
    return table[static_cast<size_t>(from) * events + to];
  }

  /// Would `to` at least `delay` after `from` close a cycle that cannot hold?
  bool excludes(int from, int to, int64_t delay) const {
    int64_t back = (*this)(to, from);
    return back != kUnrelated && back + delay > 0;
  }

  /// `to` is at least `delay` after `from`, which is not excluded. Returns
  /// whether that is news.
  bool add(int from, int to, int64_t delay) {
    if ((*this)(from, to) >= delay)
      return false;
    for (int before = 0; before < events; ++before) {
      int64_t lead = (*this)(before, from);
      if (lead == kUnrelated)
        continue;
      for (int after = 0; after < events; ++after) {
        int64_t trail = (*this)(to, after);
        if (trail != kUnrelated && lead + delay + trail > at(before, after))
          at(before, after) = lead + delay + trail;
      }
    }
    return true;
  }

private:
  int64_t &at(int from, int to) {
    return table[static_cast<size_t>(from) * events + to];
  }

  int events;
  std::vector<int64_t> table;
};

} // namespace heddle::schedule

#endif // HEDDLE_LIB_SCHEDULE_CERTIFY_DISTANCES_H
