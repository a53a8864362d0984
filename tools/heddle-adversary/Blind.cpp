//===- Blind.cpp - A checker that is told less ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blind.h"

using namespace heddle;
using namespace heddle::adversary;
using check::Event;

static void blindEvent(const check::Protocol &protocol, Event &event,
                       Blindness blindness) {
  switch (blindness) {
  case Blindness::Accumulators:
    event.accumulator = check::kNoValue;
    event.isRead = false;
    break;
  case Blindness::Stores:
    if (event.kind == Event::TmaStoreWait)
      event.pending = 0;
    break;
  case Blindness::Sizes:
    for (check::Region &region : event.writes)
      if (event.kind == Event::Generic && region.ring >= 0) {
        region.offset = 0;
        region.bytes = protocol.rings[region.ring].slotBytes;
      }
    break;
  case Blindness::Copies:
    if (event.kind == Event::Copy)
      event.kind = Event::Generic;
    break;
  default:
    break;
  }
}

static void blindAll(const check::Protocol &protocol,
                     std::vector<check::Statement> &statements,
                     Blindness blindness) {
  for (size_t i = 0; i < statements.size(); ++i) {
    blindAll(protocol, statements[i].body, blindness);
    blindAll(protocol, statements[i].otherwise, blindness);
    if (statements[i].kind != check::Statement::Happen)
      continue;
    blindEvent(protocol, statements[i].event, blindness);
    if (blindness != Blindness::Fences ||
        statements[i].event.kind != Event::Generic)
      continue;
    check::Statement fence;
    fence.kind = check::Statement::Happen;
    fence.place = statements[i].place;
    fence.event.kind = Event::FenceAsync;
    fence.event.text = "fence_async";
    statements.insert(statements.begin() + i + 1, fence);
    ++i;
  }
}

void heddle::adversary::blind(check::Protocol &protocol, Blindness blindness) {
  if (blindness == Blindness::None)
    return;
  for (check::Process &process : protocol.processes) {
    for (check::Definition &definition : process.values) {
      if (definition.kind != check::Definition::Constant)
        continue;
      if (blindness == Blindness::Width)
        definition.number = int32_t(definition.number);
      if (blindness == Blindness::Signs && definition.bits == 1)
        definition.number = definition.number != 0;
    }
    blindAll(protocol, process.body, blindness);
  }
}
