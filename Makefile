# SPDX-License-Identifier: GPL-3.0-or-later
#
#   make            ./bandscape and libbandscape_trace.a (VARIANT=release|debug|san|tsan, CC=gcc|clang)
#   make MPI=1      the same program for mpirun (make deps MPI=1: with its packages)
#   make deps       install what is missing from the distribution's packages
#   make demo       profile, sweep and plot a design space of a 4-chip GPU
#   make check      tests, each once: programs with sanitizers, scripts with the release build
#   make check-long tests: clang and its sanitizers, thread sanitizer, valgrind, long properties
#   make bench      speeds, as ratios against a reference in the same run
#   make install    PREFIX=/usr/local (with NATIVE=PROGRAM where what is built runs elsewhere)
#   make pages      lists the pages, whose examples are tests
#
# Plug-ins: a file NAME.KIND.c under src/ or models/ is compiled in and entered
# in the generated registry; KINDS says in which header a kind is declared.

export LC_ALL := C
SHELL := /bin/sh
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

CC      := gcc
VARIANT ?= release
PREFIX  ?= /usr/local
BUILD   ?= .build/$(VARIANT)$(if $(filter clang,$(CC)),-clang)
# Further folders with plug-ins, outside the checkout if you like.
PLUGINS ?=

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wwrite-strings -Wpointer-arith -Wundef -Wvla -Wformat=2 -Wno-missing-field-initializers
ifneq ($(CI)$(WERROR),)
WARNINGS += -Werror
endif
# Lines for backtraces are all that most builds need of debugging; and what is instrumented compiles
# much faster with -Og, and runs as fast but for a few inner loops, which are simd.c (HOT).
OPTIMISE_release := -O2 -g1
OPTIMISE_debug   := -O0 -g3
OPTIMISE_san     := -Og -g1 -fPIC -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPTIMISE_tsan    := -Og -g1 -fPIC -fno-omit-frame-pointer -fsanitize=thread
HOT_release      := -O3
HOT_san          := -O1
HOT_tsan         := -O1
CFLAGS   += -std=c11 $(WARNINGS) $(OPTIMISE_$(VARIANT)) -ffp-contract=off -pthread
CPPFLAGS += -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Isrc -Imodels -I$(BUILD) \
            -DBANDSCAPE_DATA_DIRECTORY='"$(PREFIX)/share/bandscape"'
# Lines of the shell are edited where readline is there (8 or later: rl_check_signals).
READLINE := $(shell printf '\043include <stdio.h>\n\043include <readline/readline.h>\n\043if RL_READLINE_VERSION < 0x0800\n\043error\n\043endif\n' | \
              $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 && echo -lreadline)
# Compressed traces: xz always, gzip and zstd where their libraries are there.
has = $(shell printf '\043include <$(1)>\n' | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 && echo $(2))
GZIP := $(call has,zlib.h,-lz)
ZSTD := $(call has,zstd.h,-lzstd)
LDLIBS   += $(GZIP) $(ZSTD)
LDLIBS   += $(READLINE) -lgsl -lgslcblas -lyaml -llzma -lxxhash -lm -pthread

KINDS := command:cli/command.h reader:trace/reader.h workload:workload/workload.h \
         topology:machine/topology.h organisation:machine/organisation.h \
         placement:profile/homes/placement.h schedule:profile/issue/schedule.h sampler:profile/sampler.h \
         model:model/model.h cost:model/cost.h computation:model/computation.h \
         validation:validate/validation.h

# V=1 shows the commands.
ifeq ($(V),)
Q = @printf '  %-5s %s\n' "$(if $(findstring clang,$(CC)),CLANG,CC)" "$@";
endif

# --- sources ---------------------------------------------------------------

SOURCES  := $(sort $(shell find src models $(PLUGINS) -path src/tracer -prune -o -name '*.c' -print))
# NAME.simd.c is compiled for several instruction sets and chosen at start-up.
SIMD     := $(filter %.simd.c,$(SOURCES))
# NAME.mpi.c is linked by MPI=1, in place of what the library has of the same name.
PLAIN    := $(filter-out %.simd.c %.mpi.c src/cli/main.c,$(SOURCES))
ifeq ($(shell uname -m),x86_64)
LEVELS   := base v3 v4
else
LEVELS   := base
endif
FLAGS_base := -DSIMD_LEVEL=base
FLAGS_v3   := -DSIMD_LEVEL=v3 -march=x86-64-v3
FLAGS_v4   := -DSIMD_LEVEL=v4 -march=x86-64-v4 -mprefer-vector-width=512

# Those that take longest are begun first.
OBJECTS := $(foreach l,$(LEVELS),$(SIMD:%.c=$(BUILD)/%.$(l).o)) $(BUILD)/registry.o \
           $(PLAIN:%.c=$(BUILD)/%.o)
LIBRARY := $(BUILD)/libbandscape.a
BINARY  := $(BUILD)/bandscape
RANKED  := $(BUILD)/bandscape-mpi
MPICC   := OMPI_CC="$(CC)" MPICH_CC="$(CC)" mpicc
# With mpicc tests are of that program too: for a recipe, which may have installed it.
IF_MPI  := $$(command -v mpicc >/dev/null && echo $(RANKED))
TESTS   := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/unit/*.c)))
BENCHES := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/bench/bench_*.c)))

# The tracer is linked into users' programs: one build of it for all variants.
TRACER         := .build/tracer/libbandscape_trace.a
TRACER_OBJECTS := $(patsubst %.c,.build/tracer/%.o,$(sort $(wildcard src/tracer/*.c)))
TRACER_CFLAGS  := -std=c11 $(WARNINGS) -O2 -g -fPIE -pthread $(if $(filter x86_64,$(shell uname -m)),-mcx16)

.PHONY: all tracer deps deps-long demo check check-long check-variant check-heavy check-light bench \
        pages install uninstall clean format tidy FORCE
all: bandscape tracer

# One that runs goes on as it is.
bandscape: $(if $(MPI),$(RANKED),$(BINARY)) FORCE
	@cmp -s $< $@ || { cp $< $@.new && mv -f $@.new $@; }

$(BINARY): $(BUILD)/src/cli/main.o $(LIBRARY)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

# What the library has without MPI is not asked for when it is there already.
$(RANKED): $(BUILD)/src/cli/main.o $(patsubst %.c,$(BUILD)/%.o,$(filter %.mpi.c,$(SOURCES))) $(LIBRARY)
	$(Q)$(MPICC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(BUILD)/%.mpi.o: %.mpi.c
	@mkdir -p $(@D)
	$(Q)$(MPICC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(LIBRARY): $(OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

tracer: $(TRACER)

$(TRACER): $(TRACER_OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

.build/tracer/%.o: %.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(TRACER_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

define SIMD_RULE
$$(BUILD)/%.$(1).o: %.c
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CPPFLAGS) $$(CFLAGS) $$(HOT_$(VARIANT)) $$(FLAGS_$(1)) -MMD -MP -c $$< -o $$@
endef
$(foreach l,$(LEVELS),$(eval $(call SIMD_RULE,$(l))))

ifneq ($(READLINE),)
$(BUILD)/src/cli/shell/editing.o: CPPFLAGS += -DBANDSCAPE_READLINE
endif
$(BUILD)/src/trace/input/decoder.o $(BUILD)/src/trace/input/tracez.o: CPPFLAGS += $(if $(GZIP),-DBANDSCAPE_ZLIB) $(if $(ZSTD),-DBANDSCAPE_ZSTD)

# Rewritten only when it changes.
$(BUILD)/registry.c: FORCE
	@mkdir -p $(@D)
	@{ echo '/* Generated by the Makefile: the plug-ins found under src and models. */'; \
	   echo '#include "core/plugin.h"'; \
	   for kind in $(KINDS); do echo "#include \"$${kind#*:}\""; done; \
	   list=; \
	   for file in $(SOURCES); do \
	     base=$${file##*/}; name=$${base%%.*}; rest=$${base#*.}; kind=$${rest%.c}; \
	     case " $(KINDS) " in *" $$kind:"*) ;; *) continue;; esac; \
	     symbol=$${kind}_$$(echo "$$name" | tr - _); \
	     echo "extern const struct $$kind $$symbol;"; list="$$list $$symbol"; \
	   done; \
	   echo 'const struct plugin *const plugin_registry[] = {'; \
	   for symbol in $$list; do echo "    &$$symbol.plugin,"; done; \
	   echo '    NULL};'; } > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/registry.o: $(BUILD)/registry.c
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# --- tests -----------------------------------------------------------------

# What unit tests share is a library, with the main function of those that have none. Instrumented,
# it is linked once, with all that is tested: in each of the programs it would be 27 MB, and linking
# a third of what they cost.
SUPPORT_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/support/*.c)))
$(SUPPORT_OBJECTS): CPPFLAGS += -Itests
ifneq ($(filter san tsan,$(VARIANT)),)
TESTED     := $(BUILD)/libcheck.so
TEST_FLAGS := -Wl,-rpath,'$$ORIGIN/../..'
else
TESTED     := $(BUILD)/libcheck.a $(LIBRARY)
endif

$(BUILD)/libcheck.a: $(SUPPORT_OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

$(BUILD)/libcheck.so: $(SUPPORT_OBJECTS) $(OBJECTS)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared $^ $(LDLIBS) -lcmocka -o $@

# What is tested is optimised; tests themselves need not be, and compile in half the time.
$(TESTS): TEST_release := -Og
$(BUILD)/tests/%: tests/%.c $(TESTED)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(CFLAGS) $(TEST_$(VARIANT)) -MMD -MP $< $(filter %.o,$^) $(TESTED) $(TEST_FLAGS) $(LDFLAGS) $(LDLIBS) -lcmocka -o $@

# What it is held against is compiled as kernels are.
$(BUILD)/tests/bench/bench_sweep: $(foreach l,$(LEVELS),$(BUILD)/tests/bench/eab_loop.simd.$(l).o)

# As many compilers at once as there are processors, unless the caller says how many.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))

check-variant: $(BINARY) $(TESTS) tracer

# With sanitizers these take half of the time of all: make check runs them as they are released,
# make check-long with clang's sanitizers too.
HEAVY := $(patsubst %,$(BUILD)/tests/unit/test_%,$(shell cat tests/heavy))
check-heavy: $(HEAVY)
check-light: $(filter-out $(HEAVY),$(TESTS))

# Each test once: programs of tests/unit instrumented but for the heavy ones, scripts with the binary
# that people use. The other way round, and with the other compiler, they are part of check-long.
check:
	@$(MAKE) $(PARALLEL) --no-print-directory all check-heavy $(IF_MPI)
	@$(MAKE) $(PARALLEL) --no-print-directory VARIANT=san check-light
	@sh tests/run.sh .build/release:heavy .build/san:light .build/release:cli

check-long: deps-long
	@$(MAKE) $(PARALLEL) --no-print-directory all check-variant $(IF_MPI)
	@$(MAKE) $(PARALLEL) --no-print-directory CC=clang WERROR=1 check-variant
	@$(MAKE) $(PARALLEL) --no-print-directory CC=clang VARIANT=san check-variant
	@$(MAKE) $(PARALLEL) --no-print-directory VARIANT=tsan check-variant
	@sh tests/run.sh --long .build/release .build/release-clang:unit .build/tsan .build/san-clang

bench:
	@$(MAKE) $(PARALLEL) --no-print-directory $(BINARY) $(BENCHES)
	@for program in $(BENCHES); do $$program || exit 1; done

# --- everything else -------------------------------------------------------

PACKAGES_apt := gcc libc6-dev make libgsl-dev libyaml-dev liblzma-dev libxxhash-dev zlib1g-dev libzstd-dev libreadline-dev libcmocka-dev gnuplot-nox fonts-dejavu-core xz-utils zstd
PACKAGES_dnf := gcc make gsl-devel libyaml-devel xz-devel xxhash-devel zlib-devel libzstd-devel readline-devel libcmocka-devel gnuplot dejavu-sans-fonts xz zstd
PACKAGES_brew := gsl libyaml xz xxhash zlib zstd readline cmocka gnuplot
MPI_apt   := libopenmpi-dev openmpi-bin
MPI_dnf   := openmpi-devel
MPI_brew  := open-mpi
LONG_apt  := clang libomp-dev valgrind chromium $(MPI_apt)
LONG_dnf  := clang libomp-devel valgrind libtsan chromium $(MPI_dnf)
LONG_brew := $(MPI_brew)

deps:
	@PACKAGES_apt="$(PACKAGES_apt) $(if $(MPI),$(MPI_apt))" PACKAGES_dnf="$(PACKAGES_dnf) $(if $(MPI),$(MPI_dnf))" \
	 PACKAGES_brew="$(PACKAGES_brew) $(if $(MPI),$(MPI_brew))" sh tests/deps.sh

deps-long:
	@PACKAGES_apt="$(LONG_apt)" PACKAGES_dnf="$(LONG_dnf)" PACKAGES_brew="$(LONG_brew)" sh tests/deps.sh

demo:
	@$(MAKE) $(PARALLEL) --no-print-directory all
	@sh tests/demo.sh

# The pages, of which README.md is the first: tests run their examples and follow their links.
PAGES := README.md $(sort $(shell find models spaces src -name README.md))

pages:
	@printf '%s\n' $(PAGES)

# What helps, pages and messages name beside machines, spaces and workloads, under the same paths.
NAMED := $(PAGES) spaces/tutorial/bags.c src/trace/text_format.h src/trace/binary_format.h src/trace/local.h \
         plots/reference/sac-budget.png plots/reference/sac-links.svg results/reference/workloads.txt results/reference/workloads.csv results/reference/predictions.csv results/reference/errors.csv \
         tests/data/hand.profile.yaml tests/data/jacobi.yaml tests/data/lazowska.network.yaml \
         tests/data/matvec.c tests/data/tiny.btrace models/network/errors.awk

# Manual pages, pages of reference and completions are what the program says of itself. Where it is
# built for another system, NATIVE is a bandscape of the same sources that runs here.
NATIVE ?= $(BINARY)
COMMANDS := $(patsubst %.command.c,%,$(notdir $(filter %.command.c,$(SOURCES))))
FILES    := machine space workload profile network trace
WRITTEN := $(addprefix $(BUILD)/written/,man/man1/bandscape.1 \
             $(COMMANDS:%=man/man1/bandscape-%.1) $(FILES:%=man/man5/bandscape-%.5) \
             $(FILES:%=bandscape/reference/%.md) bash-completion/completions/bandscape \
             zsh/site-functions/_bandscape fish/vendor_completions.d/bandscape.fish)
WORDS_bandscape.1    := --man
WORDS_bandscape      := --completion bash
WORDS__bandscape     := --completion zsh
WORDS_bandscape.fish := --completion fish
$(foreach c,$(COMMANDS),$(eval WORDS_bandscape-$(c).1 := $(c) --man))
$(foreach f,$(FILES),$(eval WORDS_bandscape-$(f).5 := $(f)-files --man))
$(foreach f,$(FILES),$(eval WORDS_$(f).md := $(f)-files --markdown))

$(WRITTEN): $(BINARY)
	@mkdir -p $(@D)
	@$(NATIVE) help $(WORDS_$(@F)) > $@.new && mv -f $@.new $@

install: all $(WRITTEN)
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin lib include share/bandscape)
	install bandscape $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(TRACER) $(DESTDIR)$(PREFIX)/lib/
	install -m 644 src/tracer/bandscape_trace.h $(DESTDIR)$(PREFIX)/include/
	for file in $$(find models spaces -name '*.yaml' -o -path '*/silicon/*.csv' -o -path '*/silicon/*.cu*') $(NAMED); do \
	  install -D -m 644 $$file $(DESTDIR)$(PREFIX)/share/bandscape/$$file || exit 1; done
	for file in $(WRITTEN:$(BUILD)/written/%=%); do \
	  install -D -m 644 $(BUILD)/written/$$file $(DESTDIR)$(PREFIX)/share/$$file || exit 1; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/lib/$(notdir $(TRACER)) $(DESTDIR)$(PREFIX)/include/bandscape_trace.h
	rm -f $(WRITTEN:$(BUILD)/written/%=$(DESTDIR)$(PREFIX)/share/%)
	rm -rf $(DESTDIR)$(PREFIX)/bin/bandscape $(DESTDIR)$(PREFIX)/share/bandscape

clean:
	rm -rf .build bandscape

format:
	clang-format -i $$(find src models tests -name '*.[ch]')

tidy:
	clang-tidy $(PLAIN) -- $(CPPFLAGS) -std=c11
	cppcheck --enable=warning,performance,portability --error-exitcode=1 --inline-suppr -q $(CPPFLAGS) src models

-include $(shell find $(BUILD) .build/tracer -type f -name '*.d' 2>/dev/null)
