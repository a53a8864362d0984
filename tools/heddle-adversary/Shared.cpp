//===- Shared.cpp - Accesses of shared memory -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of World that holds shared memory: an access of an agent goes in,
// and the state gains it or the world a finding. The clocks decide on races,
// fences and reads of bytes that nobody wrote, so that a fault shows in
// whatever order the steps come here and not only in the one where bytes
// differ.
//
//===----------------------------------------------------------------------===//

#include "World.h"

#include <algorithm>

using namespace heddle::adversary;

/// Through the async proxy.
static bool isAsync(Access::Kind kind) { return kind >= Access::Multiply; }

/// Is every byte of `range` in one of `parts`?
static bool isCovered(const Range &range, std::vector<Range> parts) {
  std::sort(parts.begin(), parts.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  int64_t reached = range.begin;
  for (const Range &part : parts)
    if (part.begin <= reached)
      reached = std::max(reached, part.end);
  return reached >= range.end;
}

void heddle::adversary::addPart(std::vector<Range> &parts, Range part) {
  std::erase_if(parts, [&](const Range &other) {
    if (other.end < part.begin || part.end < other.begin)
      return false;
    part.begin = std::min(part.begin, other.begin);
    part.end = std::max(part.end, other.end);
    return true;
  });
  parts.push_back(part);
}

/// False after a fault.
bool World::access(State &state, int agent, const Action &action,
                   const Range &range, Access::Kind kind) {
  Agent &a = state.agents[agent];
  Access next;
  next.kind = kind;
  next.agent = next.component = int8_t(agent);
  next.clock = a.knows[agent];
  next.event = a.at;
  next.range = range;
  next.isDone = kind <= Access::Write;
  next.group = kind == Access::Multiply ? a.products : a.stores;
  // Both agents of a process do their parts of one access.
  auto isTwin = [&](const Access &before) {
    return before.event == next.event && before.kind == kind &&
           who[before.agent].process == who[agent].process;
  };
  for (const Access &before : state.accesses) {
    if (!before.range.overlaps(range) || isTwin(before) ||
        !(before.isWrite() || next.isWrite()))
      continue;
    if (!before.isDone || a.knows[before.component] < before.clock) {
      fail("a race with what line " +
               std::to_string(scripts[who[before.agent].process]
                                  .entries[state.agents[before.agent].script]
                                  .script.actions[before.event]
                                  .line) +
               " does",
           action.line);
      return false;
    }
    bool isFenced = before.fence && a.knows[before.agent] >= before.fence;
    for (int other = 0; other < agents(); ++other)
      isFenced |= before.fences[size_t(other)] &&
                  a.knows[size_t(other)] >= before.fences[size_t(other)];
    bool isGeneric = before.kind == Access::Read ||
                     before.kind == Access::Write ||
                     before.kind == Access::CopyWrite;
    if (isGeneric && isAsync(kind) && !isFenced) {
      fail("a missing fence", action.line);
      return false;
    }
  }
  if (!next.isWrite() && !isCovered(range, state.written)) {
    fail("a read of bytes that nobody wrote", action.line);
    return false;
  }
  // What is ordered behind this access is ordered behind what it covers.
  std::erase_if(state.accesses, [&](const Access &before) {
    if (!range.covers(before.range) || isTwin(before))
      return false;
    // Stores and copies over it are no fence of a read.
    if (before.kind == Access::Read && !before.fence && next.isWrite() &&
        !isAsync(kind))
      return false;
    return next.isWrite() || (before.kind == kind && before.agent == agent &&
                              before.isDone && next.isDone);
  });
  state.accesses.push_back(next);
  if (kind == Access::Write) {
    addPart(state.written, range);
    std::erase_if(state.numbers, [&](const auto &entry) {
      return entry.first.overlaps(range);
    });
    if (action.storesNumber)
      state.numbers.push_back({range, action.number});
  }
  return true;
}

void World::load(State &state, int agent, const Action &action) {
  Agent &a = state.agents[agent];
  for (const Range &range : action.writes) {
    if (!access(state, agent, action, range, Access::LoadWrite))
      return;
    state.flying.push_back({int16_t(action.barrier), int16_t(agent), a.at,
                            a.knows[component(action.barrier)], action.bytes,
                            range});
  }
}

/// Of its own loads and stores, and of copies whose end it knows of.
void World::fence(State &state, int agent) {
  const Agent &a = state.agents[agent];
  for (Access &before : state.accesses) {
    if ((before.kind == Access::Write || before.kind == Access::Read) &&
        before.agent == agent && !before.fence)
      before.fence = a.knows[agent];
    uint16_t &mine = before.fences[size_t(agent)];
    if (before.kind == Access::CopyWrite && before.isDone && !mine &&
        a.knows[before.component] >= before.clock)
      mine = a.knows[agent];
  }
}

/// Products or stores up to group `upTo` have ended.
void World::retire(State &state, int agent, Access::Kind kind, int64_t upTo) {
  for (Access &access : state.accesses)
    if (access.kind == kind && access.agent == agent && !access.isDone &&
        access.group <= upTo) {
      access.isDone = true;
      access.clock = state.agents[agent].knows[agent];
    }
  // Of reads of the same bytes the last stands for all.
  for (size_t i = 0; i < state.accesses.size(); ++i) {
    const Access last = state.accesses[i];
    if (last.kind != kind || last.agent != agent || !last.isDone)
      continue;
    std::erase_if(state.accesses, [&](const Access &before) {
      return before.kind == kind && before.agent == agent && before.isDone &&
             before.range == last.range && before.group < last.group;
    });
  }
}

void World::readNumber(State &state, int agent, const Action &action) {
  Agent &a = state.agents[agent];
  int process = who[agent].process;
  for (const auto &[range, number] : state.numbers)
    if (range == action.reads[0]) {
      Scripts &all = scripts[process];
      auto found = all.entries[a.script].next.find(number);
      if (found == all.entries[a.script].next.end()) {
        std::vector<int64_t> numbers = all.entries[a.script].numbers;
        numbers.push_back(number);
        all.entries[a.script].next[number] = int(all.entries.size());
        int before = a.script;
        add(all, process, numbers);
        a.script = int16_t(all.entries[before].next[number]);
      } else {
        a.script = int16_t(found->second);
      }
      ++a.at;
      return;
    }
  finding = {Finding::Unknown, "a number read from bytes of something else",
             action.line, false};
}
