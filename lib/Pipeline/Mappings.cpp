//===- Mappings.cpp - Mappings apart from their programs ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of mappings holds nothing else, so that nobody takes it for a program
// whose other half is ignored.
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Mappings.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Dialect/Task/Task.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Frontend/Tasks/Import.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/Support/Diagnostics/Task.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;

LogicalResult heddle::pipeline::takeMapping(ModuleOp module,
                                            const Source &mapping) {
  OwningOpRef<ModuleOp> file = parseWritten(mapping, *module.getContext());
  if (!file)
    return failure();
  for (Operation &op : *file->getBody())
    if (!isa<task::MappingOp>(op))
      return reportOp(&op, diag::task_mapping)
             << "stands in " << mapping.path
             << ", which is given as a mapping and holds mappings only";
  if (file->getBody()->empty())
    return report(file->getLoc(), diag::task_mapping)
           << mapping.path << " holds no mapping";
  for (auto own : llvm::make_early_inc_range(module.getOps<task::MappingOp>()))
    own.erase();
  module.getBody()->getOperations().splice(module.getBody()->end(),
                                           file->getBody()->getOperations());
  return success();
}

FailureOr<std::string>
heddle::pipeline::writeMappings(ModuleOp module, Rung from,
                                const LowerOptions &options,
                                const Source &mapping, const Source &program) {
  if (from == Rung::Einsum) {
    if (failed(lower(module, from, Rung::Tile, options)))
      return failure();
    from = Rung::Tile;
  }
  std::vector<std::pair<std::string, int64_t>> tiles;
  for (auto parameter : module.getOps<tile::ParamOp>())
    tiles.emplace_back(parameter.getSymName().str(),
                       int64_t(parameter.getInit()));
  module->setAttr(sched::kNotesDecisions, UnitAttr::get(module.getContext()));
  if (from < Rung::Sched && failed(lower(module, from, Rung::Sched, options)))
    return failure();
  // Tasks were lowered with the rest; their tree is read again.
  OwningOpRef<ModuleOp> written = parseWritten(program, *module.getContext());
  if (written && mapping.path != program.path &&
      failed(takeMapping(*written, mapping)))
    return failure();
  return task::writeMappings(module, written ? *written : ModuleOp(), tiles);
}
