# onus: `make demo` shows it, `make check` tests it. Everything that is built goes to build/.
#
# CC, CFLAGS, CPPFLAGS and LDFLAGS belong to the user; what the code needs is in the REQUIRED_* variables.
# SANITIZE=address,undefined (or thread) builds a second tree, build/address-undefined, which has its own
# build/ folder and links to cases/ and fixtures/, so that the same suite runs there unchanged.

CFLAGS ?= -O2 -g
comma := ,
ifdef SANITIZE
TREE := build/$(subst $(comma),-,$(SANITIZE))
SANITIZE_FLAGS := -fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all
else
TREE := .
endif
O := $(patsubst ./%,%,$(TREE)/build)

PACKAGES := libcurl openssl libcjson zlib libbrotlidec libzstd libpcre2-8 libxxhash
# Asked once; what is not installed yet is told by the compiler.
PACKAGES_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
PACKAGES_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lm
CHECK_LIBS := $(shell pkg-config --libs check 2>/dev/null)
REQUIRED_CPPFLAGS = -D_GNU_SOURCE -MMD -MP
REQUIRED_CFLAGS = -std=c11 -pthread -Wall -Wextra -Wvla -Wmissing-prototypes -Wshadow -Werror $(SANITIZE_FLAGS)
# What is built by itself uses all cores, unless make was told how many.
JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
# One line a file; V=1 shows the commands.
Q := $(if $(V),,@)
SAY = @$(if $(V),:,echo) '  $(1)'

COMPILE = $(CC) $(REQUIRED_CPPFLAGS) $(CPPFLAGS) $(REQUIRED_CFLAGS) $(CFLAGS)
LINK = $(CC) -pthread $(SANITIZE_FLAGS) $(CFLAGS) $(LDFLAGS)

HARNESS := $(filter-out %_test.c %_fuzz.c,$(wildcard harness/*.c harness/*/*.c))
TESTS := $(wildcard harness/*/*_test.c)
FUZZERS := $(wildcard harness/*/*_fuzz.c)
GATEWAY := $(filter-out %_test.c,$(wildcard fixtures/gateway/*.c))
GATEWAY_TESTS := $(wildcard fixtures/gateway/*_test.c)
GATEWAY_PACKAGES := libevent libcurl libcjson zlib sqlite3
SCRIPT := $(wildcard fixtures/script/*.c)
UPSTREAM := $(wildcard fixtures/upstream/*.c)
UPSTREAM_PACKAGES := libevent libevent_openssl openssl libcjson zlib

# A binary takes from it what it uses: so tests are linked in a moment.
LIBRARY := $(O)/obj/libonus.a
TEST_BINARIES := $(TESTS:%.c=$(O)/tests/%) $(GATEWAY_TESTS:%.c=$(O)/tests/%)
PROGRAMS := $(O)/onus $(O)/gateway $(O)/script $(O)/upstream
GALLERY := $(O)/gallery.db
# What measures itself where its argument is `bench`, or always.
BENCH_TESTS := sse/sse_test openapi/compare_large_test stats/hist_test sut/sample_test

FUZZ_SECONDS ?= 60
PYTHON ?= /usr/bin/python3

.PHONY: all programs tests deps lint-deps demo check units suite prove pytest sanitized e2e lint bench fuzz format golden clean
.DELETE_ON_ERROR:
.SECONDARY:

all: programs
programs: $(PROGRAMS) $(GALLERY)
tests: $(TEST_BINARIES)

$(O)/obj/harness/%.o: CPPFLAGS += -Iharness $(PACKAGES_CFLAGS)
$(O)/obj/fixtures/upstream/%.o: CPPFLAGS += $(shell pkg-config --cflags $(UPSTREAM_PACKAGES) 2>/dev/null)
$(O)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,CC    $<)
	$(Q)$(COMPILE) -c -o $@ $<

$(LIBRARY): $(filter-out $(O)/obj/harness/main.o,$(HARNESS:%.c=$(O)/obj/%.o))
	$(call SAY,AR    $@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(O)/onus: $(O)/obj/harness/main.o $(LIBRARY)
	$(call SAY,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(PACKAGES_LIBS)
$(O)/tests/harness/%: $(O)/obj/harness/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(CHECK_LIBS) $(PACKAGES_LIBS)
$(O)/gateway: $(GATEWAY:%.c=$(O)/obj/%.o)
	$(call SAY,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(shell pkg-config --libs $(GATEWAY_PACKAGES))
$(O)/tests/fixtures/gateway/%: $(O)/obj/fixtures/gateway/%.o $(filter-out %/main.o,$(GATEWAY:%.c=$(O)/obj/%.o))
	@mkdir -p $(@D)
	$(call SAY,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(shell pkg-config --libs $(GATEWAY_PACKAGES) check)
$(O)/script: $(SCRIPT:%.c=$(O)/obj/%.o)
	$(call SAY,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(shell pkg-config --libs libcjson zlib)
$(O)/upstream: $(UPSTREAM:%.c=$(O)/obj/%.o)
	$(call SAY,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(shell pkg-config --libs $(UPSTREAM_PACKAGES))

# The gallery of the reference gateway: 200,000 items from a seed, some 120 MB, made once for all trees.
build/gallery.db: fixtures/gateway/gallery_db.py
	@mkdir -p $(@D)
	$(call SAY,MAKE  $@)
	$(Q)$(PYTHON) $< $@

# The second tree of SANITIZE sees the same cases and fixtures.
ifneq ($(TREE),.)
programs: | $(TREE)/cases $(TREE)/fixtures
$(TREE)/cases $(TREE)/fixtures:
	@mkdir -p $(@D)
	@ln -sfn ../../$(@F) $@
$(GALLERY): | build/gallery.db
	@mkdir -p $(@D)
	@ln -sfn ../../gallery.db $@
endif

deps:
	@ci/deps
lint-deps:
	@ci/deps --lint

# Set-up changes what pkg-config finds, so that what comes behind it is a make of its own.
demo: deps
	@$(MAKE) --no-print-directory $(JOBS) programs
	@ci/demo
# One after the other, also under -j: what is measured wants the machine to itself.
check: deps
	@$(MAKE) --no-print-directory $(JOBS) programs tests
	@for part in units suite prove pytest sanitized; do $(MAKE) --no-print-directory $$part || exit; done
	@echo "check: everything holds"

units: tests
	@ci/units $(TEST_BINARIES)
suite: programs
	cd $(TREE) && build/onus run $(SUITE_OPTIONS)
prove: programs
	build/onus prove
pytest: programs
	$(PYTHON) -m pytest -q -p no:cacheprovider cases/cli fixtures ci

# Units and suite once more where memory errors can't hide. What is judged by the clock would judge the sanitizer.
sanitized: export SANITIZE = address,undefined
sanitized:
	@$(MAKE) --no-print-directory $(JOBS) programs tests
	@$(MAKE) --no-print-directory units
	@$(MAKE) --no-print-directory suite SUITE_OPTIONS="--skip-tag time"

# Needs a Docker engine, or a pipeline's machine that may install one; nothing of check depends on it.
e2e:
	@ci/e2e $(E2E_OPTIONS)

lint: lint-deps
	@ci/lint
bench: deps
	-@ci/deps --bench
	@$(MAKE) --no-print-directory $(JOBS) programs $(BENCH_TESTS:%=$(O)/tests/harness/%)
	@ci/bench
golden: tests
	GOLDEN_WRITE=1 $(O)/tests/harness/report/report_test
	GOLDEN_WRITE=1 $(O)/tests/harness/cli/load_report_test
	git --no-pager diff --stat -- harness/report/golden harness/cli/golden
format: lint-deps
	clang-format -i $$(git ls-files '*.c' '*.h')
clean:
	rm -rf build

# Every parser of outside bytes, FUZZ_SECONDS each from its corpus; what breaks one is left in build/fuzz/found.
FUZZ_BINARIES := $(FUZZERS:%.c=build/fuzz/bin/%)
FUZZ_LIBRARY := build/fuzz/obj/libonus.a
FUZZ_COMPILE = clang $(REQUIRED_CPPFLAGS) $(CPPFLAGS) -std=c11 -pthread -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
build/fuzz/obj/%.o: CPPFLAGS += -Iharness $(PACKAGES_CFLAGS)
build/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,FUZZ  $<)
	$(Q)$(FUZZ_COMPILE) -c -o $@ $<
$(FUZZ_LIBRARY): $(filter-out build/fuzz/obj/harness/main.o,$(HARNESS:%.c=build/fuzz/obj/%.o))
	$(call SAY,AR    $@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
build/fuzz/bin/%: build/fuzz/obj/%.o $(FUZZ_LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,LINK  $@)
	$(Q)clang -fsanitize=fuzzer,address,undefined -pthread -o $@ $^ $(PACKAGES_LIBS)
.PHONY: fuzz-binaries
fuzz-binaries: $(FUZZ_BINARIES)
fuzz: lint-deps
	@$(MAKE) --no-print-directory $(JOBS) fuzz-binaries
	@ci/fuzz $(FUZZ_SECONDS) $(FUZZ_BINARIES)

-include $(shell find build/fuzz/obj $(O)/obj -name '*.d' 2>/dev/null)
