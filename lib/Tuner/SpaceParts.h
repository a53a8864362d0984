//===- SpaceParts.h - What a space is made of --------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by what builds a space, what draws from it, and what explains why it
// has no points.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_SPACEPARTS_H
#define HEDDLE_LIB_TUNER_SPACEPARTS_H

#include "Diagram.h"

#include "heddle/Tuner/Space.h"

namespace heddle::tuner {

struct Space::Parts {
  struct Free {
    int parameter;
    bool isPlain;  ///< each of its words may be drawn, and nothing else
    Choices words; ///< 1 where words are none
  };

  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  std::vector<Word> fixed; ///< kFree, or the value that a parameter is held to

  Texts texts;
  std::vector<Domain> domains;
  std::vector<Expression> expressions; ///< of each constraint
  /// Of each parameter: when it is active. Empty if always.
  std::vector<Expression> activity;
  std::vector<Component> components;
  std::vector<Diagram> diagrams; ///< of the components that need one
  std::vector<int> diagramOf;    ///< of each parameter; -1 for none
  std::vector<Free> freeOnes;    ///< parameters outside all diagrams
  std::vector<int> onReals;      ///< constraints that name a real
  bool hasFreeActivity = false;  ///< whether a free one is active by others
};

enum class Conflict {
  Smallest,    ///< no smaller set leaves nothing
  Irreducible, ///< none of the set can be left out
  Some,        ///< it took too long to find out
};

/// Few of `candidates`, constraints of one component, of which no point keeps
/// all, beside `always`.
std::vector<int> findConflict(const DiagramInput &component,
                              llvm::ArrayRef<const Expression *> always,
                              llvm::ArrayRef<const Expression *> candidates,
                              Conflict &verdict);

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_SPACEPARTS_H
