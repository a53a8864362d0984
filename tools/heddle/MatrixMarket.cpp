//===- MatrixMarket.cpp - Sparse matrices from .mtx files -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixMarket.h"

#include "heddle/Support/Diagnostic.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

namespace {

class Reader {
public:
  Reader(StringRef text, StringRef path) : rest(text), path(path) {}

  Expected<MarketMatrix> read() {
    if (Error error = readHeader())
      return std::move(error);
    if (Error error = readSizes())
      return std::move(error);
    // A line of an element has four characters at least.
    if (count > int64_t(rest.size()) / 4 + 1)
      return refuse("the file is too short for " + Twine(count) + " elements");
    for (int64_t i = 0; i < count; ++i)
      if (Error error = readElement(i))
        return std::move(error);
    if (next())
      return refuse("there are more elements than the " + Twine(count) +
                    " that the line of sizes promises");
    return std::move(matrix);
  }

private:
  Error refuse(const Twine &message) const {
    return diag::makeError(diag::einsum_operands, "line " + Twine(line) +
                                                      " of " + path + ": " +
                                                      message);
  }

  /// The next line with something on it; comments are skipped.
  bool next() {
    while (!rest.empty()) {
      auto [first, behind] = rest.split('\n');
      rest = behind;
      ++line;
      words.clear();
      SplitString(first, words, " \t\r");
      if (!words.empty() && !words[0].starts_with("%"))
        return true;
    }
    return false;
  }

  Error readHeader() {
    auto [first, behind] = rest.split('\n');
    rest = behind;
    line = 1;
    SplitString(first, words, " \t\r");
    auto is = [&](size_t at, std::initializer_list<StringRef> names) {
      for (StringRef name : names)
        if (words[at].equals_insensitive(name))
          return true;
      return false;
    };
    if (words.size() != 5 || !is(0, {"%%MatrixMarket"}) || !is(1, {"matrix"}))
      return refuse("a file of this kind begins with %%MatrixMarket matrix "
                    "coordinate real general, or other words in the last three "
                    "places");
    if (!is(2, {"coordinate"}))
      return refuse("a matrix stored as '" + words[2] +
                    "' has no coordinates; only 'coordinate' is read");
    if (!is(3, {"real", "integer", "pattern"}))
      return refuse("elements of the kind '" + words[3] +
                    "' are not read; real, integer and pattern are");
    if (!is(4, {"general", "symmetric", "skew-symmetric"}))
      return refuse("symmetry '" + words[4] +
                    "' is not read; general, symmetric and skew-symmetric are");
    isPattern = is(3, {"pattern"});
    isSymmetric = is(4, {"symmetric", "skew-symmetric"});
    sign = is(4, {"skew-symmetric"}) ? -1 : 1;
    return Error::success();
  }

  Error readSizes() {
    int64_t rows = 0, columns = 0;
    constexpr int64_t kMost = int64_t(1) << 40;
    if (!next() || words.size() != 3 || words[0].getAsInteger(10, rows) ||
        words[1].getAsInteger(10, columns) ||
        words[2].getAsInteger(10, count) || rows < 0 || columns < 0 ||
        count < 0 || rows > kMost || columns > kMost)
      return refuse("here the sizes are expected: rows, columns and how many "
                    "elements follow");
    if (isSymmetric && rows != columns)
      return refuse("a symmetric matrix has as many rows as columns, not " +
                    Twine(rows) + " and " + Twine(columns));
    matrix.extents = {rows, columns};
    return Error::success();
  }

  Error readElement(int64_t number) {
    if (!next())
      return refuse("the file ends after " + Twine(number) + " of " +
                    Twine(count) + " elements");
    sparse::Entry entry;
    entry.coordinates.resize(2);
    entry.value = 1;
    bool isFine = words.size() == (isPattern ? 2u : 3u) &&
                  (isPattern || !words[2].getAsDouble(entry.value));
    for (size_t axis = 0; isFine && axis < 2; ++axis) {
      int64_t at = 0;
      isFine = !words[axis].getAsInteger(10, at) && at >= 1 &&
               at <= matrix.extents[axis];
      if (isFine)
        entry.coordinates[axis] = at - 1;
    }
    if (!isFine)
      return refuse("here an element is expected: a row from 1 to " +
                    Twine(matrix.extents[0]) + ", a column from 1 to " +
                    Twine(matrix.extents[1]) +
                    (isPattern ? "" : ", and a number"));
    matrix.entries.push_back(entry);
    if (isSymmetric && entry.coordinates[0] != entry.coordinates[1]) {
      std::swap(entry.coordinates[0], entry.coordinates[1]);
      entry.value *= sign;
      matrix.entries.push_back(std::move(entry));
    }
    return Error::success();
  }

  StringRef rest, path;
  int64_t line = 0, count = 0;
  double sign = 1;
  bool isPattern = false, isSymmetric = false;
  SmallVector<StringRef> words;
  MarketMatrix matrix;
};

} // namespace

Expected<MarketMatrix> heddle::tool::readMatrixMarket(StringRef text,
                                                      StringRef path) {
  return Reader(text, path).read();
}
