//===- StreamPicture.cpp - What binds a graph of streams ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process stands right of all that it reads, or in a band below. Its colour
// is its share of busy cycles, its bar how these, waits for tokens and waits
// for room divide the time of the kernel; a line is a ring, the thicker the
// more slots were in use.
//
//===----------------------------------------------------------------------===//

#include "StreamPicture.h"

#include "UnitRun.h"

#include "heddle/Schedule/Svg.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using simulator::TimedRun;

static double shareOf(int64_t part, const TimedRun &run) {
  return run.cycles ? double(part) / double(run.cycles) : 0;
}

void heddle::tool::printProfile(ArrayRef<NotedKernel> kernels,
                                raw_ostream &os) {
  for (const auto &[name, run] : kernels) {
    os << name << ": of " << run.cycles
       << " cycles\n   busy  no token  no room\n";
    std::vector<size_t> order(run.processes.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    stable_sort(order, [run = &run](size_t a, size_t b) {
      return run->busy[a] > run->busy[b];
    });
    for (size_t i : order)
      os << format("%6.1f%%   %6.1f%%  %6.1f%%  ",
                   100 * shareOf(run.busy[i], run),
                   100 * shareOf(run.starved[i], run),
                   100 * shareOf(run.blocked[i], run))
         << run.processes[i] << "\n";
    std::vector<const TimedRun::RingUse *> rings;
    for (const TimedRun::RingUse &ring : run.rings)
      rings.push_back(&ring);
    stable_sort(rings, [](auto *a, auto *b) { return a->most > b->most; });
    os << "  slots in use at most, of those there are\n";
    for (const TimedRun::RingUse *ring : rings)
      os << format("%8lld of %lld  ", static_cast<long long>(ring->most),
                   static_cast<long long>(ring->slots))
         << ring->ring << "\n";
  }
}

namespace {

constexpr int64_t kWidth = 170, kHeight = 34, kAcross = 60, kDown = 14,
                  kMargin = 10, kTitle = 22, kColumns = 6;

/// One kernel's part of the picture.
class GraphPart {
public:
  GraphPart(const NotedKernel &kernel, int64_t top)
      : name(kernel.name), run(kernel.run), top(top) {
    place();
  }

  int64_t width() const {
    return 2 * kMargin + std::min(columns, kColumns) * (kWidth + kAcross) -
           kAcross;
  }
  int64_t height() const {
    return kTitle + bands.back() * (kHeight + kDown) + kMargin;
  }

  void draw(raw_ostream &os) const {
    os << "<text x=\"" << kMargin << "\" y=\"" << top + 14 << "\">"
       << schedule::escapeMarkup(name) << ": " << run.cycles
       << " cycles</text>\n";
    for (const TimedRun::RingUse &ring : run.rings)
      for (unsigned consumer : ring.consumers)
        drawRing(ring, consumer, os);
    for (size_t i = 0; i < run.processes.size(); ++i)
      drawProcess(i, os);
  }

private:
  void place() {
    column.assign(run.processes.size(), 0);
    // Rings lead to processes that come later, but for circles, which end.
    bool moved = true;
    for (size_t round = 0; moved && round < column.size(); ++round) {
      moved = false;
      for (const TimedRun::RingUse &ring : run.rings)
        for (unsigned consumer : ring.consumers)
          if (column[consumer] <= column[ring.producer] &&
              consumer != ring.producer) {
            column[consumer] = column[ring.producer] + 1;
            moved = true;
          }
    }
    std::vector<int64_t> filled;
    for (int64_t at : column) {
      filled.resize(std::max(filled.size(), size_t(at) + 1));
      row.push_back(filled[size_t(at)]++);
    }
    columns = int64_t(filled.size());
    for (int64_t first = 0; first < columns; first += kColumns) {
      int64_t last = std::min(first + kColumns, columns);
      bands.push_back(bands.back() + *std::max_element(filled.begin() + first,
                                                       filled.begin() + last));
    }
  }

  int64_t leftOf(size_t process) const {
    return kMargin + column[process] % kColumns * (kWidth + kAcross);
  }
  int64_t topOf(size_t process) const {
    int64_t above = bands[size_t(column[process] / kColumns)];
    return top + kTitle + (above + row[process]) * (kHeight + kDown);
  }

  void drawRing(const TimedRun::RingUse &ring, unsigned consumer,
                raw_ostream &os) const {
    int64_t x = leftOf(ring.producer) + kWidth, y = topOf(ring.producer) + 17;
    int64_t toX = leftOf(consumer), toY = topOf(consumer) + 17;
    os << "<path d=\"M" << x << " " << y << " C" << x + kAcross / 2 << " " << y
       << " " << toX - kAcross / 2 << " " << toY << " " << toX << " " << toY
       << "\" stroke-width=\"" << 1 + Log2_64(uint64_t(ring.most) + 1) / 2
       << "\"><title>" << schedule::escapeMarkup(ring.ring) << ": "
       << ring.turns << " tokens, at most " << ring.most
       << " in the ring</title></path>\n";
  }

  void drawProcess(size_t process, raw_ostream &os) const {
    int64_t x = leftOf(process), y = topOf(process);
    double busy = shareOf(run.busy[process], run);
    int cold = int(255 - 150 * std::min(busy, 1.0));
    std::string spelled = schedule::escapeMarkup(run.processes[process]);
    os << "<g><title>" << spelled
       << format(": busy %.1f %%, without tokens %.1f %%, without room %.1f %%",
                 100 * busy, 100 * shareOf(run.starved[process], run),
                 100 * shareOf(run.blocked[process], run))
       << "</title><rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << kWidth
       << "\" height=\"" << kHeight << "\" rx=\"4\" fill=\"rgb(255," << cold
       << "," << cold << ")\" stroke=\"#888\"/><text x=\"" << x + 6 << "\" y=\""
       << y + 15 << "\">" << spelled << "</text>";
    double at = double(x) + 6;
    for (auto [part, colour] : {std::pair(run.busy[process], "#c0392b"),
                                std::pair(run.starved[process], "#5b8bd0"),
                                std::pair(run.blocked[process], "#e0b05a")}) {
      double width = double(kWidth - 12) * std::min(shareOf(part, run), 1.0);
      os << format("<rect x=\"%.1f\" y=\"%lld\" width=\"%.1f\" height=\"6\" "
                   "fill=\"%s\"/>",
                   at, static_cast<long long>(y + 22), width, colour);
      at += width;
    }
    os << "</g>\n";
  }

  std::string name;
  const TimedRun &run;
  int64_t top, columns = 0;
  std::vector<int64_t> column, row;
  std::vector<int64_t> bands = {0}; ///< rows above each, and in all
};

} // namespace

std::string heddle::tool::drawGraph(ArrayRef<NotedKernel> kernels) {
  std::vector<GraphPart> parts;
  int64_t width = 0, height = kTitle;
  for (const NotedKernel &kernel : kernels) {
    const GraphPart &part = parts.emplace_back(kernel, height);
    width = std::max(width, part.width());
    height += part.height();
  }
  std::string text;
  raw_string_ostream os(text);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width
     << "\" height=\"" << height
     << "\" font-family=\"sans-serif\" font-size=\"11\">\n<style>path{fill:"
        "none;stroke:#999;opacity:.7}</style>\n<text x=\"10\" y=\"14\">the "
        "redder, the busier; bars: busy (red), without tokens (blue), without "
        "room (yellow)</text>\n";
  for (const GraphPart &part : parts)
    part.draw(os);
  os << "</svg>\n";
  return text;
}

std::string heddle::tool::traceGraph(ArrayRef<NotedKernel> kernels) {
  std::vector<schedule::Timeline> timelines;
  std::vector<std::string> names;
  for (const NotedKernel &kernel : kernels) {
    timelines.push_back(timelineOf(kernel.run));
    names.push_back(kernel.name);
  }
  return schedule::writeTrace(timelines, names);
}
