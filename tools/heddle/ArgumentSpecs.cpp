//===- ArgumentSpecs.cpp - Arguments as the command line gives them -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts such as a=512x256xf16 become specs, and specs with a manifest become
// arguments. Names, ranks and element types are compared with the manifest, and
// memory is allocated only after the sum of all arguments so far was found to
// fit the limit of the process. Each error names the option to add or change.
//
//===----------------------------------------------------------------------===//

#include "heddle/Run/ArgumentData.h"
#include "heddle/Run/ElementFormat.h"

#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using diag::makeError;
using Kind = manifest::Argument::Kind;

Expected<ViewSpec> heddle::tool::parseViewSpec(StringRef text) {
  ViewSpec spec;
  auto [name, rest] = text.split('=');
  spec.name = name.str();
  SmallVector<StringRef> parts;
  rest.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t extent = 0;
    if (!part.getAsInteger(10, extent) && extent >= 0 && !spec.element) {
      spec.shape.push_back(extent);
      continue;
    }
    spec.element = manifest::elementTypeFromSpelling(part.str());
    if (!spec.element || &part != &parts.back())
      break;
  }
  bool complete = spec.shape.size() + spec.element.has_value() == parts.size();
  if (name.empty() || spec.shape.empty() || !complete)
    return makeError(diag::argument_text,
                     "--view " + text +
                         ": expected NAME=EXTENTxEXTENT, as in a=512x256 or "
                         "a=512x256xf16");
  return spec;
}

Expected<ScalarSpec> heddle::tool::parseScalarSpec(StringRef text) {
  ScalarSpec spec;
  auto [name, value] = text.split('=');
  spec.name = name.str();
  std::optional<Number> number = numberOf(value);
  if (name.empty() || !number)
    return makeError(diag::argument_text,
                     "--scalar " + text +
                         ": expected NAME=NUMBER, as in alpha=1.5");
  spec.number = *number;
  return spec;
}

static std::string listArguments(const manifest::Manifest &manifest) {
  return join(map_range(manifest.arguments,
                        [](const auto &argument) { return argument.name; }),
              ", ");
}

static Error checkView(const manifest::Argument &argument,
                       const ViewSpec &spec) {
  if (argument.kind == Kind::View && int(spec.shape.size()) != argument.rank)
    return makeError(diag::argument_shape,
                     "--view " + spec.name + ": view " + spec.name + " has " +
                         Twine(argument.rank) + " axes, not " +
                         Twine(spec.shape.size()));
  if (spec.element && *spec.element != argument.element)
    return makeError(diag::argument_shape,
                     "--view " + spec.name + ": the elements of " + spec.name +
                         " are " + manifest::spelling(argument.element) +
                         ", not " + manifest::spelling(*spec.element) +
                         "; --set changes the program's types");
  return Error::success();
}

template <typename Spec>
static Expected<const Spec *> findSpec(const manifest::Argument &argument,
                                       ArrayRef<Spec> specs, StringRef usage) {
  const Spec *found = find_if(
      specs, [&](const Spec &spec) { return spec.name == argument.name; });
  if (found == specs.end())
    return makeError(diag::argument_absent, "argument " + argument.name +
                                                " is not given; add " + usage);
  return found;
}

static Expected<ArgumentData> makeArgument(const manifest::Argument &argument,
                                           ArrayRef<ViewSpec> views,
                                           ArrayRef<ScalarSpec> scalars,
                                           Backing backing, int64_t &bytes) {
  if (argument.kind == Kind::Scalar) {
    auto spec =
        findSpec(argument, scalars, "--scalar " + argument.name + "=NUMBER");
    if (!spec)
      return spec.takeError();
    if (!holds(argument.element, (*spec)->number))
      return makeError(diag::argument_text,
                       "--scalar " + argument.name +
                           " is a number that does "
                           "not fit " +
                           manifest::spelling(argument.element));
    return ArgumentData::ofNumber(argument, (*spec)->number);
  }
  // Behind a bare pointer lies as much as the user says.
  std::string usage = "--view " + argument.name + "=EXTENT";
  for (int axis = 1; axis < argument.rank; ++axis)
    usage += "xEXTENT";
  auto spec = findSpec(argument, views, usage);
  if (!spec)
    return spec.takeError();
  if (Error error = checkView(argument, **spec))
    return error;
  if (backing == Backing::None)
    return ArgumentData(argument, (*spec)->shape, 0, backing);
  bytes = satAdd(bytes, argumentBytes(argument.element, (*spec)->shape));
  if (Error error = checkArgumentMemory("--view " + argument.name, bytes))
    return error;
  return ArgumentData(argument, (*spec)->shape);
}

template <typename Spec>
static Error checkNames(const manifest::Manifest &manifest,
                        ArrayRef<Spec> specs, bool scalar, StringRef option) {
  for (const Spec &spec : specs) {
    auto found = find_if(manifest.arguments, [&](const auto &argument) {
      return argument.name == spec.name &&
             (argument.kind == Kind::Scalar) == scalar;
    });
    if (found == manifest.arguments.end())
      return makeError(diag::argument_unknown,
                       option + " " + spec.name + ": kernel " +
                           manifest.kernel + " has no such argument; it has " +
                           listArguments(manifest));
    auto same = [&](const Spec &other) { return other.name == spec.name; };
    if (count_if(specs, same) > 1)
      return makeError(diag::argument_twice,
                       option + " " + spec.name + " is given twice");
  }
  return Error::success();
}

Expected<std::vector<ArgumentData>>
heddle::tool::makeArguments(const manifest::Manifest &manifest,
                            ArrayRef<ViewSpec> views,
                            ArrayRef<ScalarSpec> scalars, Backing backing) {
  if (Error error = checkNames(manifest, views, false, "--view"))
    return error;
  if (Error error = checkNames(manifest, scalars, true, "--scalar"))
    return error;
  std::vector<ArgumentData> arguments;
  int64_t bytes = 0;
  for (const manifest::Argument &argument : manifest.arguments) {
    auto data = makeArgument(argument, views, scalars, backing, bytes);
    if (!data)
      return data.takeError();
    arguments.push_back(std::move(*data));
  }
  return arguments;
}
