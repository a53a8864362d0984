//===- Launch.cpp - A planned launch in the driver's terms ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "TrapRecords.h"
#include "Workspace.h"

#include <cstring>

using namespace heddle::runtime;
using namespace heddle::manifest;

/// Of a tensor map whose memory is not there yet.
static constexpr uint64_t kSomeAddress = uint64_t(1) << 32;

static int tensorMapType(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  case ElementType::BF16:
    return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  case ElementType::F32:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  case ElementType::F64:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  case ElementType::I16:
    return CU_TENSOR_MAP_DATA_TYPE_UINT16;
  case ElementType::I32:
    return CU_TENSOR_MAP_DATA_TYPE_INT32;
  case ElementType::I64:
    return CU_TENSOR_MAP_DATA_TYPE_INT64;
  case ElementType::I8:
  case ElementType::E4M3:
  case ElementType::E5M2:
    return CU_TENSOR_MAP_DATA_TYPE_UINT8; // moved, never interpreted
  }
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

// CUtensorMapSwizzle and CUtensorMapL2promotion count up from none.
static int swizzleCode(int bytes) {
  return bytes == 128 ? 3 : bytes == 64 ? 2 : bytes == 32 ? 1 : 0;
}
static int promotionCode(int bytes) {
  return bytes == 256 ? 3 : bytes == 128 ? 2 : bytes == 64 ? 1 : 0;
}

static std::string listText(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : "x") + std::to_string(number);
  return text;
}

static heddle_status encode(const Driver &driver, const TensorMap &map,
                            const std::string &name, CUtensorMap &result) {
  uint64_t dims[HEDDLE_MAX_RANK] = {}, strides[HEDDLE_MAX_RANK] = {};
  uint32_t box[HEDDLE_MAX_RANK] = {}, elementStrides[HEDDLE_MAX_RANK] = {};
  size_t rank = map.dims.size();
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = static_cast<uint64_t>(map.dims[i]);
    box[i] = static_cast<uint32_t>(map.pixels && i ? 1 : map.box[i]);
    elementStrides[i] =
        map.steps.empty() ? 1 : static_cast<uint32_t>(map.steps[i]);
    if (i > 0) // the driver takes the fastest stride as given
      strides[i - 1] = static_cast<uint64_t>(map.stridesBytes[i]);
  }
  auto *address = reinterpret_cast<void *>(map.address);
  int swizzle = swizzleCode(map.swizzleBytes),
      promotion = promotionCode(map.l2PromotionBytes);
  CUresult status =
      map.pixels ? driver.cuTensorMapEncodeIm2col(
                       &result, tensorMapType(map.element),
                       static_cast<uint32_t>(rank), address, dims, strides,
                       map.lower.data(), map.upper.data(), box[0],
                       static_cast<uint32_t>(map.pixels), elementStrides,
                       CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion,
                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
                 : driver.cuTensorMapEncodeTiled(
                       &result, tensorMapType(map.element),
                       static_cast<uint32_t>(rank), address, dims, strides, box,
                       elementStrides, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                       promotion, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status == CUDA_SUCCESS)
    return HEDDLE_OK;
  std::vector<int64_t> boxes(map.box.begin(), map.box.end());
  return checkDriver(driver, status,
                     (std::string(map.pixels ? "cuTensorMapEncodeIm2col"
                                             : "cuTensorMapEncodeTiled") +
                      " for view '" + name + "' (" + spelling(map.element) +
                      ", dims " + listText(map.dims) + ", strides " +
                      listText(map.stridesBytes) + " bytes, box " +
                      listText(boxes) + ")")
                         .c_str());
}

heddle_status heddle::runtime::prepareLaunch(const Driver &driver,
                                             const Manifest &manifest,
                                             const LaunchPlan &plan,
                                             const Module &module,
                                             PreparedLaunch &launch) {
  const Variant &variant = manifest.variants[plan.variantIndex];
  const Entry &entry = module.entries[plan.variantIndex];
  for (int i = 0; i < 3; ++i) {
    launch.isNothing |= plan.grid[i] == 0;
    launch.grid[i] = static_cast<unsigned>(plan.grid[i]);
    launch.cluster[i] = static_cast<unsigned>(variant.cluster[i]);
  }
  if (launch.isNothing)
    return HEDDLE_OK;
  if (!entry.refusal.empty())
    return fail(HEDDLE_ERROR_UNSUPPORTED_DEVICE,
                "kernel '" + manifest.kernel + "': " + entry.refusal);
  launch.function = entry.function;
  launch.threads = static_cast<unsigned>(variant.threads);
  launch.sharedBytes = static_cast<unsigned>(variant.sharedBytes);
  launch.storage.resize(plan.params.size());
  launch.workspaceBytes = static_cast<size_t>(plan.workspaceBytes);
  launch.cleared = plan.cleared;
  launch.device = module.device.device;
  for (const LaunchPlan &step : plan.then) {
    launch.then = std::make_unique<PreparedLaunch>();
    HEDDLE_TRY(prepareLaunch(driver, manifest, step, module, *launch.then));
  }
  for (size_t i = 0; i < plan.params.size(); ++i) {
    ParamValue param = plan.params[i];
    if (param.isInWorkspace) {
      launch.places.push_back(
          {i, param.isTensorMap ? param.tensorMap.address : param.bits,
           param.isTensorMap});
      // To be replaced in each launch; the driver wants an address.
      param.tensorMap.address += kSomeAddress;
    }
    if (param.isTensorMap)
      HEDDLE_TRY(encode(driver, param.tensorMap, variant.params[i].argument,
                        launch.storage[i]));
    else if (param.isTrapRecord)
      HEDDLE_TRY(
          makeTrapRecord(driver, manifest.kernel, variant,
                         *reinterpret_cast<uint64_t *>(&launch.storage[i])));
    else
      std::memcpy(&launch.storage[i], &param.bits, sizeof(param.bits));
  }
  return HEDDLE_OK;
}

/// One step, with parameters that are complete.
static heddle_status submitStep(const Driver &driver,
                                const PreparedLaunch &launch,
                                const std::vector<CUtensorMap> &storage,
                                CUstream stream, const std::string &kernel) {
  if (launch.isNothing)
    return HEDDLE_OK;
  // The driver copies the parameters before it returns and does not write them.
  constexpr size_t kInline = 32;
  void *inlinePointers[kInline];
  std::vector<void *> heapPointers;
  void **pointers = inlinePointers;
  if (storage.size() > kInline) {
    heapPointers.resize(storage.size());
    pointers = heapPointers.data();
  }
  for (size_t i = 0; i < storage.size(); ++i)
    pointers[i] = const_cast<CUtensorMap *>(&storage[i]);

  CUlaunchAttribute cluster = {};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {launch.cluster[0], launch.cluster[1],
                              launch.cluster[2]};
  CUresult result;
  if (launch.cluster[0] * launch.cluster[1] * launch.cluster[2] == 1) {
    result = driver.cuLaunchKernel(
        launch.function, launch.grid[0], launch.grid[1], launch.grid[2],
        launch.threads, 1, 1, launch.sharedBytes, stream, pointers, nullptr);
  } else {
    CUlaunchConfig config = {launch.grid[0],
                             launch.grid[1],
                             launch.grid[2],
                             launch.threads,
                             1,
                             1,
                             launch.sharedBytes,
                             stream,
                             &cluster,
                             1};
    result =
        driver.cuLaunchKernelEx(&config, launch.function, pointers, nullptr);
  }
  if (result == CUDA_SUCCESS)
    return HEDDLE_OK;
  return checkDriver(driver, result,
                     ("the launch of kernel '" + kernel + "'").c_str());
}

static heddle_status clear(const Driver &driver, const PreparedLaunch &launch,
                           CUdeviceptr begin, CUstream stream) {
  for (const LaunchPlan::Range &range : launch.cleared)
    HEDDLE_TRY(checkDriver(
        driver,
        driver.cuMemsetD8Async(begin + static_cast<CUdeviceptr>(range.begin), 0,
                               static_cast<size_t>(range.bytes), stream),
        "cuMemsetD8Async"));
  return HEDDLE_OK;
}

/// All steps, with parameters that lead to the workspace at `begin`.
static heddle_status submitSteps(const Driver &driver,
                                 const PreparedLaunch &launch,
                                 CUdeviceptr begin, CUstream stream,
                                 const std::string &kernel) {
  for (const PreparedLaunch *step = &launch; step; step = step->then.get()) {
    std::vector<CUtensorMap> storage = step->storage;
    for (const PreparedLaunch::Place &place : step->places) {
      uint64_t address = begin + place.offset;
      if (!place.isTensorMap)
        std::memcpy(&storage[place.param], &address, sizeof address);
      else
        HEDDLE_TRY(checkDriver(
            driver,
            driver.cuTensorMapReplaceAddress(&storage[place.param],
                                             reinterpret_cast<void *>(address)),
            "cuTensorMapReplaceAddress"));
    }
    HEDDLE_TRY(submitStep(driver, *step, storage, stream, kernel));
  }
  return HEDDLE_OK;
}

heddle_status heddle::runtime::submit(const Driver &driver,
                                      const PreparedLaunch &launch,
                                      CUstream stream,
                                      const std::string &kernel) {
  if (!launch.then && !launch.workspaceBytes)
    return submitStep(driver, launch, launch.storage, stream, kernel);
  if (launch.isNothing)
    return HEDDLE_OK;
  Workspace workspace(driver, stream);
  HEDDLE_TRY(workspace.allocate(launch.device, launch.workspaceBytes));
  HEDDLE_TRY(clear(driver, launch, workspace.begin(), stream));
  HEDDLE_TRY(submitSteps(driver, launch, workspace.begin(), stream, kernel));
  return workspace.release();
}
