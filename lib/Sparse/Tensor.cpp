//===- Tensor.cpp - A tensor in its storage -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Tensor.h"

#include "heddle/Support/NumberFormat.h"

#include <algorithm>
#include <cstring>

using namespace heddle::sparse;

int64_t IndexArray::get(int64_t i) const {
  if (bits == 64) {
    int64_t value;
    std::memcpy(&value, bytes.data() + i * 8, 8);
    return value;
  }
  int32_t value;
  std::memcpy(&value, bytes.data() + i * 4, 4);
  return value;
}

void IndexArray::set(int64_t i, int64_t value) {
  if (bits == 64)
    std::memcpy(bytes.data() + i * 8, &value, 8);
  else {
    auto narrow = int32_t(value);
    std::memcpy(bytes.data() + i * 4, &narrow, 4);
  }
}

void IndexArray::push(int64_t value) {
  bytes.resize(bytes.size() + size_t(bits / 8));
  set(size() - 1, value);
}

double Tensor::value(int64_t position) const {
  if (element == Element::F64) {
    double value;
    std::memcpy(&value, values.data() + position * 8, 8);
    return value;
  }
  if (sizeOf(element) == 2) {
    uint16_t bits;
    std::memcpy(&bits, values.data() + position * 2, 2);
    return element == Element::F16 ? decode<kFloat16>(bits)
                                   : decode<kBFloat16>(bits);
  }
  float value;
  std::memcpy(&value, values.data() + position * 4, 4);
  return value;
}

void Tensor::setValue(int64_t position, double value) {
  if (element == Element::F64)
    std::memcpy(values.data() + position * 8, &value, 8);
  else if (sizeOf(element) == 2) {
    auto bits = uint16_t(element == Element::F16 ? encode<kFloat16>(value)
                                                 : encode<kBFloat16>(value));
    std::memcpy(values.data() + position * 2, &bits, 2);
  } else {
    auto narrow = float(value);
    std::memcpy(values.data() + position * 4, &narrow, 4);
  }
}

int64_t Tensor::countOfLevel(int level) const {
  if (level < 0)
    return 1;
  if (format.hasCoordinates(level))
    return coordinates[level].size();
  return countOfLevel(level - 1) * extentOfLevel(level);
}

namespace {
/// The entries [begin, end) of a sorted list lie below one position.
struct Segment {
  size_t begin, end;
};
} // namespace

bool Tensor::build(const Format &format, Element element,
                   const std::vector<int64_t> &extents,
                   std::vector<Entry> entries, Tensor &tensor,
                   std::string &error, int64_t mostBytes) {
  tensor = Tensor();
  tensor.format = format;
  tensor.element = element;
  tensor.extents = extents;
  auto coordinate = [&](const Entry &entry, int level) {
    return entry.coordinates[format.axes[level]];
  };
  auto comesBefore = [&](const Entry &a, const Entry &b) {
    for (int level = 0; level < format.rank(); ++level)
      if (coordinate(a, level) != coordinate(b, level))
        return coordinate(a, level) < coordinate(b, level);
    return false;
  };
  // Whoever wrote them in order has them in order.
  if (!std::is_sorted(entries.begin(), entries.end(), comesBefore))
    std::sort(entries.begin(), entries.end(), comesBefore);
  for (int bits : {format.positionBits, format.coordinateBits})
    if (bits == 32 && entries.size() > size_t(INT32_MAX)) {
      error = "there are " + std::to_string(entries.size()) +
              " elements, more than 32 bits count";
      return false;
    }
  std::vector<Segment> segments = {{0, entries.size()}};
  for (int level = 0; level < format.rank(); ++level) {
    IndexArray positions(format.positionBits), crd(format.coordinateBits);
    std::vector<Segment> below;
    bool isDense = format.levels[level] == Level::Dense;
    __int128 wanted = __int128(segments.size()) * tensor.extentOfLevel(level);
    if (isDense && wanted * int(sizeof(Segment)) > mostBytes) {
      error = "a dense level would have " +
              std::to_string(double(segments.size())) + " x " +
              std::to_string(tensor.extentOfLevel(level)) + " positions";
      return false;
    }
    if (format.hasPositions(level))
      positions.push(0);
    for (Segment segment : segments) {
      size_t at = segment.begin;
      if (isDense) {
        for (int64_t i = 0; i < tensor.extentOfLevel(level); ++i) {
          size_t begin = at;
          while (at < segment.end && coordinate(entries[at], level) == i)
            ++at;
          below.push_back({begin, at});
        }
        continue;
      }
      bool isUnique = format.levels[level] == Level::Compressed;
      while (at < segment.end) {
        size_t begin = at++;
        int64_t first = coordinate(entries[begin], level);
        while (isUnique && at < segment.end &&
               coordinate(entries[at], level) == first)
          ++at;
        crd.push(first);
        below.push_back({begin, at});
      }
      if (format.hasPositions(level))
        positions.push(int64_t(below.size()));
    }
    tensor.positions.push_back(std::move(positions));
    tensor.coordinates.push_back(std::move(crd));
    segments = std::move(below);
  }
  tensor.values.resize(segments.size() * size_t(sizeOf(element)));
  for (size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].end - segments[i].begin > 1) {
      error = "two elements have the same coordinates";
      return false;
    }
    if (segments[i].begin < segments[i].end)
      tensor.setValue(int64_t(i), entries[segments[i].begin].value);
  }
  return true;
}

std::vector<Entry> Tensor::entries() const {
  // By level, the coordinates of each position so far: those of the levels
  // above, which are in `above`, and its own.
  struct Place {
    size_t above;
    int64_t coordinate;
  };
  std::vector<std::vector<Place>> places(size_t(format.rank()));
  size_t parents = 1;
  for (int level = 0; level < format.rank(); ++level) {
    std::vector<Place> &own = places[size_t(level)];
    own.reserve(size_t(countOfLevel(level)));
    int64_t extent = extentOfLevel(level);
    for (size_t p = 0; p < parents; ++p) {
      switch (format.levels[size_t(level)]) {
      case Level::Dense:
        for (int64_t i = 0; i < extent; ++i)
          own.push_back({p, i});
        break;
      case Level::Compressed:
      case Level::List:
        for (int64_t q = positions[size_t(level)].get(int64_t(p));
             q < positions[size_t(level)].get(int64_t(p) + 1); ++q)
          own.push_back({p, coordinates[size_t(level)].get(q)});
        break;
      case Level::Singleton:
        own.push_back({p, coordinates[size_t(level)].get(int64_t(p))});
        break;
      }
    }
    parents = own.size();
  }
  std::vector<Entry> found(parents);
  for (size_t p = 0; p < parents; ++p) {
    found[p].coordinates.resize(extents.size());
    found[p].value = value(int64_t(p));
    size_t at = p;
    for (int level = format.rank(); level-- > 0;) {
      const Place &place = places[size_t(level)][at];
      found[p].coordinates[size_t(format.axes[size_t(level)])] =
          place.coordinate;
      at = place.above;
    }
  }
  return found;
}

std::string Tensor::findFault() const {
  int64_t parents = 1;
  for (int level = 0; level < format.rank(); ++level) {
    std::string name = "level " + std::to_string(level);
    int64_t extent = extentOfLevel(level);
    if (format.levels[level] == Level::Dense) {
      parents *= extent;
      continue;
    }
    const IndexArray &crd = coordinates[level];
    if (format.hasPositions(level)) {
      const IndexArray &pos = positions[level];
      if (pos.size() != parents + 1)
        return name + " has " + std::to_string(pos.size()) +
               " positions; there must be " + std::to_string(parents + 1);
      if (pos.get(0) != 0)
        return name + " begins at position " + std::to_string(pos.get(0)) +
               ", not 0";
      for (int64_t p = 0; p < parents; ++p)
        if (pos.get(p + 1) < pos.get(p))
          return name + " has position " + std::to_string(pos.get(p + 1)) +
                 " after " + std::to_string(pos.get(p)) + " at " +
                 std::to_string(p + 1) + "; positions never fall";
      if (pos.get(parents) != crd.size())
        return name + " ends at position " + std::to_string(pos.get(parents)) +
               " and has " + std::to_string(crd.size()) + " coordinates";
    } else if (crd.size() != parents) {
      return name + " has " + std::to_string(crd.size()) +
             " coordinates; there must be " + std::to_string(parents);
    }
    for (int64_t q = 0; q < crd.size(); ++q)
      if (crd.get(q) < 0 || crd.get(q) >= extent)
        return name + " has coordinate " + std::to_string(crd.get(q)) + " at " +
               std::to_string(q) + "; its axis has " + std::to_string(extent);
    if (format.levels[level] == Level::Compressed)
      for (int64_t p = 0; p < parents; ++p)
        for (int64_t q = positions[level].get(p) + 1;
             q < positions[level].get(p + 1); ++q)
          if (crd.get(q) <= crd.get(q - 1))
            return name + " has coordinate " + std::to_string(crd.get(q)) +
                   " after " + std::to_string(crd.get(q - 1)) + " at " +
                   std::to_string(q) +
                   "; coordinates of a row rise. Sort them and add up "
                   "duplicates";
    parents = crd.size();
  }
  if (valueCount() != parents)
    return "there are " + std::to_string(valueCount()) +
           " values; there must be " + std::to_string(parents);
  // Coordinate storage: whole tuples rise.
  for (int level = 0; level < format.rank(); ++level)
    if (format.levels[level] == Level::List)
      for (int64_t p = 1; p < parents; ++p) {
        int at = level;
        while (at < format.rank() && format.hasCoordinates(at) &&
               coordinates[at].get(p) == coordinates[at].get(p - 1))
          ++at;
        if (level == 0 && (at == format.rank() ||
                           coordinates[at].get(p) < coordinates[at].get(p - 1)))
          return "element " + std::to_string(p) +
                 " does not come after the one before it; sort the elements "
                 "and add up duplicates";
      }
  return {};
}

int64_t heddle::sparse::wordsOf(const Tensor &tensor) {
  int64_t words = tensor.valueCount();
  for (const auto *arrays : {&tensor.positions, &tensor.coordinates})
    for (const IndexArray &array : *arrays)
      words += array.size();
  return words;
}
