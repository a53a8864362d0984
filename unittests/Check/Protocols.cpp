//===- Protocols.cpp - Small protocols to check ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Protocols.h"

namespace heddle::check {

std::string Shape::text() const {
  return "depth " + std::to_string(depth) + ", " + std::to_string(consumers) +
         " x " + std::to_string(consumerWarps) + " warps" +
         (copiesByThreads ? ", threads copy" : "") +
         (goesOn ? " and go on" : "") + (overlaps ? ", overlaps" : "") +
         (accumulates ? ", accumulates" : "") + (tiles ? ", tiles" : "") +
         (exchanges ? ", exchanges" : "") + (stores ? ", stores" : "") +
         (counts ? ", counts" : "");
}

namespace {

constexpr int64_t kTile = 32;

/// A slot and a phase.
struct Counter {
  Value slot, phase;
};

class ProcessWriter {
public:
  ProcessWriter(const Shape &shape, std::string name) : shape(shape) {
    process.name = std::move(name);
    zero = constant(0);
    one = constant(1);
    depth = constant(shape.depth);
  }

  Value constant(int64_t number) {
    Definition definition;
    definition.kind = Definition::Constant;
    definition.number = number;
    return define(definition);
  }
  Value symbol(const char *name) {
    Definition definition;
    definition.kind = Definition::Symbol;
    definition.name = name;
    definition.low = 0; // an extent
    definition.high = INT32_MAX;
    return define(definition);
  }
  Value carried() {
    Definition definition;
    definition.kind = Definition::Carried;
    return define(definition);
  }
  Value index() {
    Definition definition;
    definition.kind = Definition::Index;
    return define(definition);
  }
  Value compute(Arith arith, std::vector<Value> operands) {
    Definition definition;
    definition.kind = Definition::Compute;
    definition.arith = arith;
    definition.operands = std::move(operands);
    Statement statement;
    statement.value = define(definition);
    add(statement);
    return statement.value;
  }

  Counter next(Counter counter) {
    Value up = compute(Arith::Add, {counter.slot, one});
    Value wraps = compute(Arith::Equal, {up, depth});
    Value flipped = compute(Arith::Xor, {counter.phase, one});
    return {compute(Arith::Select, {wraps, zero, up}),
            compute(Arith::Select, {wraps, flipped, counter.phase})};
  }

  void add(Statement statement) {
    statement.place = process.name + ":" + std::to_string(++line);
    into->push_back(std::move(statement));
  }
  void add(Event event) {
    Statement statement;
    statement.kind = Statement::Happen;
    statement.event = std::move(event);
    add(statement);
  }
  Event event(Event::Kind kind, const char *text) {
    Event event;
    event.kind = kind;
    event.text = text;
    return event;
  }
  void wait(Side side, Counter counter, int ring = 0) {
    Event next = event(Event::Wait, "wait");
    next.ring = ring;
    next.side = side;
    next.slot = counter.slot;
    next.phase = side == Side::Empty ? compute(Arith::Xor, {counter.phase, one})
                                     : counter.phase;
    add(next);
  }
  void waitFull(Counter counter) {
    wait(Side::Full, counter);
    if (shape.goesOn)
      add(event(Event::FenceAsync, "fence_async"));
  }
  void arrive(Side side, Value slot, int ring = 0) {
    Event next = event(Event::Arrive, "arrive");
    next.ring = ring;
    next.side = side;
    next.slot = slot;
    add(next);
  }
  Region slotTile(Value slot) {
    Region region;
    region.ring = 0;
    region.slot = slot;
    region.bytes = kTile;
    return region;
  }
  Region numberSlot(Value slot) {
    Region region = slotTile(slot);
    region.ring = 1;
    return region;
  }
  Value element(Value offset) {
    Definition definition;
    definition.kind = Definition::Element;
    definition.name = "each element of counts";
    definition.bits = 32;
    definition.operands = {offset, symbol("m")};
    return define(definition);
  }
  void handOn(Value number, Counter now) {
    wait(Side::Empty, now, 1);
    Event store = event(Event::Generic, "local_store");
    store.writes = {numberSlot(now.slot)};
    store.stored = number;
    add(store);
    arrive(Side::Full, now.slot, 1);
  }
  Value take(Counter now) {
    wait(Side::Full, now, 1);
    Event load = event(Event::Generic, "local_load");
    load.reads = {numberSlot(now.slot)};
    Definition loaded;
    loaded.bits = 32;
    load.loaded = define(loaded);
    add(load);
    arrive(Side::Empty, now.slot, 1);
    return load.loaded;
  }
  Region buffer(int64_t offset) {
    Region region;
    region.offset = offset;
    region.bytes = kTile;
    region.name = "buffer";
    return region;
  }
  Value multiply(Value slot, Value accumulator = kNoValue) {
    Event next = event(Event::Wgmma, "wgmma");
    Definition flight;
    flight.kind = Definition::Flight;
    next.flight = define(flight);
    next.accumulator = accumulator;
    next.reads = {slotTile(slot)};
    add(next);
    return next.flight;
  }
  void awaitProduct(Value flight, int64_t pending, bool isRead = false) {
    Event next = event(Event::WgmmaWait, "wgmma_wait");
    next.flight = flight;
    next.pending = pending;
    next.isRead = isRead;
    add(next);
  }
  void sync() {
    Event next = event(Event::Sync, "sync");
    next.id = 1;
    next.threads = process.threads();
    add(next);
  }
  void generic(const char *text, std::vector<Region> reads,
               std::vector<Region> writes) {
    Event next = event(Event::Generic, text);
    next.reads = std::move(reads);
    next.writes = std::move(writes);
    add(next);
  }

  /// for index = first to end: values = body(values). Returns the results.
  template <typename Body>
  std::vector<Value> loop(Value first, Value end, std::vector<Value> inits,
                          Body body) {
    Statement statement;
    statement.kind = Statement::Loop;
    statement.lower = first;
    statement.upper = end;
    statement.step = one;
    statement.index = index();
    statement.inits = std::move(inits);
    for (size_t i = 0; i < statement.inits.size(); ++i) {
      statement.carried.push_back(carried());
      statement.results.push_back(carried());
    }
    std::vector<Statement> *outer = into;
    std::vector<Statement> inner;
    into = &inner;
    point = statement.index;
    statement.yields = body(statement.carried);
    into = outer;
    statement.body = std::move(inner);
    std::vector<Value> results = statement.results;
    add(std::move(statement));
    return results;
  }

  template <typename Body>
  std::vector<Value> branch(Value condition, std::vector<Value> otherwise,
                            Body body) {
    Statement statement;
    statement.kind = Statement::Branch;
    statement.value = condition;
    statement.otherwiseYields = otherwise;
    for (size_t i = 0; i < otherwise.size(); ++i)
      statement.results.push_back(carried());
    std::vector<Statement> *outer = into;
    std::vector<Statement> inner;
    into = &inner;
    statement.yields = body();
    into = outer;
    statement.body = std::move(inner);
    std::vector<Value> results = statement.results;
    add(std::move(statement));
    return results;
  }

  /// The body for each tile, whose number of points goes through a ring.
  template <typename Points, typename Body>
  void overCountedTiles(Points pointsOf, Body body) {
    loop(zero, symbol("m"), {zero, zero, zero, zero},
         [&](std::vector<Value> &values) {
           Counter number{values[0], values[1]};
           Value n = pointsOf(number);
           std::vector<Value> end = body(n, Counter{values[2], values[3]});
           Counter after = next(number);
           return std::vector<Value>{after.slot, after.phase, end[0], end[1]};
         });
  }

  /// The body once, or for each tile.
  template <typename Body> void overTiles(Body body) {
    if (!shape.tiles) {
      body({zero, zero});
      return;
    }
    loop(zero, symbol("m"), {zero, zero}, [&](std::vector<Value> &values) {
      return body({values[0], values[1]});
    });
  }

  Process process;
  Value zero, one, depth;
  Value point = kNoValue; ///< index of the loop that was begun last
  const Shape &shape;

private:
  Value define(Definition definition) {
    process.values.push_back(std::move(definition));
    return Value(process.values.size()) - 1;
  }
  std::vector<Statement> *into = &process.body;
  int line = 0;
};

/// What warps do with a product's value.
void use(ProcessWriter &writer) {
  if (!writer.shape.exchanges)
    return;
  Region scratch = writer.buffer(writer.shape.depth * kTile);
  writer.sync();
  writer.generic("local_store", {}, {scratch});
  writer.sync();
  writer.generic("local_load", {scratch}, {});
}

/// Acquires and fills a slot.
std::vector<Value> produce(ProcessWriter &writer, Counter now) {
  writer.wait(Side::Empty, now);
  if (writer.shape.goesOn) {
    Event copy = writer.event(Event::Copy, "copy");
    copy.writes = {writer.slotTile(now.slot)};
    writer.add(copy);
    Event arrive = writer.event(Event::ArriveCopies, "arrive");
    arrive.ring = 0;
    arrive.slot = now.slot;
    writer.add(arrive);
  } else if (writer.shape.copiesByThreads) {
    writer.generic("copy", {}, {writer.slotTile(now.slot)});
    writer.add(writer.event(Event::FenceAsync, "fence_async"));
    writer.arrive(Side::Full, now.slot);
  } else {
    Event expect = writer.event(Event::Expect, "expect");
    expect.ring = 0;
    expect.slot = now.slot;
    expect.bytes = kTile;
    writer.add(expect);
    Event load = writer.event(Event::TmaLoad, "tma_load");
    load.ring = 0;
    load.slot = now.slot;
    load.writes = {writer.slotTile(now.slot)};
    writer.add(load);
  }
  Counter next = writer.next(now);
  return {next.slot, next.phase};
}

/// Waits for a slot, multiplies from it and releases it.
std::vector<Value> multiplyAndRelease(ProcessWriter &writer, Counter now) {
  writer.waitFull(now);
  writer.awaitProduct(writer.multiply(now.slot), 0);
  writer.arrive(Side::Empty, now.slot);
  use(writer);
  Counter next = writer.next(now);
  return {next.slot, next.phase};
}

/// If there are points: a turn for each, and one more if there are many.
template <typename Turn>
std::vector<Value> withLastTurn(ProcessWriter &writer, Value n, Counter start,
                                Turn turn) {
  Value points = writer.compute(Arith::Max, {n, writer.zero});
  Value trips = writer.compute(Arith::CeilDiv, {points, writer.one});
  Value any = writer.compute(Arith::GreaterEqual, {trips, writer.one});
  Value many = writer.compute(Arith::GreaterEqual,
                              {trips, writer.constant(writer.shape.lastFrom)});
  return writer.branch(any, {start.slot, start.phase}, [&]() {
    std::vector<Value> end =
        writer.loop(writer.zero, n, {start.slot, start.phase},
                    [&](std::vector<Value> &values) {
                      return turn(writer, Counter{values[0], values[1]});
                    });
    return writer.branch(
        many, end, [&]() { return turn(writer, Counter{end[0], end[1]}); });
  });
}

std::vector<Value> fillSlots(ProcessWriter &writer, Value n, Counter start) {
  return writer.loop(writer.zero, n, {start.slot, start.phase},
                     [&](std::vector<Value> &values) {
                       return produce(writer, {values[0], values[1]});
                     });
}

Process makeProducer(const Shape &shape) {
  ProcessWriter writer(shape, "load");
  writer.process.elected = !shape.copiesByThreads;
  if (shape.counts) {
    writer.overCountedTiles(
        [&](Counter number) {
          Value n = writer.element(writer.point);
          writer.handOn(n, number);
          return n;
        },
        [&](Value n, Counter start) { return fillSlots(writer, n, start); });
    return std::move(writer.process);
  }
  Value n = writer.symbol("n");
  writer.overTiles([&](Counter start) {
    if (shape.lastFrom)
      return withLastTurn(writer, n, start, produce);
    return fillSlots(writer, n, start);
  });
  return std::move(writer.process);
}

void storeTile(ProcessWriter &writer) {
  if (!writer.shape.stores)
    return;
  Region out = writer.buffer((writer.shape.depth + 1) * kTile);
  Event wait = writer.event(Event::TmaStoreWait, "tma_store_wait");
  writer.add(wait);
  writer.sync();
  writer.generic("local_store", {}, {out});
  writer.add(writer.event(Event::FenceAsync, "fence_async"));
  writer.sync();
  Event store = writer.event(Event::TmaStore, "tma_store");
  store.reads = {out};
  writer.add(store);
}

std::vector<Value> consume(ProcessWriter &writer, Value n, Counter start) {
  if (writer.shape.lastFrom)
    return withLastTurn(writer, n, start, multiplyAndRelease);
  if (!writer.shape.overlaps)
    return writer.loop(writer.zero, n, {start.slot, start.phase},
                       [&](std::vector<Value> &values) -> std::vector<Value> {
                         Counter now{values[0], values[1]};
                         writer.waitFull(now);
                         writer.awaitProduct(writer.multiply(now.slot), 0);
                         writer.arrive(Side::Empty, now.slot);
                         use(writer);
                         Counter next = writer.next(now);
                         return {next.slot, next.phase};
                       });
  // The first iteration stands before the loop, the last release behind it.
  Value points = writer.compute(Arith::Max, {n, writer.zero});
  Value trips = writer.compute(Arith::CeilDiv, {points, writer.one});
  Value any = writer.compute(Arith::GreaterEqual, {trips, writer.one});
  return writer.branch(any, {start.slot, start.phase}, [&]() {
    writer.waitFull(start);
    Value flight = writer.multiply(start.slot);
    Counter second = writer.next(start);
    std::vector<Value> results = writer.loop(
        writer.one, n, {second.slot, second.phase, start.slot, flight},
        [&](std::vector<Value> &values) -> std::vector<Value> {
          Counter now{values[0], values[1]};
          writer.waitFull(now);
          Value next = writer.multiply(
              now.slot, writer.shape.accumulates ? values[3] : kNoValue);
          // Two products' values at once would be in each other's registers.
          writer.awaitProduct(values[3], 1);
          writer.arrive(Side::Empty, values[2]);
          use(writer);
          Counter after = writer.next(now);
          return {after.slot, after.phase, now.slot, next};
        });
    writer.awaitProduct(results[3], 0, true);
    writer.arrive(Side::Empty, results[2]);
    return std::vector<Value>{results[0], results[1]};
  });
}

Process makeConsumer(const Shape &shape, int number) {
  ProcessWriter writer(shape, "use." + std::to_string(number));
  writer.process.firstWarp = 1 + number * shape.consumerWarps;
  writer.process.warps = shape.consumerWarps;
  if (shape.counts) {
    writer.overCountedTiles(
        [&](Counter number) { return writer.take(number); },
        [&](Value n, Counter start) { return consume(writer, n, start); });
    return std::move(writer.process);
  }
  Value n = writer.symbol("n");
  writer.overTiles([&](Counter start) {
    std::vector<Value> end = consume(writer, n, start);
    storeTile(writer);
    return end;
  });
  if (shape.stores)
    writer.add(writer.event(Event::TmaStoreWait, "tma_store_wait"));
  return std::move(writer.process);
}

} // namespace

Protocol makePipeline(const Shape &shape) {
  Protocol protocol;
  protocol.limits = machine::limitsOf("sm_90a");
  protocol.kernel = "small";
  int64_t consumerWarps = shape.consumers * shape.consumerWarps;
  protocol.threads = 32 * (1 + consumerWarps);
  Ring ring;
  ring.name = "ring";
  ring.depth = shape.depth;
  ring.slotBytes = kTile;
  ring.full = (shape.depth + 2) * kTile;
  ring.empty = ring.full + 8 * shape.depth;
  ring.emptyArrivals = consumerWarps;
  if (shape.goesOn)
    ring.fullArrivals = 32;
  protocol.rings = {ring};
  protocol.sharedBytes = ring.empty + 8 * shape.depth;
  if (shape.counts) {
    Ring numbers = ring;
    numbers.name = "numbers";
    numbers.offset = (protocol.sharedBytes + 15) / 16 * 16;
    numbers.full = numbers.offset + kTile * shape.depth;
    numbers.empty = numbers.full + 8 * shape.depth;
    protocol.rings.push_back(numbers);
    protocol.sharedBytes = numbers.empty + 8 * shape.depth;
  }
  protocol.processes.push_back(makeProducer(shape));
  for (int i = 0; i < shape.consumers; ++i)
    protocol.processes.push_back(makeConsumer(shape, i));
  return protocol;
}

} // namespace heddle::check
