//===- OrderSearch.cpp - Times by deciding who goes first -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At each node the longest paths of what is decided give the earliest time of
// each event. Where those break no rule they are a schedule. Where a side of
// a disjunction has no room, since it would close a cycle that cannot hold, the
// other side is settled. Then one pair is decided, the one that leaves least
// room. A refutation knows on which decisions it rests, and goes back to the
// last of them. What is counted becomes clauses as times break them; they are
// kept, since they hold everywhere.
//
// Searches that begin otherwise end at very different times. So there are
// attempts, each longer than the one before, that weigh disjunctions
// differently. Where one ends, what it refuted on the way there becomes clauses
// too (Lecoutre et al. 2007): not all of the decisions that a refutation rests
// on hold.
//
//===----------------------------------------------------------------------===//

#include "OrderSearch.h"
#include "CumulativeResources.h"
#include "Watched.h"

#include <algorithm>
#include <span>

using namespace heddle::schedule;

namespace {

class OrderSearch {
public:
  OrderSearch(const Rules &rules, const CumulativeResources &resources,
              int64_t steps, int64_t first)
      : rules(rules), resources(resources), limit(steps * kStep), left(limit),
        first(first * kStep), paths(rules.events() + 1, rules.apart),
        watched(rules.events() + 1) {}

  Reach run() {
    Levels conflict;
    watch();
    if (!insert(rules.links, 0, {}, conflict) || !propagate(conflict))
      return Reach::Refuted;
    for (int event = 0; event < rules.events(); ++event)
      insert({{source(), event, 0}}, 0, {}, conflict);
    for (int64_t share = first; left > 0 && !isFull; share += share / 2) {
      stop = std::max<int64_t>(0, left - share);
      enqueueClauses(0);
      Reach answer = tryOut([&] { return visit(0, conflict); });
      if (answer != Reach::Unknown)
        return answer;
      ++attempt;
    }
    return Reach::Unknown;
  }

  const std::vector<int64_t> &foundTimes() const { return times; }
  uint64_t steps() const { return uint64_t((limit - left) / kStep + 1); }

private:
  /// An option of a clause that was refuted, and what that rests on.
  struct Closed {
    size_t clause, option;
    Levels levels;
  };
  /// What to decide next: sides of a disjunction, or options of a clause.
  struct Choice {
    Clause options;
    int clause = -1;
    std::vector<size_t> numbers; ///< of the clause's options
  };

  /// Entries looked at in what a budget calls a step.
  static constexpr int64_t kStep = 32;
  /// Turns of a disjunction that cost nothing to look at.
  static constexpr int64_t kFreeTurns = 64;
  /// Of changes that are kept to be taken back: where operations put each other
  /// off by an interval in turn, a million times, there is one each time.
  static constexpr size_t kMostKeptBytes = size_t(1) << 28;
  /// Decisions of a refutation that is kept.
  static constexpr size_t kMostKept = 12;

  /// Stands before all others.
  int source() const { return rules.events(); }

  /// Disjunctions watch the table, and behind them clauses.
  void watch() {
    for (const Exclusion &disjunction : rules.disjunctions)
      watched.add(disjunction);
    isQueued.assign(rules.disjunctions.size(), false);
    queue.resize(rules.disjunctions.size() + 1);
    for (size_t i = 0; i < rules.disjunctions.size(); ++i)
      enqueue(int(i));
  }

  /// Without a branch, which nothing could predict.
  void enqueue(int watcher) {
    queue[queued] = watcher;
    queued += !isQueued[size_t(watcher)];
    isQueued[size_t(watcher)] = true;
  }

  int watcherOf(size_t clause) const {
    return int(rules.disjunctions.size() + clause);
  }

  void keep(Clause clause) {
    watched.add(clause);
    isQueued.push_back(false);
    queue.push_back(0);
    clauses.push_back(std::move(clause));
    enqueueClauses(clauses.size() - 1);
  }

  /// What came deeper in the search has not been looked at here.
  void enqueueClauses(size_t known) {
    for (size_t i = known; i < clauses.size(); ++i)
      enqueue(watcherOf(i));
  }

  /// Links that rest on `levels`, all `shift` cycles longer.
  bool insert(const Links &links, int64_t shift, const Levels &levels,
              Levels &conflict) {
    for (Arc link : links) {
      link.weight += shift;
      if (paths.room(link) < 0) {
        conflict = levels | paths.reasonAgainst(link);
        return false;
      }
      size_t known = paths.changes();
      left -= paths.add(link, levels);
      isFull |= paths.keptBytes() > kMostKeptBytes;
      for (size_t change = known; change < paths.changes(); ++change)
        for (int watcher : watched.watchersOf(paths.changedPlace(change)))
          enqueue(watcher);
    }
    return true;
  }

  bool holds(Side side, int64_t shift = 0) const {
    for (const Placed &link : watched.linksOf(side))
      if (paths.at(link.ahead) < link.weight + shift)
        return false;
    return true;
  }
  /// Cycles by which the earliest times miss `links`.
  int64_t lateness(const Links &links) const {
    int64_t most = 0;
    for (const Arc &link : links)
      most = std::max(most, link.weight - (times[link.to] - times[link.from]));
    return most;
  }

  int64_t roomOf(const Placed &link) const {
    return -(paths.at(link.back) + link.weight);
  }
  /// The link of least room.
  const Placed &tightest(Side side) const {
    std::span<const Placed> links = watched.linksOf(side);
    const Placed *best = &links.front();
    for (const Placed &link : links.subspan(1))
      if (roomOf(link) < roomOf(*best))
        best = &link;
    return *best;
  }
  Levels reasonAgainst(const Placed &link) const {
    return paths.reason(link.to, link.from);
  }

  /// The turns at which either side has room are `from` to `to`. Before them
  /// the second side holds, behind them the first.
  struct Turns {
    const Placed *firstLimit, *secondLimit; ///< what sets them
    int64_t firstRoom, secondRoom;          ///< at turn 0
    int64_t from, to;
  };

  /// At turn k the second operation is k iterations later, so the first side's
  /// links are k * II shorter, and the second's as much longer.
  Turns turnsOf(WatchedPair &pair) const {
    Turns turns;
    turns.firstLimit = &tightest(pair.first);
    turns.secondLimit = &tightest(pair.second);
    turns.firstRoom = roomOf(*turns.firstLimit);
    turns.secondRoom = roomOf(*turns.secondLimit);
    turns.from = -pair.firstTurns.of(turns.firstRoom, rules.ii);
    turns.to = pair.secondTurns.of(turns.secondRoom, rules.ii);
    return turns;
  }

  /// Settles what has one side left until nothing changes, or memory is full.
  bool propagate(Levels &conflict) {
    bool isFine = true;
    while (isFine && queued > 0 && !isFull) {
      int next = queue[--queued];
      isQueued[next] = false;
      size_t clause = size_t(next) - rules.disjunctions.size();
      isFine = next < int(rules.disjunctions.size())
                   ? settleDisjunction(size_t(next), conflict)
                   : settleClause(clause, conflict);
    }
    while (queued > 0)
      isQueued[size_t(queue[--queued])] = false;
    return isFine;
  }

  bool settleDisjunction(size_t index, Levels &conflict) {
    WatchedPair &pair = watched.pair(index);
    Turns turns = turnsOf(pair);
    --left;
    int64_t before = (turns.from - 1) * rules.ii;
    if (!holds(pair.second, before) &&
        !insert(rules.disjunctions[index].second, before,
                reasonAgainst(*turns.firstLimit), conflict))
      return false;
    int64_t behind = -(turns.to + 1) * rules.ii;
    return holds(pair.first, behind) ||
           insert(rules.disjunctions[index].first, behind,
                  reasonAgainst(*turns.secondLimit), conflict);
  }

  const Closed *findClosed(size_t clause, size_t option) const {
    for (const Closed &closed : closedOptions)
      if (closed.clause == clause && closed.option == option)
        return &closed;
    return nullptr;
  }

  bool settleClause(size_t index, Levels &conflict) {
    std::span<const Side> options = watched.optionsOf(index);
    left -= int64_t(options.size());
    constexpr size_t kNone = SIZE_MAX;
    size_t open = kNone;
    for (size_t option = 0; option < options.size(); ++option) {
      if (holds(options[option]))
        return true;
      if (findClosed(index, option) || roomOf(tightest(options[option])) < 0)
        continue;
      if (open != kNone)
        return true; // two are open
      open = option;
    }
    Levels levels;
    for (size_t option = 0; option < options.size(); ++option)
      if (const Closed *closed = findClosed(index, option))
        levels |= closed->levels;
      else if (option != open)
        levels |= reasonAgainst(tightest(options[option]));
    if (open == kNone) {
      conflict = levels;
      return false;
    }
    return insert(clauses[index][open], 0, levels, conflict);
  }

  /// How an attempt weighs the room of disjunctions: every other one as it is,
  /// the others each in its own way.
  int64_t weigh(int64_t room, size_t index) const {
    uint32_t mixed = (uint32_t(index) + 1) * 2654435761u * uint32_t(attempt);
    return attempt < 2 ? room : room * (8 + (mixed >> 29)) / 8;
  }

  /// Of the disjunctions that are open, or those of them that the earliest
  /// times do not tell apart, the ones that leave least room.
  std::optional<Choice> chooseDisjunction() {
    const Exclusion *best = nullptr;
    int64_t bestTurn = 0, least = INT64_MAX;
    for (size_t i = 0; i < rules.disjunctions.size(); ++i) {
      Turns turns = turnsOf(watched.pair(i));
      // As many as one latency has intervals, which nothing limits.
      int64_t many = std::max<int64_t>(0, turns.to - turns.from - kFreeTurns);
      left -= many;
      if (many > 0 && left <= 0) {
        isSpent = true;
        return std::nullopt;
      }
      // The rooms of both sides add up to the same at each turn, so the larger
      // is half of that at least.
      int64_t both = turns.firstRoom + turns.secondRoom;
      if (turns.from > turns.to || weigh((both + 1) / 2, i) >= least)
        continue;
      // Open is where both sides miss something.
      int64_t firstMiss = missOf(watched.pair(i).first),
              secondMiss = missOf(watched.pair(i).second);
      int64_t begin = std::max(turns.from, floorOf(-secondMiss, rules.ii) + 1);
      int64_t end = std::min(turns.to, -floorOf(-firstMiss, rules.ii) - 1);
      for (int64_t turn = begin; turn <= end; ++turn) {
        int64_t shift = turn * rules.ii;
        int64_t room = weigh(
            std::max(turns.firstRoom + shift, turns.secondRoom - shift), i);
        if (room >= least)
          continue;
        least = room;
        best = &rules.disjunctions[i];
        bestTurn = turn;
      }
    }
    left -= 4 * int64_t(rules.disjunctions.size());
    if (!best)
      return std::nullopt;
    Choice choice;
    choice.options = {best->first, best->second};
    for (Arc &link : choice.options[0])
      link.weight -= bestTurn * rules.ii;
    for (Arc &link : choice.options[1])
      link.weight += bestTurn * rules.ii;
    return choice;
  }

  /// Cycles by which the earliest times miss `side` at turn 0, or, in every
  /// other attempt, by which the longest paths do not make it hold.
  int64_t missOf(Side side) const {
    int64_t most = INT64_MIN / 2;
    for (const Placed &link : watched.linksOf(side))
      most = std::max(most,
                      link.weight - (attempt % 2 == 1
                                         ? paths.at(link.ahead)
                                         : times[link.to] - times[link.from]));
    return most;
  }

  /// Of the clauses that the earliest times break, the first.
  std::optional<Choice> chooseOption() const {
    for (size_t i : counted) {
      if (std::any_of(clauses[i].begin(), clauses[i].end(),
                      [&](const Links &links) { return lateness(links) == 0; }))
        continue;
      Choice choice;
      choice.clause = int(i);
      for (size_t option = 0; option < clauses[i].size(); ++option)
        if (!findClosed(i, option) &&
            roomOf(tightest(watched.optionsOf(i)[option])) >= 0) {
          choice.options.push_back(clauses[i][option]);
          choice.numbers.push_back(option);
        }
      return choice;
    }
    return std::nullopt;
  }

  void readTimes() {
    times.resize(rules.events());
    for (int event = 0; event < rules.events(); ++event)
      times[event] = paths(source(), event);
  }

  /// What is decided, propagated and closed since is taken back, unless times
  /// were found.
  template <class Step> Reach tryOut(Step step) {
    LongestPaths::Mark mark = paths.mark();
    size_t closed = closedOptions.size();
    Reach answer = step();
    if (answer != Reach::Found) {
      paths.goBack(mark);
      closedOptions.resize(closed);
    }
    return answer;
  }

  /// Of the decisions that a refutation rests on, one went the other way. Empty
  /// if they are many, or not all of them are about disjunctions.
  Clause contraryOf(const Levels &why) const {
    Clause clause;
    if (why.count() > kMostKept)
      return clause;
    for (size_t level = 0; level < contraries.size(); ++level) {
      if (!why.test(level))
        continue;
      if (contraries[level].empty())
        return {};
      clause.push_back(contraries[level]);
    }
    return clause;
  }

  /// What was refuted on the way to where an attempt ended is not tried again.
  Reach visit(size_t level, Levels &conflict) {
    std::vector<Clause> learned;
    Reach answer = visit(level, conflict, learned);
    if (answer == Reach::Unknown)
      for (Clause &clause : learned)
        keep(std::move(clause));
    return answer;
  }

  Reach visit(size_t level, Levels &conflict, std::vector<Clause> &learned) {
    if (level >= Levels::kMost)
      return Reach::Unknown;
    for (;;) {
      if (left <= stop)
        return Reach::Unknown;
      if (!propagate(conflict))
        return Reach::Refuted;
      if (isFull)
        return Reach::Unknown;
      readTimes();
      std::optional<Choice> choice = chooseDisjunction();
      if (isSpent)
        return Reach::Unknown;
      if (!choice)
        choice = chooseOption();
      if (!choice) {
        std::optional<Clause> broken = resources.findBroken(times);
        if (!broken)
          return Reach::Found;
        counted.push_back(clauses.size());
        keep(std::move(*broken));
        continue;
      }
      // What the earliest times miss least.
      size_t chosen = 0;
      for (size_t i = 1; i < choice->options.size(); ++i)
        if (lateness(choice->options[i]) < lateness(choice->options[chosen]))
          chosen = i;
      contraries.resize(level);
      contraries.push_back(choice->clause < 0 ? choice->options[1 - chosen]
                                              : Links());
      size_t known = clauses.size();
      Levels mine, why;
      mine.set(level);
      Reach answer = tryOut([&] {
        return insert(choice->options[chosen], 0, mine, why)
                   ? visit(level + 1, why)
                   : Reach::Refuted;
      });
      if (answer != Reach::Refuted)
        return answer;
      if (!why.test(level)) {
        conflict = why;
        return Reach::Refuted;
      }
      contraries.resize(level + 1);
      if (Clause clause = contraryOf(why); !clause.empty())
        learned.push_back(std::move(clause));
      enqueueClauses(known);
      why.reset(level);
      if (choice->clause >= 0) {
        closedOptions.push_back(
            {size_t(choice->clause), choice->numbers[chosen], why});
        enqueue(watcherOf(size_t(choice->clause)));
      } else if (!insert(choice->options[1 - chosen], 0, why, conflict))
        return Reach::Refuted;
    }
  }

  const Rules &rules;
  const CumulativeResources &resources;
  int64_t limit, left;
  int64_t first;    ///< what the first attempt may take
  int64_t stop = 0; ///< what this attempt leaves
  int attempt = 0;
  bool isSpent = false; ///< a disjunction had more turns than is left
  bool isFull = false;  ///< so much was kept that the search ends
  LongestPaths paths;
  std::vector<Closed> closedOptions;
  std::vector<Clause> clauses;
  std::vector<size_t> counted;   ///< those of them that times broke
  std::vector<Links> contraries; ///< of each decision; none of an option
  std::vector<int64_t> times;
  Watched watched;
  /// Watchers to look at, the first `queued`, with room for all and one more.
  std::vector<int> queue;
  size_t queued = 0;
  std::vector<char> isQueued;
};

Solution solutionAt(const Rules &rules, const CumulativeResources &resources,
                    const std::vector<int64_t> &times) {
  Solution solution;
  solution.ii = rules.ii;
  solution.process = rules.roles.process;
  solution.processes = rules.roles.processes;
  solution.rings = rules.roles.rings;
  for (Ring &ring : solution.rings)
    ring.depth = resources.slotsFor(ring, times);
  for (size_t i = 0;
       rules.roles.sharesRegisters && i < solution.processes.size(); ++i)
    solution.processes[i].registers = resources.registersFor(int(i), times);
  int count = int(rules.problem.operations.size()), anchor = 0;
  while (anchor + 1 < count && !rules.hasQueue(anchor))
    ++anchor;
  // The first that waits in a queue is taken up where a turn begins: that says
  // what belongs to one step.
  int64_t origin = rules.hasQueue(anchor) ? times[rules.takeUpOf(anchor)]
                                          : times[rules.issueOf(0)];
  int64_t first = *std::min_element(times.begin(), times.end());
  origin += floorOf(first - origin, rules.ii) * rules.ii;
  for (int op = 0; op < count; ++op) {
    solution.start.push_back(times[rules.issueOf(op)] - origin);
    solution.execution.push_back(times[rules.takeUpOf(op)] - origin);
  }
  return solution;
}

} // namespace

Reply heddle::schedule::searchOrders(const Query &query, uint64_t steps,
                                     uint64_t first) {
  Reply reply;
  Rules rules(query);
  CumulativeResources resources(rules);
  // Writing the rules is work, too: a query that they answer is not free.
  reply.steps = rules.links.size() + rules.disjunctions.size();
  if (rules.isImpossible || resources.isImpossible()) {
    reply.answer = Reach::Refuted;
    return reply;
  }
  OrderSearch search(rules, resources, int64_t(steps), int64_t(first));
  reply.answer = search.run();
  if (reply.answer == Reach::Found)
    reply.solution = solutionAt(rules, resources, search.foundTimes());
  reply.steps += search.steps();
  return reply;
}
