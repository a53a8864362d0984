/*===- heddle/tuner.h - Choose among settings with few measurements -*- C -*-===*\
|*                                                                            *|
|* Part of heddle, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The C interface of libheddle_tuner.so. In: a space of settings as JSON,    *|
|* and what the caller measured of the points that were proposed. Out: the    *|
|* point that is worth measuring next. It knows nothing of what is tuned, and *|
|* measures nothing.                                                          *|
|*                                                                            *|
|* Nothing here prints, exits, throws or aborts. A tuner belongs to one       *|
|* thread at a time; different tuners may be used at once.                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef HEDDLE_TUNER_H
#define HEDDLE_TUNER_H

#if defined(__GNUC__)
#define HEDDLE_TUNER_API __attribute__((visibility("default")))
#else
#define HEDDLE_TUNER_API
#endif

/* No exception leaves a function of this interface. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define HEDDLE_TUNER_NOEXCEPT noexcept
#else
#define HEDDLE_TUNER_NOEXCEPT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Raised whenever something below changes. */
#define HEDDLE_TUNER_ABI_VERSION 1
HEDDLE_TUNER_API int heddle_tuner_abi_version(void) HEDDLE_TUNER_NOEXCEPT;

typedef enum heddle_tuner_status {
  HEDDLE_TUNER_OK = 0,
  /** There is nothing more to measure: the budget is used up, or every point was
     told. */
  HEDDLE_TUNER_OVER = 1,
  /** The space, the options, the record or the call is at fault. */
  HEDDLE_TUNER_BAD_INPUT = 2,
  /** Memory ran out. */
  HEDDLE_TUNER_NO_MEMORY = 3
} heddle_tuner_status;

typedef struct heddle_tuner heddle_tuner;

/** `scenario`: the space, as docs/tuning.md has it. `options`: null, or a JSON
   object, every field optional:

     "budget": 60         measurements in all; else what the scenario says
     "seed": 1            of all random choices
     "method": "model"    or "uniform", "embedding", "bandit", "annealing"
     "record": "r.jsonl"  each measurement is written there, and a tuner that is
                          made with the same file goes on from there
     "key": ""            what the record is of, beside the space

   `tuner` is set whatever the status, to null where there is no memory for it,
   so that its message can be read; free it by heddle_tuner_destroy. */
HEDDLE_TUNER_API heddle_tuner_status
heddle_tuner_create(const char *scenario, const char *options,
                    heddle_tuner **tuner) HEDDLE_TUNER_NOEXCEPT;
HEDDLE_TUNER_API void
heddle_tuner_destroy(heddle_tuner *tuner) HEDDLE_TUNER_NOEXCEPT;

/** One sentence about the last call that failed, with its id in brackets; "" if
   none did. Texts that a tuner hands out are its own, until the next call. */
HEDDLE_TUNER_API const char *
heddle_tuner_message(const heddle_tuner *tuner) HEDDLE_TUNER_NOEXCEPT;

/** The next point to measure, as a JSON object. The same again until it is
   told. */
HEDDLE_TUNER_API heddle_tuner_status heddle_tuner_propose(
    heddle_tuner *tuner, const char **point) HEDDLE_TUNER_NOEXCEPT;

/** Values of the point that was proposed, by the parameter's name: a number, a
   text, an order's items. HEDDLE_TUNER_OVER for a parameter that is not active
   in this point. */
HEDDLE_TUNER_API heddle_tuner_status
heddle_tuner_number(heddle_tuner *tuner, const char *parameter,
                    double *value) HEDDLE_TUNER_NOEXCEPT;
HEDDLE_TUNER_API heddle_tuner_status
heddle_tuner_text(heddle_tuner *tuner, const char *parameter,
                  const char **value) HEDDLE_TUNER_NOEXCEPT;
HEDDLE_TUNER_API heddle_tuner_status
heddle_tuner_order(heddle_tuner *tuner, const char *parameter, int *items,
                   int count) HEDDLE_TUNER_NOEXCEPT;

/** What the point that was proposed gave: a value above 0, less is better; or
   why it has none, such as "registers", which is learned. */
HEDDLE_TUNER_API heddle_tuner_status
heddle_tuner_tell(heddle_tuner *tuner, double value) HEDDLE_TUNER_NOEXCEPT;
HEDDLE_TUNER_API heddle_tuner_status heddle_tuner_tell_invalid(
    heddle_tuner *tuner, const char *reason) HEDDLE_TUNER_NOEXCEPT;

/** The best point told, with its value; HEDDLE_TUNER_OVER if none is valid. */
HEDDLE_TUNER_API heddle_tuner_status
heddle_tuner_best(heddle_tuner *tuner, const char **point,
                  double *value) HEDDLE_TUNER_NOEXCEPT;
/** How many points were told, those of the record included. */
HEDDLE_TUNER_API int
heddle_tuner_told(const heddle_tuner *tuner) HEDDLE_TUNER_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* HEDDLE_TUNER_H */
