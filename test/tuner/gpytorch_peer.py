#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tuner's Gaussian process beside GPyTorch's: gpytorch_peer.py CASES.json

CASES.json is what heddle-tuner-cases prints. Likelihoods, and their gradients by the logarithms of
lengths, scale and noise, must agree to 1e-8. Ends with status 1 and a line for each difference.
"""

import json
import sys

import gpytorch
import torch
from gpytorch.constraints import Positive
from gpytorch.kernels import MaternKernel, ScaleKernel

ALLOWED = 1e-8


def in_logs():
    """What is fitted is the logarithm, so gradients are by it."""
    return Positive(transform=torch.exp, inv_transform=torch.log)


class Process(gpytorch.models.ExactGP):
    def __init__(self, points, values, likelihood):
        super().__init__(points, values, likelihood)
        self.mean_module = gpytorch.means.ZeroMean()
        self.covar_module = ScaleKernel(
            MaternKernel(nu=2.5, ard_num_dims=points.shape[1], lengthscale_constraint=in_logs()),
            outputscale_constraint=in_logs())

    def forward(self, points):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(points), self.covar_module(points))


def likelihood_of(case):
    points, values = (torch.tensor(case[name], dtype=torch.double) for name in ("points", "values"))
    noise = gpytorch.likelihoods.GaussianLikelihood(noise_constraint=in_logs())
    model = Process(points, values, noise).double()
    noise.double()
    model.covar_module.base_kernel.lengthscale = torch.tensor(case["lengths"], dtype=torch.double)
    model.covar_module.outputscale = torch.tensor(case["scale"], dtype=torch.double)
    # 1e-9 of the scale is what heddle adds against rounding.
    noise.noise = torch.tensor(case["noise"] + 1e-9 * case["scale"], dtype=torch.double)
    # The constant mean that suits these hyperparameters best.
    with torch.no_grad():
        covariance = noise(model.forward(points)).covariance_matrix
        weights = torch.linalg.solve(covariance, torch.ones_like(values))
        values = values - (weights @ values) / weights.sum()
    model.set_train_data(points, values, strict=False)
    found = gpytorch.mlls.ExactMarginalLogLikelihood(noise, model)(model(points), values) * len(values)
    found.backward()
    by_noise = noise.noise_covar.raw_noise.grad.item()
    added = 1e-9 * case["scale"] / (case["noise"] + 1e-9 * case["scale"])  # moves with the scale
    gradient = [*model.covar_module.base_kernel.raw_lengthscale.grad.flatten().tolist(),
                model.covar_module.raw_outputscale.grad.item() + added * by_noise, (1 - added) * by_noise]
    return found.item(), gradient


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        cases = json.load(stream)["processes"]
    worst = [0.0, 0.0]
    with gpytorch.settings.fast_computations(log_prob=False, covar_root_decomposition=False, solves=False):
        for case in cases:
            value, gradient = likelihood_of(case)
            worst[0] = max(worst[0], abs(value - case["likelihood"]))
            worst[1] = max(worst[1], *(abs(a - b) for a, b in zip(gradient, case["gradient"])))
    print(f"{len(cases)} processes beside GPyTorch: likelihood within {worst[0]:.3g}, gradient within {worst[1]:.3g}")
    if not max(worst) <= ALLOWED:
        print(f"FAIL: at most {ALLOWED} is allowed")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
