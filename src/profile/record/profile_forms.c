/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a profile may say beside its fields. */
#include "profile/record/profile_reader.h"

const struct file_key profile_keys[] = {
    {"profile", "text", NULL, "required", "the profile's name", "profile: hand-made"},
    {"source", "text", NULL, "none", "the workload or trace that it is of", "source: gemm"},
    {"source_hash", "text", NULL, "none", "hash of the source's content",
     "source_hash: 6f1c0b5f2f7c3a10"},
    {"version", "text", NULL, "none", "of the program that made it", "version: 0.1.0"},
    {"interleaving", "text", NULL, "none", "the order in which warps went", "interleaving: gto"},
    {"notes", "text", NULL, "none", "anything", "notes: counters of an A100"},
    {"warnings", "list of texts", NULL, "none", "what is to be said with every answer",
     "warnings: [the trace lacks 3 of 8 thread blocks]"},
    {"views", "list of maps", NULL, "this, point or points",
     "what was counted, for each structure of a machine: see below",
     "views: [{key: {chips: 4}, records: [{name: a, requests: 4096}]}]"},
    {"point", "map", NULL, "this, views or points",
     "figures by hand, for any machine: a record with fields only",
     "point: {r_local: 0.5, llc_hit: {memory-side: 0.8}}"},
    {"points", "list of maps", NULL, "this, views or point",
     "several of them, which run one after another",
     "points: [{bytes: 1 GB, r_local: 0.5}, {bytes: 2 GB, r_local: 0.9}]"},
    {NULL}};

const struct file_key profile_view_keys[] = {
    {"key", "map", NULL, "required", "the parameters of the machine that it holds for",
     "key: {chips: 4, line: 128 B}"},
    {"line", "size", "B", "unknown", "of a request", "line: 128"},
    {"parts", "list of parts", NULL, "none", "what was made beside the base (--with)",
     "parts: [window, waits]"},
    {"sample_rate", "share", "1", "1", "of the lines whose stack distances were taken",
     "sample_rate: 0.0625"},
    {"sharing", "map", NULL, "unknown", "of lines and pages, see below",
     "sharing: {footprint: 174 MB}"},
    {"settled_within", "share", "1", "none",
     "how far counts were from the period before, or may be off, where launches were left out",
     "settled_within: 0.001"},
    {"skimmed", "share", "1", "none", "of the accesses, that were read and not counted (--error)",
     "skimmed: 0.87"},
    {"requests_within", "share", "1", "none",
     "how far, for that, the number of requests may be off", "requests_within: 0.02"},
    {"working_sets", "list of maps", NULL, "none", "bytes touched in windows, see below",
     "working_sets: [{accesses: 1000, windows: 8, ...}]"},
    {"records", "list of maps", NULL, "required", "launches, or groups of them: see below",
     "records: [{name: gemm, launches: 1, requests: 4096, bytes: 512 KiB}]"},
    {NULL}};

const struct file_key profile_sharing_keys[] = {
    {"footprint", "size", "B", "unknown", "lines that are touched", "footprint: 174 MB"},
    {"truly_shared", "size", "B", "unknown", "lines that several domains touch",
     "truly_shared: 14 MB"},
    {"falsely_shared", "size", "B", "unknown",
     "lines that one domain touches, in pages that several touch", "falsely_shared: 21 MB"},
    {"non_shared", "size", "B", "unknown", "the others", "non_shared: 139 MB"},
    {"read_only_shared", "size", "B", "unknown", "truly shared ones that nobody writes",
     "read_only_shared: 14 MB"},
    {"pages", "count", "pages", "unknown", "pages that are touched", "pages: 42480"},
    {"page_balance", "share", "1", "unknown", "how evenly homes have pages (NPB)",
     "page_balance: 0.91"},
    {"pages_by_sms", "list of four", "pages", "unknown",
     "pages that 1, 2 to 10, 11 to 25, and more SMs touch", "pages_by_sms: [0, 64, 0, 16]"},
    {NULL}};

const struct file_key profile_working_set_keys[] = {
    {"accesses", "count", NULL, "required", "of a window", "accesses: 100000"},
    {"windows", "count", NULL, "required", "how many there were", "windows: 12"},
    {"truly_shared", "size", "B", "required", "mean over windows", "truly_shared: 1 MB"},
    {"falsely_shared", "size", "B", "required", "likewise", "falsely_shared: 0"},
    {"non_shared", "size", "B", "required", "likewise", "non_shared: 3 MB"},
    {NULL}};

const struct file_key profile_record_keys[] = {
    {"name", "text", NULL, "none", "the kernel's", "name: gemm"},
    {"grid", "list of three", "thread blocks", "unknown", "x, y, z", "grid: [64, 16, 1]"},
    {"block", "list of three", "threads", "unknown", "of a block: x, y, z", "block: [32, 8, 1]"},
    {"launches", "count", NULL, "1", "that it stands for", "launches: 100"},
    {"launches_run", "count", NULL, "launches", "that were gone through", "launches_run: 6"},
    {"traffic", "rows of numbers", "requests", "unknown",
     "from the domain of the row to that of the column", "traffic: [[90, 10], [10, 90]]"},
    {"allocations", "list of maps", NULL, "none", "accesses to each, see below",
     "allocations: [{base: 4096, bytes: 64, reads: 9, writes: 0, atomics: 0}]"},
    {"curves", "list of maps", NULL, "none", "misses over capacity, see below",
     "curves: [{scope: chip, side: home, filter: all, ...}]"},
    {"prefixes", "list of maps", NULL, "none",
     "the first requests of every launch: launches, curves and fields", "prefixes: []"},
    {NULL}};

const struct file_key profile_point_keys[] = {
    {"name", "text", NULL, "none", "the kernel's", "name: gemm"},
    {"grid", "list of three", "thread blocks", "unknown", "x, y, z", "grid: [64, 16, 1]"},
    {"block", "list of three", "threads", "unknown", "of a block: x, y, z", "block: [32, 8, 1]"},
    {"launches", "count", NULL, "1", "that it stands for", "launches: 100"},
    {NULL}};

const struct file_key profile_allocation_keys[] = {
    {"name", "text", NULL, "none", "of the allocation", "name: A"},
    {"base", "address", NULL, "required", "where it begins", "base: 0x10000"},
    {"bytes", "count", "B", "required", "its size", "bytes: 4096"},
    {"reads", "count", "lanes", "required", "that read it", "reads: 64"},
    {"writes", "count", "lanes", "required", "that write it", "writes: 0"},
    {"atomics", "count", "lanes", "required", "with atomics", "atomics: 0"},
    {NULL}};

#define CURVE_PART_KEY(symbol, name, help)                                                         \
    {name,                                                                                         \
     "map",                                                                                        \
     NULL,                                                                                         \
     "none",                                                                                       \
     "requests, cold and curve of a part: " help,                                                  \
     name ": {requests: 8, cold: 2, curve: 1 2 7 4}"},
const struct file_key profile_curve_keys[] = {
    {"scope", "name", NULL, "required", "whose caches: sm, cluster, partition, chip, system",
     "scope: chip"},
    {"side", "one of: requester, home", NULL, "required", "where they stand", "side: home"},
    {"filter", "name", NULL, "required", "which requests: all, remote, local, replicated, ...",
     "filter: all"},
    {"requests", "count", NULL, "required", "of the launches", "requests: 4096"},
    {"cold", "count", NULL, "required", "first requests of lines", "cold: 512"},
    {"domains", "map", NULL, "none", "requests and cold, each one list of all domains",
     "domains: {requests: [5, 5], cold: [2, 2]}"},
    {"curve", "text", "lines", "required",
     "capacity and the requests that hit in it, point by point, each less the one before: here 2 "
     "hit in 1 line, 6 in 8",
     "curve: 1 2 7 4"},
    {"misses_interval", "text", "requests", "exact",
     "of a sample: capacity, less the one before, and how far misses may be off",
     "misses_interval: 64 12"},
    {"written_interval", "text", "requests", "exact", "likewise of write-backs",
     "written_interval: 64 3"},
    {"misses_skimmed", "text", "requests", "exact",
     "where stretches of launches were skimmed: how far misses may be off for that, likewise",
     "misses_skimmed: 64 12"},
    {"written_skimmed", "text", "requests", "exact", "likewise of write-backs",
     "written_skimmed: 64 3"},
    PROFILE_CURVE_PARTS(CURVE_PART_KEY){NULL}};
#undef CURVE_PART_KEY

const struct file_form profile_forms[] = {
    {"a profile", "The file. It has one of the last three.", profile_keys},
    {"views, each", "", profile_view_keys},
    {"records, each", "And fields, below; what is absent is unknown.", profile_record_keys},
    {"point, and points, each", "And fields, below.", profile_point_keys},
    {"curves, each", "", profile_curve_keys},
    {"sharing", "", profile_sharing_keys},
    {"working_sets, each", "", profile_working_set_keys},
    {"allocations, each", "", profile_allocation_keys},
    {NULL}};
