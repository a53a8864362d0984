//===- Costs.h - What a machine's work costs, as a model reads it -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The "costs" of a machine description (machines/*.json): the parameters of the
// model in docs/rationale/machine.md, each with what it was taken from. The
// descriptions in machines/ are part of the binary and found by name; others
// are read from files.
//
// All times are cycles of one multiprocessor. Fractions are legal in a
// description; whole operations are rounded up.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_COSTS_H
#define HEDDLE_MACHINE_COSTS_H

#include "heddle/Machine/Limits.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::machine {

struct Costs {
  std::string name;
  std::string target; ///< of code: "sm_90a"
  Limits limits;
  std::map<std::string, double> fitted; ///< by "section.field"; see asFitted

  struct Tensor {
    double rows = 0;          ///< of one product
    double flopsPerCycle = 0; ///< of 16-bit numbers; of others by their width
    double warpFlopsPerCycle = 0; ///< the same of products that warps execute
    /// At which a product reads its operands from shared memory; 0: never too
    /// slow.
    double sharedBytesPerCycle = 0;
    /// The same of all that copies write there and products read.
    double sharedBytesBothWays = 0;
    double latency = 0;   ///< from the end of its reservation to its result
    double issue = 0;     ///< of the process, for each product of tiles
    double issueStep = 0; ///< and for each of its steps of 32 bytes of K
    double issueRegisterStep = 0; ///< the same where A is in registers
    /// Steps of 32 bytes of K that wait for the tensor core before a process
    /// that issues more waits, too; 0: any number.
    double queueSteps = 0;
  } tensor;

  /// Where products leave their results if not in registers.
  struct TensorMemory {
    double columns = 0;     ///< of `tensor.rows` words; 0: there is none
    double loadColumn = 0;  ///< of a warp group that reads a column
    double storeColumn = 0; ///< of one that writes it
  } tensorMemory;

  struct Copy {
    double bytesPerCycle = 0;
    double latency = 0;       ///< typical, besides the reservation
    double latencySpread = 0; ///< by how much it may be longer
    /// How many times as long a copy of rows takes that do not all begin at
    /// multiples of these.
    double lineBytes = 1;
    double offLines = 1;
    double sectorBytes = 1;
    double offSectors = 1;
    double issue = 0;
  } copy;

  /// From an arrival to the wake-up of who waits.
  struct HandOver {
    double mbarrier = 0;
    double namedBarrier = 0;
    double step = 0;  ///< of who acquires or gets a slot, besides waiting
    double apart = 0; ///< between two processes that an arrival wakes
  } handOver;

  /// Of a warp group, for 128 elements; where a number has more words than one,
  /// for each.
  struct Instructions {
    double arithmetic = 0; ///< add, multiply, fma of at most 32 bits
    double wide = 0;       ///< the same of 64 bits
    double compare = 0;    ///< and maximum, select, bits
    double integer = 0;    ///< add, multiply, shift
    double narrow = 0;     ///< to fewer bits
    double widen = 0;      ///< to more bits, to and from integers
    double special = 0;    ///< 2^x, logarithm, reciprocal, root, sine
    double shuffle = 0;    ///< 0: exchanges between lanes are not modelled
    double memory = 0;     ///< loads and stores of threads
    double barrier = 0;    ///< at which a process's threads meet
    /// From the last instruction to a result that may be read.
    double latency = 0, specialLatency = 0, shuffleLatency = 0;
    /// Lanes that repeat the work on an element of a row or column.
    double rowWork = 0;
    /// Of a conditional on tiles in a loop, beside what it executes: nothing
    /// moves across it.
    double branch = 0;
  } instructions;

  /// How much longer instructions take while the tensor core executes.
  struct BesideProducts {
    double arithmetic = 1, compare = 1, narrow = 1, special = 1;
  } besideProducts;

  struct Registers {
    double rowLanes = 0;     ///< lanes that hold an element of a row or column
    double most = 0;         ///< a thread may have
    double overhead = 0;     ///< beside its tiles: addresses, counters
    double spare = 0;        ///< besides, where results wait for late stores
    double reducing = 0;     ///< besides, where a loop adds to memory
    double loader = 0;       ///< of a process that only starts loads
    double copying = 0;      ///< of a process that copies by itself
    double copyingLeast = 0; ///< with which it still has its loads under way
    double copyingMore = 0;  ///< besides `copying`, where there are some left
    /// Beside the tiles that its loops carry, what a process keeps that gives
    /// registers to one that copies.
    double floor = 0;
    double wanted = 0; ///< the same beside all tiles: ptxas never spills
    double rows = 0;   ///< beside the tiles of a kernel without products
    /// A process that has fewer is left with the comparisons it has: ptxas
    /// spends registers that come free on other things, and spills.
    double rearranged = 0;
    /// Beside its tiles, of a process that makes room for one whose products
    /// are sums over all sub-tiles.
    double joining = 0;
    /// Of neighbours of one number, at the least: fewer are left as they are.
    double comparisons = 0;
  } registers;

  /// What lies behind the caches.
  struct Memory {
    double bytesPerCycle = 0; ///< of all multiprocessors together
  } memory;

  /// Copies to shared memory by threads, of elements at once.
  struct ThreadCopy {
    double batch = 0;       ///< each with an address of its own
    double columnBatch = 0; ///< of a column, at the most
    double leastBatch = 0;  ///< of a column, at the least
    /// Registers a thread below which places are computed for each tile.
    double holdPlaces = 0;
    double held = 0;     ///< registers beside a batch, where places are held
    double computed = 0; ///< and where they are computed
    double unrolled = 0; ///< of those without registers, written out
    /// Of 16 bytes of each thread of a group, whose places are computed: how
    /// long its process takes, and how long no other block can do the same.
    double issue = 0;
    double move = 0;
  } threadCopy;

  /// Kernels without products, one process each.
  struct Rows {
    double elementsPerThread = 0;
    double fewestWarps = 0, mostWarps = 0;
    double inFlight = 0;   ///< that memory names, of one process
    double sumColumns = 0; ///< of the tile of a process that adds parts of sums
  } rows;

  /// Of the first axis, visited together for the sake of the L2.
  struct Instances {
    double group = 0;
    double unevenGroup = 0; ///< at the most, where they are unequal
    double behind = 0; ///< from the end of a launch to the next of its stream
    double launch = 0; ///< of a kernel that does next to nothing
  } instances;

  struct Shared {
    double barrierBytes = 0; ///< before the first ring
    double stagingBytes = 0; ///< through which a process stores its tile
    double ringDepth = 0;    ///< slots that a ring may have
    /// Where a tile begins that has at least as many bytes.
    double tileAlignment = 0;
  } shared;

  /// Where one plan of a loop is faster than another, in shares of the
  /// interval. Thresholds stand in for an evaluator of plans.
  struct Choices {
    double saturated = 0; ///< a unit busy for so long gains from order
    /// A token whose way round takes so long at the most gains from its order.
    double tokenRound = 0;
    double deferring = 0; ///< a process that computes longer defers no epilogue
    /// By what share of a time the model may err: of two plans that it thinks
    /// nearer, neither is the faster one.
    double modelError = 0;
    /// How much of the time of the program's own tiles others must be predicted
    /// to take at most, to be launched instead.
    double otherTiles = 0;
    /// Iterations from one round of chunks of a deferred epilogue to the next.
    double deferredIterations = 0;
  } choices;

  /// The costs while the tensor core executes.
  Costs whileProductsRun() const;
  /// The costs with which predictions rank plans best; schedules are made with
  /// those that were measured one by one.
  Costs asFitted() const;
  /// Columns of tensor memory for a tile.
  int64_t tensorColumns(int64_t rows, int64_t columns, int64_t bits) const;
};

/// The machine that is meant where none is named: the one that was measured.
inline constexpr const char *kDefaultMachine = "h200";

/// Whole cycles, never too few; at least one.
int64_t wholeCycles(double cycles);

/// Reads "name", "limits" and "costs" of a machine description. On failure
/// returns false and puts one sentence in `error`.
bool readCosts(const std::string &json, Costs &costs, std::string &error);

/// The machines that are part of the binary, in alphabetical order.
std::vector<std::string> machineNames();

/// Finds a machine by its name or, failing that, by its file. On failure
/// returns false and puts one sentence in `error`.
bool findMachine(const std::string &nameOrFile, Costs &costs,
                 std::string &error);

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_COSTS_H
