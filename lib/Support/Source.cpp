//===- Source.cpp - Program text with its settings applied
//-----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/Source.h"

#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using llvm::StringRef;

namespace {

/// `!in = f16 // comment` as its parts.
struct AliasLine {
  StringRef name; // with its sigil
  StringRef head; // up to and including "= "
  StringRef value;
  StringRef tail; // blanks and comment
};

bool isNameChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

std::optional<AliasLine> parseAlias(StringRef line) {
  StringRef rest = line.ltrim(" \t");
  if (rest.empty() || (rest[0] != '!' && rest[0] != '#'))
    return std::nullopt;
  StringRef name =
      rest.take_front(1 + rest.drop_front().take_while(isNameChar).size());
  rest = rest.drop_front(name.size()).ltrim(" \t");
  if (name.size() == 1 || !rest.consume_front("="))
    return std::nullopt;
  rest = rest.ltrim(" \t");
  StringRef value = rest.take_front(rest.find("//")).rtrim(" \t\r");
  AliasLine alias{name, line.drop_back(rest.size()), value,
                  rest.drop_front(value.size())};
  return alias;
}

std::optional<StringRef> parseParameter(StringRef line) {
  StringRef rest = line.ltrim(" \t");
  if (!rest.consume_front("tile.param") || rest.empty() ||
      !llvm::isSpace(rest[0]))
    return std::nullopt;
  rest = rest.ltrim(" \t");
  if (!rest.consume_front("@"))
    return std::nullopt;
  return rest.take_while(isNameChar);
}

/// A line of a mapping of tasks: an instance, or a tunable that it binds.
struct Tunable {
  StringRef instance, name;
  bool isSet; ///< it has values to choose from
};

/// `task.instance @NAME` gives its name.
StringRef parseInstance(StringRef line) {
  StringRef rest = line.ltrim(" \t");
  if (!rest.consume_front("task.instance"))
    return {};
  rest = rest.ltrim(" \t");
  return rest.consume_front("@") ? rest.take_while(isNameChar) : StringRef();
}

/// `task.tune "NAME" = 64 of {...}`.
std::optional<Tunable> parseTunable(StringRef line, StringRef instance) {
  StringRef rest = line.ltrim(" \t");
  if (!rest.consume_front("task.tune"))
    return std::nullopt;
  rest = rest.ltrim(" \t");
  if (!rest.consume_front("\""))
    return std::nullopt;
  return Tunable{instance, rest.take_until([](char c) { return c == '"'; }),
                 rest.contains('{')};
}

std::string describe(const SettableNames &names) {
  std::vector<std::string> all;
  for (StringRef alias : names.aliases)
    all.push_back(alias.drop_front().str());
  all.insert(all.end(), names.parameters.begin(), names.parameters.end());
  if (all.empty())
    return "nothing can be set in this program";
  return "what can be set is " + llvm::join(all, ", ");
}

/// Why a name that the program has cannot be set.
std::string whyNot(const SettableNames &names, StringRef name) {
  if (!llvm::is_contained(names.bound, name))
    return "no alias or parameter is called '" + name.str() + "'";
  return "the mapping binds '" + name.str() +
         "' to one number; list others behind it, as in `of {64, 128}`, to "
         "make it settable";
}

llvm::Error objection(const llvm::Twine &path, const llvm::Twine &message) {
  return diag::makeError(diag::setting, path + ": " + message);
}

/// An alias or parameter that `name` may mean.
std::vector<std::string> candidates(const SettableNames &names,
                                    StringRef name) {
  std::vector<std::string> found;
  for (const std::string &alias : names.aliases)
    if (name == alias || name == StringRef(alias).drop_front())
      found.push_back(alias);
  for (const std::string &parameter : names.parameters)
    if (name == parameter)
      found.push_back(parameter);
  return found;
}

bool spansLines(StringRef value) {
  return value.count('<') > value.count('>') ||
         value.count('{') > value.count('}') ||
         value.count('[') > value.count(']') ||
         value.count('(') > value.count(')') || value.empty();
}

/// The type behind a number, as in `1 : index`, with its colon.
StringRef typeOfNumber(StringRef value) {
  auto [number, type] = value.split(':');
  double parsed = 0;
  bool isNumber = !number.trim().getAsDouble(parsed);
  return isNumber && !type.empty() ? value.drop_front(number.size())
                                   : StringRef();
}

llvm::Error replaceAlias(Source &source, StringRef name, StringRef value) {
  llvm::SmallVector<StringRef> lines;
  StringRef(source.text).split(lines, '\n');
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i != 0)
      text += '\n';
    std::optional<AliasLine> alias = parseAlias(lines[i]);
    if (!alias || alias->name != name) {
      text += lines[i];
      continue;
    }
    if (spansLines(alias->value))
      return objection(source.path + ":" + llvm::Twine(i + 1),
                       "alias " + name +
                           " spans several lines; write it on one "
                           "line to make it settable");
    text += alias->head;
    text += value;
    // A number without a type keeps the type of the one that stood there.
    double number = 0;
    StringRef type = typeOfNumber(alias->value);
    if (!type.empty() && !value.getAsDouble(number))
      text += (" " + type).str();
    text += alias->tail;
  }
  source.text = std::move(text);
  return llvm::Error::success();
}

} // namespace

SettableNames heddle::findSettableNames(StringRef text) {
  SettableNames names;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  std::vector<Tunable> tunables;
  StringRef instance;
  for (StringRef line : lines) {
    if (StringRef name = parseInstance(line); !name.empty())
      instance = name;
    else if (std::optional<Tunable> tunable = parseTunable(line, instance))
      tunables.push_back(*tunable);
    if (std::optional<AliasLine> alias = parseAlias(line))
      names.aliases.push_back(alias->name.str());
    else if (std::optional<StringRef> parameter = parseParameter(line))
      names.parameters.push_back(parameter->str());
  }
  // As the reader of tasks calls them: by the instance, too, if several bind
  // it.
  for (const Tunable &tunable : tunables) {
    bool isShared = llvm::count_if(tunables, [&](const Tunable &other) {
                      return other.name == tunable.name;
                    }) > 1;
    if (!tunable.isSet)
      names.bound.push_back(tunable.name.str());
    else
      names.parameters.push_back(
          ((isShared ? tunable.instance + "." : llvm::Twine()) + tunable.name)
              .str());
  }
  return names;
}

llvm::Expected<Source>
heddle::applySettings(StringRef path, StringRef text,
                      llvm::ArrayRef<std::string> settings) {
  Source source{path.str(), text.str(), {}};
  SettableNames names = findSettableNames(text);
  std::vector<std::string> seen;
  for (StringRef setting : settings) {
    auto [name, value] = setting.split('=');
    name = name.trim();
    value = value.trim();
    if (name.empty() || value.empty())
      return objection(path, "expected NAME=VALUE but got '" + setting + "'; " +
                                 describe(names));
    std::vector<std::string> found = candidates(names, name);
    if (found.empty())
      return objection(path, whyNot(names, name) + "; " + describe(names));
    if (found.size() > 1)
      return objection(path, "'" + name + "' may mean " +
                                 llvm::join(found, " or ") +
                                 "; write it with its sigil");
    if (llvm::is_contained(seen, found[0]))
      return objection(path, "'" + name + "' is set twice");
    seen.push_back(found[0]);
    if (found[0][0] != '!' && found[0][0] != '#')
      source.parameterSettings.push_back((name + "=" + value).str());
    else if (llvm::Error error = replaceAlias(source, found[0], value))
      return error;
  }
  return source;
}

llvm::Expected<Source>
heddle::loadSource(StringRef path, llvm::ArrayRef<std::string> settings) {
  std::string reason;
  auto buffer = readFile(path, reason);
  if (!buffer)
    return diag::makeError(diag::file_unreadable,
                           path + ": cannot be read: " + reason);
  return applySettings(path == "-" ? "<stdin>" : path, buffer->getBuffer(),
                       settings);
}
