# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stands in for triton.compiler.CompiledKernel where heddle made the kernel."""

import collections
import struct

from triton import knobs

from . import _emulate, _values, _words, runtime
from .compiler import GRID

_UNSIGNED = {"u8": "B7x", "u16": "H6x", "u32": "I4x", "u64": "Q", "i1": "?7x", "u1": "?7x"}


class _Kernel:
    """What code around Triton looks at, and the order of the arguments."""

    def __init__(self, compiled, src, target, options):
        self.heddle = compiled
        self.src = src
        self.name = compiled.name
        self.hash = src.hash()
        self.asm = {"ttir": compiled.source, "ptx": compiled.ptx}
        self.kernel = compiled.ptx.encode()
        self.module = self.function = self.packed_metadata = None
        self.n_regs = self.n_spills = self.n_max_threads = 0
        variant = compiled.kernel.variants[0]
        fields = dict(
            options, name=self.name, target=target, hash=self.hash,
            shared=variant["shared_bytes"], num_warps=variant["threads"] // 32,
        )  # fmt: skip
        self.metadata = collections.namedtuple("KernelMetadata", sorted(fields))(**fields)

    def asks_for(self, axis):
        return any(one["name"] == GRID[axis] for one in self.heddle.arguments)

    def repeats(self, grid):
        """How many programs are the same, because they do not ask where they are."""
        count = 1
        for axis, extent in enumerate(grid):
            if not self.asks_for(axis):
                count *= extent
        return count

    def launch_metadata(self, grid, stream, *arguments):
        """None where no hook wants it."""
        if not _has_calls(knobs.runtime.launch_enter_hook) and not _has_calls(
            knobs.runtime.launch_exit_hook
        ):
            return None
        metadata = {"name": self.name, "function": self.function, "stream": stream}
        make = self.src.fn.launch_metadata
        if make is not None:
            named = dict(zip(self.src.fn.arg_names, arguments))
            metadata.update(make(grid, self.metadata, named))
        return _Metadata(metadata)

    def __getitem__(self, grid):
        grid = tuple(grid) + (1,) * (3 - len(grid))

        def launch(*arguments, stream=None):
            if stream is None:
                from triton.runtime import driver

                stream = driver.active.get_current_stream(driver.active.get_current_device())
            self._init_handles()
            self.run(
                *grid, stream, self.function, self.packed_metadata,
                self.launch_metadata(grid, stream, *arguments),
                knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook, *arguments,
            )  # fmt: skip

        return launch


class _Metadata(dict):
    """Triton's hooks call get()."""

    def get(self, *arguments):
        return super().get(*arguments) if arguments else dict(self)


def _has_calls(hook):
    return hook is not None and getattr(hook, "calls", True)


class LaunchedKernel(_Kernel):
    """On the GPU. Launching costs Triton's own binding, one struct.pack and one
    call of the runtime, which keeps planned launches."""

    def __init__(self, compiled, src, target, options, by_triton, decline, general=None):
        super().__init__(compiled, src, target, options)
        self._by_triton = by_triton
        self._decline = decline
        self._triton_kernel = None
        self._make_general = general
        self._general = None
        self.run = self._make_run()

    def _init_handles(self):
        """Loads the kernel, so that a later launch may be captured in a graph."""
        if self.module is None:
            self.heddle.kernel.load()
            found = self.heddle.kernel.resources()
            self.n_regs, self.n_max_threads = found["registers"], found["max_threads"]
            self.n_spills = found["local_bytes"] // 4
            self.module = self.function = self.heddle.kernel._handle.value

    def _make_run(self):
        """A function of the grid, the stream, hooks and all arguments of the kernel."""
        letters, values = ["="], []
        types = self.src.signature
        for one in self.heddle.arguments:
            name = one["name"]
            if one["kind"] == "pointer":
                letters.append("Q")
                values.append("%s.data_ptr()" % name)
            elif one["kind"] == "view":
                letters.append("Q" + "q" * 2 * one["rank"])
                values.append("*view(%s)" % name)
            else:
                letters.append(_UNSIGNED.get(types.get(name), _words.LETTERS[one["element"]]))
                values.append("bf16(%s)" % name if one["element"] == "bf16" else name)
        pack = struct.Struct("".join(letters))
        plain = [name for axis, name in enumerate(GRID) if not self.asks_for(axis)]
        text = """
def run(grid_x, grid_y, grid_z, stream, function, packed, metadata, enter, leave, {names}):
    if metadata is not None and enter is not None:
        enter(metadata)
    try:
        words = pack({values})
    except AttributeError:
        words = None
    if words is None{repeated} or launch(handle, words, {count}, stream):
        rare((grid_x, grid_y, grid_z), stream, words, metadata, enter, leave, ({names},))
    if metadata is not None and leave is not None:
        leave(metadata)
""".format(
            names=", ".join(self.src.fn.arg_names),
            values=", ".join(values),
            count=pack.size // 8,
            repeated="".join(" or %s != 1" % name for name in plain),
        )
        scope = {
            "pack": pack.pack,
            "view": _view,
            "bf16": _values.bf16_bits,
            "launch": runtime.library().heddle_kernel_launch_words,
            "handle": self.heddle.kernel._handle,
            "rare": self._rare,
        }
        exec(compile(text, "<heddle launcher of %s>" % self.name, "exec"), scope)
        self._count = pack.size // 8
        return scope["run"]

    def _rare(self, grid, stream, words, metadata, enter, leave, arguments):
        """Programs that are the same, and launches that heddle refuses."""
        reason = "an argument has no address"
        if words is not None:
            launch = runtime.library().heddle_kernel_launch_words
            for _ in range(self.repeats(grid)):
                status = launch(self.heddle.kernel._handle, words, self._count, stream)
                if status:
                    break
            else:
                return
            try:
                runtime._check(status)
            except (runtime.ArgumentError, runtime.DeviceError) as error:
                reason = str(error)
            if self._use_general(reason):
                self._general.run(
                    *grid, stream, None, None, None, None, None, *arguments
                )  # fmt: skip
                return
        self._decline(self.name, reason)
        if self._triton_kernel is None:
            self._triton_kernel = self._by_triton()
        kernel = self._triton_kernel
        launcher = kernel.run  # makes the handles below
        launcher(
            *grid, stream, kernel.function, kernel.packed_metadata,
            kernel.launch_metadata(grid, stream, *arguments), None, None, *arguments,
        )  # fmt: skip


    def _use_general(self, reason):
        """Whether heddle has a kernel for launches that break an assumption."""
        if self._make_general is not None and "no variant of kernel" in reason:
            make, self._make_general = self._make_general, None
            self._general = make()
        return self._general is not None


def _view(descriptor):
    """The words of a triton.tools.tensor_descriptor.TensorDescriptor."""
    if descriptor.padding != "zero":
        raise AttributeError("heddle pads by zeros only")
    return descriptor.base.data_ptr(), *descriptor.shape, *descriptor.strides


class EmulatedKernel(_Kernel):
    """On the CPU, with host tensors."""

    def __init__(self, compiled, src, target, options):
        super().__init__(compiled, src, target, options)
        variant = compiled.kernel.variants[0]
        # No assembler has counted them: as many as a thread may have.
        self.n_regs = min(255, 65536 // variant["threads"] // 8 * 8)
        self.n_max_threads = 1024

    def _init_handles(self):
        pass

    def run(self, grid_x, grid_y, grid_z, stream, function, packed, metadata, enter, leave, *arguments):
        if metadata is not None and enter is not None:
            enter(metadata)
        named = dict(zip(self.src.fn.arg_names, arguments), grid_x=grid_x, grid_y=grid_y, grid_z=grid_z)
        values = tuple(
            _host(named[one["name"]], self.src.signature.get(one["name"])) for one in self.heddle.arguments
        )
        for _ in range(self.repeats((grid_x, grid_y, grid_z))):
            _emulate.run(self.heddle, values, {})
        if metadata is not None and leave is not None:
            leave(metadata)


def _host(value, triton_type):
    """The memory of a descriptor as an array, a number without sign as one that has the same
    bits: heddle's types have no signs."""
    if hasattr(value, "block_shape"):
        return _emulate.Described(value)
    if triton_type in ("u8", "u16", "u32", "u64"):
        bits = int(triton_type[1:])
        return value - (1 << bits) if value >> (bits - 1) else value
    return value
