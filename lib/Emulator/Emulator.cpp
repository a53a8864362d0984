//===- Emulator.cpp - Runs a compiled kernel on the CPU -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Emulator/Emulator.h"

#include "Decoder.h"
#include "PtxParser.h"
#include "Scheduler.h"
#include "TensorMaps.h"

#include <cstring>

using namespace heddle::emulator;
using namespace heddle;

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
  for (size_t i = 0; i < module.entries.size(); ++i)
    if (!decodeEntry(module.entries[i], impl->entries[i], error))
      return nullptr;
  return std::unique_ptr<Program>(new Program(std::move(impl)));
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

static bool checkLaunch(const Entry &entry, const manifest::Variant &variant,
                        std::string &error) {
  auto fail = [&](const std::string &message) {
    error = "kernel '" + entry.name + "': " + message;
    return false;
  };
  if (variant.cluster != std::array<int, 3>{1, 1, 1} || entry.hasCluster)
    return fail("the emulator runs clusters of one CTA only");
  if (variant.threads < 1 || variant.threads > 1024)
    return fail("a CTA of " + std::to_string(variant.threads) +
                " threads; the hardware takes 1 to 1024");
  if (entry.requiredThreads && entry.requiredThreads != variant.threads)
    return fail("the PTX requires " + std::to_string(entry.requiredThreads) +
                " threads, the manifest launches " +
                std::to_string(variant.threads));
  int64_t shared = entry.dynamicSharedOffset + variant.sharedBytes;
  if (shared > 232448)
    return fail(std::to_string(shared) +
                " bytes of shared memory; the hardware has 232448 for a CTA");
  return true;
}

/// Lays the plan's parameters out as the PTX declares them.
static bool packParams(const Entry &entry, const manifest::LaunchPlan &plan,
                       Launch &launch, std::string &error) {
  if (plan.params.size() != entry.params.size()) {
    error = "kernel '" + entry.name + "' has " +
            std::to_string(entry.params.size()) + " parameters, the plan " +
            std::to_string(plan.params.size());
    return false;
  }
  launch.params.assign(size_t(entry.paramBytes), 0);
  for (size_t i = 0; i < plan.params.size(); ++i) {
    const manifest::ParamValue &value = plan.params[i];
    const Symbol &symbol = entry.symbols[entry.params[i]];
    int64_t bytes = value.isTensorMap ? 128 : value.sizeBytes;
    if (bytes != symbol.sizeBytes) {
      error = "parameter '" + symbol.name + "' has " +
              std::to_string(symbol.sizeBytes) + " bytes in the PTX and " +
              std::to_string(bytes) + " in the plan";
      return false;
    }
    if (value.isTensorMap) {
      TensorMap map = fromManifest(value.tensorMap);
      if (!checkTensorMap(map, error)) {
        error = "parameter '" + symbol.name + "': " + error;
        return false;
      }
      writeTensorMap(map, &launch.params[size_t(symbol.offset)]);
      continue;
    }
    std::memcpy(&launch.params[size_t(symbol.offset)], &value.bits,
                size_t(bytes));
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

static bool runGrid(Launch &launch, std::string &error) {
  const std::array<int64_t, 3> &grid = launch.plan.grid;
  Cta cta(launch);
  Random seeds(launch.options.seed);
  for (int64_t z = 0; z < grid[2]; ++z)
    for (int64_t y = 0; y < grid[1]; ++y)
      for (int64_t x = 0; x < grid[0]; ++x) {
        cta.start({x, y, z}, seeds.next());
        bool ok = Scheduler(cta).run();
        launch.statistics.warpInstructions += cta.steps;
        ++launch.statistics.ctas;
        if (!ok) {
          error = cta.error;
          return false;
        }
      }
  return true;
}

Result heddle::emulator::run(const Program &program,
                             const manifest::Manifest &manifest,
                             const manifest::LaunchPlan &plan,
                             const std::vector<MemoryRange> &memory,
                             const Options &options) {
  Result result;
  if (plan.variantIndex < 0 ||
      size_t(plan.variantIndex) >= manifest.variants.size()) {
    result.error = "the plan names variant " +
                   std::to_string(plan.variantIndex) + " of " +
                   std::to_string(manifest.variants.size());
    return result;
  }
  const manifest::Variant &variant = manifest.variants[plan.variantIndex];
  const Entry *entry = program.impl().find(variant.entry);
  if (!entry) {
    result.error = "the PTX has no entry '" + variant.entry + "'";
    return result;
  }
  std::vector<uint64_t> addresses;
  std::vector<MemoryRange> ranges = memory;
  auto storage = placeVariables(*entry, addresses, ranges);
  GlobalMemory global(std::move(ranges));
  Launch launch{program.impl(), *entry, manifest,          variant, plan,
                options,        global, result.statistics, {},      addresses};
  result.ok = checkLaunch(*entry, variant, result.error) &&
              packParams(*entry, plan, launch, result.error) &&
              runGrid(launch, result.error);
  return result;
}
