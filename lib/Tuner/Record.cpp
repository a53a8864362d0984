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
#include "heddle/Tuner/Scenario.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace heddle;
using namespace heddle::tuner;
using llvm::StringRef;

static constexpr int kVersion = 1;

std::string heddle::tuner::identify(const Space &space) {
  uint64_t hash = 0xcbf29ce484222325; // of Fowler, Noll and Vo
  auto add = [&](StringRef text) {
    for (char c : text)
      hash = (hash ^ uint8_t(c)) * 0x100000001b3;
    hash = (hash ^ 0xff) * 0x100000001b3;
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
  return llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
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

static constexpr StringRef kLineStart = "{\"point\": ";

static std::string lineOf(const Space &space, const Told &told) {
  std::string line = kLineStart.str() + space.spell(told.point);
  llvm::raw_string_ostream stream(line);
  if (told.outcome.isValid)
    stream << ", \"value\": " << llvm::json::Value(told.outcome.value);
  else
    stream << ", \"invalid\": " << llvm::json::Value(told.outcome.reason);
  return line + "}\n";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::string readHeader(StringRef line, const Space &space,
                              const std::string *key) {
  std::string foundSpace, foundKey;
  std::string error =
      strict::parse(line, "the header", [&](const strict::Node &node) {
        strict::ObjectReader object(node);
        object.required("heddle_tune", [](const strict::Node &each) {
          each.integer(kVersion, kVersion);
        });
        object.required("space", [&](const strict::Node &each) {
          foundSpace = each.text();
        });
        object.required(
            "key", [&](const strict::Node &each) { foundKey = each.text(); });
      });
  if (!error.empty())
    return "line 1: " + error;
  if (foundSpace != identify(space))
    return "it is of another space: its parameters or constraints differ";
  if (key && foundKey != *key)
    return "it is for '" + foundKey + "', and this is '" + *key + "'";
  return "";
}

static std::string readTold(StringRef line, const Space &space, Told &told) {
  std::string error =
      strict::parse(line, "the line", [&](const strict::Node &node) {
        strict::ObjectReader object(node);
        object.required("point", [&](const strict::Node &each) {
          readPoint(each, space, told.point);
        });
        if (!object.has("invalid")) {
          object.required("value", [&](const strict::Node &each) {
            std::optional<double> value = each.json().getAsNumber();
            if (!value)
              each.expected("a number");
            told.outcome.value = value.value_or(0);
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

/// A line without an end is forgotten, and written over: its writer was killed.
/// "" if it can be such a line. What is not stands in a file of the user's.
static std::string refuseCut(StringRef line, size_t number,
                             const Space &space) {
  std::string header = headerOf(space, "");
  StringRef start = number == 1
                        ? StringRef(header).drop_back(StringRef("\"}\n").size())
                        : kLineStart;
  if (start.starts_with(line) || line.starts_with(start))
    return "";
  return "line " + std::to_string(number) +
         ": cut short, and it is not the beginning of a record's line";
}

std::string heddle::tuner::parseRecord(StringRef text, const Space &space,
                                       const std::string *key,
                                       std::vector<Told> &told,
                                       size_t &wholeBytes) {
  wholeBytes = 0;
  for (size_t number = 1; wholeBytes < text.size(); ++number) {
    size_t end = text.find('\n', wholeBytes);
    if (end == StringRef::npos)
      return refuseCut(text.substr(wholeBytes), number, space);
    StringRef line = text.slice(wholeBytes, end);
    if (number == 1) {
      if (std::string error = readHeader(line, space, key); !error.empty())
        return error;
    } else {
      Told one;
      if (std::string error = readTold(line, space, one); !error.empty())
        return "line " + std::to_string(number) + ": " + error;
      told.push_back(std::move(one));
    }
    wholeBytes = end + 1;
  }
  return "";
}

static llvm::Error refuse(const std::string &path, const std::string &reason) {
  return makeError(diag::tuner_record, path + ": " + reason);
}

llvm::Expected<std::vector<Told>>
heddle::tuner::readRecord(const std::string &path, const Space &space) {
  std::string reason;
  auto buffer = readFile(path, reason);
  if (!buffer)
    return makeError(diag::file_unreadable,
                     path + ": cannot be read: " + reason);
  std::vector<Told> told;
  size_t whole;
  if (std::string error =
          parseRecord(buffer->getBuffer(), space, nullptr, told, whole);
      !error.empty())
    return refuse(path, error);
  return told;
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
                                    const std::string &key) {
  Record record;
  record.descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (record.descriptor < 0)
    return makeError(diag::file_unwritable,
                     path + ": cannot be written: " + std::strerror(errno));
  if (::flock(record.descriptor, LOCK_EX | LOCK_NB) != 0)
    return refuse(path, "another tuner is writing it");
  std::string reason;
  auto buffer = readFile(path, reason);
  if (!buffer)
    return makeError(diag::file_unreadable,
                     path + ": cannot be read: " + reason);
  size_t whole;
  if (std::string error =
          parseRecord(buffer->getBuffer(), space, &key, record.found, whole);
      !error.empty())
    return refuse(path, error);
  if (whole < buffer->getBufferSize() &&
      ::ftruncate(record.descriptor, off_t(whole)) != 0)
    return makeError(diag::file_unwritable,
                     path + ": cannot be written: " + std::strerror(errno));
  if (whole == 0)
    if (std::string error = writeAll(record.descriptor, headerOf(space, key));
        !error.empty())
      return makeError(diag::file_unwritable,
                       path + ": cannot be written: " + error);
  return record;
}

Record::Record(Record &&other)
    : descriptor(std::exchange(other.descriptor, -1)),
      found(std::move(other.found)) {}

Record::~Record() {
  if (descriptor >= 0)
    ::close(descriptor); // and gives the lock back
}

std::string Record::append(const Space &space, const Told &told) {
  off_t before = ::lseek(descriptor, 0, SEEK_END);
  std::string reason = writeAll(descriptor, lineOf(space, told));
  // A part of a line would spoil the next one.
  if (!reason.empty() && before >= 0 && ::ftruncate(descriptor, before) != 0)
    return reason + ", and what was written of it is left";
  return reason;
}
