//===- SmallModel.cpp - Every order of steps of a small protocol ----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access of threads has a beginning and an end, and two that overlap in time
// and in place are a race. A copy by TMA lasts until it lands, at any time; a
// product and a TMA store last until a wait says that they are over. Bytes that
// a thread wrote are invisible to the async proxy until that thread's fence;
// those that a thread's copy wrote, until a fence of the reader's after it
// landed. What a thread reads may be under way to it until its fence, where TMA
// writes next. An arrival with copies comes at any time after they landed. A
// number that a warp reads is what stands there, and decides how it goes on.
//
//===----------------------------------------------------------------------===//

#include "SmallModel.h"

#include <array>
#include <bit>
#include <unordered_set>

namespace heddle::check {

namespace {

/// `arrivals`: of an arrival with all that a warp's threads copied before.
struct Copy {
  int barrier;
  Granules writes;
  int64_t bytes;
  int64_t arrivals = 0;
};

struct Warp {
  int process = 0, index = 0;
  int pc = 0;
  bool isInside = false, isAtSync = false;
  std::vector<Granules> products, stores; ///< in flight, oldest first
  Granules dirty = 0;                     ///< written and not fenced
  Granules read = 0;                      ///< by its threads, and not fenced
  Granules copying = 0;         ///< by copies that no arrival named yet
  Granules fenced = 0;          ///< of what copies wrote, if it landed before
  std::vector<int> waits;       ///< for each barrier
  std::vector<int64_t> numbers; ///< that it read, in order
};

struct MBarrier {
  int64_t pending = 0, bytes = 0, completions = 0;
};

struct World {
  std::vector<Warp> warps;
  std::vector<MBarrier> barriers;
  std::vector<Copy> copies;
  Granules written = 0;
  Granules copied = 0;               ///< written last by a copy of threads
  std::array<int64_t, 64> numbers{}; ///< in the granules that hold one

  std::string key() const {
    std::string text;
    auto put = [&](int64_t number) {
      text.append(reinterpret_cast<const char *>(&number), sizeof number);
    };
    for (const Warp &warp : warps) {
      put(warp.pc * 4 + warp.isInside * 2 + warp.isAtSync);
      put(int64_t(warp.dirty));
      put(int64_t(warp.read));
      put(int64_t(warp.copying));
      put(int64_t(warp.fenced));
      put(int64_t(warp.numbers.size()));
      for (int64_t number : warp.numbers)
        put(number);
    }
    for (const MBarrier &barrier : barriers) {
      put(barrier.pending);
      put(barrier.bytes);
      put(barrier.completions);
    }
    for (const Copy &copy : copies) {
      put(copy.barrier);
      put(int64_t(copy.writes));
      put(copy.arrivals);
    }
    put(int64_t(written));
    put(int64_t(copied));
    for (int64_t i = 0; i < 64; ++i)
      if (numbers[i])
        put(i), put(numbers[i]);
    return text;
  }
};

class Explorer {
public:
  Explorer(const Protocol &protocol, const Symbols &symbols)
      : protocol(protocol), symbols(symbols) {}
  std::optional<std::string> explore();

private:
  World initial();
  const Unrolled &unrolled(const Warp &warp);
  bool step(World &world, Warp &warp);
  bool begin(World &world, Warp &warp, Granules reads, Granules writes,
             bool isAsync);
  void land(World &world, size_t copy);
  void arrive(World &world, int barrier, int64_t count, int64_t bytes);
  void complete(World &world, int barrier);
  void checkEnd(const World &world);
  const Action &actionOf(const Warp &warp) {
    return unrolled(warp).actions[warp.pc];
  }
  bool hasEnded(const Warp &warp) {
    return warp.pc == int(unrolled(warp).actions.size());
  }
  int64_t countOf(int barrier) const {
    size_t ring = 0;
    while (barrier >= 2 * protocol.rings[ring].depth)
      barrier -= 2 * int(protocol.rings[ring++].depth);
    return barrier % 2 ? protocol.rings[ring].emptyArrivals
                       : protocol.rings[ring].fullArrivals;
  }
  Granules shareOf(const Warp &warp, Granules tile) const {
    Granules share = 0;
    int64_t number = 0, warps = protocol.processes[warp.process].warps;
    for (int i = 0; i < 64; ++i)
      if (tile >> i & 1)
        if (number++ % warps == warp.index)
          share |= Granules(1) << i;
    return share;
  }

  const Protocol &protocol;
  const Symbols &symbols;
  std::map<std::pair<int, std::vector<int64_t>>, Unrolled> known;
  std::string fault;
};

} // namespace

/// What the warp's process does, as far as the numbers that it read say.
const Unrolled &Explorer::unrolled(const Warp &warp) {
  auto [entry, isNew] =
      known.try_emplace(std::pair(warp.process, warp.numbers));
  if (isNew)
    entry->second = unroll(protocol, protocol.processes[warp.process], symbols,
                           warp.numbers);
  if (!entry->second.isFine)
    fault = "a slot, place or flight that is not there";
  return entry->second;
}

World Explorer::initial() {
  World world;
  size_t barriers = 0;
  for (const Ring &ring : protocol.rings)
    barriers += 2 * ring.depth;
  world.barriers.resize(barriers);
  for (size_t i = 0; i < barriers; ++i)
    world.barriers[i].pending = countOf(int(i));
  for (size_t p = 0; p < protocol.processes.size(); ++p) {
    const Process &process = protocol.processes[p];
    for (int64_t w = 0; w < (process.elected ? 1 : process.warps); ++w) {
      Warp warp;
      warp.process = int(p);
      warp.index = int(w);
      warp.waits.resize(barriers);
      world.warps.push_back(warp);
    }
  }
  return world;
}

/// Starts an access, unless another is going on where it must not.
bool Explorer::begin(World &world, Warp &warp, Granules reads, Granules writes,
                     bool isAsync) {
  Granules all = reads | writes;
  for (const Warp &other : world.warps) {
    if (&other != &warp && other.isInside) {
      const Action &action = actionOf(other);
      Granules otherWrites = shareOf(other, action.writes);
      if ((otherWrites & all) || (action.reads & writes))
        fault = "a race of threads";
    }
    for (const auto *list : {&other.products, &other.stores})
      for (Granules busy : *list)
        if (busy & writes)
          fault = "a race with a product or store";
    if (isAsync && ((other.dirty & all) || (other.read & writes)))
      fault = "a missing fence";
    if (other.copying & all)
      fault = "a race with a copy of threads";
  }
  if (isAsync && (world.copied & ~warp.fenced & all))
    fault = "a missing fence of a reader";
  for (const Copy &copy : world.copies)
    if (copy.writes & all)
      fault = "a race with a copy";
  if (reads & ~world.written)
    fault = "a read of what nobody wrote";
  return fault.empty();
}

void Explorer::complete(World &world, int index) {
  MBarrier &barrier = world.barriers[index];
  if (barrier.pending == 0 && barrier.bytes < 0)
    fault = "more bytes than expected";
  if (barrier.pending || barrier.bytes)
    return;
  barrier.pending = countOf(index);
  ++barrier.completions;
}

void Explorer::arrive(World &world, int index, int64_t count, int64_t bytes) {
  MBarrier &barrier = world.barriers[index];
  if (barrier.pending < count)
    fault = "an arrival too many";
  barrier.pending -= count;
  barrier.bytes += bytes;
  complete(world, index);
}

void Explorer::land(World &world, size_t number) {
  Copy copy = world.copies[number];
  world.copies.erase(world.copies.begin() + number);
  world.written |= copy.writes;
  world.copied &= ~copy.writes;
  if (copy.arrivals) {
    world.copied |= copy.writes;
    for (Warp &warp : world.warps)
      warp.fenced &= ~copy.writes;
    return arrive(world, copy.barrier, copy.arrivals, 0);
  }
  world.barriers[copy.barrier].bytes -= copy.bytes;
  complete(world, copy.barrier);
}

/// False if the warp cannot go on.
bool Explorer::step(World &world, Warp &warp) {
  const Action &action = actionOf(warp);
  const Event &event = *action.event;
  const Process &process = protocol.processes[warp.process];
  bool isFirst = warp.index == 0;
  switch (event.kind) {
  case Event::Wait: {
    const MBarrier &barrier = world.barriers[action.barrier];
    if (barrier.completions % 2 == action.phase)
      return false;
    ++warp.waits[action.barrier];
    break;
  }
  case Event::Arrive:
    arrive(world, action.barrier, 1, 0);
    break;
  case Event::Expect:
    if (isFirst)
      arrive(world, action.barrier, 1, event.bytes);
    break;
  case Event::TmaLoad:
    if (!begin(world, warp, 0, action.writes, true))
      return true;
    world.copies.push_back(
        {action.barrier, action.writes, event.writes[0].bytes});
    break;
  case Event::Copy:
    if (!begin(world, warp, 0, shareOf(warp, action.writes), false))
      return true;
    warp.copying |= shareOf(warp, action.writes);
    break;
  case Event::ArriveCopies:
    world.copies.push_back({action.barrier, warp.copying, 0, 32});
    warp.copying = 0;
    break;
  case Event::Generic:
    if (!warp.isInside) {
      if (begin(world, warp, action.reads, shareOf(warp, action.writes), false))
        warp.isInside = true;
      return true;
    }
    warp.isInside = false;
    warp.dirty |= shareOf(warp, action.writes);
    warp.read |= action.reads;
    world.written |= shareOf(warp, action.writes);
    world.copied &= ~shareOf(warp, action.writes);
    for (int i = 0; i < 64; ++i)
      if (shareOf(warp, action.writes) >> i & 1)
        world.numbers[i] = action.stored;
    if (event.loaded != kNoValue)
      warp.numbers.push_back(world.numbers[std::countr_zero(action.reads)]);
    break;
  case Event::Wgmma:
    if (!begin(world, warp, action.reads, 0, true))
      return true;
    warp.products.push_back(action.reads);
    break;
  case Event::Hold:
    break;
  case Event::WgmmaWait:
    while (int64_t(warp.products.size()) > event.pending)
      warp.products.erase(warp.products.begin());
    break;
  case Event::FenceAsync:
    warp.dirty = warp.read = 0;
    warp.fenced = world.copied;
    break;
  case Event::Sync: {
    // All warps of the process; other uses have no place in a small model.
    if (event.threads != process.threads()) {
      fault = "a named barrier for others";
      return true;
    }
    warp.isAtSync = true;
    for (const Warp &other : world.warps)
      if (other.process == warp.process &&
          (other.pc != warp.pc || !other.isAtSync))
        return true;
    for (Warp &other : world.warps)
      if (other.process == warp.process) {
        other.isAtSync = false;
        ++other.pc;
      }
    return true;
  }
  case Event::TmaStore:
    if (isFirst) {
      if (!begin(world, warp, action.reads, 0, true))
        return true;
      warp.stores.push_back(action.reads);
    }
    break;
  case Event::TmaStoreWait:
    while (isFirst && int64_t(warp.stores.size()) > event.pending)
      warp.stores.erase(warp.stores.begin());
    break;
  }
  ++warp.pc;
  return true;
}

void Explorer::checkEnd(const World &world) {
  if (!world.copies.empty())
    fault = "a copy in flight in the end";
  for (const Warp &warp : world.warps)
    if (!warp.products.empty() || !warp.stores.empty() || warp.copying)
      fault = "something in flight in the end";
  for (size_t i = 0; i < world.barriers.size(); ++i) {
    const MBarrier &barrier = world.barriers[i];
    if (barrier.bytes || barrier.pending != countOf(int(i)))
      fault = "a phase begun in the end";
    if (i % 2 == 0 && barrier.completions != world.barriers[i + 1].completions)
      fault = "turns that are not released";
    // One wait for each turn, at either side.
    int64_t turns = world.barriers[i / 2 * 2].completions;
    for (const Warp &warp : world.warps)
      if (warp.waits[i] && warp.waits[i] != turns)
        fault = "turns that are not waited for once each";
  }
}

std::optional<std::string> Explorer::explore() {
  std::unordered_set<std::string> seen;
  std::vector<World> work;
  work.push_back(initial());
  seen.insert(work.back().key());
  while (!work.empty() && fault.empty()) {
    World world = std::move(work.back());
    work.pop_back();
    bool isStuck = true, isOver = true;
    auto push = [&](World &&next) {
      isStuck = false;
      if (fault.empty() && seen.insert(next.key()).second)
        work.push_back(std::move(next));
    };
    for (size_t i = 0; i < world.warps.size() && fault.empty(); ++i) {
      if (hasEnded(world.warps[i]))
        continue;
      isOver = false;
      if (world.warps[i].isAtSync)
        continue;
      World next = world;
      if (step(next, next.warps[i]))
        push(std::move(next));
    }
    for (size_t i = 0; i < world.copies.size() && fault.empty(); ++i) {
      World next = world;
      land(next, i);
      push(std::move(next));
    }
    if (!fault.empty())
      break;
    if (isOver && world.copies.empty())
      checkEnd(world);
    else if (isStuck)
      fault = isOver ? "a copy in flight in the end" : "a deadlock";
    if (seen.size() > 2000000)
      fault = "too many states for a small model";
  }
  if (fault.empty())
    return std::nullopt;
  return fault;
}

std::optional<std::string> findFault(const Protocol &protocol,
                                     const Symbols &symbols) {
  return Explorer(protocol, symbols).explore();
}

} // namespace heddle::check
