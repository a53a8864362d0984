//===- HostileTest.cpp - Calls that no caller means -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function of compiler.h with null pointers and absurd numbers: an
// outcome and a sentence each time, never an exception or a crash.
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "Guard.h"

#include "gtest/gtest.h"

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace heddle::test;

namespace {

std::set<std::string> declaredFunctions() {
  std::ifstream file(HEDDLE_HEADER);
  std::string text(std::istreambuf_iterator<char>(file), {});
  std::set<std::string> names;
  std::regex pattern(R"(HEDDLE_API[^;(]*\b(heddle_\w+)\()");
  for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern);
       it != std::sregex_iterator(); ++it)
    names.insert((*it)[1]);
  return names;
}

constexpr size_t kSizes[] = {(size_t(1) << 30) + 1, size_t(1) << 62,
                             SIZE_MAX - 1, SIZE_MAX};

/// The messages of a call that must not succeed.
template <class Function> std::string refused(Function call) {
  heddle_result *result = nullptr;
  heddle_outcome outcome = call(&result);
  EXPECT_NE(outcome, HEDDLE_FINE);
  EXPECT_NE(outcome, HEDDLE_INTERNAL);
  EXPECT_NE(result, nullptr);
  std::string text =
      heddle_result_text(result, HEDDLE_TEXT_MESSAGES, 0, nullptr);
  EXPECT_NE(text, "");
  heddle_result_destroy(result);
  return text;
}

heddle_arg vectorOf(float *data, int64_t extent, int64_t stride) {
  heddle_arg arg = {};
  arg.kind = HEDDLE_VIEW;
  arg.dtype = HEDDLE_F32;
  arg.rank = 1;
  arg.data = data;
  arg.shape[0] = extent;
  arg.strides[0] = stride;
  return arg;
}

} // namespace

TEST(Hostile, EveryFunctionOfTheHeader) {
  std::set<std::string> called = {"heddle_compile",
                                  "heddle_emulate",
                                  "heddle_compiler_abi_version",
                                  "heddle_compiler_version",
                                  "heddle_result_kernel_count",
                                  "heddle_result_text",
                                  "heddle_result_destroy",
                                  "heddle_sparse_compile",
                                  "heddle_sparse_save",
                                  "heddle_sparse_load",
                                  "heddle_sparse_run",
                                  "heddle_sparse_run_into",
                                  "heddle_sparse_fault_of_rows",
                                  "heddle_sparse_fault_of_bags",
                                  "heddle_sparse_message",
                                  "heddle_sparse_free",
                                  "heddle_sparse_destroy"};
  EXPECT_EQ(called, declaredFunctions());
  EXPECT_EQ(heddle_compiler_abi_version(), HEDDLE_COMPILER_ABI_VERSION);
  EXPECT_STREQ(heddle_compiler_version(), "0.1.0");
  heddle_result_destroy(nullptr);
  EXPECT_EQ(heddle_result_kernel_count(nullptr), 0u);
  EXPECT_EQ(heddle_compile(kTwice, sizeof kTwice - 1, nullptr, nullptr),
            HEDDLE_BAD_INPUT);
  EXPECT_EQ(heddle_emulate("", 0, "", 0, nullptr, nullptr, 0, nullptr, nullptr),
            HEDDLE_BAD_INPUT);
}

TEST(Hostile, Sources) {
  auto compile = [](const char *text, size_t size, const char *options) {
    return refused([&](heddle_result **result) {
      return heddle_compile(text, size, options, result);
    });
  };
  EXPECT_EQ(compile(nullptr, 5, nullptr),
            "error: the source is null [usage]\n");
  for (size_t size : kSizes)
    EXPECT_EQ(compile(kTwice, size, nullptr),
              "error: the source has " + std::to_string(size) +
                  " bytes; heddle reads at most 1073741824 [usage]\n");
  compile("", 0, "{");
  compile("\0\xff\n", 3, nullptr);
}

TEST(Hostile, SparsePrograms) {
  const char text[] = R"(
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
einsum.program @p(%A: tensor<?x?xf32, #csr>, %x: tensor<?xf32>) {
  %y = einsum.statement (i) += %A(i, j) * %x(j)
    : tensor<?x?xf32, #csr>, tensor<?xf32> -> tensor<?xf32>
  einsum.return %y : tensor<?xf32>
})";
  heddle_sparse_program *program = nullptr;
  auto compile = [&](std::vector<int64_t> sizes, int workers) {
    return refused([&](heddle_result **result) {
      return heddle_sparse_compile(text, sizeof text - 1, sizes.data(),
                                   sizes.size(), workers, &program, result);
    });
  };
  EXPECT_EQ(compile({2, 3, 2, 4, 3}, 1),
            "error: there are too few sizes for the program's operands "
            "[einsum-operands]\n");
  EXPECT_EQ(compile({2, 3, 2, 4, 5, 5}, 1),
            "error: j is 3 and, in x, 5 [einsum-operands]\n");
  EXPECT_EQ(compile({2, 3, 2, 4, 3, 3}, -1),
            "error: a pointer is null, or a size beyond its limit [usage]\n");
  EXPECT_EQ(program, nullptr);

  heddle_result *result = nullptr;
  std::vector<int64_t> sizes = {2, 3, 2, 4, 3, 3};
  ASSERT_EQ(heddle_sparse_compile(text, sizeof text - 1, sizes.data(),
                                  sizes.size(), 2, &program, &result),
            HEDDLE_FINE);
  heddle_result_destroy(result);
  std::vector<int64_t> positions = {0, 1, 3}, coordinates = {2, 0, 1};
  std::vector<float> values = {2, 3, 4}, x = {1, 10, 100};
  std::vector<int64_t> arguments = {int64_t(positions.data()),
                                    int64_t(coordinates.data()),
                                    int64_t(values.data()),
                                    2,
                                    3,
                                    int64_t(x.data()),
                                    3};
  int64_t given[2] = {};
  EXPECT_EQ(heddle_sparse_run(program, arguments.data(), 3, given, 2),
            HEDDLE_BAD_INPUT);
  EXPECT_STREQ(heddle_sparse_message(program),
               "the program takes 7 arguments and gives 1 arrays");
  EXPECT_EQ(heddle_sparse_run(nullptr, arguments.data(), 7, given, 2),
            HEDDLE_BAD_INPUT);
  ASSERT_EQ(heddle_sparse_run(program, arguments.data(), 7, given, 2),
            HEDDLE_FINE);
  EXPECT_EQ(given[1], 2);
  auto *y = reinterpret_cast<float *>(given[0]);
  EXPECT_EQ(y[0], 200);
  EXPECT_EQ(y[1], 43);
  heddle_sparse_free(y);
  heddle_sparse_free(nullptr);
  float own[3] = {7, 7, 7};
  EXPECT_EQ(heddle_sparse_run_into(program, arguments.data(), 7, own, 8),
            HEDDLE_FINE);
  EXPECT_EQ(own[0], 200);
  EXPECT_EQ(own[1], 43);
  EXPECT_EQ(own[2], 7);
  EXPECT_EQ(heddle_sparse_run_into(program, arguments.data(), 7, own, 12),
            HEDDLE_BAD_INPUT);
  EXPECT_STREQ(heddle_sparse_message(program),
               "the result has 8 bytes and the memory for it 12");
  void *bytes = nullptr;
  size_t size = 0;
  ASSERT_EQ(heddle_sparse_save(program, &bytes, &size), HEDDLE_FINE);
  EXPECT_EQ(heddle_sparse_save(nullptr, &bytes, &size), HEDDLE_BAD_INPUT);
  EXPECT_EQ(heddle_sparse_save(program, nullptr, &size), HEDDLE_BAD_INPUT);
  auto load = [&](const void *from, size_t count, int workers,
                  heddle_sparse_program **to) {
    return [=](heddle_result **result) {
      return heddle_sparse_load(from, count, workers, to, result);
    };
  };
  heddle_sparse_program *again = nullptr;
  heddle_result *texts = nullptr;
  ASSERT_EQ(load(bytes, size, 2, &again)(&texts), HEDDLE_FINE);
  heddle_result_destroy(texts);
  float loaded[2] = {7, 7};
  EXPECT_EQ(heddle_sparse_run_into(again, arguments.data(), 7, loaded, 8),
            HEDDLE_FINE);
  EXPECT_EQ(loaded[0], 200);
  EXPECT_EQ(loaded[1], 43);
  heddle_sparse_destroy(again);
  for (size_t part : {size_t(0), size_t(10), size_t(30), size / 2})
    refused(load(bytes, part, 1, &again));
  refused(load(nullptr, 5, 1, &again));
  refused(load(bytes, size, 1, nullptr));
  refused(load(bytes, size, 1025, &again));
  heddle_sparse_free(bytes);
  auto refusesSizes = [&](heddle_outcome outcome) {
    EXPECT_EQ(outcome, HEDDLE_BAD_INPUT);
    EXPECT_STREQ(heddle_sparse_message(program),
                 "a pointer is null, or a size beyond its limit");
    // The next call speaks of itself.
    heddle_sparse_run_into(program, arguments.data(), 3, own, 8);
    EXPECT_STREQ(heddle_sparse_message(program),
                 "the program takes 7 arguments and gives 1 arrays");
  };
  int64_t *all = arguments.data();
  refusesSizes(heddle_sparse_run_into(program, all, 7, nullptr, 8));
  refusesSizes(heddle_sparse_run_into(program, all, 7, own, SIZE_MAX));
  refusesSizes(heddle_sparse_run_into(program, nullptr, 7, own, 8));
  refusesSizes(heddle_sparse_run(program, nullptr, 7, given, 2));
  refusesSizes(heddle_sparse_run(program, all, 7, nullptr, 2));
  refusesSizes(heddle_sparse_run(program, all, 7, given, 3));
  EXPECT_EQ(heddle_sparse_run_into(nullptr, arguments.data(), 7, own, 8),
            HEDDLE_BAD_INPUT);
  heddle_sparse_destroy(program);
  heddle_sparse_destroy(nullptr);
  EXPECT_STREQ(heddle_sparse_message(nullptr), "");
}

TEST(Hostile, ValuesOnTheOperandsPattern) {
  auto make = [](const std::string &format, const std::string &right) {
    std::string text = "#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : "
                       "dense, j : compressed) }>\n!m = tensor<?x?xf32, #csr>\n"
                       "einsum.program @p(%A: !m, %B: " +
                       format + ") {\n  %C = einsum.statement " + right +
                       " : !m, " + format +
                       " -> !m\n  einsum.return %C : !m\n}\n";
    heddle_sparse_program *program = nullptr;
    heddle_result *result = nullptr;
    std::vector<int64_t> sizes = {2, 2, 2, 3, 2, 2, 2, 4};
    if (format == "tensor<?xf32>")
      sizes.resize(6);
    EXPECT_EQ(heddle_sparse_compile(text.data(), text.size(), sizes.data(),
                                    sizes.size(), 1, &program, &result),
              HEDDLE_FINE)
        << heddle_result_text(result, HEDDLE_TEXT_MESSAGES, 0, nullptr);
    heddle_result_destroy(result);
    return program;
  };
  std::vector<int64_t> positions = {0, 1, 3}, coordinates = {1, 0, 1};
  std::vector<float> values = {2, 3, 4}, factors = {10, 100};
  auto at = [](auto &array) { return int64_t(array.data()); };
  std::vector<int64_t> arguments = {
      at(positions), at(coordinates), at(values), 2, 2, at(factors), 2};
  float found[3] = {};
  heddle_sparse_program *scaled =
      make("tensor<?xf32>", "(i, j) += %A(i, j) * %B(i)");
  ASSERT_EQ(heddle_sparse_run_into(scaled, arguments.data(), 7, found, 12),
            HEDDLE_FINE)
      << heddle_sparse_message(scaled);
  EXPECT_EQ(found[0], 20);
  EXPECT_EQ(found[1], 300);
  EXPECT_EQ(found[2], 400);
  EXPECT_EQ(heddle_sparse_run_into(scaled, arguments.data(), 7, found, 8),
            HEDDLE_BAD_INPUT);
  heddle_sparse_destroy(scaled);
  // One whose positions are counted makes three arrays.
  heddle_sparse_program *product = make("!m", "(i, k) += %A(i, j) * %B(j, k)");
  arguments = {at(positions), at(coordinates), at(values), 2, 2,
               at(positions), at(coordinates), at(values), 2, 2};
  EXPECT_EQ(heddle_sparse_run_into(product, arguments.data(), 10, found, 12),
            HEDDLE_BAD_INPUT);
  EXPECT_STREQ(
      heddle_sparse_message(product),
      "the program gives 3 arrays, more than one of which no operand has");
  heddle_sparse_destroy(product);
}

TEST(Hostile, ArraysOfRows) {
  auto fault = [](std::vector<int32_t> positions, std::vector<int32_t> inside,
                  int64_t columns) {
    std::vector<int64_t> wide(positions.begin(), positions.end());
    std::vector<int64_t> wideInside(inside.begin(), inside.end());
    int64_t rows = int64_t(positions.size()) - 1,
            count = int64_t(inside.size());
    auto text = [](const char *fault) {
      return std::string(fault ? fault : "");
    };
    std::string narrow = text(heddle_sparse_fault_of_rows(
        positions.data(), inside.data(), 32, rows, columns, count));
    EXPECT_EQ(narrow,
              text(heddle_sparse_fault_of_rows(wide.data(), wideInside.data(),
                                               64, rows, columns, count)));
    return narrow;
  };
  const std::string ends =
      "positions do not go from 0 to the number of elements, ";
  const std::string order =
      "coordinates of a row are not sorted, or repeated: in row ";
  const std::string outside = "a coordinate is outside of the matrix: row ";
  EXPECT_EQ(fault({0}, {}, 3), "");
  EXPECT_EQ(fault({0, 0, 2, 2, 3, 3}, {1, 2, 0}, 3), "");
  EXPECT_EQ(fault({0, 0, 2, 2, 3, 3}, {1, 2, 2}, 3), "");
  EXPECT_EQ(fault({1, 1}, {}, 3), ends + "0, but from 1 to 1");
  EXPECT_EQ(fault({0, 2}, {1}, 3), ends + "1, but from 0 to 2");
  EXPECT_EQ(fault({0, 2, 1, 3}, {0, 1, 2}, 3),
            "positions fall: row 1 begins at 2 and ends at 1");
  EXPECT_EQ(fault({0, 2}, {1, 3}, 3),
            outside + "0 has 3, and 0 to 2 are there");
  EXPECT_EQ(fault({0, 0, 1, 1}, {-1}, 3),
            outside + "1 has -1, and 0 to 2 are there");
  EXPECT_EQ(fault({0, 0, 1}, {0}, 0), outside + "1 has 0, and none is there");
  EXPECT_EQ(fault({0, 2}, {2, 1}, 3), order + "0, 1 follows 2");
  EXPECT_EQ(fault({0, 2}, {1, 1}, 3), order + "0, 1 follows 1");
  EXPECT_EQ(fault({0, 0, 2, 2, 4}, {0, 1, 2, 0}, 3), order + "3, 0 follows 2");
  EXPECT_STREQ(heddle_sparse_fault_of_rows(nullptr, nullptr, 32, 0, 0, 0),
               "a pointer is null, or a size beyond its limit");
}

TEST(Hostile, BagsOfRows) {
  auto fault = [](std::vector<int32_t> positions, std::vector<int32_t> inside,
                  int64_t rows) {
    std::vector<int64_t> wide(positions.begin(), positions.end());
    std::vector<int64_t> wideInside(inside.begin(), inside.end());
    int64_t bags = int64_t(positions.size()) - 1,
            count = int64_t(inside.size());
    auto text = [](const char *fault) {
      return std::string(fault ? fault : "");
    };
    std::string narrow = text(heddle_sparse_fault_of_bags(
        positions.data(), inside.data(), 32, bags, rows, count));
    EXPECT_EQ(narrow,
              text(heddle_sparse_fault_of_bags(wide.data(), wideInside.data(),
                                               64, bags, rows, count)));
    return narrow;
  };
  EXPECT_EQ(fault({0}, {}, 0), "");
  EXPECT_EQ(fault({0, 0, 3, 3}, {2, 0, 2}, 3), "");
  EXPECT_EQ(fault({1, 1}, {0}, 3), "the first offset is 1 and not 0");
  EXPECT_EQ(fault({0, 2, 1, 3}, {0, 1, 2}, 3),
            "the offsets fall: bag 1 begins at 2 and ends at 1");
  EXPECT_EQ(fault({0, 2}, {1}, 3), "a bag ends at 2, and 1 indices are there");
  EXPECT_EQ(fault({0, 1}, {1, 2, 0}, 3),
            "the last bag ends at 1, in front of 2 indices of no bag");
  EXPECT_EQ(fault({0, 1, 1, 3}, {1, 0, 3}, 3),
            "position 2, of bag 2, is 3, and the table has rows 0 to 2");
  EXPECT_EQ(fault({0, 0, 2, 2}, {-1, 3}, 3),
            "position 0, of bag 1, is -1, and the table has rows 0 to 2");
  EXPECT_EQ(fault({0, 1}, {0}, 0),
            "position 0, of bag 0, is 0, and the table has no row");
  EXPECT_STREQ(heddle_sparse_fault_of_bags(nullptr, nullptr, 32, 0, 0, 0),
               "a pointer is null, or a size beyond its limit");
}

TEST(Hostile, Launches) {
  Call kernel(kTwice);
  std::string ptx = kernel.text(HEDDLE_TEXT_PTX);
  std::string json = kernel.text(HEDDLE_TEXT_MANIFEST);
  std::vector<float> x(300), y(300);
  std::vector<heddle_arg> args = {vectorOf(x.data(), 300, 1),
                                  vectorOf(y.data(), 300, 1)};
  auto emulate = [&](const char *text, size_t size, const char *manifest,
                     size_t manifestSize, const heddle_arg *list,
                     size_t count) {
    return refused([&](heddle_result **result) {
      return heddle_emulate(text, size, manifest, manifestSize, list, nullptr,
                            count, nullptr, result);
    });
  };
  for (size_t size : kSizes) {
    emulate(ptx.data(), size, json.data(), json.size(), args.data(), 2);
    emulate(ptx.data(), ptx.size(), json.data(), size, args.data(), 2);
    emulate(ptx.data(), ptx.size(), json.data(), json.size(), args.data(),
            size);
  }
  emulate(nullptr, 1, json.data(), json.size(), args.data(), 2);
  emulate(ptx.data(), ptx.size(), nullptr, 1, args.data(), 2);
  emulate(ptx.data(), ptx.size(), json.data(), json.size(), nullptr, 2);
  emulate("", 0, json.data(), json.size(), args.data(), 2);
  auto with = [&](heddle_arg arg) {
    std::vector<heddle_arg> other = {arg, args[1]};
    return emulate(ptx.data(), ptx.size(), json.data(), json.size(),
                   other.data(), 2);
  };
  for (int64_t extent : {INT64_MIN, int64_t(-1), int64_t(1) << 31, INT64_MAX})
    with(vectorOf(x.data(), extent, 1));
  for (int64_t stride : {INT64_MIN, int64_t(-1), int64_t(0), INT64_MAX})
    with(vectorOf(x.data(), 300, stride));
  with(vectorOf(nullptr, 300, 1));
  for (int number : {-1, 5, 256, INT32_MAX, INT32_MIN}) {
    heddle_arg arg = args[0];
    arg.rank = number;
    with(arg);
    arg = args[0];
    arg.dtype = number | 256;
    with(arg);
    arg = args[0];
    arg.kind = number | 256;
    with(arg);
  }
}

TEST(Hostile, Texts) {
  Call kernel(kTwice);
  heddle_result *result = nullptr;
  heddle_compile(kTwice, sizeof kTwice - 1, nullptr, &result);
  size_t size = 7;
  for (size_t index : {size_t(1), size_t(1) << 62, SIZE_MAX}) {
    EXPECT_STREQ(heddle_result_text(result, HEDDLE_TEXT_PTX, index, &size), "");
    EXPECT_EQ(size, 0u);
  }
  heddle_result_destroy(result);
  EXPECT_STREQ(heddle_result_text(nullptr, HEDDLE_TEXT_PTX, 0, nullptr), "");
}

TEST(Hostile, ExceptionsBecomeOutcomes) {
  heddle_result result;
  auto thrower = []() -> heddle_outcome {
    std::string text;
    text.reserve(SIZE_MAX); // length_error
    return HEDDLE_FINE;
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(heddle::compiler::guard(result, thrower), HEDDLE_INTERNAL);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), ""); // nothing here prints
  EXPECT_EQ(result.messages, "error: bug in heddle: the compiler stopped: out "
                             "of memory [internal]\n");
  heddle_result other;
  EXPECT_EQ(heddle::compiler::guard(other, [] { return HEDDLE_FINE; }),
            HEDDLE_FINE);
}

// AddressSanitizer itself needs terabytes of addresses.
#if !__has_feature(address_sanitizer)
// A stack of 64 MiB does not fit what is left.
static void guardWithoutThreads() {
  rlimit limit;
  limit.rlim_cur = 1 << 20;
  limit.rlim_max = RLIM_INFINITY;
  setrlimit(RLIMIT_AS, &limit);
  heddle_result result;
  heddle_outcome outcome =
      heddle::compiler::guard(result, [] { return HEDDLE_FINE; });
  bool isRight = outcome == HEDDLE_INTERNAL &&
                 result.messages.find("gives no thread") != std::string::npos;
  _exit(isRight ? 0 : 1);
}

TEST(Hostile, NoThreadIsAnOutcome) {
  EXPECT_EXIT(guardWithoutThreads(), testing::ExitedWithCode(0), "");
}
#endif
