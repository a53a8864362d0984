//===- Files.h - Reading and writing files of the command line ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every file that a command reads or writes goes through here. A path is what
// somebody typed or what a cache holds: a device, a FIFO or a socket in its
// place must neither hang nor fill the memory, and a full disk must not leave
// half a file where a whole one was.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_FILES_H
#define HEDDLE_SUPPORT_FILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <memory>
#include <string>

namespace heddle {

/// Texts: programs, PTX, JSON.
inline constexpr uint64_t kLongestText = uint64_t(64) << 20;

/// The contents of a file of at most `longest` bytes, with a zero behind them;
/// null, and `reason` says why. Devices, FIFOs, sockets and folders are
/// refused, unless they are an open descriptor of this process: `-`,
/// /dev/stdin, /dev/fd/N.
std::unique_ptr<llvm::MemoryBuffer> readFile(llvm::StringRef path,
                                             std::string &reason,
                                             uint64_t longest = kLongestText);

/// Why a path is no file that could be read, without reading; "" if it is one.
std::string whyUnreadable(llvm::StringRef path,
                          uint64_t longest = kLongestText);

/// Writes a file whole or not at all: into a file beside it, which takes its
/// place at the end. What is there and no regular file, as /dev/null, is
/// written in place. Returns why it could not be written, or "".
std::string writeFile(llvm::StringRef path,
                      llvm::function_ref<void(llvm::raw_ostream &)> write);
std::string writeFile(llvm::StringRef path, llvm::StringRef contents);

} // namespace heddle

#endif // HEDDLE_SUPPORT_FILES_H
