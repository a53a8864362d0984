/*===- heddle/compiler.h - Compile kernels in process ---------------*- C -*-===*\
|*                                                                            *|
|* Part of heddle, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The C interface of libheddle.so: program text in, texts out, and the CPU   *|
|* emulator for what was compiled. What the `heddle` tool prints comes back   *|
|* as text, with the lines of the user's source.                              *|
|*                                                                            *|
|* Nothing here prints, exits, throws or aborts, whatever the sizes that are *|
|* passed: a broken invariant inside the compiler, or memory that runs out, is
*|
|* HEDDLE_INTERNAL with a sentence. Every function may be     *|
|* called from several threads at once. The same input gives the same bytes.  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef HEDDLE_COMPILER_H
#define HEDDLE_COMPILER_H

#include "heddle/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Raised whenever something below changes. */
#define HEDDLE_COMPILER_ABI_VERSION 5
HEDDLE_API int heddle_compiler_abi_version(void) HEDDLE_NOEXCEPT;
/** "0.1.0". */
HEDDLE_API const char *heddle_compiler_version(void) HEDDLE_NOEXCEPT;

/** What became of a call; the numbers are the exit codes of `heddle`. */
typedef enum heddle_outcome {
  HEDDLE_FINE = 0,
  /** What was compiled is wrong, or a launch on the emulator failed. */
  HEDDLE_OBJECTED = 1,
  /** A program of the language that heddle cannot compile. */
  HEDDLE_DECLINED = 2,
  /** The program, the options or the arguments are at fault. */
  HEDDLE_BAD_INPUT = 3,
  /** A bug in heddle. */
  HEDDLE_INTERNAL = 4
} heddle_outcome;

/** The texts of one call. */
typedef struct heddle_result heddle_result;

/** Compiles program text of any kind that `heddle compile` reads. `options` is
   null or a JSON object, every field optional:

     "path": "gemm.mlir"        the name in messages; relative names of source
                                files are looked up from the working directory
     "settings": ["BM=192"]     as --set
     "or_tile": [["BM=64"]]     as --or-tile, once for each list, or "auto"
                                or "auto:16"
     "schedule": "auto"         as --schedule
     "machine": "h200"          as --machine
     "assume": "checked"        as --assume
     "debug_waits": true        as --debug-waits

   `result` is set whatever the outcome, to null where there is no memory for
   it; free it by heddle_result_destroy. A source has at most 1 GiB. */
HEDDLE_API heddle_outcome
heddle_compile(const char *source, size_t source_size, const char *options,
               heddle_result **result) HEDDLE_NOEXCEPT;

/** Runs a compiled kernel on the CPU, where `args` are in host memory. A
   pointer's memory has as many bytes as bytes[i] says; a view needs none.
   `options` is null or a JSON object:

     "order": "fair"   or "random", "adversarial"
     "seed": 0
     "sms": 132        multiprocessors that the grid is planned for
     "races": true     accesses that nothing orders are errors

   HEDDLE_TEXT_MESSAGES of the result says what failed. */
HEDDLE_API heddle_outcome heddle_emulate(
    const char *ptx, size_t ptx_size, const char *manifest_json,
    size_t manifest_size, const heddle_arg *args, const size_t *bytes,
    size_t n_args, const char *options, heddle_result **result) HEDDLE_NOEXCEPT;

typedef enum heddle_text {
  /** Errors and remarks, with source lines; `kernel` is ignored. */
  HEDDLE_TEXT_MESSAGES = 0,
  /** The schedules as `heddle explain` prints them; `kernel` is ignored. */
  HEDDLE_TEXT_REPORT = 1,
  HEDDLE_TEXT_NAME = 2,
  HEDDLE_TEXT_PTX = 3,
  HEDDLE_TEXT_MANIFEST = 4,
  /** For `heddle check --certificate`. */
  HEDDLE_TEXT_CERTIFICATE = 5,
  /** The program with its schedule as a table, to be edited and compiled on
     from; `kernel` is ignored. */
  HEDDLE_TEXT_SCHEDULE = 6,
  /** A picture of the schedules, SVG; `kernel` is ignored. */
  HEDDLE_TEXT_PICTURE = 7
} heddle_text;

HEDDLE_API size_t heddle_result_kernel_count(const heddle_result *result)
    HEDDLE_NOEXCEPT;
/** A text of the result, "" if it has none; valid as long as the result.
   `size` may be null. */
HEDDLE_API const char *heddle_result_text(const heddle_result *result,
                                          heddle_text text, size_t kernel,
                                          size_t *size) HEDDLE_NOEXCEPT;
/** Null is allowed. */
HEDDLE_API void heddle_result_destroy(heddle_result *result) HEDDLE_NOEXCEPT;

/** A program on the einsum rung, compiled for this processor, with its threads.
 */
typedef struct heddle_sparse_program heddle_sparse_program;

/** Compiles the one einsum program of a text. `sizes` holds for each argument
   of the program, in order, its extents by axis and then the number of
   positions of each of its levels, from which the plan is chosen; 0 workers are
   as many as the processor has threads, or one where the work is not worth
   waking others. The plan comes back as
   HEDDLE_TEXT_SCHEDULE. `program` is null unless the outcome is HEDDLE_FINE. */
HEDDLE_API heddle_outcome heddle_sparse_compile(
    const char *source, size_t source_size, const int64_t *sizes,
    size_t n_sizes, int workers, heddle_sparse_program **program,
    heddle_result **result) HEDDLE_NOEXCEPT;

/** What a later process makes the program of without compiling: `bytes`, freed
   by heddle_sparse_free. */
HEDDLE_API heddle_outcome
heddle_sparse_save(const heddle_sparse_program *program, void **bytes,
                   size_t *size) HEDDLE_NOEXCEPT;
/** The program of such bytes, which hold machine code: they must be whole, and
   from a place that only the caller writes. Refused, with a sentence in
   `result`, if they are of another kind of processor or version. */
HEDDLE_API heddle_outcome heddle_sparse_load(
    const void *bytes, size_t size, int workers,
    heddle_sparse_program **program, heddle_result **result) HEDDLE_NOEXCEPT;

/** Runs it. `arguments` are 64-bit slots: for each argument of the program,
   level by level, the addresses of its positions and coordinates where the
   level has them, then that of its values, then its extents by axis. The arrays
   must be those of a tensor: positions never fall, coordinates rise within a
   row and are inside; nothing checks that here. `results` gets an address and a
   number of elements for each array of each result, in the same order; the
   caller frees each by heddle_sparse_free. One call at a time for one program;
   others wait. */
HEDDLE_API heddle_outcome heddle_sparse_run(heddle_sparse_program *program,
                                            const int64_t *arguments,
                                            size_t n_arguments,
                                            int64_t *results,
                                            size_t n_results) HEDDLE_NOEXCEPT;
/** The same for a program that makes one array, which is written to `memory` of
   `bytes` bytes and stays the caller's: a dense result, or the values of one
   that has the positions of an operand. */
HEDDLE_API heddle_outcome heddle_sparse_run_into(heddle_sparse_program *program,
                                                 const int64_t *arguments,
                                                 size_t n_arguments,
                                                 void *memory,
                                                 size_t bytes) HEDDLE_NOEXCEPT;
/** The first rule that the arrays of a matrix stored by rows break, as a
   sentence that stays until this thread's next call; null if none. `positions`
   has rows + 1 elements and `coordinates` `count`, of `bits`, 32 or 64. */
HEDDLE_API const char *
heddle_sparse_fault_of_rows(const void *positions, const void *coordinates,
                            int bits, int64_t rows, int64_t columns,
                            int64_t count) HEDDLE_NOEXCEPT;
/** The same for bags of rows of a table, whose indices may repeat and have no
   order: bag b is indices[positions[b]] to indices[positions[b + 1] - 1], and
   the bags are all of the `count` indices. */
HEDDLE_API const char *
heddle_sparse_fault_of_bags(const void *positions, const void *indices,
                            int bits, int64_t bags, int64_t rows,
                            int64_t count) HEDDLE_NOEXCEPT;
/** Why the last run failed; valid until the next. */
HEDDLE_API const char *
heddle_sparse_message(const heddle_sparse_program *program) HEDDLE_NOEXCEPT;
HEDDLE_API void heddle_sparse_free(void *array) HEDDLE_NOEXCEPT;
/** Null is allowed. */
HEDDLE_API void
heddle_sparse_destroy(heddle_sparse_program *program) HEDDLE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* HEDDLE_COMPILER_H */
