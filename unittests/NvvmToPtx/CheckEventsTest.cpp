//===- CheckEventsTest.cpp - What code generation must not do ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs of LLVM IR and PTX that agree, or that differ by one fault: a wait
// dropped, an event doubled, one moved past another. A compile that goes well
// has none of these, so without them no test would show that the comparison can
// object.
//
//===----------------------------------------------------------------------===//

#include "CheckEvents.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {

/// A consumer: waits, multiplies, waits for the product, lets the slot go.
constexpr const char *kModule = R"(
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.cp.async.bulk.wait.group.read(i32)
define ptx_kernel void @k(ptr addrspace(3) %b, i32 %n) {
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %rest ]
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) %b, i32 0)
  br i1 %done, label %body, label %wait
body:
  call void asm sideeffect "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$$0}, $$1;\0A\09wgmma.commit_group.sync.aligned;", "~{memory}"()
  call void asm sideeffect "wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %a = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) %b)
  br label %rest
rest:
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 128)
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 1)
  ret void
}
)";

constexpr const char *kPtx = R"(
.visible .entry k(
	.param .u32 k_param_0
)
.reqntid 384, 1, 1
{
	.reg .pred 	%p<3>;
	setmaxnreg.inc.sync.aligned.u32 	232;
	bra.uni 	$L__BB0_1;
$L__BB0_4: // the end, laid out early
	bar.sync 	1, 128;
	cp.async.bulk.wait_group.read 	1;
	ret;
$L__BB0_1:
	mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;
	@!%p1 bra 	$L__BB0_1;
	// begin inline asm
	{
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r4}, %rd1;
	wgmma.commit_group.sync.aligned;
	}
	// end inline asm
$L__tmp7:
	wgmma.wait_group.sync.aligned 0;
	mbarrier.arrive.shared.b64 	%rd2, [%r1];
	@%p2 bra 	$L__BB0_1;
	bra.uni 	$L__BB0_4;
}
)";

EventGraph readModule(const char *text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  return module ? collectEvents(*module->getFunction("k")) : EventGraph();
}

std::string replace(std::string text, const std::string &from,
                    const std::string &to) {
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

std::string compare(const std::string &ptx, const char *module = kModule) {
  std::optional<EventGraph> after = collectEvents(ptx, "k");
  EXPECT_TRUE(after);
  return after ? compareEvents("k", readModule(module), *after) : "";
}

TEST(CheckEvents, JoinedAndMovedBlocksAreEqual) {
  EXPECT_EQ(compare(kPtx), "");
}

/// (a|b)* a (a|b)^40: the sets of states that the module may be in double with
/// each event, as those of a loop with a long peeled prologue do.
TEST(CheckEvents, ManyWaysToTheSameEvents) {
  EventGraph graph = {
      {{}, {1, 2, 3}}, {{"a"}, {1, 2, 3}}, {{"b"}, {1, 2, 3}}, {{"a"}, {4, 5}}};
  for (unsigned i = 0; i < 40; ++i) {
    unsigned next = unsigned(graph.size()) + 2;
    graph.push_back({{"a"}, {next, next + 1}});
    graph.push_back({{"b"}, {next, next + 1}});
  }
  graph.push_back({{kReturnEvent}, {}});
  graph.push_back({{kReturnEvent}, {}});
  EXPECT_EQ(compareEvents("k", graph, graph), "");
  // Where the order differs the sets may double after all: give up, and say so.
  EventGraph other = graph;
  other[4].events = {"b", "a"};
  other[5].events = {};
  EXPECT_NE(compareEvents("k", graph, other), "");
}

TEST(CheckEvents, MissingEntry) {
  EXPECT_FALSE(collectEvents(kPtx, "kernel"));
  EXPECT_TRUE(collectEvents(kPtx, "k"));
}

TEST(CheckEvents, DroppedWait) {
  EXPECT_EQ(compare(replace(kPtx, "wgmma.wait_group.sync.aligned 0;", "")),
            "bug in heddle: code generation changed the events of 'k': "
            "'wgmma.wait_group 0' occurs "
            "differently often: 1 before optimisation, 0 in the PTX");
}

TEST(CheckEvents, DuplicatedMma) {
  std::string mma =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r4}, %rd1;";
  EXPECT_EQ(compare(replace(kPtx, mma, mma + "\n\t" + mma)),
            "bug in heddle: code generation changed the events of 'k': "
            "'wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16' occurs "
            "differently often: "
            "1 before optimisation, 2 in the PTX");
}

TEST(CheckEvents, OtherNumber) {
  EXPECT_EQ(
      compare(replace(kPtx, "wait_group.read 	1;", "wait_group.read 	0;")),
      "bug in heddle: code generation changed the events of 'k': "
      "'cp.async.bulk.wait_group.read 0' "
      "occurs differently often: 0 before optimisation, 1 in the PTX");
}

TEST(CheckEvents, ArriveBeforeItsWaitInOneBlock) {
  std::string wait = "wgmma.wait_group.sync.aligned 0;\n",
              arrive = "mbarrier.arrive.shared.b64 	%rd2, [%r1];\n";
  EXPECT_EQ(compare(replace(kPtx, wait + "\t" + arrive, arrive + "\t" + wait)),
            "bug in heddle: code generation moved an event of 'k': "
            "'mbarrier.arrive' can come right after "
            "'wgmma.commit_group' in the PTX only (1 before optimisation, 1 in "
            "the PTX; expected there: "
            "'wgmma.wait_group 0')");
}

TEST(CheckEvents, EventMovedAcrossBlocks) {
  std::string ptx = replace(kPtx, "	bar.sync 	1, 128;\n", "");
  ptx = replace(ptx, "	@%p2 bra",
                "	bar.sync 	1, 128;\n	@%p2 bra");
  EXPECT_EQ(compare(ptx), "bug in heddle: code generation moved an event of "
                          "'k': 'mbarrier.try_wait' can come right after "
                          "'bar.sync 1, 128' in the PTX only (1 before "
                          "optimisation, 1 in the PTX; expected there: "
                          "'cp.async.bulk.wait_group.read 1')");
}

TEST(CheckEvents, TextThatEndsEarly) {
  EXPECT_EQ(
      compare(replace(kPtx, "	bra.uni 	$L__BB0_4;", "	ret;")),
      "bug in heddle: code generation moved an event of 'k': 'ret' can come "
      "right after "
      "'mbarrier.arrive' in the PTX only (expected there: 'bar.sync 1, 128' or "
      "'mbarrier.try_wait')");
}

/// An event that cannot be reached is not missed; one whose branch cannot be
/// folded is.
TEST(CheckEvents, BranchesThatFold) {
  std::string text = R"(
declare void @llvm.nvvm.bar.warp.sync(i32)
define ptx_kernel void @k(i32 %n) {
  %low = and i32 %n, 3
  %odd = icmp ugt i32 %low, LIMIT
  br i1 %odd, label %then, label %end
then:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br label %end
end:
  ret void
}
)";
  std::string ptx = ".entry k()\n{\n\tret;\n}\n";
  EXPECT_EQ(compare(ptx, replace(text, "LIMIT", "3").c_str()), "");
  EXPECT_EQ(compare(ptx, replace(text, "LIMIT", "2").c_str()),
            "bug in heddle: code generation changed the events of 'k': "
            "'bar.warp.sync' occurs differently "
            "often: 1 before optimisation, 0 in the PTX");
}

/// What later passes may fold says how few events are enough.
TEST(CheckEvents, BranchesNeverTaken) {
  EventBlock start = {{"a"}, {1, 2}}, branch = {{"b", "b"}, {2}},
             end = {{"a", kReturnEvent}, {}};
  EventGraph before = {start, branch, end};
  EventGraph possible = {{{"a"}, {1}}, {{"a", kReturnEvent}, {}}};
  EventGraph one = {start, {{"b"}, {2}}, end};
  EventGraph swapped = {{{"b"}, {1}}, {{"a", "a", kReturnEvent}, {}}};
  EXPECT_NE(compareEvents("k", before, possible), "");
  EXPECT_EQ(compareEvents("k", before, possible, &possible), "");
  EXPECT_EQ(compareEvents("k", before, before, &possible), "");
  EXPECT_NE(compareEvents("k", before, one, &possible), "");
  EXPECT_NE(compareEvents("k", before, swapped, &possible), "");
  EXPECT_NE(compareEvents("k", before, possible, &before), "");
}

TEST(CheckEvents, TableOfTargets) {
  std::string text = R"(
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
define ptx_kernel void @k(i32 %n) {
  switch i32 %n, label %end [ i32 0, label %a
                              i32 1, label %b ]
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  br label %end
b:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 64)
  br label %end
end:
  ret void
}
)";
  std::string ptx = R"(
.entry k()
{
	@%p1 bra 	$L__BB0_3;
	$L_brx_0: .branchtargets
	$L__BB0_1,
	$L__BB0_2;
	brx.idx 	%r1, $L_brx_0;
$L__BB0_1:
	bar.sync 	1, 64;
	bra.uni 	$L__BB0_3;
$L__BB0_2:
	bar.sync 	2, 64;
$L__BB0_3:
	ret;
}
)";
  EXPECT_EQ(compare(ptx, text.c_str()), "");
  EXPECT_NE(
      compare(replace(ptx, "bra.uni 	$L__BB0_3", "bra.uni 	$L__BB0_2"),
              text.c_str()),
      "");
}

} // namespace
