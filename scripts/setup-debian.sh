#!/usr/bin/env bash
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what heddle's build needs and this machine lacks. Debian 12 has all of
# it (LLVM 22 comes from bookworm-security); Ubuntu 24.04 needs apt.llvm.org's
# noble-22 suite for the LLVM packages. Quiet and quick when nothing is missing.
# `setup-debian.sh asan` installs the sanitizers' runtime, too.
set -euo pipefail

packages=(
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 clang-format-22 lld-22
  ccache cmake ninja-build libzstd-dev zlib1g-dev libgtest-dev
  libbenchmark-dev libeigen3-dev python3 python3-venv make git z3 cvc5
)
if [ "${1:-release}" = asan ]; then packages+=(libclang-rt-22-dev); fi

give_up() {
  printf 'heddle set-up: %s\n' "$1" >&2
  printf 'heddle needs these Debian packages: %s\n' "${packages[*]}" >&2
  exit 1
}

if ! command -v dpkg-query >/dev/null; then
  [ -x /usr/lib/llvm-22/bin/mlir-tblgen ] && exit 0
  give_up "this is not a Debian or Ubuntu system; install their equivalents by hand."
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null ||
    give_up "missing ${missing[*]}; run as root, or install sudo."
  as_root=(sudo)
fi

echo "heddle set-up: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq || echo "heddle set-up: apt-get update failed; trying with the lists at hand" >&2
for package in "${missing[@]}"; do
  apt-cache show "$package" >/dev/null 2>&1 ||
    give_up "apt knows no package $package. On Debian 12 enable bookworm-security; on Ubuntu 24.04 add apt.llvm.org (noble-22)."
done
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
  give_up "apt-get could not install ${missing[*]}."
