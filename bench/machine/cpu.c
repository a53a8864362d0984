//===- cpu.c - Loops whose times are the costs of a processor -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled and run by cpu.py. Prints a line "NAME VALUE" a figure. Times are in
// cycles: nanoseconds over those of a chain of dependent additions, each of
// which takes one cycle. Of several tries the least counts, since what else the
// machine does only adds to it.
//
//===----------------------------------------------------------------------===//

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __AVX512F__
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
enum { LANES = VECTOR_BYTES / 4 };
#if VECTOR_BYTES == 64
#define HALVES(v)                                                              \
  __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4,   \
                          5, 6, 7)
#elif VECTOR_BYTES == 32
#define HALVES(v) __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3)
#else
#define HALVES(v) __builtin_shufflevector(v, v, 2, 3, 0, 1)
#endif
typedef float vec __attribute__((vector_size(VECTOR_BYTES), aligned(4)));
typedef float half __attribute__((vector_size(VECTOR_BYTES / 2), aligned(4)));

static volatile uint64_t sink;
static volatile float fsink;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

/// Nanoseconds of a cycle: the least seen so far.
static double cycle(void) {
  static double least = 1e30;
  enum { COUNT = 400000 };
  double start = now();
  uint64_t a = sink;
  for (int i = 0; i < COUNT; ++i) {
    a += 3;
    __asm__ volatile("" : "+r"(a));
    a += 5;
    __asm__ volatile("" : "+r"(a));
    a += 7;
    __asm__ volatile("" : "+r"(a));
    a += 9;
    __asm__ volatile("" : "+r"(a));
  }
  sink = a;
  double each = (now() - start) / (COUNT * 4.0);
  return least = each < least ? each : least;
}

static uint64_t state = 88172645463325252ull;
static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/// The least cycles of `body` over tries, by `count` each.
#define MEASURE(result, tries, count, ...)                                     \
  do {                                                                         \
    result = 1e30;                                                             \
    for (int measure_try = 0; measure_try < (tries); ++measure_try) {          \
      cycle();                                                                 \
      double start = now();                                                    \
      __VA_ARGS__;                                                             \
      double measured = (now() - start) / cycle() / (double)(count);           \
      if (measured < result)                                                   \
        result = measured;                                                     \
    }                                                                          \
  } while (0)

static void arithmetic(void) {
  enum { COUNT = 200000 };
  double r;
  MEASURE(r, 15, COUNT, {
    float a = fsink;
    for (int i = 0; i < COUNT; ++i) {
      a = __builtin_fmaf(a, 0.999f, 1.0f);
      __asm__ volatile("" : "+x"(a));
    }
    fsink = a;
  });
  printf("fma_latency %.3f\n", r);
  MEASURE(r, 15, COUNT, {
    float a = fsink;
    for (int i = 0; i < COUNT; ++i) {
      a += 1.0f;
      __asm__ volatile("" : "+x"(a));
    }
    fsink = a;
  });
  printf("add_latency %.3f\n", r);
  MEASURE(r, 15, COUNT * 10.0, {
    vec s[10] = {0}, x = {1}, y = {2};
    for (int i = 0; i < COUNT; ++i) {
      for (int k = 0; k < 10; ++k)
        s[k] = s[k] + x * y;
      for (int k = 0; k < 10; ++k)
        __asm__ volatile("" : "+v"(s[k]));
    }
    for (int k = 0; k < 10; ++k)
      fsink = s[k][0];
  });
  printf("vector_fma %.3f\n", r);
}

/// Reads, independent of one another, and a chain, in `bytes` of memory.
static void level(const char *name, size_t bytes) {
  size_t lines = bytes / 64, reads = lines < 200000 ? 200000 : lines;
  if (reads > 2000000)
    reads = 2000000;
  char *memory = aligned_alloc(4096, bytes);
  memset(memory, 0, bytes);
  uint32_t *order = malloc(lines * sizeof(uint32_t));
  for (size_t i = 0; i < lines; ++i)
    order[i] = (uint32_t)i;
  for (size_t i = lines; i-- > 1;) {
    size_t j = draw() % (i + 1);
    uint32_t t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
  for (size_t i = 0; i < lines; ++i)
    *(uint32_t *)(memory + 64 * (size_t)order[i]) = order[(i + 1) % lines];
  // The greatest power of two of lines, which a shift stays within.
  unsigned shift = 32;
  while ((size_t)1 << (33 - shift) <= lines)
    --shift;
  double r;
  MEASURE(r, 5, reads, {
    uint32_t at = order[0];
    for (size_t i = 0; i < reads; ++i)
      at = *(uint32_t *)(memory + 64 * (size_t)at);
    sink = at;
  });
  printf("%s.latency %.3f\n", name, r);
  MEASURE(r, 5, reads, {
    uint64_t sums[4] = {0};
    for (size_t i = 0; i < reads; i += 8) {
      uint32_t line = (uint32_t)i * 2654435761u >> shift;
      for (uint32_t k = 0; k < 8; ++k) {
        size_t at = line ^ (k * 2654435761u >> shift);
        sums[k % 4] += *(uint32_t *)(memory + 64 * at);
        // A load each, not a gather.
        __asm__ volatile("" : "+r"(sums[k % 4]));
      }
    }
    sink = sums[0] + sums[1] + sums[2] + sums[3];
  });
  printf("%s.random %.3f\n", name, r);
  size_t rounds = (16u << 20) / bytes + 1;
  MEASURE(r, 7, (double)bytes * rounds, {
    vec a = {0}, b = {0}, c = {0}, d = {0};
    for (size_t k = 0; k < rounds; ++k) {
      // Off a line by 16 bytes, as what malloc gives.
      for (size_t i = 16; i + 4 * VECTOR_BYTES <= bytes;
           i += 4 * VECTOR_BYTES) {
        a += *(vec *)(memory + i);
        b += *(vec *)(memory + i + VECTOR_BYTES);
        c += *(vec *)(memory + i + 2 * VECTOR_BYTES);
        d += *(vec *)(memory + i + 3 * VECTOR_BYTES);
      }
      __asm__ volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d));
    }
    fsink = (a + b + c + d)[0];
  });
  printf("%s.bytes_per_cycle %.3f\n", name, 1 / r);
  free(order);
  free(memory);
}

/// Inner loops of a length that changes: what starting and leaving one costs.
static void loops(void) {
  enum { ROWS = 40000 };
  int *position = malloc((ROWS + 1) * sizeof(int));
  double r[2];
  int mean[2] = {4, 12};
  for (int kind = 0; kind < 2; ++kind) {
    position[0] = 0;
    for (int i = 0; i < ROWS; ++i)
      position[i + 1] = position[i] + mean[kind] / 2 +
                        (int)(draw() % (uint64_t)(mean[kind] + 1));
    float *x = malloc((size_t)position[ROWS] * 4 + 64);
    memset(x, 0, (size_t)position[ROWS] * 4 + 64);
    float *y = malloc(ROWS * 4);
    MEASURE(r[kind], 15, ROWS, {
      for (int i = 0; i < ROWS; ++i) {
        float sum = 0;
        for (int p = position[i]; p < position[i + 1]; ++p) {
          sum += x[p];
          __asm__ volatile("" : "+x"(sum));
        }
        y[i] = sum;
      }
    });
    fsink = y[3];
    free(x);
    free(y);
  }
  double each = (r[1] - r[0]) / (mean[1] - mean[0]);
  printf("walk %.3f\n", each);
  printf("walk_start %.3f\n", r[0] - each * mean[0]);
  free(position);

  // The next sum begins before a chain of multiply-adds is over, unless that is
  // long: from which length on half of the latency shows.
  float *numbers = calloc(4096, 4);
  double latency = 0;
  int window = 0;
  for (int length = 4096; length >= 8; length /= 2) {
    double each;
    MEASURE(each, 15, 1 << 17, {
      for (int i = 0; i < (1 << 17) / length; ++i) {
        float sum = 0;
        for (int p = 0; p < length; ++p) {
          sum = __builtin_fmaf(sum, 0.999f, numbers[p]);
          __asm__ volatile("" : "+x"(sum));
        }
        fsink = sum;
      }
    });
    if (length == 4096)
      latency = each;
    if (each >= latency / 2)
      window = length;
  }
  free(numbers);
  printf("window %d\n", window);

  enum { COUNT = 200000 };
  double s;
  MEASURE(s, 15, COUNT, {
    uint64_t sum = 0;
    for (int i = 0; i < COUNT; ++i) {
      sum += (uint64_t)i;
      __asm__ volatile("" : "+r"(sum));
    }
    sink = sum;
  });
  printf("loop %.3f\n", s);
  uint8_t *coins = malloc(COUNT);
  for (int i = 0; i < COUNT; ++i)
    coins[i] = draw() >> 40 & 1;
  double random, known;
  for (int kind = 0; kind < 2; ++kind) {
    MEASURE(s, 15, COUNT, {
      uint64_t sum = 0;
      for (int i = 0; i < COUNT; ++i)
        if (coins[i]) {
          sum += 3;
          __asm__ volatile("" : "+r"(sum));
        } else {
          sum ^= 5;
          __asm__ volatile("" : "+r"(sum));
        }
      sink = sum;
    });
    if (kind == 0)
      random = s;
    else
      known = s;
    memset(coins, 1, COUNT);
  }
  printf("branch_miss %.3f\n", 2 * (random - known));
  free(coins);
}

#define LANES_OF(type) ((int)(sizeof(type) / 4))
/// One gather of the lanes of `v` from x, by the indices from `places` on, and
/// one scatter to there. `width` and `modifier` are how the assembler names a
/// register of this size.
#ifdef __AVX512F__
#define GATHER_ONE(v, places, width, modifier)                                 \
  __asm__ volatile("vmovdqu64 (%2), %%" width "17\n\t"                         \
                   "kxnorw %%k1, %%k1, %%k1\n\t"                               \
                   "vpxord %" modifier "0, %" modifier "0, %" modifier "0\n\t" \
                   "vgatherdps (%1,%%" width "17,4), %" modifier "0%{%%k1%}"   \
                   : "=&v"(v)                                                  \
                   : "r"(x), "r"(places)                                       \
                   : "xmm17", "k1")
#define SCATTER_ONE(v, places, width, modifier)                                \
  __asm__ volatile("vmovdqu64 (%2), %%" width "17\n\t"                         \
                   "kxnorw %%k1, %%k1, %%k1\n\t"                               \
                   "vscatterdps %" modifier "0, (%1,%%" width "17,4)%{%%k1%}"  \
                   :                                                           \
                   : "v"(v), "r"(x), "r"(places)                               \
                   : "xmm17", "k1", "memory")
#else
#define GATHER_ONE(v, places, width, modifier)                                 \
  for (int l = 0; l < LANES_OF(v); ++l)                                        \
  v[l] = x[(places)[l]]
#define SCATTER_ONE(v, places, width, modifier)                                \
  do {                                                                         \
    for (int l = 0; l < LANES_OF(v); ++l)                                      \
      x[(places)[l]] = v[l];                                                   \
    __asm__ volatile("" : : : "memory");                                       \
  } while (0)
#endif

/// The cycles of a gather of as many lanes as `type` has, and of a scatter.
#define GATHER(result, type, width, modifier)                                  \
  MEASURE(result, 15, (double)rounds *SIZE / LANES_OF(type), {                 \
    type sum = {0};                                                            \
    for (int k = 0; k < rounds; ++k)                                           \
      for (int i = 0; i < SIZE; i += LANES_OF(type)) {                         \
        type v;                                                                \
        GATHER_ONE(v, at + i, width, modifier);                                \
        sum += v;                                                              \
      }                                                                        \
    fsink = sum[0];                                                            \
  })
#define SCATTER(result, type, width, modifier)                                 \
  MEASURE(result, 15, (double)rounds *SIZE / LANES_OF(type), {                 \
    type v = {1};                                                              \
    for (int k = 0; k < rounds; ++k)                                           \
      for (int i = 0; i < SIZE; i += LANES_OF(type))                           \
        SCATTER_ONE(v, at + i, width, modifier);                               \
  })

/// An element of an instruction with so many lanes, and the rest of it, which
/// some processors take whatever the number of its lanes.
static void print_lanes(const char *name, const double *cycles) {
  double each = (cycles[1] - cycles[0]) / (LANES_OF(vec) - LANES_OF(half));
  double most = cycles[1] / LANES_OF(vec);
  each = each < 0 ? 0 : each > most ? most : each;
  printf("%s %.3f\n", name, each);
  printf("%s_start %.3f\n", name, cycles[1] - each * LANES_OF(vec));
}

static void accesses(void) {
  enum { COUNT = 100000, SIZE = 4096 };
  float *x = aligned_alloc(64, SIZE * 4 + 64);
  int32_t *at = aligned_alloc(64, SIZE * 4 + 64);
  memset(x, 0, SIZE * 4);
  for (int i = 0; i < SIZE; ++i)
    at[i] = (int32_t)(draw() % SIZE);
  double r;
  MEASURE(r, 15, (double)COUNT, {
    float *p = x;
    for (int i = 0; i < COUNT; ++i) {
      *p += 1.0f;
      __asm__ volatile("" : "+r"(p) : : "memory");
    }
  });
  printf("store_forward %.3f\n", r);
  int rounds = COUNT / SIZE + 1;
  double gathers[2], scatters[2]; // of half a vector, and of a whole one
  GATHER(gathers[0], half, "ymm", "t");
  GATHER(gathers[1], vec, "zmm", "g");
  print_lanes("gather", gathers);
  SCATTER(scatters[0], half, "ymm", "t");
  SCATTER(scatters[1], vec, "zmm", "g");
  print_lanes("scatter", scatters);
  // One step of the tree that adds the lanes of a vector: move half, add. Those
  // of rows one behind the other are independent.
  MEASURE(r, 15, 4.0 * COUNT, {
    vec v[4] = {{1}, {2}, {3}, {4}};
    for (int i = 0; i < COUNT; ++i)
      for (int k = 0; k < 4; ++k) {
        v[k] += HALVES(v[k]);
        __asm__ volatile("" : "+x"(v[k]));
      }
    fsink = (v[0] + v[1] + v[2] + v[3])[0];
  });
  printf("lane_step %.3f\n", r);
  free(x);
  free(at);
}

static int ascending(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return x < y ? -1 : x > y;
}

/// A step of a merge of two lists, and the parts of a row with a bitmap.
static void rows(void) {
  enum { LENGTH = 20000, COLUMNS = 8192, TOUCHED = 256 };
  int32_t *a = malloc(LENGTH * 4 + 4), *b = malloc(LENGTH * 4 + 4);
  for (int i = 0; i < LENGTH; ++i) {
    a[i] = (int32_t)(draw() % (8 * LENGTH));
    b[i] = (int32_t)(draw() % (8 * LENGTH));
  }
  qsort(a, LENGTH, 4, ascending);
  qsort(b, LENGTH, 4, ascending);
  double r;
  MEASURE(r, 15, 2.0 * LENGTH, {
    int p = 0, q = 0;
    uint64_t found = 0;
    while (p < LENGTH && q < LENGTH) {
      int32_t least = a[p] < b[q] ? a[p] : b[q];
      int isA = a[p] == least, isB = b[q] == least;
      if (isA && isB) {
        found += (uint64_t)least;
        __asm__ volatile("" : "+r"(found));
      }
      p += isA;
      q += isB;
    }
    sink = found;
  });
  printf("merge_step %.3f\n", r);
  free(a);
  free(b);

  uint64_t *bits = calloc(COLUMNS / 64, 8), words[COLUMNS / 4096] = {0};
  float *sums = calloc(COLUMNS, 4), *out = malloc(COLUMNS * 4);
  int32_t *at = malloc(TOUCHED * 4), *coordinates = malloc(COLUMNS * 4);
  for (int i = 0; i < TOUCHED; ++i)
    at[i] = (int32_t)(draw() % COLUMNS);
  double set = 1e30, walk = 1e30;
  enum { ROUNDS = 300 };
  for (int try = 0; try < 15; ++try) {
    double sets = 0, walks = 0, unit = cycle();
    for (int round = 0; round < ROUNDS; ++round) {
      double start = now();
      for (int i = 0; i < TOUCHED; ++i) {
        int32_t column = at[i];
        uint64_t mask = 1ull << (column & 63), word = bits[column >> 6];
        sums[column] += 1.0f;
        if (!(word & mask)) {
          bits[column >> 6] = word | mask;
          if (!word)
            words[column >> 12] |= 1ull << (column >> 6 & 63);
        }
      }
      double middle = now();
      int count = 0;
      for (int w = 0; w < COLUMNS / 4096; ++w)
        for (uint64_t group = words[w]; group; group &= group - 1) {
          int number = w * 64 + __builtin_ctzll(group);
          for (uint64_t word = bits[number]; word; word &= word - 1) {
            int column = number * 64 + __builtin_ctzll(word);
            coordinates[count] = column;
            out[count++] = sums[column];
            sums[column] = 0;
          }
          bits[number] = 0;
        }
      for (int w = 0; w < COLUMNS / 4096; ++w)
        words[w] = 0;
      double end = now();
      sets += middle - start;
      walks += end - middle;
      sink = (uint64_t)count;
    }
    double after = cycle();
    if (after < unit)
      unit = after;
    if (sets / unit / ROUNDS / TOUCHED < set)
      set = sets / unit / ROUNDS / TOUCHED;
    if (walks / unit / ROUNDS / TOUCHED < walk)
      walk = walks / unit / ROUNDS / TOUCHED;
  }
  printf("bitmap_set %.3f\n", set);
  printf("bitmap_walk %.3f\n", walk);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER,
                      finished = PTHREAD_COND_INITIALIZER;
static int wanted, done;
static void *serve(void *unused) {
  (void)unused;
  for (int round = 1; round <= 2000; ++round) {
    pthread_mutex_lock(&mutex);
    while (wanted < round)
      pthread_cond_wait(&started, &mutex);
    done = round;
    pthread_cond_signal(&finished);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

/// Another thread woken and waited for.
static void threads(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, serve, NULL);
  double least = 1e30, unit = cycle();
  for (int batch = 0; batch < 20; ++batch) {
    double start = now();
    for (int i = 0; i < 100; ++i) {
      pthread_mutex_lock(&mutex);
      int round = ++wanted;
      pthread_cond_signal(&started);
      while (done < round)
        pthread_cond_wait(&finished, &mutex);
      pthread_mutex_unlock(&mutex);
    }
    double each = (now() - start) / 100;
    if (each < least)
      least = each;
  }
  pthread_join(thread, NULL);
  printf("fork_join %.0f\n", least / unit);
}

/// Arguments: NAME BYTES of memory for each level of the hierarchy.
int main(int count, char **words) {
  printf("vector_bytes %d\n", VECTOR_BYTES);
  double unit = 1e30;
  for (int i = 0; i < 20; ++i) {
    double each = cycle();
    if (each < unit)
      unit = each;
  }
  printf("clock_ghz %.3f\n", 1 / unit);
  arithmetic();
  for (int i = 1; i + 1 < count; i += 2)
    level(words[i], (size_t)atoll(words[i + 1]));
  loops();
  accesses();
  rows();
  threads();
  return 0;
}
