//===- HostProgram.cpp - Launches and allocations as steps ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Cpu/HostProgram.h"

#include "heddle/Support/MachineMemory.h"

#include <cstdlib>
#include <cstring>

#ifdef __linux__
#include <sys/mman.h>
#endif

using namespace heddle::cpu;

void Arrays::Free::operator()(void *memory) const { std::free(memory); }

/// Fresh memory comes page by page, and a result of many megabytes waits for
/// thousands of them; large pages are some hundred times fewer.
static void preferLargePages([[maybe_unused]] void *memory,
                             [[maybe_unused]] size_t size) {
#ifdef __linux__
  constexpr size_t kPage = 4096, kLeast = size_t(8) << 20;
  if (!memory || size < kLeast)
    return;
  size_t first = (reinterpret_cast<size_t>(memory) + kPage - 1) / kPage * kPage;
  size_t end = (reinterpret_cast<size_t>(memory) + size) / kPage * kPage;
  // Advice: where it is not taken, nothing is lost.
  (void)madvise(reinterpret_cast<void *>(first), end - first, MADV_HUGEPAGE);
#endif
}

void Arrays::lend(int slot, void *memory, int64_t bytes) {
  lentSlot = slot;
  lent = memory;
  lentBytes = bytes;
}

void *Arrays::allocate(int slot, int64_t bytes, bool zeroed) {
  if (lent && slot == lentSlot && bytes == lentBytes) {
    if (zeroed && bytes)
      std::memset(lent, 0, size_t(bytes));
    return lent;
  }
  // Vectors are loaded whole lines at a time. Of a large array only what is
  // used should become memory, which the system does and memset would not.
  constexpr size_t kLine = 64, kLarge = size_t(32) << 20;
  size_t size = (size_t(bytes) + kLine) / kLine * kLine;
  static const int64_t most = machineMemory();
  if (bytes > most - taken)
    return nullptr;
  bool isFresh = zeroed && size >= kLarge;
  void *memory =
      isFresh ? std::calloc(size, 1) : std::aligned_alloc(kLine, size);
  preferLargePages(memory, size);
  if (memory && zeroed && !isFresh)
    std::memset(memory, 0, size);
  if (memory) {
    owned.emplace_back(std::unique_ptr<void, Free>(memory), bytes);
    taken += bytes;
  }
  return memory;
}

int64_t Arrays::sizeOf(const void *array) const {
  for (const auto &[memory, bytes] : owned)
    if (memory.get() == array)
      return bytes;
  return -1;
}

void *Arrays::release(const void *array) {
  for (auto &[memory, bytes] : owned)
    if (memory.get() == array)
      return memory.release();
  return nullptr;
}

static int64_t readInteger(int64_t address, int64_t index, int64_t bytes) {
  const char *at = reinterpret_cast<const char *>(address) + index * bytes;
  if (bytes == 8) {
    int64_t value;
    std::memcpy(&value, at, 8);
    return value;
  }
  int32_t value;
  std::memcpy(&value, at, 4);
  return value;
}

bool heddle::cpu::execute(const HostProgram &program,
                          std::vector<int64_t> &slots, Arrays &arrays,
                          const Launch &launch, std::string &error) {
  slots.resize(size_t(program.slots));
  for (const Step &step : program.steps) {
    auto operand = [&](size_t i) { return slots[step.operands[i]]; };
    int64_t value = 0;
    switch (step.kind) {
    case Step::Kind::Constant:
      value = step.number;
      break;
    case Step::Kind::Add:
    case Step::Kind::Multiply: {
      bool over = step.kind == Step::Kind::Add
                      ? __builtin_add_overflow(operand(0), operand(1), &value)
                      : __builtin_mul_overflow(operand(0), operand(1), &value);
      if (over) {
        error = "a size exceeds 64 bits: " + std::to_string(operand(0)) +
                (step.kind == Step::Kind::Add ? " + " : " x ") +
                std::to_string(operand(1));
        return false;
      }
      break;
    }
    case Step::Kind::Divide:
      value = operand(1) ? operand(0) / operand(1) : 0;
      break;
    case Step::Kind::Allocate: {
      int64_t bytes = 0;
      void *memory = nullptr;
      if (!__builtin_mul_overflow(operand(0), step.number, &bytes) &&
          bytes <= INT64_MAX / 2)
        memory = arrays.allocate(step.result, bytes, step.isZeroed);
      if (!memory) {
        error = "there is no memory for " + std::to_string(operand(0)) +
                " elements of " + std::to_string(step.number) + " bytes";
        return false;
      }
      value = reinterpret_cast<int64_t>(memory);
      break;
    }
    case Step::Kind::Read:
      value = readInteger(operand(0), operand(1), step.number);
      break;
    case Step::Kind::Limit:
      if (operand(0) > step.number) {
        error = "there are " + std::to_string(operand(0)) + " " + step.text +
                "; at most " + std::to_string(step.number) + " can be counted";
        return false;
      }
      break;
    case Step::Kind::Launch: {
      std::vector<int64_t> arguments;
      for (int slot : step.operands)
        arguments.push_back(slots[slot]);
      if (!launch(step.text, arguments, error))
        return false;
      break;
    }
    }
    if (step.result >= 0)
      slots[step.result] = value;
  }
  return true;
}
