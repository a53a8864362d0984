//===- Emulator.h - Runs a compiled kernel on the CPU ------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the PTX that the NVPTX back end emits for sm_90a, from the PTX text
// and a launch plan alone. In: what the driver would get. Out: the same memory
// effects, or one error that names the PTX line, the source line, the thread
// and its process.
//
// Copies and wgmma are asynchronous here too: they happen at a moment that the
// schedule picks between issue and the wait that retires them, so that a
// missing wait, a slot released too early or a lost arrival is an error and not
// luck.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_EMULATOR_EMULATOR_H
#define HEDDLE_EMULATOR_EMULATOR_H

#include "heddle/Manifest/LaunchPlan.h"
#include "heddle/Manifest/Manifest.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heddle::emulator {

/// Host memory that the kernel may touch. Pointers in the launch plan are host
/// addresses; any access outside all ranges is an error.
struct MemoryRange {
  uint64_t base = 0;
  uint64_t sizeBytes = 0;
  bool writable = true;
  std::string name; ///< for messages, usually the argument's name
};

/// Who runs next, and when asynchronous work happens.
enum class Schedule {
  Fair,        ///< warps in turn, copies and wgmma soon after their issue
  Random,      ///< uniformly random from the seed
  Adversarial, ///< fixed random priorities; wgmma and store reads as late as
               ///< their waits allow; loads as early or as late as possible;
               ///< waits on mbarriers give up at first
};

struct Options {
  uint64_t seed = 0;
  Schedule schedule = Schedule::Fair;
  /// Warp instructions before a CTA counts as running forever.
  int64_t maxStepsPerCta = 500'000'000;
  /// CTAs that a launch may have: minutes, where each ends at once.
  int64_t maxCtas = int64_t(1) << 22;
  /// Warp instructions of a whole launch: an hour on one core.
  int64_t maxSteps = 20'000'000'000;
  /// Report accesses to memory that nothing orders, whether or not this
  /// schedule let them meet (docs/trust.md).
  bool checkRaces = true;
  /// Report async-proxy reads of data that a thread wrote through the generic
  /// proxy and did not fence (rule 10 of the lowering).
  bool checkProxyFences = true;
  /// The same for data that cp.async brought, which counts as generic too. The
  /// hardware at hand needs no such fence, and Triton emits none.
  bool checkCopyFences = true;
  /// Of reads before the async proxy writes there.
  bool checkReadFences = true;
  /// Whether a fence.proxy.async counts for the fencing thread's own writes
  /// only. Else it counts for all it knows: then Triton's fences behind the
  /// barrier, by the readers, are enough.
  bool fencesByWriter = true;
  /// Host threads that run CTAs of a kernel whose CTAs cannot learn of each
  /// other; 0: as many as there are cores. Results do not depend on it.
  int threads = 0;
  /// Called when a CTA has ended, by one thread at a time.
  std::function<void(int64_t ended, int64_t total)> progress;
};

struct Statistics {
  int64_t ctas = 0;
  int64_t warpInstructions = 0;
  int64_t wgmmas = 0;
  int64_t bulkLoads = 0;
  int64_t bulkStores = 0;
  int64_t bulkLoadBytes = 0;
  int64_t bulkStoreBytes = 0;
};

struct Result {
  bool ok = false;
  bool refused = false; ///< the launch does not fit the kernel; nothing ran
  std::string error;    ///< one or more lines, without a final newline
  Statistics statistics;
};

class ProgramImpl;

/// What a launch of a kernel must fit.
struct EntryInfo {
  std::string name;
  int requiredThreads = 0;              ///< `.reqntid`; 0 if any number will do
  std::array<int, 3> requiredCluster{}; ///< `.reqnctapercluster`; 0 likewise
  std::vector<int64_t> parameterBytes;
};

/// PTX text, decoded once; immutable, usable from several threads.
class Program {
public:
  /// Returns null and one sentence in `error` ("ptx:12: ...") when the text
  /// is not PTX or uses an instruction that the emulator does not know.
  static std::unique_ptr<Program> parse(const std::string &ptx,
                                        std::string &error);
  ~Program();

  bool hasEntry(const std::string &name) const;
  std::vector<EntryInfo> entries() const;
  const ProgramImpl &impl() const { return *impl_; }

private:
  explicit Program(std::unique_ptr<ProgramImpl> impl);
  std::unique_ptr<ProgramImpl> impl_;
};

/// Runs every CTA of `plan`. `memory` lists what may be touched; it is read and
/// written in place. What a kernel writes into its trap record, which is made
/// here, comes before the error.
Result run(const Program &program, const manifest::Manifest &manifest,
           const manifest::LaunchPlan &plan,
           const std::vector<MemoryRange> &memory, const Options &options = {});

/// A launch of PTX that has no manifest.
struct RawLaunch {
  std::string entry;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::array<int, 3> block = {1, 1, 1};   ///< threads
  std::array<int, 3> cluster = {1, 1, 1}; ///< CTAs; divides the grid
  int64_t sharedBytes = 0;                ///< dynamic shared memory
  /// The bytes of each parameter, in order. A tensor map's are those of
  /// writeTensorMap (TensorMap.h).
  std::vector<std::vector<uint8_t>> params;
};

Result run(const Program &program, const RawLaunch &launch,
           const std::vector<MemoryRange> &memory, const Options &options = {});

} // namespace heddle::emulator

#endif // HEDDLE_EMULATOR_EMULATOR_H
