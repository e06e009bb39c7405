/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What workloads say of themselves: what size scales, what papers print. */
#include "workload_check.h"

#include "machine/machine.h"
#include "profile/census/census.h"

/* ---- sizes ------------------------------------------------------------------ */

TEST(test_size_is_read)
{
    static const struct {
        const char *text;
        double size;
    } good[] = {{"x2", 2},       {"x1/32", 1.0 / 32},    {"4", 4},    {"0.25", 0.25},
                {"x1024", 1024}, {"1/1024", 1.0 / 1024}, {"3/2", 1.5}};
    static const struct {
        const char *text, *words;
    } bad[] = {{"", "expected a factor, got \"\""},
               {"x", "expected a factor"},
               {"big", "expected a factor, got \"big\""},
               {"-2", "expected a factor"},
               {"x1/0", "expected a factor"},
               {"1/2/3", "expected a factor"},
               {"2x", "expected a factor"},
               {"0", "expected x1/1024 to x1024, got \"0\""},
               {"x1025", "expected x1/1024 to x1024"},
               {"x1/1e9", "expected x1/1024 to x1024"}};
    struct mark mark = {NULL, 1, 1, ""};
    double size;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        check_ok(scale_read_size(good[i].text, &mark, &size, &failure));
        check_relative(size, good[i].size, 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_error(scale_read_size(bad[i].text, &mark, &size, &failure), STATUS_INPUT,
                    bad[i].words);
}

#define NEST_HEAD                                                                                  \
    "workload: t\nsummary: s\nparameters: {n: 8, m: 2*n, k: 5}\ninputs: {small: {n: 4}, "          \
    "published-sac: {k: 7}}\n"
#define NEST_TAIL                                                                                  \
    "arrays: {A: {shape: [n, m, k], type: u8}}\n"                                                  \
    "kernels: [{name: k, grid: 1, block: 1, body: []}]\n"

/* Scaled from the values before; what depends on them follows; then all is as if it had
 * been given. */
TEST(test_nest_scales)
{
    static const struct {
        const char *scale, *settings, *wanted;
    } cases[] = {
        {"{n: n*size}", ":size=x1", ""},
        {"{n: n*size}", ":size=x4", ":n=32"},             /* m is 64 */
        {"{n: n*size}", ":input=small,size=x4", ":n=16"}, /* of the input chosen */
        {"{n: n*size}", ":size=2,n=100", ":n=200"},       /* of what is given */
        {"{n: n*size, m: m}", ":size=2", ":n=16,m=16"},   /* m as before */
        {"{n: n*sqrt(size)}", ":size=x1/4", ":n=4"},      /* */
        {"{n: n*sqrt(size)}", ":size=2", ":n=11"},        /* 11.3 */
        {"{k: \"4*ceil(k/4*size^(1/3))\"}", ":size=8", ":k=12"},
        {"{k: n*size}", ":size=2", ":k=16"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char yaml[1024], wanted[1024];
        OWNED(source) *source = NULL;
        snprintf(yaml, sizeof yaml, NEST_HEAD "scale: %s\n" NEST_TAIL, cases[i].scale);
        check_ok(workload_open_text(yaml, cases[i].settings, &source, &failure));
        snprintf(wanted, sizeof wanted, "%s%s", check_path("nest.yaml"), cases[i].wanted);
        assert_string_equal(source->spec, wanted);
    }
}

TEST(test_nest_errors)
{
    static const struct {
        const char *facts, *settings, *words;
    } cases[] = {
        {"", ":size=2", "t does not say what its size is"},
        {"scale: {n: n*size}\n", ":size=x1/64", "size x0.015625 makes n 0.125: out of range"},
        {"scale: {n: n*size}\n", ":size=many", "expected a factor, got \"many\""},
        {"scale: {q: n*size}\n", "", "unknown key \"q\""},
        {"scale: {n: n*sizes}\n", ":size=2", "\"sizes\" is neither size nor a parameter"},
        {"scale: {n: 2 MiB}\n", ":size=2", "expected a plain number"},
        {"scale: {n: n*}\n", "", "nest.yaml:5:"},
        {"scale: [n]\n", "", "nest.yaml:5:"},
        {"published: {sac: {ctas: many}}\n", "", "ctas: expected a plain number, got \"many\""},
        {"published: {sac: {ctas: 3 MB}}\n", "", "ctas: expected a plain number"},
        {"published: {sac: {footprint: 3}}\n", "", "footprint: expected a size, got \"3\""},
        {"published: {sac: {footprint: -3 MB}}\n", "", "footprint: expected a size"},
        {"published: {sac: {footprints: 3 MB}}\n", "", "unknown key \"footprints\""},
        {"published: {nuba: {footprint: 3 MB}}\n", "", "there is no input \"published-nuba\""},
        {"published: {sac: {footprint: 3 MB, why: {ctas: because}}}\n", "", "unknown key \"ctas\""},
        {"published: {sac: {slow: no}}\n", "", "slow: expected true, got \"no\""},
        {"published: 3\n", "", "nest.yaml:5:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char yaml[1024];
        struct source *source;
        snprintf(yaml, sizeof yaml, NEST_HEAD "%s" NEST_TAIL, cases[i].facts);
        check_error(workload_open_text(yaml, cases[i].settings, &source, &failure), STATUS_INPUT,
                    cases[i].words);
    }
    const char *reserved = "workload: t\nsummary: s\nparameters: {size: 8}\n"
                           "inputs: {small: {size: 4}}\n" NEST_TAIL;
    struct source *source;
    check_error(workload_open_text(reserved, "", &source, &failure), STATUS_INPUT,
                "\"size\" is a setting of every workload");
}

static bool has_input(const void *context, const char *name)
{
    return strcmp(context, name) == 0;
}

/* Of a workload in C: a file of their own, with the same map. */
TEST(test_published_files)
{
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "\"published\" is missing"},
        {"published: {}\nfigures: {}\n",
         "published.yaml:2:1: error: published figures: unknown key \"figures\""},
        {"publisht: {}\n", "did you mean \"published\"?"},
        {"published: [sac]\n", "published.yaml:1:12:"},
        {"published: {sac: {cta: 3}}\n", "did you mean \"ctas\"?"},
        {"published: {sac: {ctas: 3 MB}}\n", "ctas: expected a plain number"},
        {"published: {sac: {footprint: 3}}\n", "footprint: expected a size, got \"3\""},
        {"published: {nuba: {footprint: 3 MB}}\n", "there is no input \"published-nuba\""},
        {"published: {sac: {slow: perhaps}}\n", "slow: expected true, got \"perhaps\""},
        {"published: {sac: {slow: [true]}}\n", "published.yaml:1:25:"},
        {"published: {sac: {ctas: 3, why: {footprint: because}}}\n", "unknown key \"footprint\""},
    };
    struct arena *arena = arena_create();
    const struct workload_published *list;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_error(workload_published_load(check_file("published.yaml", bad[i].text), arena,
                                            has_input, "published-sac", &list, &failure),
                    STATUS_INPUT, bad[i].words);
    const char *good = "published: {sac: {slow: true, ctas: 3, machine: mcm, footprint: 4 MB,\n"
                       "                  why: {footprint: because}}}\n";
    check_ok(workload_published_load(check_file("published.yaml", good), arena, has_input,
                                     "published-sac", &list, &failure));
    assert_string_equal(list->name, "sac");
    assert_string_equal(list->machine, "mcm");
    assert_true(list->slow);
    assert_string_equal(list->figures[0].name, "ctas");
    assert_string_equal(list->figures[0].value, "3");
    assert_null(list->figures[0].why);
    assert_string_equal(list->figures[1].value, "4 MB");
    assert_string_equal(list->figures[1].why, "because");
    assert_null(list->figures[2].name);
    assert_null(list[1].name);
    arena_destroy(arena);
}

/* What lies there belongs to a workload in C. */
TEST(test_published_files_are_read)
{
    char *folder = file_shipped("spaces/workloads/published"), **files = NULL;
    size_t count = folder ? file_list(folder, &files) : 0;
    assert_true(count >= 12);
    for (size_t i = 0; i < count; i++) {
        char *tail = strrchr(files[i], '.');
        assert_true(tail && strcmp(tail, ".yaml") == 0);
        *tail = '\0';
        if (!plugin_find("workload", files[i]))
            fail_msg("%s is no workload in C", files[i]);
        free(files[i]);
    }
    free(files);
    free(folder);
}

TEST(test_c_workloads_scale)
{
    static const char *const specs[][2] = {
        {"bfs:nodes=1000,size=x1", "bfs:nodes=1000"},
        {"bfs:nodes=1000,size=x4", "bfs:nodes=4000"},
        {"bfs:input=small,size=x1/2", "bfs:generator=rmat,nodes=8192,degree=4,source=max"},
        {"bfs:input=small,size=1", "bfs:generator=rmat,nodes=2^14,degree=4,source=max"},
    };
    struct source *source;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        source = check_source(specs[i][0]);
        assert_string_equal(source->spec, specs[i][1]);
        source_destroy(source);
    }
    check_error(source_open("bfs:graph=x.mtx,size=2", &source, &failure), STATUS_INPUT,
                "size=2: nodes=2000000 has no effect beside graph=");
    check_error(source_open("bfs:size=x0", &source, &failure), STATUS_INPUT, "expected x1/1024");
    check_error(source_open("bfs:sise=x2", &source, &failure), STATUS_INPUT,
                "did you mean \"size\"?");
}

/* ---- the shipped ones ------------------------------------------------------- */

/* What a size does not scale, as parts of the default footprint: the weights of networks. */
static const struct {
    const char *name;
    double fixed;
} laws[] = {{"alexnet", 0.77}, {"resnet", 0.27}, {"squeezenet", 0.17}, {"gru", 0.19}, {"nn", 0.47},
            {"btree", 0.025},  {NULL, 0}};

static double allocated(const char *name, const char *input, const char *size)
{
    char spec[200];
    snprintf(spec, sizeof spec, "%s:input=%s,size=%s", name, input, size);
    OWNED(source) *source = check_source(spec);
    double bytes = census_allocated_bytes(source);
    return bytes;
}

/* From a thirty-second to eight times as much. Workloads in C really make their input, so
 * their large sizes are left to the long run. */
TEST(test_footprints_scale)
{
    static const struct {
        const char *text;
        double size;
    } sizes[] = {{"x1/32", 1.0 / 32}, {"x1/8", 1.0 / 8}, {"x1/4", 1.0 / 4}, {"x1/2", 1.0 / 2},
                 {"x2", 2},           {"x4", 4},         {"x8", 8}};
    struct arena *arena = arena_create();
    struct workload_info *list;
    size_t count;
    check_ok(workload_list(arena, &list, &count, &failure));
    for (size_t i = 0; i < count; i++) {
        bool in_c = plugin_find("workload", list[i].name), large = !in_c || check_rounds(0, 1);
        const char *input = large ? "default" : "small";
        double fixed = 0;
        if (!list[i].scale)
            fail_msg("%s does not say what its size is", list[i].name);
        for (size_t k = 0; laws[k].name; k++)
            if (strcmp(laws[k].name, list[i].name) == 0)
                fixed = laws[k].fixed;
        double whole = allocated(list[i].name, input, "x1");
        for (size_t k = large ? 0 : 2; k < sizeof sizes / sizeof *sizes; k++) {
            double ratio = allocated(list[i].name, input, sizes[k].text) / whole;
            double wanted = fixed + (1 - fixed) * sizes[k].size;
            if (!(ratio > 0.8 * wanted && ratio < 1.2 * wanted))
                fail_msg("%s: size=%s has %.3g of the footprint, expected %.3g", list[i].name,
                         sizes[k].text, ratio, wanted);
        }
    }
    arena_destroy(arena);
}

/* Figures can be read, machines are there, inputs too, and reasons are sentences. */
TEST(test_published_figures)
{
    struct arena *arena = arena_create();
    struct workload_info *list;
    size_t count, papers = 0;
    check_ok(workload_list(arena, &list, &count, &failure));
    for (size_t i = 0; i < count; i++)
        for (const struct workload_published *p = list[i].published; p && p->name; p++, papers++) {
            const struct workload_input *input = list[i].inputs;
            double value;
            struct machine *machine = check_shipped(p->machine ? p->machine : p->name, NULL);
            machine_destroy(machine);
            while (input->name && strcmp(input->name, arena_printf(arena, "published-%s", p->name)))
                input++;
            if (!input->name)
                fail_msg("%s has no input published-%s", list[i].name, p->name);
            assert_non_null(p->figures[0].name);
            for (int f = 0; p->figures[f].name; f++) {
                check_ok(workload_figure_value(&p->figures[f], &value, &failure));
                assert_true(!p->figures[f].why || strlen(p->figures[f].why) > 20);
            }
        }
    assert_true(papers >= 55);
    arena_destroy(arena);
}
