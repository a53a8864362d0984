//===- Emulator.cpp - Runs a compiled kernel on the CPU -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Emulator/Emulator.h"

#include "Decoder.h"
#include "Grid.h"
#include "InFlight.h"
#include "PtxParser.h"
#include "TensorMaps.h"
#include "heddle/Manifest/TrapRecord.h"
#include "heddle/Support/CheckedMath.h"

#include <algorithm>
#include <cstring>

using namespace heddle::emulator;
using namespace heddle;

/// Of a workspace that the host has room for.
static constexpr int64_t kMostWorkspace = int64_t(1) << 32;

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

const Entry *ProgramImpl::find(const std::string &name) const {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

std::string ProgramImpl::lineText(int line) const {
  size_t begin = 0;
  for (; line > 1 && begin != std::string::npos; --line)
    begin = text.find('\n', begin) + 1;
  size_t end = text.find('\n', begin);
  std::string result = text.substr(begin, end - begin);
  result = result.substr(0, result.find("//"));
  size_t first = result.find_first_not_of(" \t");
  size_t last = result.find_last_not_of(" \t\r");
  if (first == std::string::npos)
    return "";
  result = result.substr(first, last - first + 1);
  for (char &c : result)
    c = c == '\t' ? ' ' : c;
  // A wgmma lists more registers than anyone wants to read.
  return result.size() > 100 ? result.substr(0, 97) + "..." : result;
}

Program::Program(std::unique_ptr<ProgramImpl> impl) : impl_(std::move(impl)) {}
Program::~Program() = default;

bool Program::hasEntry(const std::string &name) const {
  return impl_->find(name) != nullptr;
}

std::vector<EntryInfo> Program::entries() const {
  std::vector<EntryInfo> list;
  for (const Entry &entry : impl_->entries) {
    EntryInfo &info = list.emplace_back();
    info.name = entry.name;
    info.requiredThreads = entry.requiredThreads;
    info.requiredCluster = entry.cluster;
    for (int param : entry.params)
      info.parameterBytes.push_back(entry.symbols[param].sizeBytes);
  }
  return list;
}

std::unique_ptr<Program> Program::parse(const std::string &ptx,
                                        std::string &error) {
  auto impl = std::make_unique<ProgramImpl>();
  impl->text = ptx;
  ParsedModule module;
  error.clear();
  if (!parsePtx(impl->text, module, error))
    return nullptr;
  impl->files = module.files;
  impl->entries.resize(module.entries.size());
  for (size_t i = 0; i < module.entries.size(); ++i) {
    if (!decodeEntry(module.entries[i], impl->entries[i], error))
      return nullptr;
    markProductRegisters(impl->entries[i]);
  }
  return std::unique_ptr<Program>(new Program(std::move(impl)));
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

/// Clusters must divide the grid, and be what the PTX requires.
static bool checkCluster(const Entry &entry, const std::array<int, 3> &cluster,
                         const std::array<int64_t, 3> &grid,
                         std::string &error) {
  auto text = [](const auto &extents) {
    return std::to_string(extents[0]) + "x" + std::to_string(extents[1]) + "x" +
           std::to_string(extents[2]);
  };
  auto fail = [&](const std::string &message) {
    error = "kernel '" + entry.name + "': " + message;
    return false;
  };
  int64_t size = 1;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (cluster[axis] < 1 || cluster[axis] > 16 || grid[axis] % cluster[axis])
      return fail("clusters of " + text(cluster) +
                  " CTAs do not divide a grid of " + text(grid));
    size *= cluster[axis];
  }
  if (size > 16)
    return fail("a cluster of " + std::to_string(size) +
                " CTAs; the hardware takes 16 at most");
  if (entry.cluster[0] && entry.cluster != cluster)
    return fail("the PTX requires clusters of " + text(entry.cluster) +
                " CTAs, the launch has " + text(cluster));
  return true;
}

static constexpr int64_t kMaxLocalBytes = 512 << 10;
static constexpr int64_t kMaxVariableBytes = 1 << 30;

/// A grid is a few bytes of a manifest, whatever it takes to run it.
static bool checkGrid(const Entry &entry, const std::array<int64_t, 3> &grid,
                      const Options &options, std::string &error) {
  int64_t ctas = satProduct(grid);
  bool isCount = grid[0] >= 0 && grid[1] >= 0 && grid[2] >= 0;
  if (isCount && ctas <= options.maxCtas)
    return true;
  error = "kernel '" + entry.name + "': a grid of " + std::to_string(grid[0]) +
          "x" + std::to_string(grid[1]) + "x" + std::to_string(grid[2]) +
          " CTAs; the emulator runs at most " +
          std::to_string(options.maxCtas) +
          " of a launch (--max-ctas allows more)";
  return false;
}

static bool checkLaunch(const Entry &entry, const manifest::Variant &variant,
                        std::string &error) {
  auto fail = [&](const std::string &message) {
    error = "kernel '" + entry.name + "': " + message;
    return false;
  };
  if (variant.threads < 1 || variant.threads > 1024)
    return fail("a CTA of " + std::to_string(variant.threads) +
                " threads; the hardware takes 1 to 1024");
  if (entry.requiredThreads && entry.requiredThreads != variant.threads)
    return fail("the PTX requires " + std::to_string(entry.requiredThreads) +
                " threads, the launch has " + std::to_string(variant.threads));
  if (entry.maxThreads && variant.threads > entry.maxThreads)
    return fail("the PTX allows " + std::to_string(entry.maxThreads) +
                " threads, the launch has " + std::to_string(variant.threads));
  int64_t shared = satAdd(entry.dynamicSharedOffset, variant.sharedBytes);
  if (variant.sharedBytes < 0 || shared > 232448)
    return fail(std::to_string(shared) +
                " bytes of shared memory; the hardware has 232448 for a CTA");
  if (entry.localBytes > kMaxLocalBytes)
    return fail(std::to_string(entry.localBytes) +
                " bytes of local memory; a thread has " +
                std::to_string(kMaxLocalBytes) + " at most");
  int64_t global = 0;
  for (const Symbol &symbol : entry.symbols)
    if (symbol.space == Space::Global || symbol.space == Space::Const)
      global = satAdd(global, satAdd(symbol.sizeBytes, symbol.alignment));
  if (global > kMaxVariableBytes)
    return fail(std::to_string(global) +
                " bytes of variables; the emulator holds " +
                std::to_string(kMaxVariableBytes));
  return true;
}

using ParamBytes = std::vector<std::vector<uint8_t>>;

/// Lays parameters out as the PTX declares them.
static bool packParams(const Entry &entry, const ParamBytes &params,
                       std::vector<uint8_t> &packed, std::string &error) {
  if (params.size() != entry.params.size()) {
    error = "kernel '" + entry.name + "' has " +
            std::to_string(entry.params.size()) + " parameters, the launch " +
            std::to_string(params.size());
    return false;
  }
  packed.assign(size_t(entry.paramBytes), 0);
  for (size_t i = 0; i < params.size(); ++i) {
    const Symbol &symbol = entry.symbols[entry.params[i]];
    if (int64_t(params[i].size()) != symbol.sizeBytes) {
      error = "parameter '" + symbol.name + "' has " +
              std::to_string(symbol.sizeBytes) + " bytes in the PTX and " +
              std::to_string(params[i].size()) + " in the launch";
      return false;
    }
    std::copy(params[i].begin(), params[i].end(),
              packed.begin() + symbol.offset);
  }
  return true;
}

/// The bytes that the driver would pass for a plan.
static bool encodeParams(const manifest::LaunchPlan &plan, ParamBytes &params,
                         std::string &error) {
  for (const manifest::ParamValue &value : plan.params) {
    std::vector<uint8_t> &bytes = params.emplace_back();
    if (!value.isTensorMap) {
      bytes.resize(size_t(value.sizeBytes));
      std::memcpy(bytes.data(), &value.bits, bytes.size());
      continue;
    }
    TensorMap map = fromManifest(value.tensorMap);
    if (!checkTensorMap(map, error)) {
      error = "parameter " + std::to_string(params.size() - 1) + ": " + error;
      return false;
    }
    bytes.resize(kTensorMapBytes);
    writeTensorMap(map, bytes.data());
  }
  return true;
}

/// Gives `.global` and `.const` variables host memory.
static std::vector<std::vector<uint8_t>>
placeVariables(const Entry &entry, std::vector<uint64_t> &addresses,
               std::vector<MemoryRange> &memory) {
  std::vector<std::vector<uint8_t>> storage;
  addresses.assign(entry.symbols.size(), 0);
  for (size_t i = 0; i < entry.symbols.size(); ++i) {
    const Symbol &symbol = entry.symbols[i];
    if (symbol.space != Space::Global && symbol.space != Space::Const)
      continue;
    size_t alignment = size_t(symbol.alignment);
    std::vector<uint8_t> bytes(size_t(symbol.sizeBytes) + alignment, 0);
    uint64_t base = reinterpret_cast<uint64_t>(bytes.data());
    base = (base + alignment - 1) / alignment * alignment;
    std::copy(symbol.initial.begin(), symbol.initial.end(),
              reinterpret_cast<uint8_t *>(base));
    addresses[i] = base;
    memory.push_back({base, uint64_t(symbol.sizeBytes),
                      symbol.space == Space::Global, symbol.name});
    storage.push_back(std::move(bytes)); // keeps its address
  }
  return storage;
}

/// What both forms of a launch come to. `plan` gives the grid.
static Result launch(const Program &program, const manifest::Manifest &manifest,
                     const manifest::Variant &variant,
                     const manifest::LaunchPlan &plan,
                     const std::array<int, 3> &block, const ParamBytes &params,
                     const std::vector<MemoryRange> &memory,
                     const Options &options) {
  Result result;
  result.refused = true;
  const Entry *entry = program.impl().find(variant.entry);
  if (!entry) {
    result.error = "the PTX has no entry '" + variant.entry + "'";
    return result;
  }
  std::vector<uint8_t> packed;
  if (!checkLaunch(*entry, variant, result.error) ||
      !checkGrid(*entry, plan.grid, options, result.error) ||
      !checkCluster(*entry, variant.cluster, plan.grid, result.error) ||
      !packParams(*entry, params, packed, result.error))
    return result;
  std::vector<uint64_t> addresses;
  std::vector<MemoryRange> ranges = memory;
  auto storage = placeVariables(*entry, addresses, ranges);
  GlobalMemory global(std::move(ranges));
  Launch launch{program.impl(), *entry,          manifest, variant,
                plan,           options,         global,   result.statistics,
                block,          variant.cluster, packed,   addresses};
  result.refused = false;
  result.ok = runGrid(launch, result.error);
  return result;
}

/// Parameters in the workspace say where they are in its memory.
static void relocate(manifest::LaunchPlan &plan, uint64_t workspace) {
  for (manifest::ParamValue &param : plan.params)
    if (param.isInWorkspace) {
      param.bits += param.isTensorMap ? 0 : workspace;
      param.tensorMap.address += workspace;
    }
}

static void add(Statistics &all, const Statistics &one) {
  all.ctas += one.ctas;
  all.warpInstructions += one.warpInstructions;
  all.wgmmas += one.wgmmas;
  all.bulkLoads += one.bulkLoads;
  all.bulkStores += one.bulkStores;
  all.bulkLoadBytes += one.bulkLoadBytes;
  all.bulkStoreBytes += one.bulkStoreBytes;
}

/// One step of a launch.
static Result runStep(const Program &program,
                      const manifest::Manifest &manifest,
                      const manifest::LaunchPlan &plan,
                      const std::vector<MemoryRange> &memory,
                      const Options &options) {
  Result result;
  result.refused = true;
  if (plan.variantIndex < 0 ||
      size_t(plan.variantIndex) >= manifest.variants.size()) {
    result.error = "the plan names variant " +
                   std::to_string(plan.variantIndex) + " of " +
                   std::to_string(manifest.variants.size());
    return result;
  }
  const manifest::Variant &variant = manifest.variants[plan.variantIndex];
  manifest::LaunchPlan filled = plan;
  std::vector<MemoryRange> ranges = memory;
  manifest::TrapRecord record;
  for (manifest::ParamValue &param : filled.params)
    if (param.isTrapRecord) {
      param.bits = reinterpret_cast<uint64_t>(&record);
      ranges.push_back({param.bits, sizeof record, true, "the trap record"});
    }
  ParamBytes params;
  if (!encodeParams(filled, params, result.error))
    return result;
  result = launch(program, manifest, variant, filled, {variant.threads, 1, 1},
                  params, ranges, options);
  if (record.isTaken)
    result.error = describe(variant, record) + "\n  " + result.error;
  return result;
}

Result heddle::emulator::run(const Program &program,
                             const manifest::Manifest &manifest,
                             const manifest::LaunchPlan &plan,
                             const std::vector<MemoryRange> &memory,
                             const Options &options) {
  if (plan.workspaceBytes > kMostWorkspace) {
    Result result;
    result.refused = true;
    result.error = "the launch needs a workspace of " +
                   std::to_string(plan.workspaceBytes) +
                   " bytes, and the emulator brings at most 2^32";
    return result;
  }
  // Not numbers, so that whoever counts on cleared memory is found out.
  std::vector<uint8_t> workspace(
      size_t(plan.workspaceBytes + manifest::kWorkspaceAlignment), 0xff);
  uint64_t base = (reinterpret_cast<uint64_t>(workspace.data()) +
                   manifest::kWorkspaceAlignment - 1) /
                  manifest::kWorkspaceAlignment * manifest::kWorkspaceAlignment;
  for (const manifest::LaunchPlan::Range &range : plan.cleared)
    std::memset(reinterpret_cast<uint8_t *>(base) + range.begin, 0,
                size_t(range.bytes));
  std::vector<MemoryRange> ranges = memory;
  if (plan.workspaceBytes)
    ranges.push_back(
        {base, uint64_t(plan.workspaceBytes), true, "the workspace"});
  manifest::LaunchPlan first = plan;
  relocate(first, base);
  Result result = runStep(program, manifest, first, ranges, options);
  for (manifest::LaunchPlan step : plan.then) {
    if (!result.ok)
      break;
    relocate(step, base);
    Result next = runStep(program, manifest, step, ranges, options);
    add(next.statistics, result.statistics);
    result = std::move(next);
  }
  return result;
}

Result heddle::emulator::run(const Program &program, const RawLaunch &raw,
                             const std::vector<MemoryRange> &memory,
                             const Options &options) {
  // No process, no ring: reports then speak of warps and addresses.
  manifest::Manifest manifest;
  manifest::Variant variant;
  variant.entry = raw.entry;
  variant.threads =
      int(std::clamp<int64_t>(satProduct(raw.block), INT32_MIN, INT32_MAX));
  variant.sharedBytes = raw.sharedBytes;
  variant.cluster = raw.cluster;
  manifest::LaunchPlan plan;
  plan.grid = raw.grid;
  return launch(program, manifest, variant, plan, raw.block, raw.params, memory,
                options);
}
