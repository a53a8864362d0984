//===- ArgumentData.cpp - Host memory of a kernel's arguments -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Run/ArgumentData.h"
#include "heddle/Run/ElementFormat.h"

#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/MachineMemory.h"

#include <cstdlib>
#include <cstring>
#include <random>

#include <sys/mman.h>

using namespace heddle;
using namespace heddle::tool;

/// What cudaMalloc aligns to, so that the same variants are chosen everywhere.
static constexpr uint64_t kAlignment = 256;

/// Inputs, the oracle's results, their magnitudes, and what a launch writes.
static constexpr int64_t kCopies = 4;

int64_t heddle::tool::argumentBytes(manifest::ElementType element,
                                    llvm::ArrayRef<int64_t> shape) {
  return satMul(satProduct(shape), manifest::elementBytes(element));
}

int64_t &heddle::tool::argumentMemoryLimit() {
  static int64_t limit =
      std::min(kMostArgumentBytes, machineMemory() / (2 * kCopies));
  return limit;
}

llvm::Error heddle::tool::checkArgumentMemory(llvm::StringRef what,
                                              int64_t bytes) {
  std::string asked =
      (what + " takes the arguments to " + spellSize(bytes) + " bytes; ").str();
  if (bytes > kMostArgumentBytes)
    return diag::makeError(diag::argument_memory,
                           asked + "they may have " +
                               llvm::Twine(kMostArgumentBytes) + " together");
  if (bytes > argumentMemoryLimit())
    return diag::makeError(diag::argument_memory,
                           asked + "this machine has memory for " +
                               llvm::Twine(argumentMemoryLimit()) +
                               ", of which a run keeps " +
                               llvm::Twine(kCopies) + " copies");
  // A limit on the process is found by asking; untouched memory costs nothing.
  size_t size = size_t(bytes + 1) * kCopies;
  void *probe = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe != MAP_FAILED) {
    ::munmap(probe, size);
    return llvm::Error::success();
  }
  return diag::makeError(diag::argument_memory,
                         asked + "the system has no memory for " +
                             llvm::Twine(kCopies) + " copies of them");
}

void ArgumentData::Free::operator()(std::byte *memory) const {
  std::free(memory);
}

ArgumentData::ArgumentData(const manifest::Argument &argument,
                           std::vector<int64_t> shape, int64_t pitch,
                           Backing backing)
    : declared(argument), extents(std::move(shape)), steps(extents.size()),
      storage(1) {
  // A pointer's elements are in row-major order.
  for (size_t i = 0; i < extents.size(); ++i) {
    size_t axis = declared.order.empty() ? extents.size() - 1 - i
                                         : size_t(declared.order[i]);
    steps[axis] = storage;
    storage = satMul(storage,
                     i == 0 ? std::max(pitch, extents[axis]) : extents[axis]);
  }
  if (backing == Backing::Memory)
    allocate();
}

ArgumentData::ArgumentData(const manifest::Argument &argument, double scalar)
    : ArgumentData(ofNumber(argument, {scalar, std::nullopt})) {}

ArgumentData ArgumentData::ofNumber(const manifest::Argument &argument,
                                    const Number &scalar) {
  ArgumentData data;
  data.declared = argument;
  writeNumber(argument.element, reinterpret_cast<std::byte *>(&data.bits), 0,
              scalar);
  return data;
}

void ArgumentData::allocate() {
  // One more line than needed: a view without elements has an address too.
  uint64_t size = (sizeBytes() / kAlignment + 1) * kAlignment;
  memory.reset(static_cast<std::byte *>(std::aligned_alloc(kAlignment, size)));
  std::memset(memory.get(), 0, size);
}

int64_t ArgumentData::elementCount() const { return satProduct(extents); }

uint64_t ArgumentData::sizeBytes() const {
  return storageCount() * manifest::elementBytes(declared.element);
}

double ArgumentData::element(int64_t index) const {
  return readElement(declared.element, memory.get(), index);
}

void ArgumentData::setElement(int64_t index, double value) {
  writeElement(declared.element, memory.get(), index, value);
}

int64_t ArgumentData::wholeElement(int64_t index) const {
  return readWhole(declared.element, memory.get(), index);
}

void ArgumentData::setNumber(int64_t index, const Number &number) {
  writeNumber(declared.element, memory.get(), index, number);
}

double ArgumentData::scalar() const {
  return readElement(declared.element,
                     reinterpret_cast<const std::byte *>(&bits), 0);
}

int64_t ArgumentData::wholeScalar() const {
  return readWhole(declared.element, reinterpret_cast<const std::byte *>(&bits),
                   0);
}

void ArgumentData::fillRandom(InputKind kind, uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<float> normal;
  for (int64_t i = 0, count = storageCount(); i < count; ++i)
    setElement(i, kind == InputKind::Normal ? normal(engine)
                                            : double(int(engine() % 5)) - 2);
}

void ArgumentData::poison() { std::memset(memory.get(), 0xff, sizeBytes()); }

/// The least number has no magnitude of its type, and gets the largest.
static void makeAbsoluteAt(manifest::ElementType type, std::byte *memory,
                           int64_t index) {
  if (!isIntegral(type))
    return writeElement(type, memory, index,
                        std::fabs(readElement(type, memory, index)));
  int64_t number = readWhole(type, memory, index);
  int64_t size = number < 0 ? satSub(0, number) : number;
  if (holds(type, wholeNumber(size)))
    writeNumber(type, memory, index, wholeNumber(size));
  else
    writeElement(type, memory, index, double(size));
}

void ArgumentData::makeAbsolute() {
  if (!hasMemory())
    return makeAbsoluteAt(declared.element,
                          reinterpret_cast<std::byte *>(&bits), 0);
  for (int64_t i = 0, count = storageCount(); i < count; ++i)
    makeAbsoluteAt(declared.element, memory.get(), i);
}

ArgumentData ArgumentData::clone() const {
  ArgumentData copy;
  copy.declared = declared;
  copy.extents = extents;
  copy.steps = steps;
  copy.storage = storage;
  copy.bits = bits;
  if (memory) {
    copy.allocate();
    std::memcpy(copy.memory.get(), memory.get(), sizeBytes());
  }
  return copy;
}
