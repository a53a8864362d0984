#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other tuners on the study's problems.

    peers.py STUDY PROBLEM opentuner|optuna|smac|botorch FIRST_SEED SEEDS

Prints lines as heddle-tune-study does, the best value after each evaluation. Every tuner begins with
the default where there is one, and is told of:

- a value, its logarithm;
- a point that is refused when it is measured: the worst value so far, which costs an evaluation;
- a point that breaks a constraint that is known: the same, and it costs nothing, as a user would
  check it without running anything. After 20 in a row one that keeps them is drawn for it.

OpenTuner has a number in [0, 1] for each choice on a walk through the space's diagram, as BaCO's
authors gave it one for each branch of their trees, so its points always keep the constraints.
Permutations are one of n! texts for the others where n <= 5, as BaCO's authors did; above, they are
the order of n numbers. BoTorch chooses among 2000 points that are drawn.
"""

import contextlib
import itertools
import json
import logging
import math
import subprocess
import sys
import tempfile
import warnings

MOST_OUTSIDE = 20
CANDIDATES = 2000
FEW_ITEMS = 5


class Problem:
    """A problem as the study's program serves it."""

    def __init__(self, study, name):
        self.about = json.loads(subprocess.run([study, name, "--describe"], check=True, capture_output=True,
                                               text=True).stdout)
        self.parameters = self.about["parameters"]
        self.server = subprocess.Popen([study, name, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       text=True)

    def ask(self, question):
        self.server.stdin.write(json.dumps(question) + "\n")
        self.server.stdin.flush()
        return json.loads(self.server.stdout.readline())

    def close(self):
        self.server.stdin.close()
        self.server.wait()

    def draw(self, count, seed):
        return self.ask({"draw": count, "seed": seed})["points"]


class Run:
    """One run: counts evaluations, and keeps the best value after each."""

    def __init__(self, problem, seed):
        self.problem, self.seed, self.best = problem, seed, []
        self.worst, self.outside, self.lowest, self.seen = None, 0, None, set()

    def is_over(self):
        """After the budget, and once every point was measured."""
        return len(self.best) >= self.problem.about["budget"] or len(self.seen) >= int(self.problem.about["points"])

    def finish(self):
        """The best values, up to the budget."""
        budget = self.problem.about["budget"]
        return (self.best + [self.lowest] * budget)[:budget]

    def measure(self, point):
        """The logarithm to be told, the worst so far for what has none; None for a point that
        breaks a known constraint, which cost nothing."""
        answer = self.problem.ask({"point": point})
        if "outside" in answer:
            self.outside += 1
            return None
        self.outside = 0
        self.seen.add(json.dumps(point, sort_keys=True))
        value = answer.get("value")
        if value is not None:
            self.lowest = value if self.lowest is None else min(self.lowest, value)
            self.worst = value if self.worst is None else max(self.worst, value)
        self.best.append(self.lowest)
        return self.penalty() if value is None else math.log(value)

    def penalty(self):
        return math.log(self.worst) if self.worst else 0.0

    def rescue(self):
        """A point that keeps the constraints, where the tuner finds none."""
        self.outside = 0
        return self.problem.draw(1, 1000003 * self.seed + len(self.best))[0]


def orders(items):
    return [list(order) for order in itertools.permutations(range(items))]


def dimensions(problem):
    """What tuners of numbers and texts have in place of the parameters: (name, kind, size)."""
    for parameter in problem.parameters:
        name = parameter["name"]
        if parameter["kind"] == "permutation":
            if parameter["items"] <= FEW_ITEMS:
                yield name, "choice", math.factorial(parameter["items"])
            else:
                for item in range(parameter["items"]):
                    yield f"{name}/{item}", "share", 0
        else:
            kind = "choice" if parameter["kind"] == "categorical" else "index"
            yield name, kind, len(parameter["values"])


def point_of(problem, chosen):
    """The point of values by dimension."""
    point = {}
    for parameter in problem.parameters:
        name = parameter["name"]
        if parameter["kind"] != "permutation":
            point[name] = parameter["values"][int(chosen[name])]
        elif parameter["items"] <= FEW_ITEMS:
            point[name] = orders(parameter["items"])[int(chosen[name])]
        else:
            shares = [chosen[f"{name}/{item}"] for item in range(parameter["items"])]
            point[name] = sorted(range(len(shares)), key=lambda item: (shares[item], item))
    return point


def chosen_of(problem, point):
    """The values by dimension of a point."""
    chosen = {}
    for parameter in problem.parameters:
        name, value = parameter["name"], point[parameter["name"]]
        if parameter["kind"] != "permutation":
            chosen[name] = parameter["values"].index(value)
        elif parameter["items"] <= FEW_ITEMS:
            chosen[name] = orders(parameter["items"]).index(value)
        else:
            for position, item in enumerate(value):
                chosen[f"{name}/{item}"] = (position + 0.5) / len(value)
    return chosen


def run_optuna(run):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    problem = run.problem
    sampler = optuna.samplers.TPESampler(seed=run.seed, n_startup_trials=problem.about["first"], multivariate=True,
                                         constant_liar=False)
    study = optuna.create_study(sampler=sampler)
    if "preset" in problem.about:
        study.enqueue_trial(chosen_of(problem, problem.about["preset"]))
    while not run.is_over():
        if run.outside >= MOST_OUTSIDE:
            study.enqueue_trial(chosen_of(problem, run.rescue()))
        trial = study.ask()
        chosen = {}
        for name, kind, size in dimensions(problem):
            if kind == "choice":
                chosen[name] = trial.suggest_categorical(name, list(range(size)))
            elif kind == "index":
                chosen[name] = trial.suggest_int(name, 0, size - 1)
            else:
                chosen[name] = trial.suggest_float(name, 0, 1)
        value = run.measure(point_of(problem, chosen))
        study.tell(trial, run.penalty() if value is None else value)


def run_smac(run):
    from ConfigSpace import CategoricalHyperparameter, Configuration, ConfigurationSpace, Constant
    from ConfigSpace import UniformFloatHyperparameter, UniformIntegerHyperparameter
    from smac import HyperparameterOptimizationFacade as Facade
    from smac import Scenario
    from smac.runhistory import TrialInfo, TrialValue

    problem = run.problem
    space = ConfigurationSpace(seed=run.seed)
    for name, kind, size in dimensions(problem):
        name = name.replace("/", "_")
        if size == 1:
            space.add(Constant(name, 0))
        elif kind == "choice":
            space.add(CategoricalHyperparameter(name, list(range(size))))
        elif kind == "index":
            space.add(UniformIntegerHyperparameter(name, 0, size - 1))
        else:
            space.add(UniformFloatHyperparameter(name, 0, 1))

    def told(point):
        return Configuration(space, {name.replace("/", "_"): value
                                     for name, value in chosen_of(problem, point).items()})

    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(space, deterministic=True, n_trials=100000, seed=run.seed, output_directory=folder)
        tuner = Facade(scenario, lambda configuration, seed=0: 0, overwrite=True, logging_level=logging.ERROR,
                       initial_design=Facade.get_initial_design(scenario, n_configs=problem.about["first"]))
        queue = [problem.about["preset"]] if "preset" in problem.about else []
        while not run.is_over():
            if run.outside >= MOST_OUTSIDE:
                queue.append(run.rescue())
            info = TrialInfo(told(queue.pop()), seed=0) if queue else tuner.ask()
            chosen = {name: info.config[name.replace("/", "_")] for name, _, _ in dimensions(problem)}
            value = run.measure(point_of(problem, chosen))
            tuner.tell(info, TrialValue(cost=run.penalty() if value is None else value), save=False)


def run_opentuner(run):
    import argparse
    import random

    import numpy
    import opentuner
    from opentuner import ConfigurationManipulator, FloatParameter, MeasurementInterface, Result
    from opentuner.api import TuningRunManager

    problem = run.problem
    random.seed(run.seed)
    numpy.random.seed(run.seed)
    choices = problem.ask({"walk": []})["choices"]
    manipulator = ConfigurationManipulator()
    for k in range(choices):
        manipulator.add_parameter(FloatParameter(f"choice{k}", 0, 1))
    arguments = argparse.ArgumentParser(parents=opentuner.argparsers()).parse_args(
        ["--database", "sqlite://", "--no-dups", "--quiet"])
    interface = type("Interface", (MeasurementInterface,), {"run": lambda *_: None})(
        args=arguments, manipulator=manipulator)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # it opens a log where it stands
        tuner = TuningRunManager(interface, arguments)
    if "preset" in problem.about:
        run.measure(problem.about["preset"])
    seen = {}
    while not run.is_over():
        wanted = tuner.get_next_desired_result()
        if wanted is None:  # it only finds what it had
            run.measure(run.rescue())
            continue
        shares = [wanted.configuration.data[f"choice{k}"] for k in range(choices)]
        point = problem.ask({"walk": shares})["point"]
        key = json.dumps(point)
        if key not in seen:  # other numbers may be the same walk
            seen[key] = run.measure(point)
        tuner.report_result(wanted, Result(time=math.exp(seen[key])))
        run.outside += 1
        if run.outside > 500:
            run.measure(run.rescue())
    tuner.finish()


def run_botorch(run):
    import torch
    from botorch.acquisition import LogExpectedImprovement
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from gpytorch.mlls import ExactMarginalLogLikelihood

    torch.manual_seed(run.seed)
    torch.set_num_threads(1)
    problem = run.problem

    def row(point):
        numbers = []
        for parameter in problem.parameters:
            value = point[parameter["name"]]
            if parameter["kind"] == "permutation":
                numbers += [value.index(item) / (len(value) - 1) for item in range(len(value))]
            elif parameter["kind"] == "categorical":
                numbers += [float(value == each) for each in parameter["values"]]
            else:
                numbers.append(parameter["values"].index(value) / max(1, len(parameter["values"]) - 1))
        return numbers

    points, values = [], []

    def measure(point):
        points.append(point)
        values.append(run.measure(point))

    if "preset" in problem.about:
        measure(problem.about["preset"])
    for point in problem.draw(problem.about["first"] - len(points), 7919 * run.seed):
        measure(point)
    while not run.is_over():
        rows = torch.tensor([row(point) for point in points], dtype=torch.double)
        told = -torch.tensor(values, dtype=torch.double).unsqueeze(-1)
        model = SingleTaskGP(rows, told)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        new = [point for point in problem.draw(CANDIDATES, 7919 * run.seed + len(points)) if point not in points]
        if not new:
            new = problem.draw(1, 7919 * run.seed + len(points))
        with torch.no_grad():
            gains = LogExpectedImprovement(model, best_f=told.max())(
                torch.tensor([row(point) for point in new], dtype=torch.double).unsqueeze(1))
        measure(new[int(gains.argmax())])


METHODS = {"opentuner": run_opentuner, "optuna": run_optuna, "smac": run_smac, "botorch": run_botorch}


def main():
    study, name, method, first, count = sys.argv[1:]
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    problem = Problem(study, name)
    for seed in range(int(first), int(first) + int(count)):
        run = Run(problem, seed)
        METHODS[method](run)
        print(json.dumps({"problem": problem.about["problem"], "suite": problem.about["suite"], "method": method,
                          "seed": seed, "best": run.finish()}), flush=True)
    problem.close()


if __name__ == "__main__":
    main()
