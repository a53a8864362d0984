//===- Options.cpp - The options of a call, from JSON ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/JsonReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace heddle;
using namespace heddle::compiler;
using namespace llvm;

namespace {

/// Reads the fields that it is asked for; `finish` objects to the others.
class Fields {
public:
  explicit Fields(const json::Object &object) : object(object) {}

  /// `convert` makes an optional of the field's value.
  template <class Value, class Convert>
  void read(StringRef name, StringRef what, Value &value, Convert convert) {
    known.push_back(name);
    const json::Value *found = object.get(name);
    if (!found)
      return;
    if (auto converted = convert(*found))
      value = std::move(*converted);
    else if (fault.empty())
      fault = ("option '" + name + "' must be " + what).str();
  }

  Error finish() {
    for (const auto &field : object)
      if (fault.empty() && !is_contained(known, StringRef(field.first)))
        fault = ("there is no option '" + StringRef(field.first) +
                 "'; there are " + join(known, ", "))
                    .str();
    return fault.empty() ? Error::success()
                         : diag::makeError(diag::usage, fault);
  }

private:
  const json::Object &object;
  SmallVector<StringRef> known;
  std::string fault;
};

} // namespace

static Expected<json::Object> parseObject(const char *text) {
  if (!text || !*text)
    return json::Object();
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return diag::makeError(diag::usage, "the options are not JSON: " +
                                            toString(value.takeError()));
  if (json::Object *object = value->getAsObject())
    return std::move(*object);
  return diag::makeError(diag::usage, "the options must be a JSON object");
}

static std::optional<std::string> toText(const json::Value &value) {
  if (auto text = value.getAsString())
    return text->str();
  return std::nullopt;
}

template <class Element>
static std::optional<std::vector<Element>>
toList(const json::Value &value,
       std::optional<Element> (*convert)(const json::Value &)) {
  const json::Array *array = value.getAsArray();
  std::vector<Element> list;
  for (const json::Value &element : array ? *array : json::Array())
    if (auto converted = convert(element))
      list.push_back(std::move(*converted));
    else
      return std::nullopt;
  return array ? std::optional(std::move(list)) : std::nullopt;
}

static std::optional<std::vector<std::string>>
toTexts(const json::Value &value) {
  return toList(value, toText);
}

static std::optional<tilechoice::OtherTiles>
toOtherTiles(const json::Value &value) {
  if (auto text = value.getAsString())
    return tilechoice::OtherTiles::readAutomatic(*text);
  auto listed = toList(value, toTexts);
  if (!listed)
    return std::nullopt;
  tilechoice::OtherTiles others;
  others.settings = std::move(*listed);
  return others;
}

static std::optional<bool> toBool(const json::Value &value) {
  return value.getAsBoolean();
}

static std::optional<pipeline::Assume> toAssume(const json::Value &value) {
  using pipeline::Assume;
  return StringSwitch<std::optional<Assume>>(value.getAsString().value_or(""))
      .Case("checked", Assume::Checked)
      .Case("nothing", Assume::Nothing)
      .Case("either", Assume::Either)
      .Default(std::nullopt);
}

static std::optional<emulator::Schedule> toOrder(const json::Value &value) {
  using emulator::Schedule;
  return StringSwitch<std::optional<Schedule>>(value.getAsString().value_or(""))
      .Case("fair", Schedule::Fair)
      .Case("random", Schedule::Random)
      .Case("adversarial", Schedule::Adversarial)
      .Default(std::nullopt);
}

Expected<CompileOptions>
heddle::compiler::readCompileOptions(const char *json) {
  Expected<json::Object> object = parseObject(json);
  if (!object)
    return object.takeError();
  CompileOptions options;
  Fields fields(*object);
  fields.read("path", "a text", options.path, toText);
  fields.read("settings", "a list of NAME=VALUE", options.settings, toTexts);
  fields.read("or_tile",
              "a list of lists of NAME=VALUE, auto, or auto:COUNT with a COUNT "
              "of 1 to " +
                  std::to_string(tilechoice::OtherTiles::kMostCounted),
              options.orTile, toOtherTiles);
  fields.read("schedule", "a text", options.schedule, toText);
  fields.read("machine", "a text", options.machine, toText);
  fields.read("assume", "checked, nothing or either", options.assume, toAssume);
  fields.read("debug_waits", "true or false", options.debugWaits, toBool);
  if (Error error = fields.finish())
    return error;
  return options;
}

Expected<EmulateOptions>
heddle::compiler::readEmulateOptions(const char *json) {
  Expected<json::Object> object = parseObject(json);
  if (!object)
    return object.takeError();
  EmulateOptions options;
  Fields fields(*object);
  fields.read("order", "fair, random or adversarial", options.emulator.schedule,
              toOrder);
  fields.read("seed", "an integer of at least 0", options.emulator.seed,
              strict::toUnsigned);
  fields.read("sms", "an integer of at least 1", options.multiprocessors,
              [](const json::Value &value) {
                auto number = strict::toInteger(value);
                bool isGood = number && *number >= 1 && *number <= 4096;
                return isGood ? number : std::nullopt;
              });
  fields.read("races", "true or false", options.emulator.checkRaces, toBool);
  if (Error error = fields.finish())
    return error;
  return options;
}
