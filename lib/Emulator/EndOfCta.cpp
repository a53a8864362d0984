//===- EndOfCta.cpp - What a CTA must have waited for ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EndOfCta.h"

#include "Cluster.h"
#include "ExecContext.h"
#include "MbarrierOps.h"
#include "Names.h"

#include <algorithm>

using namespace heddle::emulator;

static std::string bytesAt(Cta &cta, uint64_t bytes, uint64_t address,
                           bool isWrite) {
  return std::to_string(bytes) + " bytes at shared address " +
         hexadecimal(address) + nameSlot(cta, address, isWrite);
}

//===----------------------------------------------------------------------===//
// Loads, and the barriers that they signal
//===----------------------------------------------------------------------===//

static bool failLoad(Cta &cta, const Delivery &load, const Mbarrier *barrier) {
  // Once its phase is over, the values of its turn are in the slot.
  bool isPending = !barrier || load.moment == barrier->deliveryMoment();
  std::string text = "the CTA ends while this " + std::string(load.what) +
                     " may still write " +
                     bytesAt(cta, load.bytes, load.address, isPending);
  if (barrier)
    text += "; nobody has waited for " +
            nameBarrier(cta.launch, barrier->address) + ", phase " +
            std::to_string(load.moment - barrier->earlier - 1);
  cta.fail(*load.in, *load.warp, load.lane, text);
  return false;
}

/// A load that is still in a queue and concerns the CTA.
static const BulkCopy *findQueuedLoad(const Cta &cta, const Cta &issuer) {
  for (const BulkCopy &load : issuer.bulk.loads) {
    bool readsHere =
        load.kind == BulkCopy::Kind::SharedToShared && &issuer == &cta;
    if (load.bytes && ((load.targets >> cta.rank & 1) || readsHere))
      return &load;
  }
  return nullptr;
}

static bool checkQueuedLoads(Cta &cta) {
  size_t ctas = cta.cluster ? cta.cluster->size() : 1;
  for (size_t rank = 0; rank < ctas; ++rank) {
    Cta &issuer = cta.cluster ? cta.cluster->at(rank) : cta;
    const BulkCopy *load = findQueuedLoad(cta, issuer);
    if (!load)
      continue;
    if (!(load->targets >> cta.rank & 1)) {
      cta.fail(*load->in, issuer.warps[load->warp], load->lane,
               "the CTA ends while this bulk copy may still read " +
                   bytesAt(cta, load->bytes, load->globalAddress, false));
      return false;
    }
    const Mbarrier *barrier = cta.shared.findBarrier(load->barrier);
    // Its phase may have ended without it, which says more.
    if (barrier && &issuer == &cta && load->moment < barrier->deliveryMoment())
      return completeBytes(cta, *load->in, issuer.warps[load->warp], load->lane,
                           load->barrier, int64_t(load->bytes), load->moment);
    Delivery delivery{load->in,
                      &issuer.warps[load->warp],
                      load->lane,
                      "bulk load",
                      load->sharedAddress,
                      load->bytes,
                      barrier ? barrier->deliveryMoment() : 0};
    return failLoad(cta, delivery, barrier);
  }
  return true;
}

static std::string describeAnnounced(Cta &cta, const Mbarrier &barrier) {
  return "phase " + std::to_string(barrier.phase) + " of " +
         nameBarrier(cta.launch, barrier.address) + " still expects " +
         std::to_string(barrier.bytes) + " bytes";
}

static bool checkBarriers(Cta &cta) {
  for (const Mbarrier &barrier : cta.shared.barriers()) {
    if (cta.shared.findBarrier(barrier.address) != &barrier)
      continue; // invalidated, and checked then
    if (barrier.delivery.moment > barrier.observed)
      return failLoad(cta, barrier.delivery, &barrier);
    if (barrier.bytes > 0) {
      const Announcer &by = barrier.announcer;
      cta.fail(*by.in, *by.warp, by.lane,
               "the CTA ends while " + describeAnnounced(cta, barrier));
      return false;
    }
  }
  return true;
}

bool heddle::emulator::checkEndOfBarrier(Cta &cta, const Instruction &in,
                                         const Warp &warp, int lane,
                                         const Mbarrier &barrier) {
  auto fail = [&](const std::string &what) {
    cta.fail(in, warp, lane,
             "invalidates " + nameBarrier(cta.launch, barrier.address) +
                 " while " + what);
    return false;
  };
  size_t ctas = cta.cluster ? cta.cluster->size() : 1;
  for (size_t rank = 0; rank < ctas; ++rank) {
    const Cta &issuer = cta.cluster ? cta.cluster->at(rank) : cta;
    for (const BulkCopy &load : issuer.bulk.loads)
      if (load.barrier == barrier.address && (load.targets >> cta.rank & 1))
        return fail("a bulk load may still signal it");
  }
  for (const AsyncCopy &copy : cta.copies.copies)
    if (copy.isArrival && copy.sharedAddress == barrier.address)
      return fail("a cp.async may still arrive on it");
  if (barrier.delivery.moment > barrier.observed)
    return fail("a " + std::string(barrier.delivery.what) +
                " may still signal it");
  if (barrier.bytes > 0)
    return fail("its " + describeAnnounced(cta, barrier));
  return true;
}

//===----------------------------------------------------------------------===//
// What threads wait for themselves
//===----------------------------------------------------------------------===//

/// Stores may still be writing global memory when the threads are gone, but not
/// reading.
static bool checkStores(Cta &cta) {
  for (uint32_t thread = 0; thread < cta.bulk.lastStore.size(); ++thread) {
    const BulkQueue::LastStore &last = cta.bulk.lastStore[thread];
    if (!last.in || cta.bulk.waitedRead[thread] >= last.groups)
      continue;
    bool isCommitted = cta.bulk.committed[thread] >= last.groups;
    cta.fail(*last.in, cta.warps[thread / kLanes], int(thread % kLanes),
             "the CTA ends while this bulk store may still read " +
                 bytesAt(cta, last.bytes, last.address, false) + "; " +
                 (isCommitted ? "" : "cp.async.bulk.commit_group and ") +
                 "wait_group.read is missing before the exit");
    return false;
  }
  return true;
}

static bool checkCopies(Cta &cta) {
  CopyQueue &copies = cta.copies;
  for (uint32_t thread = 0; thread < copies.issued.size(); ++thread) {
    copies.settle(cta.shared, thread);
    if (copies.finished[thread] >= copies.issued[thread])
      continue;
    const CopyQueue::Issue &last = copies.last[thread];
    cta.fail(*last.in, cta.warps[thread / kLanes], int(thread % kLanes),
             "the CTA ends while this cp.async may still write " +
                 bytesAt(cta, last.bytes, last.address, true) +
                 "; cp.async.wait_group, or a wait for the mbarrier that it "
                 "arrives on, is missing before the exit");
    return false;
  }
  return true;
}

static bool checkProducts(Cta &cta) {
  for (const Warp &warp : cta.warps)
    if (warp.wgmmaRetired != warp.wgmmaIssued) {
      const WgmmaQueue &queue = cta.wgmmas[warp.number / 4];
      cta.fail(*queue.ops[warp.wgmmaRetired - queue.first].in, warp, 0,
               "the warp exits while this wgmma may still run; "
               "wgmma.wait_group is missing before the exit");
      return false;
    }
  return true;
}

bool heddle::emulator::checkEnd(Cta &cta) {
  return checkQueuedLoads(cta) && checkBarriers(cta) && checkStores(cta) &&
         checkCopies(cta) && checkProducts(cta);
}
