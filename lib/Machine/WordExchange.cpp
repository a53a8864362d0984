//===- WordExchange.cpp - Narrow elements change lanes by words -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan of single registers says from which lane and register each element
// comes; here elements are brought together that go the same way.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/WordExchange.h"

#include "heddle/Machine/Shuffle.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace heddle::machine {

namespace {

/// The registers to read where a thread's own bit is clear, and where it is
/// set.
using Halves = std::array<int, 2>;

class Planner {
public:
  explicit Planner(int elementBits) : perWord(32 / elementBits) {
    plan.elementBits = elementBits;
  }

  bool run(const std::vector<Shuffle> &shuffles);
  WordExchange plan;

private:
  bool findLanes(const std::vector<Shuffle> &shuffles);
  bool findOwn(const std::vector<Shuffle> &shuffles);
  Halves halvesOf(const Shuffle &shuffle) const {
    return {shuffle.source[0], shuffle.source[plan.own]};
  }
  bool place(const std::vector<Halves> &wanted);

  struct Place {
    int sent, place;
  };
  int perWord;
  std::map<Halves, Place> places;
};

} // namespace

/// Two lanes, one bit apart; all elements agree in the rest.
bool Planner::findLanes(const std::vector<Shuffle> &shuffles) {
  int differing = 0, anyBit = 0;
  for (const Shuffle &shuffle : shuffles) {
    if (shuffle.ofBit != shuffles.front().ofBit)
      return false;
    differing |= shuffle.constant ^ shuffles.front().constant;
  }
  for (int bit : shuffles.front().ofBit)
    anyBit |= bit;
  if (!std::has_single_bit(unsigned(differing)) || anyBit & differing)
    return false;
  plan.apart = differing;
  plan.ofBit = shuffles.front().ofBit;
  plan.constant = shuffles.front().constant & ~differing;
  return true;
}

/// One bit of the own lane says which register is read.
bool Planner::findOwn(const std::vector<Shuffle> &shuffles) {
  for (int bit = 0; bit < kLaneBits; ++bit)
    if (shuffles.front().source[1 << bit] != shuffles.front().source[0])
      plan.own |= 1 << bit;
  if (!std::has_single_bit(unsigned(plan.own)))
    return false;
  for (const Shuffle &shuffle : shuffles)
    for (int lane = 0; lane < 1 << kLaneBits; ++lane)
      if (shuffle.source[lane] !=
          halvesOf(shuffle)[(lane & plan.own) != 0 ? 1 : 0])
        return false;
  return true;
}

/// All that a word is made of travels in one.
bool Planner::place(const std::vector<Halves> &wanted) {
  std::vector<Halves> missing;
  for (const Halves &halves : wanted)
    if (!places.contains(halves) &&
        std::find(missing.begin(), missing.end(), halves) == missing.end())
      missing.push_back(halves);
  bool fits =
      !plan.sent.empty() &&
      plan.sent.back().registers[0].size() + missing.size() <= size_t(perWord);
  if (!missing.empty() && !fits)
    plan.sent.emplace_back();
  for (const Halves &halves : missing) {
    auto &registers = plan.sent.back().registers;
    places[halves] = {int(plan.sent.size()) - 1, int(registers[0].size())};
    for (int half : {0, 1})
      registers[half].push_back(halves[half]);
  }
  int sent = places.at(wanted.front()).sent;
  return std::all_of(wanted.begin(), wanted.end(), [&](const Halves &halves) {
    return places.at(halves).sent == sent;
  });
}

bool Planner::run(const std::vector<Shuffle> &shuffles) {
  if (shuffles.size() % perWord != 0 || !findLanes(shuffles) ||
      !findOwn(shuffles))
    return false;
  for (size_t first = 0; first < shuffles.size(); first += perWord) {
    std::vector<Halves> wanted;
    for (int i = 0; i < perWord; ++i)
      wanted.push_back(halvesOf(shuffles[first + i]));
    if (!place(wanted))
      return false;
    WordExchange::Made &word = plan.made.emplace_back();
    word.sent = places.at(wanted.front()).sent;
    for (int i = 0; i < perWord; ++i)
      word.elements.push_back(
          {places.at(wanted[i]).place,
           (shuffles[first + i].constant & plan.apart) != 0});
  }
  // Half a word travels as a whole one.
  for (WordExchange::Sent &sent : plan.sent)
    for (std::vector<int> &registers : sent.registers)
      registers.resize(perWord, registers.back());
  return true;
}

int64_t WordExchange::selector(const Made &word, bool ownIsSet) const {
  int bytes = elementBits / 8;
  int64_t result = 0;
  for (size_t i = 0; i < word.elements.size(); ++i) {
    const Taken &taken = word.elements[i];
    int first = (taken.isFar != ownIsSet ? 4 : 0) + taken.place * bytes;
    for (int byte = 0; byte < bytes; ++byte)
      result |= int64_t(first + byte) << (4 * (int(i) * bytes + byte));
  }
  return result;
}

std::optional<WordExchange>
planWordExchange(const Layout &from, const Layout &to, int elementBits) {
  if (elementBits != 8 && elementBits != 16)
    return std::nullopt;
  std::optional<std::vector<Shuffle>> shuffles = planShuffles(from, to);
  Planner planner(elementBits);
  if (!shuffles || !planner.run(*shuffles))
    return std::nullopt;
  return std::move(planner.plan);
}

} // namespace heddle::machine
