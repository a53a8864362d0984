//===- Space.cpp - The points that a tuner may propose --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PortableMath.h"
#include "SpaceParts.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"

using namespace heddle::tuner;

// A space whose constraints on reals leave less than this share is searched in
// vain; its author should say the constraint as bounds.
static constexpr int kMostDraws = 10000;

Space::Space(std::shared_ptr<const Parts> parts) : parts(std::move(parts)) {}

const std::vector<Parameter> &Space::parameters() const {
  return parts->parameters;
}
const std::vector<Constraint> &Space::constraints() const {
  return parts->constraints;
}
const std::vector<Component> &Space::components() const {
  return parts->components;
}

int Space::find(llvm::StringRef name) const {
  for (size_t k = 0; k < parts->parameters.size(); ++k)
    if (parts->parameters[k].name == name)
      return int(k);
  return -1;
}

bool Space::hasReals() const {
  for (const Parameter &parameter : parts->parameters)
    if (parameter.kind == Kind::Real)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

std::string Space::count() const {
  llvm::APInt all(64, 1);
  for (const Component &component : parts->components) {
    uint64_t words[] = {uint64_t(component.points),
                        uint64_t(component.points >> 64)};
    unsigned bits = all.getActiveBits() + 128;
    all = all.zext(bits) * llvm::APInt(128, words).zext(bits);
  }
  llvm::SmallString<64> digits;
  all.toStringUnsigned(digits);
  return std::string(digits);
}

std::optional<Count> Space::smallCount() const {
  Count all = 1;
  for (const Component &component : parts->components) {
    if (component.points > (Count(1) << 120) / all)
      return std::nullopt;
    all *= component.points;
  }
  return all;
}

/// The order of `items` things with this number, by their factorial digits.
static Word orderAt(int items, uint64_t index) {
  std::vector<int> left, chosen;
  uint64_t ways = 1;
  for (int k = 0; k < items; ++k) {
    left.push_back(k);
    ways *= uint64_t(k) + 1;
  }
  for (int k = items; k > 0; --k) {
    ways /= uint64_t(k);
    chosen.push_back(left[index / ways]);
    left.erase(left.begin() + long(index / ways));
    index %= ways;
  }
  return packItems(chosen);
}

/// A parameter that no constraint names.
static Word freeWord(const Parameter &parameter, uint64_t index) {
  return parameter.kind == Kind::Permutation ? orderAt(parameter.items, index)
                                             : Word(index);
}

Point Space::at(Count index) const {
  Point point(parts->parameters.size(), 0);
  size_t diagram = 0;
  for (const Component &component : parts->components) {
    Count own = index % component.points;
    index /= component.points;
    int first = component.parameters.front();
    if (component.nodes > 0)
      parts->diagrams[diagram++].at(own, point);
    else if (Word fixed = parts->fixed[size_t(first)]; fixed != kFree)
      point[size_t(first)] = fixed;
    else
      point[size_t(first)] =
          freeWord(parts->parameters[size_t(first)], uint64_t(own));
  }
  return point;
}

//===----------------------------------------------------------------------===//
// Membership
//===----------------------------------------------------------------------===//

static bool isWord(const Parameter &parameter, Word word) {
  switch (parameter.kind) {
  case Kind::Real: {
    double value = realOf(word);
    return value >= parameter.low && value <= parameter.high;
  }
  case Kind::Permutation: {
    uint32_t seen = 0;
    for (int k = 0; k < parameter.items; ++k)
      seen |= 1u << itemAt(word, k);
    Word unused = parameter.items == kMostItems
                      ? 0
                      : Word(uint64_t(word) >> (4 * parameter.items));
    return seen == (1u << parameter.items) - 1 && unused == 0;
  }
  default:
    return word >= 0 && uint64_t(word) < parameter.words();
  }
}

static Partial complete(const Point &point,
                        const std::vector<Domain> &domains) {
  Partial partial{point, {}};
  for (const Domain &domain : domains)
    partial.known.push_back(uint8_t(std::max(1, domain.parameter->items)));
  return partial;
}

bool Space::contains(const Point &point) const {
  if (point.size() != parts->parameters.size())
    return false;
  for (size_t k = 0; k < point.size(); ++k) {
    const Parameter &parameter = parts->parameters[k];
    bool mayBe = point[k] == kInactive ? parameter.isConditional()
                                       : isWord(parameter, point[k]);
    if (!mayBe || (parts->fixed[k] != kFree && parts->fixed[k] != point[k]))
      return false;
  }
  for (const Diagram &diagram : parts->diagrams)
    if (!diagram.contains(point))
      return false;
  if (parts->onReals.empty() && !parts->hasFreeActivity)
    return true;
  Partial partial = complete(point, parts->domains);
  std::vector<Known> scratch;
  for (int constraint : parts->onReals)
    if (!parts->expressions[size_t(constraint)].holds(parts->domains, partial,
                                                      scratch))
      return false;
  for (const Parts::Free &free : parts->freeOnes) {
    const Expression &activity = parts->activity[size_t(free.parameter)];
    if (!activity.terms.empty() &&
        activity.holds(parts->domains, partial, scratch) !=
            (point[size_t(free.parameter)] != kInactive))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

static double drawReal(const Parameter &parameter, double share) {
  double value =
      parameter.isLog
          ? parameter.low * portablePow(parameter.high / parameter.low, share)
          : parameter.low + (parameter.high - parameter.low) * share;
  return std::clamp(value, parameter.low, parameter.high);
}

/// An order of so many items, each as likely.
static Word drawOrder(int items, Random &random) {
  static const auto places = [] {
    std::vector<Choices> made;
    for (int k = 0; k < kMostItems; ++k)
      made.emplace_back(uint64_t(k) + 1);
    return made;
  }();
  Word word = 0;
  for (int k = 0; k < items; ++k) { // Fisher and Yates
    int other = int(random.below(places[size_t(k)]));
    word = withItem(word, k, itemAt(word, other));
    word = withItem(word, other, k);
  }
  return word;
}

bool Space::completeFree(Random &random, Point &point) const {
  std::vector<Known> scratch;
  Random source = random; // which nobody else sees change
  for (const Parts::Free &free : parts->freeOnes) {
    size_t index = size_t(free.parameter);
    Word &word = point[index];
    if (free.isPlain) {
      word = Word(source.below(free.words));
      continue;
    }
    const Parameter &parameter = parts->parameters[index];
    const Expression &activity = parts->activity[index];
    if (parts->fixed[index] != kFree)
      word = parts->fixed[index];
    else if (parameter.kind == Kind::Real)
      word = packReal(drawReal(parameter, source.unit()));
    else if (parameter.kind == Kind::Permutation)
      word = drawOrder(parameter.items, source);
    else
      word = Word(source.below(free.words));
    if (!activity.terms.empty() &&
        !activity.holds(parts->domains, complete(point, parts->domains),
                        scratch))
      word = kInactive;
  }
  random = source;
  if (parts->onReals.empty())
    return true;
  Partial partial = complete(point, parts->domains);
  for (int constraint : parts->onReals)
    if (!parts->expressions[size_t(constraint)].holds(parts->domains, partial,
                                                      scratch))
      return false;
  return true;
}

bool Space::drawWith(Random &random, bool isEmbedded, Point &point) const {
  point.resize(parts->parameters.size());
  for (int draws = 0; draws < kMostDraws; ++draws) {
    for (const Diagram &diagram : parts->diagrams)
      if (isEmbedded)
        diagram.follow([&](uint64_t count) { return random.below(count); },
                       point);
      else
        diagram.draw(random, point);
    if (completeFree(random, point))
      return true;
  }
  return false;
}

bool Space::draw(Random &random, Point &point) const {
  return drawWith(random, false, point);
}

std::optional<Point> Space::draw(Random &random) const {
  Point point;
  return draw(random, point) ? std::optional(std::move(point)) : std::nullopt;
}

std::optional<Point> Space::drawEmbedded(Random &random) const {
  Point point;
  return drawWith(random, true, point) ? std::optional(std::move(point))
                                       : std::nullopt;
}

Point Space::follow(llvm::function_ref<uint64_t(uint64_t)> choose) const {
  Point point(parts->parameters.size(), 0);
  size_t diagram = 0;
  for (const Component &component : parts->components) {
    size_t first = size_t(component.parameters.front());
    const Parameter &parameter = parts->parameters[first];
    if (component.nodes > 0)
      parts->diagrams[diagram++].follow(choose, point);
    else if (parts->fixed[first] != kFree)
      point[first] = parts->fixed[first];
    else
      point[first] = freeWord(parameter, choose(uint64_t(component.points)));
  }
  return point;
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

/// Gives parameters that a change made active their default, or their first
/// value, and takes the values of others away.
bool Space::activate(Point &point) const {
  std::vector<Known> scratch;
  // A parameter's activity may decide that of the next.
  for (size_t round = 0; round <= point.size(); ++round) {
    bool isChanged = false;
    for (size_t k = 0; k < point.size(); ++k) {
      const Parameter &parameter = parts->parameters[k];
      if (!parameter.isConditional())
        continue;
      bool isActive = parts->activity[k].holds(
          parts->domains, complete(point, parts->domains), scratch);
      if (isActive == (point[k] != kInactive))
        continue;
      isChanged = true;
      Word first = parameter.kind == Kind::Real ? packReal(parameter.low)
                   : parameter.kind == Kind::Permutation
                       ? orderAt(parameter.items, 0)
                       : 0;
      point[k] = isActive ? parameter.preset.value_or(first) : kInactive;
    }
    if (!isChanged)
      return contains(point);
  }
  return false; // activities that contradict one another
}

/// Of so many items, every other order is a neighbour.
static constexpr int kFewItems = 5;

static const std::vector<Word> &allOrders(int items) {
  static const auto tables = [] {
    std::vector<std::vector<Word>> made(kFewItems + 1);
    uint64_t orders = 1;
    for (int n = 1; n <= kFewItems; ++n) {
      orders *= uint64_t(n);
      for (uint64_t index = 0; index < orders; ++index)
        made[size_t(n)].push_back(orderAt(n, index));
    }
    return made;
  }();
  return tables[size_t(items)];
}

/// In [0, 1], and back: where ratios matter, their logarithm.
static double shareOf(const Parameter &parameter, double value) {
  double share =
      parameter.isLog
          ? portableLog(value / parameter.low) /
                portableLog(parameter.high / parameter.low)
          : (value - parameter.low) / (parameter.high - parameter.low);
  return parameter.high > parameter.low ? share : 0;
}

void Space::neighbours(const Point &point, Random *random,
                       llvm::function_ref<void(const Point &)> found) const {
  Point other = point;
  bool hasConditions = llvm::any_of(
      parts->parameters, [](const Parameter &p) { return p.isConditional(); });
  // Then nothing but its own diagram can refuse a parameter's other word.
  bool isPointItself =
      !hasConditions && parts->onReals.empty() && contains(point);
  for (size_t k = 0; k < point.size(); ++k) {
    const Parameter &parameter = parts->parameters[k];
    if (point[k] == kInactive)
      continue;
    // Whether the point with this word is one; hands it on if so.
    auto tryWord = [&](Word word) {
      other = point;
      other[k] = word;
      bool isPoint =
          hasConditions    ? activate(other)
          : !isPointItself ? contains(other)
          : parts->diagramOf[k] < 0
              ? parts->fixed[k] == kFree
              : parts->diagrams[size_t(parts->diagramOf[k])].contains(other);
      if (isPoint)
        found(other);
      return isPoint;
    };
    switch (parameter.kind) {
    case Kind::Real:
      for (int step = 0; random && step < 6; ++step) {
        double sum = -6; // of twelve uniform numbers: nearly normal
        for (int draw = 0; draw < 12; ++draw)
          sum += random->unit();
        double share = shareOf(parameter, realOf(point[k])) + 0.03 * sum;
        if (share >= 0 && share <= 1)
          tryWord(packReal(drawReal(parameter, share)));
      }
      break;
    case Kind::Integer:
    case Kind::Ordinal:
      for (Word word = point[k]; --word >= 0;)
        if (tryWord(word))
          break;
      for (Word word = point[k]; uint64_t(++word) < parameter.words();)
        if (tryWord(word))
          break;
      break;
    case Kind::Categorical:
      for (Word word = 0; uint64_t(word) < parameter.words(); ++word)
        if (word != point[k])
          tryWord(word);
      break;
    case Kind::Permutation:
      if (parameter.items <= kFewItems) {
        for (Word order : allOrders(parameter.items))
          if (order != point[k])
            tryWord(order);
        break;
      }
      for (int i = 0; i < parameter.items; ++i)
        for (int j = i + 1; j < parameter.items; ++j)
          tryWord(withItem(withItem(point[k], i, itemAt(point[k], j)), j,
                           itemAt(point[k], i)));
      break;
    }
  }
}

std::string Space::spell(const Point &point) const {
  std::string text = "{";
  for (size_t k = 0; k < point.size(); ++k)
    text += (k ? ", \"" : "\"") + parts->parameters[k].name +
            "\": " + tuner::spell(parts->parameters[k], point[k]);
  return text + "}";
}
