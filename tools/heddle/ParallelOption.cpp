//===- ParallelOption.cpp - --parallel of heddle simulate -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParallelOption.h"

#include "Command.h"

#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

static constexpr int kBadUse = 3;

namespace {

struct Wanted {
  StringRef index;
  int64_t copies = 0, chunk = 1;
};

} // namespace

static bool parse(StringRef text, SmallVectorImpl<Wanted> &list) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    SmallVector<StringRef> words;
    part.split(words, ':');
    Wanted wanted;
    if (words.size() < 2 || words.size() > 3 || words[0].empty() ||
        words[1].getAsInteger(10, wanted.copies) ||
        (words.size() == 3 && words[2].getAsInteger(10, wanted.chunk)))
      return false;
    wanted.index = words[0];
    list.push_back(wanted);
  }
  return true;
}

int heddle::tool::setParallel(einsum::PlanOp plan, StringRef text) {
  if (text.empty())
    return kFine;
  SmallVector<Wanted> list;
  if (text.starts_with("auto:") || !parse(text, list))
    return fail(diag::usage, "--parallel is INDEX:COPIES or "
                             "INDEX:COPIES:CHUNK, several joined by commas, or "
                             "auto:UNITS with a number from 1 on; not " +
                                 text);
  mlir::Builder builder(plan.getContext());
  SmallPtrSet<const void *, 8> used;
  for (auto entry : plan.getBody().front().getOps<einsum::StreamsOp>()) {
    SmallVector<mlir::Attribute> indices;
    SmallVector<int64_t> copies, chunks;
    for (const Wanted &wanted : list)
      if (is_contained(entry.getOrder(), builder.getStringAttr(wanted.index))) {
        used.insert(&wanted);
        indices.push_back(builder.getStringAttr(wanted.index));
        copies.push_back(wanted.copies);
        chunks.push_back(wanted.chunk);
      }
    if (indices.empty())
      continue;
    entry.setParallelAttr(builder.getArrayAttr(indices));
    entry.setByAttr(builder.getDenseI64ArrayAttr(copies));
    bool isOneByOne = all_of(chunks, [](int64_t chunk) { return chunk == 1; });
    entry.setChunksAttr(isOneByOne ? mlir::DenseI64ArrayAttr()
                                   : builder.getDenseI64ArrayAttr(chunks));
    // What the option asks for is judged as what a plan says.
    if (failed(entry.verify()))
      return kBadUse;
  }
  for (const Wanted &wanted : list)
    if (!used.contains(&wanted))
      return fail(diag::usage, "--parallel names " + wanted.index +
                                   ", which no statement has as an index");
  return kFine;
}
