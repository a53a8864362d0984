/*===- heddle/runtime.h - Run compiled kernels ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of heddle, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The C interface of libheddle_runtime.so. A kernel is two texts, KERNEL.ptx *|
|* and KERNEL.json (docs/reference/manifest.md); a launch takes the arguments *|
|* of the source kernel, chooses the variant, makes the tensor maps and calls *|
|* the driver.                                                                *|
|*                                                                            *|
|* Errors. A function that can fail returns a heddle_status; heddle_last_error
*|
|* gives the sentence that goes with the last failure of the calling thread.  *|
|* Nothing here prints, exits, throws or aborts, whatever the sizes and counts*|
|* that are passed; where host memory runs out, that is an error as well.     *|
|*                                                                            *|
|* Devices. The library works in the calling thread's current CUDA context    *|
|* (PyTorch's, say). If there is none it makes the primary context of device  *|
|* 0 current. The driver, libcuda.so.1, is loaded at first use, so the library
*|
|* also loads where there is none.                                            *|
|*                                                                            *|
|* Threads. Every function may be called from several threads at once, for    *|
|* one kernel too, except heddle_kernel_destroy.                              *|
|*                                                                            *|
|* Units: sizes are bytes, shapes and strides are elements, times are         *|
|* milliseconds.                                                              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_H
#define HEDDLE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif

/* No exception leaves a function of this interface. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define HEDDLE_NOEXCEPT noexcept
#else
#define HEDDLE_NOEXCEPT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Raised whenever a structure or a function below changes. */
#define HEDDLE_ABI_VERSION 3
/** The HEDDLE_ABI_VERSION the library was built with. */
HEDDLE_API int heddle_abi_version(void) HEDDLE_NOEXCEPT;

/*===-- Errors -------------------------------------------------------------===*/

typedef enum heddle_status {
  HEDDLE_OK = 0,
  /** A null pointer, a bad size or a bad index: a mistake in the call. */
  HEDDLE_ERROR_INVALID_ARGUMENT = 1,
  /** The manifest cannot be read, contradicts itself or does not fit the PTX.
   */
  HEDDLE_ERROR_MANIFEST = 2,
  /** libcuda.so.1 is missing or too old. */
  HEDDLE_ERROR_NO_DRIVER = 3,
  /** The driver has no device. */
  HEDDLE_ERROR_NO_DEVICE = 4,
  /** The device cannot run this kernel. */
  HEDDLE_ERROR_UNSUPPORTED_DEVICE = 5,
  /** The driver's compiler refused the PTX, or the PTX lacks an entry. */
  HEDDLE_ERROR_PTX = 6,
  /** The launch arguments do not fit the kernel. */
  HEDDLE_ERROR_ARGUMENTS = 7,
  /** The device, or the process on the host, has not enough memory. */
  HEDDLE_ERROR_OUT_OF_MEMORY = 8,
  /** A driver call failed. Kernels run asynchronously, so the cause may be an
      earlier launch. */
  HEDDLE_ERROR_DRIVER = 9
} heddle_status;

/** One sentence for the status alone; never null. */
HEDDLE_API const char *
heddle_status_string(heddle_status status) HEDDLE_NOEXCEPT;
/** One sentence for the last failure of the calling thread, with names and
    numbers; "" if nothing failed yet. Valid until the thread's next failure. */
HEDDLE_API const char *heddle_last_error(void) HEDDLE_NOEXCEPT;

/*===-- The device ---------------------------------------------------------===*/

/** A CUstream or cudaStream_t; null is the legacy default stream. */
typedef void *heddle_stream;

typedef struct heddle_device_info {
  int32_t index;            /**< CUDA device ordinal */
  int32_t sm_count;         /**< streaming multiprocessors */
  int32_t capability_major; /**< 9 for Hopper */
  int32_t capability_minor;
  int32_t shared_bytes;   /**< most shared memory one CTA may have */
  int32_t driver_version; /**< 1000 * major + 10 * minor of CUDA */
} heddle_device_info;

/** 1 if there is a driver with a device, else 0 and heddle_last_error says why.
 */
HEDDLE_API int heddle_device_available(void) HEDDLE_NOEXCEPT;
HEDDLE_API heddle_status heddle_device_query(heddle_device_info *info)
    HEDDLE_NOEXCEPT;
/** Writes the device's name, cut to `size` bytes with the final zero. */
HEDDLE_API heddle_status heddle_device_name(char *buffer,
                                            size_t size) HEDDLE_NOEXCEPT;

/** Waits for everything on the stream. */
HEDDLE_API heddle_status heddle_synchronize(heddle_stream stream)
    HEDDLE_NOEXCEPT;

/** Work given to `waiting` from here on starts after all that `awaited` was
   given so far. The caller does not wait. */
HEDDLE_API heddle_status heddle_stream_wait(
    heddle_stream waiting, heddle_stream awaited) HEDDLE_NOEXCEPT;

/* Memory, for callers without a framework. The copies are synchronous. */
HEDDLE_API heddle_status heddle_malloc(size_t bytes,
                                       void **device_pointer) HEDDLE_NOEXCEPT;
HEDDLE_API heddle_status heddle_free(void *device_pointer) HEDDLE_NOEXCEPT;
HEDDLE_API heddle_status heddle_copy_to_device(void *device_pointer,
                                               const void *host_pointer,
                                               size_t bytes) HEDDLE_NOEXCEPT;
HEDDLE_API heddle_status heddle_copy_from_device(void *host_pointer,
                                                 const void *device_pointer,
                                                 size_t bytes) HEDDLE_NOEXCEPT;
/** Sets every byte to the low 8 bits of `value`. */
HEDDLE_API heddle_status heddle_memset(void *device_pointer, int value,
                                       size_t bytes) HEDDLE_NOEXCEPT;

/*===-- Kernels ------------------------------------------------------------===*/

typedef struct heddle_kernel heddle_kernel;

typedef enum heddle_kind {
  HEDDLE_VIEW = 0,    /**< memory with a shape and strides */
  HEDDLE_POINTER = 1, /**< a bare device address */
  HEDDLE_SCALAR = 2
} heddle_kind;

typedef enum heddle_dtype {
  HEDDLE_F16 = 0,
  HEDDLE_BF16 = 1,
  HEDDLE_F32 = 2,
  HEDDLE_F64 = 3,
  HEDDLE_I8 = 4,
  HEDDLE_I16 = 5,
  HEDDLE_I32 = 6,
  HEDDLE_I64 = 7,
  HEDDLE_E4M3 = 8,
  HEDDLE_E5M2 = 9
} heddle_dtype;

#define HEDDLE_MAX_RANK 5

/** One argument of a launch. Fill the fields its kind uses; others are ignored.
 */
typedef struct heddle_arg {
  int32_t kind;                     /**< a heddle_kind */
  int32_t dtype;                    /**< a heddle_dtype */
  int32_t rank;                     /**< views: number of axes */
  int32_t reserved;                 /**< 0 */
  void *data;                       /**< views, pointers: device address */
  int64_t shape[HEDDLE_MAX_RANK];   /**< views: elements */
  int64_t strides[HEDDLE_MAX_RANK]; /**< views: elements; ignored where the
                                         extent is 0 or 1 */
  uint64_t scalar_bits; /**< scalars: the value's bits, low end first */
} heddle_arg;

/** Reads the manifest, checks it against the PTX (docs/reference/manifest.md,
   "What a manifest is believed"), and keeps copies of both texts, of at most 1
   GiB each. `ptx` may also be a cubin, which is not looked into. Touches
   neither driver nor device. Free with heddle_kernel_destroy. */
HEDDLE_API heddle_status heddle_kernel_create(
    const char *ptx, size_t ptx_size, const char *manifest_json,
    size_t manifest_size, heddle_kernel **kernel) HEDDLE_NOEXCEPT;
/** Unloads the kernel from every device. Launches in flight must have ended; no
    other thread may still use the kernel. If a CUDA graph captured a launch, the
    code stays loaded until the process ends, so that the graph may still be
    launched. Null is allowed. */
HEDDLE_API void heddle_kernel_destroy(heddle_kernel *kernel) HEDDLE_NOEXCEPT;

/** Compiles and loads the kernel for the current device; otherwise the first
    launch on the device does so, and takes that much longer. */
HEDDLE_API heddle_status heddle_kernel_load(heddle_kernel *kernel)
    HEDDLE_NOEXCEPT;

/** Launches asynchronously. The plan of a launch is kept, so that repeated
    arguments cost little more than the driver's own launch. An argument without
    elements is legal; an empty result launches nothing and succeeds. */
HEDDLE_API heddle_status
heddle_kernel_launch(heddle_kernel *kernel, const heddle_arg *args,
                     size_t n_args, heddle_stream stream) HEDDLE_NOEXCEPT;

/** The same with arguments as 64-bit words, which callers that pack bytes make
   fastest. In the kernel's order: a scalar is its bits, low end first; a
   pointer its address; a view its address, its extents and its strides. Types
   are what the kernel takes. */
HEDDLE_API heddle_status heddle_kernel_launch_words(
    heddle_kernel *kernel, const uint64_t *words, size_t n_words,
    heddle_stream stream) HEDDLE_NOEXCEPT;

/** Launches `launches` times back to back and waits; launch i takes the
   argument set i mod n_sets (`args` holds n_sets * n_args, set after set), so
   that data sets larger than the caches can rotate. Writes the time from the
   first launch's start to the last one's end, by events on the stream. At most
   1048576 sets and 100000000 launches. */
HEDDLE_API heddle_status heddle_kernel_time(
    heddle_kernel *kernel, const heddle_arg *args, size_t n_sets, size_t n_args,
    size_t launches, heddle_stream stream, float *milliseconds) HEDDLE_NOEXCEPT;

/*===-- Looking into a kernel ----------------------------------------------===*/

/** The kernel's name in its source; valid as long as the kernel. */
HEDDLE_API const char *
heddle_kernel_name(const heddle_kernel *kernel) HEDDLE_NOEXCEPT;
HEDDLE_API size_t heddle_kernel_argument_count(const heddle_kernel *kernel)
    HEDDLE_NOEXCEPT;
HEDDLE_API size_t heddle_kernel_variant_count(const heddle_kernel *kernel)
    HEDDLE_NOEXCEPT;

typedef struct heddle_argument_info {
  const char *name;               /**< valid as long as the kernel */
  int32_t kind;                   /**< a heddle_kind */
  int32_t dtype;                  /**< a heddle_dtype */
  int32_t rank;                   /**< views: number of axes, else 0 */
  int32_t written;                /**< 1 if the kernel stores to it */
  int32_t order[HEDDLE_MAX_RANK]; /**< views: axes from fastest to slowest */
} heddle_argument_info;

HEDDLE_API heddle_status
heddle_kernel_argument(const heddle_kernel *kernel, size_t index,
                       heddle_argument_info *info) HEDDLE_NOEXCEPT;

typedef struct heddle_variant_info {
  const char *entry; /**< PTX entry; valid as long as the kernel */
  int32_t threads;   /**< per CTA */
  int32_t cluster[3];
  int64_t shared_bytes; /**< dynamic shared memory per CTA */
} heddle_variant_info;

HEDDLE_API heddle_status
heddle_kernel_variant(const heddle_kernel *kernel, size_t index,
                      heddle_variant_info *info) HEDDLE_NOEXCEPT;

/** What the driver's compiler made of a variant; loads the kernel if need be.
 */
typedef struct heddle_resources {
  int32_t registers;   /**< per thread, at launch */
  int32_t local_bytes; /**< per thread; above 0 means spills or arrays */
  int32_t static_shared_bytes; /**< per CTA, besides shared_bytes */
  int32_t max_threads;         /**< largest CTA these registers allow */
} heddle_resources;

HEDDLE_API heddle_status
heddle_kernel_resources(heddle_kernel *kernel, size_t variant,
                        heddle_resources *resources) HEDDLE_NOEXCEPT;

/** What the driver's compiler said while loading on the current device ("" if
   it is not loaded or had nothing to say; the driver says nothing when it takes
   a kernel from its own cache). Valid as long as the kernel. */
HEDDLE_API const char *
heddle_kernel_jit_log(heddle_kernel *kernel) HEDDLE_NOEXCEPT;

/** Something that the driver's compiler did to a kernel, which is right all the
   same but slower than planned. All texts are valid as long as the kernel. */
typedef struct heddle_remark {
  const char *id;      /**< "spilled-registers", "serialised-products" or
                            "budgets-ignored"; `heddle explain --error` has more */
  const char *variant; /**< its PTX entry; "" where the compiler names none */
  const char *text;    /**< a sentence with names and numbers */
} heddle_remark;

/** The remarks of all variants on the current device, found when the kernel was
   loaded there; 0 if it was not. From the driver's cache only spills show. */
HEDDLE_API size_t heddle_kernel_remark_count(heddle_kernel *kernel)
    HEDDLE_NOEXCEPT;
HEDDLE_API heddle_status heddle_kernel_remark(
    heddle_kernel *kernel, size_t index, heddle_remark *remark) HEDDLE_NOEXCEPT;

typedef void (*heddle_remark_handler)(const heddle_kernel *kernel,
                                      const heddle_remark *remark, void *data);
/** Has `handler` called with each remark once a load, when a variant that it is
   about is planned for its first launch; in the thread that launches, in front
   of the launch. There is one handler in a process; null is none. An exception
   that it throws is dropped. */
HEDDLE_API void heddle_set_remark_handler(heddle_remark_handler handler,
                                          void *data) HEDDLE_NOEXCEPT;

/** What a launch with these arguments would do. */
typedef struct heddle_plan_info {
  int32_t variant;
  int32_t reserved;
  int64_t grid[3]; /**< CTAs; any 0 means nothing is launched */
} heddle_plan_info;

/** Plans without launching. `sm_count` 0 asks the current device; any other
    number needs no driver. */
HEDDLE_API heddle_status heddle_kernel_plan(
    const heddle_kernel *kernel, const heddle_arg *args, size_t n_args,
    int sm_count, heddle_plan_info *plan) HEDDLE_NOEXCEPT;

/** The same as text, one line per parameter. Writes at most `size` bytes with
    the final zero; `needed` (may be null) gets the size that holds everything.
 */
HEDDLE_API heddle_status heddle_kernel_plan_describe(
    const heddle_kernel *kernel, const heddle_arg *args, size_t n_args,
    int sm_count, char *buffer, size_t size, size_t *needed) HEDDLE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* HEDDLE_RUNTIME_H */
