//===- ArgumentOptions.cpp - A kernel's arguments on the command line -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentOptions.h"

#include "heddle/Run/ElementFormat.h"

#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

ArgumentOptions::ArgumentOptions(cl::SubCommand &command)
    : views("view", cl::sub(command), cl::value_desc("NAME=MxN"),
            cl::desc("The shape of a view, a=512x256 or a=512x256xf16")),
      scalars("scalar", cl::sub(command), cl::value_desc("NAME=NUMBER"),
              cl::desc("The value of a scalar")) {}

Expected<std::vector<ArgumentData>>
ArgumentOptions::make(const manifest::Manifest &manifest,
                      Backing backing) const {
  auto viewSpecs = parseAll(views, parseViewSpec);
  if (!viewSpecs)
    return viewSpecs.takeError();
  auto scalarSpecs = parseAll(scalars, parseScalarSpec);
  if (!scalarSpecs)
    return scalarSpecs.takeError();
  return makeArguments(manifest, *viewSpecs, *scalarSpecs, backing);
}

ContentOptions::ContentOptions(cl::SubCommand &command)
    : contents("values", cl::sub(command), cl::value_desc("NAME=X,X,..."),
               cl::desc("The elements of a view, in its storage order, or one "
                        "number for all; views without are random")) {}

Expected<ArgumentData *>
heddle::tool::findView(std::vector<ArgumentData> &arguments, StringRef option,
                       StringRef name) {
  for (ArgumentData &data : arguments)
    if (data.hasMemory() && data.argument().name == name)
      return &data;
  return diag::makeError(diag::argument_unknown,
                         option + " " + name +
                             ": there is no view or array of this name");
}

/// Fills a view from "NAME=X,X,..." or "NAME=X".
static Error setContents(std::vector<ArgumentData> &arguments, StringRef text) {
  auto [name, list] = text.split('=');
  auto data = findView(arguments, "--values", name);
  if (!data)
    return data.takeError();
  SmallVector<StringRef> numbers;
  list.split(numbers, ',', -1, /*KeepEmpty=*/false);
  int64_t elements = (*data)->elementCount();
  if (int64_t(numbers.size()) != elements && numbers.size() != 1)
    return diag::makeError(
        diag::argument_text,
        "--values " + name + " lists " + Twine(numbers.size()) +
            " numbers; the view has " + Twine(elements) + " elements");
  for (int64_t index = 0; index < elements; ++index) {
    StringRef number = numbers[numbers.size() == 1 ? 0 : index];
    std::optional<Number> value = numberOf(number);
    if (!value)
      return diag::makeError(diag::argument_text, "--values " + text + ": '" +
                                                      number +
                                                      "' is not a number");
    if (!holds((*data)->argument().element, *value))
      return diag::makeError(
          diag::argument_text,
          "--values " + name + ": " + number + " does not fit " +
              manifest::spelling((*data)->argument().element));
    (*data)->setNumber(index, *value);
  }
  return Error::success();
}

Error ContentOptions::fill(std::vector<ArgumentData> &arguments) const {
  for (const std::string &text : contents)
    if (Error error = setContents(arguments, text))
      return error;
  return Error::success();
}
