#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models under torch.compile, for triton_scripts.py, which runs this file with Triton and
behind heddle.torch.enable():

    PYTHONPATH=installed python3 bench/triton_scripts.py "bench/inductor_models.py --layers 12"

A transformer of GPT-2's width forward and backward, FlexAttention with three masks forward
and backward, a product with bias and GELU by max-autotune, and a chain of norms and a loss.
Steps are timed as CUDA graphs, since the host takes longer over some of them than the GPU.
Each is held to PyTorch without compilation in float32 first: its error may be twice that of
PyTorch in bfloat16. Needs a GPU.
"""

import argparse

import torch
import torch.nn.functional as F
import triton.testing
from torch import nn
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

DEVICE = "cuda"


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.first(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.second(x)), approximate="tanh"))


class Transformer(nn.Module):
    def __init__(self, layers, words=50304, width=768, heads=12, length=1024):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)

    def forward(self, words, targets):
        x = self.words(words) + self.places(torch.arange(words.shape[1], device=words.device))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.view(-1, logits.shape[-1]).float(), targets.view(-1))


class Case:
    """A function of tensors, each step of which goes backward, too, where `backward` says so."""

    def __init__(self, function, tensors, backward=True, mode="default", parameters=()):
        self.function, self.tensors, self.backward = function, tensors, backward
        self.parameters = list(parameters)
        self.compiled = torch.compile(function, mode=mode, dynamic=False)
        self.gradient = None

    def results(self, function, tensors):
        """The result, and gradients of what is differentiated, in float32."""
        leaves = [one for one in [*tensors, *self.parameters] if one.requires_grad]
        for leaf in leaves:
            leaf.grad = None
        found = function(*tensors)
        if self.backward:
            generator = torch.Generator(DEVICE).manual_seed(7)
            direction = torch.randn(found.shape, generator=generator, device=DEVICE)
            found.backward(direction.to(found.dtype))
        return [found.detach().float(), *(leaf.grad.float() for leaf in leaves if leaf.grad is not None)]

    def check(self):
        if self.parameters:  # a module, whose tensors are integers
            self.function.float()
            exact = [one.clone() for one in self.results(self.function, self.tensors)]
            self.function.bfloat16()
        else:
            exact = self.results(
                self.function, [one.detach().float().requires_grad_(one.requires_grad) for one in self.tensors]
            )
        eager = [one.clone() for one in self.results(self.function, self.tensors)]
        found = self.results(self.compiled, self.tensors)
        worst = 0.0
        for want, plainly, got in zip(exact, eager, found, strict=True):
            size = want.norm() + 1e-30
            allowed = 2 * ((plainly - want).norm() / size).item() + 1e-5
            worst = max(worst, ((got - want).norm() / size).item() / allowed)
        assert worst <= 1, f"the error is {2 * worst:.2f} times that of PyTorch without compilation"
        return worst

    def step(self):
        for leaf in [*self.tensors, *self.parameters]:
            leaf.grad = None
        if not self.backward:
            return self.compiled(*self.tensors)
        found = self.compiled(*self.tensors)
        if self.gradient is None:
            self.gradient = torch.randn_like(found)
        found.backward(self.gradient)
        return found


def normal(*shape, gradient=True):
    return torch.randn(shape, device=DEVICE, dtype=torch.bfloat16, requires_grad=gradient)


def transformer(layers):
    model = Transformer(layers).to(DEVICE).bfloat16()
    words = torch.randint(50257, (2, 4, 1024), device=DEVICE)
    return Case(model, [words[0], words[1]], parameters=model.parameters())


def flex(name, heads=16, length=4096, depth=64):
    documents = torch.arange(length, device=DEVICE) * 7 // length
    masks = {
        "causal": lambda b, h, q, k: q >= k,
        "window": lambda b, h, q, k: (q >= k) & (q - k <= 1024),
        "documents": lambda b, h, q, k: (q >= k) & (documents[q] == documents[k]),
    }
    mask = create_block_mask(masks[name], None, None, length, length, device=DEVICE)

    def attention(q, k, v):
        return flex_attention(q, k, v, block_mask=mask)

    return Case(attention, [normal(2, heads, length, depth) for _ in range(3)])


def product():
    def layer(x, w, b):
        return F.gelu(x @ w + b)

    tensors = [normal(8192, 2048, gradient=False), normal(2048, 4096, gradient=False), normal(4096, gradient=False)]
    return Case(layer, tensors, backward=False, mode="max-autotune-no-cudagraphs")


def rows():
    def chain(x, y, w):
        z = x + y
        z = z * torch.rsqrt((z.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(z.dtype) * w
        return torch.logsumexp(z.float(), -1).mean() + (z * torch.sigmoid(z)).float().mean()

    return Case(chain, [normal(16384, 4096), normal(16384, 4096), normal(4096)])


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--layers", type=int, default=12)
parser.add_argument("--only", nargs="+", help="models by name")
parser.add_argument("--rep", type=int, default=40, help="milliseconds of steps that one graph holds")
options = parser.parse_args()
MODELS = {
    "rows": rows,
    "product": product,
    "flex causal": lambda: flex("causal"),
    "flex window": lambda: flex("window"),
    "flex documents": lambda: flex("documents"),
    "transformer": lambda: transformer(options.layers),
}
torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = False
chosen = {name: make() for name, make in MODELS.items() if not options.only or name in options.only}
for label, case in chosen.items():
    print(f"{label}: error {2 * case.check():.2f} times that of PyTorch without compilation", flush=True)


@triton.testing.perf_report(triton.testing.Benchmark(
    x_names=["model"], x_vals=list(chosen), line_arg="provider", line_vals=["compiled"], line_names=["compiled"],
    plot_name="models", args={},
))  # fmt: skip
def measure(model, provider):
    return triton.testing.do_bench_cudagraph(chosen[model].step, rep=options.rep, quantiles=[0.5])


measure.run(print_data=True)
