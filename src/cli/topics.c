/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/topics.h"

#include <stddef.h>

const char topics_about[] =
    "Bandscape predicts the effective bandwidth that the memory system of a multi-chip GPU\n"
    "delivers to a workload, says what limits it, and searches design spaces for better ones. A\n"
    "workload is profiled once, from a trace or a built-in kernel; closed-form models then\n"
    "evaluate up to 10^8 configurations a second.\n\n"
    "Results go to standard output, messages and progress to standard error. Numbers are read\n"
    "with their units (768 GB/s, 4 MiB, 120 cycles; GB is 10^9, GiB is 2^30) and written to files\n"
    "in SI.";

static const struct topic_entry exit_status[] = {
    {"0", "Done."},
    {"1", "Failed; the message says why."},
    {"2", "Wrong usage or input."},
    {"130", "Interrupted."},
    {NULL, NULL},
};

static const struct topic_entry files[] = {
    {"models/*/*.yaml, spaces/*.yaml, spaces/workloads/*.yaml",
     "Shipped machines, spaces and workloads, beside the program or under $PREFIX/share/bandscape; "
     "so are other files that helps and messages name, such as models/sac/README.md and "
     "spaces/workloads/README.md."},
    {"~/.cache/bandscape",
     "Finished profile views, simulations of validate, and what was found missing in traces, by "
     "content hash, with checksums: damaged ones are made anew. It may be deleted at any time."},
    {"~/.local/state/bandscape/history",
     "Lines typed into the shell, the last thousand. It may be edited, or deleted at any time."},
    {".bandscape-*.partial",
     "Files on their way, beside the place where they will stand. Those of killed programs are "
     "removed when the next one writes into that folder."},
    {"$PREFIX/include/bandscape_trace.h, $PREFIX/lib/libbandscape_trace.a",
     "For programs that trace themselves."},
    {NULL, NULL},
};

static const struct topic_entry values[] = {
    {"192GB/s, 120 cycles, sm-side", "A number with its unit, or a name."},
    {"*2, x1/4, /2, +10%, -10%, +32GB/s",
     "Of the value that the machine has: a factor, a share, a difference (of counts +1, -1)."},
    {"+-20%", "That much less, as it is, that much more."},
    {"48,96,192GB/s", "Several, side by side in whatif and compare; a number without a unit has "
                      "that of the next one that has one."},
    {"48..192GB/s, x0.5..x4",
     "Doubled from the first on, and the last. Of whole numbers each, where there are at most "
     "nine."},
    {"48..192GB/s:4", "So many, evenly spread; in the logarithm beyond a factor of four."},
    {NULL, NULL},
};

static const struct topic_entry environment[] = {
    {"BANDSCAPE_CACHE",
     "Folder of the cache of views, instead of bandscape in XDG_CACHE_HOME or in ~/.cache."},
    {"XDG_STATE_HOME",
     "Folder where bandscape/history is kept, instead of ~/.local/state. Where it cannot be "
     "written, lines are kept as long as the shell runs."},
    {"OMPI_COMM_WORLD_SIZE, PMI_SIZE, SLURM_STEP_NUM_TASKS, PMIX_RANK",
     "Set by what starts programs together (mpirun, srun): a sweep is then by ranks, or refused "
     "where "
     "the program was built without MPI."},
    {"NO_COLOR", "If it is not empty: no colours, also on a terminal."},
    {"COLUMNS",
     "If it is a number: how wide tables on a terminal are, instead of as wide as it is."},
    {"PAGER",
     "What shows tables and explanations that are longer than the terminal, where standard "
     "input is one, too (default: less, with LESS=FRX unless LESS is set). Empty or cat, "
     "and --no-pager with any command: nothing does."},
    {"TERM", "If it is unset or dumb: no colours, and no line of progress that is written over."},
    {"LC_ALL, LC_CTYPE, LANG",
     "What they name decides whether tables on a terminal may have other characters than ASCII."},
    {"TMPDIR", "Where what a trace does not fit in memory of is put, and sweeps of the shell "
               "without -o, while it runs (default: /tmp)."},
    {"BANDSCAPE_TRACE_FILE",
     "Read by programs that trace themselves: where the trace goes (default: PROGRAM.bstream)."},
    {"BANDSCAPE_TRACE_LIMIT", "Likewise: how many loads and stores are kept at most."},
    {"BANDSCAPE_TRACE_MERGE", "Likewise: if it is 0, no lanes are formed."},
    {NULL, NULL},
};

static const struct topic_entry units[] = {
    {"B, kB, MB, GB, TB, PB; KiB, MiB, GiB, TiB; bit",
     "Sizes: powers of 1000, or of 1024 with an i."},
    {"GB/s, B/cycle", "Bandwidths: any size over any time; of cycles, of the clock sm.clock."},
    {"s, ms, us, ns, ps; cycles, cycle", "Times; in cycles they follow sm.clock."},
    {"Hz, kHz, MHz, GHz; /s, /cycle", "Rates."},
    {"J, mJ, uJ, nJ, pJ, fJ; W", "Energies and powers: 10 pJ/bit."},
    {"%", "A share: 5% is 0.05."},
    {NULL, NULL},
};

static const struct topic_entry expressions[] = {
    {"+ - * / % ^", "Arithmetic, with units: 2 * llc.capacity; % has the sign of the divisor."},
    {"< <= > >= == !=, and or not", "Conditions; both sides have the same unit."},
    {"min max ceil floor abs sqrt log2", "Functions; min and max take two arguments or more."},
    {"if(CONDITION, A, B)", "A where it holds, else B."},
    {"48 MiB, 768 GB/s, 1e9", "Numbers; a unit follows with a blank or without one."},
    {"llc.capacity, chips", "A parameter: bandscape list parameters."},
    {"total.llc_capacity",
     "Of all chips together; so are total.llc_bandwidth, total.noc_bandwidth, "
     "total.memory_bandwidth, total.link_bandwidth, total.p2p_bandwidth and total.sms."},
    {"cost.sram_area", "A cost: bandscape list costs."},
    {"effective_bandwidth, network.kernel_time, effective_bandwidth@gemm",
     "A metric, of a model, of a workload: bandscape list metrics."},
    {NULL, NULL},
};

static const struct topic_entry output[] = {
    {"table", "For people: rounded, with units. It may change with any version."},
    {"json",
     "An array of objects, or an object where one thing is asked; numbers in SI with all "
     "their digits, null where one is not known. Of the terms behind an answer whatif has the "
     "top (left_out: so many are beneath), with --explain all."},
    {"csv", "A line of names, then rows; numbers likewise, nothing where one is not known. Units "
            "of a sweep's files are in its manifest.yaml."},
    {"answer", "The kind of an answer, one word for all formats of whatif, compare and why, and in "
               "the summary of a sweep: EAB-style, bottleneck at the given mix, network. Tables "
               "have its first word."},
    {"schema", "Of JSON, CSV and manifest.yaml: one more when something that is there goes, or has "
               "another name, unit or meaning; what is added does not count. bandscape --version "
               "says which is written, and so do the manifest.yaml and columns.yaml of a sweep."},
    {NULL, NULL},
};

const struct topic topics[] = {
    {"units", "UNITS", "units that numbers are read with", units},
    {"values", "VALUES", "how values of parameters are written behind --set, and in the shell",
     values},
    {"expressions", "EXPRESSIONS", "of spaces and conditions", expressions},
    {"exit-status", "EXIT STATUS", "what the program's exit status says", exit_status},
    {"output", "OUTPUT", "what --format gives, and the version of it", output},
    {"files", "FILES", "files that are read and kept", files},
    {"environment", "ENVIRONMENT", "variables that are read", environment},
    {.name = NULL},
};
