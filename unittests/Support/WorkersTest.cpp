//===- WorkersTest.cpp - Independent tasks on several threads -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each task is done once, and has the stack that a compiler's recursion needs.
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Workers.h"
#include "heddle/Support/BigStack.h"

#include "gtest/gtest.h"

#include <atomic>
#include <vector>

namespace {

TEST(Workers, EachTaskOnce) {
  for (size_t count : {0, 1, 2, 3, 17, 1000}) {
    std::vector<std::atomic<int>> done(count);
    heddle::forEachTask(count, [&](size_t i) { ++done[i]; });
    for (const std::atomic<int> &times : done)
      EXPECT_EQ(times, 1);
  }
}

/// Takes 64 KB of stack a level.
int descend(int levels) {
  volatile char room[1 << 16];
  room[0] = char(levels);
  return levels == 0 ? room[0] : descend(levels - 1) + 1;
}

TEST(Workers, TasksMayRecurse) {
  // 32 MB; the usual stack has 8. The caller's own is made large here.
  std::atomic<int> sum = 0;
  heddle::runOnBigStack([&] {
    heddle::forEachTask(4, [&](size_t) { sum += descend(512); });
    return 0;
  });
  EXPECT_EQ(sum, 4 * 512);
}

} // namespace
