//===- TileOptions.cpp - Tiles on the command line ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileOptions.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

TileOptions::TileOptions(cl::SubCommand &command)
    : tile("tile", cl::sub(command), cl::value_desc("auto|NAME=VALUE,..."),
           cl::desc("Which tiles to take: auto chooses by the machine's model "
                    "what --set leaves open, for the sizes that --view gives; "
                    "without it the program says")) {}

/// NAME=VALUE of `text`, which has commas in between.
static Expected<tilechoice::Settings> readTileSettings(StringRef option,
                                                       StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  tilechoice::Settings settings;
  for (StringRef part : parts) {
    if (!part.contains('='))
      return diag::makeError(diag::usage,
                             option + " is '" + text +
                                 "'; it is auto, or NAME=VALUE for each "
                                 "parameter, with commas in between");
    settings.push_back(part.str());
  }
  return settings;
}

OtherTilesOption::OtherTilesOption(cl::SubCommand &command)
    : list("or-tile", cl::sub(command),
           cl::value_desc("auto|auto:COUNT|none|NAME=VALUE,..."),
           cl::desc("Compile for these tiles too: a launch takes the ones that "
                    "the model predicts to be fastest for its sizes. With "
                    "parts=auto among them, sums are made in parts, which a "
                    "second step adds. May be repeated; auto chooses a few, "
                    "for all sizes or for those that --view gives, and "
                    "auto:COUNT as many as COUNT, which takes longer; "
                    "`heddle compile` does so for products unless options say "
                    "how to compile, and none keeps it from that")) {}

Expected<tilechoice::OtherTiles> OtherTilesOption::request() const {
  tilechoice::OtherTiles request;
  if (list.size() == 1 && list[0] == "none")
    return request;
  if (isAutomatic()) {
    auto automatic = tilechoice::OtherTiles::readAutomatic(list[0]);
    if (!automatic)
      return diag::makeError(diag::usage,
                             "--or-tile is '" + list[0] +
                                 "'; how many tiles are chosen at the most is "
                                 "a number from 1 to " +
                                 Twine(tilechoice::OtherTiles::kMostCounted) +
                                 ", as in auto:16");
    return *automatic;
  }
  std::vector<tilechoice::Settings> &all = request.settings;
  for (StringRef text : list) {
    if (text == "none")
      return diag::makeError(diag::usage, "--or-tile=none adds no tiles, and "
                                          "another --or-tile does");
    if (asksForAutomatic(text))
      return diag::makeError(diag::usage, "--or-tile=" + text +
                                              " chooses all further tiles, and "
                                              "another is given");
    auto settings = readTileSettings("--or-tile", text);
    if (!settings)
      return settings.takeError();
    for (StringRef setting : *settings)
      if (setting.starts_with("parts=") && setting != "parts=auto")
        return diag::makeError(
            diag::usage, "--or-tile " + text +
                             ": how many parts a sum has each launch computes; "
                             "say parts=auto, or leave it out");
    if (is_contained(all, *settings))
      return diag::makeError(
          diag::usage, "--or-tile " + text + " is given twice; once is enough");
    all.push_back(std::move(*settings));
  }
  return request;
}

Expected<TileRequest>
TileOptions::request(const ArgumentOptions *arguments) const {
  TileRequest request;
  request.isAutomatic = tile == "auto";
  if (!request.isAutomatic && !tile.empty()) {
    auto settings = readTileSettings("--tile", tile);
    if (!settings)
      return settings.takeError();
    request.settings = std::move(*settings);
  }
  if (!arguments)
    return request;
  auto views = parseAll(arguments->views, parseViewSpec);
  if (!views)
    return views.takeError();
  for (const ViewSpec &view : *views)
    request.extents.views[view.name] = view.shape;
  auto scalars = parseAll(arguments->scalars, parseScalarSpec);
  if (!scalars)
    return scalars.takeError();
  for (const ScalarSpec &scalar : *scalars)
    request.extents.scalars[scalar.name] = scalar.number.value;
  return request;
}

/// Whether a kernel of the program has an argument `name` that is a view, or
/// one that is none.
static bool hasArgument(mlir::ModuleOp module, StringRef name, bool isView) {
  for (auto kernel : module.getOps<tile::KernelOp>())
    for (auto [index, type] : enumerate(kernel.getEntry().getArgumentTypes()))
      if (kernel.getArgName(index) == name &&
          isa<tile::ViewType>(type) == isView)
        return true;
  return false;
}

static Error unknownArgument(const Twine &option, bool isView) {
  return diag::makeError(diag::argument_unknown,
                         option + ": no kernel of the program has such " +
                             (isView ? "a view" : "a scalar"));
}

Error heddle::tool::checkSizes(mlir::ModuleOp module,
                               const tilechoice::Extents &extents) {
  for (const auto &[name, shape] : extents.views) {
    if (!hasArgument(module, name, /*isView=*/true))
      return unknownArgument("--view " + name, /*isView=*/true);
    for (auto kernel : module.getOps<tile::KernelOp>())
      for (auto [index, type] :
           enumerate(kernel.getEntry().getArgumentTypes())) {
        auto view = dyn_cast<tile::ViewType>(type);
        if (kernel.getArgName(index) == name && view &&
            view.getRank() != int64_t(shape.size()))
          return diag::makeError(diag::argument_shape,
                                 "--view " + name + ": view " + name + " has " +
                                     Twine(view.getRank()) + " axes, not " +
                                     Twine(shape.size()));
      }
  }
  for (const auto &[name, value] : extents.scalars)
    if (!hasArgument(module, name, /*isView=*/false))
      return unknownArgument("--scalar " + name, /*isView=*/false);
  return Error::success();
}

std::string
heddle::tool::describeTiles(const std::vector<std::string> &parameters,
                            const std::vector<int64_t> &values) {
  std::string text;
  for (auto [name, value] : zip(parameters, values))
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}
