//===- main.cpp - Tuners on functions that cost nothing -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// heddle-tune-study PROBLEM METHOD FIRST_SEED SEEDS BUDGET: a line of JSON for
// each seed, with the best value after each evaluation (null before the first
// valid one). Without arguments: the names of problems, with their suites, and
// of methods. Methods beside those of the library are ablations of it.
//
//===----------------------------------------------------------------------===//

#include "Problems.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace heddle;
using namespace heddle::study;

static tuner::SearchOptions base() {
  tuner::SearchOptions options;
  options.firstSamples = 8;
  options.candidates = 2000; // a study makes many thousand proposals
  return options;
}

static std::map<std::string, tuner::SearchOptions> methods() {
  std::map<std::string, tuner::SearchOptions> all;
  for (auto [name, method] : {std::pair("uniform", tuner::Method::Uniform),
                              std::pair("embedding", tuner::Method::Embedding),
                              std::pair("bandit", tuner::Method::Bandit),
                              std::pair("annealing", tuner::Method::Annealing)})
    (all[name] = base()).method = method;
  for (auto [name, distance] :
       {std::pair("spearman", tuner::Distance::Spearman),
        std::pair("kendall", tuner::Distance::Kendall),
        std::pair("hamming", tuner::Distance::Hamming),
        std::pair("ulam", tuner::Distance::Ulam),
        std::pair("naive", tuner::Distance::Naive)})
    (all[name] = base()).process.kernel.distance = distance;
  all["model"] = base();
  all["forest"] = base();
  all["forest"].surrogate = tuner::Surrogate::Forest;
  all["forest"].searchesLocally = false;
  (all["per-coordinate"] = base()).process.kernel.isPerCoordinate = true;
  (all["no-priors"] = base()).process.lengths = {1, 0};
  (all["one-start"] = base()).process.starts = 1;
  (all["no-local-search"] = base()).searchesLocally = false;
  (all["no-logs"] = base()).logsValues = false;
  all["no-logs"].process.kernel.usesLog = false;
  (all["no-validity"] = base()).predictsValidity = false;
  (all["fixed-threshold"] = base()).drawsThreshold = false;
  return all;
}

static void run(const Problem &problem, const std::string &name,
                tuner::SearchOptions options, uint64_t seed, int budget) {
  options.seed = seed;
  options.budget = budget;
  tuner::Search search(problem.space, options);
  llvm::json::OStream json(llvm::outs());
  json.object([&] {
    json.attribute("problem", problem.name);
    json.attribute("suite", problem.suite);
    json.attribute("method", name);
    json.attribute("seed", int64_t(seed));
    json.attributeArray("best", [&] {
      for (int k = 0; k < budget; ++k) {
        if (std::optional<tuner::Point> point = search.propose())
          search.tell(*point, problem.measure(*point));
        if (search.best() < 0)
          json.value(nullptr);
        else
          json.value(search.told()[size_t(search.best())].outcome.value);
      }
    });
  });
  llvm::outs() << "\n";
  llvm::outs().flush();
}

int main(int argc, char **argv) {
  std::vector<Problem> problems = allProblems();
  std::map<std::string, tuner::SearchOptions> all = methods();
  if (argc == 1) {
    for (const Problem &problem : problems)
      llvm::outs() << "problem " << problem.name << " " << problem.suite
                   << "\n";
    for (const auto &[name, options] : all)
      llvm::outs() << "method " << name << "\n";
    return 0;
  }
  if (argc != 6 || !all.count(argv[2])) {
    llvm::errs() << "PROBLEM METHOD FIRST_SEED SEEDS BUDGET\n";
    return 3;
  }
  uint64_t first = std::strtoull(argv[3], nullptr, 10);
  uint64_t count = std::strtoull(argv[4], nullptr, 10);
  for (const Problem &problem : problems)
    if (problem.name == argv[1])
      for (uint64_t seed = first; seed < first + count; ++seed)
        run(problem, argv[2], all[argv[2]], seed, std::atoi(argv[5]));
  return 0;
}
