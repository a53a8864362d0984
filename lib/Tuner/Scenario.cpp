//===- Scenario.cpp - Spaces as JSON --------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Tuner/Scenario.h"

#include "heddle/Support/Diagnostics/Tuner.h"
#include "heddle/Support/JsonReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

using namespace heddle;
using namespace heddle::tuner;
using llvm::StringRef;
using strict::Node;
using strict::ObjectReader;

static constexpr size_t kMostParameters = 1000;
static constexpr double kLargest = 0x1p53; // beside which integers are missing

// What BaCO and HyperMapper ask for and this tuner decides otherwise.
static constexpr StringRef kReadOver[] = {
    "acquisition_function",
    "acquisition_function_optimizer",
    "allow_duplicate_samples",
    "baco_mode",
    "hypermapper_mode",
    "epsilon_greedy_threshold",
    "evolution_crossover",
    "evolution_generations",
    "evolution_population_size",
    "exploration_augmentation",
    "GP_model",
    "hyperparameter_optimization_iterations",
    "lengthscale_prior",
    "local_search_from_best",
    "local_search_improvement_threshold",
    "local_search_random_points",
    "local_search_starting_points",
    "local_search_step_size",
    "log_acq_value",
    "log_file",
    "model_good_quantile",
    "model_weight",
    "models",
    "multistart_hyperparameter_optimization",
    "multistart_hyperparameter_optimization_initial_points",
    "multistart_hyperparameter_optimization_iterations",
    "mutation_rate",
    "naive_cot_rs",
    "noise",
    "noise_prior",
    "normalize_inputs",
    "number_of_repetitions",
    "objective_value_target",
    "optimization_method",
    "output_data_file",
    "outputscale_prior",
    "predict_noiseless",
    "prior_estimation_file",
    "prior_estimation_quantile",
    "prior_floor",
    "prior_limit_estimation_points",
    "regularize_evolution",
    "reoptimise_hyperparameters_interval",
    "resume_optimization",
    "resume_optimization_file",
    "reuse_gp_hyperparameters",
    "run_directory",
    "scalarization_method",
    "standardize_objectives",
    "time_budget",
    "timestamp",
    "use_STGP"};

//===----------------------------------------------------------------------===//
// The order of parameters
//===----------------------------------------------------------------------===//

/// The keys of `input_parameters` in the order of the text, which a JSON object
/// does not keep. `text` is known to be JSON.
static std::vector<std::string> keysInOrder(StringRef text) {
  std::vector<std::string> keys;
  int depth = 0;
  bool isInside = false;
  std::string lastKey;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '{' || c == '[') {
      isInside |= ++depth == 2 && lastKey == "input_parameters";
    } else if (c == '}' || c == ']') {
      if (depth-- == 2)
        isInside = false;
      lastKey.clear();
    } else if (c == '"') {
      size_t begin = ++at;
      while (text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
      size_t behind = text.find_first_not_of(" \t\r\n", at + 1);
      if (behind == StringRef::npos || text[behind] != ':')
        continue;
      lastKey = text.slice(begin, at).str();
      if (isInside && depth == 2)
        keys.push_back(lastKey);
    }
  }
  return keys;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static double number(const Node &node) {
  std::optional<double> value = node.json().getAsNumber();
  if (value && std::isfinite(*value) && std::fabs(*value) <= kLargest)
    return *value;
  node.expected("a number of at most 2^53");
  return 0;
}

static void readNumbers(const Node &node, std::vector<double> &numbers) {
  node.list([&](const Node &each) { numbers.push_back(number(each)); });
  std::sort(numbers.begin(), numbers.end());
  if (numbers.empty())
    node.expected("at least one value");
  if (std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end())
    node.expected("values that differ");
}

static void readBounds(const Node &node, Parameter &parameter) {
  std::vector<Node> ends = node.tuple(2, "the least and the greatest value");
  if (node.failed())
    return;
  if (parameter.kind == Kind::Integer) {
    parameter.first = ends[0].integer(-(int64_t(1) << 53), int64_t(1) << 53);
    parameter.last = ends[1].integer(-(int64_t(1) << 53), int64_t(1) << 53);
    parameter.low = double(parameter.first);
    parameter.high = double(parameter.last);
  } else {
    parameter.low = number(ends[0]);
    parameter.high = number(ends[1]);
  }
  if (!node.failed() && !(parameter.low <= parameter.high))
    node.expected("the least value first");
}

static void readTexts(const Node &node, std::vector<std::string> &texts) {
  node.list([&](const Node &each) {
    std::string text = each.text();
    if (llvm::is_contained(texts, text))
      each.expected("values that differ");
    texts.push_back(text);
  });
  if (texts.empty())
    node.expected("at least one value");
}

static void readValues(const Node &node, Parameter &parameter) {
  switch (parameter.kind) {
  case Kind::Real:
  case Kind::Integer:
    return readBounds(node, parameter);
  case Kind::Ordinal:
    return readNumbers(node, parameter.numbers);
  case Kind::Categorical:
    return readTexts(node, parameter.texts);
  case Kind::Permutation: {
    std::vector<Node> size = node.tuple(1, "a list of the number of items");
    if (!node.failed())
      parameter.items = int(size[0].integer(1, kMostItems));
    return;
  }
  }
}

static constexpr std::pair<StringRef, Kind> kKinds[] = {
    {"real", Kind::Real},
    {"integer", Kind::Integer},
    {"ordinal", Kind::Ordinal},
    {"categorical", Kind::Categorical},
    {"permutation", Kind::Permutation}};
static constexpr std::pair<StringRef, Distance> kDistances[] = {
    {"spearman", Distance::Spearman},
    {"kendall", Distance::Kendall},
    {"hamming", Distance::Hamming},
    {"ulam", Distance::Ulam},
    {"naive", Distance::Naive}};

static void readKind(const Node &node, Kind &kind) {
  std::string name = node.text();
  for (auto [known, value] : kKinds)
    if (known == name) {
      kind = value;
      return;
    }
  node.expected("real, integer, ordinal, categorical or permutation");
}

static void readDistance(const Node &node, Distance &distance) {
  std::string name = node.text();
  for (auto [known, value] : kDistances)
    if (known == name) {
      distance = value;
      return;
    }
  node.expected("spearman, kendall, hamming, ulam or naive");
}

static void readTransform(const Node &node, Parameter &parameter) {
  std::string name = node.text();
  if (name != "log" && name != "none")
    return node.expected("log or none");
  parameter.isLog = name == "log";
  bool isNumeric = parameter.kind == Kind::Real ||
                   parameter.kind == Kind::Integer ||
                   parameter.kind == Kind::Ordinal;
  double least =
      parameter.numbers.empty() ? parameter.low : parameter.numbers.front();
  if (parameter.isLog && (!isNumeric || least <= 0) && !node.failed())
    node.expected("none, since not all values are above 0");
}

std::optional<Word> heddle::tuner::readWord(const Node &node,
                                            const Parameter &parameter) {
  const llvm::json::Value &value = node.json();
  std::optional<double> number = value.getAsNumber();
  switch (parameter.kind) {
  case Kind::Real:
    if (number && *number >= parameter.low && *number <= parameter.high)
      return packReal(*number);
    node.expected("a number from " + spell(parameter, packReal(parameter.low)) +
                  " to " + spell(parameter, packReal(parameter.high)));
    return std::nullopt;
  case Kind::Integer:
    // Programs in other languages write 4.0.
    if (number && *number == std::floor(*number) &&
        *number >= double(parameter.first) && *number <= double(parameter.last))
      return int64_t(*number) - parameter.first;
    node.expected("an integer from " + std::to_string(parameter.first) +
                  " to " + std::to_string(parameter.last));
    return std::nullopt;
  case Kind::Ordinal:
    for (size_t k = 0; number && k < parameter.numbers.size(); ++k)
      if (parameter.numbers[k] == *number)
        return Word(k);
    node.expected("one of the values of '" + parameter.name + "'");
    return std::nullopt;
  case Kind::Categorical:
    for (size_t k = 0; k < parameter.texts.size(); ++k)
      if (value.getAsString() == StringRef(parameter.texts[k]))
        return Word(k);
    node.expected("one of the values of '" + parameter.name + "'");
    return std::nullopt;
  case Kind::Permutation: {
    std::string wanted =
        "a permutation of 0 to " + std::to_string(parameter.items - 1);
    uint32_t seen = 0;
    std::vector<int> items;
    for (const Node &each : node.tuple(size_t(parameter.items), wanted)) {
      items.push_back(int(each.integer(0, parameter.items - 1)));
      seen |= 1u << items.back();
    }
    if (node.failed())
      return std::nullopt;
    if (seen == (1u << parameter.items) - 1)
      return packItems(items);
    node.expected(wanted);
    return std::nullopt;
  }
  }
  llvm_unreachable("a parameter without a kind");
}

static void readParameter(const Node &node, const std::string &name,
                          Scenario &scenario) {
  Parameter parameter;
  parameter.name = name;
  ObjectReader object(node);
  object.required("parameter_type",
                  [&](const Node &each) { readKind(each, parameter.kind); });
  object.required("values",
                  [&](const Node &each) { readValues(each, parameter); });
  object.optional("transform",
                  [&](const Node &each) { readTransform(each, parameter); });
  object.optional("parametrization", [&](const Node &each) {
    readDistance(each, parameter.distance);
  });
  object.optional("parameter_default", [&](const Node &each) {
    parameter.preset = readWord(each, parameter);
  });
  object.optional("active_if", [&](const Node &each) {
    parameter.activeIf = each.text();
    if (parameter.activeIf.empty())
      each.expected("a condition");
  });
  object.optional("constraints", [&](const Node &each) {
    int count = 0;
    each.list([&](const Node &text) {
      scenario.constraints.push_back(
          {text.text(),
           "parameter '" + name + "', constraint " + std::to_string(++count)});
    });
  });
  // Which parameters a constraint names is seen from its text.
  object.optional("dependencies", [&](const Node &each) {
    each.list([](const Node &text) { text.text(); });
  });
  object.optional("prior", [&](const Node &each) {
    if (each.json().getAsString() != StringRef("uniform"))
      each.expected("\"uniform\"; other priors of parameters are not known");
  });
  object.optional("prior_parameters",
                  [](const Node &each) { each.list([](const Node &) {}); });
  scenario.parameters.push_back(std::move(parameter));
}

static void readParameters(const Node &node, StringRef text,
                           Scenario &scenario) {
  const llvm::json::Object *object = node.json().getAsObject();
  if (!object || object->empty() || object->size() > kMostParameters)
    return node.expected("an object with 1 to " +
                         std::to_string(kMostParameters) + " parameters");
  std::vector<std::string> names = keysInOrder(text);
  for (size_t k = 0; k < names.size() && !node.failed(); ++k) {
    const std::string &name = names[k];
    bool isName = !name.empty() && llvm::all_of(name, [](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '-';
    });
    bool isWord = name == "and" || name == "or" || name == "not";
    const llvm::json::Value *value = object->get(name);
    if (!isName || isWord || !value)
      return node.expected("names of letters, digits and '_' that are not "
                           "'and', 'or' or 'not'");
    if (llvm::is_contained(llvm::ArrayRef(names).take_front(k), name))
      return node.at(*value, name).expected("a name that is not there yet");
    readParameter(node.at(*value, name), name, scenario);
  }
  if (!node.failed() && names.size() != object->size())
    node.expected("names without escapes");
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

static void readFirstSamples(const Node &node, Scenario &scenario) {
  ObjectReader object(node);
  object.optional("doe_type", [](const Node &each) { each.text(); });
  object.optional("number_of_samples", [&](const Node &each) {
    scenario.firstSamples = int(each.integer(1, 1'000'000));
  });
}

static void readValidity(const Node &node, Scenario &scenario) {
  ObjectReader object(node);
  auto text = [](const Node &each, std::string &into) {
    if (std::optional<bool> flag = each.json().getAsBoolean())
      into = *flag ? "true" : "false";
    else
      into = each.text();
  };
  object.optional("enable_feasible_predictor", [&](const Node &each) {
    scenario.hasValidity = each.boolean();
  });
  object.optional("name",
                  [&](const Node &each) { text(each, scenario.validName); });
  object.optional("true_value",
                  [&](const Node &each) { text(each, scenario.trueText); });
  object.optional("false_value",
                  [&](const Node &each) { text(each, scenario.falseText); });
  object.optional("feasibility_threshold",
                  [](const Node &each) { number(each); });
  if (!node.failed() && scenario.trueText == scenario.falseText)
    node.expected("a true_value and a false_value that differ");
}

static void readObjectives(const Node &node, Scenario &scenario) {
  std::vector<Node> names = node.tuple(1, "one objective");
  if (!node.failed())
    scenario.objective = names[0].text();
}

static void readScenario(const Node &node, StringRef text, Scenario &scenario) {
  ObjectReader object(node);
  object.optional("application_name",
                  [&](const Node &each) { scenario.name = each.text(); });
  object.required("input_parameters", [&](const Node &each) {
    readParameters(each, text, scenario);
  });
  object.optional("constraints", [&](const Node &each) {
    int count = 0;
    each.list([&](const Node &one) {
      scenario.constraints.push_back(
          {one.text(), "constraint " + std::to_string(++count)});
    });
  });
  object.optional("optimization_objectives",
                  [&](const Node &each) { readObjectives(each, scenario); });
  object.optional("design_of_experiment",
                  [&](const Node &each) { readFirstSamples(each, scenario); });
  object.optional("optimization_iterations", [&](const Node &each) {
    scenario.iterations = int(each.integer(0, 1'000'000));
  });
  object.optional("log_transform_output", [&](const Node &each) {
    scenario.isLogOutput = each.boolean();
  });
  object.optional("feasible_output",
                  [&](const Node &each) { readValidity(each, scenario); });
  // A note to readers, about the file.
  object.optional("comment", [](const Node &) {});
  for (StringRef name : kReadOver)
    object.optional(name, [](const Node &) {});
}

llvm::Expected<Scenario> heddle::tuner::parseScenario(StringRef text) {
  Scenario scenario;
  std::string error =
      strict::parse(text, "the scenario", [&](const Node &node) {
        readScenario(node, text, scenario);
      });
  if (!error.empty())
    return makeError(diag::tuner_scenario, error);
  return scenario;
}

std::optional<Point> heddle::tuner::presetOf(const Space &space) {
  Point point;
  bool hasConditional = false;
  for (const Parameter &parameter : space.parameters()) {
    if (!parameter.preset && !parameter.isConditional())
      return std::nullopt;
    hasConditional |= parameter.isConditional();
    point.push_back(parameter.preset.value_or(kInactive));
  }
  if (!hasConditional || space.contains(point))
    return point;
  // Defaults of what is inactive do not count.
  for (size_t k = 0; k < point.size(); ++k)
    if (space.parameters()[k].isConditional()) {
      Point without = point;
      without[k] = kInactive;
      if (space.contains(without))
        return without;
    }
  return std::nullopt;
}

llvm::Expected<Space> heddle::tuner::makeSpace(const Scenario &scenario) {
  llvm::Expected<Space> space =
      Space::make(scenario.parameters, scenario.constraints);
  if (!space)
    return space.takeError();
  std::optional<Point> preset = presetOf(*space);
  if (!preset || space->contains(*preset))
    return space;
  for (size_t c = 0; c < scenario.constraints.size(); ++c) {
    llvm::Expected<Space> one =
        Space::make(scenario.parameters, {scenario.constraints[c]});
    if (!one)
      llvm::consumeError(one.takeError());
    else if (!one->contains(*preset))
      return makeError(diag::tuner_default,
                       "the default breaks " + scenario.constraints[c].place +
                           " (" + scenario.constraints[c].text + ")");
  }
  return makeError(diag::tuner_default, "the default breaks a condition of "
                                        "'active_if'");
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

template <class Value, size_t count>
static StringRef nameIn(const std::pair<StringRef, Value> (&names)[count],
                        Value wanted) {
  for (auto [name, value] : names)
    if (value == wanted)
      return name;
  llvm_unreachable("a value without a name");
}

static void writeValues(llvm::raw_ostream &out, const Parameter &parameter) {
  auto number = [](double value) { return llvm::json::Value(value); };
  llvm::ListSeparator comma;
  switch (parameter.kind) {
  case Kind::Real:
    out << number(parameter.low) << ", " << number(parameter.high);
    break;
  case Kind::Integer:
    out << parameter.first << ", " << parameter.last;
    break;
  case Kind::Ordinal:
    for (double value : parameter.numbers)
      out << comma << number(value);
    break;
  case Kind::Categorical:
    for (const std::string &text : parameter.texts)
      out << comma << llvm::json::Value(text);
    break;
  case Kind::Permutation:
    out << parameter.items;
    break;
  }
}

static void writeParameter(llvm::raw_ostream &out, const Parameter &parameter) {
  out << "{\"parameter_type\": \"" << nameIn(kKinds, parameter.kind)
      << "\", \"values\": [";
  writeValues(out, parameter);
  out << "]";
  if (parameter.isLog)
    out << ", \"transform\": \"log\"";
  if (parameter.distance != Distance::Spearman)
    out << ", \"parametrization\": \"" << nameIn(kDistances, parameter.distance)
        << "\"";
  if (parameter.preset)
    out << ", \"parameter_default\": " << spell(parameter, *parameter.preset);
  if (parameter.isConditional())
    out << ", \"active_if\": " << llvm::json::Value(parameter.activeIf);
  out << "}";
}

std::string heddle::tuner::writeScenario(const Space &space, bool isLogOutput) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "{\"input_parameters\": {";
  llvm::ListSeparator comma;
  for (const Parameter &parameter : space.parameters()) {
    out << comma << llvm::json::Value(parameter.name) << ": ";
    writeParameter(out, parameter);
  }
  out << "}";
  if (!space.constraints().empty()) {
    out << ", \"constraints\": [";
    llvm::ListSeparator between;
    for (const Constraint &constraint : space.constraints())
      out << between << llvm::json::Value(constraint.text);
    out << "]";
  }
  if (!isLogOutput)
    out << ", \"log_transform_output\": false";
  out << "}";
  return text;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

void heddle::tuner::readPoint(const Node &node, const Space &space,
                              Point &point) {
  point.assign(space.parameters().size(), kInactive);
  ObjectReader object(node);
  for (size_t k = 0; k < point.size(); ++k) {
    const Parameter &parameter = space.parameters()[k];
    object.required(parameter.name, [&](const Node &each) {
      if (each.json().getAsNull() && parameter.isConditional())
        return;
      point[k] = readWord(each, parameter).value_or(kInactive);
    });
  }
}

std::string heddle::tuner::parsePoint(StringRef text, const Space &space,
                                      Point &point) {
  return strict::parse(text, "the point", [&](const Node &node) {
    readPoint(node, space, point);
  });
}
