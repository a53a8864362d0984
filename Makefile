# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The two commands for a fresh Debian 12 are `make demo` and `make test`: each
# installs what is missing, builds, and runs. Developers use CMake's presets.

PRESET ?= release
BUILD_release := build
BUILD_debug := build-debug
BUILD_asan := build-asan
BUILD := $(BUILD_$(PRESET))
JOBS ?= $(shell nproc)

.PHONY: demo test test-fast trust fuzz adversary edits fuzz-text build build-demo configure setup format check-structure clean help

help:
	@echo "make demo             compile the examples, run them, check them"
	@echo "make test             every test that needs no GPU"
	@echo "make test-fast        those that run no whole kernels, in two minutes after the build"
	@echo "make trust            break every example everywhere: who notices (resumable)"
	@echo "make fuzz             PROGRAMS random programs against the oracle, from SEED on"
	@echo "make adversary        PROGRAMS random hopper kernels against the checker, from SEED on"
	@echo "make edits            EDITS of each program's texts, as by hand, from SEED on: every command"
	@echo "make fuzz-text        libFuzzer on every reader and the command line, each for MINUTES"
	@echo "make build            build everything into $(BUILD)/"
	@echo "make format           clang-format the C++ sources"
	@echo "make check-structure  include directions, sizes, names, licence, messages"
	@echo "PRESET=release|debug|asan chooses the build, JOBS=N the parallelism."

demo: build-demo
	@python3 scripts/run_demo.py --build $(BUILD)

test: build
	@python3 scripts/run_tests.py --build $(BUILD) --jobs $(JOBS)

test-fast: build
	@python3 scripts/run_tests.py --build $(BUILD) --jobs $(JOBS) --fast

# docs/trust-mutants.md; what is done is kept in $(BUILD)/trust.
SEEDS ?= 6
trust: build
	@python3 scripts/trust.py --build $(BUILD) --jobs $(JOBS) --seeds $(SEEDS)
	@python3 scripts/trust_undamaged.py --build $(BUILD) --jobs $(JOBS)

# The nightly campaigns; docs/fuzzing.md.
SEED ?= 1
PROGRAMS ?= 2000
MINUTES ?= 20

fuzz: build
	@$(BUILD)/bin/heddle-fuzz run --first=$(SEED) --count=$(PROGRAMS) --schedules=2

adversary: build
	@$(BUILD)/bin/heddle-adversary run --first=$(SEED) --count=$(PROGRAMS) --jobs=$(JOBS)

EDITS ?= 200
edits: build
	@python3 fuzz/edits.py --tools $(BUILD)/bin --edits $(EDITS) --seed $(SEED) --jobs $(JOBS) --keep $(BUILD)/edits

fuzz-text: build
	@$(MAKE) --no-print-directory configure PRESET=asan
	@cmake --build build-asan --parallel $(JOBS) --target fuzzers
	@python3 fuzz/corpus.py --tools $(BUILD)/bin build-asan/corpus
	@python3 fuzz/run.py --fuzzers build-asan/bin/heddle-fuzzers --corpus build-asan/corpus \
		--minutes $(MINUTES) --jobs $(JOBS)

setup:
	@scripts/setup-debian.sh $(PRESET)

configure: setup
	@mkdir -p $(BUILD)
	@cmake --preset $(PRESET) >$(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }

build: configure
	@cmake --build $(BUILD) --parallel $(JOBS)

build-demo: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target heddle

format: setup
	@git ls-files '*.cpp' '*.h' | xargs /usr/lib/llvm-22/bin/clang-format -i

check-structure:
	@python3 scripts/check_structure.py
	@python3 scripts/check_diagnostics.py

clean:
	@cmake -E rm -rf $(BUILD)
