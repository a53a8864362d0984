//===- Shadow.h - Who accessed what since when ------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each cell of a memory the last write and the reads since then. An access
// that another one is not ordered with is a race, in whatever order the two
// happened to run: Flanagan and Freund, FastTrack, PLDI 2009, with several
// readers kept as a list.
//
// A cell is a granule of 16 bytes, the grain of swizzles and bulk copies. Where
// a kernel accesses less, the granule is cut into cells of that size.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_SHADOW_H
#define HEDDLE_LIB_EMULATOR_SHADOW_H

#include "Causality.h"

#include <array>
#include <deque>
#include <memory>
#include <unordered_map>

namespace heddle::emulator {

/// One access, or those of several lanes of a warp at one moment.
struct Access {
  uint32_t moment = 0; ///< 0: none
  Agent agent = 0;     ///< an engine, or the first thread of a warp
  LaneMask lanes = 0;  ///< threads
  uint32_t pc : 30 = 0;
  uint32_t isAsync : 1 = 0;  ///< through the async proxy
  uint32_t isStrong : 1 = 0; ///< atomic, relaxed or volatile
};

/// Who makes an access, and what is known to lie before it.
struct Accessor {
  Access access;
  const Clock *past = nullptr;
  /// The thread itself, whose accesses are ordered anyhow; engines: none.
  uint32_t self = ~uint32_t(0);
  bool repeatsValue = false; ///< a write of what is there already
  /// Accesses come in runs with the same neighbour.
  mutable Access lastOrdered = {};
};

/// What is wrong with an access.
struct Finding {
  enum class Kind : uint8_t {
    None,
    Unwritten, ///< reads what nobody wrote
    Unordered, ///< nothing orders it with `other`
    Unfenced,  ///< ordered, but no proxy fence follows the write `other`
  };
  Kind kind = Kind::None;
  uint64_t address = 0;
  Access other;
  bool otherWrites = false;
};

class Shadow {
public:
  struct Rules {
    /// Reading what nobody wrote is an error.
    bool reportsUnwritten = true;
    // Whose writes need a proxy fence before the async proxy may access them.
    bool storesNeedFences = true;
    bool copiesNeedFences = true; ///< cp.async
    /// Whether threads' reads need one before the async proxy may write there.
    bool readsNeedFences = true;
  };
  /// Forgets all accesses.
  void reset(Causality &causality, const Rules &rules);

  Finding read(uint64_t address, uint64_t bytes, const Accessor &accessor);
  Finding write(uint64_t address, uint64_t bytes, const Accessor &accessor);

private:
  struct Cell {
    Access write;
    Access reads[2];
    uint32_t more = 0; ///< number of a list of further reads; 0 for none
  };
  struct Granule {
    Cell whole;
    uint32_t cut = 0; ///< number of its cells; 0 while it is one
  };
  struct Cut {
    uint32_t shift = 0; ///< log2 of a cell's bytes
    std::vector<Cell> cells;
  };
  static constexpr uint64_t kPageGranules = 256;
  struct Page {
    uint64_t generation = 0;
    std::vector<Granule> granules;
  };

  template <class Body>
  Finding forEachCell(uint64_t address, uint64_t bytes, Body body);
  void forget();
  Page &pageOf(uint64_t number);
  void cut(Granule &granule, uint32_t shift);
  LaneMask unorderedLanes(const Access &earlier,
                          const Accessor &accessor) const;
  bool isOrdered(const Access &earlier, const Accessor &accessor) const;
  bool reportUnordered(const Access &other, const Accessor &accessor,
                       bool writes);
  bool isFenced(const Access &earlier, const Accessor &accessor) const;
  // False with the reason in `found`.
  bool report(Finding::Kind kind, const Access &other, bool writes);
  bool checkWrite(const Cell &cell, const Accessor &accessor);
  bool readCell(Cell &cell, const Accessor &accessor);
  bool writeCell(Cell &cell, const Accessor &accessor);

  Causality *causality = nullptr;
  Rules rules;
  Finding found;
  uint64_t generation = 0;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  /// The pages in use, by the low bits of their numbers.
  struct CachedPage {
    uint64_t number = ~uint64_t(0);
    Page *page = nullptr;
  };
  std::array<CachedPage, 16> cache;
  size_t pagesInUse = 0;
  std::deque<Cut> cuts;
  std::deque<std::vector<Access>> lists;
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_SHADOW_H
