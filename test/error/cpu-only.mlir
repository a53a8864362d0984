// Programs of kernels do not run on a GPU.
// RUN: %expect 2 heddle compile %s -o %t.ptx
// expect: 4:1: error: 'tile.program' is compiled for the CPU only; `--emit=llvm` prints what runs there [cpu-only]
tile.program @p(%n: index) {
  %a = tile.allocate %n : !tile.ptr<f32>
  tile.give ["x"] : %a counts %n : !tile.ptr<f32>
}
