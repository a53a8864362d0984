//===- WaitCycle.cpp - Who waits for whom in a circle ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WaitCycle.h"

using namespace llvm;
using namespace heddle::simulator;

namespace {

class CycleSearch {
public:
  explicit CycleSearch(ArrayRef<BlockedProcess> blocked) : blocked(blocked) {
    for (auto [index, one] : enumerate(blocked))
      places[one.process] = index;
    state.resize(blocked.size());
  }

  /// The first circle with a wait for a slot, as places in `blocked`.
  std::vector<size_t> find() {
    for (size_t start = 0; start < blocked.size(); ++start)
      if (state[start] == New && visit(start))
        return circle;
    return {};
  }

private:
  enum State : char { New, OnPath, Done };

  bool visit(size_t place) {
    state[place] = OnPath;
    path.push_back(place);
    for (Process *next : blocked[place].waitsFor) {
      auto found = places.find(next);
      if (found == places.end() || state[found->second] == Done)
        continue;
      if (state[found->second] == New) {
        if (visit(found->second))
          return true;
        continue;
      }
      circle.assign(llvm::find(path, found->second), path.end());
      if (any_of(circle, [&](size_t one) { return blocked[one].wantsSlot; }))
        return true;
    }
    path.pop_back();
    state[place] = Done;
    return false;
  }

  ArrayRef<BlockedProcess> blocked;
  DenseMap<Process *, size_t> places;
  std::vector<State> state;
  std::vector<size_t> path, circle;
};

} // namespace

std::optional<WaitCycle>
heddle::simulator::findWaitCycle(ArrayRef<BlockedProcess> blocked,
                                 function_ref<int64_t(Ring *)> slotsOf) {
  std::vector<size_t> circle = CycleSearch(blocked).find();
  if (circle.empty())
    return std::nullopt;
  auto least = circle.end();
  for (auto place = circle.begin(); place != circle.end(); ++place)
    if (blocked[*place].wantsSlot &&
        (least == circle.end() ||
         slotsOf(blocked[*place].ring) < slotsOf(blocked[*least].ring)))
      least = place;
  std::rotate(circle.begin(), least, circle.end());
  std::string text;
  for (size_t i = 0; i < circle.size(); ++i) {
    const BlockedProcess &one = blocked[circle[i]];
    const BlockedProcess &next = blocked[circle[(i + 1) % circle.size()]];
    text += (i ? ", '" : "'") + one.process->name().str() +
            (i ? "' for '" : "' waits for '") + next.process->name().str() +
            (one.wantsSlot ? "' to empty '" : "' to fill '") +
            one.ring->name().str() + "'";
  }
  return WaitCycle{blocked[circle.front()].ring, text};
}
