//===- ModelTest.cpp - The model finds each kind of fault -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs of kernels: one that is right, and the same with one change that makes
// it wrong in a way of its own. One order of steps and all of them must say so.
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "Kernels.h"

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Pipeline/Compile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::adversary;

namespace {

/// A change of a text: the first or the last occurrence of `from`.
struct Edit {
  const char *from, *to;
  bool isLast = false;
};

struct Row {
  const char *name, *kernel;
  std::vector<Edit> edits;
  const char *fault; ///< the kind that is found first
};

std::string edited(std::string text, const std::vector<Edit> &edits) {
  for (const Edit &edit : edits) {
    size_t at = edit.isLast ? text.rfind(edit.from) : text.find(edit.from);
    EXPECT_NE(at, std::string::npos) << edit.from;
    if (at != std::string::npos)
      text.replace(at, strlen(edit.from), edit.to);
  }
  return text;
}

class Model : public testing::Test {
protected:
  Model() : context(pipeline::createContext()) {}

  /// The kinds of fault in some launches: of one order, and of all.
  void find(const std::string &text, std::set<std::string> &one,
            std::set<std::string> &all) {
    mlir::ParserConfig config(context.get(), /*verifyAfterParse=*/false);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
    ASSERT_TRUE(module) << text;
    Kernel kernel = read(*module->getOps<hopper::KernelOp>().begin());
    ASSERT_EQ(kernel.unsupported, "");
    for (const Launch &launch : chooseLaunches(kernel, 24, 1)) {
      Finding finding = exploreOne(kernel, launch).finding;
      EXPECT_NE(finding.kind, Finding::Unknown) << launch.describe();
      if (finding.kind == Finding::Faulty)
        one.insert(kindOf(finding.fault));
      finding = exploreAll(kernel, launch, 20000).finding;
      EXPECT_NE(finding.kind, Finding::Unknown) << launch.describe();
      if (finding.kind == Finding::Faulty)
        all.insert(kindOf(finding.fault));
    }
  }

  std::unique_ptr<mlir::MLIRContext> context;
};

TEST_F(Model, RightKernelsHaveNoFault) {
  for (const char *kernel :
       {kProduct, kStaged, kMeeting, kNumber, kCopied, kHandedOn, kChain}) {
    std::set<std::string> one, all;
    find(kernel, one, all);
    EXPECT_TRUE(one.empty()) << kernel << *one.begin();
    EXPECT_TRUE(all.empty()) << kernel << *all.begin();
  }
}

const char *const kLate =
    "a phase that can end before the wait for the one before";

const std::vector<Row> &rows() {
  static const std::vector<Row> all = {
      {"no release",
       kProduct,
       {{"hopper.arrive \"r\" \"empty\"[%s]", ""}},
       "a deadlock"},
      {"no wait for a free slot",
       kProduct,
       {{"hopper.wait \"r\" \"empty\"[%s] phase %w", ""}},
       "an arrival that another order counts for an earlier phase"},
      {"a parity that never changes",
       kProduct,
       {{"%q2 = arith.select %end, %q1, %q", "%q2 = arith.select %end, %q, %q",
         true}},
       "a wait that misses a turn, or repeats one"},
      {"a count too high",
       kProduct,
       {{"empty 8016 x 4", "empty 8016 x 5"}},
       "a deadlock"},
      {"a count too low",
       kProduct,
       {{"empty 8016 x 4", "empty 8016 x 3"}},
       "an arrival too many"},
      {"too many bytes announced",
       kProduct,
       {{"bytes 2304", "bytes 2320"}},
       "a deadlock"},
      {"too few bytes announced",
       kProduct,
       {{"hopper.expect \"r\"[%s] bytes 2304", ""},
        {"to %u, \"r\"[%s] : !v, !bt", "to %u, \"r\"[%s] : !v, !bt\n      "
                                       "hopper.expect \"r\"[%s] bytes 2288"}},
       "more bytes than were announced"},
      {"half of what is multiplied is loaded",
       kProduct,
       {{"bytes 2304", "bytes 2048"},
        {"hopper.tma_load %b[%i, %c0] to %u, \"r\"[%s] : !v, !bt", ""}},
       "a read of bytes that nobody wrote"},
      {"a slot beyond the ring",
       kProduct,
       {{"arith.constant 2 : i32", "arith.constant 3 : i32"}},
       "a slot that the ring does not have"},
      {"a phase of -1",
       kProduct,
       {{"hopper.wait \"r\" \"full\"[%s] phase %q",
         "%b1 = arith.trunci %q : i32 to i1\n"
         "      %q9 = arith.extsi %b1 : i1 to i32\n"
         "      hopper.wait \"r\" \"full\"[%s] phase %q9"}},
       "a phase that is no parity"},
      {"released before the product ended",
       kProduct,
       {{"%d = hopper.wgmma_wait %f pending 0 : !fl -> !r\n", ""},
        {"hopper.arrive \"r\" \"empty\"[%s]",
         "hopper.arrive \"r\" \"empty\"[%s]\n"
         "      %d = hopper.wgmma_wait %f pending 0 : !fl -> !r"}},
       "a race"},
      {"a wait that leaves its flight",
       kProduct,
       {{"%f pending 0", "%f pending 1"}},
       "leaves the flight that it waits for in flight"},
      {"a wait for fewer than none",
       kProduct,
       {{"%f pending 0", "%f pending -1"}},
       "waits for fewer products than none"},
      {"released twice",
       kProduct,
       {{"hopper.arrive \"r\" \"empty\"[%s]",
         "hopper.arrive \"r\" \"empty\"[%s]\n"
         "      hopper.arrive \"r\" \"empty\"[%s]"},
        {"empty 8016 x 4", "empty 8016 x 8"}},
       "a release of a slot that was not waited for"},
      {"a barrier in a slot",
       kProduct,
       {{"full 8000", "full 2304"}},
       "barriers in a tile"},
      {"a load that is not waited for",
       kProduct,
       {{"hopper.process \"c\"",
         "hopper.process \"e\" warps 8 + 4 registers 0 elected {\n"
         "    hopper.expect \"s\"[%z] bytes 256\n"
         "    %t = hopper.slot \"s\"[%z] at 0 : !pt\n"
         "    hopper.tma_load %a[%c0, %c0] to %t, \"s\"[%z] : !v, !pt\n"
         "    hopper.arrive \"s\" \"empty\"[%z]\n"
         "  }\n  hopper.process \"c\""},
        {"hopper.ring \"r\"", "hopper.ring \"s\" depth 1 at 4608 slot 256 full "
                              "8064 x 1 empty 8072 x 1\n  hopper.ring \"r\""},
        {"threads 256", "threads 384"}},
       "something that is in flight in the end"},
      {"one turn too few",
       kProduct,
       {{"hopper.process \"c\" warps 4 + 4 registers 0 {",
         "hopper.process \"c\" warps 4 + 4 registers 0 {\n"
         "    %n1 = arith.subi %n, %c1 : index"},
        {"%i = %c0 to %n ", "%i = %c0 to %n1 ", true}},
       "something that is in flight in the end"},
      {"the last turn is not released",
       kProduct,
       {{"hopper.arrive \"r\" \"empty\"[%s]",
         "%i1 = arith.addi %i, %c1 : index\n"
         "      %goes = arith.cmpi ne, %i1, %n : index\n"
         "      scf.if %goes {\n"
         "        hopper.arrive \"r\" \"empty\"[%s]\n      }"}},
       "turns that are not released"},
      {"a turn that is released and not waited for",
       kProduct,
       {{"hopper.wait \"r\" \"full\"[%s] phase %q",
         "%goes = arith.cmpi ne, %i, %c0 : index\n"
         "      scf.if %goes {\n"
         "        hopper.wait \"r\" \"full\"[%s] phase %q\n      }"}},
       "a race"},
      {"an index that wraps",
       kProduct,
       {{"hopper.process \"c\" warps 4 + 4 registers 0 {",
         "hopper.process \"c\" warps 4 + 4 registers 0 {\n"
         "    %most = arith.constant 9223372036854775807 : index\n"
         "    %far = arith.addi %most, %n : index\n"
         "    %n1 = arith.maxsi %far, %n : index"},
        {"%i = %c0 to %n ", "%i = %c0 to %n ", true},
        {"%d = hopper.wgmma_wait %f pending 0 : !fl -> !r",
         "%d = hopper.wgmma_wait %f pending 0 : !fl -> !r\n"
         "      %wrapped = arith.cmpi slt, %far, %c0 : index\n"
         "      scf.if %wrapped {\n"
         "        hopper.arrive \"r\" \"empty\"[%s]\n      }"}},
       "a release of a slot that was not waited for"},
      {"no fence", kStaged, {{"hopper.fence_async", ""}}, "a missing fence"},
      {"half a slot",
       kStaged,
       {{"hopper.local_store %part, %u : tensor<8x8xf16>, !half", ""}},
       "a read of bytes that nobody wrote"},
      {"two writes without a meeting",
       kStaged,
       {{"\"r\"[%z] at 128 : !half", "\"r\"[%z] at 0 : !half"}},
       "a race"},
      {"a store that is not waited for",
       kStaged,
       {{"hopper.tma_store_wait 0", ""}},
       "a race"},
      {"a store in the end",
       kStaged,
       {{"hopper.tma_store_wait 0", "hopper.tma_store_wait 1"},
        {"hopper.wait \"r\" \"empty\"[%z] phase %w",
         "hopper.wait \"r\" \"empty\"[%z] phase %w"},
        {"%c0 to %n step", "%c0 to %c1 step"},
        {"%c0 to %n step", "%c0 to %c1 step"}},
       "something that is in flight in the end"},
      {"a barrier less",
       kMeeting,
       {{"hopper.sync 1 threads 256\n", "", true}},
       "a deadlock"},
      {"a write that nobody waited for",
       kMeeting,
       {{"hopper.sync 1 threads 256\n", ""},
        {"hopper.sync 1 threads 256\n    }\n  }\n}", "}\n  }\n}", true}},
       "a race"},
      {"no fence before a meeting",
       kMeeting,
       {{"hopper.fence_async", ""}},
       "a missing fence"},
      {"other threads",
       kMeeting,
       {{"hopper.sync 1 threads 256", "hopper.sync 1 threads 128"}},
       "a race"},
      {"another number",
       kNumber,
       {{"hopper.local_store %x, %o",
         "%k1 = arith.addi %k, %one : i32\n"
         "      %x1 = tile.splat %k1 : i32 -> tensor<1xi32>\n"
         "      hopper.local_store %x1, %o"}},
       "a deadlock"},
      {"a number without its sign",
       kNumber,
       {{"%h = arith.index_cast %k : i32 to index",
         "%k8 = arith.trunci %k : i32 to i2\n"
         "      %h = arith.index_castui %k8 : i2 to index",
         true}},
       "a deadlock"},
      {"read after the release",
       kNumber,
       {{"hopper.arrive \"m\" \"empty\"[%z]", ""},
        {"%o = hopper.slot \"m\"[%z] at 0 : !num",
         "hopper.arrive \"m\" \"empty\"[%z]\n"
         "      %o = hopper.slot \"m\"[%z] at 0 : !num",
         true}},
       "a race"},
      {"a value that a later product overwrites",
       kChain,
       {{"scf.yield %m, %m", "%cast = tile.cast %d : !r -> tensor<64x8xf16>\n"
                             "      scf.yield %m, %m"}},
       "reads registers into which a later product accumulated"},
      {"two products go on with one flight",
       kChain,
       {{"scf.yield %m, %m", "scf.yield %g, %m"}},
       "accumulates into a flight that went on already"},
      {"a product in the end",
       kChain,
       {{"%e = hopper.wgmma_wait %l#0 pending 0 : !fl -> !r", ""},
        {"%c = tile.cast %e : !r -> tensor<64x8xf16>", ""}},
       "something that is in flight in the end"},
      {"copies that threads let go on, without a fence",
       kCopied,
       {{"hopper.fence_async", ""}},
       "a missing fence"},
      {"copies without a wait for a free slot",
       kCopied,
       {{"hopper.wait \"r\" \"empty\"[%s] phase %w", ""}},
       "a race"},
      {"a copy that no arrival waits for",
       kCopied,
       {{"copies %x, %y", ""}, {"full 8000 x 128", "full 8000 x 4"}},
       "a race"},
      {"copies that arrive by warps and not by threads",
       kCopied,
       {{"full 8000 x 128", "full 8000 x 4"}},
       "an arrival too many"},
      {"half of what is multiplied is copied",
       kCopied,
       {{"%y = hopper.copy %b[%i, %c0] to %u : !v, !bt -> i1", ""},
        {"copies %x, %y", "copies %x"}},
       "a read of bytes that nobody wrote"},
      {"copies hand on no end of the copies that their threads waited for",
       kHandedOn,
       {{"hopper.slot \"s\"", "hopper.slot \"r\"", /*isLast=*/true}},
       "a race"},
      {"no end",
       kChain,
       {{"%f = hopper.wgmma", "%turn = scf.while (%p = %z) : (i32) -> i32 {\n"
                              "      %goes = arith.cmpi slt, %p, %two : i32\n"
                              "      scf.condition(%goes) %p : i32\n"
                              "    } do {\n    ^bb0(%p: i32):\n"
                              "      %p1 = arith.xori %p, %one : i32\n"
                              "      scf.yield %p1 : i32\n    }\n"
                              "    %f = hopper.wgmma"}},
       "a loop that never ends"},
      {"a wait outside of processes",
       kChain,
       {{"hopper.process", "hopper.sync 1 threads 128\n  hopper.process"}},
       "a process or an event where none can be"},
  };
  return all;
}

TEST_F(Model, EachKindOfFaultIsFound) {
  for (const Row &row : rows()) {
    std::set<std::string> one, all;
    find(edited(row.kernel, row.edits), one, all);
    std::string kinds;
    for (const std::string &kind : one)
      kinds += kind + "; ";
    EXPECT_TRUE(one.count(row.fault)) << row.name << ": " << kinds;
    EXPECT_FALSE(all.empty()) << row.name;
  }
}

/// Found in one order by what the clocks say, and in all by what happens.
TEST_F(Model, AnOrderThatIsNotTheOneTaken) {
  // The producer waits for nothing, but is slow in this order.
  std::set<std::string> one, all;
  find(edited(kStaged, {{"hopper.wait \"r\" \"empty\"[%z] phase %w", ""}}), one,
       all);
  EXPECT_TRUE(one.count("a race") || one.count(kLate) ||
              one.count("an arrival that another order counts for an earlier "
                        "phase"));
  EXPECT_FALSE(all.empty());
}

} // namespace
