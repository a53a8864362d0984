#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.torch.conv2d on CUDA tensors, on a GPU: results and gradients of layers beside float64, bit for
bit, streams, torch.compile, and the times of layers beside PyTorch's: of a ResNet in f16 and TF32, and
layers in groups of a ResNeXt and of an AlexNet (--timed).

    PYTHONPATH=python python3 test/gpu/convolution_tensors.py --compiler build/lib/libheddle.so \
        --runtime build/lib/libheddle_runtime.so

Kernels are compiled first, by several processes. A time is that of a CUDA graph of ten calls, copies of
filters to the programs' order included; the median of rounds in turn, cuDNN with benchmark = True.
Exit code: 0 all right, 1 a result was wrong, 2 there is no GPU.
"""

import argparse
import concurrent.futures
import multiprocessing
import statistics
import sys

import torch

LAST, FIRST = torch.channels_last, torch.contiguous_format
# images, channels, rows and columns; filters; options; element; format
CHECKED = (
    ((8, 64, 28, 28), (64, 64, 3, 3), {"padding": 1}, torch.float16, LAST),
    ((4, 3, 61, 47), (64, 3, 7, 7), {"stride": 2, "padding": 3}, torch.float16, LAST),
    ((4, 3, 61, 48), (64, 3, 7, 7), {"stride": 2, "padding": 3}, torch.float16, LAST),
    ((3, 3, 58, 227), (64, 3, 7, 7), {"stride": 2}, torch.bfloat16, LAST),
    ((2, 3, 61, 227), (96, 3, 11, 11), {"stride": 4}, torch.float16, LAST),
    ((2, 3, 37, 256), (64, 3, 3, 3), {"padding": (2, 1), "dilation": (2, 1)}, torch.float16, FIRST),
    ((3, 1, 33, 401), (40, 1, 5, 5), {}, torch.bfloat16, LAST),
    ((2, 4, 19, 70), (136, 4, 3, 3), {"padding": 1}, torch.float16, LAST),
    ((2, 96, 15, 13), (40, 96, 3, 3), {"stride": 2, "padding": 1}, torch.bfloat16, FIRST),
    ((3, 37, 9, 21), (50, 37, 2, 3), {"padding": "same"}, torch.bfloat16, LAST),
    ((2, 128, 17, 12), (256, 128, 3, 3), {"stride": (2, 1), "padding": (2, 1), "dilation": 2}, torch.float16, LAST),
    ((16, 256, 14, 14), (512, 256, 1, 1), {"stride": 2}, torch.float16, LAST),
    ((1, 512, 7, 7), (512, 512, 3, 3), {"padding": 1}, torch.float16, LAST),
    ((2, 64, 15, 13), (72, 64, 3, 3), {"padding": 1}, torch.float32, LAST),
    ((2, 3, 31, 29), (64, 3, 7, 7), {"stride": 2, "padding": 3}, torch.float32, FIRST),
    ((2, 40, 17, 12), (48, 40, 3, 3), {"stride": (2, 1), "padding": (2, 1), "dilation": 2}, torch.float32, LAST),
    ((4, 128, 14, 13), (128, 16, 3, 3), {"padding": 1, "groups": 8}, torch.float16, LAST),
    ((2, 192, 9, 11), (192, 64, 3, 3), {"padding": (1, 2), "groups": 3}, torch.bfloat16, LAST),
    ((2, 96, 9, 11), (144, 48, 3, 2), {"stride": 2, "padding": 1, "groups": 2}, torch.float16, FIRST),
    ((2, 128, 9, 11), (128, 64, 3, 3), {"padding": 1, "dilation": 2, "groups": 2}, torch.float32, LAST),
)
# channels, extent, outputs, window, stride, groups
RESNET = (
    (3, 224, 64, 7, 2, 1), (64, 56, 64, 1, 1, 1), (64, 56, 64, 3, 1, 1), (64, 56, 256, 1, 1, 1), (128, 56, 128, 3, 2, 1),
    (128, 28, 128, 3, 1, 1), (256, 14, 256, 3, 1, 1), (1024, 14, 256, 1, 1, 1), (512, 7, 512, 3, 1, 1),
)  # fmt: skip
GROUPS = (
    (512, 14, 512, 3, 1, 32), (1024, 7, 1024, 3, 1, 32), (256, 28, 256, 3, 1, 4), (256, 56, 256, 3, 2, 4),
    (96, 27, 256, 5, 1, 2), (384, 13, 384, 3, 1, 2),
)  # fmt: skip
TIMED = {"resnet": (RESNET, torch.float16), "groups": (GROUPS, torch.float16), "tf32": (RESNET, torch.float32)}
# Why PyTorch computes gradients of float32 and of groups.
GRADIENTS_OF_PYTORCH = (
    "elements are float32; the tensor core reads TF32 along a sum only", "a layer in groups has a program for it",
    *(f"the layer has {groups} groups" for groups in (2, 3, 8)),
)  # fmt: skip
CALLS, ROUNDS = 10, 7


def programs_of(image, weight, dtype, options):
    """The programs of a layer and its gradients."""
    from heddle import _conv_arguments, _conv_programs, _conv_torch

    stride, dilation = (_conv_arguments._pair(options.get(name, 1), name, 1) for name in ("stride", "dilation"))
    rim = _conv_arguments._rim(options.get("padding", 0), weight[2:], stride, dilation)
    layer = _conv_torch.layer_of(weight, dtype, stride, rim, dilation, options.get("groups", 1))
    element = _conv_torch.ELEMENTS[dtype]
    if layer.groups > 1:
        both = layer, _conv_programs.turned(layer)
        return [made for one in both if one for made in _conv_programs.group_programs(one, element)]
    shape = image[0], *image[2:]
    made = _conv_programs.forward_programs(layer, shape, element) + _conv_programs.data_programs(layer, element)
    return made if dtype is torch.float32 else made + _conv_programs.weight_programs(layer, element)


def compile_one(program):
    from heddle import _conv_torch

    found = _conv_torch._compiled(
        program.name, tuple(program.settings.items()), tuple(tuple(one.items()) for one in program.or_tile), False)
    return f"{program}: {found}" if isinstance(found, _conv_torch.Declined) else None


def compile_all(layers):
    """Puts the kernels on disk; what was declined."""
    made = {}
    for image, weight, options, dtype in layers:
        for program in programs_of(image, weight, dtype, options):
            made[program.name, str(program.settings)] = program
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(mp_context=context) as pool:
        return len(made), [reason for reason in pool.map(compile_one, made.values()) if reason]


def integers(shape, dtype, seed, format=FIRST):
    generator = torch.Generator(device="cuda").manual_seed(seed)
    drawn = torch.randint(-2, 3, shape, generator=generator, device="cuda")
    return drawn.to(dtype).contiguous(memory_format=format)


def check(name, good):
    print(f"{'right' if good else 'WRONG'}: {name}", flush=True)
    return good


def layer(conv2d, image, weight, options, dtype, format):
    """Result and gradients are those of float64, rounded."""
    x, f = integers(image, dtype, 1, format).requires_grad_(), integers(weight, dtype, 2, format).requires_grad_()
    y = conv2d(x, f, **options)
    e = integers(y.shape, dtype, 3)
    found = y.detach(), *torch.autograd.grad(y, (x, f), e)
    x, f = (value.detach().double().requires_grad_() for value in (x, f))
    y = torch.nn.functional.conv2d(x, f, **options)
    wanted = y.detach(), *torch.autograd.grad(y, (x, f), e.double())
    wrong = [part for part, one, other in zip(("result", "image", "filters"), found, wanted)
             if not torch.equal(one, other.to(dtype))]
    return check(f"{image} by {weight}, {options}, {dtype}, {format}" + "".join(", " + part for part in wrong), not wrong)


def graphs_and_streams(conv2d):
    """torch.compile, and a stream that is not the current one of before."""
    image, weight, options, dtype, format = CHECKED[0]
    x, f = integers(image, dtype, 1, format), integers(weight, dtype, 2, format)
    wanted = torch.nn.functional.conv2d(x.double(), f.double(), **options).to(dtype)
    stream, good = torch.cuda.Stream(), []
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        found = conv2d(x, f, **options)
    stream.synchronize()
    good.append(check("on a stream", torch.equal(found, wanted)))
    for backend in ("aot_eager", "inductor"):
        try:
            compiled = torch.compile(lambda x, f: torch.relu(conv2d(x, f, **options)), backend=backend, fullgraph=True)
            good.append(check(f"compiled by {backend}", torch.equal(compiled(x, f), torch.relu(wanted))))
        except Exception as error:  # inductor needs a C compiler of the system
            if backend == "aot_eager":
                raise
            print(f"{backend} does not work here: {type(error).__name__}: {str(error).splitlines()[0][:200]}")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        found = conv2d(x.float(), f.float(), **options)
    wanted = torch.nn.functional.conv2d(x.double(), f.double(), **options).bfloat16()
    good.append(check("under autocast", found.dtype is torch.bfloat16 and torch.equal(found, wanted)))
    return all(good)


def graph_of(call):
    """Milliseconds of a call, in a graph of several."""
    call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(CALLS):
            call()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def run():
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / CALLS

    return run


def times(images, channels, extent, outputs, window, stride, groups, dtype):
    """Microseconds of result, image's and filters' gradients, heddle's and PyTorch's."""
    pad = window // 2
    x = torch.randn(images, channels, extent, extent, device="cuda").to(dtype).contiguous(memory_format=LAST)
    f = torch.randn(outputs, channels // groups, window, window, device="cuda").to(dtype).contiguous(memory_format=LAST)
    pairs = [stride] * 2, [pad] * 4, [1, 1], groups, True
    e = torch.randn_like(torch.ops.heddle.conv2d(x, f, *pairs))

    def backward(mask):
        return lambda: torch.ops.aten.convolution_backward(
            e, x, f, None, [stride] * 2, [pad] * 2, [1, 1], False, [0, 0], groups, mask)

    calls = {
        "result": (lambda: torch.ops.heddle.conv2d(x, f, *pairs),
                   lambda: torch.nn.functional.conv2d(x, f, stride=stride, padding=pad, groups=groups)),
        "image": (lambda: torch.ops.heddle.conv2d_image(e, f, x.shape, *pairs), backward([True, False, False])),
        "filters": (lambda: torch.ops.heddle.conv2d_filters(x, e, f.shape, *pairs), backward([False, True, False])),
    }
    if dtype is torch.float32 or groups > 1:
        del calls["filters"]  # PyTorch's
    if groups > 1 and stride > 1:
        del calls["image"]  # the same
    cells = []
    for name, pair in calls.items():
        runs = [graph_of(call) for call in pair]
        rounds = [[run() for run in runs] for _ in range(ROUNDS + 2)][2:]
        heddle_time, torch_time = (1e3 * statistics.median(one) for one in zip(*rounds))
        cells.append(f"{name} {heddle_time:.1f} {torch_time:.1f} us, {torch_time / heddle_time:.2f}")
    print(f"{images} x {extent} x {extent} x {channels} to {outputs}, {window} x {window}, stride {stride}, groups {groups}: "
          + "; ".join(cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--images", type=int, default=64)
    parser.add_argument("--compile-only", action="store_true", help="without a GPU")
    parser.add_argument("--timed", action="append", choices=list(TIMED), help="all, unless named")
    options = parser.parse_args()
    chosen = [TIMED[name] for name in options.timed or TIMED]
    import heddle.torch
    import heddle.runtime

    heddle.use_compiler(options.compiler)
    timed = [((options.images, channels, extent, extent), (outputs, channels // groups, window, window),
              {"stride": stride, "padding": window // 2, "groups": groups}, dtype)
             for layers, dtype in chosen for channels, extent, outputs, window, stride, groups in layers]  # fmt: skip
    count, refused = compile_all([one[:4] for one in CHECKED] + timed)
    print(f"{count} kernels compiled", *refused, sep="\n", flush=True)
    if options.compile_only:
        return 1 if refused else 0
    if not torch.cuda.is_available():
        print("there is no GPU here")
        return 2
    heddle.runtime.use_library(options.runtime)
    torch.cuda.init()
    torch.backends.cudnn.benchmark = True
    conv2d = heddle.torch.conv2d
    good = [layer(conv2d, image, weight, given, dtype, format) for image, weight, given, dtype, format in CHECKED]
    good.append(graphs_and_streams(conv2d))
    others = [one for one in heddle.torch.declined() if not one[1].startswith(GRADIENTS_OF_PYTORCH)]
    good.append(check(f"PyTorch computed {others}", not others))
    print(torch.cuda.get_device_name(), torch.__version__, "heddle, PyTorch, PyTorch over heddle")
    for layers, dtype in chosen:
        print(dtype)
        for one in layers:
            times(options.images, *one, dtype)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
