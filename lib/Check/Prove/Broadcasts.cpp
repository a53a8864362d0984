//===- Broadcasts.cpp - Numbers that processes hand on ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Broadcasts.h"

#include <functional>

namespace heddle::check {

static void eachEvent(const std::vector<Statement> &statements,
                      const std::function<void(const Event &)> &visit) {
  for (const Statement &statement : statements) {
    if (statement.kind == Statement::Happen)
      visit(statement.event);
    eachEvent(statement.body, visit);
    eachEvent(statement.otherwise, visit);
  }
}

static bool meet(const Region &a, const Region &b) {
  return a.ring == b.ring && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

static bool isSamePlace(const Region &a, const Region &b) {
  return a.ring == b.ring && a.offset == b.offset && a.bytes == b.bytes;
}

/// What an event of a process writes where a number is read. The same bytes are
/// the same number where they have the same bits.
struct Writer {
  const Event *event = nullptr;
  int bits = 0;
};

/// The only event that writes to a place, if it writes a number.
static Writer findWriter(const Protocol &protocol, const Region &place) {
  Writer writer;
  bool isOnly = true;
  for (const Process &process : protocol.processes)
    eachEvent(process.body, [&](const Event &event) {
      for (const Region &region : event.writes)
        if (meet(region, place)) {
          isOnly &= !writer.event && isSamePlace(region, place);
          writer.event = &event;
          if (event.stored != kNoValue)
            writer.bits = process.values[event.stored].bits;
        }
    });
  return isOnly && writer.bits ? writer : Writer();
}

Broadcasts::Broadcasts(const Protocol &protocol) {
  for (size_t p = 0; p < protocol.processes.size(); ++p)
    eachEvent(protocol.processes[p].body, [&](const Event &event) {
      if (event.loaded == kNoValue || event.reads.size() != 1)
        return;
      Writer writer = findWriter(protocol, event.reads[0]);
      if (writer.bits == protocol.processes[p].values[event.loaded].bits)
        writers[{int(p), event.loaded}] =
            indices.try_emplace(writer.event, int(indices.size()))
                .first->second;
    });
  known.resize(indices.size());
  found.resize(indices.size());
}

int Broadcasts::writerOf(int process, Value loaded) const {
  auto entry = writers.find({process, loaded});
  return entry == writers.end() ? -1 : entry->second;
}

int Broadcasts::indexOf(const Event &event) const {
  auto entry = indices.find(&event);
  return entry == indices.end() ? -1 : entry->second;
}

bool Broadcasts::settle() {
  bool changed = known != found;
  known = found;
  return changed;
}

void Broadcasts::forget() { writers.clear(); }

} // namespace heddle::check
