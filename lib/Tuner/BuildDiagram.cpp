//===- BuildDiagram.cpp - Diagrams from constraints -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Level by level from the root. Of each constraint that is still open, a node
// knows its *residue*: the values of the largest terms that are decided, with
// their places. Nodes with equal residues, and equal items left, have the same
// points below them, so one of them stands for all, with one of their partial
// points. Behind the last level the diagram is pruned and merged once more from
// the end: that finds what residues cannot, two sums that differ and allow the
// same.
//
//===----------------------------------------------------------------------===//

#include "Diagram.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

using namespace heddle::tuner;

// Of one level; beyond, a tuner would take memory that its user needs.
static constexpr size_t kMostEdges = size_t(1) << 21;
static constexpr size_t kMostWords = size_t(1) << 22;
static constexpr Count kMostPoints = Count(1) << 120;

namespace {

using Residue = std::u16string; // any string of numbers that can be hashed

/// Appends what the future of a term depends on.
class ResidueWriter {
public:
  ResidueWriter(const Expression &expression, const std::vector<Known> &known,
                Residue &residue)
      : expression(expression), known(known), residue(residue) {}

  void write(int index) {
    const Term &term = expression.terms[size_t(index)];
    const Known &now = known[size_t(index)];
    if (now.isDecided)
      return number(now.value);
    tag(1);
    bool isJoined =
        term.operation == Operation::And || term.operation == Operation::Or;
    bool isChain = term.operation == Operation::Sum ||
                   term.operation == Operation::Product;
    // What is decided of a conjunction that is open is true.
    Fraction total =
        Fraction::whole(term.operation == Operation::Product ? 1 : 0);
    for (size_t k = 0; k < term.operands.size(); ++k) {
      int operand = term.operands[k];
      const Known &part = known[size_t(operand)];
      if (part.isDecided && isJoined)
        continue;
      if (part.isDecided && isChain && accumulate(term, part.value, total))
        continue;
      tag(int(k) + 2);
      write(operand);
    }
    if (isChain)
      number(total);
    tag(0xffff);
  }

private:
  /// Only what is exact may be added in another order.
  static bool accumulate(const Term &term, const Fraction &value,
                         Fraction &total) {
    Fraction next =
        term.operation == Operation::Sum ? total + value : total * value;
    if (!value.isExact() || !next.isExact())
      return false;
    total = next;
    return true;
  }
  void tag(int value) { residue.push_back(char16_t(value)); }
  void number(const Fraction &value) {
    tag(0);
    for (int64_t part : {value.top, value.bottom})
      for (int shift = 0; shift < 64; shift += 16)
        residue.push_back(char16_t(part >> shift));
  }

  const Expression &expression;
  const std::vector<Known> &known;
  Residue &residue;
};

class Builder {
public:
  Builder(const DiagramInput &input, Diagram &diagram)
      : input(input), domains(*input.domains), diagram(diagram) {}

  ~Builder() {
    if (input.tries)
      *input.tries += tries;
  }

  std::string build() {
    orderLevels();
    residues.resize(input.constraints.size());
    layers.resize(diagram.levels.size() + 1);
    Layer &root = layers[0];
    root.nodes.push_back({0, 0});
    partial.words.assign(domains.size(), 0);
    partial.known.assign(domains.size(), 0);
    frontierWords.assign(1, partial.words);
    std::vector<uint32_t> open(input.constraints.size(), 1);
    // Texts without a parameter, such as "1 > 0".
    for (size_t c = 0; c < input.constraints.size(); ++c)
      if (input.constraints[c]->parameters().empty()) {
        std::vector<Known> scratch;
        if (!input.constraints[c]->holds(domains, partial, scratch))
          return "";
        open[c] = 0;
      }
    frontierOpen.assign(1, open);
    for (size_t level = 0; level < diagram.levels.size(); ++level)
      if (std::string reason = expand(level); !reason.empty())
        return reason;
    return finish();
  }

private:
  struct Layer {
    struct Node {
      uint32_t firstEdge, lastEdge;
    };
    std::vector<Node> nodes;
    std::vector<Diagram::Edge> edges;
  };

  bool isFixed(int parameter) const {
    return (*input.fixed)[size_t(parameter)] != kFree;
  }

  /// How many bits tell a parameter's values apart.
  double bits(int parameter) const {
    const Parameter &chosen = *domains[size_t(parameter)].parameter;
    if (isFixed(parameter))
      return 0;
    if (chosen.kind == Kind::Permutation)
      return chosen.items;
    return std::log2(double(chosen.words()) + chosen.isConditional());
  }

  /// Next comes what keeps least open: the fewest values of parameters that a
  /// later one shares a constraint with.
  void orderLevels() {
    std::vector<std::vector<int>> mentions;
    for (const Expression *constraint : input.constraints)
      mentions.push_back(constraint->parameters());
    std::vector<int> left = input.parameters, chosen;
    while (!left.empty()) {
      size_t best = 0;
      double least = 0;
      for (size_t k = 0; k < left.size(); ++k) {
        double cost = frontier(mentions, chosen, left[k]);
        if (k == 0 || cost < least - 1e-9) {
          best = k;
          least = cost;
        }
      }
      chosen.push_back(left[best]);
      left.erase(left.begin() + long(best));
    }
    for (int parameter : chosen) {
      const Parameter &one = *domains[size_t(parameter)].parameter;
      if (one.kind != Kind::Permutation)
        diagram.levels.push_back({parameter, -1});
      for (int k = 0; k < one.items; ++k)
        diagram.levels.push_back({parameter, k});
    }
  }

  double frontier(const std::vector<std::vector<int>> &mentions,
                  const std::vector<int> &chosen, int next) const {
    auto isChosen = [&](int parameter) {
      return parameter == next || llvm::is_contained(chosen, parameter);
    };
    std::vector<int> open;
    for (const std::vector<int> &mentioned : mentions)
      if (!llvm::all_of(mentioned, isChosen))
        for (int parameter : mentioned)
          if (isChosen(parameter) && !llvm::is_contained(open, parameter))
            open.push_back(parameter);
    double cost = 0;
    for (int parameter : open)
      cost += bits(parameter);
    return cost;
  }

  /// Makes the nodes behind a level, one for each state.
  std::string expand(size_t level) {
    const Diagram::Level &choosing = diagram.levels[level];
    touching.clear();
    changed.clear();
    for (size_t c = 0; c < input.constraints.size(); ++c)
      if (llvm::is_contained(input.constraints[c]->parameters(),
                             choosing.parameter)) {
        touching.push_back(c);
        changed.push_back(input.constraints[c]->dependents(choosing.parameter));
      }
    known.resize(touching.size());
    isLast = level + 1 == diagram.levels.size();
    states.clear();
    nextWords.clear();
    nextOpen.clear();
    Layer &layer = layers[level];
    for (size_t node = 0; node < layer.nodes.size(); ++node) {
      layer.nodes[node].firstEdge = uint32_t(layer.edges.size());
      partial.words = frontierWords[node];
      for (size_t k = 0; k < touching.size(); ++k)
        if (frontierOpen[node][touching[k]] != 0)
          input.constraints[touching[k]]->evaluate(domains, partial, known[k]);
      tryChoices(level, node);
      layer.nodes[node].lastEdge = uint32_t(layer.edges.size());
      if (tries > input.mostTries)
        return "the constraints on '" + name(choosing.parameter) +
               "' leave too much to try: more than " +
               std::to_string(input.mostTries) + " partial choices";
      size_t words = nextWords.size() * (domains.size() + residues.size());
      if (layer.edges.size() > kMostEdges || words > kMostWords)
        return "the constraints join '" + name(choosing.parameter) +
               "' with others in too many ways: " +
               std::to_string(nextWords.size()) +
               " partial choices that differ in what they leave";
    }
    layers[level + 1].nodes.assign(nextWords.size(), {0, 0});
    frontierWords.swap(nextWords);
    frontierOpen.swap(nextOpen);
    for (const Diagram::Level &done :
         llvm::ArrayRef(diagram.levels).take_front(level + 1))
      partial.known[size_t(done.parameter)] =
          uint8_t(std::max(done.position, 0) + 1);
    return "";
  }

  std::string name(int parameter) const {
    return domains[size_t(parameter)].parameter->name;
  }

  void tryChoices(size_t level, size_t node) {
    const Diagram::Level &choosing = diagram.levels[level];
    const Parameter &parameter = *domains[size_t(choosing.parameter)].parameter;
    Word before = partial.words[size_t(choosing.parameter)];
    Word fixed = (*input.fixed)[size_t(choosing.parameter)];
    bool isInactive = choosing.position > 0 && before == kInactive;
    if (parameter.isConditional() && (choosing.position <= 0 || isInactive) &&
        (fixed == kFree || fixed == kInactive))
      tryChoice(level, node, -1);
    if (isInactive || fixed == kInactive)
      return;
    if (choosing.position >= 0) {
      for (int item = 0; item < parameter.items; ++item)
        if (positionOf(before, item, choosing.position) < 0 &&
            (fixed == kFree || itemAt(fixed, choosing.position) == item))
          tryChoice(level, node, item);
      return;
    }
    if (fixed != kFree)
      return tryChoice(level, node, int32_t(fixed));
    for (uint64_t word = 0; word < parameter.words(); ++word)
      tryChoice(level, node, int32_t(word));
  }

  void tryChoice(size_t level, size_t node, int32_t choice) {
    ++tries;
    const Diagram::Level &choosing = diagram.levels[level];
    Word &word = partial.words[size_t(choosing.parameter)];
    uint8_t &count = partial.known[size_t(choosing.parameter)];
    Word wordBefore = word;
    uint8_t countBefore = count;
    word = choice < 0 || choosing.position < 0
               ? Word(choice)
               : withItem(word, choosing.position, choice);
    count = uint8_t(std::max(choosing.position, 0) + 1);
    if (const Parameter &one = *domains[size_t(choosing.parameter)].parameter;
        choice < 0 && choosing.position >= 0)
      count = uint8_t(one.items); // all of it is known
    state = frontierOpen[node];
    if (!isPossible()) {
    } else if (isLast) {
      if (nextWords.empty()) { // the end
        nextWords.push_back(partial.words);
        nextOpen.push_back(state);
      }
      layers[level].edges.push_back({choice, 0});
    } else {
      state.push_back(uint32_t(itemsUsed(choosing)));
      auto [found, isNew] =
          states.try_emplace(state, uint32_t(nextWords.size()));
      state.pop_back();
      if (isNew) {
        nextWords.push_back(partial.words);
        nextOpen.push_back(state);
      }
      layers[level].edges.push_back({choice, found->second});
    }
    word = wordBefore;
    count = countBefore;
  }

  /// Evaluates what mentions the parameter, into `state`.
  bool isPossible() {
    for (size_t k = 0; k < touching.size(); ++k) {
      size_t c = touching[k];
      if (state[c] == 0)
        continue; // holds whatever comes
      input.constraints[c]->evaluate(domains, partial, changed[k], known[k]);
      const Known &root = known[k].back();
      if (root.isDecided && root.value.top == 0)
        return false;
      state[c] = root.isDecided ? 0 : residueOf(c, known[k]);
    }
    return true;
  }

  uint32_t residueOf(size_t c, const std::vector<Known> &terms) {
    residue.clear();
    ResidueWriter(*input.constraints[c], terms, residue)
        .write(int(terms.size()) - 1);
    return residues[c]
        .try_emplace(residue, uint32_t(residues[c].size()) + 1)
        .first->second;
  }

  /// The items of a permutation that later positions cannot have; nothing once
  /// it is whole.
  uint32_t itemsUsed(const Diagram::Level &choosing) const {
    const Parameter &one = *domains[size_t(choosing.parameter)].parameter;
    Word word = partial.words[size_t(choosing.parameter)];
    if (choosing.position < 0 || choosing.position + 1 == one.items)
      return 0;
    if (word == kInactive)
      return UINT32_MAX;
    uint32_t used = 0;
    for (int k = 0; k <= choosing.position; ++k)
      used |= 1u << itemAt(word, k);
    return used;
  }

  //===--------------------------------------------------------------------===//
  // From the end
  //===--------------------------------------------------------------------===//

  /// Prunes, merges, counts, and packs what the root reaches.
  std::string finish() {
    // Node 0 of a layer's `kept` is no node: nothing follows.
    std::vector<std::vector<Diagram::Node>> kept(layers.size());
    std::vector<std::vector<Diagram::Edge>> keptEdges(layers.size());
    std::vector<uint32_t> renamed; // by node of the layer below, 1-based
    kept.back().push_back({0, 0, 1});
    renamed.assign(layers.back().nodes.size(), 1);
    for (size_t level = layers.size() - 1; level-- > 0;) {
      std::vector<uint32_t> names(layers[level].nodes.size(), 0);
      if (!mergeLayer(layers[level], renamed, kept[level + 1], kept[level],
                      keptEdges[level], names))
        return "more than 2^120 points of '" +
               name(diagram.levels[level].parameter) +
               "' and what its constraints join it with";
      renamed.swap(names);
      layers[level] = Layer();
    }
    if (renamed.empty() || renamed[0] == 0)
      return "";
    pack(kept, keptEdges);
    return "";
  }

  static bool mergeLayer(const Layer &layer,
                         const std::vector<uint32_t> &renamed,
                         const std::vector<Diagram::Node> &below,
                         std::vector<Diagram::Node> &kept,
                         std::vector<Diagram::Edge> &edges,
                         std::vector<uint32_t> &names) {
    std::unordered_map<Residue, uint32_t> seen;
    Residue key;
    for (size_t node = 0; node < layer.nodes.size(); ++node) {
      key.clear();
      Diagram::Node merged{uint32_t(edges.size()), 0, 0};
      for (uint32_t k = layer.nodes[node].firstEdge;
           k < layer.nodes[node].lastEdge; ++k) {
        uint32_t target = renamed[layer.edges[k].target];
        if (target == 0)
          continue;
        int32_t choice = layer.edges[k].choice;
        for (uint32_t part : {uint32_t(choice), target}) {
          key.push_back(char16_t(part));
          key.push_back(char16_t(part >> 16));
        }
        edges.push_back({choice, target - 1});
        merged.count += below[target - 1].count;
        if (merged.count > kMostPoints)
          return false;
      }
      merged.lastEdge = uint32_t(edges.size());
      if (merged.count == 0)
        continue;
      auto [found, isNew] = seen.try_emplace(key, uint32_t(kept.size()) + 1);
      names[node] = found->second;
      if (isNew)
        kept.push_back(merged);
      else
        edges.resize(merged.firstEdge);
    }
    return true;
  }

  /// All nodes that are kept are reached, since each was reached from above by
  /// a node that leads on... unless that node was pruned; those are left out.
  void pack(const std::vector<std::vector<Diagram::Node>> &kept,
            const std::vector<std::vector<Diagram::Edge>> &keptEdges) {
    std::vector<uint32_t> order = {0}; // of the layer's nodes that are reached
    for (size_t level = 0; level < kept.size(); ++level) {
      uint32_t firstBelow = uint32_t(diagram.nodes.size() + order.size());
      std::vector<uint32_t> place(
          level + 1 < kept.size() ? kept[level + 1].size() : 0, UINT32_MAX);
      std::vector<uint32_t> next;
      for (uint32_t node : order) {
        Diagram::Node packed = kept[level][node];
        uint32_t first = uint32_t(diagram.edges.size());
        for (uint32_t k = packed.firstEdge; k < packed.lastEdge; ++k) {
          const Diagram::Edge &edge = keptEdges[level][k];
          uint32_t &target = place[edge.target];
          if (target == UINT32_MAX) {
            target = firstBelow + uint32_t(next.size());
            next.push_back(edge.target);
          }
          diagram.edges.push_back({edge.choice, target});
        }
        packed.firstEdge = first;
        packed.lastEdge = uint32_t(diagram.edges.size());
        diagram.nodes.push_back(packed);
      }
      order.swap(next);
    }
  }

  struct HashState {
    size_t operator()(const std::vector<uint32_t> &state) const {
      uint64_t hash = 0x9e3779b97f4a7c15;
      for (uint32_t part : state)
        hash = (hash ^ part) * 0xff51afd7ed558ccd, hash ^= hash >> 32;
      return size_t(hash);
    }
  };

  const DiagramInput &input;
  const std::vector<Domain> &domains;
  Diagram &diagram;
  std::vector<Layer> layers;
  Partial partial;
  /// Of each node of the present layer: a partial point that leads to it, and
  /// by constraint 0 if it holds, else the number of its residue.
  std::vector<Point> frontierWords, nextWords;
  std::vector<std::vector<uint32_t>> frontierOpen, nextOpen;
  std::unordered_map<std::vector<uint32_t>, uint32_t, HashState> states;
  std::vector<std::unordered_map<Residue, uint32_t>> residues;
  std::vector<size_t> touching;          ///< constraints that mention the level
  std::vector<std::vector<int>> changed; ///< of each: terms that depend on it
  std::vector<std::vector<Known>> known; ///< of each: its terms
  bool isLast = false;
  size_t tries = 0;
  // Reused, since each is needed for every choice.
  std::vector<uint32_t> state;
  Residue residue;
};

} // namespace

std::string heddle::tuner::buildDiagram(const DiagramInput &input,
                                        Diagram &diagram) {
  diagram = Diagram();
  return Builder(input, diagram).build();
}
