//===- Emulate.cpp - heddle emulate ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs PTX that is there already: heddle's with its manifest, anybody's with
// the launch on the command line.
//
//===----------------------------------------------------------------------===//

#include "ArgumentOptions.h"
#include "Command.h"
#include "Npy.h"
#include "RawArguments.h"
#include "heddle/Run/Compare.h"
#include "heddle/Run/Device.h"

#include "heddle/Manifest/PtxCheck.h"
#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using Clock = std::chrono::steady_clock;

static cl::SubCommand command("emulate", "Run PTX on the CPU");
static cl::opt<std::string> file(cl::Positional, cl::sub(command), cl::Required,
                                 cl::desc("FILE.ptx"));
static cl::opt<std::string>
    manifestFile("manifest", cl::sub(command), cl::value_desc("FILE"),
                 cl::desc("The kernel's manifest; arguments are then given by "
                          "--view and --scalar, as to `heddle run`"));
static ArgumentOptions argumentOptions(command);
static NumberOption<int> multiprocessors(
    "sms", within(1, 65536), cl::sub(command), cl::init(132),
    cl::desc("Multiprocessors that a manifest's grid is planned for"));
static cl::opt<std::string>
    kernelName("kernel", cl::sub(command), cl::value_desc("NAME"),
               cl::desc("Without a manifest: the entry to run"));
static cl::list<std::string> arguments(
    "arg", cl::sub(command), cl::value_desc("NAME=..."),
    cl::desc("The next parameter of the PTX: x=512x256xf16 (a buffer), "
             "n=i32:1000, p=x+4096 or p=null (an address), "
             "d=map:x,box=64x64,swizzle=128 (a tensor map)"));
static cl::list<std::string>
    buffers("buffer", cl::sub(command), cl::value_desc("NAME=MxNxTYPE"),
            cl::desc("Memory that no parameter is but one points to"));
static cl::opt<std::string> grid("grid", cl::sub(command), cl::init("1"),
                                 cl::value_desc("X[,Y[,Z]]"), cl::desc("CTAs"));
static cl::opt<std::string> block("block", cl::sub(command),
                                  cl::value_desc("X[,Y[,Z]]"),
                                  cl::desc("Threads of a CTA"));
static NumberOption<int>
    threads("threads", within(1, 1024), cl::sub(command), cl::init(0),
            cl::desc("The same as --block N; without both, what "
                     "the PTX requires"));
static cl::opt<std::string>
    clusterShape("cluster", cl::sub(command), cl::value_desc("X[,Y[,Z]]"),
                 cl::desc("CTAs of a cluster; without it, what the PTX "
                          "requires, or one"));
static NumberOption<int64_t> sharedBytes("shared", within<int64_t>(0, 232448),
                                         cl::sub(command), cl::init(0),
                                         cl::value_desc("BYTES"),
                                         cl::desc("Dynamic shared memory"));
static cl::list<std::string>
    inputs("in", cl::sub(command), cl::value_desc("NAME=WHAT"),
           cl::desc("What a buffer holds at first: normal, which is N(0, 1) "
                    "and the default, ints in [-2, 2], zeros, poison or "
                    "FILE.npy; written views are poisoned"));
static cl::list<std::string> outputs("out", cl::sub(command),
                                     cl::value_desc("NAME=FILE.npy"),
                                     cl::desc("Write a buffer after the run"));
static cl::list<std::string> expectations(
    "expect", cl::sub(command), cl::value_desc("NAME=FILE.npy"),
    cl::desc("Compare a buffer after the run; status 1 if it differs"));
static NumberOption<double> tolerance(
    "tolerance", within(0.0, 1e9), cl::sub(command), cl::init(0),
    cl::desc("By how much, of the largest expected magnitude, results may "
             "differ (default 0)"));
static cl::opt<emulator::Schedule>
    order("order", cl::sub(command), cl::init(emulator::Schedule::Fair),
          cl::desc("How asynchronous work is ordered:"),
          cl::values(clEnumValN(emulator::Schedule::Fair, "fair",
                                "warps in turn (default)"),
                     clEnumValN(emulator::Schedule::Random, "random",
                                "from the seed"),
                     clEnumValN(emulator::Schedule::Adversarial, "adversarial",
                                "as early or as late as the waits allow")));
static cl::alias orderAlias("schedule", cl::aliasopt(order),
                            cl::desc("The same as --order"));
namespace {
enum class Fences { All, Stores, None };
} // namespace
static cl::opt<Fences> fences(
    "fences", cl::sub(command), cl::init(Fences::All),
    cl::desc(
        "Where a fence.proxy.async must stand before TMA or wgmma access:"),
    cl::values(clEnumValN(Fences::All, "all",
                          "behind st, cp.async and, before TMA writes, ld, in "
                          "the thread that wrote or read (default)"),
               clEnumValN(Fences::Stores, "stores",
                          "behind st, in the writer or the reader, as Triton "
                          "does it"),
               clEnumValN(Fences::None, "none", "nowhere")));
static cl::opt<bool> checkRaces(
    "check-races", cl::sub(command), cl::init(true),
    cl::desc("Report memory accesses that nothing orders (default on)"));
static NumberOption<uint64_t>
    seed("seed", within<uint64_t>(0, UINT64_MAX), cl::sub(command), cl::init(0),
         cl::desc("Of the inputs and of the schedule"));
static NumberOption<int64_t>
    maxSteps("max-steps", within<int64_t>(1, INT64_MAX), cl::sub(command),
             cl::init(emulator::Options().maxStepsPerCta),
             cl::desc("Warp instructions of a CTA before giving up"));
static NumberOption<int64_t>
    maxTotalSteps("max-total-steps", within<int64_t>(1, INT64_MAX),
                  cl::sub(command), cl::init(emulator::Options().maxSteps),
                  cl::desc("Warp instructions of all CTAs before giving up"));
static NumberOption<int64_t> maxCtas("max-ctas", within<int64_t>(1, INT64_MAX),
                                     cl::sub(command),
                                     cl::init(emulator::Options().maxCtas),
                                     cl::desc("CTAs that a launch may have"));
static NumberOption<int>
    jobs("jobs", within(0, 1024), cl::sub(command), cl::init(0),
         cl::desc("Cores to use where CTAs cannot learn of "
                  "each other (default: all)"));

namespace {
struct Session {
  std::unique_ptr<emulator::Program> program;
  std::vector<RawSpec> specs; ///< without a manifest
  std::optional<manifest::Manifest> manifest;
  std::vector<ArgumentData> data; ///< with a manifest, scalars as well
  emulator::Statistics statistics;
};
} // namespace

//===----------------------------------------------------------------------===//
// What to run
//===----------------------------------------------------------------------===//

static Expected<std::string> readText(StringRef path) {
  std::string reason;
  auto buffer = readFile(path, reason);
  if (!buffer)
    return diag::makeError(diag::file_unreadable,
                           path + ": cannot be read: " + reason);
  return buffer->getBuffer().str();
}

static Error loadProgram(Session &session, std::string &ptx) {
  auto text = readText(file);
  if (!text)
    return text.takeError();
  ptx = *text;
  std::string error;
  session.program = emulator::Program::parse(*text, error);
  if (session.program)
    return Error::success();
  StringRef place = error;
  place.consume_front("ptx:");
  return diag::makeError(diag::ptx_text, file + ":" + place);
}

static Error loadManifest(Session &session, const std::string &ptx) {
  auto text = readText(manifestFile);
  if (!text)
    return text.takeError();
  std::string error;
  if (manifest::parse(*text, session.manifest.emplace(), error) &&
      manifest::checkPtx(*session.manifest, ptx, error))
    return Error::success();
  return diag::makeError(diag::manifest_text, manifestFile + ": " + error);
}

/// Options of one way to say what to run, used with the other.
static Error checkOptions() {
  bool isRaw = manifestFile.empty();
  std::string planned = firstGiven(
      {argumentOptions.views, argumentOptions.scalars, multiprocessors});
  if (isRaw && !planned.empty())
    return diag::makeError(diag::usage, planned + " needs --manifest FILE");
  std::string raw = firstGiven({kernelName, arguments, buffers, grid, block,
                                threads, clusterShape, sharedBytes});
  if (!isRaw && !raw.empty())
    return diag::makeError(diag::usage,
                           raw + " is not used with --manifest, which says it");
  if (!block.empty() && threads)
    return diag::makeError(diag::usage, "--threads and --block say the same");
  return Error::success();
}

static Expected<std::vector<ArgumentData>> makeRawArguments(Session &session) {
  auto parameters = parseAll(arguments, parseRawSpec);
  if (!parameters)
    return parameters.takeError();
  session.specs = std::move(*parameters);
  auto others = parseAll(buffers, parseRawSpec);
  if (!others)
    return others.takeError();
  return makeBuffers(session.specs, *others);
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

/// "NAME=WHAT" as a buffer and the rest.
static Expected<std::pair<ArgumentData *, StringRef>>
findBuffer(Session &session, StringRef option, StringRef text) {
  auto [name, what] = text.split('=');
  for (ArgumentData &data : session.data)
    if (data.hasMemory() && data.argument().name == name && !what.empty())
      return std::pair(&data, what);
  std::string names = join(
      map_range(make_filter_range(
                    session.data,
                    [](const ArgumentData &data) { return data.hasMemory(); }),
                [](const ArgumentData &data) { return data.argument().name; }),
      ", ");
  return diag::makeError(diag::argument_unknown,
                         "--" + option + " " + text +
                             ": expected NAME=... with the name of a buffer; "
                             "there are " +
                             (names.empty() ? "none" : names));
}

static Error fill(ArgumentData &data, StringRef what, uint64_t fillSeed) {
  if (what == "poison")
    data.poison();
  else if (what == "normal" || what == "ints")
    data.fillRandom(what == "ints" ? InputKind::Integers : InputKind::Normal,
                    fillSeed);
  else if (what != "zeros")
    return readNpy(what, data);
  return Error::success();
}

static Error fillBuffers(Session &session) {
  std::vector<StringRef> contents(session.data.size());
  for (const std::string &text : inputs) {
    auto found = findBuffer(session, "in", text);
    if (!found)
      return found.takeError();
    contents[size_t(found->first - session.data.data())] = found->second;
  }
  for (auto [index, data] : enumerate(session.data)) {
    if (!data.hasMemory())
      continue;
    StringRef what = contents[index];
    if (what.empty())
      what = data.isView() && data.argument().written ? "poison" : "normal";
    if (Error error = fill(data, what, seed * 1000 + index))
      return error;
  }
  return Error::success();
}

static Error writeOutputs(Session &session) {
  for (const std::string &text : outputs) {
    auto found = findBuffer(session, "out", text);
    if (!found)
      return found.takeError();
    if (Error error = writeNpy(found->second, *found->first))
      return error;
  }
  return Error::success();
}

/// How far an element is from what is expected; NaN if nothing says.
static double distance(const ArgumentData &data, int64_t place,
                       const Number &expected) {
  double value = data.element(place);
  if (isIntegral(data.argument().element) && expected.whole) {
    // A double need not show that they differ.
    bool isSame = data.wholeElement(place) == *expected.whole;
    return isSame ? 0 : std::max(1.0, std::fabs(value - expected.value));
  }
  bool isSame = value == expected.value ||
                (std::isnan(value) && std::isnan(expected.value));
  return isSame ? 0 : std::fabs(value - expected.value);
}

static std::string describe(const Number &number) {
  if (number.whole)
    return std::to_string(*number.whole);
  std::string text;
  raw_string_ostream(text) << format("%.6g", number.value);
  return text;
}

/// Prints how far a buffer is from what is expected; false if too far.
static bool compareValues(const ArgumentData &data, ArrayRef<Number> expected) {
  double largest = 0, worst = 0;
  for (const Number &number : expected)
    if (std::isfinite(number.value))
      largest = std::max(largest, std::fabs(number.value));
  int64_t wrong = 0, firstWrong = 0, firstPlace = 0;
  forEachElement(data, [&](int64_t index, int64_t place) {
    double difference = distance(data, place, expected[index]);
    if (!std::isnan(difference))
      worst = std::max(worst, difference);
    if (difference <= tolerance * largest)
      return;
    if (!wrong++) {
      firstWrong = index;
      firstPlace = place;
    }
  });
  outs() << data.argument().name << ": max error " << format("%.3g", worst)
         << ", largest " << format("%.3g", largest);
  if (wrong)
    outs() << "; WRONG in " << wrong << " of " << expected.size()
           << " elements, first at element " << firstWrong << ": "
           << describeElement(data, firstPlace) << " for "
           << describe(expected[firstWrong]);
  outs() << (wrong ? "\n" : "; right\n");
  outs().flush();
  return !wrong;
}

static Error checkExpectations(Session &session) {
  std::string wrong;
  for (const std::string &text : expectations) {
    auto found = findBuffer(session, "expect", text);
    if (!found)
      return found.takeError();
    auto values = readNpyValues(found->second, *found->first);
    if (!values)
      return values.takeError();
    if (!compareValues(*found->first, *values))
      wrong += (wrong.empty() ? "" : ", ") + found->first->argument().name;
  }
  if (wrong.empty())
    return Error::success();
  return diag::makeError(diag::wrong_result,
                         wrong + " differs from what --expect says");
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// "132" or "16,8,1".
template <class T>
static Error parseExtents(StringRef option, StringRef text,
                          std::array<T, 3> &extents) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  bool ok = parts.size() <= 3;
  for (size_t i = 0; ok && i < parts.size(); ++i)
    ok = !parts[i].getAsInteger(10, extents[i]) && extents[i] >= 1 &&
         int64_t(extents[i]) <= INT32_MAX;
  if (ok)
    return Error::success();
  return diag::makeError(diag::argument_text,
                         "--" + option + " " + text +
                             ": expected X, X,Y or X,Y,Z of at least 1");
}

/// Overwrites one line of a terminal, some times a second from the first on.
static std::function<void(int64_t, int64_t)> makeProgress() {
  if (!sys::Process::StandardErrIsDisplayed())
    return {};
  auto last = std::make_shared<Clock::time_point>(Clock::now());
  return [last](int64_t ended, int64_t total) {
    bool isEnd = ended == total;
    if (!isEnd && Clock::now() - *last < std::chrono::milliseconds(500))
      return;
    *last = Clock::now();
    errs() << "\r" << ended << " of " << total << " CTAs";
    if (isEnd)
      errs() << "\r\x1b[K";
  };
}

static EmulatorSettings makeSettings() {
  EmulatorSettings settings;
  settings.options.seed = seed;
  settings.options.schedule = order;
  settings.options.maxStepsPerCta = maxSteps;
  settings.options.maxSteps = maxTotalSteps;
  settings.options.maxCtas = maxCtas;
  settings.options.threads = jobs;
  settings.options.checkRaces = checkRaces;
  settings.options.checkProxyFences = fences != Fences::None;
  settings.options.fencesByWriter = fences == Fences::All;
  settings.options.checkCopyFences = fences == Fences::All;
  settings.options.checkReadFences = fences == Fences::All;
  settings.options.progress = makeProgress();
  settings.multiprocessors = multiprocessors;
  return settings;
}

static Error launchManifest(Session &session) {
  auto launched = launchOnEmulator(*session.program, *session.manifest,
                                   session.data, makeSettings());
  if (!launched)
    return launched.takeError();
  session.statistics = launched->statistics;
  const manifest::Variant &variant =
      session.manifest->variants[launched->variant];
  outs() << "kernel " << session.manifest->kernel << ", variant "
         << variant.entry << " (" << launched->variant + 1 << " of "
         << session.manifest->variants.size() << "), " << variant.threads
         << " threads a CTA\n";
  return Error::success();
}

static Expected<emulator::EntryInfo> chooseEntry(const Session &session) {
  std::vector<emulator::EntryInfo> entries = session.program->entries();
  std::string names;
  for (const emulator::EntryInfo &entry : entries) {
    if (kernelName == entry.name || (kernelName.empty() && entries.size() == 1))
      return entry;
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  return diag::makeError(diag::kernel_choice,
                         "choose a kernel by --kernel; there are " +
                             (names.empty() ? "none" : names));
}

/// What the command line says, or else the PTX.
static Error chooseBlock(const emulator::EntryInfo &entry,
                         std::array<int, 3> &extents) {
  int count = threads ? int(threads) : entry.requiredThreads;
  if (block.empty() && !count)
    return diag::makeError(diag::usage,
                           "kernel " + entry.name +
                               " runs with any number of threads; give "
                               "--threads N or --block X,Y,Z");
  if (Error error = parseExtents(
          "block", block.empty() ? itostr(count) : block.getValue(), extents))
    return error;
  if (satProduct(extents) > 1024)
    return diag::makeError(diag::argument_text,
                           "--block " + block +
                               ": a CTA has 1024 threads at most");
  return Error::success();
}

static Error launchRaw(Session &session) {
  emulator::RawLaunch raw;
  auto entry = chooseEntry(session);
  if (!entry)
    return entry.takeError();
  raw.entry = entry->name;
  if (Error error = parseExtents("grid", grid, raw.grid))
    return error;
  if (Error error = chooseBlock(*entry, raw.block))
    return error;
  if (!clusterShape.empty()) {
    if (Error error = parseExtents("cluster", clusterShape, raw.cluster))
      return error;
  } else if (entry->requiredCluster[0]) {
    raw.cluster = entry->requiredCluster;
  }
  raw.sharedBytes = sharedBytes;
  auto params = packRawArguments(session.specs, session.data);
  if (!params)
    return params.takeError();
  raw.params = std::move(*params);
  std::vector<emulator::MemoryRange> memory;
  for (ArgumentData &data : session.data)
    memory.push_back({reinterpret_cast<uint64_t>(data.data()), data.sizeBytes(),
                      true, data.argument().name});
  emulator::Result result =
      emulator::run(*session.program, raw, memory, makeSettings().options);
  if (!result.ok)
    return makeLaunchError(result);
  session.statistics = result.statistics;
  outs() << "kernel " << raw.entry << ", "
         << raw.block[0] * raw.block[1] * raw.block[2] << " threads a CTA\n";
  return Error::success();
}

static void printStatistics(const emulator::Statistics &statistics,
                            double seconds) {
  outs() << statistics.ctas << " CTAs, " << statistics.warpInstructions
         << " warp instructions, " << statistics.wgmmas << " wgmmas, "
         << statistics.bulkLoads << " bulk loads of "
         << statistics.bulkLoadBytes << " bytes, " << statistics.bulkStores
         << " bulk stores of " << statistics.bulkStoreBytes << " bytes, "
         << format("%.3g", seconds) << " s\n";
}

static Error emulate(Session &session) {
  if (Error error = checkOptions())
    return error;
  std::string ptx;
  if (Error error = loadProgram(session, ptx))
    return error;
  bool isRaw = manifestFile.empty();
  if (!isRaw)
    if (Error error = loadManifest(session, ptx))
      return error;
  auto data = isRaw ? makeRawArguments(session)
                    : argumentOptions.make(*session.manifest);
  if (!data)
    return data.takeError();
  session.data = std::move(*data);
  if (Error error = fillBuffers(session))
    return error;
  auto begin = Clock::now();
  if (Error error = isRaw ? launchRaw(session) : launchManifest(session))
    return error;
  std::chrono::duration<double> elapsed = Clock::now() - begin;
  printStatistics(session.statistics, elapsed.count());
  if (Error error = writeOutputs(session))
    return error;
  return checkExpectations(session);
}

static int run() {
  Session session;
  if (Error error = emulate(session))
    return fail(std::move(error));
  return kFine;
}

Command heddle::tool::getEmulateCommand() { return {command, run}; }
