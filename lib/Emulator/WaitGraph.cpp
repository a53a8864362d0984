//===- WaitGraph.cpp - Who waits for whom ---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes are the manifest's processes, and warps that belong to none. Somebody
// who waits for an arrival waits for those who may still bring it: by the
// manifest's rings for an mbarrier, by what came there earlier for a named
// barrier, and for everybody where neither says.
//
//===----------------------------------------------------------------------===//

#include "NamedBarriers.h"
#include "Names.h"
#include "Scheduler.h"

#include <algorithm>

using namespace heddle::emulator;
using namespace heddle;

namespace {
using WarpMask = uint32_t;

struct Node {
  std::string name;
  WarpMask warps = 0;
  bool hasExited = true;
};

struct Edge {
  size_t from = 0, to = 0;
  std::string reason;
};

class WaitGraph {
public:
  explicit WaitGraph(const Cta &cta);
  std::string describe() const;

private:
  void addWait(size_t from, const Warp &warp, const Group &group);
  void addEdges(size_t from, WarpMask missing, const std::string &reason);
  WarpMask missingAt(const Mbarrier &barrier) const;
  std::vector<const Edge *> shortestCycle() const;
  std::vector<const Edge *> pathBack(size_t start) const;

  const Cta &cta;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};
} // namespace

WaitGraph::WaitGraph(const Cta &cta) : cta(cta) {
  WarpMask named = 0;
  for (const manifest::Process &process : cta.launch.variant.processes) {
    Node node{"'" + process.name + "'"};
    for (int w = 0; w < process.warpCount && process.firstWarp + w < 32; ++w)
      node.warps |= WarpMask(1) << (process.firstWarp + w);
    named |= node.warps;
    nodes.push_back(node);
  }
  for (const Warp &warp : cta.warps)
    if (!(named >> warp.number & 1))
      nodes.push_back(
          {"warp " + std::to_string(warp.number), WarpMask(1) << warp.number});
  for (size_t n = 0; n < nodes.size(); ++n)
    for (const Warp &warp : cta.warps)
      if (nodes[n].warps >> warp.number & 1) {
        nodes[n].hasExited &= warp.isDone();
        for (const Group &group : warp.groups)
          addWait(n, warp, group);
      }
}

/// Warps that may bring what the phase misses. Of an incomplete phase these are
/// the processes that have not arrived at all, if there are such.
WarpMask WaitGraph::missingAt(const Mbarrier &barrier) const {
  WarpMask allowed = barrier.arrivingWarps, missing = 0;
  for (const Node &node : nodes)
    if ((node.warps & allowed) && !(node.warps & barrier.arrivedWarps))
      missing |= node.warps & allowed;
  return missing && barrier.pending ? missing : allowed;
}

void WaitGraph::addWait(size_t from, const Warp &warp, const Group &group) {
  const Wait &wait = group.wait;
  WarpMask self = WarpMask(1) << warp.number;
  if (wait.kind == Wait::Kind::Mbarrier || wait.kind == Wait::Kind::Mbarriers) {
    const Mbarrier *barrier =
        const_cast<SharedMemory &>(cta.shared).findBarrier(wait.address);
    if (!barrier)
      return;
    std::string reason = nameBarrier(cta.launch, wait.address);
    reason = reason.substr(0, reason.find(" ("));
    if (findRingBarrier(cta.launch, wait.address).ring)
      reason += ", turn " + std::to_string(barrier->phase);
    addEdges(from, missingAt(*barrier) & ~self, reason);
  } else if (wait.kind == Wait::Kind::NamedBarrier) {
    const NamedBarrier &barrier = cta.barriers[wait.id];
    WarpMask known = barrier.formerWarps | barrier.warps;
    // With nobody but those who are there, anybody may be meant.
    WarpMask missing = known & ~barrier.warps;
    addEdges(from, (missing ? missing : ~barrier.warps) & ~self,
             wait.id == kClusterBarrier
                 ? "the cluster's barrier"
                 : "named barrier " + std::to_string(wait.id));
  } else if (wait.kind == Wait::Kind::Wgmma) {
    const WgmmaQueue &queue = cta.wgmmas[warp.number / 4];
    WarpMask missing = 0;
    for (const Warp &other : cta.warps)
      if (other.number / 4 == warp.number / 4 &&
          other.wgmmaIssued <= queue.executed)
        missing |= WarpMask(1) << other.number;
    addEdges(from, missing, "a wgmma of all four warps");
  }
}

void WaitGraph::addEdges(size_t from, WarpMask missing,
                         const std::string &reason) {
  for (size_t to = 0; to < nodes.size(); ++to) {
    // Parts of one process may wait for each other.
    bool isKnown = std::any_of(edges.begin(), edges.end(), [&](const Edge &e) {
      return e.from == from && e.to == to && e.reason == reason;
    });
    if ((nodes[to].warps & missing) && !isKnown)
      edges.push_back({from, to, reason});
  }
}

/// The shortest way from `start` back to it; empty if there is none.
std::vector<const Edge *> WaitGraph::pathBack(size_t start) const {
  std::vector<const Edge *> reachedBy(nodes.size(), nullptr);
  std::vector<size_t> order = {start};
  for (size_t i = 0; i < order.size(); ++i)
    for (const Edge &edge : edges) {
      if (edge.from != order[i] || nodes[edge.to].hasExited ||
          reachedBy[edge.to])
        continue;
      reachedBy[edge.to] = &edge;
      if (edge.to != start) {
        order.push_back(edge.to);
        continue;
      }
      std::vector<const Edge *> path;
      size_t at = start;
      do {
        path.insert(path.begin(), reachedBy[at]);
        at = path.front()->from;
      } while (at != start);
      return path;
    }
  return {};
}

std::vector<const Edge *> WaitGraph::shortestCycle() const {
  std::vector<const Edge *> best;
  for (size_t start = 0; start < nodes.size(); ++start) {
    auto path = pathBack(start);
    if (!path.empty() && (best.empty() || path.size() < best.size()))
      best = path;
  }
  return best;
}

std::string WaitGraph::describe() const {
  std::string text;
  // Who waits for somebody who is gone will wait forever, whatever else.
  for (const Edge &edge : edges) {
    bool allGone = std::all_of(edges.begin(), edges.end(), [&](const Edge &e) {
      return e.from != edge.from || e.reason != edge.reason ||
             nodes[e.to].hasExited;
    });
    if (allGone)
      text += "\n  " + nodes[edge.from].name + " waits for " +
              nodes[edge.to].name + ", which has exited (" + edge.reason + ")";
  }
  auto cycle = shortestCycle();
  if (!text.empty() || cycle.empty())
    return text;
  text = "\n  cycle: " + nodes[cycle[0]->from].name;
  for (const Edge *edge : cycle)
    text += " waits for " +
            (edge->to == edge->from ? "itself" : nodes[edge->to].name) + " (" +
            edge->reason + ")" + (edge == cycle.back() ? "" : ", which");
  return text;
}

std::string heddle::emulator::describeWaitGraph(const Cta &cta) {
  return WaitGraph(cta).describe();
}
