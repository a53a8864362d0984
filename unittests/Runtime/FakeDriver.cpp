//===- FakeDriver.cpp - A libcuda that records ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signatures are the ABI's plain types on purpose, not the runtime's own
// declarations: a wrong declaration there must not be repeated here.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#define FAKE extern "C" __attribute__((visibility("default"))) int

static std::unique_ptr<FakeDriverState> state =
    std::make_unique<FakeDriverState>();
static thread_local uint64_t currentContext = 0; // 0x100 + device

extern "C" __attribute__((visibility("default"))) FakeDriverState *
fake_driver_state() {
  return state.get();
}

extern "C" __attribute__((visibility("default"))) void fake_driver_reset() {
  state = std::make_unique<FakeDriverState>();
  currentContext = 0;
}

// The same for callers that know C only.
FAKE fake_driver_launches() { return static_cast<int>(state->launches.size()); }
FAKE fake_driver_expect_params(int count) {
  state->paramCount = static_cast<size_t>(count);
  return 0;
}
FAKE fake_driver_set_unreachable(uint64_t address) {
  state->unreachable = address;
  return 0;
}
/// Grid and block of launch `index` to `extents`, its parameters to `params`.
FAKE fake_driver_launch(int index, unsigned *extents, uint64_t *stream,
                        uint64_t *params) {
  const FakeLaunch &launch = state->launches.at(index);
  std::memcpy(extents, launch.grid, sizeof(launch.grid));
  std::memcpy(extents + 3, launch.block, sizeof(launch.block));
  *stream = launch.stream;
  std::memcpy(params, launch.params.data(), 8 * launch.params.size());
  return 0;
}

FAKE cuInit(unsigned) {
  ++state->inits;
  return state->initResult;
}
FAKE cuDriverGetVersion(int *version) {
  *version = 12080;
  return 0;
}
FAKE cuGetErrorName(int result, const char **name) {
  *name = result == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == 218 ? "CUDA_ERROR_INVALID_PTX"
          : result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                          : "CUDA_ERROR_INVALID_VALUE";
  return 0;
}
FAKE cuGetErrorString(int, const char **text) {
  *text = "the fake says so";
  return 0;
}
FAKE cuDeviceGetCount(int *count) {
  *count = state->deviceCount;
  return 0;
}
FAKE cuDeviceGet(int *device, int index) {
  *device = index;
  return 0;
}
FAKE cuDeviceGetName(char *name, int size, int device) {
  std::string text = "Fake device " + std::to_string(device);
  std::strncpy(name, text.c_str(), size);
  return 0;
}
FAKE cuDeviceGetAttribute(int *value, int attribute, int device) {
  switch (attribute) {
  case 16:
    *value = 132;
    return 0;
  case 75:
    *value = device == 0 ? 9 : 8;
    return 0;
  case 76:
    *value = 0;
    return 0;
  case 97:
    *value = 232448;
    return 0;
  }
  return 1;
}
FAKE cuDevicePrimaryCtxRetain(uint64_t *context, int device) {
  std::lock_guard lock(state->mutex);
  ++state->primaryRetains;
  *context = 0x100 + device;
  return 0;
}
FAKE cuCtxGetCurrent(uint64_t *context) {
  *context = currentContext;
  return 0;
}
FAKE cuCtxSetCurrent(uint64_t context) {
  currentContext = context;
  return 0;
}
FAKE cuCtxGetDevice(int *device) {
  if (!currentContext)
    return 201;
  *device = static_cast<int>(currentContext & 0xf);
  return 0;
}

FAKE cuModuleLoadDataEx(uint64_t *module, const void *image, unsigned count,
                        int *options, void **values) {
  std::lock_guard lock(state->mutex);
  state->ptx = static_cast<const char *>(image);
  // For callers in another process.
  if (const char *name = std::getenv("FAKE_DRIVER_LOG")) {
    std::ifstream file(name);
    state->infoLog.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (unsigned i = 0; i < count; ++i) {
    const std::string *log = options[i] == 3   ? &state->infoLog
                             : options[i] == 5 ? &state->errorLog
                                               : nullptr;
    if (log)
      std::memcpy(values[i], log->c_str(), log->size() + 1);
  }
  if (state->loadResult)
    return state->loadResult;
  *module = 0x1000 + ++state->modulesLoaded;
  return 0;
}
FAKE cuModuleUnload(uint64_t) {
  std::lock_guard lock(state->mutex);
  ++state->modulesUnloaded;
  return 0;
}
FAKE cuModuleGetFunction(const std::string **function, uint64_t,
                         const char *name) {
  std::lock_guard lock(state->mutex);
  if (name == state->missingEntry)
    return 500;
  *function = &*state->entries.insert(name).first;
  return 0;
}
FAKE cuFuncGetAttribute(int *value, int attribute, const std::string *) {
  switch (attribute) {
  case 0:
    *value = state->maxThreads;
    return 0;
  case 1:
    *value = state->staticShared;
    return 0;
  case 3:
    *value = state->localBytes;
    return 0;
  case 4:
    *value = state->registers;
    return 0;
  }
  return 1;
}
FAKE cuFuncSetAttribute(const std::string *function, int attribute, int value) {
  std::lock_guard lock(state->mutex);
  state->attributes.push_back(*function + " " + std::to_string(attribute) +
                              " = " + std::to_string(value));
  return 0;
}

FAKE cuPointerGetAttribute(void *value, int attribute, uint64_t address) {
  if (address == state->unreachable)
    return 1;
  int owner = state->owners.count(address) ? state->owners[address]
                                           : int(currentContext & 0xf);
  unsigned isManaged = state->managed.count(address);
  switch (attribute) {
  case 3:
    std::memcpy(value, &address, 8);
    return 0;
  case 8:
    std::memcpy(value, &isManaged, 4);
    return 0;
  case 9:
    std::memcpy(value, &owner, 4);
    return 0;
  }
  return 1;
}
FAKE cuTensorMapEncodeTiled(uint64_t *map, int dtype, uint32_t rank,
                            void *address, const uint64_t *dims,
                            const uint64_t *strides, const uint32_t *box,
                            const uint32_t *elementStrides, int interleave,
                            int swizzle, int promotion, int fill) {
  std::lock_guard lock(state->mutex);
  if (state->encodeResult || reinterpret_cast<uint64_t>(map) % 64 != 0)
    return 1; // the driver demands 64-byte alignment
  FakeTensorMap record;
  record.dtype = dtype;
  record.rank = rank;
  record.address = reinterpret_cast<uint64_t>(address);
  record.dims.assign(dims, dims + rank);
  record.strides.assign(strides, strides + rank - 1);
  record.box.assign(box, box + rank);
  record.elementStrides.assign(elementStrides, elementStrides + rank);
  record.interleave = interleave;
  record.swizzle = swizzle;
  record.promotion = promotion;
  record.fill = fill;
  std::memset(map, 0xee, 128);
  map[0] = state->maps.size();
  state->maps.push_back(record);
  return 0;
}

FAKE cuTensorMapEncodeIm2col(uint64_t *map, int dtype, uint32_t rank,
                             void *address, const uint64_t *dims,
                             const uint64_t *strides, const int *lower,
                             const int *upper, uint32_t channels,
                             uint32_t pixels, const uint32_t *elementStrides,
                             int interleave, int swizzle, int promotion,
                             int fill) {
  std::vector<uint32_t> box(rank, 1);
  box[0] = channels;
  if (int status = cuTensorMapEncodeTiled(map, dtype, rank, address, dims,
                                          strides, box.data(), elementStrides,
                                          interleave, swizzle, promotion, fill))
    return status;
  std::lock_guard lock(state->mutex);
  FakeTensorMap &record = state->maps.back();
  record.pixels = pixels;
  record.lower.assign(lower, lower + rank - 2);
  record.upper.assign(upper, upper + rank - 2);
  return 0;
}

FAKE cuTensorMapReplaceAddress(uint64_t *map, void *address) {
  std::lock_guard lock(state->mutex);
  FakeTensorMap moved = state->maps.at(map[0]);
  moved.address = reinterpret_cast<uint64_t>(address);
  map[0] = state->maps.size();
  state->maps.push_back(moved);
  return 0;
}

// The properties are read by cuda.h's offsets: four int, of which the last is
// the device.
FAKE cuMemPoolCreate(uint64_t *pool, const int *properties) {
  std::lock_guard lock(state->mutex);
  if (properties[0] != 1 || properties[1] != 0 || properties[2] != 1)
    return 1;
  state->pools.push_back(properties[3]);
  *pool = state->pools.size();
  return 0;
}
FAKE cuMemPoolSetAttribute(uint64_t, int attribute, void *value) {
  return attribute == 4 && *static_cast<uint64_t *>(value) == UINT64_MAX ? 0
                                                                         : 1;
}
FAKE cuMemAllocFromPoolAsync(uint64_t *address, size_t bytes, uint64_t pool,
                             uint64_t stream) {
  std::lock_guard lock(state->mutex);
  if (state->allocResult)
    return state->allocResult;
  state->pieces.push_back(std::to_string(state->pools.at(pool - 1)) + " + " +
                          std::to_string(bytes) + " on " +
                          std::to_string(stream));
  *address = 0x700000 + 0x10000 * state->pieces.size();
  return 0;
}
FAKE cuMemsetD8Async(uint64_t address, unsigned char value, size_t bytes,
                     uint64_t stream) {
  std::lock_guard lock(state->mutex);
  state->pieces.push_back(
      std::to_string(address) + " = " + std::to_string(value) + " for " +
      std::to_string(bytes) + " on " + std::to_string(stream));
  return 0;
}
FAKE cuMemFreeAsync(uint64_t address, uint64_t stream) {
  std::lock_guard lock(state->mutex);
  state->pieces.push_back("- " + std::to_string(address) + " on " +
                          std::to_string(stream));
  return 0;
}

static int record(FakeLaunch launch, const std::string *function,
                  void **params) {
  std::lock_guard lock(state->mutex);
  if (state->launchResult)
    return state->launchResult;
  launch.entry = *function;
  launch.context = currentContext;
  for (size_t i = 0; i < state->paramCount; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, params[i], sizeof(bits));
    launch.params.push_back(bits);
  }
  state->launches.push_back(launch);
  return 0;
}
FAKE cuLaunchKernel(const std::string *function, unsigned gx, unsigned gy,
                    unsigned gz, unsigned bx, unsigned by, unsigned bz,
                    unsigned sharedBytes, uint64_t stream, void **params,
                    void **extra) {
  if (extra)
    return 1;
  FakeLaunch launch;
  const unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
  std::memcpy(launch.grid, grid, sizeof(grid));
  std::memcpy(launch.block, block, sizeof(block));
  launch.sharedBytes = sharedBytes;
  launch.stream = stream;
  return record(launch, function, params);
}
// The structure is read by cuda.h's offsets: 7 unsigned, then a pointer at 32.
FAKE cuLaunchKernelEx(const unsigned *config, const std::string *function,
                      void **params, void **extra) {
  const char *bytes = reinterpret_cast<const char *>(config);
  const unsigned *attribute = nullptr;
  FakeLaunch launch;
  std::memcpy(launch.grid, config, sizeof(launch.grid));
  std::memcpy(launch.block, config + 3, sizeof(launch.block));
  launch.sharedBytes = config[6];
  std::memcpy(&launch.stream, bytes + 32, 8);
  std::memcpy(&attribute, bytes + 40, 8);
  if (extra || *reinterpret_cast<const unsigned *>(bytes + 48) != 1 ||
      attribute[0] != 4)
    return 1;
  std::memcpy(launch.cluster, attribute + 2, sizeof(launch.cluster));
  return record(launch, function, params);
}

FAKE cuStreamSynchronize(uint64_t) { return state->synchronizeResult; }
FAKE cuStreamIsCapturing(uint64_t stream, int *status) {
  *status = stream == state->capturing;
  return 0;
}
FAKE cuEventCreate(uint64_t *event, unsigned) {
  *event = 0x500 + ++state->eventsAlive;
  return 0;
}
FAKE cuEventDestroy_v2(uint64_t) {
  --state->eventsAlive;
  return 0;
}
FAKE cuStreamWaitEvent(uint64_t stream, uint64_t event, unsigned) {
  state->waits.push_back({stream, event});
  return 0;
}
FAKE cuEventRecord(uint64_t, uint64_t) { return 0; }
FAKE cuEventSynchronize(uint64_t) { return 0; }
FAKE cuEventElapsedTime(float *milliseconds, uint64_t, uint64_t) {
  *milliseconds = 2.5f;
  return 0;
}

FAKE cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  std::lock_guard lock(state->mutex);
  if (state->allocResult || bytes == 0)
    return state->allocResult ? state->allocResult : 1;
  *address = 0x7000000 + 0x100000 * state->memory.size();
  state->memory[*address].resize(bytes);
  return 0;
}
FAKE cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  std::lock_guard lock(state->mutex);
  // Never freed: the runtime keeps such memory until the process ends.
  *memory = state->hostMemory = new char[bytes];
  return 0;
}
FAKE cuMemFree_v2(uint64_t address) {
  return state->memory.erase(address) ? 0 : 1;
}
FAKE cuMemcpyHtoD_v2(uint64_t address, const void *host, size_t bytes) {
  std::memcpy(state->memory.at(address).data(), host, bytes);
  return 0;
}
FAKE cuMemcpyDtoH_v2(void *host, uint64_t address, size_t bytes) {
  std::memcpy(host, state->memory.at(address).data(), bytes);
  return 0;
}
FAKE cuMemsetD8_v2(uint64_t address, unsigned char value, size_t bytes) {
  std::memset(state->memory.at(address).data(), value, bytes);
  return 0;
}
