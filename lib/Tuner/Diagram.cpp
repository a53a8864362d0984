//===- Diagram.cpp - The points of dependent parameters -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagram.h"

#include <algorithm>

using namespace heddle::tuner;

/// Their words are listed, a few pages of memory.
static constexpr Count kFewPaths = 1024;

int32_t Diagram::choiceOf(const Level &level, const Point &point) const {
  Word word = point[size_t(level.parameter)];
  if (word == kInactive || level.position < 0)
    return int32_t(word);
  return itemAt(word, level.position);
}

void Diagram::choose(const Level &level, int32_t choice, Point &point) const {
  Word &word = point[size_t(level.parameter)];
  if (choice < 0 || level.position < 0)
    word = choice;
  else
    word = withItem(level.position == 0 ? 0 : word, level.position, choice);
}

bool Diagram::contains(const Point &point) const {
  if (nodes.empty())
    return false;
  uint32_t at = 0;
  for (const Level &level : levels) {
    int32_t choice = choiceOf(level, point);
    const Edge *first = edges.data() + nodes[at].firstEdge;
    const Edge *last = edges.data() + nodes[at].lastEdge;
    if (first == last)
      return false;
    // Mostly choices follow one another.
    uint32_t apart = uint32_t(choice) - uint32_t(first->choice);
    if (apart >= last - first || first[apart].choice != choice) {
      auto isBefore = [](const Edge &edge, int32_t wanted) {
        return edge.choice < wanted;
      };
      first = std::lower_bound(first, last, choice, isBefore);
      if (first == last || first->choice != choice)
        return false;
      apart = 0;
    }
    at = first[apart].target;
  }
  return true;
}

template <typename Number>
void Diagram::walk(Number index, Point &point) const {
  const Node *at = nodes.data();
  for (const Level &level : levels) {
    const Edge *edge = edges.data() + at->firstEdge;
    for (;; ++edge) {
      at = nodes.data() + edge->target;
      Number below = Number(at->count);
      if (index < below)
        break;
      index -= below;
    }
    choose(level, edge->choice, point);
  }
}

void Diagram::prepare() {
  if (count() == 0 || count() > UINT64_MAX)
    return;
  paths.emplace(uint64_t(count()));
  if (count() > kFewPaths)
    return;
  for (const Level &level : levels)
    if (level.position <= 0)
      listedParameters.push_back(level.parameter);
  Point point;
  for (int parameter : listedParameters)
    point.resize(std::max(point.size(), size_t(parameter) + 1));
  for (uint64_t index = 0; index < count(); ++index) {
    walk(index, point);
    for (int parameter : listedParameters)
      listed.push_back(point[size_t(parameter)]);
  }
}

void Diagram::at(Count index, Point &point) const {
  if (!listed.empty()) {
    const Word *words = listed.data() + index * listedParameters.size();
    for (int parameter : listedParameters)
      point[size_t(parameter)] = *words++;
  } else if (paths) {
    walk(uint64_t(index), point);
  } else {
    walk(index, point);
  }
}

void Diagram::draw(Random &random, Point &point) const {
  at(paths ? random.below(*paths) : random.belowCount(count()), point);
}

void Diagram::follow(llvm::function_ref<uint64_t(uint64_t)> chooseOf,
                     Point &point) const {
  uint32_t at = 0;
  for (const Level &level : levels) {
    const Node &node = nodes[at];
    const Edge &edge =
        edges[node.firstEdge + chooseOf(node.lastEdge - node.firstEdge)];
    choose(level, edge.choice, point);
    at = edge.target;
  }
}

size_t Diagram::width() const {
  std::vector<uint32_t> layer = {0};
  size_t widest = 0;
  for (size_t level = 0; level < levels.size() && !nodes.empty(); ++level) {
    widest = std::max(widest, layer.size());
    std::vector<uint32_t> next;
    for (uint32_t at : layer)
      for (uint32_t k = nodes[at].firstEdge; k < nodes[at].lastEdge; ++k)
        next.push_back(edges[k].target);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    layer = std::move(next);
  }
  return widest;
}
