//===- ElementsTarget.cpp - Files with the elements of tensors ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix in Matrix Market's format, or else lines of coordinates and values.
// What is read is stored row by row and column by column; storage must obey its
// own rules then.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "EinsumOperands.h"
#include "MatrixMarket.h"

using namespace heddle;

static void store(const std::vector<int64_t> &extents,
                  const std::vector<sparse::Entry> &entries) {
  using sparse::Level;
  for (auto level : {Level::Dense, Level::Compressed})
    for (std::vector<int> axes : {std::vector{0, 1}, std::vector{1, 0}}) {
      sparse::Format format;
      format.levels = {level, Level::Compressed};
      format.axes.assign(axes.begin(), axes.end());
      sparse::Tensor tensor;
      std::string error;
      if (sparse::Tensor::build(format, sparse::Element::F32, extents, entries,
                                tensor, error, 1 << 24) &&
          (!tensor.findFault().empty() ||
           tensor.entries().size() < entries.size()))
        __builtin_trap();
    }
}

int heddle::fuzz::runElements(const std::string &text) {
  if (llvm::StringRef(text).starts_with("%%")) {
    auto matrix = tool::readMatrixMarket(text, "fuzz.mtx");
    if (matrix)
      store(matrix->extents, matrix->entries);
    else
      llvm::consumeError(matrix.takeError());
    return 0;
  }
  std::vector<int64_t> extents = {40, 8};
  auto entries = tool::parseElements(text, "A", "fuzz.txt", extents);
  if (entries)
    store(extents, *entries);
  else
    llvm::consumeError(entries.takeError());
  return 0;
}
