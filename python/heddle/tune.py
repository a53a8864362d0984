# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses among the settings of anything that a function can measure, with few calls of it.

    from heddle import tune

    def seconds(point):
        if point["tile"] * point["unroll"] > 512:
            raise tune.Invalid("registers")
        return run(**point)

    found = tune.minimise(seconds, {"tile": [16, 32, 64, 128], "unroll": [1, 2, 4], "layout": ["nchw", "nhwc"]},
                          constraints=["tile % unroll == 0"], budget=40, record="kernel.jsonl")
    print(found.point, found.value)

The search is that of `heddle tune`, which runs beside this process and speaks with it by lines of
JSON. docs/tuning.md has spaces, constraints and records.
"""

import dataclasses
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile

from ._tool import find_tool

BEST = re.compile(r"^best: (\S+), number (\d+) of (\d+): (\{.*\})$", re.MULTILINE)
ERROR = re.compile(r"^heddle: error: (.*)$", re.MULTILINE)


class Invalid(Exception):
    """Raised by a function that cannot measure a point; the text is the reason, which is learned."""


class TuneError(Exception):
    """What `heddle tune` refuses, in its own sentence with its id."""


@dataclasses.dataclass(frozen=True)
class Found:
    """The best point, by name; its value; and how many were measured, those of a record included."""

    point: dict
    value: float
    evaluations: int
    log: str


def integer(low, high, **more):
    """Every integer from `low` to `high`; `more` are fields of the parameter, as `active_if`."""
    return {"parameter_type": "integer", "values": [low, high], **more}


def real(low, high, **more):
    """Numbers from `low` to `high`; transform="log" where ratios matter."""
    return {"parameter_type": "real", "values": [low, high], **more}


def order(items, **more):
    """Every order of the items 0 ... `items` - 1, as a list."""
    return {"parameter_type": "permutation", "values": [items], **more}


def _parameter(values):
    if isinstance(values, dict):
        return values
    if all(isinstance(value, str) for value in values):
        return {"parameter_type": "categorical", "values": list(values)}
    return {"parameter_type": "ordinal", "values": sorted(values)}


def _scenario(space, constraints, default, samples):
    """The text of the scenario; a text is the path of one."""
    if isinstance(space, (str, os.PathLike)):
        return pathlib.Path(space).read_text(encoding="utf-8")
    parameters = {name: dict(_parameter(values)) for name, values in space.items()}
    for name, value in (default or {}).items():
        if name not in parameters:
            raise TuneError(f"the default has '{name}', which is no parameter")
        parameters[name]["parameter_default"] = value
    return json.dumps({
        "input_parameters": parameters,
        "constraints": list(constraints),
        "design_of_experiment": {"number_of_samples": samples},
        "feasible_output": {"enable_feasible_predictor": True},
    })


def _answer(function, point):
    try:
        value = float(function(point))
    except Invalid as reason:
        return {"valid": False, "reason": str(reason) or "invalid"}
    if not math.isfinite(value):
        return {"valid": False, "reason": "value"}
    return {"value": value}


def minimise(function, space, constraints=(), default=None, budget=60, samples=None, seed=1, record=None, key=None,
             method="model", tool=None):
    """The point with the least value of `function`, which takes a point by name and returns a number above 0.

    space: a list of numbers or of texts by name, or what `integer`, `real` and `order` return; or the path
        of a scenario, which has its own constraints and defaults.
    constraints: conditions as texts, such as "tile % unroll == 0".
    default: values before tuning, by name; measured first if every parameter has one.
    budget: calls in all, with those of the record. samples: how many points are drawn at first.
    record: a file that each value is written to, and that a later call goes on from; key: what it is of.
    method: model, uniform, embedding, bandit or annealing. tool: the path of `heddle`.

    A function that raises Invalid has an invalid point; other exceptions end the search, and are raised here.
    Raises TuneError for what `heddle tune` refuses: spaces, constraints, records, no valid point.
    """
    tool = tool or find_tool()
    if not tool:
        raise TuneError("the package has no bin/heddle; `make build` makes it in a checkout")
    samples = min(10, budget) if samples is None else samples
    with tempfile.TemporaryDirectory() as folder:
        scenario = pathlib.Path(folder) / "space.json"
        scenario.write_text(_scenario(space, constraints, default, samples), encoding="utf-8")
        log = pathlib.Path(folder) / "log"
        command = [tool, "tune", scenario, "--serve", f"--budget={budget}", f"--seed={seed}", f"--method={method}"]
        command += [f"--record={record}"] if record else []
        command += [f"--key={key}"] if key else []
        with log.open("wb") as errors, subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, encoding="utf-8") as tuner:
            try:
                for line in tuner.stdout:
                    tuner.stdin.write(json.dumps(_answer(function, json.loads(line)["point"])) + "\n")
                    tuner.stdin.flush()
            except BaseException:
                tuner.kill()
                raise
        text = log.read_text(encoding="utf-8").replace(str(scenario), "the space")
    if tuner.returncode:
        error = ERROR.search(text)
        raise TuneError(error[1] if error else f"heddle tune ended with status {tuner.returncode}")
    value, _, evaluations, point = BEST.findall(text)[-1]
    return Found(json.loads(point), float(value), int(evaluations), text)
