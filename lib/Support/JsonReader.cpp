//===- JsonReader.cpp - Strict reading of JSON with paths in errors -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/JsonReader.h"

#include "heddle/Support/Nesting.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <exception>
#include <set>

using namespace heddle::strict;
namespace json = llvm::json;

std::string heddle::strict::describe(const json::Value &value) {
  if (const json::Array *array = value.getAsArray())
    return "a list of " + std::to_string(array->size());
  if (value.getAsObject())
    return "an object";
  std::string text;
  llvm::raw_string_ostream(text) << value;
  if (text.size() > 60)
    text = text.substr(0, 57) + "...";
  return text;
}

std::optional<uint64_t>
heddle::strict::toUnsigned(const llvm::json::Value &value) {
  std::optional<double> number = value.getAsNumber();
  return number && *number >= 0x1p64 ? std::nullopt : value.getAsUINT64();
}

std::optional<int64_t>
heddle::strict::toInteger(const llvm::json::Value &value) {
  std::optional<double> number = value.getAsNumber();
  if (!number || *number < 0x1p63)
    return value.getAsInteger();
  // The greatest integers are 2^63 as doubles.
  std::optional<uint64_t> exact = toUnsigned(value);
  return exact && *exact <= INT64_MAX ? std::optional(int64_t(*exact))
                                      : std::nullopt;
}

void Node::expected(const std::string &expected) const {
  if (sink->failed())
    return;
  std::string where = path.empty() ? sink->whole : path;
  sink->text = where + ": expected " + expected + ", found " + describe(*value);
}

int64_t Node::integer(int64_t min, int64_t max) const {
  if (std::optional<int64_t> number = toInteger(*value))
    if (*number >= min && *number <= max)
      return *number;
  std::string range = max == INT64_MAX && min == INT64_MIN ? "an integer"
                      : max == INT64_MAX
                          ? "an integer of at least " + std::to_string(min)
                          : "an integer from " + std::to_string(min) + " to " +
                                std::to_string(max);
  expected(range);
  return min;
}

std::string Node::text() const {
  if (std::optional<llvm::StringRef> text = value->getAsString())
    return text->str();
  expected("a string");
  return {};
}

bool Node::boolean() const {
  if (std::optional<bool> flag = value->getAsBoolean())
    return *flag;
  expected("true or false");
  return false;
}

void Node::list(llvm::function_ref<void(const Node &)> each) const {
  const json::Array *array = value->getAsArray();
  if (!array)
    return expected("a list");
  for (size_t i = 0; i < array->size() && !failed(); ++i)
    each(Node((*array)[i], path + "[" + std::to_string(i) + "]", *sink));
}

std::vector<Node> Node::tuple(size_t count, const std::string &what) const {
  const json::Array *array = value->getAsArray();
  if (!array || array->size() != count) {
    expected(what);
    return {};
  }
  std::vector<Node> nodes;
  for (size_t i = 0; i < count; ++i)
    nodes.emplace_back((*array)[i], path + "[" + std::to_string(i) + "]",
                       *sink);
  return nodes;
}

ObjectReader::ObjectReader(const Node &node)
    : node(node), object(node.value->getAsObject()),
      exceptionsBefore(std::uncaught_exceptions()) {
  if (!object)
    node.expected("an object");
}

ObjectReader::~ObjectReader() noexcept(false) {
  if (!object || node.failed() || std::uncaught_exceptions() > exceptionsBefore)
    return;
  std::set<std::string> unknown; // sorted: the error must not depend on hashing
  for (const auto &[key, value] : *object)
    if (std::find(known.begin(), known.end(), key.str()) == known.end())
      unknown.insert(key.str());
  if (unknown.empty())
    return;
  std::string fields;
  for (const std::string &key : known)
    fields += (fields.empty() ? "" : ", ") + key;
  std::string where = node.path.empty() ? "" : node.path + ".";
  node.sink->text = where + *unknown.begin() +
                    ": unknown field; the fields here are " + fields;
}

void ObjectReader::required(llvm::StringRef key,
                            llvm::function_ref<void(const Node &)> read) {
  if (!object || node.failed())
    return;
  if (!object->get(key)) {
    std::string where =
        node.path.empty() ? key.str() : node.path + "." + key.str();
    node.sink->text = where + ": the field is missing";
    return;
  }
  optional(key, read);
}

void ObjectReader::optional(llvm::StringRef key,
                            llvm::function_ref<void(const Node &)> read) {
  known.push_back(key.str());
  if (!object || node.failed())
    return;
  if (const json::Value *value = object->get(key))
    read(node.at(*value, key.str()));
}

bool ObjectReader::has(llvm::StringRef key) const {
  return object && object->get(key);
}

// LLVM's parser recurses; a file that nests deeper than any of heddle's must
// not overflow the caller's stack.
static constexpr int kMaxNesting = 128;
/// A value takes forty bytes of memory for two of text.
static constexpr size_t kLongestJson = size_t(16) << 20;

std::string heddle::strict::parse(llvm::StringRef text,
                                  const std::string &whole,
                                  llvm::function_ref<void(const Node &)> read) {
  if (text.size() > kLongestJson)
    return whole + ": longer than " + std::to_string(kLongestJson) +
           " bytes, which none of heddle's files is";
  if (heddle::nestsDeeperThan(text, kMaxNesting))
    return whole + ": nested deeper than " + std::to_string(kMaxNesting) +
           " levels, which none of heddle's files is";
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return whole + ": not JSON: " + llvm::toString(value.takeError());
  ErrorSink sink{whole, ""};
  read(Node(*value, "", sink));
  return sink.text;
}
