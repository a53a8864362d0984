//===- Copies.h - Tokens dealt out to parallel copies, and back -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What flow.fork and flow.collect do on lists of tokens. Both count the same
// elements, so the second needs no more than the coordinates that the first
// dealt out.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FLOW_COPIES_H
#define HEDDLE_LIB_FLOW_COPIES_H

#include "heddle/Flow/Interpret.h"

namespace heddle::flow {

/// To which copy elements go, one after the other.
class Dealer {
public:
  Dealer(size_t copies, int64_t chunk) : copies(copies), chunk(chunk) {}

  size_t next() {
    if (given == chunk) {
      given = 0;
      copy = copy + 1 == copies ? 0 : copy + 1;
    }
    ++given;
    return copy;
  }

private:
  size_t copies, copy = 0;
  int64_t chunk, given = 0;
};

void dealTokens(const Stream &stream, int64_t chunk,
                const std::vector<Stream *> &shares);

/// The shares as one stream, `depth` spaces below the coordinates `per`; false
/// if they do not fit these.
bool collectTokens(const std::vector<const Stream *> &streams,
                   const Stream &per, int64_t depth, int64_t chunk,
                   Stream &out);

} // namespace heddle::flow

#endif // HEDDLE_LIB_FLOW_COPIES_H
