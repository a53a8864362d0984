//===- Driver.h - libcuda.so.1, loaded at first use -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of the driver functions that the runtime calls, found by name in
// libcuda.so.1 at the first call. The library is not linked against the driver,
// so it loads on a machine without one, where each call fails with a sentence.
// A failed load is tried again at the next call.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_DRIVER_H
#define HEDDLE_RUNTIME_LIB_DRIVER_H

#include "DriverTypes.h"
#include "Error.h"

namespace heddle::runtime {

// X(name, parameters): every driver function used, all returning CUresult.
#define HEDDLE_DRIVER_FUNCTIONS(X)                                             \
  X(cuInit, (unsigned))                                                        \
  X(cuDriverGetVersion, (int *))                                               \
  X(cuGetErrorName, (CUresult, const char **))                                 \
  X(cuGetErrorString, (CUresult, const char **))                               \
  X(cuDeviceGetCount, (int *))                                                 \
  X(cuDeviceGet, (CUdevice *, int))                                            \
  X(cuDeviceGetName, (char *, int, CUdevice))                                  \
  X(cuDeviceGetAttribute, (int *, int, CUdevice))                              \
  X(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))                         \
  X(cuCtxGetCurrent, (CUcontext *))                                            \
  X(cuCtxSetCurrent, (CUcontext))                                              \
  X(cuCtxGetDevice, (CUdevice *))                                              \
  X(cuModuleLoadDataEx, (CUmodule *, const void *, unsigned, int *, void **))  \
  X(cuModuleUnload, (CUmodule))                                                \
  X(cuModuleGetFunction, (CUfunction *, CUmodule, const char *))               \
  X(cuFuncGetAttribute, (int *, int, CUfunction))                              \
  X(cuFuncSetAttribute, (CUfunction, int, int))                                \
  X(cuTensorMapEncodeTiled,                                                    \
    (CUtensorMap *, int, uint32_t, void *, const uint64_t *, const uint64_t *, \
     const uint32_t *, const uint32_t *, int, int, int, int))                  \
  X(cuTensorMapEncodeIm2col,                                                   \
    (CUtensorMap *, int, uint32_t, void *, const uint64_t *, const uint64_t *, \
     const int *, const int *, uint32_t, uint32_t, const uint32_t *, int, int, \
     int, int))                                                                \
  X(cuTensorMapReplaceAddress, (CUtensorMap *, void *))                        \
  X(cuMemPoolCreate, (CUmemoryPool *, const CUmemPoolProps *))                 \
  X(cuMemPoolSetAttribute, (CUmemoryPool, int, void *))                        \
  X(cuMemAllocFromPoolAsync, (CUdeviceptr *, size_t, CUmemoryPool, CUstream))  \
  X(cuMemFreeAsync, (CUdeviceptr, CUstream))                                   \
  X(cuMemsetD8Async, (CUdeviceptr, unsigned char, size_t, CUstream))           \
  X(cuPointerGetAttribute, (void *, int, CUdeviceptr))                         \
  X(cuLaunchKernel,                                                            \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, CUstream, void **, void **))                                    \
  X(cuLaunchKernelEx, (const CUlaunchConfig *, CUfunction, void **, void **))  \
  X(cuStreamSynchronize, (CUstream))                                           \
  X(cuStreamIsCapturing, (CUstream, int *))                                    \
  X(cuEventCreate, (CUevent *, unsigned))                                      \
  X(cuEventDestroy_v2, (CUevent))                                              \
  X(cuStreamWaitEvent, (CUstream, CUevent, unsigned))                          \
  X(cuEventRecord, (CUevent, CUstream))                                        \
  X(cuEventSynchronize, (CUevent))                                             \
  X(cuEventElapsedTime, (float *, CUevent, CUevent))                           \
  X(cuMemAlloc_v2, (CUdeviceptr *, size_t))                                    \
  X(cuMemFree_v2, (CUdeviceptr))                                               \
  X(cuMemHostAlloc, (void **, size_t, unsigned))                               \
  X(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t))                      \
  X(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t))                            \
  X(cuMemsetD8_v2, (CUdeviceptr, unsigned char, size_t))

/// The driver's functions, all resolved and initialised.
struct Driver {
#define X(name, parameters) CUresult(*name) parameters = nullptr;
  HEDDLE_DRIVER_FUNCTIONS(X)
#undef X
};

/// The driver, loading it if this is the first call. It is never unloaded.
heddle_status getDriver(const Driver *&driver);

/// HEDDLE_OK, or a failure that names the driver function and its reason.
heddle_status checkDriver(const Driver &driver, CUresult result,
                          const char *function);

} // namespace heddle::runtime

#endif // HEDDLE_RUNTIME_LIB_DRIVER_H
