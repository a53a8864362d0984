//===- Compile.cpp - From text to text ------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Compile.h"

#include "GivenRung.h"
#include "Manifests.h"
#include "ResultNumbers.h"

#include "heddle/Conversion/NvvmToPtx.h"
#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/TextLimits.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Frontend/Tasks/Import.h"
#include "heddle/Frontend/Ttir/Import.h"
#include "heddle/Pipeline/Mappings.h"
#include "heddle/Pipeline/Pipeline.h"
#include "heddle/Pipeline/Registry.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Files.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::pipeline;

std::unique_ptr<MLIRContext> heddle::pipeline::createContext() {
  DialectRegistry registry;
  registerDialects(registry);
  registerPtxTranslations(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // Messages name source lines; the text of an op belongs into --emit.
  context->printOpOnDiagnostic(false);
  return context;
}

namespace {
/// A location may name any file, and whoever quotes its line opens it.
class ReadableFiles : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const Twine &path) override {
    if (!whyUnreadable(path.str()).empty())
      return std::make_error_code(std::errc::permission_denied);
    return ProxyFileSystem::openFileForRead(path);
  }
};
} // namespace

struct DiagnosticPrinter::State {
  llvm::SourceMgr files;
  std::optional<SourceMgrDiagnosticHandler> printer;
  std::optional<ScopedDiagnosticHandler> recorder;
  diag::Outcome worst = diag::Outcome::Remark;

  /// Stands before the printer, which never sees a message without an id.
  void record(Diagnostic &diagnostic) {
    const diag::Kind *kind = diag::kindOfMessage(diagnostic.str());
    if (!kind && diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      kind = &diag::not_well_formed;
      diagnostic << " [" << kind->id() << "]";
    }
    if (kind)
      worst = std::max(worst, kind->outcome);
  }
};

DiagnosticPrinter::DiagnosticPrinter(MLIRContext &context, const Source &source,
                                     llvm::raw_ostream &os)
    : state(std::make_unique<State>()) {
  // The handler looks for a location's file among these buffers first, then on
  // disk, relative to where the tool runs.
  state->files.setVirtualFileSystem(
      llvm::makeIntrusiveRefCnt<ReadableFiles>(llvm::vfs::getRealFileSystem()));
  state->files.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(source.text, source.path),
      llvm::SMLoc());
  state->printer.emplace(state->files, &context, os);
  state->recorder.emplace(&context, [state = state.get()](Diagnostic &message) {
    state->record(message);
    return failure(); // to be printed
  });
}

DiagnosticPrinter::~DiagnosticPrinter() = default;

diag::Outcome DiagnosticPrinter::worst() const { return state->worst; }

LogicalResult
heddle::pipeline::setParameters(ModuleOp module,
                                const std::vector<std::string> &settings) {
  llvm::StringSet<> seen;
  for (StringRef setting : settings) {
    auto [name, text] = setting.split('=');
    if (!seen.insert(name).second)
      return report(startOf(module), diag::setting)
             << "parameter " << name << " is set twice";
    auto parameter = module.lookupSymbol<tile::ParamOp>(name);
    if (!parameter)
      return report(startOf(module), diag::setting)
             << "no shape parameter is called " << name;
    int64_t value = 0;
    if (text.getAsInteger(10, value) ||
        !llvm::is_contained(parameter.getValues(), value)) {
      Report error = report(parameter, diag::param_value)
                     << "parameter " << name << " cannot be " << text
                     << "; its legal values are ";
      llvm::interleaveComma(parameter.getValues(), error);
      return error;
    }
    parameter.setInit(value);
  }
  return success();
}

/// Analyses recurse along chains of operations, and some compare many with
/// many. The largest examples have 2 500 on the hopper rung and 25 000 on
/// the nvvm rung, which LLVM's passes take.
static LogicalResult checkOperationCount(ModuleOp module) {
  constexpr int64_t kMost = 1 << 14, kMostInstructions = 1 << 18;
  int64_t count = 0, instructions = 0;
  module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    ++(dialect == "llvm" || dialect == "nvvm" ? instructions : count);
  });
  if (count <= kMost && instructions <= kMostInstructions)
    return success();
  bool isAbove = count > kMost;
  return report(module.getLoc(), diag::text_limits)
         << "the program has " << (isAbove ? count : instructions)
         << (isAbove ? " operations" : " instructions") << "; heddle takes "
         << (isAbove ? kMost : kMostInstructions);
}

OwningOpRef<ModuleOp> heddle::pipeline::parseWritten(const Source &source,
                                                     MLIRContext &context) {
  if (failed(checkTextLimits(source.text, source.path, context)) ||
      failed(checkResultNumbers(source, context)) ||
      failed(ttir::checkOperations(source, context)))
    return nullptr;
  ParserConfig config(&context, /*verifyAfterParse=*/true);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(source.text, config, source.path);
  if (module &&
      (failed(checkOperationCount(*module)) || failed(checkNames(*module))))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> heddle::pipeline::parse(const Source &source,
                                              MLIRContext &context,
                                              const LowerOptions &options,
                                              const Source *mapping) {
  OwningOpRef<ModuleOp> module = parseWritten(source, context);
  if (module && ttir::isTtir(*module)) {
    if (failed(ttir::importTtir(*module)) ||
        failed(raiseTtir(*module, options)))
      return nullptr;
    // Who calls another's kernel chooses no tiles.
    (*module)->setAttr(sched::kOrOneProcess, UnitAttr::get(&context));
  }
  // What is below the plan has kept its mapping, or not.
  if (module && mapping && module->getOps<hopper::KernelOp>().empty() &&
      failed(takeMapping(*module, *mapping)))
    return nullptr;
  if (module && task::isTaskProgram(*module) &&
      failed(task::importTasks(*module)))
    return nullptr;
  if (module && failed(setParameters(*module, source.parameterSettings)))
    return nullptr;
  return module;
}

std::string heddle::pipeline::print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.enableDebugInfo();
  module.print(stream, flags);
  return text + "\n";
}

/// Leaves only the functions that `variants` of the manifest launch.
static void keepEntries(ModuleOp module, const manifest::Manifest &manifest,
                        llvm::ArrayRef<int> variants) {
  for (auto function :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    bool launched = llvm::any_of(variants, [&](int variant) {
      return function.getName() == manifest.variants[size_t(variant)].entry;
    });
    if (!launched && !function.isExternal())
      function.erase();
  }
}

FailureOr<std::vector<manifest::Manifest>>
heddle::pipeline::lowerToNvvm(ModuleOp module, const LowerOptions &options,
                              std::vector<manifest::Manifest> known) {
  FailureOr<Rung> rung = detectRung(module);
  if (failed(rung))
    return failure();
  // Processes that somebody wrote, and not the expansion of a plan.
  if (options.refusesFaulty && (*rung == Rung::Aref || *rung == Rung::Hopper)) {
    if (failed(lower(module, *rung, Rung::Hopper, options)) ||
        failed(refuseFaulty(module)))
      return failure();
    rung = Rung::Hopper;
  }
  if (failed(lower(module, *rung, Rung::Nvvm, options)))
    return failure();
  return known.empty() ? readManifests(module) : FailureOr(std::move(known));
}

FailureOr<CompiledKernel>
heddle::pipeline::translateKernel(ModuleOp module,
                                  const manifest::Manifest &manifest,
                                  llvm::ArrayRef<int> only) {
  auto all = llvm::to_vector(llvm::seq(int(manifest.variants.size())));
  OwningOpRef<ModuleOp> own(module.clone());
  keepEntries(*own, manifest, only.empty() ? all : only);
  FailureOr<std::string> ptx = translateToPtx(*own, {.chip = manifest.target});
  if (failed(ptx))
    return failure();
  return CompiledKernel{manifest.kernel, std::move(*ptx),
                        manifest::print(manifest)};
}

FailureOr<std::vector<CompiledKernel>>
heddle::pipeline::compileToPtx(ModuleOp module, const LowerOptions &options,
                               std::vector<manifest::Manifest> known) {
  auto manifests = lowerToNvvm(module, options, std::move(known));
  if (failed(manifests))
    return failure();
  std::vector<CompiledKernel> kernels;
  for (const manifest::Manifest &manifest : *manifests) {
    auto kernel = translateKernel(module, manifest);
    if (failed(kernel))
      return failure();
    kernels.push_back(std::move(*kernel));
  }
  return kernels;
}
