//===- Wgmma.cpp - Executes a wgmma ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands in shared memory are described by a 64-bit descriptor (PTX ISA,
// "Matrix Descriptor Format"). In units of 16 bytes ("chunks"), with W chunks a
// swizzle row (W = 2, 4, 8; 1 without swizzle), the canonical layouts are, for
// a K-major operand,
//
//   chunk(r, c) = r%8 * W + r/8 * SBO + c            swizzled
//   chunk(r, c) = r%8     + r/8 * SBO + c * LBO      not swizzled
//
// with r along M or N and c along K; and for an MN-major one, with c along M or
// N and k along K,
//
//   chunk(c, k) = c%W + c/W * LBO + k%8 * W + k/8 * SBO   swizzled
//   chunk(c, k) = c * SBO         + k%8     + k/8 * LBO   not swizzled
//
// The swizzle acts on the final shared address, so that a start address moved
// along K inside a swizzle row works.
//
//===----------------------------------------------------------------------===//

#include "ExecContext.h"
#include "MatrixElements.h"
#include "RaceCheck.h"
#include "TensorMaps.h"
#include "WgmmaDetail.h"

#include <cstring>

using namespace heddle::emulator;

namespace {
constexpr int kRows = 64;

struct SharedOperand {
  uint64_t start = 0;
  uint64_t leadingBytes = 0;
  uint64_t strideBytes = 0;
  int swizzleBytes = 0;
  const char *name = ""; ///< "A" or "B"
};

/// What a wgmma reads and writes, as matrices.
struct Workspace {
  std::vector<double> a;    ///< [64][k]
  std::vector<double> b;    ///< [k][n]
  std::vector<double> sums; ///< [64][n]
};

class Executor {
public:
  Executor(Cta &cta, int warpGroup, const WgmmaOp &op)
      : cta(cta), op(op),
        detail(static_cast<const WgmmaDetail &>(*op.in->detail)),
        firstWarp(warpGroup * 4) {
    engine.past = &op.past;
    if (!cta.order.isOn())
      return;
    engine.agent = cta.order.agentOf(Engine::Wgmma, uint32_t(warpGroup));
    engine.moment = uint32_t(cta.wgmmas[warpGroup].executed + 1);
  }
  bool run();

private:
  bool fail(const std::string &message) {
    cta.fail(*op.in, cta.warps[firstWarp], 0, message);
    return false;
  }
  bool readDescriptor(uint64_t bits, const char *name, SharedOperand &operand);
  uint64_t chunkAddress(const SharedOperand &operand, bool isTransposed,
                        int outer, int chunk) const;
  template <class Store>
  bool readShared(const SharedOperand &operand, Type type, bool isTransposed,
                  int extent, Store store);
  void readRegistersOfA();
  bool readA();
  bool readB();
  void readSums();
  void writeSums();

  Cta &cta;
  const WgmmaOp &op;
  const WgmmaDetail &detail;
  int firstWarp;
  EngineMoment engine;
  static thread_local Workspace work;
};

thread_local Workspace Executor::work;
} // namespace

bool Executor::readDescriptor(uint64_t bits, const char *name,
                              SharedOperand &operand) {
  static constexpr int widths[] = {0, 128, 64, 32};
  operand.start = (bits & 0x3FFF) << 4;
  operand.leadingBytes = (bits >> 16 & 0x3FFF) << 4;
  operand.strideBytes = (bits >> 32 & 0x3FFF) << 4;
  operand.swizzleBytes = widths[bits >> 62];
  operand.name = name;
  std::string prefix = std::string("the descriptor of ") + name + " (" +
                       hexadecimal(bits) + ") ";
  if (bits >> 49 & 7)
    return fail(prefix + "has a base offset; tiles must be aligned to their "
                         "swizzle pattern instead");
  uint64_t pattern = uint64_t(operand.swizzleBytes) * 8;
  if (pattern && (operand.start & (pattern - 1) & ~uint64_t(127)))
    return fail(prefix + "starts at " + hexadecimal(operand.start) +
                ", inside a swizzle pattern of " + std::to_string(pattern) +
                " bytes; the start may be moved by less than one row only");
  return true;
}

uint64_t Executor::chunkAddress(const SharedOperand &operand, bool isTransposed,
                                int outer, int chunk) const {
  uint64_t o = uint64_t(outer), c = uint64_t(chunk);
  uint64_t width = uint64_t(operand.swizzleBytes) / 16;
  uint64_t offset;
  if (!isTransposed)
    offset = width ? o % 8 * width * 16 + o / 8 * operand.strideBytes + c * 16
                   : o % 8 * 16 + o / 8 * operand.strideBytes +
                         c * operand.leadingBytes;
  else
    offset = width ? c % width * 16 + c / width * operand.leadingBytes +
                         o % 8 * width * 16 + o / 8 * operand.strideBytes
                   : c * operand.strideBytes + o % 8 * 16 +
                         o / 8 * operand.leadingBytes;
  return swizzled(operand.start + offset, operand.swizzleBytes);
}

/// Reads an operand of `extent` rows (along M or N) and calls
/// `store(row, k, value)`.
template <class Store>
bool Executor::readShared(const SharedOperand &operand, Type type,
                          bool isTransposed, int extent, Store store) {
  int bytes = bitsOf(type) / 8;
  int each = 16 / bytes; // elements a chunk
  int outerCount = isTransposed ? detail.k : extent;
  int chunkCount = (isTransposed ? extent : detail.k) / each;
  for (int outer = 0; outer < outerCount; ++outer)
    for (int chunk = 0; chunk < chunkCount; ++chunk) {
      uint64_t address = chunkAddress(operand, isTransposed, outer, chunk);
      if (!cta.shared.contains(address, 16))
        return fail(std::string("reads ") + operand.name +
                    " at shared address " + hexadecimal(address) +
                    "; the CTA's shared memory ends at " +
                    hexadecimal(cta.shared.endAddress()));
      MemoryAccess access{address, 16};
      access.object = operand.name;
      if (!noteEngineAccess(cta, *op.in, cta.warps[firstWarp], 0, engine,
                            access))
        return false;
      uint8_t data[16];
      std::memcpy(data, cta.shared.at(address), 16);
      for (int e = 0; e < each; ++e) {
        uint32_t element = 0;
        std::memcpy(&element, data + e * bytes, size_t(bytes));
        double value = elementValue(type, element);
        if (isTransposed)
          store(chunk * each + e, outer, value);
        else
          store(outer, chunk * each + e, value);
      }
    }
  return true;
}

void Executor::readRegistersOfA() {
  int bits = bitsOf(detail.typeA), each = 32 / bits;
  for (int w = 0; w < 4; ++w)
    for (int i = 0; i < int(detail.registersOfA); ++i) {
      const uint64_t *reg = cta.warps[firstWarp + w].lanes(op.in->sources[i]);
      for (int lane = 0; lane < kLanes; ++lane) {
        FragmentPlace place = operandPlace(lane, i, each);
        double *row = &work.a[size_t(w * 16 + place.row) * detail.k];
        for (int e = 0; e < each; ++e)
          row[place.column + e] = elementValue(
              detail.typeA, uint32_t(reg[lane]) >> (e * bits % 32));
      }
    }
}

bool Executor::readA() {
  work.a.resize(size_t(kRows) * detail.k);
  if (detail.registersOfA) {
    readRegistersOfA();
  } else {
    SharedOperand operand;
    if (!readDescriptor(op.descriptorA, "A", operand) ||
        !readShared(operand, detail.typeA, detail.transposeA, kRows,
                    [&](int row, int k, double value) {
                      work.a[size_t(row) * detail.k + k] = value;
                    }))
      return false;
  }
  // Both negations act on the products.
  if (detail.negateA != detail.negateB)
    for (double &value : work.a)
      value = -value;
  return true;
}

bool Executor::readB() {
  work.b.resize(size_t(detail.k) * detail.n);
  SharedOperand operand;
  return readDescriptor(op.descriptorB, "B", operand) &&
         readShared(operand, detail.typeB, detail.transposeB, detail.n,
                    [&](int column, int k, double value) {
                      work.b[size_t(k) * detail.n + column] = value;
                    });
}

void Executor::readSums() {
  work.sums.assign(size_t(kRows) * detail.n, 0.0);
  if (!op.accumulates)
    return;
  bool isPacked = detail.typeD == Type::F16;
  for (int w = 0; w < 4; ++w)
    for (int i = 0; i < detail.n / 2; ++i) {
      const uint64_t *reg = cta.warps[firstWarp + w].lanes(
          op.in->destinations[isPacked ? i / 2 : i]);
      int shift = isPacked ? i % 2 * 16 : 0;
      for (int lane = 0; lane < kLanes; ++lane) {
        FragmentPlace place = accumulatorPlace(lane, i);
        work.sums[size_t(w * 16 + place.row) * detail.n + place.column] =
            accumulatorValue(detail.typeD, uint32_t(reg[lane]) >> shift);
      }
    }
}

void Executor::writeSums() {
  bool isPacked = detail.typeD == Type::F16;
  for (int w = 0; w < 4; ++w)
    for (int i = 0; i < detail.n / 2; ++i) {
      uint64_t *reg = cta.warps[firstWarp + w].lanes(
          op.in->destinations[isPacked ? i / 2 : i]);
      for (int lane = 0; lane < kLanes; ++lane) {
        FragmentPlace place = accumulatorPlace(lane, i);
        uint64_t bits = accumulatorBits(
            detail.typeD,
            work.sums[size_t(w * 16 + place.row) * detail.n + place.column],
            detail.saturates);
        if (!isPacked)
          reg[lane] = bits;
        else
          reg[lane] = i % 2 ? (reg[lane] & 0xFFFF) | bits << 16 : bits;
      }
    }
}

bool Executor::run() {
  if (!readA() || !readB())
    return false;
  readSums();
  multiplyAccumulate(work.a.data(), work.b.data(), work.sums.data(), kRows,
                     detail.n, detail.k);
  writeSums();
  ++cta.launch.statistics.wgmmas;
  return true;
}

bool heddle::emulator::executeWgmma(Cta &cta, int warpGroup) {
  WgmmaQueue &queue = cta.wgmmas[warpGroup];
  const WgmmaOp &op = queue.ops[queue.executed - queue.first];
  if (!Executor(cta, warpGroup, op).run())
    return false;
  ++queue.executed;
  return true;
}
