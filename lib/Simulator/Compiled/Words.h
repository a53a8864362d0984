//===- Words.h - What compiled processes have in memory ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled process is a function of its frame, an array of 64-bit words; a
// ring is another one. Code that is written (WriteProcess.cpp) and the
// scheduler that calls it (CompiledRun.cpp) meet in these places and nowhere
// else.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_COMPILED_WORDS_H
#define HEDDLE_LIB_SIMULATOR_COMPILED_WORDS_H

#include <cstdint>

namespace heddle::simulator {

namespace frame {
enum Word : int64_t {
  State,  ///< 0: not begun; a point at which it waits; kEnded; kFault - point
  Clock,  ///< cycles, of a process that has ended
  Busy,   ///< the same
  Begun,  ///< when what takes place beside it began
  Beside, ///< the clock of that
  BusyBeside, ///< and for how long it was busy
  Steps,      ///< of rings and loops; the same
  Limit,      ///< of these
  Waited,     ///< the turn that it waits for
  Inputs,     ///< first of what it uses from outside; then what waits keep
};
constexpr int64_t kEnded = -1;
/// Of a process that broke the protocol at a point, or used up its steps.
constexpr int64_t kFault = -2;
} // namespace frame

namespace ring {
enum Word : int64_t {
  Acquired,
  Published,
  IsClosed,
  ClosedAt,  ///< a cycle
  Slots,     ///< address; a slot is its payload, a word each, and when it
             ///< became full
  SlotMask,  ///< slots that have memory, a power of two, less one
  Limit,     ///< how many may be in use: those with memory, or the depth
  Depth,     ///< of the program
  Free,      ///< address of when the latest `depth` turns became free
  FreeMask,  ///< how many of these there are, a power of two, less one
  Consumers, ///< first of these pairs: turns got, turns released
};
} // namespace ring

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_COMPILED_WORDS_H
