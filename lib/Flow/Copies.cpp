//===- Copies.cpp - Tokens dealt out to parallel copies, and back ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

using namespace heddle::flow;

void heddle::flow::dealTokens(const Stream &stream, int64_t chunk,
                              const std::vector<Stream *> &shares) {
  Dealer dealer(shares.size(), chunk);
  for (const Token &token : stream) {
    if (!token.isStop()) {
      shares[dealer.next()]->push_back(token);
      continue;
    }
    for (Stream *share : shares)
      share->push_back(token);
  }
}

namespace {

/// The streams of all copies, as far as they were read.
class Shares {
public:
  Shares(const std::vector<const Stream *> &streams, int64_t depth)
      : streams(streams), at(streams.size()), closed(streams.size()),
        depth(depth) {}

  /// What copy `number` made of one token, without the stop behind it; false if
  /// there is none.
  bool takeOne(size_t number, Stream &out) {
    if (depth == 0) {
      const Token *token = take(number);
      if (!token || token->isStop())
        return false;
      out.push_back(*token);
      return true;
    }
    if (closed[number])
      return false;
    while (const Token *token = take(number)) {
      if (token->isStop() && token->number >= depth - 1) {
        closed[number] = token->number >= depth ? token->number + 1 : 0;
        return true;
      }
      out.push_back(*token);
    }
    return false;
  }

  /// The stop with which the fiber ends in all copies; false if it does not. In
  /// those whose last element it closed, it was taken with that.
  bool takeStop(int64_t level) {
    for (size_t number = 0; number < streams.size(); ++number) {
      int64_t before = closed[number];
      closed[number] = 0;
      if (before) {
        if (before != level + 1)
          return false;
        continue;
      }
      const Token *token = take(number);
      if (!token || *token != Token::stop(level))
        return false;
    }
    return true;
  }

  bool areEnded() const {
    for (size_t number = 0; number < streams.size(); ++number)
      if (at[number] != streams[number]->size())
        return false;
    return true;
  }

private:
  const Token *take(size_t number) {
    return at[number] < streams[number]->size()
               ? &(*streams[number])[at[number]++]
               : nullptr;
  }

  const std::vector<const Stream *> &streams;
  std::vector<size_t> at;
  /// 1 + the level of the stop that closed the last element and its fiber.
  std::vector<int64_t> closed;
  int64_t depth;
};

} // namespace

bool heddle::flow::collectTokens(const std::vector<const Stream *> &streams,
                                 const Stream &per, int64_t depth,
                                 int64_t chunk, Stream &out) {
  Dealer dealer(streams.size(), chunk);
  Shares shares(streams, depth);
  for (size_t i = 0; i < per.size(); ++i) {
    if (!per[i].isStop()) {
      if (!shares.takeOne(dealer.next(), out))
        return false;
      if (depth == 0)
        continue;
      if (i + 1 == per.size() || !per[i + 1].isStop()) {
        out.push_back(Token::stop(depth - 1));
        continue;
      }
      ++i;
    }
    if (!shares.takeStop(per[i].number + depth))
      return false;
    out.push_back(Token::stop(per[i].number + depth));
  }
  return shares.areEnded();
}
