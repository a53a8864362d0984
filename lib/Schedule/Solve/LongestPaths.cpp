//===- LongestPaths.cpp - How far events are apart at least ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LongestPaths.h"

#include <algorithm>

using namespace heddle::schedule;

LongestPaths::LongestPaths(int events, int64_t apart)
    : events(events), distance(size_t(events) * events, -apart),
      last(size_t(events) * events), ends(new End[size_t(events)]) {
  for (int from = 0; from < events; ++from) {
    for (int to = 0; to < events; ++to)
      last[placeOf(from, to)] = -1 - from;
    distance[placeOf(from, from)] = 0;
  }
}

void LongestPaths::makeRoom(size_t more) {
  if (changeCount + more <= changeRoom)
    return;
  changeRoom = std::max(2 * changeRoom, changeCount + more);
  std::unique_ptr<Change[]> larger(new Change[changeRoom]);
  std::copy_n(before.get(), changeCount, larger.get());
  before = std::move(larger);
}

// With all paths known, only those change that lead to `from`, and end where a
// path from `from` itself changes. Neither the entries of `link.to` nor those
// that end at `link.from` change, since the link closes no cycle that is
// longer than nothing.
int64_t LongestPaths::add(const Arc &link, const Levels &levels) {
  if (holds(link))
    return 1;
  int32_t index = int32_t(links.size());
  links.push_back({link.from, levels});
  const int64_t *tails = &distance[placeOf(link.to, 0)];
  const int32_t *steps = &last[placeOf(link.to, 0)];
  const int64_t *mine = &distance[placeOf(link.from, 0)];
  size_t count = 0;
  for (int to = 0; to < events; ++to)
    if (link.weight + tails[to] > mine[to])
      ends[count++] = {to, to == link.to ? index : steps[to], tails[to]};
  int64_t seen = 2 * events;
  for (int from = 0; from < events; ++from) {
    int64_t *row = &distance[placeOf(from, 0)];
    int64_t head = row[link.from] + link.weight;
    if (head <= row[link.to])
      continue;
    seen += int64_t(count);
    makeRoom(count);
    int32_t *lasts = &last[placeOf(from, 0)];
    Change *next = &before[changeCount];
    for (const End *end = &ends[0], *behind = end + count; end != behind;
         ++end) {
      int64_t length = head + end->tail;
      int to = end->to;
      if (length <= row[to])
        continue;
      *next++ = {placeOf(from, to), lasts[to], row[to]};
      row[to] = length;
      lasts[to] = end->last;
    }
    changeCount = size_t(next - &before[0]);
  }
  return seen;
}

Levels LongestPaths::reason(int from, int to) const {
  Levels levels;
  while (to != from) {
    int32_t index = last[placeOf(from, to)];
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
  while (changeCount > mark.changes) {
    const Change &change = before[--changeCount];
    distance[change.place] = change.distance;
    last[change.place] = change.last;
  }
  links.resize(mark.links);
}
