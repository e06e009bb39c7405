/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a space may say. */
#include "explore/space/space_internal.h"

const struct file_key space_keys[] = {
    {"space", "name", NULL, "required", "the space's name", "space: my-links"},
    {"summary", "text", NULL, "none", "what it asks, for lists", "summary: links and caches"},
    {"machine", "machine or path", NULL, "required, unless it is an axis",
     "the base point: a shipped machine, or a file, whose path is relative to the space's",
     "machine: sac"},
    {"workloads", "list of workloads", NULL, "required",
     "kernels, loop nests, traces or profiles, with their settings; a file beside the space comes "
     "before one where the command runs",
     "workloads: [gemm, bfs]"},
    {"models", "list of models", NULL, "eab, the preferred one",
     "what answers; metrics without a name before them are the network's, else the "
     "bottleneck's, else the first one's, or those of rank: {model: ...}",
     "models: [network, eab]"},
    {"axes", "map of axes", NULL, "required",
     "what varies: see the forms of an axis, below; a name is a parameter's path, machine, "
     "workload.size, or any name of a bundle axis",
     "axes: {llc.capacity: [2 MiB, 4 MiB]}"},
    {"design", "one of: cross, one-at-a-time", NULL, "cross",
     "every combination of the axes' values, or each axis around the base point",
     "design: one-at-a-time"},
    {"set", "map of expressions", NULL, "none",
     "parameters that follow others, at every point, with units checked",
     "set: {memory.bandwidth: \"2 * inter.link_bandwidth\"}"},
    {"let", "map of expressions", NULL, "none",
     "names for expressions of parameters, totals (total.llc_capacity), costs (cost.NAME) and "
     "metrics, in any order",
     "let: {total_llc: \"llc.capacity * chips\"}"},
    {"where", "list of conditions", NULL, "none",
     "keeps the points that meet all of them; METRIC within SHARE of best keeps what is nearly as "
     "good as the best of the others",
     "where: [\"kernel_time < 1 ms\", \"kernel_time within 5% of best\"]"},
    {"objectives", "list of maps", NULL, "maximise effective_bandwidth",
     "what the front is of: one to 16, see below",
     "objectives: [{maximise: effective_bandwidth}, {minimise: llc.capacity}]"},
    {"rank", "map", NULL, "by the first objective", "the order of the table, see below",
     "rank: {by: effective_bandwidth, top: 20}"},
    {"speedup_vs", "organisation, machine or path", NULL, "none",
     "what the metric speedup is against", "speedup_vs: memory-side"},
    {"uncertainty", "map of spreads", NULL, "none",
     "how well numbers of the machine are known, for `bandscape uncertainty`: +-5%, normal 5%, "
     "lognormal 10%, +-10 ns",
     "uncertainty: {memory.bandwidth: +-5%}"},
    {"plots", "list of maps", NULL, "none", "pictures, see below",
     "plots: [{kind: pareto, by: llc.organisation}]"},
    {"groups", "map of lists", NULL, "none",
     "workloads whose mean stands beside that of all in plots of bars", "groups: {graphs: [bfs]}"},
    {"figure", "map", NULL, "none", "the figure of a paper that the space reproduces, see below",
     "figure: {paper: sac, where: [Fig. 8]}"},
    {NULL}};

const struct file_key space_axis_values_keys[] = {
    {"values", "list", NULL, "required", "the numbers or names", "values: [48, 96, 192]"},
    {"unit", "unit", NULL, "none: values have theirs", "of all values", "unit: GB/s"},
    {NULL}};

const struct file_key space_axis_range_keys[] = {
    {"from", "quantity", NULL, "required", "the first value", "from: 1 MiB"},
    {"to", "quantity", NULL, "required", "the last one, met exactly", "to: 16 MiB"},
    {"points", "count", NULL, "required", "how many, both ends included", "points: 5"},
    {"scale", "one of: linear, log2, log10", NULL, "linear",
     "equal steps, or equal factors (which of the logarithms makes no difference)", "scale: log2"},
    {NULL}};

/* A list of them is read key by key: maximize and minimize are understood as well. */
static const struct file_key objective_keys[] = {
    {"maximise", "metric, parameter or let name", NULL, "this or minimise",
     "what is to be large; of one workload METRIC@WORKLOAD, of one model MODEL.METRIC, of another "
     "mean METRIC@geometric-mean",
     "maximise: effective_bandwidth"},
    {"minimise", "metric, parameter or let name", NULL, "this or maximise", "what is to be small",
     "minimise: cost.link_power"},
    {"tolerance", "share", "1", "0: exact",
     "numbers of one interval of that relative size count as equal on the front", "tolerance: 1%"},
    {NULL}};

const struct file_key space_rank_keys[] = {
    {"by", "metric, parameter or let name", NULL, "the first objective",
     "what points are ranked by", "by: effective_bandwidth"},
    {"aggregate", "one of: harmonic-mean, geometric-mean, arithmetic-mean", NULL, "harmonic-mean",
     "the mean of bandwidths over workloads", "aggregate: geometric-mean"},
    {"top", "count", NULL, "50", "how many points the ranking holds", "top: 20"},
    {"order", "one of: maximise, minimise", NULL, "the objective's or metric's own",
     "what comes first", "order: minimise"},
    {"model", "name", NULL, "network, else bottleneck, else the first of models",
     "whose metrics they are where none is named", "model: network"},
    {NULL}};

const struct file_key space_plot_keys[] = {
    {"kind",
     "one of: pareto, curve, bars, s-curve, tornado, heat, stacked, roofline, latency, misses, "
     "sharing",
     NULL, "pareto",
     "a scatter with its front, families of curves, bars per workload, workloads in order of their "
     "gain, what each change of a one-at-a-time design makes, two axes with a metric as colour, "
     "parts of a whole on each other, workloads under what memory and LLC allow, latency (y) over "
     "the bandwidth that the values of an axis (x) make, miss ratios of the LLC over its capacity, "
     "or what chips share of the footprint",
     "kind: curve"},
    {"x", "axis", NULL, "required of curves, heat maps", "what runs along the picture",
     "x: llc.capacity"},
    {"y", "metric", NULL, "the ranking's", "what is shown", "y: effective_bandwidth"},
    {"by", "axis", NULL, "none", "whose values are compared: colours, bars, curves",
     "by: llc.organisation"},
    {"title", "text", NULL, "none", "in your words", "title: \"Bandwidth over capacity\""},
    {"parts", "list of metrics", NULL, "required of stacked", "of one unit, from below",
     "parts: [responses_local_llc, responses_remote_llc]"},
    {"of", "one of: groups", NULL, "workloads and groups", "bars of the groups of workloads alone",
     "of: groups"},
    {"published", "list of maps", NULL, "none", "marks of what a paper prints, see below",
     "published: [{figure: \"SM-side over memory-side\", of: gemm, at: sm-side}]"},
    {"trends", "map", NULL, "none",
     "which way a value of by goes along x in the paper: falls, flat or rises",
     "trends: {sac: rises}"},
    {NULL}};

const struct file_key space_figure_keys[] = {
    {"paper", "system or path", NULL, "required", "whose published figures they are", "paper: sac"},
    {"where", "list of texts", NULL, "required", "as the place is written there",
     "where: [Fig. 8, abstract]"},
    {NULL}};

const struct file_key space_published_keys[] = {
    {"figure", "text", NULL, "required", "its name among the published figures",
     "figure: \"SM-side over memory-side\""},
    {"of", "text", NULL, "required", "the group, the workload or the value of an axis", "of: gemm"},
    {"at", "text", NULL, "required", "the value of the other axis", "at: sm-side"},
    {NULL}};

const struct file_form space_forms[] = {
    {"a space", "The file.", space_keys},
    {"axes, of values",
     "An axis is a list, `[2 MiB, 4 MiB]` or `[memory-side, sm-side]`, the same with a unit of "
     "all,",
     space_axis_values_keys},
    {"axes, of a range",
     "or a range, or a bundle: labels with the parameters that each sets, `{gddr6: "
     "{memory.bandwidth: 437.5 GB/s}, hbm2: {memory.bandwidth: 875 GB/s}}`. Of `machine` it is a "
     "list of machines, of `workload.size` one such as `[x1/4, x1, x4]`.",
     space_axis_range_keys},
    {"objectives, each", "One of the first two, and perhaps a tolerance.", objective_keys},
    {"rank", "", space_rank_keys},
    {"plots, each", "", space_plot_keys},
    {"figure", "For `bandscape reproduce`.", space_figure_keys},
    {"published, each", "Of a plot of bars, or of curves with by.", space_published_keys},
    {NULL}};
