//===- Primitives.h - The process of each primitive -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over the tokens of rings, one for each kind of primitive. Filling a
// slot occupies the process for what the machine says that a token takes, and
// so does a token that fills none.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_FLOWTOAREF_PRIMITIVES_H
#define HEDDLE_LIB_CONVERSION_FLOWTOAREF_PRIMITIVES_H

#include "ProcessText.h"

#include "mlir/IR/Block.h"

#include <functional>

namespace heddle {

/// The rings that a process fills, all at the same time or one of them. A ring
/// without a reader is left out.
class Outputs {
public:
  explicit Outputs(std::vector<RingText> rings) : rings(std::move(rings)) {}

  std::vector<std::string> types() const;
  Names firstTurns(ProcessText &text) const;
  /// A token on each ring at the same time. The process is busy for the cycles
  /// of `tokens` tokens, 0 or 1.
  struct Value {
    Name number, code;
  };
  Names emit(ProcessText &text, const Names &turns,
             const std::vector<Value> &values, int64_t tokens) const;
  /// The same on one ring; `turns` of all.
  Names emitOne(ProcessText &text, Names turns, size_t ring, const Value &value,
                int64_t tokens) const;
  /// The same if `when`.
  Names emitOneIf(ProcessText &text, const Name &when, Names turns, size_t ring,
                  const Value &value) const;
  /// A stop on all.
  Names emitStop(ProcessText &text, const Names &turns, const Name &code,
                 int64_t tokens) const;
  void close(ProcessText &text, const Names &turns) const;
  size_t size() const { return rings.size(); }

private:
  /// Of a ring, among those that are there.
  size_t placeOf(size_t ring) const;

  std::vector<RingText> rings;
};

/// A level of a tensor: a dense one has an extent, an i64; another one views.
struct LevelText {
  Name extent, positions, coordinates;
  bool isDense() const { return !extent.empty(); }
};

void writeRoot(ProcessText &text, const Outputs &out);
void writeScan(ProcessText &text, const RingText &refs, const LevelText &level,
               const Outputs &out);
void writeRepeat(ProcessText &text, const RingText &stream, const RingText &crd,
                 const Outputs &out);

/// One of the streams that meet, with what it carries.
struct Joined {
  RingText crd;
  std::vector<RingText> carried;
};
void writeJoin(ProcessText &text, bool isIntersection,
               const std::vector<Joined> &inputs, const Outputs &out);

/// What becomes of tokens that are read side by side.
using MapTokens =
    std::function<Outputs::Value(ProcessText &, const std::vector<Head> &)>;
void writeMap(ProcessText &text, const std::vector<RingText> &inputs,
              const Outputs &out, const MapTokens &map);

/// What a region of scalars yields of `values`; empty if it holds something
/// that is not scalar arithmetic.
Name writeScalars(ProcessText &text, mlir::Block &block, const Names &values);

/// Combines two numbers.
using Combine = std::function<Name(ProcessText &, const Name &, const Name &)>;
/// `empty` is the number of a fiber that has no value; "" if it has none.
void writeReduce(ProcessText &text, const RingText &values, const RingText &per,
                 const Outputs &out, const Combine &combine, const Name &empty);

/// What is done with the tokens of a chain of streams, each one space deeper
/// than the one before, with values beside the deepest. State goes through
/// both, as values of these types.
struct ChainWalk {
  std::vector<RingText> crds;
  RingText values;
  std::vector<std::string> types;
  Names initial;
  std::function<Names(const Names &coordinates, const Head &value,
                      const Names &state)>
      onValue;
  std::function<Names(const Name &code, const Names &state)> onStop;
};
Names walkChain(ProcessText &text, const ChainWalk &walk);

struct WorkspaceText {
  Names extents;   ///< of the keys, i64
  Name sums, bits; ///< views
};
/// `out` has the sums, then the keys.
void writeWorkspace(ProcessText &text, const std::vector<RingText> &keys,
                    const RingText &values, const WorkspaceText &workspace,
                    const Outputs &out, const Combine &combine);

/// Deals the tokens of a ring out, `chunk` after one another to each of `out`.
void writeFork(ProcessText &text, const RingText &stream, int64_t chunk,
               const Outputs &out);
/// Brings together what lies `depth` spaces below the coordinates `per`, which
/// were dealt out.
void writeCollect(ProcessText &text, const std::vector<RingText> &shares,
                  const RingText &per, int64_t depth, int64_t chunk,
                  const Outputs &out);

struct WrittenText {
  Names coordinates; ///< views, by stream
  Name values, count;
};
void writeElements(ProcessText &text, const std::vector<RingText> &crds,
                   const RingText &values, const WrittenText &written);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_FLOWTOAREF_PRIMITIVES_H
