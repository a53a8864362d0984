//===- AttentionTest.cpp - Attention, forward and backward ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against softmax(scale Q K^T) V and its derivatives in double, without tiles.
//
//===----------------------------------------------------------------------===//

#include "Example.h"

using namespace heddle::interp;

namespace {

/// heads x queries x depth and shared x keys x depth, packed.
struct Problem {
  int64_t heads, queries, keys, depth;
  bool causal = false;
  double spread = 1; ///< of Q's and K's elements
  int64_t shared;    ///< heads of keys and values
  int64_t window = INT32_MAX;
  Half q, k, v;
  double scale = 0;

  Problem(int64_t heads, int64_t queries, int64_t keys, int64_t depth,
          bool causal = false, double spread = 1, int64_t group = 1)
      : heads(heads), queries(queries), keys(keys), depth(depth),
        causal(causal), shared(heads / group),
        q(normal<uint16_t>(heads * queries * depth, 1, spread)),
        k(normal<uint16_t>(shared * keys * depth, 2, spread)),
        v(normal<uint16_t>(shared * keys * depth, 3)),
        scale(float(1 / std::sqrt(double(depth)))) {}

  bool sees(int64_t query, int64_t key) const {
    int64_t last = query + keys - queries;
    return !causal || (key <= last && key > last - window);
  }
  int64_t source(int64_t head) const { return head * shared / heads; }
  double at(const Half &data, int64_t length, int64_t head, int64_t row,
            int64_t column) const {
    return valueOf(data[(head * length + row) * depth + column]);
  }
  double score(int64_t head, int64_t query, int64_t key) const {
    double sum = 0;
    for (int64_t d = 0; d < depth; ++d)
      sum += at(q, queries, head, query, d) * at(k, keys, source(head), key, d);
    return scale * sum;
  }
  /// Each key's share in a query; `lse` is the logarithm of the exponentials'
  /// sum.
  std::vector<double> weights(int64_t head, int64_t query, double &lse) const {
    std::vector<double> result(keys, 0);
    double largest = -INFINITY, sum = 0;
    for (int64_t key = 0; key < keys; ++key)
      if (sees(query, key))
        largest = std::max(largest, score(head, query, key));
    for (int64_t key = 0; key < keys; ++key)
      if (sees(query, key))
        sum += result[key] = std::exp(score(head, query, key) - largest);
    for (double &weight : result)
      weight /= sum > 0 ? sum : 1;
    lse = largest + std::log(sum);
    return result;
  }
  std::vector<double> forward() const {
    std::vector<double> result(q.size(), 0);
    double lse;
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t query = 0; query < queries; ++query) {
        std::vector<double> share = weights(head, query, lse);
        for (int64_t key = 0; key < keys; ++key)
          for (int64_t d = 0; d < depth; ++d)
            result[(head * queries + query) * depth + d] +=
                share[key] * at(v, keys, source(head), key, d);
      }
    return result;
  }
  Arguments inputs() {
    Arguments arguments;
    arguments.array("q", q, {heads, queries, depth})
        .array("k", k, {shared, keys, depth})
        .array("v", v, {shared, keys, depth})
        .scalar("scale", scale);
    return arguments;
  }
};

constexpr uint16_t kPoison = 0x7e00; // NaN

template <typename T>
void expectNear(const std::vector<T> &got, const std::vector<double> &expected,
                double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(valueOf(got[i]), expected[i],
                tolerance * (1 + std::fabs(expected[i])))
        << "element " << i;
}

/// P and O are f16: two roundings of 2^-11 on values of a few units.
void checkForward(llvm::StringRef example, Problem problem,
                  Arguments &arguments, llvm::ArrayRef<std::string> settings) {
  Half o(problem.q.size(), kPoison);
  arguments.array("o", o, {problem.heads, problem.queries, problem.depth});
  ASSERT_TRUE(runExample(example, settings, arguments));
  expectNear(o, problem.forward(), 2e-3);
}

void checkForward(Problem problem, llvm::ArrayRef<std::string> settings) {
  Arguments arguments = problem.inputs();
  checkForward(problem.causal ? "attention_causal" : "attention", problem,
               arguments, settings);
}

/// `group` heads of queries share one of keys.
void checkGrouped(int64_t group, int64_t heads, int64_t queries, int64_t keys,
                  llvm::ArrayRef<std::string> settings) {
  Problem problem(heads, queries, keys, 64, true, 1, group);
  Arguments arguments = problem.inputs();
  checkForward("attention_gqa", problem, arguments, settings);
}

void checkWindow(int64_t window, int64_t queries, int64_t keys,
                 llvm::ArrayRef<std::string> settings) {
  Problem problem(1, queries, keys, 64, true);
  problem.window = window;
  Arguments arguments = problem.inputs();
  arguments.scalar("window", window);
  checkForward("attention_window", problem, arguments, settings);
}

const std::string kSmall[] = {"BM=64", "BN=64", "D=64"};
const std::string kLarge[] = {"BM=192", "BN=176", "D=64"};

TEST(Attention, RaggedExtents) {
  checkForward({2, 70, 90, 64}, kSmall);
  checkForward({2, 200, 190, 64}, kLarge);
  checkForward({1, 1, 1, 64}, kSmall);
  checkForward({1, 64, 128, 64}, kSmall);
}

TEST(Attention, HeadsNarrowerThanTheTile) {
  checkForward({2, 70, 90, 40}, kSmall);
}

TEST(Attention, LargeScoresDoNotOverflow) {
  checkForward({1, 70, 150, 64, false, 30}, kSmall);
}

TEST(Attention, WithoutKeysTheResultIsZero) {
  checkForward({2, 70, 0, 64}, kSmall);
}

TEST(AttentionCausal, RaggedExtents) {
  checkForward({2, 70, 70, 64, true}, kSmall);
  checkForward({1, 200, 200, 64, true}, kLarge);
  checkForward({1, 128, 128, 64, true}, kSmall);
  checkForward({1, 1, 1, 64, true}, kSmall);
}

TEST(AttentionCausal, MoreKeysThanQueries) {
  checkForward({1, 70, 150, 64, true}, kSmall);
  checkForward({1, 1, 129, 64, true}, kSmall);
}

TEST(AttentionCausal, QueriesWithoutKeysGiveZero) {
  checkForward({1, 150, 20, 64, true}, kSmall);
  checkForward({1, 70, 0, 64, true}, kSmall);
}

/// A NaN in a key reaches the queries that see it and no others.
TEST(AttentionCausal, NanReachesOnlyWhatSeesIt) {
  Problem problem(1, 100, 100, 64, true);
  constexpr int64_t kKey = 37;
  problem.k[kKey * 64 + 5] = kPoison;
  Half o(problem.q.size(), 0);
  Arguments arguments = problem.inputs();
  arguments.array("o", o, {1, 100, 64});
  ASSERT_TRUE(runExample("attention_causal", kSmall, arguments));
  for (int64_t query = 0; query < 100; ++query)
    for (int64_t d = 0; d < 64; ++d)
      ASSERT_EQ(std::isnan(valueOf(o[query * 64 + d])), query >= kKey)
          << query << ", " << d;
}

TEST(AttentionGqa, HeadsShareKeys) {
  checkGrouped(2, 4, 70, 70, kSmall);
  checkGrouped(3, 6, 70, 150, kSmall);
  checkGrouped(4, 4, 200, 190, kLarge);
  checkGrouped(1, 3, 70, 20, kSmall);
}

TEST(AttentionWindow, OfAnyWidth) {
  for (int64_t window : {1, 20, 63, 64, 65, 130, 200, 201, INT32_MAX})
    checkWindow(window, 200, 200, kSmall);
  checkWindow(1, 200, 200, kLarge);
  checkWindow(150, 200, 200, kLarge);
}

TEST(AttentionWindow, AnyNumbersOfQueriesAndKeys) {
  checkWindow(40, 70, 150, kSmall);
  checkWindow(70, 1, 150, kSmall);
  checkWindow(40, 150, 70, kSmall);
  checkWindow(100, 150, 20, kSmall);
  checkWindow(5, 70, 0, kSmall);
  checkWindow(0, 70, 70, kSmall);
}

/// What the backward pass gets from the forward one, and what it must give.
struct Gradients {
  F32 lse, delta;
  std::vector<double> dq, dk, dv;

  Gradients(const Problem &p, const Half &dO)
      : lse(p.heads * p.queries), delta(lse.size()), dq(p.q.size(), 0),
        dk(p.k.size(), 0), dv(p.v.size(), 0) {
    std::vector<double> o = p.forward();
    for (int64_t head = 0; head < p.heads; ++head)
      for (int64_t query = 0; query < p.queries; ++query)
        addQuery(p, dO, o, head, query);
  }

private:
  void addQuery(const Problem &p, const Half &dO, const std::vector<double> &o,
                int64_t head, int64_t query) {
    int64_t row = head * p.queries + query;
    double logSum = 0, products = 0;
    std::vector<double> share = p.weights(head, query, logSum);
    for (int64_t d = 0; d < p.depth; ++d)
      products += valueOf(dO[row * p.depth + d]) * o[row * p.depth + d];
    lse[row] = float(logSum);
    delta[row] = float(products);
    for (int64_t key = 0; key < p.keys; ++key) {
      int64_t column = head * p.keys + key;
      double dp = 0;
      for (int64_t d = 0; d < p.depth; ++d)
        dp += valueOf(dO[row * p.depth + d]) * p.at(p.v, p.keys, head, key, d);
      double ds = p.scale * share[key] * (dp - products);
      for (int64_t d = 0; d < p.depth; ++d) {
        dv[column * p.depth + d] += share[key] * valueOf(dO[row * p.depth + d]);
        dk[column * p.depth + d] += ds * p.at(p.q, p.queries, head, query, d);
        dq[row * p.depth + d] += ds * p.at(p.k, p.keys, head, key, d);
      }
    }
  }
};

void checkBackward(Problem problem, llvm::ArrayRef<std::string> settings) {
  Half dO = normal<uint16_t>(problem.q.size(), 4);
  Gradients expected(problem, dO);
  F32 dq(problem.q.size(), 0);
  Half dk(problem.k.size(), kPoison), dv(problem.v.size(), kPoison);
  Arguments arguments = problem.inputs();
  llvm::SmallVector<int64_t> rows = {problem.heads, problem.queries,
                                     problem.depth};
  llvm::SmallVector<int64_t> columns = {problem.heads, problem.keys,
                                        problem.depth};
  arguments.array("d_o", dO, rows)
      .array("lse", expected.lse, {problem.heads, problem.queries})
      .array("delta", expected.delta, {problem.heads, problem.queries})
      .array("dq", dq, rows)
      .summedInAnyOrder() // one group has some of the keys, another the others
      .array("dk", dk, columns)
      .array("dv", dv, columns);
  ASSERT_TRUE(runExample("attention_backward", settings, arguments));
  // P and dS are rounded to f16 before they are summed over up to 100 queries.
  expectNear(dq, expected.dq, 3e-3);
  expectNear(dk, expected.dk, 3e-3);
  expectNear(dv, expected.dv, 3e-3);
}

TEST(AttentionBackward, RaggedExtents) {
  checkBackward({2, 70, 90, 64}, kSmall);
  checkBackward({1, 150, 200, 40},
                std::vector<std::string>{"BM=128", "BN=128", "D=64"});
}

TEST(AttentionBackward, WithoutQueriesTheGradientsAreZero) {
  checkBackward({1, 0, 70, 64}, kSmall);
}

/// Scores far below 0: a key that does not exist would weigh exp(0 - lse) =
/// inf.
TEST(AttentionBackward, KeysThatDoNotExistWeighNothing) {
  Problem problem(1, 70, 70, 64);
  for (size_t i = 0; i < problem.q.size(); ++i) {
    assign(problem.q[i], 12 + valueOf(problem.q[i]) / 8);
    assign(problem.k[i], -12 + valueOf(problem.k[i]) / 8);
  }
  checkBackward(problem, kSmall);
}

} // namespace
