//===- GpuDevice.cpp - Runs a kernel on the GPU through the C interface ---===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Device that launches on a GPU: arguments are copied there, the kernel
// runs, and the views that it writes are copied back. All calls go through
// runtime.h as in a user's program, so that `heddle run` tests the C interface
// with the kernel.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "heddle/Run/Device.h"

#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/runtime.h"

#include <cstring>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;

namespace {

Error check(heddle_status status) {
  if (status == HEDDLE_OK)
    return Error::success();
  return diag::makeError(diag::launch_failed, heddle_last_error());
}

/// Device memory of one view.
struct DeviceMemory {
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory &) = delete;
  ~DeviceMemory() {
    if (pointer)
      heddle_free(pointer);
  }
  void *pointer = nullptr;
};

class GpuDevice : public Device {
public:
  ~GpuDevice() override { heddle_kernel_destroy(kernel); }

  Error create(const pipeline::CompiledKernel &compiled);
  std::string name() const override;
  int variant() const override { return chosen; }
  Error launch(MutableArrayRef<ArgumentData> arguments) override;
  Expected<double> timeMilliseconds(MutableArrayRef<ArgumentData> arguments,
                                    int launches) override;

private:
  Error upload(ArrayRef<ArgumentData> arguments);
  Error allocate(ArrayRef<ArgumentData> arguments);

  heddle_kernel *kernel = nullptr;
  std::vector<DeviceMemory> memory;
  std::vector<heddle_arg> packed;
  int chosen = 0;
};

/// The runtime's remarks are the tool's.
void printRemark(const heddle_kernel *, const heddle_remark *found, void *) {
  for (const diag::Kind *kind :
       {&diag::spilled_registers, &diag::serialised_products,
        &diag::budgets_ignored})
    if (kind->id() == found->id)
      remark(*kind, found->text);
}

Error GpuDevice::create(const pipeline::CompiledKernel &compiled) {
  if (Error error = check(heddle_kernel_create(
          compiled.ptx.data(), compiled.ptx.size(), compiled.manifest.data(),
          compiled.manifest.size(), &kernel)))
    return error;
  heddle_set_remark_handler(printRemark, nullptr);
  return check(heddle_kernel_load(kernel));
}

std::string GpuDevice::name() const {
  char text[256] = "GPU";
  (void)heddle_device_name(text, sizeof text);
  return text;
}

heddle_arg pack(const ArgumentData &data, void *pointer) {
  heddle_arg packed = {};
  packed.kind = data.isView()      ? HEDDLE_VIEW
                : data.hasMemory() ? HEDDLE_POINTER
                                   : HEDDLE_SCALAR;
  packed.dtype = static_cast<int32_t>(data.argument().element);
  packed.rank = static_cast<int32_t>(data.shape().size());
  packed.data = pointer;
  llvm::copy(data.shape(), packed.shape);
  llvm::copy(data.strides(), packed.strides);
  packed.scalar_bits = data.hasMemory() ? 0 : data.scalarBits();
  return packed;
}

Error GpuDevice::allocate(ArrayRef<ArgumentData> arguments) {
  if (!packed.empty())
    return Error::success();
  memory = std::vector<DeviceMemory>(arguments.size());
  for (auto [data, place] : llvm::zip(arguments, memory)) {
    if (data.hasMemory())
      if (Error error = check(heddle_malloc(
              std::max<uint64_t>(data.sizeBytes(), 1), &place.pointer)))
        return error;
    packed.push_back(pack(data, place.pointer));
  }
  return Error::success();
}

Error GpuDevice::upload(ArrayRef<ArgumentData> arguments) {
  if (Error error = allocate(arguments))
    return error;
  for (auto [data, place] : llvm::zip(arguments, memory))
    if (data.sizeBytes())
      if (Error error = check(heddle_copy_to_device(place.pointer, data.data(),
                                                    data.sizeBytes())))
        return error;
  return Error::success();
}

Error GpuDevice::launch(MutableArrayRef<ArgumentData> arguments) {
  if (Error error = upload(arguments))
    return error;
  heddle_plan_info plan = {};
  if (Error error = check(
          heddle_kernel_plan(kernel, packed.data(), packed.size(), 0, &plan)))
    return error;
  chosen = plan.variant;
  if (Error error = check(
          heddle_kernel_launch(kernel, packed.data(), packed.size(), nullptr)))
    return error;
  if (Error error = check(heddle_synchronize(nullptr)))
    return error;
  for (auto [data, place] : llvm::zip(arguments, memory))
    if (data.hasMemory() && data.argument().written && data.sizeBytes())
      if (Error error = check(heddle_copy_from_device(
              data.data(), place.pointer, data.sizeBytes())))
        return error;
  return Error::success();
}

Expected<double>
GpuDevice::timeMilliseconds(MutableArrayRef<ArgumentData> arguments,
                            int launches) {
  if (Error error = upload(arguments))
    return error;
  float milliseconds = 0;
  if (Error error =
          check(heddle_kernel_time(kernel, packed.data(), 1, packed.size(),
                                   launches, nullptr, &milliseconds)))
    return error;
  return milliseconds / launches;
}

} // namespace

Expected<std::unique_ptr<Device>>
heddle::tool::createGpuDevice(const pipeline::CompiledKernel &kernel,
                              const manifest::Manifest &) {
  std::string reason;
  if (!isGpuUsable(reason))
    return diag::makeError(diag::device_missing, reason);
  auto device = std::make_unique<GpuDevice>();
  if (Error error = device->create(kernel))
    return error;
  return device;
}

bool heddle::tool::isGpuUsable(std::string &reason) {
  heddle_device_info info = {};
  if (!heddle_device_available() || heddle_device_query(&info) != HEDDLE_OK) {
    reason = heddle_last_error();
    return false;
  }
  if (info.capability_major == 9)
    return true;
  reason = "the GPU is of compute capability " +
           std::to_string(info.capability_major) + "." +
           std::to_string(info.capability_minor) + ", not 9.0";
  return false;
}
