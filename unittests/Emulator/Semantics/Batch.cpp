//===- Batch.cpp - One instruction on many operands -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batch.h"

#include "../TestKernel.h"

#include <algorithm>
#include <cstdio>

using namespace heddle::emulator;
using namespace heddle::emulator::test;

static constexpr size_t kThreads = 1024;

/// The declared register that plays a role of `bits` bits.
static std::string registerOf(char role, int bits) {
  int index = role == 'r' ? 8 : role == 'a' ? 9 : role == 'b' ? 10 : 11;
  const char *prefix = bits == 16 ? "%h" : bits == 32 ? "%r" : "%x";
  return prefix + std::to_string(index);
}

static std::string substitute(const Batch &batch) {
  std::string result;
  for (size_t i = 0; i < batch.text.size(); ++i) {
    char role = i + 1 < batch.text.size() ? batch.text[i + 1] : '\0';
    bool isRole = batch.text[i] == '%' && role && std::strchr("rabc", role);
    if (!isRole) {
      result += batch.text[i];
      continue;
    }
    result +=
        registerOf(role, role == 'r' ? batch.resultBits
                                     : batch.sourceBits[size_t(role - 'a')]);
    ++i;
  }
  return result;
}

std::vector<uint64_t>
heddle::emulator::test::runBatch(const Batch &batch,
                                 const std::vector<Operands> &rows) {
  size_t ctas = (rows.size() + kThreads - 1) / kThreads;
  std::vector<uint64_t> in(ctas * kThreads * 3), out(ctas * kThreads);
  for (size_t i = 0; i < ctas * kThreads; ++i)
    for (size_t source = 0; source < 3; ++source)
      in[3 * i + source] = rows[std::min(i, rows.size() - 1)][source];
  std::string body = "ld.param.b64 %d0, [p0]; ld.param.b64 %d1, [p1];\n"
                     "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n"
                     "mad.lo.u32 %r0, %r1, 1024, %r0;\n"
                     "mad.wide.u32 %d0, %r0, 24, %d0;\n"
                     "mad.wide.u32 %d1, %r0, 8, %d1;\n";
  for (size_t source = 0; source < 3; ++source) {
    int bits = batch.sourceBits[source];
    body += "ld.global.b" + std::to_string(bits) + " " +
            registerOf(char('a' + source), bits) + ", [%d0+" +
            std::to_string(8 * source) + "];\n";
  }
  body += substitute(batch) + "\nst.global.b" +
          std::to_string(batch.resultBits) + " [%d1], " +
          registerOf('r', batch.resultBits) + ";\n";
  TestKernel kernel(body, kThreads);
  kernel.buffer(in, false).buffer(out).grid(int64_t(ctas));
  Options options;
  options.checkRaces = false;
  options.threads = 1;
  Result result = kernel.run(options);
  EXPECT_TRUE(result.ok) << batch.text << "\n" << result.error;
  if (!result.ok)
    return {};
  out.resize(rows.size());
  return out;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// A linear congruential generator: the same rows everywhere.
class Generator {
public:
  uint64_t bits() {
    uint64_t high = step(), low = step();
    return high << 32 | low;
  }

private:
  uint64_t step() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 32;
  }
  uint64_t state = 42;
};
} // namespace

std::vector<Operands> heddle::emulator::test::combinations(
    const std::array<std::vector<uint64_t>, 3> &values) {
  std::vector<Operands> rows;
  for (uint64_t a : values[0])
    for (uint64_t b : values[1])
      for (uint64_t c : values[2])
        rows.push_back({a, b, c});
  return rows;
}

std::vector<Operands>
heddle::emulator::test::combinations(const std::vector<uint64_t> &values,
                                     int count, int bits, size_t extra) {
  std::array<std::vector<uint64_t>, 3> lists;
  for (int i = 0; i < 3; ++i)
    lists[size_t(i)] = i < count ? values : std::vector<uint64_t>{0};
  std::vector<Operands> rows = combinations(lists);
  Generator generator;
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  for (size_t i = 0; i < extra; ++i) {
    Operands row = {};
    uint64_t shared = generator.bits();
    for (int source = 0; source < count; ++source) {
      uint64_t style = generator.bits(), value = generator.bits();
      // Runs of ones and zeros, neighbours of each other, or anything.
      if (style % 4 == 0)
        value &= value << (style >> 8 & 15) & generator.bits();
      if (style % 4 == 1)
        value = shared ^ (value & 3);
      if (style % 4 == 2)
        value = (shared & ~(mask >> 6)) | (value & mask >> 6);
      row[size_t(source)] = value & mask;
    }
    rows.push_back(row);
  }
  return rows;
}

std::string heddle::emulator::test::describe(const Operands &row, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%s0x%llx", i ? ", " : "",
                  static_cast<unsigned long long>(row[size_t(i)]));
    text += buffer;
  }
  return text;
}
