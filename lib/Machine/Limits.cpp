//===- Limits.cpp - Reads the limits of a machine description ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadLimits.h"

#include "heddle/Support/JsonReader.h"

#include <algorithm>

namespace heddle::machine {

Limits shareOf(const Limits &limits, int64_t blocks) {
  int64_t unit = limits.sharedBytesUnit;
  Limits share = limits;
  share.registersPerMultiprocessor /= blocks;
  int64_t shared = limits.sharedBytesPerMultiprocessor / blocks / unit * unit -
                   limits.reservedSharedBytes;
  share.sharedBytesPerBlock = std::min(limits.sharedBytesPerBlock, shared);
  return share;
}

int64_t launchRegisters(const Limits &limits, int64_t threads) {
  if (threads == 0)
    return limits.registersPerThread;
  int64_t share = limits.registersPerMultiprocessor / threads / 8 * 8;
  return std::min(share, limits.registersPerThread);
}

static bool readField(const llvm::json::Object &table, const char *name,
                      int64_t &field, std::string &error) {
  const llvm::json::Object *entry = table.getObject(name);
  const llvm::json::Value *number = entry ? entry->get("value") : nullptr;
  std::optional<int64_t> value =
      number ? strict::toInteger(*number) : std::nullopt;
  if (!value || *value < 1 || !entry->getString("source")) {
    error = std::string("limits.") + name +
            ": expected a positive value and its source";
    return false;
  }
  field = *value;
  return true;
}

bool readLimits(const llvm::json::Value &description, Limits &limits,
                std::string &error) {
  const llvm::json::Object *object = description.getAsObject();
  const llvm::json::Object *table =
      object ? object->getObject("limits") : nullptr;
  if (!table) {
    error = "limits: expected an object";
    return false;
  }
  Limits result;
  bool ok =
      readField(*table, "multiprocessors", result.multiprocessors, error) &&
      readField(*table, "shared_bytes_per_block", result.sharedBytesPerBlock,
                error) &&
      readField(*table, "registers_per_multiprocessor",
                result.registersPerMultiprocessor, error) &&
      readField(*table, "registers_per_thread", result.registersPerThread,
                error) &&
      readField(*table, "threads_per_multiprocessor",
                result.threadsPerMultiprocessor, error) &&
      readField(*table, "blocks_per_multiprocessor",
                result.blocksPerMultiprocessor, error) &&
      readField(*table, "shared_bytes_per_multiprocessor",
                result.sharedBytesPerMultiprocessor, error) &&
      readField(*table, "reserved_shared_bytes", result.reservedSharedBytes,
                error) &&
      readField(*table, "shared_bytes_unit", result.sharedBytesUnit, error) &&
      readField(*table, "threads_per_block", result.threadsPerBlock, error) &&
      readField(*table, "threads_per_group", result.threadsPerGroup, error) &&
      readField(*table, "named_barriers", result.namedBarriers, error) &&
      readField(*table, "wgmma_columns", result.wgmmaColumns, error) &&
      readField(*table, "product_registers", result.productRegisters, error) &&
      readField(*table, "product_column_step", result.productColumnStep,
                error) &&
      readField(*table, "integer_column_step", result.integerColumnStep,
                error) &&
      readField(*table, "integer_columns", result.integerColumns, error) &&
      readField(*table, "product_row_bytes", result.productRowBytes, error) &&
      readField(*table, "access_bytes", result.accessBytes, error) &&
      readField(*table, "tma_box_extent", result.tmaBoxExtent, error);
  if (ok)
    limits = result;
  return ok;
}

bool readLimits(const std::string &json, Limits &limits, std::string &error) {
  llvm::Expected<llvm::json::Value> root = llvm::json::parse(json);
  if (root)
    return readLimits(*root, limits, error);
  error = llvm::toString(root.takeError());
  return false;
}

} // namespace heddle::machine
