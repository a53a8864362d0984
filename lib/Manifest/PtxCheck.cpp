//===- PtxCheck.cpp - Does a manifest fit its PTX? ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A manifest comes from a file. Where it belongs to other PTX, or somebody has
// changed it, a launch would pass wrong parameters and TMA would write beyond
// its slots. So whatever both texts say is compared before anything is
// launched. Facts that the PTX does not show plainly are not asked for.
//
//===----------------------------------------------------------------------===//

#include "heddle/Manifest/PtxCheck.h"

#include "Lookup.h"
#include "PtxFacts.h"

#include <algorithm>

using namespace heddle::manifest;

namespace {

class Checker {
public:
  Checker(const Manifest &manifest, const Variant &variant,
          const PtxEntry &entry, std::string path, std::string &error)
      : manifest(manifest), variant(variant), entry(entry),
        path(std::move(path)), error(error) {}

  bool checkSignature();
  bool checkBounds();
  bool checkFacts(const PtxFacts &facts);

private:
  bool fail(const std::string &field, const std::string &text) {
    error = path + field + ": " + text;
    return false;
  }
  bool checkParam(size_t index);
  bool checkBarriers(const PtxFacts &facts);
  bool checkCopy(const PtxTensorCopy &copy);
  bool checkAnnouncement(const PtxFacts &facts,
                         const PtxAnnouncement &announcement);
  bool checkStores(const PtxFacts &facts);
  bool checkAccesses(const PtxFacts &facts);
  int64_t boxBytes(int param) const;
  const Argument &argumentOf(const Param &param) const {
    return argumentAt(manifest, argumentIndex(manifest, param.argument));
  }

  const Manifest &manifest;
  const Variant &variant;
  const PtxEntry &entry;
  std::string path;
  std::string &error;
};

std::string number(int64_t value) { return std::to_string(value); }

std::string indexed(const std::string &list, size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

bool isFloat(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16 ||
         type == ElementType::F32 || type == ElementType::F64;
}

/// The scratch of an instruction that both texts agree on.
const char *word(Param::Kind kind) {
  switch (kind) {
  case Param::Kind::TensorMap:
    return "a tensor map";
  case Param::Kind::Pointer:
    return "a pointer";
  case Param::Kind::Dim:
    return "an extent";
  case Param::Kind::Stride:
    return "a stride";
  case Param::Kind::Scalar:
    return "a scalar";
  case Param::Kind::TrapRecord:
    return "a trap record";
  }
  return "";
}

} // namespace

bool Checker::checkParam(size_t index) {
  const Param &param = variant.params[index];
  const PtxParam &declared = entry.params[index];
  int64_t bytes = 8, alignment = 1;
  bool isFloatingPoint = false;
  if (param.kind == Param::Kind::TensorMap) {
    bytes = 128;
    alignment = 64;
  } else if (param.kind == Param::Kind::Dim) {
    bytes = 4;
  } else if (param.kind == Param::Kind::Scalar) {
    bytes = elementBytes(argumentOf(param).element);
    isFloatingPoint = isFloat(argumentOf(param).element);
  }
  std::string field = indexed(".params", index);
  std::string what = std::string("is ") + word(param.kind) + " of " +
                     number(bytes) + " bytes, but parameter " +
                     quoted(declared.name) + " of the PTX ";
  if (declared.bytes != bytes)
    return fail(field, what + "has " + number(declared.bytes));
  if (declared.alignment < alignment)
    return fail(field, what + "is aligned to " + number(declared.alignment) +
                           ", not " + number(alignment));
  // "b" says nothing of what the bits are.
  char type = declared.type.empty() ? 'b' : declared.type[0];
  if ((type == 'f' && !isFloatingPoint) ||
      ((type == 'u' || type == 's') && isFloatingPoint && bytes >= 4))
    return fail(field, what + "has type ." + std::string(declared.type));
  return true;
}

bool Checker::checkSignature() {
  if (entry.params.size() != variant.params.size())
    return fail(".params", "has " + number(variant.params.size()) +
                               " parameters, but entry " + quoted(entry.name) +
                               " of the PTX takes " +
                               number(entry.params.size()));
  for (size_t i = 0; i < variant.params.size(); ++i)
    if (!checkParam(i))
      return false;
  return true;
}

bool Checker::checkBounds() {
  auto listed = [](const auto &extents) {
    return number(extents[0]) + "x" + number(extents[1]) + "x" +
           number(extents[2]);
  };
  const auto &required = entry.requiredThreads, &most = entry.mostThreads;
  if (required[0] &&
      (required[0] != variant.threads || required[1] != 1 || required[2] != 1))
    return fail(".threads", "is " + number(variant.threads) + ", but entry " +
                                quoted(entry.name) + " requires " +
                                listed(required) + " (.reqntid)");
  if (most[0] && most[0] * most[1] * most[2] < variant.threads)
    return fail(".threads", "is " + number(variant.threads) + ", but entry " +
                                quoted(entry.name) + " takes at most " +
                                listed(most) + " (.maxntid)");
  const auto &cluster = entry.cluster;
  if (cluster[0] &&
      !std::equal(cluster.begin(), cluster.end(), variant.cluster.begin()))
    return fail(".cluster", "is " + listed(variant.cluster) + ", but entry " +
                                quoted(entry.name) + " requires " +
                                listed(cluster) + " (.reqnctapercluster)");
  return true;
}

int64_t Checker::boxBytes(int param) const {
  int64_t bytes = elementBytes(argumentOf(variant.params[param]).element);
  const TensorMapRecipe &recipe = variant.params[param].tensorMap;
  for (size_t i = 0; i < recipe.box.size(); ++i) {
    int64_t step = recipe.steps.empty() || recipe.im2col ? 1 : recipe.steps[i];
    bytes *= (recipe.box[i] + step - 1) / step;
  }
  return recipe.im2col ? bytes * recipe.im2col->pixels : bytes;
}

bool Checker::checkCopy(const PtxTensorCopy &copy) {
  if (copy.param < 0)
    return true;
  const Param &param = variant.params[copy.param];
  std::string field = indexed(".params", copy.param);
  const char *does = copy.isLoad ? " loads" : " stores";
  if (param.kind != Param::Kind::TensorMap)
    return fail(field, std::string("is ") + word(param.kind) + ", but the PTX" +
                           does + " by it as a tensor map");
  int rank = argumentOf(param).rank;
  if (copy.isIm2col != param.tensorMap.im2col.has_value())
    return fail(
        field,
        std::string("is a tensor map ") +
            (copy.isIm2col ? "in tiled mode, but the PTX loads "
                             "by it in im2col mode"
                           : "in im2col mode, but the PTX") +
            (copy.isIm2col ? "" : std::string(does) + " by it in tiled mode"));
  if (rank != copy.rank)
    return fail(field + ".box", "has " + number(rank) + " axes, but the PTX" +
                                    does + " boxes of " + number(copy.rank));
  if (!copy.isLoad && !argumentOf(param).written)
    return fail(field, "the PTX stores to view " + quoted(param.argument) +
                           ", which the manifest does not say is written");
  int64_t end = std::max<int64_t>(copy.sharedOffset, 0) + boxBytes(copy.param);
  if (end > variant.sharedBytes)
    return fail(field + ".box", "a box of " + number(boxBytes(copy.param)) +
                                    " bytes ends at byte " + number(end) +
                                    ", but the variant has " +
                                    number(variant.sharedBytes) +
                                    " bytes of shared memory");
  return true;
}

bool Checker::checkAnnouncement(const PtxFacts &facts,
                                const PtxAnnouncement &announcement) {
  if (announcement.bytes < 0 || announcement.loads.empty())
    return true;
  int64_t sum = 0, largest = 0, alignment = 1;
  int widest = -1;
  for (int load : announcement.loads) {
    int param = facts.copies[load].param;
    if (param < 0)
      return true; // nobody knows how much it brings
    sum += boxBytes(param);
    if (boxBytes(param) > largest) {
      largest = boxBytes(param);
      widest = param;
    }
    int64_t swizzle = variant.params[param].tensorMap.swizzleBytes;
    alignment = std::max(alignment, swizzle ? 8 * swizzle : 128);
  }
  std::string field = indexed(".params", widest) + ".box";
  if (largest > announcement.bytes)
    return fail(field, "a box has " + number(largest) +
                           " bytes, but the PTX expects " +
                           number(announcement.bytes) +
                           " in the slot that it is loaded to");
  if (announcement.isStraight &&
      (sum > announcement.bytes ||
       (sum < announcement.bytes && facts.knowsLoads)))
    return fail(field, "the boxes loaded to one slot have " + number(sum) +
                           " bytes, but the PTX expects " +
                           number(announcement.bytes));
  bool fits =
      variant.rings.empty() ||
      std::any_of(variant.rings.begin(), variant.rings.end(),
                  [&](const Ring &ring) {
                    return ring.slotBytes >= announcement.bytes &&
                           ring.offset % alignment == 0 &&
                           (ring.depth == 1 || ring.slotBytes % alignment == 0);
                  });
  if (!fits)
    return fail(".rings", "the PTX loads " + number(announcement.bytes) +
                              " bytes to a slot, but no ring has slots of that "
                              "size at multiples of " +
                              number(alignment) +
                              " bytes, as the swizzle asks");
  return true;
}

bool Checker::checkBarriers(const PtxFacts &facts) {
  if (!facts.knowsBarriers)
    return true;
  for (size_t i = 0; i < variant.rings.size(); ++i) {
    const Ring &ring = variant.rings[i];
    for (bool isFull : {true, false}) {
      int64_t first = isFull ? ring.fullBarrier : ring.emptyBarrier;
      int arrivals = isFull ? ring.fullArrivals : ring.emptyArrivals;
      std::string field =
          indexed(".rings", i) + (isFull ? ".full_" : ".empty_");
      for (int slot = 0; slot < ring.depth; ++slot) {
        auto found = facts.barriers.find(first + 8 * slot);
        if (found == facts.barriers.end())
          return fail(field + "barrier",
                      "the PTX initialises no mbarrier at byte " +
                          number(first + 8 * slot) + ", slot " + number(slot));
        if (found->second >= 0 && found->second != arrivals)
          return fail(field + "arrivals",
                      "is " + number(arrivals) +
                          ", but the PTX initialises the mbarrier at byte " +
                          number(first + 8 * slot) + " for " +
                          number(found->second));
      }
    }
  }
  return true;
}

/// Views that nobody knows to be written may be read-only memory, or lie twice
/// in one place.
bool Checker::checkStores(const PtxFacts &facts) {
  if (!facts.writesGlobal)
    return true;
  for (const Param &param : variant.params)
    if (param.kind == Param::Kind::TrapRecord ||
        // An integer of 64 bits may be an address.
        (param.kind == Param::Kind::Scalar &&
         argumentOf(param).element == ElementType::I64) ||
        (param.kind == Param::Kind::Pointer && argumentOf(param).written))
      return true;
  return fail(".params", "the PTX stores to memory, but no pointer among the "
                         "parameters is that of an argument that is written");
}

/// A vector of several elements must lie wholly inside or outside of a row.
bool Checker::checkAccesses(const PtxFacts &facts) {
  int64_t element = 8; // as large as any
  if (facts.widestAccess <= element)
    return true;
  auto isOfMemory = [&](const Precondition &condition) {
    if (condition.kind == Precondition::Kind::Rows)
      return true;
    return condition.kind == Precondition::Kind::Aligned &&
           argumentAt(manifest, argumentIndex(manifest, condition.view)).kind !=
               Argument::Kind::Scalar;
  };
  for (const Precondition &condition : variant.requires_)
    if (isOfMemory(condition) && condition.bytes % facts.widestAccess == 0)
      return true;
  return fail(".requires", "the PTX accesses " + number(facts.widestAccess) +
                               " bytes of memory at once, but no argument is "
                               "required to have rows of whole such pieces");
}

bool Checker::checkFacts(const PtxFacts &facts) {
  if (facts.mostSharedOffset >= variant.sharedBytes)
    return fail(".shared_bytes", "is " + number(variant.sharedBytes) +
                                     ", but the PTX accesses byte " +
                                     number(facts.mostSharedOffset) +
                                     " of dynamic shared memory");
  for (const PtxTensorCopy &copy : facts.copies)
    if (!checkCopy(copy))
      return false;
  for (const PtxAnnouncement &announcement : facts.announcements)
    if (!checkAnnouncement(facts, announcement))
      return false;
  return checkBarriers(facts) && checkStores(facts) && checkAccesses(facts);
}

bool heddle::manifest::checkPtx(const Manifest &manifest, std::string_view ptx,
                                std::string &error) {
  // A cubin, a fat binary or anything else that is no text.
  if (ptx.substr(0, 4096).find('\0') != ptx.npos)
    return true;
  PtxEntries read;
  if (!readPtxEntries(ptx, read, error))
    return false;
  if (!read.target.empty() && read.target != manifest.target) {
    error = "target: is " + quoted(manifest.target) + ", but the PTX is for " +
            quoted(read.target);
    return false;
  }
  for (size_t i = 0; i < manifest.variants.size(); ++i) {
    const Variant &variant = manifest.variants[i];
    std::string path = indexed("variants", i);
    auto entry = std::find_if(
        read.entries.begin(), read.entries.end(),
        [&](const PtxEntry &entry) { return entry.name == variant.entry; });
    if (entry == read.entries.end()) {
      error = path + ".entry: the PTX has no entry " + quoted(variant.entry) +
              "; PTX and manifest do not belong together";
      return false;
    }
    Checker checker(manifest, variant, *entry, path, error);
    if (!checker.checkSignature() || !checker.checkBounds() ||
        !checker.checkFacts(readPtxFacts(*entry, read.dynamicShared)))
      return false;
  }
  return true;
}
