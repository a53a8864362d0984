//===- TaskPrograms.h - Programs of tasks for tests -------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The examples with small tunables, so that a run of every element takes no
// time, and one program with nested pieces that no example has.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_FRONTEND_TASKPROGRAMS_H
#define HEDDLE_UNITTESTS_FRONTEND_TASKPROGRAMS_H

#include "heddle/Dialect/Task/Task.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"
#include <fstream>
#include <sstream>

namespace heddle {

/// y = x and z = z + x, in blocks, each block in halves of its rows.
inline constexpr char kNested[] = R"(
!t = !task.tensor<?x?xf32>
!p = !task.partition<?x?xf32>
task.variant @grid of @both inner(reads %x: !t, writes %y: !t, reads writes %z: !t) {
  %u = task.tunable "U"
  %xs = task.blocks %x by [%u, %u] : !t
  %ys = task.blocks %y by [%u, %u] : !t
  %zs = task.blocks %z by [%u, %u] : !t
  %m = task.count %ys, 0 : !p
  %n = task.count %ys, 1 : !p
  task.prange (%i, %j) to (%m, %n) {
    %a = task.piece %xs[%i, %j] : !p
    %b = task.piece %ys[%i, %j] : !p
    %c = task.piece %zs[%i, %j] : !p
    task.launch @both(%a, %b, %c) : !t, !t, !t
  }
}
task.variant @halves of @both inner(reads %x: !t, writes %y: !t, reads writes %z: !t) {
  %c2 = arith.constant 2 : index
  %u = task.extent %y, 0 : !t
  %h = arith.divui %u, %c2 : index
  %xs = task.blocks %x by [%h, all] : !t
  %ys = task.blocks %y by [%h, all] : !t
  %zs = task.blocks %z by [%h, all] : !t
  %n = task.count %ys, 0 : !p
  task.srange %i to %n {
    %a = task.piece %xs[%i, all] : !p
    %b = task.piece %ys[%i, all] : !p
    %c = task.piece %zs[%i, all] : !p
    task.launch @copy(%a, %b) : !t, !t
    task.launch @add(%a, %c) : !t, !t
  }
}
task.variant @copy_tile of @copy leaf(reads %x: !t, writes %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %a, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.variant @add_tile of @add leaf(reads %x: !t, reads writes %y: !t) {
  %a = task.read %x : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  %b = task.read %y : !t -> tensor<?x?xf32, #tile.shape<"M", "N">>
  %s = arith.addf %a, %b : tensor<?x?xf32, #tile.shape<"M", "N">>
  task.write %s, %y : tensor<?x?xf32, #tile.shape<"M", "N">>, !t
}
task.mapping @map entry @grid {
  task.instance @grid runs @grid on host calls [@halves] {
    task.tune "U" = 4
  }
  task.instance @halves runs @halves on block calls [@copy, @add]
  task.instance @copy runs @copy_tile on block
  task.instance @add runs @add_tile on block
}
)";

/// An example of examples/task with other numbers for its tunables.
inline std::string
readExample(const std::string &name,
            const std::vector<std::pair<std::string, std::string>> &numbers) {
  std::ifstream file(HEDDLE_EXAMPLES "/task/" + name);
  std::stringstream buffer;
  buffer << file.rdbuf();
  std::string text = buffer.str();
  for (auto &[from, to] : numbers)
    for (size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

} // namespace heddle

#endif // HEDDLE_UNITTESTS_FRONTEND_TASKPROGRAMS_H
