//===- Chain.cpp - Streams of coordinates, level by level -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

using namespace heddle::flow;

int Chain::next() {
  size_t deepest = levels.size() - 1;
  const Token *token = peek(deepest);
  if (!token)
    return 0;
  ++at[deepest];
  if (!token->isStop()) {
    coordinates[deepest] = token->number;
    for (size_t depth = 0; depth < deepest; ++depth) {
      if (loaded[depth])
        continue;
      const Token *outer = peek(depth);
      if (!outer || outer->isStop())
        return -1;
      coordinates[depth] = outer->number;
      loaded[depth] = true;
      ++at[depth];
    }
    return 1;
  }
  level = token->number;
  int64_t closes = level;
  for (size_t depth = deepest; depth-- > 0;) {
    // The fiber below the element of this depth has ended; if nobody asked for
    // the element, the fiber was empty, or there was no element at all.
    const Token *outer = peek(depth);
    if (!loaded[depth] && outer && !outer->isStop())
      ++at[depth];
    else if (!loaded[depth] && closes == 0)
      return -1;
    loaded[depth] = false;
    if (closes == 0)
      return 2;
    outer = peek(depth);
    --closes;
    if (!outer || *outer != Token::stop(closes))
      return -1;
    ++at[depth];
  }
  return 2;
}
