//===- main.cpp - Tuners on functions that cost nothing -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// heddle-tune-study PROBLEM METHOD FIRST_SEED SEEDS [BUDGET]: a line of JSON
// for each seed, with the best value after each evaluation (null before the
// first valid one). PROBLEM --describe: what other tuners must know of it;
// --serve: its values for them. Without arguments: the names of problems, with
// their suites, and of methods. SPACE.json:TABLE.jsonl is a problem too.
// Methods beside those of the library are ablations of it.
//
//===----------------------------------------------------------------------===//

#include "Describe.h"
#include "Problems.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace heddle;
using namespace heddle::study;

static tuner::SearchOptions base() {
  tuner::SearchOptions options;
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
  for (auto [name, distance] : {std::pair("kendall", tuner::Distance::Kendall),
                                std::pair("hamming", tuner::Distance::Hamming),
                                std::pair("ulam", tuner::Distance::Ulam),
                                std::pair("naive", tuner::Distance::Naive)})
    (all[name] = base()).process.kernel.distance = distance;
  all["model"] = base();
  all["forest"] = base();
  all["forest"].surrogate = tuner::Surrogate::Forest;
  all["forest"].searchesLocally = false;
  all["forest"].holdsBack = false;
  all["prior"] = base();
  (all["per-coordinate"] = base()).process.kernel.isPerCoordinate = true;
  (all["no-priors"] = base()).process.lengths = {1, 0};
  (all["one-start"] = base()).process.starts = 1;
  (all["no-local-search"] = base()).searchesLocally = false;
  (all["not-held-back"] = base()).holdsBack = false;
  (all["no-products"] = base()).multiplies = false;
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
  options.firstSamples = problem.firstSamples;
  if (name == "prior") // one point beside the default is enough to begin with
    options.firstSamples = 2;
  tuner::Search search(problem.space, options,
                       name == "prior" ? problem.model : nullptr);
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

static std::optional<Problem> findProblem(llvm::StringRef name) {
  auto [space, table] = name.split(':');
  if (!table.empty())
    return llvm::cantFail(readTable(space.str(), table.str()));
  for (Problem &problem : allProblems())
    if (problem.name == name)
      return std::move(problem);
  return std::nullopt;
}

static void printNames() {
  for (const Problem &problem : allProblems())
    llvm::outs() << "problem " << problem.name << " " << problem.suite
                 << (problem.model ? " prior" : "") << "\n";
  for (const auto &[name, options] : methods())
    llvm::outs() << "method " << name << "\n";
}

int main(int argc, char **argv) {
  if (argc == 1) {
    printNames();
    return 0;
  }
  std::optional<Problem> problem = findProblem(argv[1]);
  std::map<std::string, tuner::SearchOptions> all = methods();
  llvm::StringRef asked = argc > 2 ? argv[2] : "";
  if (problem && asked == "--serve")
    return serve(*problem);
  if (problem && asked == "--describe") {
    describe(*problem);
    return 0;
  }
  if (!problem || argc < 5 || !all.count(argv[2])) {
    llvm::errs() << "PROBLEM METHOD FIRST_SEED SEEDS [BUDGET]\n";
    return 3;
  }
  uint64_t first = std::strtoull(argv[3], nullptr, 10);
  uint64_t count = std::strtoull(argv[4], nullptr, 10);
  int budget = argc > 5 ? std::atoi(argv[5]) : problem->budget;
  for (uint64_t seed = first; seed < first + count; ++seed)
    run(*problem, argv[2], all[argv[2]], seed, budget);
  return 0;
}
