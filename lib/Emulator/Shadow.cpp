//===- Shadow.cpp - Who accessed what since when --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"

#include <algorithm>
#include <bit>

using namespace heddle::emulator;

static constexpr uint32_t kGranuleShift = 4;
static constexpr uint64_t kGranuleBytes = 1 << kGranuleShift;

/// A CTA that walks over all of a large global memory would need many times its
/// size here. Then the past is forgotten, which can hide a race and make none.
static constexpr size_t kMostPages = 4096;
static constexpr size_t kMostCuts = 1 << 17;

/// Whether both are the same store of threads. When it stores the same value
/// too, as layouts with repeated elements do, it does not matter who is last.
static bool isSameStore(const Access &earlier, const Accessor &accessor) {
  return earlier.pc == accessor.access.pc && !earlier.isAsync &&
         !accessor.access.isAsync;
}

void Shadow::reset(Causality &order, const Rules &newRules) {
  causality = &order;
  rules = newRules;
  forget();
}

/// Pages are cleaned when they are touched again.
void Shadow::forget() {
  if (pagesInUse > kMostPages)
    pages.clear();
  ++generation;
  cache.fill({});
  pagesInUse = 0;
  cuts.clear();
  lists.clear();
}

Shadow::Page &Shadow::pageOf(uint64_t number) {
  CachedPage &cached = cache[number % cache.size()];
  if (cached.number == number)
    return *cached.page;
  std::unique_ptr<Page> &page = pages[number];
  if (!page)
    page = std::make_unique<Page>();
  if (page->generation != generation) {
    page->generation = generation;
    page->granules.assign(kPageGranules, Granule());
    ++pagesInUse;
  }
  cached = {number, page.get()};
  return *page;
}

/// Cuts a granule into cells of 1 << shift bytes; they inherit what is known.
void Shadow::cut(Granule &granule, uint32_t shift) {
  std::vector<Cell> before = {granule.whole};
  uint32_t shiftBefore = kGranuleShift;
  if (granule.cut) {
    shiftBefore = cuts[granule.cut - 1].shift;
    before = std::move(cuts[granule.cut - 1].cells);
  } else {
    cuts.emplace_back();
    granule.cut = uint32_t(cuts.size());
  }
  Cut &target = cuts[granule.cut - 1];
  target.shift = shift;
  target.cells.clear();
  for (uint64_t at = 0; at < kGranuleBytes; at += uint64_t(1) << shift) {
    Cell cell = before[at >> shiftBefore];
    if (cell.more) { // lists are not shared
      lists.push_back(lists[cell.more - 1]);
      cell.more = uint32_t(lists.size());
    }
    target.cells.push_back(cell);
  }
}

/// Calls `body(cell)` for the cells of a range until it finds something.
template <class Body>
Finding Shadow::forEachCell(uint64_t address, uint64_t bytes, Body body) {
  if (pagesInUse > kMostPages || cuts.size() > kMostCuts)
    forget();
  uint64_t end = address + bytes;
  while (address < end) {
    uint64_t number = address >> kGranuleShift;
    Granule &granule =
        pageOf(number / kPageGranules).granules[number % kPageGranules];
    uint64_t first = address % kGranuleBytes;
    uint64_t last = std::min(kGranuleBytes, first + (end - address));
    if (first || last != kGranuleBytes) {
      auto wanted = uint32_t(std::countr_zero(first | last));
      if (!granule.cut || cuts[granule.cut - 1].shift > wanted)
        cut(granule, wanted);
    }
    bool isFine = true;
    if (!granule.cut) {
      isFine = body(granule.whole);
    } else {
      Cut &parts = cuts[granule.cut - 1];
      for (uint64_t at = first; isFine && at < last;
           at += uint64_t(1) << parts.shift)
        isFine = body(parts.cells[at >> parts.shift]);
    }
    if (!isFine) {
      found.address = address;
      return found;
    }
    address += last - first;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Of an access by threads, those that are not ordered.
LaneMask Shadow::unorderedLanes(const Access &earlier,
                                const Accessor &accessor) const {
  LaneMask result = 0;
  for (LaneMask rest = earlier.lanes; rest; rest &= rest - 1) {
    auto lane = uint32_t(std::countr_zero(rest));
    uint32_t thread = earlier.agent + lane;
    if (thread != accessor.self && (*accessor.past)[thread] < earlier.moment)
      result |= LaneMask(1) << lane;
  }
  return result;
}

bool Shadow::isOrdered(const Access &earlier, const Accessor &accessor) const {
  const Access &last = accessor.lastOrdered;
  if (last.moment == earlier.moment && last.agent == earlier.agent &&
      last.lanes == earlier.lanes)
    return true;
  bool isOrdered = causality->isThread(earlier.agent)
                       ? !unorderedLanes(earlier, accessor)
                       : (*accessor.past)[earlier.agent] >= earlier.moment;
  if (isOrdered)
    accessor.lastOrdered = earlier;
  return isOrdered;
}

/// Whether what was written or read through the generic proxy is fit for an
/// accessor of the async one: the thread has fenced it.
bool Shadow::isFenced(const Access &earlier, const Accessor &accessor) const {
  if (!accessor.access.isAsync)
    return true;
  if (!causality->isThread(earlier.agent)) {
    auto [engine, key] = causality->nameOf(earlier.agent);
    return engine != Engine::Copy || !rules.copiesNeedFences ||
           (*accessor.past)[causality->agentOf(Engine::FencedCopy, key)] >=
               earlier.moment;
  }
  if (!rules.storesNeedFences)
    return true;
  for (LaneMask rest = earlier.lanes; rest; rest &= rest - 1) {
    uint32_t thread = earlier.agent + uint32_t(std::countr_zero(rest));
    if ((*accessor.past)[causality->fencedPlace(thread)] < earlier.moment)
      return false;
  }
  return true;
}

bool Shadow::report(Finding::Kind kind, const Access &other, bool writes) {
  found.kind = kind;
  found.other = other;
  found.otherWrites = writes;
  return false;
}

bool Shadow::reportUnordered(const Access &other, const Accessor &accessor,
                             bool writes) {
  report(Finding::Kind::Unordered, other, writes);
  if (causality->isThread(other.agent))
    found.other.lanes = unorderedLanes(other, accessor);
  return false;
}

/// Checks an access against the last write.
bool Shadow::checkWrite(const Cell &cell, const Accessor &accessor) {
  const Access &write = cell.write;
  if (!write.moment || (write.isStrong && accessor.access.isStrong))
    return true;
  if (!isOrdered(write, accessor))
    return reportUnordered(write, accessor, true);
  return isFenced(write, accessor) ||
         report(Finding::Kind::Unfenced, write, true);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool Shadow::readCell(Cell &cell, const Accessor &accessor) {
  if (!cell.write.moment && rules.reportsUnwritten)
    return report(Finding::Kind::Unwritten, {}, false);
  if (!checkWrite(cell, accessor))
    return false;
  const Access &access = accessor.access;
  // A read that lies before this one needs no place of its own: who comes after
  // this one comes after it.
  auto takes = [&](Access &read) {
    if (read.moment == access.moment && read.agent == access.agent &&
        read.isStrong == access.isStrong)
      read.lanes |= access.lanes;
    else if (!read.moment ||
             (isOrdered(read, accessor) && read.isStrong >= access.isStrong))
      read = access;
    else
      return false;
    return true;
  };
  if (takes(cell.reads[0]) || takes(cell.reads[1]))
    return true;
  if (!cell.more) {
    lists.emplace_back();
    cell.more = uint32_t(lists.size());
  }
  std::vector<Access> &more = lists[cell.more - 1];
  if (!std::any_of(more.begin(), more.end(), takes))
    more.push_back(access);
  return true;
}

bool Shadow::writeCell(Cell &cell, const Accessor &accessor) {
  if (!(accessor.repeatsValue && isSameStore(cell.write, accessor)) &&
      !checkWrite(cell, accessor))
    return false;
  auto check = [&](const Access &read) {
    if (!read.moment || (read.isStrong && accessor.access.isStrong))
      return true;
    if (!isOrdered(read, accessor))
      return reportUnordered(read, accessor, false);
    return !rules.readsNeedFences || !causality->isThread(read.agent) ||
           isFenced(read, accessor) ||
           report(Finding::Kind::Unfenced, read, false);
  };
  if (!check(cell.reads[0]) || !check(cell.reads[1]))
    return false;
  if (cell.more) {
    std::vector<Access> &more = lists[cell.more - 1];
    if (!std::all_of(more.begin(), more.end(), check))
      return false;
    more.clear();
  }
  cell.write = accessor.access;
  cell.reads[0] = cell.reads[1] = {};
  return true;
}

Finding Shadow::read(uint64_t address, uint64_t bytes,
                     const Accessor &accessor) {
  return forEachCell(address, bytes,
                     [&](Cell &cell) { return readCell(cell, accessor); });
}

Finding Shadow::write(uint64_t address, uint64_t bytes,
                      const Accessor &accessor) {
  return forEachCell(address, bytes,
                     [&](Cell &cell) { return writeCell(cell, accessor); });
}
