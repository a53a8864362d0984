//===- Record.cpp - What was measured, on disk ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "heddle/Tuner/Record.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Tuner.h"
#include "heddle/Support/Files.h"
#include "heddle/Support/JsonReader.h"
#include "heddle/Support/TextHash.h"
#include "heddle/Tuner/Scenario.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace heddle;
using namespace heddle::tuner;
using llvm::SmallVector;
using llvm::StringRef;

static constexpr int kVersion = 2; // 1 had no spaces

std::string heddle::tuner::identify(const Space &space) {
  TextHash hash;
  auto add = [&](StringRef text) {
    hash.add(text);
    hash.add(uint8_t(0xff)); // is in no text
  };
  for (const Parameter &parameter : space.parameters()) {
    add(parameter.name);
    add(std::to_string(int(parameter.kind)) + " " +
        std::to_string(parameter.items));
    add(parameter.activeIf);
    for (size_t k = 0; k < parameter.numbers.size(); ++k)
      add(spell(parameter, Word(k)));
    for (const std::string &text : parameter.texts)
      add(text);
    if (parameter.kind == Kind::Real)
      add(spell(parameter, packReal(parameter.low)) + " " +
          spell(parameter, packReal(parameter.high)));
    if (parameter.kind == Kind::Integer)
      add(std::to_string(parameter.first) + " " +
          std::to_string(parameter.last));
  }
  for (const Constraint &constraint : space.constraints())
    add(constraint.text);
  return hash.digits();
}

static std::string headerOf(const Space &space, const std::string &key) {
  std::string line;
  llvm::raw_string_ostream stream(line);
  llvm::json::OStream json(stream);
  json.object([&] {
    json.attribute("heddle_tune", kVersion);
    json.attribute("space", identify(space));
    json.attribute("key", key);
  });
  return line + "\n";
}

/// What lines begin with, each of its kind.
static constexpr StringRef kSpaceStart = "{\"input_parameters\": {",
                           kPointStart = "{\"point\": ",
                           kEndStart = "{\"end\": ",
                           kConfirmedStart = "{\"confirmed\": ";

static std::string lineOf(const Space &space, const Told &told) {
  std::string line = kPointStart.str() + space.spell(told.point);
  llvm::raw_string_ostream stream(line);
  if (told.outcome.isValid)
    stream << ", \"value\": " << llvm::json::Value(told.outcome.value);
  else
    stream << ", \"invalid\": " << llvm::json::Value(told.outcome.reason);
  if (!told.outcome.code.empty())
    stream << ", \"code\": " << llvm::json::Value(told.outcome.code);
  return line + "}\n";
}

static constexpr std::pair<StringRef, Ending::Why> kEndings[] = {
    {"budget", Ending::Why::Budget},
    {"points", Ending::Why::Points},
    {"bounds", Ending::Why::Bounds},
    {"twins", Ending::Why::Twins}};

static std::string lineOf(const Ending &ending) {
  std::string line = kEndStart.str();
  llvm::raw_string_ostream stream(line);
  for (auto [name, why] : kEndings)
    if (why == ending.why)
      stream << llvm::json::Value(name);
  const Claim &claim = ending.claim;
  if (claim.broken >= 0)
    stream << ", \"broken\": " << claim.broken
           << ", \"bound\": " << llvm::json::Value(claim.brokenBound);
  if (claim.isKnown) {
    stream << ", \"points\": " << int64_t(claim.points)
           << ", \"refused\": " << int64_t(claim.refused)
           << ", \"slower\": " << int64_t(claim.slower)
           << ", \"open\": " << int64_t(claim.open);
    if (std::isfinite(claim.least))
      stream << ", \"least\": " << llvm::json::Value(claim.least);
  }
  return line + "}\n";
}

static std::string lineOf(const Space &space, const Verdict &verdict) {
  std::string line = kConfirmedStart.str() + space.spell(verdict.winner);
  llvm::raw_string_ostream stream(line);
  stream << ", \"win\": " << (verdict.isWin ? "true" : "false");
  for (auto [name, value] :
       {std::pair("share", verdict.share), std::pair("low", verdict.low),
        std::pair("high", verdict.high), std::pair("noise", verdict.noise)})
    stream << ", \"" << name << "\": " << llvm::json::Value(value);
  stream << ", \"rounds\": " << verdict.rounds;
  return line + "}\n";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::string readHeader(StringRef line, std::string &space,
                              std::string &key) {
  int64_t version = 0;
  std::string error =
      strict::parse(line, "the header", [&](const strict::Node &node) {
        strict::ObjectReader object(node);
        object.required("heddle_tune", [&](const strict::Node &each) {
          version = each.integer(1, INT32_MAX);
        });
        object.required("space",
                        [&](const strict::Node &each) { space = each.text(); });
        object.required("key",
                        [&](const strict::Node &each) { key = each.text(); });
      });
  if (!error.empty())
    return "line 1: " + error;
  if (version != kVersion)
    return "line 1: a record of version " + std::to_string(version) +
           "; this heddle reads version " + std::to_string(kVersion);
  return "";
}

static std::string refuseHeader(StringRef line, const Space &space,
                                const std::string *key) {
  std::string foundSpace, foundKey;
  if (std::string error = readHeader(line, foundSpace, foundKey);
      !error.empty())
    return error;
  if (foundSpace != identify(space))
    return "it is of another space: its parameters or constraints differ";
  if (key && foundKey != *key)
    return "it is for '" + foundKey + "', and this is '" + *key + "'";
  return "";
}

static void readNumber(const strict::Node &node, double &number) {
  std::optional<double> value = node.json().getAsNumber();
  if (!value)
    node.expected("a number");
  number = value.value_or(0);
}

static std::string readTold(StringRef line, const Space &space, Told &told) {
  std::string error =
      strict::parse(line, "the line", [&](const strict::Node &node) {
        strict::ObjectReader object(node);
        object.required("point", [&](const strict::Node &each) {
          readPoint(each, space, told.point);
        });
        object.optional("code", [&](const strict::Node &each) {
          told.outcome.code = each.text();
        });
        if (!object.has("invalid")) {
          object.required("value", [&](const strict::Node &each) {
            readNumber(each, told.outcome.value);
          });
          return;
        }
        object.required("invalid", [&](const strict::Node &each) {
          told.outcome.isValid = false;
          told.outcome.reason = each.text();
        });
      });
  if (error.empty() && !space.contains(told.point))
    return "the point is none of the space";
  return error;
}

static void readClaim(strict::ObjectReader &object, size_t told, Claim &claim) {
  object.optional("broken", [&](const strict::Node &each) {
    if (told == 0)
      return each.expected("no point before the first");
    claim.broken = int(each.integer(0, int64_t(told) - 1));
    object.required("bound", [&](const strict::Node &bound) {
      readNumber(bound, claim.brokenBound);
    });
  });
  if (!object.has("points"))
    return;
  claim.isKnown = true;
  claim.least = std::numeric_limits<double>::infinity();
  for (auto [name, count] :
       {std::pair("points", &claim.points),
        std::pair("refused", &claim.refused),
        std::pair("slower", &claim.slower), std::pair("open", &claim.open)})
    object.required(name, [&, into = count](const strict::Node &each) {
      *into = Count(each.integer(0, INT64_MAX));
    });
  object.optional("least", [&](const strict::Node &each) {
    readNumber(each, claim.least);
  });
}

static std::string readEnding(StringRef line, size_t told, Ending &ending) {
  return strict::parse(line, "the line", [&](const strict::Node &node) {
    strict::ObjectReader object(node);
    object.required("end", [&](const strict::Node &each) {
      std::string found = each.text();
      for (auto [name, why] : kEndings)
        if (name == found) {
          ending.why = why;
          return;
        }
      each.expected("budget, points, bounds or twins");
    });
    readClaim(object, told, ending.claim);
  });
}

static std::string readVerdict(StringRef line, const Space &space,
                               Verdict &verdict) {
  std::string error =
      strict::parse(line, "the line", [&](const strict::Node &node) {
        strict::ObjectReader object(node);
        object.required("confirmed", [&](const strict::Node &each) {
          readPoint(each, space, verdict.winner);
        });
        object.required("win", [&](const strict::Node &each) {
          verdict.isWin = each.boolean();
        });
        for (auto [name, number] :
             {std::pair("share", &verdict.share),
              std::pair("low", &verdict.low), std::pair("high", &verdict.high),
              std::pair("noise", &verdict.noise)})
          object.required(name, [into = number](const strict::Node &each) {
            readNumber(each, *into);
          });
        object.required("rounds", [&](const strict::Node &each) {
          verdict.rounds = int(each.integer(0, INT32_MAX));
        });
      });
  if (error.empty() && !space.contains(verdict.winner))
    return "the point is none of the space";
  return error;
}

/// A line of a record below its space.
static std::string readLine(StringRef line, const Space &space,
                            Recorded &found) {
  if (line.starts_with(kEndStart)) {
    Ending ending;
    std::string error = readEnding(line, found.told.size(), ending);
    if (error.empty())
      found.ending = ending;
    return error;
  }
  if (line.starts_with(kConfirmedStart)) {
    Verdict verdict;
    std::string error = readVerdict(line, space, verdict);
    if (error.empty())
      found.verdict = std::move(verdict);
    return error;
  }
  found.ending.reset(); // it was not the end
  found.verdict.reset();
  Told told;
  std::string error = readTold(line, space, told);
  if (error.empty())
    found.told.push_back(std::move(told));
  return error;
}

/// A line without an end is forgotten, and written over: its writer was killed.
/// "" if it can be such a line. What is not stands in a file of the user's.
static std::string refuseCut(StringRef line, size_t number,
                             const Space &space) {
  std::string header = headerOf(space, "");
  SmallVector<StringRef, 3> starts = {kPointStart, kEndStart, kConfirmedStart};
  if (number == 1)
    starts = {StringRef(header).drop_back(StringRef("\"}\n").size())};
  if (number == 2)
    starts = {kSpaceStart};
  for (StringRef start : starts)
    if (start.starts_with(line) || line.starts_with(start))
      return "";
  return "line " + std::to_string(number) +
         ": cut short, and it is not the beginning of a record's line";
}

/// The sentence of an error; the record's has an id of its own.
static std::string withoutId(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  return text.substr(0, text.rfind(" ["));
}

/// The space is not built: the header's digits tell it apart.
static std::string refuseSpace(StringRef line) {
  llvm::Expected<Scenario> scenario = parseScenario(line);
  return scenario ? "" : withoutId(scenario.takeError());
}

std::string heddle::tuner::parseRecord(StringRef text, const Space &space,
                                       const std::string *key, Recorded &found,
                                       size_t &wholeBytes) {
  wholeBytes = 0;
  size_t at = 0;
  for (size_t number = 1; at < text.size(); ++number) {
    size_t end = text.find('\n', at);
    if (end == StringRef::npos)
      return refuseCut(text.substr(at), number, space);
    StringRef line = text.slice(at, end);
    if (number == 1) {
      if (std::string error = refuseHeader(line, space, key); !error.empty())
        return error;
    } else {
      std::string error =
          number == 2 ? refuseSpace(line) : readLine(line, space, found);
      if (!error.empty())
        return "line " + std::to_string(number) + ": " + error;
    }
    at = end + 1;
    if (number > 1)
      wholeBytes = at;
  }
  return "";
}

static llvm::Error refuse(const std::string &path, const std::string &reason) {
  return makeError(diag::tuner_record, path + ": " + reason);
}

/// The text of a record.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readText(const std::string &path) {
  std::string reason;
  auto buffer = readFile(path, reason);
  if (!buffer)
    return makeError(diag::file_unreadable,
                     path + ": cannot be read: " + reason);
  return std::move(buffer);
}

llvm::Expected<std::vector<Told>>
heddle::tuner::readRecord(const std::string &path, const Space &space) {
  auto text = readText(path);
  if (!text)
    return text.takeError();
  Recorded found;
  size_t whole;
  if (std::string error =
          parseRecord((*text)->getBuffer(), space, nullptr, found, whole);
      !error.empty())
    return refuse(path, error);
  return std::move(found.told);
}

llvm::Expected<WholeRecord>
heddle::tuner::readWholeRecord(const std::string &path) {
  auto text = readText(path);
  if (!text)
    return text.takeError();
  StringRef lines = (*text)->getBuffer();
  auto [header, rest] = lines.split('\n');
  std::string space, key;
  if (std::string error = readHeader(header, space, key); !error.empty())
    return refuse(path, error);
  llvm::Expected<Scenario> scenario = parseScenario(rest.split('\n').first);
  if (!scenario)
    return refuse(path, "line 2: " + withoutId(scenario.takeError()));
  llvm::Expected<Space> made = makeSpace(*scenario);
  if (!made)
    return refuse(path, "line 2: " + withoutId(made.takeError()));
  WholeRecord record{key, std::move(*made), scenario->isLogOutput, {}};
  size_t whole;
  if (std::string error =
          parseRecord(lines, record.space, nullptr, record.lines, whole);
      !error.empty())
    return refuse(path, error);
  return record;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// All of it; "" or why not.
static std::string writeAll(int descriptor, StringRef text) {
  while (!text.empty()) {
    ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return std::strerror(errno);
    text = text.drop_front(size_t(written));
  }
  return "";
}

llvm::Expected<Record> Record::open(const std::string &path, const Space &space,
                                    const std::string &key, bool isLogOutput) {
  Record record;
  record.descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (record.descriptor < 0)
    return makeError(diag::file_unwritable,
                     path + ": cannot be written: " + std::strerror(errno));
  if (::flock(record.descriptor, LOCK_EX | LOCK_NB) != 0)
    return refuse(path, "another tuner is writing it");
  auto text = readText(path);
  if (!text)
    return text.takeError();
  size_t whole;
  if (std::string error =
          parseRecord((*text)->getBuffer(), space, &key, record.found, whole);
      !error.empty())
    return refuse(path, error);
  if (whole < (*text)->getBufferSize() &&
      ::ftruncate(record.descriptor, off_t(whole)) != 0)
    return makeError(diag::file_unwritable,
                     path + ": cannot be written: " + std::strerror(errno));
  if (record.found.ending)
    record.lastEnd = lineOf(*record.found.ending);
  if (whole == 0)
    if (std::string error = writeAll(
            record.descriptor,
            headerOf(space, key) + writeScenario(space, isLogOutput) + "\n");
        !error.empty())
      return makeError(diag::file_unwritable,
                       path + ": cannot be written: " + error);
  return record;
}

Record::Record(Record &&other)
    : descriptor(std::exchange(other.descriptor, -1)),
      found(std::move(other.found)), lastEnd(std::move(other.lastEnd)) {}

Record::~Record() {
  if (descriptor >= 0)
    ::close(descriptor); // and gives the lock back
}

std::string Record::write(const std::string &line) {
  off_t before = ::lseek(descriptor, 0, SEEK_END);
  std::string reason = writeAll(descriptor, line);
  // A part of a line would spoil the next one.
  if (!reason.empty() && before >= 0 && ::ftruncate(descriptor, before) != 0)
    return reason + ", and what was written of it is left";
  return reason;
}

std::string Record::append(const Space &space, const Told &told) {
  lastEnd.clear();
  return write(lineOf(space, told));
}

std::string Record::end(const Ending &ending) {
  std::string line = lineOf(ending);
  if (line == lastEnd)
    return "";
  lastEnd = line;
  return write(line);
}

std::string Record::confirm(const Space &space, const Verdict &verdict) {
  return write(lineOf(space, verdict));
}
