//===- PtxFacts.cpp - What an entry's code shows to a glance --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two passes over the lines: the first finds the instructions of interest and
// the registers that they take, the second what defines these.
//
//===----------------------------------------------------------------------===//

#include "PtxFacts.h"

#include <algorithm>

using namespace heddle::manifest;

namespace {

bool startsWith(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// A decimal number and nothing else; -1 otherwise.
int64_t numberIn(std::string_view text) {
  if (text.empty() || text.size() > 15)
    return -1;
  int64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9')
      return -1;
    value = 10 * value + (c - '0');
  }
  return value;
}

/// What stands in the brackets number `index` of a line, without "[".
std::string_view bracket(std::string_view line, int index) {
  size_t at = 0;
  for (; index >= 0; --index) {
    at = line.find('[', at);
    if (at == line.npos)
      return {};
    ++at;
  }
  return trimmed(line.substr(at, line.find(']', at) - at));
}

std::string_view withoutGuard(std::string_view line) {
  if (line[0] != '@')
    return line;
  size_t end = line.find_first_of(" \t");
  return end == line.npos ? line : trimmed(line.substr(end));
}

struct Definition {
  int count = 0;
  std::string_view source; ///< of a plain copy, else ""
};

class Reader {
public:
  Reader(const PtxEntry &entry, std::string_view shared)
      : entry(entry), shared(shared) {}
  PtxFacts read();

private:
  template <class Visit> void forEachLine(Visit visit);
  void visit(std::string_view line);
  void visitCopy(std::string_view line, bool isPredicated);
  void visitGlobal(std::string_view line);
  void readSharedOffsets();
  void need(std::string_view name) {
    definitions[name];
    isNeeded[placeOf(name)] = true;
  }
  /// Most lines define a register that nobody asked for.
  static size_t placeOf(std::string_view name) {
    size_t place = name.size();
    for (char c : name)
      place = 31 * place + static_cast<unsigned char>(c);
    return place % 1021;
  }
  void visitDefinition(std::string_view line);
  void resolve();
  int64_t valueOf(std::string_view operand) const;
  int paramOf(std::string_view name) const;
  int64_t sharedOffsetOf(std::string_view address) const;

  const PtxEntry &entry;
  std::string_view shared;
  PtxFacts facts;
  std::map<std::string_view, Definition> definitions;
  std::array<bool, 1021> isNeeded = {};
  std::vector<std::string_view> mapRegisters;   ///< of each copy
  std::vector<std::string_view> announcedBytes; ///< of each announcement
  std::vector<std::pair<std::string_view, std::string_view>> initialised;
  std::map<std::string_view, size_t> open; ///< announcements by their barrier
};

} // namespace

template <class Visit> void Reader::forEachLine(Visit visit) {
  std::string_view text = entry.body;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    size_t begin = line.find_first_not_of(" \t");
    if (begin != line.npos && line[begin] != '/' && line[begin] != '.')
      visit(line.substr(begin));
  }
}

int Reader::paramOf(std::string_view name) const {
  // A register that one line sets, from a parameter or another such register.
  for (int step = 0; step < 4; ++step) {
    for (size_t i = 0; i < entry.params.size(); ++i)
      if (entry.params[i].name == name)
        return static_cast<int>(i);
    auto found = definitions.find(name);
    if (found == definitions.end() || found->second.count != 1)
      return -1;
    name = found->second.source;
  }
  return -1;
}

int64_t Reader::valueOf(std::string_view operand) const {
  if (int64_t number = numberIn(operand); number >= 0)
    return number;
  auto found = definitions.find(operand);
  bool isPlain = found != definitions.end() && found->second.count == 1;
  return isPlain ? numberIn(found->second.source) : -1;
}

int64_t Reader::sharedOffsetOf(std::string_view address) const {
  if (shared.empty() || !startsWith(address, shared))
    return -1;
  address.remove_prefix(shared.size());
  if (address.empty())
    return 0;
  return address[0] == '+' ? numberIn(trimmed(address.substr(1))) : -1;
}

/// cp.async.bulk.tensor.2d.shared::cluster.global... [to], [map, {..}],
/// [barrier] cp.async.bulk.tensor.2d.global.shared::cta... [map, {..}], [from]
void Reader::visitCopy(std::string_view line, bool isPredicated) {
  PtxTensorCopy copy;
  std::string_view opcode = line.substr(0, line.find_first_of(" \t"));
  size_t at = opcode.find(".tensor.") + 8;
  if (at + 2 >= opcode.size())
    return;
  copy.rank = opcode[at] - '0';
  copy.isLoad = startsWith(opcode.substr(at + 2), ".shared");
  copy.isIm2col = opcode.find(".im2col") != std::string_view::npos;
  std::string_view map = bracket(line, copy.isLoad ? 1 : 0);
  map = trimmed(map.substr(0, map.find(',')));
  copy.sharedOffset = sharedOffsetOf(bracket(line, copy.isLoad ? 0 : 1));
  need(map);
  mapRegisters.push_back(map);
  if (copy.isLoad) {
    auto group = open.find(bracket(line, 2));
    if (group != open.end()) {
      PtxAnnouncement &announcement = facts.announcements[group->second];
      announcement.loads.push_back(static_cast<int>(facts.copies.size()));
      announcement.isStraight &= !isPredicated;
    } else {
      facts.knowsLoads = false;
    }
  }
  facts.copies.push_back(copy);
}

void Reader::visitGlobal(std::string_view line) {
  std::string_view opcode = line.substr(0, line.find_first_of(" \t"));
  if (opcode.find(".global") == opcode.npos)
    return; // atomics of shared memory
  facts.writesGlobal |= line[0] != 'l';
  size_t vector = opcode.find(".v");
  size_t type = opcode.rfind('.');
  if (vector == opcode.npos || vector + 2 >= opcode.size())
    return;
  int64_t bits = numberIn(opcode.substr(std::min(type + 2, opcode.size())));
  int64_t count = opcode[vector + 2] - '0';
  if (bits > 0 && count >= 2 && count <= 8)
    facts.widestAccess = std::max(facts.widestAccess, count * bits / 8);
}

void Reader::visit(std::string_view line) {
  bool isPredicated = line[0] == '@';
  line = withoutGuard(line);
  if (line.empty())
    return;
  bool isLabel = line[0] == '$' || line[0] == '}' || line[0] == '{';
  if (isLabel || startsWith(line, "bra") || startsWith(line, "ret")) {
    open.clear();
    return;
  }
  if (startsWith(line, "mbarrier.")) {
    std::string_view opcode = line.substr(0, line.find_first_of(" \t"));
    std::string_view operand =
        trimmed(line.substr(std::min(line.rfind(','), line.size() - 1) + 1));
    operand = trimmed(operand.substr(0, operand.find(';')));
    if (startsWith(opcode, "mbarrier.init")) {
      need(operand);
      initialised.emplace_back(bracket(line, 0), operand);
    } else if (opcode.find("expect_tx") != opcode.npos) {
      need(operand);
      if (auto same = open.find(bracket(line, 0)); same != open.end())
        facts.announcements[same->second].isStraight = false;
      open[bracket(line, 0)] = facts.announcements.size();
      facts.announcements.emplace_back().isStraight = !isPredicated;
      announcedBytes.push_back(operand);
    }
  } else if (startsWith(line, "cvta.param")) {
    // A map's address: asked for now, one pass finds all definitions.
    size_t comma = std::min(line.find(','), line.size() - 1);
    need(trimmed(line.substr(comma + 1, line.find(';') - comma - 1)));
  } else if (startsWith(line, "cp.async.bulk.tensor.") ||
             startsWith(line, "cp.reduce.async.bulk.tensor.")) {
    visitCopy(line, isPredicated);
  } else if (startsWith(line, "ld.global") || startsWith(line, "st.global") ||
             startsWith(line, "atom.") || startsWith(line, "red.")) {
    visitGlobal(line);
  }
}

void Reader::readSharedOffsets() {
  if (shared.empty())
    return;
  std::string_view text = entry.body;
  for (size_t at = text.find(shared); at != text.npos;
       at = text.find(shared, at + shared.size())) {
    size_t begin = at + shared.size();
    if (begin >= text.size() || text[begin] != '+')
      continue;
    ++begin;
    size_t end =
        std::min(text.find_first_not_of("0123456789", begin), text.size());
    facts.mostSharedOffset = std::max(
        facts.mostSharedOffset, numberIn(text.substr(begin, end - begin)));
  }
}

void Reader::visitDefinition(std::string_view line) {
  line = withoutGuard(line);
  size_t at = line.find('%');
  if (at == line.npos || at == 0 ||
      (line[at - 1] != ' ' && line[at - 1] != '\t'))
    return;
  std::string_view rest = line.substr(at);
  size_t comma = std::min(rest.find_first_of(",;"), rest.size());
  std::string_view name = trimmed(rest.substr(0, comma));
  if (!isNeeded[placeOf(name)])
    return;
  auto found = definitions.find(name);
  if (found == definitions.end() ||
      line.substr(0, at).find_first_of("[{") != line.npos)
    return;
  ++found->second.count;
  bool isCopy = startsWith(line, "mov.") || startsWith(line, "cvta.");
  if (isCopy && comma < rest.size())
    found->second.source =
        trimmed(rest.substr(comma + 1, rest.find(';') - comma - 1));
}

/// Registers, and those that they are copies of: a map's address is converted.
void Reader::resolve() {
  for (int round = 0; round < 2 && !definitions.empty(); ++round) {
    for (auto &[name, definition] : definitions)
      definition = {};
    forEachLine([&](std::string_view line) { visitDefinition(line); });
    std::vector<std::string_view> sources;
    for (auto &[name, definition] : definitions)
      if (!definition.source.empty() && definition.source[0] == '%')
        sources.push_back(definition.source);
    size_t before = definitions.size();
    for (std::string_view source : sources)
      need(source);
    if (definitions.size() == before)
      return;
  }
}

PtxFacts Reader::read() {
  forEachLine([&](std::string_view line) { visit(line); });
  readSharedOffsets();
  resolve();
  for (size_t i = 0; i < facts.copies.size(); ++i)
    facts.copies[i].param = paramOf(mapRegisters[i]);
  for (size_t i = 0; i < facts.announcements.size(); ++i)
    facts.announcements[i].bytes = valueOf(announcedBytes[i]);
  for (auto [address, count] : initialised) {
    int64_t offset = sharedOffsetOf(address);
    facts.knowsBarriers &= offset >= 0;
    facts.barriers[offset] = valueOf(count);
  }
  return std::move(facts);
}

PtxFacts heddle::manifest::readPtxFacts(const PtxEntry &entry,
                                        std::string_view dynamicShared) {
  return Reader(entry, dynamicShared).read();
}
