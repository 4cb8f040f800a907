# Needs Python 3.11 or newer and make; everything else comes into $(VENV).
PYTHON ?= python3
VENV ?= .venv

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
UV_VERSION := 0.13.7
WEB := web
NPM := VENV=$(abspath $(VENV)) tools/npm
PAGE := src/tichu/server/static/index.html
CPP := $(shell find native training -name '*.[ch]pp' -o -name '*.cu')

.PHONY: help install play page test check format docs bench sizes browsers load cluster siege fuzz crash lockstep \
	sanitize device learn examples lock build wheels clean
.DEFAULT_GOAL := help

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

install: $(VENV)/run.stamp $(VENV)/native.stamp page  ## install what is needed to play

play: $(VENV)/run.stamp page  ## play against bots in the browser (LAN=1: with others in the network)
	@$(BIN)/tichu play $(if $(LAN),--lan)

page: $(PAGE)  ## build the page that the server shows

# Two processes more than there are processors: tests of servers and browsers wait for much of their time.
test: $(VENV)/dev.stamp $(VENV)/native.stamp page  ## run all tests and require full coverage of the core
	$(NPM) test --silent
	$(BIN)/pytest -n $$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 2)') --dist worksteal --cov

check: $(VENV)/dev.stamp $(WEB)/node_modules/.package-lock.json  ## lint, formatting, types, layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.check_lengths
	$(BIN)/python -m tichu.server.wire.codegen --check
	$(BIN)/clang-format --dry-run -Werror $(CPP)
	@if command -v $(firstword $(CXX)) >/dev/null; then echo 'compiling the native driver'; $(DRIVER) -fsyntax-only; fi
	$(NPM) run check --silent

format: $(VENV)/dev.stamp $(WEB)/node_modules/.package-lock.json  ## repair what can be repaired without thought
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(CPP)
	$(NPM) run format --silent

docs: requirements/docs.txt  ## make the documentation site in build/docs/site
	$(PYTHON) -m venv $(VENV)-docs
	$(VENV)-docs/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes -r $<
	$(VENV)-docs/bin/python -m tools.site

bench: $(VENV)/run.stamp $(VENV)/native.stamp  ## measure the speed of the core
	@$(BIN)/tichu bench

sizes: $(VENV)/dev.stamp page  ## walk through the game on all screens in all languages (SIZES="--size 700x420")
	$(BIN)/python -m tests.web.sizes $(or $(SIZES),--all)

browsers: $(VENV)/dev.stamp page  ## walk on three screens in Firefox and WebKit (firefox-esr, webkit2gtk-driver, xvfb)
	$(BIN)/python -m tests.web.other_browsers

load: $(VENV)/run.stamp  ## measure a server with 1,000 tables and 4,000 sockets
	$(BIN)/python -m bench.load

cluster: $(VENV)/dev.stamp  ## run three nodes with PostgreSQL and nginx: load, faults, deploys (CLUSTER="--short")
	$(BIN)/python -m bench.cluster $(CLUSTER)

siege: $(VENV)/dev.stamp  ## besiege a server with 200 honest tables for an hour (SIEGE="--minutes 5")
	$(BIN)/python -m bench.siege $(SIEGE)

crash: $(VENV)/dev.stamp  ## play a match and kill the server after everything that happens
	$(BIN)/python -m tests.server.crash

FRAMES ?= 1000000

fuzz: $(VENV)/dev.stamp  ## say FRAMES mutated things to a server and see that it answers
	$(BIN)/python -m bench.fuzz --frames $(FRAMES)

ROUNDS ?= 100000

lockstep: $(VENV)/dev.stamp $(VENV)/native.stamp  ## play ROUNDS random rounds in both cores at once
	$(BIN)/python -m tests.kernel.lockstep --rounds $(ROUNDS)

DRIVER := $(CXX) -std=c++20 -Wall -Wextra -Werror -pthread -I native -I native/include native/tests/driver.cpp

sanitize:  ## run the native core under the address and undefined-behaviour sanitizers
	mkdir -p build/native
	$(DRIVER) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -o build/native/driver-sanitized
	build/native/driver-sanitized test 10000

NVCC ?= nvcc

device:  ## compile the native core for a GPU (docs/native.md says how to compare it with the CPU)
	mkdir -p build/native
	$(DRIVER) -O3 -o build/native/driver
	$(NVCC) -std=c++20 -O3 -arch=sm_90 -I native/include -o build/native/device native/tests/device.cu

# So many decisions take two minutes of two idle cores; a busy machine takes longer and learns the same.
DECISIONS ?= 100000

learn: $(VENV)/run.stamp  ## train a tiny network on the CPU and see it improve on chance (needs torch)
	rm -rf build/training/learn
	$(BIN)/python -m training.train --device cpu --seconds 1800 --decisions $(DECISIONS) --evaluation-interval 1800 \
		--evaluation-deals 512 --minibatch 512 --learning-rate 0.002 --must-improve --out build/training/learn

examples: $(VENV)/dev.stamp $(VENV)/native.stamp  ## run the examples whole (QUICK=1: 20 s each; needs torch and others)
	$(BIN)/python -m tools.examples $(if $(QUICK),--quick)

build: $(VENV)/dev.stamp page  ## build the source archive and, from it, the wheel into dist/
	rm -rf dist
	TICHU_PAGE=required $(BIN)/python -m build --no-isolation

wheels: build  ## build wheels of the native core for this machine, and try them on every Python at hand
	$(BIN)/python -m tools.wheels

# Pins that still fit are kept; UPGRADE=1 takes the newest of everything.
# run.txt comes first because the others must agree with it; image.txt has what a server needs and no tools.
# Extras are pinned by name: older pips look past a pin without them to whatever is newest, whose hash is unknown.
COMPILE = $(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-strip-extras $(if $(UPGRADE),--upgrade) $(1) --output-file requirements/$(2).txt
LOCK = $(call COMPILE,requirements/$(1).in,$(1))

lock:  ## renew the pinned requirements (UPGRADE=1: to the newest versions)
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip --quiet --disable-pip-version-check install uv==$(UV_VERSION)
	$(call LOCK,run)
	$(call COMPILE,pyproject.toml --extra postgres --extra site -c requirements/run.txt,image)
	$(call LOCK,dev)
	$(call LOCK,docs)
	$(call LOCK,node)
	$(call LOCK,wheels)
	rm -rf $(VENV)-lock

clean:  ## remove everything that make made
	rm -rf $(VENV) $(VENV)-docs $(VENV)-lock build dist .coverage .coverage.* .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache $(WEB)/node_modules $(dir $(PAGE))
	find src tests -name __pycache__ -prune -exec rm -rf {} +

# A stamp is touched last, so that an install cut short is taken up again.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tichu needs Python 3.11+: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements/run.txt pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r requirements/run.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# Without a compiler nothing is built, and everything works with the Python kernel.
NATIVE := $(shell find native -type f -not -path '*/tests/*' -not -path '*/__pycache__/*')

$(VENV)/native.stamp: $(NATIVE) | $(VENV)/run.stamp
	@if command -v $(firstword $(CXX)) >/dev/null; then \
		echo 'building the native core'; $(PIP) install --no-deps --no-build-isolation ./native && touch $@; \
	else \
		echo 'no C++ compiler: tichu works without its native core, only slower'; \
	fi

# npm writes this file last.
$(WEB)/node_modules/.package-lock.json: $(WEB)/package.json $(WEB)/package-lock.json | $(VENV)/run.stamp
	@$(NPM) ci --silent
	@touch $@

$(PAGE): $(shell find $(WEB)/src $(WEB)/public -type f) $(wildcard $(WEB)/*.html $(WEB)/*.ts $(WEB)/*.js) \
		$(WEB)/node_modules/.package-lock.json
	@$(NPM) run build --silent -- --logLevel warn

$(VENV)/dev.stamp: requirements/dev.txt | $(VENV)/run.stamp
	$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@
