//===- RingSteps.cpp - acquire, publish, get, release ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of steps in docs/rationale/aref.md, row by row.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::simulator;

static Report complain(Process &process, Operation *op) {
  return report(op->getLoc(), diag::protocol_violation)
         << "process '" << process.name() << "' ";
}

/// Turns are taken one after another, each once.
LogicalResult Machine::checkTurn(Process &process, Operation *op,
                                 const Cell &cell, Ring &ring, int64_t next) {
  if (cell.kind != Cell::Turn)
    return complain(process, op) << "uses a turn that it never made";
  if (cell.ring != &ring)
    return complain(process, op) << "uses a turn of ring '" << cell.ring->name()
                                 << "' on ring '" << ring.name() << "'";
  if (cell.turn != next)
    return complain(process, op)
           << "uses turn " << cell.turn << " of ring '" << ring.name()
           << "' where its next one is turn " << next
           << "; carry the turn that the last step returned";
  return success();
}

/// The token that `value` is, if it is still good for `ring` and `side`.
std::shared_ptr<Token> Machine::takeToken(Process &process, Operation *op,
                                          Value value, Ring &ring,
                                          Token::Side side) {
  static constexpr StringLiteral kMakers[] = {"aref.acquire", "aref.get"};
  std::shared_ptr<Token> token = lookup(process, value).token;
  if (!token) {
    complain(process, op) << "uses a token that it never got";
  } else if (token->ring != &ring) {
    complain(process, op) << "uses a token of ring '" << token->ring->name()
                          << "' on ring '" << ring.name() << "'";
  } else if (token->side != side) {
    complain(process, op) << "uses a token that came from "
                          << kMakers[token->side] << "; this needs one from "
                          << kMakers[side];
  } else if (token->spentBy) {
    auto error = complain(process, op)
                 << (side == Token::Produce ? "publishes" : "releases")
                 << " turn " << token->turn << " of ring '" << ring.name()
                 << "' a second time";
    error.attachNote(token->spentBy->getLoc()) << "the first time was here";
  } else {
    return token;
  }
  return nullptr;
}

static Cell makeToken(Token token) {
  Cell cell;
  cell.kind = Cell::Token;
  cell.token = std::make_shared<Token>(std::move(token));
  return cell;
}

Progress Machine::stepRing(Process &process, Operation *op) {
  return llvm::TypeSwitch<Operation *, Progress>(op)
      .Case([&](aref::FirstTurnOp op) {
        return set(process, op.getTurn(),
                   Cell::ofTurn(ringOf(op.getRing()), 0));
      })
      .Case([&](aref::AcquireOp op) { return stepAcquire(process, op); })
      .Case([&](aref::PublishOp op) { return stepPublish(process, op); })
      .Case([&](aref::GetOp op) { return stepGet(process, op); })
      .Case([&](aref::ReleaseOp op) { return stepRelease(process, op); })
      .Case([&](aref::CloseOp op) { return stepClose(process, op); })
      .Case([&](aref::MoreOp op) { return stepMore(process, op); });
}

Progress Machine::stepAcquire(Process &process, aref::AcquireOp op) {
  Ring &ring = ringOf(op.getRing());
  const Cell &turn = lookup(process, op.getTurn());
  if (failed(checkTurn(process, op, turn, ring, ring.acquired)))
    return Progress::Failed;
  int64_t number = turn.turn;
  if (ring.closed) {
    auto error = complain(process, op)
                 << "acquires a slot of ring '" << ring.name()
                 << "', which it has closed";
    error.attachNote(ring.closed->getLoc()) << "closed here";
    return Progress::Failed;
  }
  ring.retire();
  if (TurnState *before = ring.find(number - ring.depth())) {
    Tasks tasks = before->arriving();
    for (const Share &share : before->shares)
      llvm::append_range(tasks, share.releasedAfter);
    return waitFor(process, Wait::Empty, op, ring, number, std::move(tasks));
  }
  ring.begin(op);
  change(ring, number);
  set(process, op.getToken(),
      makeToken({Token::Produce, &ring, number, &process, {}}));
  return set(process, op.getNext(), Cell::ofTurn(ring, number + 1));
}

Progress Machine::stepPublish(Process &process, aref::PublishOp op) {
  Ring &ring = ringOf(op.getRing());
  auto token = takeToken(process, op, op.getToken(), ring, Token::Produce);
  if (!token)
    return Progress::Failed;
  SmallVector<Cell, 4> payload;
  for (Value value : op.getValues()) {
    const Cell &cell = lookup(process, value);
    // What is still on its way is published as such.
    bool isArriving = cell.kind == Cell::Flight ||
                      (cell.kind == Cell::Data && cell.task && !cell.awaitedBy);
    Cell sent;
    sent.kind = Cell::Data;
    if (isArriving)
      sent.task = cell.task;
    else if (Progress progress = read(process, op, value, sent.datum);
             progress != Progress::Ran)
      return progress;
    payload.push_back(std::move(sent));
  }
  token->spentBy = op;
  change(ring, token->turn);
  TurnState &turn = *ring.find(token->turn);
  turn.payload = std::move(payload);
  turn.published = op;
  ++ring.published;
  return Progress::Ran;
}

Progress Machine::stepGet(Process &process, aref::GetOp op) {
  Ring &ring = ringOf(op.getRing());
  size_t consumer = ring.indexOf(process);
  int64_t number = ring.got[consumer];
  if (failed(
          checkTurn(process, op, lookup(process, op.getTurn()), ring, number)))
    return Progress::Failed;
  TurnState *turn = ring.find(number);
  if (!turn && ring.closed) {
    auto error = complain(process, op)
                 << "gets turn " << number << " of ring '" << ring.name()
                 << "', which was closed after "
                 << countOf(ring.acquired, "turn") << "; ask aref.more first";
    error.attachNote(ring.closed->getLoc()) << "closed here";
    return Progress::Failed;
  }
  if (!turn || !turn->isFull())
    return waitFor(process, Wait::Full, op, ring, number,
                   turn ? turn->arriving() : Tasks());
  ++ring.got[consumer];
  touched = {&ring, number};
  turn->shares[consumer].got = op;
  auto borrow = std::make_shared<Borrow>(Borrow{&ring, number});
  set(process, op.getToken(),
      makeToken({Token::Consume, &ring, number, &process, borrow}));
  set(process, op.getNext(), Cell::ofTurn(ring, number + 1));
  for (auto [value, sent] : llvm::zip_equal(op.getValues(), turn->payload)) {
    Cell cell = Cell::ofData(sent.task ? sent.task->result : sent.datum);
    cell.borrow = borrow;
    set(process, value, std::move(cell));
  }
  return Progress::Ran;
}

/// A slot goes back only when nothing that was started still reads it: by then
/// every such flight is proven to have landed, or the release waits for it.
LogicalResult Machine::checkReaders(Process &process, Operation *release,
                                    const Token &token, const Tasks &after) {
  for (auto &queue : queues) {
    if (queue->process != &process)
      continue;
    int64_t covered = queue->known;
    for (const auto &task : after)
      if (task->queue == queue.get())
        covered = std::max(covered, task->number + 1);
    for (const auto &flight : queue->flights) {
      if (flight->number < covered ||
          !llvm::is_contained(flight->reads, token.borrow))
        continue;
      auto error = complain(process, release)
                   << "releases turn " << token.turn << " of ring '"
                   << token.ring->name() << "' while a flight on unit '"
                   << queue->unit
                   << "' may still read it; await the flight first";
      error.attachNote(flight->op->getLoc()) << "started here";
      return error;
    }
  }
  return success();
}

/// Forgets flights that nobody can ask about any more, so that a process which
/// never awaits does not keep them all.
static void forgetLanded(Queue &queue) {
  auto isDone = [](const std::shared_ptr<Task> &flight) {
    return flight->hasLanded() &&
           llvm::all_of(flight->reads,
                        [](const auto &borrow) { return borrow->releasedBy; });
  };
  while (!queue.flights.empty() && isDone(queue.flights.front()))
    queue.flights.pop_front();
}

Progress Machine::stepRelease(Process &process, aref::ReleaseOp op) {
  Ring &ring = ringOf(op.getRing());
  auto token = takeToken(process, op, op.getToken(), ring, Token::Consume);
  if (!token)
    return Progress::Failed;
  Tasks after;
  for (Value value : op.getAfter()) {
    const Cell &cell = lookup(process, value);
    if (cell.kind == Cell::Flight) {
      after.push_back(cell.task);
      continue;
    }
    if (cell.borrow) // it was there before
      continue;
    interp::DatumRef computed;
    if (Progress progress = read(process, op, value, computed);
        progress != Progress::Ran)
      return progress;
  }
  if (failed(checkReaders(process, op, *token, after)))
    return Progress::Failed;
  token->spentBy = op;
  change(ring, token->turn);
  token->borrow->releasedBy = op;
  Share &share = ring.find(token->turn)->shares[ring.indexOf(process)];
  share.released = op;
  share.releasedAfter = std::move(after);
  for (auto &queue : queues)
    if (queue->process == &process)
      forgetLanded(*queue);
  return Progress::Ran;
}

Progress Machine::stepClose(Process &process, aref::CloseOp op) {
  Ring &ring = ringOf(op.getRing());
  if (failed(checkTurn(process, op, lookup(process, op.getTurn()), ring,
                       ring.acquired)))
    return Progress::Failed;
  if (ring.closed) {
    auto error = complain(process, op)
                 << "closes ring '" << ring.name() << "' a second time";
    error.attachNote(ring.closed->getLoc()) << "the first time was here";
    return Progress::Failed;
  }
  ring.closed = op;
  change(ring, ring.acquired);
  return Progress::Ran;
}

Progress Machine::stepMore(Process &process, aref::MoreOp op) {
  Ring &ring = ringOf(op.getRing());
  int64_t number = ring.got[ring.indexOf(process)];
  if (failed(
          checkTurn(process, op, lookup(process, op.getTurn()), ring, number)))
    return Progress::Failed;
  TurnState *turn = ring.find(number);
  bool isOver = !turn && ring.closed;
  if (!isOver && (!turn || !turn->isFull()))
    return waitFor(process, Wait::More, op, ring, number,
                   turn ? turn->arriving() : Tasks());
  touched = {&ring, number};
  return set(process, op.getMore(),
             Cell::ofData(interp::Evaluator::makeInteger(op.getMore().getType(),
                                                         isOver ? 0 : 1)));
}
