//===- Jit.cpp - Machine code in this process -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Cpu/Jit.h"

#include "Symbols.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <cstring>
#include <mutex>

using namespace heddle::cpu;

/// Returns the text of an assertion that does not hold, or null.
using RunFunction = const char *(*)(const int64_t *, int64_t, int64_t, void *,
                                    void *);
using ShapeFunction = void (*)(const int64_t *, int64_t *);

namespace {
struct Kernel {
  RunFunction run = nullptr;
  ShapeFunction shape = nullptr;
};

/// Memory of one worker, zero at first.
struct Scratch {
  std::vector<char> bytes;
  void *get(int64_t size) {
    constexpr size_t kLine = 64;
    if (bytes.size() < size_t(size) + kLine)
      bytes.assign(size_t(size) + kLine, 0);
    auto address = reinterpret_cast<uintptr_t>(bytes.data());
    return reinterpret_cast<void *>((address + kLine - 1) / kLine * kLine);
  }
};
} // namespace

/// Layers of ORC, by hand: LLJIT brings a second linker and the start-up code
/// of programs, for which kernels have no use.
struct Jit::State {
  explicit State(std::unique_ptr<llvm::orc::ExecutorProcessControl> process)
      : session(std::move(process)), linker(session) {}
  ~State() {
    if (llvm::Error error = session.endSession())
      llvm::consumeError(std::move(error));
  }

  std::string object;
  llvm::orc::ExecutionSession session;
  llvm::orc::ObjectLinkingLayer linker;
  llvm::orc::JITDylib *library = nullptr;
  std::map<std::string, Kernel> kernels;
  std::vector<Scratch> scratch; ///< by worker; kernels leave it zero
  std::vector<Scratch> tiles;   ///< by worker; kernels leave anything there
};

Jit::Jit(std::unique_ptr<State> state) : state(std::move(state)) {}
Jit::~Jit() = default;

static llvm::Expected<llvm::orc::JITTargetMachineBuilder>
detectHost(Jit::Effort effort) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (builder)
    builder->setCodeGenOptLevel(effort == Jit::Effort::Full
                                    ? llvm::CodeGenOptLevel::Default
                                    : llvm::CodeGenOptLevel::None);
  return builder;
}

static void addLoopPasses(llvm::FunctionPassManager &passes) {
  // Loops test their condition behind the body, so that what does not change
  // may move in front of them.
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass(),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(
      llvm::createFunctionToLoopPassAdaptor(llvm::IndVarSimplifyPass()));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
}

/// A fixed list. LLVM's own pipeline would bring its inliner and vectorizers,
/// which a kernel has no use for (a body is called once, and its loops are
/// vectors where the plan says so), and a third more of the binary.
static void runPasses(llvm::Module &module, llvm::TargetMachine &machine,
                      Jit::Effort effort) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  // Passes on functions only take what a cache has of modules and components.
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass());
  if (effort == Jit::Effort::Full)
    addLoopPasses(passes);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, functions);
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
prepare(llvm::Module &module, Jit::Effort effort,
        std::optional<llvm::Reloc::Model> relocation = {}) {
  auto host = detectHost(effort);
  if (!host)
    return host.takeError();
  host->setRelocationModel(relocation);
  auto machine = host->createTargetMachine();
  if (!machine)
    return machine.takeError();
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  for (llvm::Function &function : module) {
    function.addFnAttr("target-cpu", (*machine)->getTargetCPU());
    function.addFnAttr("target-features", (*machine)->getTargetFeatureString());
  }
  runPasses(module, **machine, effort);
  return machine;
}

bool heddle::cpu::optimize(llvm::Module &module, std::string &error) {
  auto machine = prepare(module, Jit::Effort::Full);
  if (!machine)
    error = llvm::toString(machine.takeError());
  return error.empty();
}

std::string heddle::cpu::emitObject(llvm::Module &module, std::string &error) {
  auto machine = prepare(module, Jit::Effort::Full, llvm::Reloc::PIC_);
  if (!machine) {
    error = llvm::toString(machine.takeError());
    return "";
  }
  auto object = llvm::orc::SimpleCompiler(**machine)(module);
  if (!object) {
    error = llvm::toString(object.takeError());
    return "";
  }
  return (*object)->getBuffer().str();
}

std::string heddle::cpu::hostProcessor() {
  auto host = detectHost(Jit::Effort::Full);
  if (!host) {
    llvm::consumeError(host.takeError());
    return "";
  }
  return host->getCPU() + " " + host->getFeatures().getString();
}

std::unique_ptr<Jit>
Jit::compile(std::unique_ptr<llvm::Module> module,
             [[maybe_unused]] std::unique_ptr<llvm::LLVMContext> context,
             std::string &error, Effort effort) {
  std::unique_ptr<llvm::Module> own = std::move(module); // gone before context
  auto machine = prepare(*own, effort);
  if (!machine) {
    error = llvm::toString(machine.takeError());
    return nullptr;
  }
  auto object = llvm::orc::SimpleCompiler(**machine)(*own);
  if (!object) {
    error = llvm::toString(object.takeError());
    return nullptr;
  }
  return load((*object)->getBuffer().str(), error);
}

/// The names in front of "_run" of the functions that an object defines.
static llvm::Expected<std::vector<std::string>>
findKernels(llvm::MemoryBufferRef bytes) {
  auto object = llvm::object::ObjectFile::createObjectFile(bytes);
  if (!object)
    return object.takeError();
  std::vector<std::string> names;
  for (const llvm::object::SymbolRef &symbol : (*object)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name)
      return llvm::joinErrors(flags.takeError(), name.takeError());
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined) &&
        name->consume_back("_run"))
      names.push_back(name->str());
  }
  return names;
}

std::unique_ptr<Jit> Jit::load(const std::string &object, std::string &error) {
  auto fail = [&](llvm::Error reason) {
    error = llvm::toString(std::move(reason));
    return nullptr;
  };
  auto process = llvm::orc::SelfExecutorProcessControl::Create();
  if (!process)
    return fail(process.takeError());
  auto state = std::make_unique<State>(std::move(*process));
  state->object = object;
  auto library = state->session.createJITDylib("kernels");
  if (!library)
    return fail(library.takeError());
  state->library = &*library;
  llvm::orc::SymbolMap functions;
  for (auto [name, address] : callableFunctions())
    functions[state->session.intern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error reason =
          library->define(llvm::orc::absoluteSymbols(std::move(functions))))
    return fail(std::move(reason));
  auto buffer =
      llvm::MemoryBuffer::getMemBuffer(state->object, "kernels",
                                       /*RequiresNullTerminator=*/false);
  auto names = findKernels(*buffer);
  if (!names)
    return fail(names.takeError());
  if (llvm::Error reason = state->linker.add(*library, std::move(buffer)))
    return fail(std::move(reason));
  std::unique_ptr<Jit> jit(new Jit(std::move(state)));
  for (const std::string &name : *names) {
    Kernel &kernel = jit->state->kernels[name];
    kernel.run = reinterpret_cast<RunFunction>(jit->find(name + "_run", error));
    kernel.shape =
        reinterpret_cast<ShapeFunction>(jit->find(name + "_shape", error));
    if (!kernel.run || !kernel.shape)
      return nullptr;
  }
  return jit;
}

const std::string &Jit::object() const { return state->object; }

void *Jit::find(const std::string &function, std::string &error) {
  auto found = state->session.lookup({state->library}, function);
  if (!found) {
    error = llvm::toString(found.takeError());
    return nullptr;
  }
  return found->getAddress().toPtr<void *>();
}

bool Jit::launch(const std::string &kernel,
                 const std::vector<int64_t> &arguments, Pool &pool,
                 std::string &error) {
  auto found = state->kernels.find(kernel);
  if (found == state->kernels.end()) {
    error = "there is no kernel " + kernel;
    return false;
  }
  // Instances, bytes of scratch memory, chunk, bytes of tiles, and the text of
  // an assertion that does not hold.
  int64_t shape[5] = {};
  found->second.shape(arguments.data(), shape);
  if (shape[4]) {
    error = reinterpret_cast<const char *>(shape[4]);
    return false;
  }
  auto divide = [&](std::vector<Scratch> &memory, int64_t bytes) {
    memory.resize(std::max(memory.size(), size_t(pool.size())));
    std::vector<void *> parts;
    for (int worker = 0; worker < pool.size(); ++worker)
      parts.push_back(bytes ? memory[worker].get(bytes) : nullptr);
    return parts;
  };
  std::vector<void *> scratch = divide(state->scratch, shape[1]);
  std::vector<void *> tiles = divide(state->tiles, shape[3]);
  // Of several faults, that of the first instance is reported, whichever worker
  // finds it first.
  std::mutex mutex;
  int64_t first = INT64_MAX, last = 0;
  const char *text = nullptr;
  pool.run(shape[0], shape[2], [&](int64_t begin, int64_t end, int worker) {
    const char *fault = found->second.run(arguments.data(), begin, end,
                                          scratch[worker], tiles[worker]);
    if (!fault)
      return;
    std::lock_guard<std::mutex> lock(mutex);
    if (begin >= first)
      return;
    first = begin;
    last = end - 1;
    text = fault;
  });
  if (!text)
    return true;
  error = std::string(text) + " (instance" + (last > first ? "s " : " ") +
          std::to_string(first) +
          (last > first ? " to " + std::to_string(last) : "") + ")";
  // Scratch memory is zero only behind an instance that came to its end.
  state->scratch.clear();
  return false;
}
