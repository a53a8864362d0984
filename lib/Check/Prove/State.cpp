//===- State.cpp - Comparing and rebasing states ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

#include <algorithm>
#include <tuple>

namespace heddle::check {

namespace {
/// Appends numbers to a string so that no two sequences of numbers have one
/// text: small ones in a byte, others in nine. What is written must say itself
/// how many numbers follow where that is not fixed.
class Writer {
public:
  std::string text;
  void put(int64_t number) {
    if (number >= -64 && number < 64) {
      text.push_back(char(number + 64));
      return;
    }
    text.push_back(char(128));
    text.append(reinterpret_cast<const char *>(&number), sizeof number);
  }
  template <typename List> void putAll(const List &list) {
    put(int64_t(list.size()));
    for (int64_t number : list)
      put(number);
  }
  void put(const Linear &number) {
    put(number.constant);
    put(int64_t(number.terms.size()));
    for (const auto &[term, factor] : number.terms) {
      put(term);
      put(factor);
    }
  }
};
} // namespace

/// What a record is, but for the iteration.
static auto identity(const Record &record) {
  return std::tie(record.kind, record.owner, record.barrier, record.age,
                  record.isDone, record.isFenced, record.begin, record.end,
                  record.writer);
}

void State::sortRecords() {
  // A record is large, so each moves once.
  std::vector<Record *> order;
  order.reserve(records.size());
  for (Record &record : records)
    order.push_back(&record);
  std::stable_sort(
      order.begin(), order.end(), [](const Record *a, const Record *b) {
        return std::tuple_cat(identity(*a), std::tie(a->iteration)) <
               std::tuple_cat(identity(*b), std::tie(b->iteration));
      });
  std::vector<Record> sorted;
  sorted.reserve(records.size());
  for (Record *record : order)
    sorted.push_back(std::move(*record));
  records = std::move(sorted);
}

std::vector<Knowers> State::knowledge() const {
  std::vector<Knowers> result;
  for (const Record &record : records) {
    result.push_back(record.known);
    result.push_back(record.fenced);
  }
  return result;
}

void State::setKnowledge(const std::vector<Knowers> &knowledge) {
  for (size_t i = 0; i < records.size(); ++i) {
    records[i].known = knowledge[2 * i];
    records[i].fenced = knowledge[2 * i + 1];
  }
}

std::string State::key(const Program &program) const {
  Writer out;
  for (size_t p = 0; p < processes.size(); ++p) {
    const Running &running = processes[p];
    out.put(running.pc);
    out.put(running.isAtMeeting);
    out.putAll(running.frames);
    for (Value value : program.processes[p].code[running.pc].live) {
      const Datum &datum = running.values[value];
      out.put(datum.kind);
      out.put(datum.number);
      if (datum.kind == Datum::Flight) {
        out.put(datum.flight);
        out.put(datum.use);
      }
    }
    out.putAll(running.held);
    out.put(int64_t(running.operands.size()));
    for (const auto &[operand, age] : running.operands) {
      out.put(operand.first);
      out.putAll(operand.second);
      out.put(age);
    }
  }
  for (const Barrier &barrier : barriers) {
    out.put(barrier.pending);
    out.put(barrier.bytes);
    out.put(barrier.parity);
    bool isFresh = false; // somebody's first wait is still to come
    for (size_t p = 0; p < processes.size(); ++p) {
      out.put(barrier.behind[p]);
      isFresh |=
          barrier.behind[p] == Barrier::kNever && barrier.waiters >> p & 1;
    }
    out.put(isFresh ? barrier.completions : -1);
  }
  for (const Meeting &meeting : meetings) {
    out.put(meeting.arrived);
    out.put(meeting.threads);
    out.put(meeting.participants);
  }
  out.put(int64_t(records.size()));
  for (const Record &record : records) {
    std::apply([&](const auto &...numbers) { (out.put(numbers), ...); },
               identity(record));
    out.putAll(record.iteration);
  }
  out.put(int64_t(instances.size()));
  for (const auto &[path, instance] : instances) {
    out.putAll(path);
    out.put(instance.least);
    out.put(instance.most);
    for (size_t p = 0; p < processes.size(); ++p) {
      out.put(instance.status[p]);
      out.put(instance.position[p]);
    }
  }
  out.put(int64_t(conditions.size()));
  for (const auto &[where, holds] : conditions) {
    out.putAll(where.first);
    out.put(where.second);
    out.put(holds);
  }
  out.put(usesData);
  return std::move(out.text);
}

/// Is `path` inside of an iteration of the instance at `of`?
static bool isInside(const Path &path, const Path &of) {
  return path.size() > of.size() &&
         std::equal(of.begin(), of.end(), path.begin());
}

template <typename Map, typename Get>
static void moveInside(Map &map, const Path &of, int64_t down, Get getPath) {
  Map moved;
  for (auto &entry : map) {
    auto key = entry.first;
    Path &path = getPath(key);
    if (isInside(path, of)) {
      path[of.size()] -= down;
      if (path[of.size()] < 0 && down > 0)
        continue; // everybody is past this iteration
    }
    moved.emplace(std::move(key), std::move(entry.second));
  }
  map = std::move(moved);
}

/// What everybody is past stays a reader, of registers that were made before.
static void moveOperands(Running &running, const Path &path, int64_t down) {
  std::map<std::pair<Value, Path>, int64_t> moved;
  for (const auto &[operand, age] : running.operands) {
    auto [value, iteration] = operand;
    if (isInside(iteration, path) && (iteration[path.size()] -= down) < 0)
      iteration = Running::kPast;
    auto [entry, isNew] = moved.try_emplace({value, std::move(iteration)}, age);
    entry->second = std::min(entry->second, age);
  }
  running.operands = std::move(moved);
}

static void moveDown(State &state, const Path &path, int64_t down) {
  for (Running &running : state.processes)
    moveOperands(running, path, down);
  moveInside(state.instances, path, down, [](Path &p) -> Path & { return p; });
  moveInside(state.conditions, path, down,
             [](std::pair<Path, Linear> &p) -> Path & { return p.first; });
  for (Record &record : state.records)
    if (isInside(record.iteration, path) &&
        (record.iteration[path.size()] -= down) < 0) {
      record.writer = -1;
      record.iteration.clear();
    }
}

/// Moves one instance; true if the paths of others changed with it.
static bool rebaseInstance(State &state, const Program &program,
                           const Path &path) {
  Instance &instance = state.instances.at(path);
  const Construct &construct = program.constructs[path.back()];
  int64_t least = INT64_MAX;
  bool isCounted = true, isOver = true;
  for (size_t p = 0; p < state.processes.size(); ++p) {
    if (!(construct.participants >> p & 1) ||
        instance.status[p] == Instance::Done)
      continue;
    isOver = false;
    isCounted &= instance.status[p] == Instance::Inside;
    least = std::min(least, instance.position[p]);
  }
  if (isOver) {
    moveDown(state, path, int64_t(1) << 62); // drops what is inside
    state.instances.erase(path);
    return true;
  }
  if (!isCounted || least == 0)
    return false;
  // Nobody asks about points below 0 any more: T >= 0 says nothing.
  if (instance.least != Instance::kNoLeast)
    instance.least =
        instance.least <= least ? Instance::kNoLeast : instance.least - least;
  if (instance.most != Instance::kNoMost)
    instance.most -= least;
  for (size_t p = 0; p < state.processes.size(); ++p)
    if (instance.status[p] == Instance::Inside)
      instance.position[p] -= least;
    else
      instance.position[p] = 0;
  moveDown(state, path, least);
  return true;
}

void rebase(State &state, const Program &program) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &entry : state.instances) {
      Path path = entry.first;
      if (rebaseInstance(state, program, path)) {
        changed = true;
        break;
      }
    }
  }
}

} // namespace heddle::check
