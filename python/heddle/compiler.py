# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile program text or Triton kernels, and look at what came out.

    product = heddle.compile("product.mlir", settings={"BM": 192})
    print(product.report())
    product.run(a, b, c)     # on the GPU; on the emulator where arrays are the host's
"""

import json
import os
import re

from . import _cache, _compiler_capi, _emulate, _files

GRID = ("grid_x", "grid_y", "grid_z")


class CompileError(RuntimeError):
    """A program that was not compiled. `messages` are the compiler's own, with
    source lines; `declined` says whether heddle knows the language of it but not
    how to compile it."""

    def __init__(self, outcome, messages):
        super().__init__(messages.rstrip() or "the compiler said nothing")
        self.messages = messages
        self.declined = outcome == _compiler_capi.DECLINED
        self.internal = outcome == _compiler_capi.INTERNAL


# The remarks on a loop with a product that is not shared by processes, and on a kernel
# without a schedule, and the id of the message that says why.
_WITH_DOT = re.compile(r"^.*because it holds a tile\.dot .*\[([a-z-]+)\]$", re.MULTILINE)
_IN_ORDER = re.compile(r"^.*\[([a-z-]+)\] \[one-process\]$", re.MULTILINE)


class Compiled:
    """One kernel: `ptx`, `manifest` and `certificate` are texts. `schedule` is the
    program with its schedule as a table, which heddle.compile takes back, edited or
    not; `picture` shows the schedule as SVG."""

    def __init__(self, texts, source):
        self.texts = texts
        self.name = texts["name"]
        self.ptx = texts["ptx"]
        self.manifest = texts["manifest"]
        self.certificate = texts["certificate"]
        self.source = source
        self.schedule = texts["schedule"]
        self.picture = texts["picture"]
        self._report = texts["report"]
        self.remarks = texts["messages"]
        self._kernel = None

    def __repr__(self):
        return "<heddle kernel %s>" % self.name

    def report(self):
        """The schedule as `heddle explain` prints it, then the remarks; after a launch
        on the GPU with those of the driver's compiler."""
        loaded = self._kernel.remarks if self._kernel else []
        lines = ["remark: %(text)s [%(id)s]\n" % remark for remark in loaded]
        remarks = self.remarks + "".join(lines)
        return self._report + ("\n" + remarks if remarks else "")

    @property
    def outcome(self):
        """"specialised" where several processes share the work; "no-dot" where no loop
        holds a dot for them; else "declined:ID", with the id of the remark that says why."""
        if len(json.loads(self.manifest)["variants"][0].get("processes", ())) > 1:
            return "specialised"
        reason = _WITH_DOT.search(self.remarks) or _IN_ORDER.search(self.remarks)
        return "declined:" + reason[1] if reason else "no-dot"

    @property
    def why_in_order(self):
        """Why a kernel that should have several processes is one; empty if it is as it
        should be."""
        if not self.outcome.startswith("declined:"):
            return ""
        return (_WITH_DOT.search(self.remarks) or _IN_ORDER.search(self.remarks))[0]

    @property
    def arguments(self):
        """The kernel's arguments, in order, as the manifest has them."""
        return json.loads(self.manifest)["arguments"]

    @property
    def kernel(self):
        """The heddle.runtime.Kernel that launches it."""
        if self._kernel is None:
            from . import runtime

            self._kernel = runtime.Kernel.from_text(self.ptx, self.manifest)
        return self._kernel

    def with_grid(self, values, grid):
        """The arguments of a launch: what a Triton kernel's programs ask of their
        grid stands behind its own arguments, as grid_x, grid_y, grid_z."""
        if grid is None:
            return values
        extents = dict(zip(GRID, tuple(grid) + (1, 1)))
        names = [one["name"] for one in self.arguments[len(values) :]]
        if len(grid) > len(GRID) or any(name not in extents for name in names) or not names:
            raise TypeError(
                "kernel '%s' takes %d arguments (%s)%s"
                % (
                    self.name,
                    len(self.arguments),
                    ", ".join(one["name"] for one in self.arguments),
                    "" if names else " and no grid",
                )
            )
        for name, extent in extents.items():
            if name not in names and extent != 1:
                raise ValueError(
                    "%s is %d, but kernel '%s' does not ask for its place along it, so that it "
                    "must be 1" % (name, extent, self.name)
                )
        return tuple(values) + tuple(extents[name] for name in names)

    def run(self, *values, grid=None, stream=None, **options):
        """Launches on the GPU, or, where the arrays lie in host memory, on the
        emulator, whose options are order, seed, sms and races. A Triton kernel
        takes `grid`, a tuple of up to three extents."""
        values = self.with_grid(values, grid)
        if any(_emulate.is_on_host(value) for value in values):
            _emulate.run(self, values, options)
        elif options:
            raise TypeError("options of the emulator, but the arrays are on the device")
        else:
            self.kernel(*values, stream=stream)

    def save(self, path):
        """Writes PATH, which ends in .ptx, and the manifest beside it."""
        path = os.fsdecode(path)
        stem, ending = os.path.splitext(path)
        if ending != ".ptx":
            raise ValueError("'%s' does not end in .ptx" % path)
        _files.write_whole(path, self.ptx)
        _files.write_whole(stem + ".json", self.manifest)


def is_triton_kernel(value):
    """Whether it is a function under @triton.jit, without importing Triton."""
    return hasattr(value, "arg_names") and hasattr(value, "cache_key")


def compile(source, signature=None, constexprs=None, *, settings=None, or_tile=None, schedule="auto",
            machine="", debug_waits=False, assume="checked", path=None, kernel=None, **triton_options):
    """Compiles a kernel; a Compiled.

    `source` is a file's name, the text of a program (anything with a line break),
    or a kernel under @triton.jit. The last needs `signature`, a dictionary of the
    arguments' Triton types ({"x_ptr": "*fp16", "n": "i32"}), and `constexprs`;
    options as num_warps are Triton's. Where a text holds several kernels, `kernel`
    names the one. `settings` is {"BM": 128}; `or_tile` a list of such, each of
    which a launch takes where the model predicts it to be faster for its sizes, or
    "auto" for the few that the model chooses, "auto:16" for as many as 16. `assume` says what is assumed of the
    launches of a Triton kernel: "checked", what each launch checks (one that breaks it is
    refused), "nothing", or "either", which adds variants that assume nothing.
    """
    if is_triton_kernel(source):
        from . import _triton_source

        source, path = _triton_source.ttir_text(
            source, signature or {}, constexprs or {}, triton_options
        ), source.__name__ + ".ttir"
    elif signature is not None or constexprs is not None or triton_options:
        raise TypeError(
            "signature, constexprs and %s belong to a Triton kernel, not to program text"
            % (", ".join(triton_options) or "options of Triton's")
        )
    elif not isinstance(source, (str, os.PathLike)):
        raise TypeError(
            "a program is text, the name of a file or a Triton kernel, not %s" % type(source).__name__
        )
    elif "\n" not in os.fspath(source):
        path = path or os.fspath(source)
        source = _files.read_text(source)
    options = options_of(path, settings, schedule, machine, debug_waits, or_tile, assume)
    return compile_text(source, options, kernel)


def options_of(
    path=None, settings=None, schedule="auto", machine="", debug_waits=False, or_tile=None, assume="checked"
):
    """As heddle_compile takes them."""

    def texts_of(values):
        if not isinstance(values or {}, dict):
            raise TypeError("settings are values by name, not %r" % (values,))
        return ["%s=%s" % pair for pair in (values or {}).items()]

    is_automatic = isinstance(or_tile, str) and or_tile.partition(":")[0] == "auto"
    if not (or_tile is None or is_automatic or isinstance(or_tile, (list, tuple))):
        raise TypeError("or_tile is 'auto', 'auto:COUNT' or a list of settings, not %r" % (or_tile,))
    return {
        "path": path or "<source>",
        "settings": texts_of(settings),
        "or_tile": or_tile if is_automatic else [texts_of(values) for values in or_tile or ()],
        "schedule": schedule,
        "machine": machine,
        "debug_waits": debug_waits,
        "assume": assume,
    }


def compile_text(text, options, kernel=None):
    """The kernel from the cache or made now."""
    entry = _texts(text, options)
    names = [texts["name"] for texts in entry["kernels"]]
    if kernel is None and len(names) != 1:
        raise TypeError(
            "the program holds %d kernels; say which by kernel=: %s" % (len(names), ", ".join(names))
        )
    if kernel is not None and kernel not in names:
        raise TypeError("no kernel is called %r; there are %s" % (kernel, ", ".join(names)))
    texts = entry["kernels"][names.index(kernel) if kernel is not None else 0]
    shared = {name: one for name, one in entry.items() if name != "kernels"}
    return Compiled(dict(texts, **shared), text)


def _file_text(name):
    """What a named file adds to the key: schedules and machines may be files."""
    if not name or not os.path.isfile(name) or os.path.getsize(name) > _files.MOST_BYTES:
        return b""  # none, or one that the compiler refuses
    return _files.read_bytes(name)  # all bits: a file that is no text differs from the next


def _texts(text, options):
    key = _cache.key_of(
        _compiler_capi.stamp(),
        json.dumps(options, sort_keys=True),
        _file_text(options["schedule"]),
        _file_text(options["machine"]),
        text,
    )
    entry = _cache.load(key)
    if entry is None:
        entry = _compile(text, options)
        _cache.store(key, entry)
    return entry


def _compile(text, options):
    result = _compiler_capi.compile_text(text.encode(), json.dumps(options))
    if result.outcome != _compiler_capi.FINE:
        raise CompileError(result.outcome, result.messages)
    return {
        "kernels": result.kernels,
        "report": result.report,
        "messages": result.messages,
        "schedule": result.schedule,
        "picture": result.picture,
    }
