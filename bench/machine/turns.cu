// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who is served by the tensor cores when two warp groups issue products? Each of
// two groups issues two products of eight wgmma m64n128k16 (64 cycles each), the
// second group so many cycles later, and notes the clock: when it begins, when
// the first and the second product are issued, when each is there. For one block,
// after two rounds of warming up.
//
//   nvcc -gencode arch=compute_90a,code=sm_90a -O3 -o turns bench/machine/turns.cu && ./turns
//
// docs/lab/2026-11-23-two-groups-at-one-tensor-core.md has a run.

#include <cstdint>
#include <cstdio>

constexpr int kBytes = 65536, kProducts = 8, kRounds = 3;

#define F4(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define F16(d, i) F4(d, i), F4(d, i + 4), F4(d, i + 8), F4(d, i + 12)
#define F64(d) F16(d, 0), F16(d, 16), F16(d, 32), F16(d, 48)
#define TILE                                                                   \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,"    \
  "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,"   \
  "%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,"   \
  "%56,%57,%58,%59,%60,%61,%62,%63}"
#define WGMMA "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " TILE

__device__ uint64_t describe(const void *tile) {
  uint64_t address = __cvta_generic_to_shared(tile);
  // Leading offset 16 B, stride 1024 B, swizzle 128 B.
  return (address & 0x3FFFF) >> 4 | uint64_t(1) << 16 | uint64_t(64) << 32 |
         uint64_t(1) << 62;
}

__device__ unsigned now() {
  unsigned cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
  return cycles;
}

__device__ void fromShared(float (&d)[64], uint64_t a, uint64_t b) {
  asm volatile(WGMMA ", %64, %65, 1, 1, 1, 0, 0;" : F64(d) : "l"(a), "l"(b));
}

__device__ void fromRegisters(float (&d)[64], const uint32_t (&a)[4],
                              uint64_t b) {
  asm volatile(WGMMA ", {%64,%65,%66,%67}, %68, 1, 1, 1, 0;"
               : F64(d)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ void commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <bool kSecondFromRegisters>
__global__ void __launch_bounds__(256, 1)
    measure(unsigned *out, int later, float *sink) {
  extern __shared__ __align__(1024) char shared[];
  for (int i = threadIdx.x; i < kBytes / 4; i += blockDim.x)
    reinterpret_cast<int *>(shared)[i] = 0;
  __syncthreads();
  int group = threadIdx.x / 128;
  float first[64], second[64];
  uint32_t a[4] = {0, 0, 0, 0};
#pragma unroll
  for (int i = 0; i < 64; i++)
    first[i] = second[i] = 0;
  uint64_t tileA = describe(shared + group * 16384),
           tileB = describe(shared + 32768);
  unsigned stamps[5];
  for (int round = 0; round < kRounds; round++) {
    __syncthreads();
    unsigned base = (now() + 4096) & ~1023u; // the same for all
    while (int(now() - (base + (group ? later : 0))) < 0) {
    }
    stamps[0] = now() - base;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int i = 0; i < kProducts; i++)
      fromShared(first, tileA + 2 * i, tileB + 2 * i);
    commit();
    stamps[1] = now() - base;
#pragma unroll
    for (int i = 0; i < kProducts; i++)
      if (kSecondFromRegisters)
        fromRegisters(second, a, tileB + 64 * i);
      else
        fromShared(second, tileA + 2 * i, tileB + 64 * i);
    commit();
    stamps[2] = now() - base;
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    stamps[3] = now() - base;
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    stamps[4] = now() - base;
    __syncthreads();
  }
  float sum = 0; // keeps the products
#pragma unroll
  for (int i = 0; i < 64; i++)
    sum += first[i] + second[i];
  sink[threadIdx.x] = sum;
  if (threadIdx.x % 128 == 0)
    for (int i = 0; i < 5; i++)
      out[group * 5 + i] = stamps[i];
}

template <bool kSecondFromRegisters> static bool run(const char *name) {
  unsigned *stamps, host[10];
  float *sink;
  auto kernel = measure<kSecondFromRegisters>;
  cudaMalloc(&stamps, sizeof host);
  cudaMalloc(&sink, 256 * sizeof(float));
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       kBytes);
  for (int later : {0, 8, 32, 64, 128, 200, 300, 400, 500, 600, 800, 1000}) {
    kernel<<<1, 256, kBytes>>>(stamps, later, sink);
    cudaMemcpy(host, stamps, sizeof host, cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) {
      printf("%s\n", cudaGetErrorString(error));
      return false;
    }
    printf("second product's A in %s, later by %4d |", name, later);
    for (int group = 0; group < 2; group++)
      printf(" begin %4u issued %4u %4u there %4u %4u%s", host[5 * group],
             host[5 * group + 1], host[5 * group + 2], host[5 * group + 3],
             host[5 * group + 4], group ? "\n" : " |");
  }
  return true;
}

int main() {
  return run<false>("shared memory") && run<true>("registers") ? 0 : 1;
}
