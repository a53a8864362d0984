//===- ArgumentOptions.cpp - A kernel's arguments on the command line ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentOptions.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

ArgumentOptions::ArgumentOptions(cl::SubCommand &command)
    : views("view", cl::sub(command), cl::value_desc("NAME=MxN"),
            cl::desc("The shape of a view, a=512x256 or a=512x256xf16")),
      scalars("scalar", cl::sub(command), cl::value_desc("NAME=NUMBER"),
              cl::desc("The value of a scalar")) {}

Expected<std::vector<ArgumentData>>
ArgumentOptions::make(const manifest::Manifest &manifest) const {
  auto viewSpecs = parseAll(views, parseViewSpec);
  if (!viewSpecs)
    return viewSpecs.takeError();
  auto scalarSpecs = parseAll(scalars, parseScalarSpec);
  if (!scalarSpecs)
    return scalarSpecs.takeError();
  return makeArguments(manifest, *viewSpecs, *scalarSpecs);
}
