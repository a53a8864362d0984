//===- EmulateTest.cpp - Tests of heddle_emulate --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that heddle_compile made runs through heddle_emulate on vectors of
// the test. Results must be in the caller's own memory, and arguments of a
// wrong number or kind must give a sentence, because C checks neither for the
// caller.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "gtest/gtest.h"

#include <vector>

using namespace heddle::test;

namespace {

heddle_arg viewOf(std::vector<float> &values) {
  heddle_arg arg = {};
  arg.kind = HEDDLE_VIEW;
  arg.dtype = HEDDLE_F32;
  arg.rank = 1;
  arg.data = values.data();
  arg.shape[0] = int64_t(values.size());
  arg.strides[0] = 1;
  return arg;
}

/// The messages; "" if all went well.
std::string emulate(const Call &kernel, std::vector<heddle_arg> args,
                    const char *options = nullptr) {
  std::string ptx = kernel.text(HEDDLE_TEXT_PTX);
  std::string manifest = kernel.text(HEDDLE_TEXT_MANIFEST);
  heddle_result *result = nullptr;
  heddle_emulate(ptx.data(), ptx.size(), manifest.data(), manifest.size(),
                 args.data(), nullptr, args.size(), options, &result);
  std::string messages =
      heddle_result_text(result, HEDDLE_TEXT_MESSAGES, 0, nullptr);
  heddle_result_destroy(result);
  return messages;
}

} // namespace

TEST(Emulate, WorksOnTheCallersMemory) {
  std::vector<float> x(300), y(300, -1);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i);
  EXPECT_EQ(emulate(Call(kTwice), {viewOf(x), viewOf(y)},
                    R"({"order": "adversarial", "seed": 3, "sms": 2})"),
            "");
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_EQ(y[i], 2 * float(i));
}

TEST(Emulate, SaysWhatIsWrong) {
  Call kernel(kTwice);
  std::vector<float> x(300), y(300);
  EXPECT_EQ(emulate(kernel, {viewOf(x)}),
            "error: kernel 'twice' takes 2 arguments, not 1 "
            "[launch-refused]\n");
  heddle_arg scalar = {};
  scalar.kind = HEDDLE_SCALAR;
  EXPECT_EQ(emulate(kernel, {viewOf(x), scalar}),
            "error: argument 'y' has another kind, element type or rank than "
            "the manifest says [launch-refused]\n");
  EXPECT_EQ(emulate(kernel, {viewOf(x), viewOf(y)}, R"({"order": "late"})"),
            "error: option 'order' must be fair, random or adversarial "
            "[usage]\n");
}
