# Thin over CMake. On a bare Debian 12, `make demo` and `make test` alone do everything they need.
.PHONY: help setup build install deb image test demo wheel docs theory numbers pictures bench soak kafka kafka-stop lint format release-check clean
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
PYTHON ?= python3
PREFIX ?= /usr/local
program := build/release/tarry

help:
	@echo "make demo    build the program, and see what late labels do to four learners"
	@echo "make test    build, and run every test (also under the address sanitizer)"
	@echo "make build   build the program: $(program)"
	@echo "make install PREFIX=/usr/local   put the program, its systemd unit and its documents there; DESTDIR= before it"
	@echo "make deb     build a Debian package of the program and the service, in dist/"
	@echo "make image   build a container image of the program, in dist/"
	@echo "make wheel   build the Python package for PYTHON ($(PYTHON)): one wheel and the sdist in dist/"
	@echo "make docs    build the documentation, with examples and reference, into build/site"
	@echo "make theory  docs/theory.md as a PDF, in build/theory.pdf"
	@echo "make bench   measure against rivals and physical limits"
	@echo "make numbers rewrite the output of commands that the documents show"
	@echo "make pictures retake the pictures of reports and dashboard, for the documents and in build/pictures"
	@echo "make soak    the long counts: conformance, climbs, fuzzing, losses of power, mutants of the store, thread sanitizer, Python under asan"
	@echo "make kafka   a Kafka broker on this machine, for trials (NODES=3: three of them); make kafka-stop ends it"
	@echo "make lint    check the format and the layers;  make format repairs the format"
	@echo "make release-check   tick off the release's checklist: versions, fixtures, and all of the above from a clean checkout"
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

install: build
	deploy/install $(program) "$(DESTDIR)" "$(PREFIX)"

deb: build
	deploy/build_deb $(program) dist

image: build packages-image
	deploy/build_image $(program) dist

# The wheel is built and tested by a test of the release build.
test: packages-python packages-kafka packages-image build-release build-asan
	@tests/run_tests -j $(JOBS) release asan

demo: build
	$(program) run examples/demo.toml --terminal --out build/demo

wheel: packages-program packages-python
	cmake/build_wheel $(PYTHON)

docs: build packages-docs
	@[ -x build/docs-venv/bin/pip ] || $(PYTHON) -m venv build/docs-venv
	@build/docs-venv/bin/pip install --quiet --disable-pip-version-check -r docs/requirements.txt
	@build/docs-venv/bin/python -B docs/site/build.py $(program)

theory: packages-theory
	@mkdir -p build
	@pandoc docs/theory.md --from markdown-fancy_lists-definition_lists-subscript-superscript --pdf-engine xelatex -V mainfont="DejaVu Sans" -V monofont="DejaVu Sans Mono" -V monofontoptions=Scale=0.85 -V fontsize=10pt -V geometry:margin=2.2cm -o build/theory.pdf
	@echo "Open build/theory.pdf"

pictures: build packages-tests packages-pictures
	$(PYTHON) -B docs/site/pictures.py $(program)

numbers: build
	$(PYTHON) -B tests/e2e/shown.py --update

bench: packages-program packages-tests packages-python packages-bench packages-kafka
	bench/run

soak: packages-python packages-kafka packages-image build-release build-asan build-tsan build-apart
	TARRY_SOAK=1 ctest --preset release -j $(JOBS)
	$(program) verify --climb 10000 --out build/broken-promises
	TARRY_SOAK=1 ctest --preset asan -j $(JOBS)
	ctest --preset tsan -j $(JOBS)
	tests/store/mutants
	tests/python/run_sanitized || [ $$? = 77 ]

NODES ?= 1
kafka: packages-kafka
	@deploy/kafka/broker start --nodes $(NODES)

kafka-stop:
	@deploy/kafka/broker stop

lint: packages-tests
	tests/layers/check_format
	tests/layers/check_layers
	tests/layers/check_names

format: packages-tests
	git ls-files -co --exclude-standard '*.h' '*.cpp' '*.js' | xargs clang-format-16 -i

release-check: packages-tests
	deploy/release_check

clean:
	rm -rf build dist
