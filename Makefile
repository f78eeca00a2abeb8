# Thin over CMake. On a bare Debian 12, `make demo` and `make test` alone do everything they need.
.PHONY: help setup build test demo wheel bench soak kafka kafka-stop lint format clean
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
PYTHON ?= python3
program := build/release/tarry

help:
	@echo "make demo    build the program, run a first experiment, draw its curve and write its report"
	@echo "make test    build, and run every test (also under the address sanitizer)"
	@echo "make build   build the program: $(program)"
	@echo "make wheel   build the Python package for PYTHON ($(PYTHON)): one wheel and the sdist in dist/"
	@echo "make bench   measure against rivals and physical limits"
	@echo "make soak    the long counts: conformance, climbs, fuzzing, losses of power, mutants of the store, thread sanitizer"
	@echo "make kafka   a Kafka broker on this machine, for trials (NODES=3: three of them); make kafka-stop ends it"
	@echo "make lint    check the format and the layers;  make format repairs the format"
	@echo "make setup   install the Debian packages of cmake/packages.txt, all of them"

setup:
	@cmake/setup.sh

# packages-SECTION: those of one section of cmake/packages.txt.
packages-%:
	@cmake/setup.sh $*

configure-%: packages-program packages-tests
	@mkdir -p build
	@cmake --preset $* >build/$*.log 2>&1 || { cat build/$*.log; exit 1; }

build-%: configure-%
	cmake --build --preset $* -j $(JOBS)

# The program alone: what only tests need is neither installed nor built, nor thrown away where it is there.
build: packages-program
	@mkdir -p build
	@[ -f build/release/build.ninja ] || cmake --preset program >build/program.log 2>&1 || { cat build/program.log; exit 1; }
	@echo "Building $(program)"
	@cmake --build build/release --target tarry_program -j $(JOBS)

# The wheel is built and tested by a test of the release build.
test: packages-python build-release build-asan
	@tests/run_tests -j $(JOBS) release asan

demo: build
	$(program) run examples/quickstart.toml --terminal --out build/demo

wheel: packages-program packages-python
	cmake/build_wheel $(PYTHON)

bench: setup
	bench/run

soak: setup build-release build-asan build-tsan
	TARRY_SOAK=1 ctest --preset release -j $(JOBS)
	$(program) verify --climb 10000 --out build/broken-promises
	TARRY_SOAK=1 ctest --preset asan -j $(JOBS)
	ctest --preset tsan -j $(JOBS)
	tests/store/mutants

NODES ?= 1
kafka: packages-kafka
	@deploy/kafka/broker start --nodes $(NODES)

kafka-stop:
	@deploy/kafka/broker stop

lint: packages-tests
	tests/layers/check_format
	tests/layers/check_layers

format: packages-tests
	git ls-files -co --exclude-standard '*.h' '*.cpp' '*.js' | xargs clang-format-16 -i

clean:
	rm -rf build dist
