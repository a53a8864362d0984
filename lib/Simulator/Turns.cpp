//===- Turns.cpp - A unit that serves its processes in turn ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between two events each process that has work gets the same share of every
// cycle.
//
//===----------------------------------------------------------------------===//

#include "Turns.h"

#include <algorithm>
#include <cmath>

using namespace heddle::simulator;

void Turns::serve(Queue &queue) {
  queue.isServed = true;
  for (Work &work : queue.works)
    if (work.issued < 0)
      work.issued = now + work.issue;
}

double Turns::handedOver() const {
  double issued = double(now + apart - servedSince) / issueOfOne;
  return std::min(issued, handedAtMost);
}

void Turns::begin(unsigned process, int64_t cycles, int64_t instructions,
                  int64_t issue, size_t number) {
  if (queues.size() <= process)
    queues.resize(process + 1);
  Queue &queue = queues[process];
  queue.works.push_back({double(cycles), double(cycles) / double(instructions),
                         issue, number, now});
  double before = isBusy() ? handedOver() : 0;
  if (queue.isServed) {
    handedAtMost += double(instructions);
    serve(queue);
  } else if (isBusy() && before < double(capacity)) {
    queue.behind = before * instruction;
    serve(queue);
  }
  turn();
}

void Turns::turn() {
  if (isBusy())
    return;
  Queue *next = nullptr;
  for (Queue &queue : queues)
    if (!queue.works.empty() &&
        (!next || queue.works.front().asked < next->works.front().asked))
      next = &queue;
  if (!next)
    return;
  serve(*next);
  const Work &work = next->works.front();
  servedSince = now;
  instruction = work.instruction;
  handedAtMost = 0;
  for (const Work &one : next->works)
    handedAtMost += one.left / one.instruction;
  issueOfOne = double(std::max<int64_t>(1, work.issue)) * work.instruction /
               std::max(1.0, work.left);
}

bool Turns::isBusy() const {
  return std::any_of(queues.begin(), queues.end(),
                     [](const Queue &queue) { return queue.isServed; });
}

int Turns::served() const {
  return int(
      std::count_if(queues.begin(), queues.end(), [](const Queue &queue) {
        return queue.isServed && queue.behind <= 0 &&
               queue.works.front().left > 0;
      }));
}

/// What rounding left is no cycle.
int64_t Turns::after(double cycles) const {
  return now + int64_t(std::ceil(cycles * std::max(1, served()) - 1e-6));
}

std::optional<Turns::End> Turns::nextEnd() const {
  std::optional<End> first;
  for (size_t process = 0; process < queues.size(); ++process) {
    if (!queues[process].isServed || queues[process].behind > 0)
      continue;
    const Work &work = queues[process].works.front();
    int64_t time = std::max(after(work.left), work.issued);
    if (!first || time < first->time)
      first = End{work.begun < 0 ? now : work.begun, time, unsigned(process),
                  work.number};
  }
  return first;
}

std::optional<int64_t> Turns::nextChange() const {
  std::optional<int64_t> first;
  for (const Queue &queue : queues)
    if (queue.behind > 0) {
      int64_t time = now + int64_t(std::ceil(queue.behind));
      first = std::min(first.value_or(time), time);
    }
  return first;
}

void Turns::advance(int64_t time) {
  double each = double(time - now) / std::max(1, served());
  for (Queue &queue : queues)
    if (queue.behind > 0)
      queue.behind = std::max(0.0, queue.behind - double(time - now));
    else if (queue.isServed) {
      Work &work = queue.works.front();
      work.left = std::max(0.0, work.left - each);
      if (work.begun < 0)
        work.begun = now;
    }
  now = time;
}

void Turns::finish(unsigned process) {
  Queue &queue = queues[process];
  queue.works.pop_front();
  queue.isServed = !queue.works.empty();
  // Nobody is left to be behind of.
  if (served() == 0)
    for (Queue &other : queues)
      other.behind = 0;
  turn();
}

std::optional<int64_t> Turns::whenIssued(unsigned process) const {
  if (process >= queues.size() || queues[process].works.empty())
    return now;
  const Queue &mine = queues[process];
  if (!mine.isServed)
    return std::nullopt;
  // The queue holds the last instructions to be executed, whosever they are.
  double left = 0;
  for (const Work &work : mine.works)
    left += work.left;
  double remaining = mine.behind + left * std::max(1, served());
  double held =
      std::min(double(capacity) * mine.works.back().instruction, remaining);
  int64_t room = now + int64_t(remaining - held);
  return std::max(mine.works.back().issued, room);
}
