/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machines of today beside what their makers publish: units, caches, memories, links. The
 * machine files say what one die or partition has, so the sums are what can go wrong. */
#include "machine/machine.h"
#include "validate/checkpoint.h"

enum { A100, H100, HGX_H100, B200, MI250X, MI300X };
static const char *const machines[] = {"a100", "h100", "hgx-h100", "b200", "mi250x", "mi300x"};

enum { SMS, CACHE, CACHE_BANDWIDTH, MEMORY, LINKS };

/* Arguments: machine, what is summed, SI value of the published unit. */
static int total(const struct checkpoint *c, double *ours, struct error *error)
{
    static const char *const totals[] = {"total.sms", "total.llc_capacity", "total.llc_bandwidth",
                                         "total.memory_bandwidth", "total.link_bandwidth"};
    int status = checkpoint_machine_value(machines[(int)c->arguments[0]],
                                          totals[(int)c->arguments[1]], ours, error);
    *ours /= c->arguments[2];
    return status;
}

/* Argument: 0 capacity in MiB, 1 bandwidth in TB/s, of the L2s in front of the Infinity Cache. */
static int front(const struct checkpoint *c, double *ours, struct error *error)
{
    bool bandwidth = c->arguments[0] != 0;
    struct machine *machine = NULL;
    double chips = 0, each = 0;
    int status = machine_load("mi300x", &machine, error);
    if (!status)
        status = machine_number(machine, "chips", &chips, error);
    if (!status)
        status = machine_number(machine, bandwidth ? "l2.bandwidth" : "l2.capacity", &each, error);
    *ours = chips * each / (bandwidth ? 1e12 : 0x1p20);
    machine_destroy(machine);
    return status;
}

/* Arguments: machine, operations of an SM in a cycle. Holds when the clock is the published one. */
static int peak(const struct checkpoint *c, double *ours, struct error *error)
{
    const char *name = machines[(int)c->arguments[0]];
    struct machine *machine = NULL;
    double sms = 0, clock = 0;
    int status = checkpoint_machine_value(name, "total.sms", &sms, error);
    if (!status)
        status = machine_load(name, &machine, error);
    if (!status)
        status = machine_number(machine, "sm.clock", &clock, error);
    *ours = sms * clock * c->arguments[1] / 1e12;
    machine_destroy(machine);
    return status;
}

#define TOTAL(what, where, m, t, value, unit, si, tol)                                             \
    {                                                                                              \
        what, where, value, unit, tol, CHECKPOINT_FORMULA, total,                                  \
        {                                                                                          \
            m, t, si                                                                               \
        }                                                                                          \
    }
#define PEAK(what, where, m, operations, value)                                                    \
    {                                                                                              \
        what, where, value, "TFLOPS", 0.005, CHECKPOINT_FORMULA, peak,                             \
        {                                                                                          \
            m, operations                                                                          \
        }                                                                                          \
    }
/* Published figures are rounded: half a unit of their last digit. */
static const struct checkpoint today_checkpoints[] = {
    TOTAL("A100, SMs", "A100 whitepaper", A100, SMS, 108, "", 1, 0),
    TOTAL("A100, L2", "A100 whitepaper", A100, CACHE, 40, "MiB", 0x1p20, 0),
    TOTAL("A100, L2 reads", "A100 whitepaper", A100, CACHE_BANDWIDTH, 5120, "B/cycle", 1.41e9,
          1e-12),
    TOTAL("A100, memory", "A100 whitepaper", A100, MEMORY, 1555, "GB/s", 1e9, 0),
    PEAK("A100, FP32 at the clock", "A100 whitepaper", A100, 128, 19.5),
    TOTAL("H100 SXM5, SMs", "H100 whitepaper", H100, SMS, 132, "", 1, 0),
    TOTAL("H100 SXM5, L2", "H100 whitepaper", H100, CACHE, 50, "MiB", 0x1p20, 0),
    TOTAL("H100 SXM5, memory", "H100 datasheet", H100, MEMORY, 3.35, "TB/s", 1e12, 0),
    PEAK("H100 SXM5, FP32 at the clock", "H100 datasheet", H100, 256, 67),
    TOTAL("HGX H100, SMs", "H100 whitepaper", HGX_H100, SMS, 1056, "", 1, 0),
    TOTAL("HGX H100, memory", "H100 datasheet", HGX_H100, MEMORY, 26.8, "TB/s", 1e12, 1e-12),
    TOTAL("HGX H100, NVLink, a direction", "H100 whitepaper, 900 GB/s a GPU", HGX_H100, LINKS, 3.6,
          "TB/s", 1e12, 1e-12),
    TOTAL("B200, SMs", "chipsandcheese.com, B200", B200, SMS, 148, "", 1, 0),
    TOTAL("B200, L2", "chipsandcheese.com, B200", B200, CACHE, 126, "MiB", 0x1p20, 0),
    TOTAL("B200, memory", "Blackwell technical brief", B200, MEMORY, 8, "TB/s", 1e12, 0),
    TOTAL("B200, NV-HBI, both directions", "Blackwell technical brief", B200, LINKS, 10, "TB/s",
          1e12, 0),
    TOTAL("MI250X, compute units", "CDNA 2 white paper", MI250X, SMS, 220, "", 1, 0),
    TOTAL("MI250X, L2", "CDNA 2 white paper", MI250X, CACHE, 16, "MiB", 0x1p20, 0),
    TOTAL("MI250X, L2 of a die", "CDNA 2 white paper", MI250X, CACHE_BANDWIDTH, 6.96, "TB/s", 2e12,
          0.001),
    TOTAL("MI250X, memory", "CDNA 2 white paper", MI250X, MEMORY, 3.2, "TB/s", 1e12, 0.025),
    TOTAL("MI250X, between the dies, both directions", "CDNA 2 white paper", MI250X, LINKS, 400,
          "GB/s", 1e9, 0),
    PEAK("MI250X, FP64 at the clock", "CDNA 2 white paper", MI250X, 128, 47.9),
    TOTAL("MI300X, compute units", "CDNA 3 white paper", MI300X, SMS, 304, "", 1, 0),
    {"MI300X, L2", "CDNA 3 white paper", 32, "MiB", 0, CHECKPOINT_FORMULA, front, {0}},
    {"MI300X, L2 reads", "CDNA 3 white paper", 34.4, "TB/s", 0.002, CHECKPOINT_FORMULA, front, {1}},
    TOTAL("MI300X, Infinity Cache", "CDNA 3 white paper", MI300X, CACHE, 256, "MiB", 0x1p20, 0),
    TOTAL("MI300X, Infinity Cache reads", "CDNA 3 white paper", MI300X, CACHE_BANDWIDTH, 17.2,
          "TB/s", 1e12, 0.003),
    TOTAL("MI300X, memory", "CDNA 3 white paper", MI300X, MEMORY, 5.3, "TB/s", 1e12, 0.01),
    PEAK("MI300X, FP32 at the clock", "CDNA 3 white paper", MI300X, 256, 163.4),
    {.what = NULL},
};

const struct validation validation_today = {
    .plugin = {"validation", "today", "units, caches, memories and links of today's GPUs",
               "whitepapers of NVIDIA and AMD", NULL},
    .columns = checkpoint_columns,
    .checkpoints = today_checkpoints,
};
