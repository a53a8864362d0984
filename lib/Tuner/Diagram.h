//===- Diagram.h - The points of dependent parameters ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the parameters of one component and the constraints that join them. Out:
// a decision diagram, whose paths from the root to the end are exactly the
// combinations that keep every constraint. Each level chooses the value of a
// parameter, or the item at one position of a permutation. Partial choices of
// which the constraints see the same are one node from the beginning, so
// neither leaves nor permutations are ever listed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_DIAGRAM_H
#define HEDDLE_LIB_TUNER_DIAGRAM_H

#include "Expression.h"

#include "heddle/Tuner/Random.h"

namespace heddle::tuner {

class Diagram {
public:
  struct Level {
    int parameter;
    int position; ///< of a permutation; -1 else
  };
  struct Edge {
    int32_t choice; ///< a word, an item; -1 for kInactive
    uint32_t target;
  };
  struct Node {
    uint32_t firstEdge = 0, lastEdge = 0;
    Count count = 0; ///< of paths to the end
  };

  std::vector<Level> levels;
  std::vector<Node> nodes; ///< the root is the first, the end the last
  std::vector<Edge> edges; ///< of one node: ascending choices

  /// 0 if nothing keeps the constraints.
  Count count() const { return nodes.empty() ? 0 : nodes.front().count; }
  bool contains(const Point &point) const;
  /// Writes the words of this component, each of its points as likely.
  void draw(Random &random, Point &point) const;
  /// `choose(n)` is which of the n choices that lead on is taken, at each
  /// level.
  void follow(llvm::function_ref<uint64_t(uint64_t)> choose,
              Point &point) const;
  /// The path with this number, in ascending order of choices.
  void at(Count index, Point &point) const;
  /// How many nodes choose at the widest level.
  size_t width() const;

  /// To be called once all is there, before many draws: lists the paths where
  /// they are few.
  void prepare();

private:
  template <typename Number> void walk(Number index, Point &point) const;
  int32_t choiceOf(const Level &level, const Point &point) const;
  void choose(const Level &level, int32_t choice, Point &point) const;

  std::optional<Choices> paths; ///< where 64 bits count them
  // Where paths are few: their parameters, and the words of one after the
  // other.
  std::vector<int> listedParameters;
  std::vector<Word> listed;
};

/// What a diagram is built of.
struct DiagramInput {
  const std::vector<Domain> *domains;
  std::vector<int> parameters;                 ///< of the component
  std::vector<const Expression *> constraints; ///< that mention these alone
  /// Words that a parameter is held to, by parameter; kInactive - 1 if free.
  const std::vector<Word> *fixed;
  /// Choices that may be tried, and that were, added up.
  size_t mostTries = size_t(1) << 25;
  size_t *tries = nullptr;
};
inline constexpr Word kFree = kInactive - 1;

/// Returns "", or why the diagram cannot be built within its limits.
std::string buildDiagram(const DiagramInput &input, Diagram &diagram);

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_DIAGRAM_H
