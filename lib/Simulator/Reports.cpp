//===- Reports.cpp - Deadlocks, and what a program left undone ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The messages of a run that cannot go on, or that ends with work undone. A
// deadlock involves several processes: each is named with the turn that it
// waits for and the process that holds it, since none of them alone is at
// fault.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

static std::string quote(StringRef name) { return ("'" + name + "'").str(); }

/// Why the slot of `turn` is not empty yet.
static std::string whyNotEmpty(Ring &ring, int64_t turn) {
  TurnState *before = ring.find(turn - ring.depth());
  std::string reason = "turn " + std::to_string(turn) + " of ring " +
                       quote(ring.name()) + " needs the slot of turn " +
                       std::to_string(turn - ring.depth());
  if (!before->published)
    return reason + ", which it has not published itself";
  SmallVector<std::string> holders;
  for (auto [consumer, share] : llvm::zip(ring.consumers, before->shares))
    if (!share.isOver())
      holders.push_back(quote(consumer->name()) +
                        (consumer->hasEnded() ? " (which has ended)" : ""));
  return reason + ", which " + llvm::join(holders, " and ") +
         (holders.size() == 1 ? " has" : " have") + " not released";
}

/// Why the slot of `turn` is not full yet.
static std::string whyNotFull(Ring &ring, int64_t turn) {
  std::string reason =
      "turn " + std::to_string(turn) + " of ring " + quote(ring.name());
  Process *producer = ring.producer;
  if (!producer)
    return reason + ", which no process fills";
  reason += ", which " + quote(producer->name()) + " has not published";
  if (producer->hasEnded())
    reason += "; it ended after " + countOf(ring.published, "turn");
  return reason;
}

std::string Machine::describeWait(Process &process) {
  const Wait &wait = process.wait;
  std::string who = "process " + quote(process.name()) + " waits ";
  switch (wait.kind) {
  case Wait::Empty:
    return who + "to acquire: " + whyNotEmpty(*wait.ring, wait.turn);
  case Wait::Full:
    return who + "to get " + whyNotFull(*wait.ring, wait.turn);
  case Wait::More:
    return who + "to hear of " + whyNotFull(*wait.ring, wait.turn);
  case Wait::Tasks:
    break;
  }
  return who + "for work to land";
}

LogicalResult Machine::finish() {
  bool haveEnded = llvm::all_of(
      processes, [](auto &process) { return process->hasEnded(); });
  return haveEnded ? checkEnd() : reportDeadlock();
}

LogicalResult Machine::reportDeadlock() {
  std::optional<Report> error;
  for (auto &process : processes) {
    if (process->hasEnded())
      continue;
    Location loc = process->wait.op->getLoc();
    if (!error)
      error.emplace(report(loc, diag::deadlock)
                    << "deadlock: " << describeWait(*process));
    else
      error->attachNote(loc) << describeWait(*process);
  }
  return failure();
}

LogicalResult Machine::checkEnd() {
  bool isFine = true;
  auto complain = [&](Operation *op) {
    isFine = false;
    return report(op->getLoc(), diag::protocol_violation);
  };
  for (auto &[value, ring] : rings) {
    ring->retire();
    StringRef name = ring->name();
    ring->forEachTurn([&, &ring = *ring](int64_t number, TurnState &turn) {
      if (!turn.published)
        complain(turn.acquired)
            << "process '" << ring.producer->name() << "' ends without "
            << "publishing turn " << number << " of ring '" << name
            << "', which it acquired here";
      for (auto [consumer, share] : llvm::zip(ring.consumers, turn.shares))
        if (share.got && !share.released)
          complain(share.got)
              << "process '" << consumer->name() << "' ends without "
              << "releasing turn " << number << " of ring '" << name
              << "', which it got here";
    });
    for (auto [consumer, got] : llvm::zip(ring->consumers, ring->got))
      if (got != ring->published)
        complain(ring->op) << "ring '" << name << "': process '"
                           << (ring->producer ? ring->producer->name()
                                              : StringRef())
                           << "' published " << countOf(ring->published, "turn")
                           << " but process '" << consumer->name() << "' got "
                           << got;
  }
  return success(isFine);
}
