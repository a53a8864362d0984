//===- LongestPaths.cpp - How far events are apart at least ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LongestPaths.h"

using namespace heddle::schedule;

LongestPaths::LongestPaths(int events, int64_t apart)
    : events(events), distance(size_t(events) * events, -apart),
      last(size_t(events) * events) {
  for (int from = 0; from < events; ++from) {
    for (int to = 0; to < events; ++to)
      last[from * events + to] = -1 - from;
    distance[from * events + from] = 0;
  }
}

// With all paths known, only those change that lead to `from`, and end where a
// path from `from` itself changes.
int64_t LongestPaths::add(const Arc &link, const Levels &levels,
                          std::vector<int> &changed) {
  if (holds(link))
    return 1;
  int32_t index = int32_t(links.size());
  links.push_back({link.from, levels});
  std::vector<int> ends;
  const int64_t *tail = &distance[link.to * events];
  for (int to = 0; to < events; ++to)
    if (link.weight + tail[to] > (*this)(link.from, to))
      ends.push_back(to);
  int64_t seen = 2 * events;
  for (int from = 0; from < events; ++from) {
    int64_t head = (*this)(from, link.from) + link.weight;
    if (head <= (*this)(from, link.to))
      continue;
    seen += int64_t(ends.size());
    for (int to : ends) {
      int64_t length = head + tail[to];
      if (length <= (*this)(from, to))
        continue;
      int place = placeOf(from, to);
      changes.push_back({place, last[place], distance[place]});
      distance[place] = length;
      last[place] = to == link.to ? index : last[placeOf(link.to, to)];
      changed.push_back(place);
    }
  }
  return seen;
}

Levels LongestPaths::reason(int from, int to) const {
  Levels levels;
  while (to != from) {
    int32_t index = last[from * events + to];
    if (index < 0) {
      to = -1 - index;
      continue;
    }
    levels |= links[index].levels;
    to = links[index].from;
  }
  return levels;
}

void LongestPaths::goBack(Mark mark) {
  for (; changes.size() > mark.changes; changes.pop_back()) {
    const Change &change = changes.back();
    distance[change.place] = change.distance;
    last[change.place] = change.last;
  }
  links.resize(mark.links);
}
