//===- Program.h - A program being compiled ---------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file and the options that fix its settings, schedule, machine and tiles go
// in; a parsed module comes out, which methods lower step by step. All commands
// start here, because `run`, `explain` and `compile` with equal options must
// speak of the same program.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_PROGRAM_H
#define HEDDLE_TOOLS_HEDDLE_PROGRAM_H

#include "TileOptions.h"

#include "heddle/Machine/Costs.h"
#include "heddle/Pipeline/Compile.h"
#include "heddle/TileChoice/Alternatives.h"
#include "llvm/Support/CommandLine.h"

namespace heddle::tool {

/// The options that choose the program, the same for every command.
struct ProgramOptions {
  explicit ProgramOptions(
      llvm::cl::SubCommand &command,
      llvm::cl::NumOccurrencesFlag required = llvm::cl::Required);
  llvm::cl::opt<std::string> file;
  llvm::cl::list<std::string> settings;
  llvm::cl::opt<std::string> schedule;
  llvm::cl::opt<std::string> machine;
  llvm::cl::opt<std::string> mapping;
  llvm::cl::opt<pipeline::Assume> assume;
};

/// A parsed program with its context; diagnostics are printed while it lives.
class Program {
public:
  /// Reads, parses and verifies. Prints what is wrong; ask isValid().
  /// A mapping for a kernel below its plan is an error, unless the command
  /// `compares` both.
  explicit Program(const ProgramOptions &options,
                   llvm::Expected<TileRequest> tiles = TileRequest(),
                   bool compares = false);

  bool isValid() const { return valid; }
  /// Of the worst message so far.
  int exitCode() const;

  mlir::ModuleOp module() { return *parsed; }
  /// Its kernels' waits will trap when they last too long. An exit code: too
  /// low a rung has its waits expanded already.
  int debugWaits();
  /// Compile a hopper rung that is given though it may go wrong, to watch it.
  void takeFaulty() { lowering.refusesFaulty = false; }
  /// Compile kernels that note the clock (Conversion/Stamps.h).
  int trace(llvm::StringRef processes);
  /// Lowers the module to `to`, where it is then.
  bool lower(pipeline::Rung to);
  /// Lowers a copy of what the program was, in silence.
  bool lowerCopy(mlir::ModuleOp copy, pipeline::Rung from,
                 pipeline::Rung to) const;
  /// Lowers the program by one of `others` tiles from the tile rung. Tiles that
  /// nobody asked for and that are refused are left out, in silence.
  bool lowerOther(mlir::ModuleOp other, pipeline::Rung to,
                  const tilechoice::OtherTiles &others) const;
  /// Lowers the module to sched, and writes its plans as mappings; nothing
  /// where it cannot be lowered.
  std::optional<std::string> writeMappings();
  /// The same of `variant`, the program on the tile rung with other settings,
  /// which is lowered. In silence.
  std::optional<std::string> writeMappingsOf(mlir::ModuleOp variant) const;
  /// Lowers a tile program to where schedules are sought.
  bool split(bool isWhole);
  /// Lowers the module to nvvm, and says which kernels it has. Launches choose
  /// among its own tiles and others, if any are asked for. `onTile` is what the
  /// program was on the tile rung, if it is no longer.
  mlir::FailureOr<std::vector<manifest::Manifest>>
  lowerToNvvm(const tilechoice::OtherTiles &others = {},
              mlir::ModuleOp onTile = nullptr);
  /// The same, and translates each kernel.
  mlir::FailureOr<std::vector<pipeline::CompiledKernel>>
  compileToPtx(const tilechoice::OtherTiles &others = {},
               mlir::ModuleOp onTile = nullptr);
  /// For which its schedules are made. Lowering has found it.
  machine::Costs machine() const;
  /// How tiles are chosen for it: what --set fixes stays.
  tilechoice::Options tileOptions() const;
  /// Has it tile shapes, none of which is fixed?
  bool hasOpenTiles();
  pipeline::Rung rung() const { return detected; }
  const pipeline::LowerOptions &options() const { return lowering; }
  llvm::StringRef path() const { return source.path; }
  /// The file that --mapping names; null without.
  const Source *givenMapping() const { return mapping ? &*mapping : nullptr; }

private:
  bool chooseTiles();

  bool valid = false;
  TileRequest tiles;
  int loadStatus = 0;
  Source source;
  std::optional<Source> mapping; ///< in place of the program's own
  pipeline::LowerOptions lowering;
  std::unique_ptr<mlir::MLIRContext> context;
  std::optional<pipeline::DiagnosticPrinter> printer;
  mlir::OwningOpRef<mlir::ModuleOp> parsed;
  pipeline::Rung detected = pipeline::Rung::Tile;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_PROGRAM_H
