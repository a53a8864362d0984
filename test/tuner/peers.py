#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tuner's models beside SciPy's and scikit-learn's.

    peers.py CASES.json

CASES.json is what heddle-tuner-cases prints. Ends with status 1 and a line for each difference.
"""

import itertools
import json
import sys

import numpy as np
import scipy.optimize
import scipy.stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

SEEDS = 64


def improvements(cases):
    """Expected improvement to 1e-10, by SciPy's normal distribution."""
    for case in cases:
        z = (case["best"] - case["mean"]) / case["deviation"]
        expected = case["deviation"] * (z * scipy.stats.norm.cdf(z) + scipy.stats.norm.pdf(z))
        yield "expected improvement", abs(case["found"] - max(expected, 0)), 1e-10


def process(case):
    """A likelihood as scikit-learn computes it, of what is left of the values behind the constant
    mean that suits the hyperparameters best; with its gradient by the logarithms of lengths,
    scale and noise."""
    points, values = np.array(case["points"]), np.array(case["values"])
    kernel = ConstantKernel() * Matern(np.ones(points.shape[1]), nu=2.5) + WhiteKernel()
    model = GaussianProcessRegressor(kernel, alpha=0, optimizer=None)

    def likelihood(lengths, scale, noise):
        # 1e-9 of the scale is what heddle adds against rounding.
        theta = np.log([scale, *lengths, noise + 1e-9 * scale])
        covariance = kernel.clone_with_theta(theta)(points)
        inverse = np.linalg.inv(covariance)
        mean = (inverse @ values).sum() / inverse.sum()
        model.fit(points, values - mean)
        value, gradient = model.log_marginal_likelihood(theta, eval_gradient=True)
        added = 1e-9 * scale / (noise + 1e-9 * scale)  # moves with the scale
        return value, np.array([*gradient[1:-1], gradient[0] + added * gradient[-1], (1 - added) * gradient[-1]])

    return likelihood


def processes(cases):
    for case in cases:
        likelihood = process(case)
        value, gradient = likelihood(case["lengths"], case["scale"], case["noise"])
        yield "likelihood", abs(value - case["likelihood"]), 1e-8
        yield "its gradient", np.abs(gradient - case["gradient"]).max(), 1e-8

        def objective(logs):
            *lengths, scale, noise = np.exp(logs)
            value, gradient = likelihood(lengths, scale, noise)
            return -value, -gradient

        bounds = [tuple(np.log([0.02, 1000]))] * 3 + [tuple(np.log([0.02, 100])), tuple(np.log([1e-6, 1]))]
        random = np.random.default_rng(1)
        best = max(-scipy.optimize.minimize(
            objective, np.log(10) * random.uniform([-1] * 4 + [-5], [1] * 4 + [-2]), jac=True,
            method="L-BFGS-B", bounds=bounds).fun for _ in range(10))
        yield "the best likelihood, below SciPy's", best - case["best"], 0.05


def forests(cases):
    """P(valid) in the mean over seeds, directions and points within 0.02."""
    for case in cases:
        rows, asked = np.array(case["rows"], np.float32), np.array(case["asked"], np.float32)
        means = np.zeros(len(asked))
        for signs in itertools.product((1, -1), repeat=4):
            # In all, as many trees as there are in SEEDS forests of 50.
            forest = RandomForestClassifier(50 * SEEDS // 16, max_features=0.75, bootstrap=False, random_state=1)
            forest.fit(rows * signs, np.array(case["labels"], int), case["weights"])
            means += forest.predict_proba(asked * signs)[:, list(forest.classes_).index(1)] / 16
        yield "P(valid)", np.abs(means - case["found"]).mean(), 0.02


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        cases = json.load(stream)
    failed, worst = 0, {}
    for group in (improvements, processes, forests):
        for name, difference, allowed in group(cases[group.__name__]):
            worst[name] = max(worst.get(name, -np.inf), difference)
            failed += not difference <= allowed
            if not difference <= allowed:
                print(f"FAIL: {name}: {difference:.3g}, and at most {allowed} is allowed")
    for name, difference in worst.items():
        print(f"{name}: at most {difference:.3g}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
