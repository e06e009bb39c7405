/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages, and their texts for terminals and as Markdown. */
#include "cli/reference.h"

#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/network_file.h"
#include "explore/space/space.h"
#include "profile/record/profile.h"
#include "trace/reader.h"
#include "trace/text_format.h"
#include "workload/language/nest.h"

void reference_put_forms(const struct reference_writer *writer, const struct file_form *forms)
{
    for (; forms->name; forms++) {
        writer->form(forms->name, forms->help);
        for (const struct file_key *key = forms->keys; key->name; key++)
            writer->key(key);
    }
}

/* --- what each page has --------------------------------------------------------- */

static void put_space(const struct reference_writer *writer)
{
    reference_put_forms(writer, space_forms);
}

static void put_workload(const struct reference_writer *writer)
{
    reference_put_forms(writer, nest_forms);
    reference_put_forms(writer, (const struct file_form[]){workload_published_form, {NULL}});
}

static void put_network(const struct reference_writer *writer)
{
    reference_put_forms(writer, network_file_forms);
}

static void put_field(const struct reference_writer *writer, const struct profile_field_row *row)
{
    bool bytes = dim_equal(row->dim, DIM_BYTES), plain = dim_equal(row->dim, DIM_NONE);
    bool share = row->kind == FIELD_KIND_RATIO || row->kind == FIELD_KIND_UNIFORMITY ||
                 row->kind == FIELD_KIND_RUN;
    const char *value = !plain ? bytes ? "512 KiB" : "12 us" : share ? "0.9" : "4096";
    char unit[64], example[128];
    bool level = strncmp(row->path, "LEVEL.", 6) == 0;
    snprintf(example, sizeof example, "%s%s: %s", level ? "l15" : "",
             level ? row->path + 5 : row->path, value);
    writer->key(&(struct file_key){.name = row->path,
                                   .type = !plain  ? bytes ? "size" : "time"
                                           : share ? "share"
                                                   : "number",
                                   .unit = plain ? NULL : dim_unit(row->dim, unit, sizeof unit),
                                   .fallback = "unknown",
                                   .help = row->help,
                                   .example = example});
}

static void put_profile(const struct reference_writer *writer)
{
    reference_put_forms(writer, profile_forms);
    writer->form(
        "fields",
        "Of records and points, as they stand here or in groups: `lsu.sm-side: 1` is `lsu: "
        "{sm-side: 1}`. LEVEL is the name of a level of the machine between L1 and the "
        "LLC, of a TLB or of a cache beside L1.");
    for (int i = 0; i < FIELD_COUNT; i++)
        if (profile_field_exists(i) && (!profile_field_is_of_level(i) || i < FIELD_LEVEL_1))
            put_field(writer, profile_field_row(i));
}

static void put_trace(const struct reference_writer *writer)
{
    writer->form("formats", "Each file is read by the first of these that knows its name or its "
                            "first bytes; a compressed file ends in .xz, .gz or .zst.");
    size_t cursor = 0;
    for (const struct plugin *plugin; (plugin = plugin_next("reader", &cursor));)
        writer->key(&(struct file_key){.name = plugin->name,
                                       .type = "format",
                                       .fallback = "found by itself",
                                       .help = plugin->summary,
                                       .example = NULL});
    reference_put_forms(writer, text_format_forms);
}

const struct reference references[] = {
    {"machine-files", "machine", "what a machine may say",
     "A machine is a YAML file of parameters in sections. Quantities on a chip are per chip, links "
     "per "
     "link and direction. Latencies may be in cycles, which follow sm.clock. What is not given has "
     "its default; what has none is absent, and what needs it says so. Any parameter is also set "
     "by "
     "--set SECTION.KEY=VALUE and varied by axes of spaces. Examples are of shipped machines, "
     "where "
     "one says so.",
     reference_put_machine, "mine.yaml",
     "machine: mine\n"
     "base: sac\n"
     "summary: eight chips, fully connected\n"
     "chips: 8\n"
     "inter: {topology: fully-connected, link_bandwidth: 64 GB/s}\n"
     "llc: {capacity: 8 MiB, organisation: sm-side}\n",
     "bandscape whatif --machine mine.yaml --workload gemm:input=small",
     "models/README.md; bandscape list parameters --machine M"},
    {"space-files", "space", "what a space of designs may say",
     "A space is a YAML file: axes over the parameters of a machine, workloads, models, "
     "constraints and "
     "objectives. Names and units are checked before anything is profiled.",
     put_space, "mine.yaml",
     "space: mine\n"
     "summary: links and caches of a 4-chip GPU\n"
     "machine: sac\n"
     "workloads: [\"gemm:input=small\", \"bfs:input=small\"]\n"
     "models: [eab, bottleneck]\n"
     "axes:\n"
     "  inter.link_bandwidth: {values: [48, 96, 192], unit: GB/s}\n"
     "  llc.capacity: {from: 1 MiB, to: 16 MiB, scale: log2, points: 5}\n"
     "  memory:\n"
     "    gddr6: {memory.bandwidth: 437.5 GB/s}\n"
     "    hbm2: {memory.bandwidth: 875 GB/s}\n"
     "  llc.organisation: [memory-side, sm-side]\n"
     "let: {total_llc: \"llc.capacity * chips\"}\n"
     "where: [\"total_llc <= 48 MiB\", \"effective_bandwidth within 5% of best\"]\n"
     "objectives:\n"
     "  - {maximise: effective_bandwidth, tolerance: 1%}\n"
     "  - {minimise: inter.link_bandwidth}\n"
     "rank:\n"
     "  by: inter.link_bandwidth\n"
     "  order: minimise\n"
     "  aggregate: harmonic-mean\n"
     "  model: eab\n"
     "  top: 20\n"
     "groups: {graphs: [bfs]}\n"
     "plots:\n"
     "  - {kind: pareto, by: llc.organisation}\n"
     "  - kind: curve\n"
     "    x: llc.capacity\n"
     "    by: llc.organisation\n"
     "    title: \"Bandwidth over capacity\"\n",
     "bandscape sweep mine.yaml -o results/mine", "spaces/README.md; bandscape list spaces"},
    {"workload-files", "workload", "what a kernel of your own may say",
     "A regular kernel is a YAML file: arrays, a grid of thread blocks, loops, and the elements "
     "that a "
     "thread loads and stores. It is a workload wherever one is asked for.",
     put_workload, "mine.yaml",
     "workload: mine\n"
     "summary: five-point smoothing, then a sum of each row\n"
     "parameters: {n: 1024, m: n/2, steps: 4}\n"
     "inputs: {small: {n: 128}}\n"
     "scale: {n: n*sqrt(size)}\n"
     "arrays:\n"
     "  a: {shape: [n, m], type: f32}\n"
     "  b: {shape: [n, m], type: f32}\n"
     "  sum: {shape: [n], type: f64}\n"
     "tables: {right: [0, -1, 0, 1, 0], down: [-1, 0, 0, 0, 1]}\n"
     "kernels:\n"
     "  - name: smooth\n"
     "    repeat: steps\n"
     "    swap: [[a, b]]\n"
     "    grid: [\"ceil(m/32)\", \"ceil(n/8)\"]\n"
     "    block: [32, 8]\n"
     "    let: {x: bx*32 + tx, y: by*8 + ty}\n"
     "    guard: x > 0 and x < m-1 and y > 0 and y < n-1\n"
     "    body:\n"
     "      - {for: i in 0..5, body: [{load: \"a[y + down[i], x + right[i]]\"}]}\n"
     "      - {compute: 5}\n"
     "      - {store: \"b[y,x]\"}\n"
     "  - repeat: s in 0..3\n"
     "    let: {half: n/2^(s+1)}\n"
     "    kernels:\n"
     "      - name: add\n"
     "        grid: ceil(half/128)\n"
     "        block: 128\n"
     "        shared: 1024\n"
     "        let: {i: bx*128 + tx}\n"
     "        guard: i < half\n"
     "        body:\n"
     "          - for: j in 0..m\n"
     "            step: 2\n"
     "            unroll: 8\n"
     "            body: [{load: \"a[i,j]\"}, {overhead: 1}]\n"
     "          - {if: i % 2 == 0, body: [{atomic: \"sum[i/2]\"}]}\n",
     "bandscape whatif --machine sac --workload mine.yaml:input=small",
     "spaces/workloads/README.md; bandscape list workloads"},
    {"profile-files", "profile", "what a profile may say",
     "A profile is a YAML file that bandscape profile writes: for each structure of a machine, "
     "what was "
     "counted. It may be written by hand as well: what is absent is unknown, and a model that "
     "needs "
     "it says so. A file that the program wrote ends in three dots and a checksum; delete them "
     "with "
     "its first line, and nothing is checked.",
     put_profile, "mine.yaml",
     "profile: mine\n"
     "notes: figures from elsewhere\n"
     "points:\n"
     "  - name: first\n"
     "    bytes: 1 GB\n"
     "    r_local: 0.5\n"
     "    llc_hit: {memory-side: 0.8, sm-side: 0.5}\n"
     "    lsu: {memory-side: 0.9, sm-side: 1.0}\n"
     "  - name: second\n"
     "    launches: 10\n"
     "    bytes: 2 GB\n"
     "    r_local: 0.9\n"
     "    llc_hit: {memory-side: 0.6, sm-side: 0.6}\n"
     "    lsu: {memory-side: 0.9, sm-side: 0.9}\n",
     "bandscape whatif --machine sac --workload mine.yaml",
     "src/profile/README.md; bandscape list fields"},
    {"network-files", "network", "what a queueing network may say",
     "A queueing network is a YAML file: classes of customers, and stations with what each class "
     "asks "
     "of them. Bare numbers are in the unit that stands here.",
     put_network, "mine.yaml",
     "summary: a processor, two disks behind one queue, and a network\n"
     "network:\n"
     "  classes:\n"
     "    - {name: batch, population: 32, think: 0.5 s}\n"
     "    - {name: visitors, arrival: 0.25 /s}\n"
     "  stations:\n"
     "    - {name: cpu, demand: [5 ms, 20 ms], scv: 1}\n"
     "    - name: disks\n"
     "      kind: multi\n"
     "      servers: 2\n"
     "      service: [10 ms, 10 ms]\n"
     "      visits: [4, 1]\n"
     "    - {name: net, kind: delay, demand: [0.1, 0.1]}\n"
     "    - name: pool\n"
     "      kind: load-dependent\n"
     "      rates: [1, 1.8, 2.4]\n"
     "      demand: [0.01, 0.01]\n",
     "bandscape network mine.yaml", "src/queueing/README.md; bandscape list algorithms"},
    {"trace-files", "trace", "what a trace may say",
     "Traces of real programs are workloads wherever one is asked for. The text form, below, is "
     "easily "
     "written by hand or by another tool; the binary form says the same in about a sixth of the "
     "space (src/trace/binary_format.h), and bandscape trace convert makes one of the other.",
     put_trace, "mine.btrace",
     "bandscape-trace 1\n"
     "# y[i] = x[i] + a[0], two CTAs of one warp\n"
     "allocation x 0x10000 4096\n"
     "allocation y 0x20000 4096\n"
     "home 0x10000 4096 1\n"
     "kernel add grid=2 block=32 shared=1024\n"
     "warp 0 0\n"
     "r 0x10000 4 stride=4 insts=9\n"
     "r 0x30000 4 lanes=32 ahead=1\n"
     "w 0x20000 4 stride=4 insts=3 think=20\n"
     "i 1\n"
     "warp 1 0\n"
     "r 0x10080 4 stride=4 mask=0x0000ffff insts=9\n"
     "a 0x20010,+4,+4,+64,-8 8 insts=3\n",
     "bandscape trace info mine.btrace", "src/trace/README.md; bandscape list readers"},
    {.name = NULL}};

const struct reference *reference_find(const char *name)
{
    for (const struct reference *r = references; r->name; r++) {
        size_t length = strlen(r->page);
        const char *rest = strncmp(name, r->page, length) == 0 ? name + length : "?";
        if (strcmp(r->name, name) == 0 || rest[0] == '\0' || strcmp(rest, "s") == 0)
            return r;
    }
    return NULL;
}

/* --- for terminals ------------------------------------------------------------------ */

void reference_plain(const char *text, struct text *out)
{
    text_append(out, "");
    for (; *text; text++)
        if (*text != '`')
            text_append_bytes(out, text, 1);
}

/* "Count, in lanes; default: 50. top: 20" */
void reference_key_facts(const struct file_key *key, struct text *out)
{
    bool required =
        strncmp(key->fallback, "required", 8) == 0 || strncmp(key->fallback, "this", 4) == 0;
    text_printf(out, "%s%s%s%s%s", key->type, key->unit ? ", in " : "", key->unit ? key->unit : "",
                required ? "; " : "; default: ", key->fallback);
}

static void print_form(const char *name, const char *help)
{
    struct text plain = {0};
    reference_plain(help, &plain);
    printf("\n%s:\n", name);
    if (plain.length)
        help_print_words(plain.data, plain.length);
    printf("\n");
    text_free(&plain);
}

static void print_key(const struct file_key *key)
{
    struct text plain = {0}, facts = {0};
    reference_plain(key->help, &plain);
    reference_key_facts(key, &facts);
    help_print_entry(key->name, plain.data);
    help_print_entry("", facts.data);
    if (key->example)
        help_print_whole(key->example);
    text_free(&plain);
    text_free(&facts);
}

static void print_example(const struct reference *r, const char *indent)
{
    for (const char *at = r->example; *at;) {
        size_t length = strcspn(at, "\n") + 1;
        printf("%s%.*s", indent, (int)length, at);
        at += length;
    }
}

void reference_print(const struct reference *r)
{
    static const struct reference_writer writer = {print_form, print_key};
    printf("%s - %s\n\n", r->name, r->summary);
    help_print_words(r->description, strlen(r->description));
    printf("\nOf each key: what it means, its type, unit and default, and an example.\n");
    r->forms(&writer);
    printf("\nExample, %s:\n\n", r->file);
    print_example(r, "  ");
    printf("\n  %s\n\nSee also %s.\n", r->use, r->more);
}

/* --- as Markdown ------------------------------------------------------------------------ */

static void markdown_cell(const char *text)
{
    for (; *text; text++)
        printf(*text == '|' || *text == '*' || *text == '<' ? "\\%c" : "%c", *text);
}

static void markdown_form(const char *name, const char *help)
{
    printf("\n## %s\n\n%s%s| key | type | unit | default | meaning | example |\n"
           "|---|---|---|---|---|---|\n",
           name, help, help[0] ? "\n\n" : "");
}

static void markdown_key(const struct file_key *key)
{
    const char *cells[] = {key->type, key->unit ? key->unit : "", key->fallback, key->help};
    printf("| `%s` |", key->name);
    for (int i = 0; i < 4; i++) {
        printf(" ");
        markdown_cell(cells[i]);
        printf(" |");
    }
    printf(key->example ? " `%s` |\n" : " %s|\n", key->example ? key->example : "");
}

void reference_markdown(const struct reference *r)
{
    static const struct reference_writer writer = {markdown_form, markdown_key};
    printf("# bandscape-%s: %s\n\n%s\n", r->page, r->summary, r->description);
    r->forms(&writer);
    printf("\n## Example\n\n`%s`, for `%s`:\n\n", r->file, r->use);
    print_example(r, "    ");
    printf("\nSee also %s.\n", r->more);
}
