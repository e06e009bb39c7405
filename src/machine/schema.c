/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameter table: one schema per kind of thing. Adding a parameter is
 * adding a row; reading, settings, axes, help and checks follow. */
#include "machine/beside.h"
#include "machine/machine.h"

#define COUNT(f, lo, hi, def, p, st, h)                                                            \
    {                                                                                              \
        f, PARAMETER_COUNT, IN_PLAIN, lo, hi, def, NULL, NULL, p, st, h                            \
    }
#define NUMBER(f, lo, hi, def, p, st, h)                                                           \
    {                                                                                              \
        f, PARAMETER_NUMBER, IN_PLAIN, lo, hi, def, NULL, NULL, p, st, h                           \
    }
#define BYTES(f, lo, hi, def, p, st, h)                                                            \
    {                                                                                              \
        f, PARAMETER_QUANTITY, IN_BYTES, lo, hi, def, NULL, NULL, p, st, h                         \
    }
#define RATE(f, lo, hi, def, p, st, h)                                                             \
    {                                                                                              \
        f, PARAMETER_QUANTITY, IN_BYTES_PER_S, lo, hi, def, NULL, NULL, p, st, h                   \
    }
#define TIME(f, lo, hi, def, p, st, h)                                                             \
    {                                                                                              \
        f, PARAMETER_QUANTITY, IN_SECONDS, lo, hi, def, NULL, NULL, p, st, h                       \
    }
#define FREQUENCY(f, lo, hi, def, p, st, h)                                                        \
    {                                                                                              \
        f, PARAMETER_QUANTITY, IN_HERTZ, lo, hi, def, NULL, NULL, p, st, h                         \
    }
#define NAME(f, choices, kind, def, p, st, h)                                                      \
    {                                                                                              \
        f, PARAMETER_NAME, IN_PLAIN, 0, 0, def, choices, kind, p, st, h                            \
    }
#define NAME_ARGUMENT(f, kind, def, arg, p, st, h)                                                 \
    {                                                                                              \
        f, PARAMETER_NAME, IN_PLAIN, 0, 0, def, NULL, kind, p, st, h, arg                          \
    }
/* What the latency before it counts: see machine/latency.h. */
#define LATENCY_IS                                                                                 \
    NAME("latency_is", "step load-to-use mean-load-to-use", NULL, "step", "latency",               \
         STRUCTURE_MODEL,                                                                          \
         "step: what a pass takes; load-to-use: all of an idle load that is answered there, as "   \
         "measured; mean-load-to-use: the same over lines of all domains")

#define FLUSH(help)                                                                                \
    NAME("flush", "coherence none dirty stale all", NULL, "coherence", "launch", STRUCTURE_STREAM, \
         help)

#define END                                                                                        \
    {                                                                                              \
        NULL, PARAMETER_NUMBER, IN_PLAIN, 0, 0, NULL, NULL, NULL, NULL, STRUCTURE_NONE, NULL       \
    }

#define SCOPES "sm group partition chip system"

enum { MAX_CHIPS = 64, MAX_COUNT = 1 << 20 };

static const struct parameter_row machine_rows[] = {
    COUNT("chips", 1, MAX_CHIPS, NULL, "system", STRUCTURE_STREAM,
          "chips (modules, GPUs): each has SMs, LLC slices and memory of its own"),
    COUNT("partitions", 1, MAX_CHIPS, "1", "chip", STRUCTURE_STREAM,
          "parts of a chip that have SMs, LLC slices and memory of their own"),
    BYTES("line", 16, 4096, "128 B", "line", STRUCTURE_STREAM, "cache line"),
    COUNT("sectors", 1, 32, "1", "line", STRUCTURE_STREAM,
          "sectors of a line that are fetched separately"),
    NAME(
        "coherence", "software hardware", NULL, "software", "system", STRUCTURE_STREAM,
        "software: what is cached at the requester is flushed at the end of a launch (flush of the "
        "levels); hardware: messages keep copies up to date"),
    END,
};

static const struct parameter_row sm_rows[] = {
    COUNT("per_chip", 1, 4096, NULL, "chip", STRUCTURE_STREAM, "SMs"),
    COUNT("clusters", 1, 4096, NULL, "chip", STRUCTURE_STREAM,
          "groups of SMs that share a level of scope cluster, each within a partition; SMs of a "
          "group are contiguous. Not those of l1.clusters"),
    FREQUENCY("clock", 1e6, 1e11, "1 GHz", "system", STRUCTURE_NONE,
              "what a cycle means wherever no other clock stands"),
    COUNT("warps", 1, 1024, "64", "SM", STRUCTURE_STREAM, "warps resident at a time"),
    COUNT("threads", 32, 65536, "2048", "SM", STRUCTURE_STREAM, "threads resident at a time"),
    COUNT("ctas", 1, 1024, "32", "SM", STRUCTURE_STREAM, "thread blocks resident at a time"),
    FREQUENCY("issue", 1, 1e13, "1 /cycle", "SM", STRUCTURE_NONE, "warp instructions issued"),
    TIME(
        "dependent", 0, 1, "0 s", "instruction", STRUCTURE_NONE,
        "from an instruction of a warp to its next one, which needs its result: 4 cycles on "
        "Volta and Ampere (arXiv:1804.06826, 2208.11174), and on GCN and CDNA, whose 16 lanes take "
        "64 threads in 4. 0: a warp's instructions follow each other as fast as sm.issue has it"),
    COUNT("outstanding", 1, 1024, "16", "warp", STRUCTURE_NONE,
          "memory instructions that a warp may have under way: it goes on until one needs a value "
          "that is. The default is what GCN3's counter of them (vmcnt, 4 bits) allows; NVIDIA's "
          "scoreboards since Volta (six a warp, each counts many) and one of all registers "
          "(GPGPU-Sim) allow more"),
    COUNT("ahead", 1, 63, NULL, "warp", STRUCTURE_STREAM,
          "accesses of a warp that may be under way when it makes the next one, where the workload "
          "or trace allows more. 1: code whose operations stand behind their pair of operands, as "
          "in PTX, which GPGPU-Sim runs as it stands (ptxas alone moves loads up); not given: no "
          "such limit"),
    NAME("scheduler", "lrr gto grr", NULL, "gto", "SM", STRUCTURE_STREAM,
         "warp scheduling: loose round robin, greedy then oldest, greedy then round robin"),
    COUNT(
        "stall", 0, 100000, "256", "warp", STRUCTURE_STREAM,
        "rounds of the profiler that a warp sits out after a miss in L1, or in the first TLB (gto, "
        "grr). By default what the latencies in the machine's file make for an idle load from "
        "memory, mean over homes, in cycles of the SM, as the nearest power of two; latencies that "
        "are set (--set) or varied by axes do not change it"),
    END,
};

static const struct parameter_row l1_rows[] = {
    NAME("scope", "sm", NULL, "sm", "level", STRUCTURE_STREAM,
         "one cache an SM, unless l1.nodes says otherwise"),
    NAME("side", "requester", NULL, "requester", "level", STRUCTURE_STREAM,
         "near the SMs that ask"),
    BYTES("capacity", 1024, 0x1p40, NULL, "SM", STRUCTURE_STREAM,
          "capacity; a node that serves several SMs has as many times as much"),
    COUNT("ways", 1, 1024, "4", "set", STRUCTURE_STREAM, "associativity"),
    NAME("index", "modulo hashed", NULL, "modulo", "line", STRUCTURE_STREAM,
         "which set a line goes to: by low bits of its number, or by these with all higher ones "
         "over them (XOR), as Fermi's L1 has it with some (Nugteren et al., HPCA 2014): powers of "
         "two apart, lines do not meet in a few sets"),
    COUNT("nodes", 0, 4096, "0", "chip", STRUCTURE_STREAM,
          "L1 caches (the Y of DC-L1's PrY and ShY); 0: one an SM"),
    COUNT("clusters", 0, 4096, "0", "chip", STRUCTURE_STREAM,
          "groups of nodes that share lines by address (the Z of ShY+CZ); 0: every node alone"),
    NAME("home", "line slice", NULL, NULL, "cluster", STRUCTURE_STREAM,
         "which of a cluster's M nodes has a line: by its number modulo M; or by that of its LLC "
         "slice, so that a node asks no slices but one in M, as M crossbars behind the nodes need "
         "it. Not given: slice, where M divides the slices (DC-L1 builds those crossbars then), "
         "else line"),
    NAME("contents", "lru perfect", NULL, "lru", "level", STRUCTURE_STREAM,
         "lru: simulated; perfect: every read that may look it up hits"),
    NAME("write", "through evict", NULL, "through", "level", STRUCTURE_STREAM,
         "write-through without allocation; evict: a write drops the line"),
    NAME("bypass", "none remote", NULL, "none", "level", STRUCTURE_STREAM,
         "which reads do not look it up"),
    FLUSH("what leaves at the end of a launch: none; stale: lines that were written; all, which is "
          "coherence too, under any"),
    COUNT("mshrs", 1, MAX_COUNT, "128", "SM", STRUCTURE_NONE, "misses in flight"),
    COUNT("write_buffer", 1, MAX_COUNT, "128", "SM", STRUCTURE_NONE,
          "writes in flight: they need no MSHR"),
    COUNT("bypass_buffer", 1, MAX_COUNT, "128", "SM", STRUCTURE_NONE,
          "reads in flight that do not look up L1 (l1.bypass, and loads that say so): they need no "
          "MSHR of it; the default is the reorder buffer of a compute unit of MGPUSim"),
    TIME("latency", 0, 1, "28 cycles", "hit", STRUCTURE_NONE, "hit latency"),
    FREQUENCY(
        "lookups", 1, 1e13, NULL, "SM", STRUCTURE_NONE,
        "lines that are looked up, one behind another: a warp whose lanes have 32 lines waits "
        "for as many; not given: no limit. Without l1.nodes, whose ports serve a line a cycle"),
    END,
};

static const struct parameter_row level_rows[] = {
    NAME("scope", SCOPES, NULL, "chip", "level", STRUCTURE_MODEL, "who shares one cache"),
    NAME("side", "requester home", NULL, "home", "level", STRUCTURE_MODEL,
         "near the SMs that ask, or near the memory that holds the line"),
    NAME("filter", "all remote local", NULL, "all", "level", STRUCTURE_MODEL,
         "which requests it may hold"),
    NAME("organisation", NULL, "organisation", NULL, "system", STRUCTURE_MODEL,
         "how the level is organised; rewrites scope, side, filter and split"),
    NAME("split", "none static dynamic", NULL, "none", "level", STRUCTURE_MODEL,
         "whether some ways hold remote lines at the requester, before those of the home's that "
         "hold "
         "what has its home there: static, remote_share of them; dynamic, as many as balance links "
         "against memory"),
    NUMBER("remote_share", 0, 1, "0.5", "set", STRUCTURE_NONE,
           "share of the ways that hold remote lines (split: static); 0: nothing looks them up"),
    BYTES("capacity", 1024, 0x1p44, NULL, "chip", STRUCTURE_NONE, "capacity"),
    COUNT("ways", 1, 4096, "16", "set", STRUCTURE_NONE, "associativity"),
    COUNT("slices", 1, 4096, "16", "chip", STRUCTURE_HOME, "slices, chosen by address"),
    NAME("mapping", "hashed fixed", NULL, "hashed", "level", STRUCTURE_HOME,
         "a line's slice: by a hash of its number, or by its low bits"),
    BYTES("interleave", 16, 0x1p40, NULL, "slice", STRUCTURE_HOME,
          "consecutive bytes that are in one slice (mapping fixed); not given: a line"),
    NAME("write", "back through", NULL, "back", "level", STRUCTURE_NONE,
         "at the home, whole: back: what is written goes to memory when its line leaves; through: "
         "at once, and the line stays clean. At the requester, or split, always back"),
    RATE("bandwidth", 1e6, 1e18, NULL, "chip", STRUCTURE_NONE, "raw bandwidth of all slices"),
    RATE(
        "write_bandwidth", 1e6, 1e18, NULL, "chip", STRUCTURE_NONE,
        "of the way into all slices, on which what is written comes, beside their bandwidth, which "
        "it takes as well; not given: as fast as that, no limit of its own"),
    TIME("latency", 0, 1, "120 cycles", "hit", STRUCTURE_NONE, "hit latency"),
    COUNT("mshrs", 1, MAX_COUNT, NULL, "slice", STRUCTURE_NONE,
          "misses in flight, several for one line once: a further one stops the slice; not given: "
          "none does"),
    LATENCY_IS,
    FLUSH("what the end of a launch writes home and drops: none; dirty: dirty lines; stale: those, "
          "and others' copies of lines that were written; all; coherence: at the home none, at the "
          "requester stale under software coherence, none under hardware coherence"),
    NAME("replication", "none full mdr", NULL, "none", "level", STRUCTURE_MODEL,
         "copies of remote read-only lines in the requester's partition, before the home's slices: "
         "never, always, or where NUBA's model-driven replication expects a gain"),
    NUMBER("theta", 0, 10, "0.05", "decision", STRUCTURE_NONE,
           "gain in EAB above which SAC turns to SM-side"),
    END,
};

/* A level between L1 and the LLC: it changes what the LLC sees, so its capacity is structural. */
static const struct parameter_row front_rows[] = {
    NAME("scope", "cluster partition chip", NULL, "chip", "level", STRUCTURE_STREAM,
         "who shares one cache"),
    NAME("side", "requester", NULL, "requester", "level", STRUCTURE_STREAM,
         "near the SMs that ask"),
    NAME("filter", "all remote local", NULL, "remote", "level", STRUCTURE_STREAM,
         "which requests it may hold"),
    BYTES("capacity", 0, 0x1p44, NULL, "chip", STRUCTURE_STREAM, "capacity; 0: there is none"),
    COUNT("ways", 1, 4096, "16", "set", STRUCTURE_STREAM, "associativity"),
    NAME("write", "through back", NULL, "through", "level", STRUCTURE_STREAM,
         "through: without allocation; back: dirty lines go home when they leave"),
    FLUSH("what the end of a launch writes home and drops: none; dirty: dirty lines; stale: those, "
          "and others' copies of lines that were written; all; coherence: all under software "
          "coherence, none under hardware coherence"),
    RATE("bandwidth", 1e6, 1e18, NULL, "chip", STRUCTURE_NONE, "raw bandwidth"),
    TIME("latency", 0, 1, "120 cycles", "hit", STRUCTURE_NONE, "hit latency"),
    COUNT("mshrs", 1, MAX_COUNT, NULL, "cache", STRUCTURE_NONE,
          "misses in flight, several for one line once: a further one stops the cache; not given: "
          "none does"),
    LATENCY_IS,
    END,
};

/* A TLB: a section of any name with `contents: translations`. Its line is a page, and what misses
 * the last one is walked for (machine/translation.h). */
static const struct parameter_row tlb_rows[] = {
    NAME("contents", "translations", NULL, "translations", "level", STRUCTURE_STREAM,
         "what it holds: addresses of pages"),
    NAME("scope", "sm cluster partition chip system", NULL, "sm", "level", STRUCTURE_STREAM,
         "who shares one; requests meet smaller scopes first"),
    COUNT("entries", 1, MAX_COUNT, NULL, "TLB", STRUCTURE_STREAM, "pages that one holds"),
    COUNT("ways", 1, 4096, "64", "set", STRUCTURE_STREAM,
          "associativity; no more than entries: one of fewer is fully associative"),
    COUNT("mshrs", 1, MAX_COUNT, NULL, "TLB", STRUCTURE_NONE,
          "misses in flight, several for one page once: a further one stops its input; not given: "
          "as many as there are (MGPUSim's R9 Nano: 4 of an L1 TLB, 64 of an L2 TLB)"),
    TIME("latency", 0, 1, "1 cycles", "lookup", STRUCTURE_NONE,
         "of a lookup, as a step; of scope system with the way there"),
    END,
};

/* A cache beside L1: a section of any name with such `contents` (machine/beside.h). */
static const struct parameter_row beside_rows[] = {
    NAME("contents", BESIDE_CONTENTS, NULL, "scalar", "level", STRUCTURE_STREAM,
         "which reads it serves in the place of L1; those of a kind that no such cache serves are "
         "L1's"),
    NAME("scope", "sm cluster", NULL, "sm", "level", STRUCTURE_STREAM,
         "who shares one: an SM, or the SMs of a cluster (sm.clusters)"),
    BYTES("capacity", 0, 0x1p40, NULL, "cache", STRUCTURE_STREAM, "capacity; 0: there is none"),
    COUNT("ways", 1, 4096, "4", "set", STRUCTURE_STREAM, "associativity"),
    NAME("flush", "all none", NULL, "all", "launch", STRUCTURE_STREAM,
         "what leaves at the end of a launch: all, as nothing keeps such a cache up to date with "
         "writes; none"),
    RATE("bandwidth", 1e6, 1e18, NULL, "chip", STRUCTURE_NONE,
         "raw bandwidth of all of them, of which a lookup takes a line (sector); not given: no "
         "limit"),
    TIME("latency", 0, 1, "28 cycles", "hit", STRUCTURE_NONE,
         "hit latency, as a step in the place of l1.latency, whose default it has"),
    COUNT("mshrs", 1, MAX_COUNT, NULL, "cache", STRUCTURE_NONE,
          "misses in flight, several for one line once: a further one stops the cache; not given: "
          "none does"),
    END,
};

/* What is behind the last TLB. */
static const struct parameter_row translation_rows[] = {
    NAME("of", "accesses misses", NULL, "accesses", "system", STRUCTURE_STREAM,
         "what looks up TLBs, once for each of its pages: accesses of warps before L1 (caches of "
         "physical addresses), or what misses L1 (an L1 of virtual ones)"),
    BYTES("page", 256, 0x1p40, NULL, "translation", STRUCTURE_STREAM,
          "what a translation covers; not given: page.size"),
    NAME("scope", "chip system", NULL, "chip", "system", STRUCTURE_STREAM,
         "who shares the walkers: an MMU in each chip, or one at translation.chip (an IOMMU)"),
    NAME("tables", "local page chip", NULL, "local", "system", STRUCTURE_STREAM,
         "which memory a walk reads: its walker's, that of the page's home, that of "
         "translation.chip"),
    COUNT("chip", 0, MAX_CHIPS - 1, "0", "system", STRUCTURE_STREAM,
          "where the walkers of the system, or its tables, are"),
    COUNT("walkers", 1, 65536, "16", "chip", STRUCTURE_NONE,
          "walks at the same time, of a chip or of the system (translation.scope); the default is "
          "MGPUSim's"),
    TIME("walk_latency", 0, 1, "100 cycles", "walk", STRUCTURE_NONE,
         "of a walk beside its memory reads; the default is MGPUSim's, which has no reads"),
    COUNT("walk_reads", 0, 64, "0", "walk", STRUCTURE_NONE,
          "memory reads of a walk, one after another: levels of the page table that no "
          "page-walk cache holds"),
    BYTES("entry", 1, 4096, "32 B", "read", STRUCTURE_NONE,
          "what a read of a walk moves: a burst of memory with an 8 B entry in it"),
    END,
};

/* What networks carry. The default is raw bytes: data alone, in one direction. */
#define MESSAGES                                                                                   \
    NAME("switching", "fifo voq ideal", NULL, "ideal", "switch", STRUCTURE_MODEL,                  \
         "queues at inputs: fifo loses throughput to head-of-line blocking, voq (virtual output "  \
         "queues) and ideal none"),                                                                \
        NUMBER("overhead", 1, 16, "1", "byte", STRUCTURE_NONE,                                     \
               "bytes on the wire per byte of a message: encoding"),                               \
        BYTES("read_request", 0, 65536, "0 B", "message", STRUCTURE_NONE,                          \
              "a message that asks for data"),                                                     \
        BYTES("read_response", 0, 65536, "0 B", "message", STRUCTURE_NONE,                         \
              "what goes with the data that come back"),                                           \
        BYTES("write_request", 0, 65536, "0 B", "message", STRUCTURE_NONE,                         \
              "what goes with the data of a write or an atomic"),                                  \
        BYTES("write_response", 0, 65536, "0 B", "message", STRUCTURE_NONE,                        \
              "the acknowledgement of a write or an atomic")

static const struct parameter_row noc_rows[] = {
    NAME("scope", SCOPES, NULL, "chip", "level", STRUCTURE_MODEL, "what the crossbar joins"),
    RATE("bandwidth", 1e6, 1e18, NULL, "chip", STRUCTURE_NONE, "bisection bandwidth"),
    NAME("misses", "own shared", NULL, "own", "chip", STRUCTURE_MODEL,
         "whether misses of a requester-side LLC have a crossbar of their own or share the one "
         "of the requests; rewritten by llc.organisation"),
    COUNT("ports", 1, 4096, "1", "chip", STRUCTURE_MODEL,
          "ports of SMs, of which each has its part of the bandwidth: what an SM asks for at once "
          "comes one behind another through its own. 1: all SMs have one together, as closed forms "
          "take it"),
    COUNT("inputs", 1, MAX_COUNT, NULL, "chip", STRUCTURE_MODEL, "input ports"),
    COUNT("outputs", 1, MAX_COUNT, NULL, "chip", STRUCTURE_MODEL, "output ports"),
    TIME("latency", 0, 1, "8 cycles", "crossing", STRUCTURE_NONE, "latency"),
    NAME("directions", "shared separate", NULL, "shared", "chip", STRUCTURE_MODEL,
         "whether requests and replies share the bandwidth, as closed forms take it, or each have "
         "as much"),
    BYTES("flit", 1, 65536, NULL, "port", STRUCTURE_NONE,
          "width: messages take whole flits; not given: raw bytes"),
    MESSAGES,
    END,
};

/* Point-to-point links between the SMs and the slices of a partition (NUBA). */
static const struct parameter_row p2p_rows[] = {
    RATE("bandwidth", 1e6, 1e18, NULL, "chip", STRUCTURE_NONE, "bandwidth of all of them"),
    TIME("latency", 0, 1, "4 cycles", "crossing", STRUCTURE_NONE, "latency"),
    END,
};

/* Between the LLC's slices of a chip's partitions, such as the two halves of an A100's L2. */
static const struct parameter_row crossing_rows[] = {
    NAME("misses", "home memory", NULL, "home", "miss", STRUCTURE_STREAM,
         "what an LLC at the requester asks that misses a line of another partition: that one's "
         "slices, which keep the line too, and its memory behind them; or the memory past them"),
    RATE("bandwidth", 1e6, 1e18, NULL, "partition", STRUCTURE_NONE,
         "of data that come into a partition from others of its chip; not given: no limit"),
    TIME("latency", 0, 1, "0 s", "way", STRUCTURE_NONE,
         "of a way, with the lookup of the other partition's slices: a hit there takes two more "
         "than one in the own partition"),
    LATENCY_IS,
    END,
};

static const struct parameter_row links_rows[] = {
    NAME("topology", NULL, "topology", "ring", "system", STRUCTURE_MODEL,
         "graph of the links between chips"),
    RATE("link_bandwidth", 1e3, 1e18, NULL, "link and direction", STRUCTURE_NONE,
         "bandwidth of one edge of the graph"),
    NAME("tier", "chip package board system", NULL, NULL, "system", STRUCTURE_MODEL,
         "what the links cross: says what a byte costs in energy (link_energy.<tier>)"),
    TIME("latency", 0, 1, "32 cycles", "hop", STRUCTURE_NONE,
         "latency of what leaves a chip; switches on the way add theirs"),
    LATENCY_IS,
    TIME("switch_latency", 0, 1, "0 s", "switch", STRUCTURE_NONE,
         "of a switch on the way, with the link behind it; 0: it is in the latency of the hop"),
    BYTES("flit", 1, 65536, NULL, "link", STRUCTURE_NONE,
          "width: messages take whole flits; not given: raw bytes"),
    MESSAGES,
    END,
};

static const struct parameter_row memory_rows[] = {
    NAME("scope", SCOPES, NULL, "chip", "level", STRUCTURE_MODEL, "who has one memory"),
    RATE("bandwidth", 1e6, 1e18, NULL, "chip", STRUCTURE_NONE, "bandwidth of all channels"),
    COUNT("channels", 1, MAX_COUNT, "8", "chip", STRUCTURE_MODEL, "channels"),
    NAME("partial_write", "mask fetch", NULL, "mask", "write", STRUCTURE_STREAM,
         "what a write of a part of a sector (line) does that misses the LLC: mask, keep which "
         "bytes "
         "are written, as caches with byte masks do; fetch, read the rest from memory"),
    TIME("latency", 0, 1, "100 ns", "access", STRUCTURE_NONE, "latency"),
    LATENCY_IS,
    TIME("latency_spread", 0, 1, NULL, "access", STRUCTURE_NONE,
         "how unlike latencies of lines are, idle: standard deviation; who waits for several waits "
         "for "
         "the last. Not given: all are alike"),
    TIME("turnaround", 0, 1, NULL, "turn", STRUCTURE_NONE,
         "how long a channel's bus is idle while it turns from reads to writes or back, mean of "
         "both; not given: it turns at once"),
    BYTES("write_batch", 1, 0x1p30, "768 B", "channel", STRUCTURE_NONE,
          "writes that a channel keeps back, and sends one behind another between two turns "
          "(turnaround). The default is 24 bursts of 32 B, between the marks at which "
          "Accel-Sim's queue of writes begins and ceases to drain (64:56:32); gem5 sends 16, "
          "Ramulator 2 sends 19"),
    BYTES("read_batch", 1, 0x1p30, NULL, "channel", STRUCTURE_NONE,
          "reads that come to a channel together, and that it serves one behind another: who finds "
          "it busy waits for half of them; not given: one request at a time"),
    END,
};

static const struct parameter_row page_rows[] = {
    BYTES("size", 256, 0x1p40, "4 KiB", "page", STRUCTURE_HOME, "unit of placement"),
    BYTES("contiguous", 256, 0x1p40, NULL, "page", STRUCTURE_NONE,
          "consecutive bytes of data that are so in memory: data that go round fill the sets of a "
          "cache evenly whose way is no larger; not given: sets are filled as by chance. Measured "
          "arrays ask it (validate silicon)"),
    NAME("policy", NULL, "placement", "first-touch", "system", STRUCTURE_HOME,
         "how a page gets its home"),
    NUMBER("threshold", 0, 1, "0.9", "system", STRUCTURE_HOME,
           "balance (NPB) above which a page goes to its toucher (lab)"),
    BYTES("interleave", 16, 0x1p40, "4 KiB", "system", STRUCTURE_HOME,
          "granularity of the policy interleave"),
    COUNT("move_after", 1, MAX_COUNT, NULL, "page and domain", STRUCTURE_HOME,
          "remote accesses after which a page moves (migration) or is copied (replication); 256 "
          "where it is not given"),
    NAME("ties", "turn waits", NULL, NULL, "system", STRUCTURE_HOME,
         "of SMs that touch a page in the same round of the profiler the "
         "first: by turn; or who has waited less for remote lines, equals by turn, or by chance "
         "where pages are dealt (round-robin), which needs a scheduler that waits (gto, grr). waits "
         "where it is not given"),
    END,
};

static const struct parameter_row launch_rows[] = {
    TIME("time", 0, 1, "0 s", "launch", STRUCTURE_NONE,
         "what a launch takes beside its work, before its first request: a few microseconds on "
         "GPUs; 0: launches follow each other at once"),
    END,
};

static const struct parameter_row cta_rows[] = {
    NAME_ARGUMENT("policy", "schedule", "distributed", "batched:batch", "system", STRUCTURE_STREAM,
                  "how thread blocks go to SMs; batched:N gives cta.batch as well"),
    NAME("scope", "chip partition sm", NULL, "chip", "system", STRUCTURE_STREAM,
         "unit that gets a contiguous part (distributed) or batches (batched) of the blocks"),
    COUNT("batch", 1, MAX_COUNT, "1", "system", STRUCTURE_STREAM,
          "consecutive blocks that go to one unit of cta.scope (batched)"),
    NAME("start", "first next", NULL, "first", "launch", STRUCTURE_STREAM,
         "the SM that a launch's first block goes to: always the first one; or the one behind the "
         "SM that was given the last block, as GPGPU-Sim's dispatcher goes on, where all SMs take "
         "from one queue"),
    TIME("turnover", 0, 1, "0 s", "block", STRUCTURE_NONE,
         "from the end of a block to the first instruction of the one that takes its place; makers "
         "do not publish it, 0: at once"),
    FREQUENCY("warps", 1, 1e13, NULL, "dispatcher", STRUCTURE_NONE,
              "warps that begin, one behind another, on the SMs of a dispatcher "
              "(cta.dispatchers); not given: those of a block begin at once"),
    COUNT("dispatchers", 0, MAX_COUNT, "0", "chip", STRUCTURE_MODEL,
          "what begins warps (cta.warps), each for SMs beside each other: AMD's workgroup managers "
          "(SPI), one a shader engine; 0: each SM does"),
    NAME("writes", "posted awaited", NULL, "posted", "block", STRUCTURE_STREAM,
         "whether a warp ends, and gives its place free, when its writes are on their way, or when "
         "they are acknowledged: GCN and CDNA wait at the end of a program for all that is under "
         "way (S_ENDPGM, AMD's instruction set documents)"),
    COUNT(
        "chips", 0, MAX_CHIPS, "0", "system", STRUCTURE_STREAM,
        "launches run on that many chips, the first ones, as small grids do; data may be anywhere "
        "(page.policy); 0: on all"),
    END,
};

static const struct parameter_row trace_rows[] = {
    NAME("local", "on off", NULL, NULL, "system", STRUCTURE_STREAM,
         "whether accesses of traces to local memory (spilled registers, arrays of threads) are "
         "made; as Accel-Sim makes them, they are traffic like any other. Not given: on"),
    END,
};

#define NAMES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

const struct parameter_schema machine_schemas[] = {
    {"machine", NAMES(""), true, machine_rows,
     "Keys that stand at the top of the file, in no section."},
    {"sm", NAMES("sm"), true, sm_rows, "Streaming multiprocessors (compute units)."},
    {"l1", NAMES("l1"), true, l1_rows, "The first level, of an SM or of L1 nodes."},
    {"level", NAMES("llc"), false, level_rows, "The last-level cache."},
    {"front", NAMES("l2"), false, front_rows,
     "A level between L1 and the LLC, up to six: any section with a scope and a side. It is there "
     "once its capacity is given."},
    {"tlb", NAMES("tlb"), false, tlb_rows,
     "A level of translations, up to four: any section with `contents: translations`."},
    {"beside", NAMES("scalar"), false, beside_rows,
     "A cache beside L1: any section with such contents."},
    {"translation", NAMES("translation"), false, translation_rows, "What is behind the last TLB."},
    {"noc", NAMES("noc"), false, noc_rows, "A chip's crossbar."},
    {"p2p", NAMES("p2p"), false, p2p_rows,
     "Links between the SMs and the slices of a partition (NUBA)."},
    {"crossing", NAMES("crossing"), false, crossing_rows,
     "Between the LLC's slices of a chip's partitions."},
    {"links", NAMES("inter"), false, links_rows,
     "The links between chips; beside these keys, edges lists the graph."},
    {"memory", NAMES("memory"), false, memory_rows, "Memory and its channels."},
    {"page", NAMES("page"), true, page_rows, "Pages and their homes."},
    {"cta", NAMES("cta"), true, cta_rows, "Thread blocks (CTAs) and how they are scheduled."},
    {"launch", NAMES("launch"), true, launch_rows, "Kernel launches."},
    {"trace", NAMES("trace"), true, trace_rows, "What is taken of traces."},
    {NULL, NULL, false, NULL, NULL},
};
