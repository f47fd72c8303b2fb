# One command each. `run` and `test` need a Debian 12 machine with Swift 6.3 and nothing else: they install the
# Debian packages that are missing.

PACKAGES := libmicrohttpd-dev libsimdjson-dev libxxhash-dev zlib1g-dev libstdc++-12-dev pkg-config tzdata
FAST_PACKAGES := $(PACKAGES) gcc libc6-dev python3 python3-venv
TEST_PACKAGES := $(FAST_PACKAGES) haproxy node-typescript
CONTAINER_PACKAGES := buildah debootstrap python3 util-linux
BROWSER_PACKAGES := $(TEST_PACKAGES) chromium chromium-driver curl
LINT_PACKAGES := python3
BENCH_PACKAGES := $(PACKAGES) gcc libc6-dev python3 wrk
PEER_PACKAGES := $(BENCH_PACKAGES) golang-go
SOAK_PACKAGES := $(BENCH_PACKAGES) haproxy slowhttptest libjs-jquery-datatables libjs-jquery-datatables-extensions
BENCH_CHECK_PACKAGES := $(PACKAGES) binutils python3 valgrind
BENCH_SCALE_PACKAGES := $(BENCH_CHECK_PACKAGES) util-linux wrk

PORT ?= 8080
# How long `make soak` asks by the OpenAPI document, with the standard settings, and again with what is off by default.
OPENAPI_SECONDS ?= 300
BINARY := .build/release/cellfactory
STAGES := .build/release/cells-benchmark
# With Swift's library inside, as the image has it: calls of it are direct then.
BENCH_FOLDER := .build-bench
BENCH_BINARY := $(BENCH_FOLDER)/release/cellfactory
WEB_FOLDER := .build-python-web
# The example of `make example`, and where it listens.
NAME ?= orders
EXAMPLE_PORT ?= 8000
PROMETHEUS_FOLDER := .build-prometheus
SWIFT_FILES := Package.swift Sources Tests examples/hummingbird-orders/Package.swift examples/hummingbird-orders/Sources \
  Benchmarks/peers/hummingbird-mustache/Package.swift Benchmarks/peers/hummingbird-mustache/Sources

# Suites that `make test-fast` leaves out: those that take long, wait for deadlines, or talk to live servers.
SLOW_SUITES := Scaling|DiagnosticCode|LoadBudget|LoadCost|StyleText|LongValue|FormatEscaping|ArchiveMutation|\
ArchiveRoundTrip|WalkRobustness|EscaperReference|EscaperVariant|NibError|HTTPFormFields|Service(Document|Limit|Pause|Reuse)|RenderLimit|\
TemplateFolder|LogWriter|Complaints|SourceWatch|Live|Stream|Transport(Deadline|Overload|Memory|Prepared|Server|Stop)|\
Command(Archive|Browser|Check|Drain|Environment|Fault|Health|Log|Preview|Reload|Render|Scheme|Serve|Status|Stop|Types)
EMPTY :=
SLOW_SUITES := ($(subst |$(EMPTY) ,|,$(SLOW_SUITES)))Tests

# Tests that cannot be run here are skipped, and listed in this file; with CI=true or REQUIRE_ALL=1 they fail.
export SKIPPED := $(CURDIR)/.build-skipped

.PHONY: run test test-fast test-browser test-ci screenshots example test-container build bench bench-check bench-scale soak format lint clean \
  help packages fast-packages lint-packages test-packages prometheus browser-packages container-packages bench-packages soak-packages peer-packages \
  bench-check-packages bench-scale-packages

# Registers in a crash's backtrace would print the memory they point to, which holds rows.
run: build ## build a release, serve templates/ on PORT (8080), and show its cells at /
	exec env SWIFT_BACKTRACE=registers=none $(BINARY) preview templates --port $(PORT) --locales en-GB,de,ar-EG,ja

build: packages ## build the release, .build/release/cellfactory
	swift build -c release --product cellfactory

test: test-packages prometheus ## run the tests, but for those in a browser, of the image, and those that take minutes
	python3 Tests/steps.py test

test-fast: fast-packages ## build, and run the Swift tests that are quick, in parallel; under a minute after the build
	swift build --build-tests --disable-index-store
	@rm -f $(SKIPPED)
	Tests/run.sh --skip-build --skip '$(SLOW_SUITES)' --skip Linear
	@python3 Tests/skipping.py --told
	@echo "left out: suites named $(SLOW_SUITES), tests named Linear, and all tests that are not in Swift; make test runs them"

test-browser: browser-packages ## open pages in a browser: it runs no attack, and shows nibs as they are designed
	python3 Tests/steps.py browser

test-ci: test-packages browser-packages prometheus ## run both, as CI does
	python3 Tests/steps.py test browser

screenshots: browser-packages build ## pictures of the preview at three widths, light and dark, in .build-preview
	Tests/Properties/run.sh .build-python-preview Tests/Preview/preview.py --binary $(BINARY) --only pictures --output .build-preview

# Hummingbird renders in process: that example needs no server.
example: fast-packages $(if $(filter hummingbird,$(NAME)),,build) ## run an example, NAME=orders, htmx, turbo or hummingbird, on EXAMPLE_PORT (8000)
ifeq ($(NAME),hummingbird)
	cd examples/hummingbird-orders && PORT=$(EXAMPLE_PORT) swift run orders
else
	Tests/Properties/run.sh $(WEB_FOLDER) examples/run.py $(NAME) --binary $(BINARY) --port $(EXAMPLE_PORT)
endif

test-container: container-packages ## build the image, and run it as an engine would; some minutes, as root
	python3 Tests/Container/image.py

bench: peer-packages ## measure, beside a fixed-bytes reference, Hummingbird and Go
	swift build -c release --product cellfactory --static-swift-stdlib --scratch-path $(BENCH_FOLDER)
	python3 Benchmarks/load.py --binary $(BENCH_BINARY)
	swift run -c release cells-benchmark
	python3 Benchmarks/formats.py

bench-check: bench-check-packages build ## count allocations and instructions, and compare with what is recorded
	swift build -c release --product cells-benchmark
	$(STAGES) --check 5000
	python3 Tests/Allocations/allocations.py --release --binary $(BINARY) --stages $(STAGES)
	python3 Benchmarks/instructions.py --stages $(STAGES) --server $(BINARY)

bench-scale: bench-scale-packages build ## hold rows, kinds, idle connections and workers against their targets
	swift build -c release --product cells-benchmark
	python3 Benchmarks/scale.py --stages $(STAGES) --server $(BINARY)

soak: soak-packages browser-packages build ## what takes minutes: large requests, turns, memory, reloads, restarts, overload, slow clients, OpenAPI, the model of the language
	OPENAPI_SECONDS=$(OPENAPI_SECONDS) python3 Tests/steps.py soak $(BINARY)

format: ## format the sources
	swift format --in-place --parallel --recursive $(SWIFT_FILES)

lint: lint-packages ## check their format, and that folders depend one way
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)
	python3 Tools/layers/layers.py

clean: ## remove what was built
	rm -rf .build .build-* Benchmarks/peers/hummingbird-mustache/.build examples/hummingbird-orders/.build

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1	\2/p' $(MAKEFILE_LIST) | expand -t 16

packages:
	@$(call install,$(PACKAGES))

fast-packages:
	@$(call install,$(FAST_PACKAGES))

lint-packages:
	@$(call install,$(LINT_PACKAGES))

# HAProxy is for a test, not to serve this machine.
test-packages:
	@$(call install,$(TEST_PACKAGES)) || exit 1; case "$$missing " in *" haproxy "*) $$sudo systemctl disable --now --quiet haproxy 2>/dev/null || true;; esac

# Unpacked, not installed: that would start a service. Where it cannot be had, its test is skipped.
prometheus: test-packages
	-@command -v prometheus >/dev/null || test -x $(PROMETHEUS_FOLDER)/usr/bin/prometheus || { \
	  mkdir -p $(PROMETHEUS_FOLDER) && cd $(PROMETHEUS_FOLDER) && echo "fetching prometheus" && \
	  apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb; }

# Where no browser can be had, the tests in it are skipped.
browser-packages: test-packages
	-@$(call install,$(BROWSER_PACKAGES))

# Where buildah cannot be had, or this is not root, the test is skipped.
container-packages:
	-@$(call install,$(CONTAINER_PACKAGES))

bench-packages:
	@$(call install,$(BENCH_PACKAGES))

soak-packages:
	@$(call install,$(SOAK_PACKAGES))

# Where there is no Go, the table says so.
peer-packages: bench-packages
	-@$(call install,$(PEER_PACKAGES))

bench-check-packages:
	@$(call install,$(BENCH_CHECK_PACKAGES))

bench-scale-packages:
	@$(call install,$(BENCH_SCALE_PACKAGES))

# Installs those of the packages $(1) that are not there.
define install
missing=; \
for package in $(1); do \
  dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q '^install ok installed' || missing="$$missing $$package"; \
done; \
if [ -n "$$missing" ]; then \
  echo "installing$$missing"; \
  if [ "$$(id -u)" = 0 ]; then sudo=; elif command -v sudo >/dev/null; then sudo=sudo; else \
    echo "run this as root, or install sudo" >&2; exit 1; \
  fi; \
  $$sudo apt-get update -qq && \
  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; \
fi
endef
