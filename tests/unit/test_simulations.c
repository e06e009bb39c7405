/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulations that are kept: as text and back to the last bit, each once a run, and once for all
 * runs of one program. */
#include "check.h"

#include <dirent.h>

#include "explore/answer/simulations.h"
#include "simulate/gpu_record.h"

SET_UP
{
    check_own_cache();
}

static struct simulate_gpu_options some(uint64_t requests)
{
    return referee_options(requests);
}

static const struct simulate_gpu_result *ask(struct simulations *s, const struct subject *subject,
                                             const struct machine *machine, uint64_t requests)
{
    struct simulate_gpu_options options = some(requests);
    const struct simulate_gpu_result *result;
    check_ok(simulations_ask(s, subject, machine, &options, &result, &failure));
    return result;
}

static struct text print(const struct simulate_gpu_result *result)
{
    struct text text = {0};
    simulate_gpu_result_print(result, &text);
    return text;
}

static void same(const struct simulate_gpu_result *a, const struct simulate_gpu_result *b)
{
    struct text one = print(a), other = print(b);
    assert_string_equal(one.data, other.data);
    text_free(&one);
    text_free(&other);
}

/* Every line that there can be: launches, caches beside L1, TLBs, places of MSHRs. */
TEST(as_text_and_back)
{
    OWNED(machine) *machine =
        check_machine("machine: translated\nbase: dualopt\n"
                      "utlb: {contents: translations, scope: sm, entries: 64, latency: 1 cycles}\n"
                      "translation: {walk_latency: 100 cycles}\n");
    struct subject *subject;
    struct simulations *s = simulations_create();
    check_ok(subject_open("fir:input=small", &subject, &failure));
    const struct simulate_gpu_result *result = ask(s, subject, machine, UINT64_MAX), *cut;
    assert_true(result->n_launches > 0 && result->n_tlbs == 1 && result->n_beside > 0);
    assert_true(result->n_stations > 4 && result->whole && result->kernel_time_s > 0);
    cut = ask(s, subject, machine, 100);
    assert_true(!cut->whole && isnan(cut->kernel_time_s));
    for (int i = 0; i < 2; i++) {
        const struct simulate_gpu_result *from = i ? cut : result;
        struct text text = print(from);
        struct simulate_gpu_result *back = simulate_gpu_result_scan(text.data);
        assert_non_null(back);
        same(from, back);
        assert_true(back->kernel_time_s == from->kernel_time_s || i);
        assert_string_equal(back->launches[0].name, from->launches[0].name);
        assert_int_equal(back->launches[0].seen.hits, from->launches[0].seen.hits);
        assert_string_equal(back->tlbs[0].name, "utlb");
        simulate_gpu_result_destroy(back);
        /* Any part of it is none. */
        for (size_t n = 0; n < text.length; n += 1 + text.length / 40) {
            char kept = text.data[n];
            text.data[n] = '\0';
            assert_null(simulate_gpu_result_scan(text.data));
            text.data[n] = kept;
        }
        text_free(&text);
    }
    assert_null(simulate_gpu_result_scan("simulation 0\nrun 0\n"));
    subject_destroy(subject);
    simulations_destroy(s);
}

TEST(asked_again_it_is_found)
{
    OWNED(machine) *sac = check_shipped("sac", NULL);
    OWNED(machine) *equal = machine_clone(sac);
    OWNED(machine) *other = check_shipped("sac", SETTINGS("inter.latency", "50 ns"));
    struct subject *gemm, *mvt;
    struct simulations *s = simulations_create();
    check_ok(subject_open("gemm:input=small", &gemm, &failure));
    check_ok(subject_open("mvt:input=small", &mvt, &failure));
    const struct simulate_gpu_result *first = ask(s, gemm, sac, UINT64_MAX);
    assert_ptr_equal(ask(s, gemm, equal, UINT64_MAX), first);
    assert_int_equal(simulations_count(s).asked, 2);
    assert_int_equal(simulations_count(s).simulated, 1);
    assert_ptr_not_equal(ask(s, gemm, other, UINT64_MAX), first);
    assert_ptr_not_equal(ask(s, mvt, sac, UINT64_MAX), first);
    assert_ptr_not_equal(ask(s, gemm, sac, 1000), first);
    assert_int_equal(simulations_count(s).simulated, 4);
    struct simulate_gpu_options second = some(UINT64_MAX);
    const struct simulate_gpu_result *drawn;
    second.draw = 1;
    check_ok(simulations_ask(s, gemm, sac, &second, &drawn, &failure));
    assert_ptr_not_equal(drawn, first);
    assert_int_equal(simulations_count(s).simulated, 5);

    /* As simulated without any store; and by the next run, which simulates nothing. */
    struct simulate_gpu_options options = some(UINT64_MAX);
    struct simulate_gpu_result *anew;
    check_ok(referee_simulate(gemm, sac, &options, &anew, &failure));
    same(first, anew);
    struct simulations *next = simulations_create();
    same(ask(next, gemm, sac, UINT64_MAX), anew);
    assert_int_equal(simulations_count(next).asked, 1);
    assert_int_equal(simulations_count(next).simulated, 0);
    simulate_gpu_result_destroy(anew);
    simulations_destroy(next);
    simulations_destroy(s);
    subject_destroy(gemm);
    subject_destroy(mvt);
}

/* Calls `fn` with each kept simulation of the cache; how many there are. */
static size_t each_kept(void (*fn)(const char *path))
{
    char *folder = profile_cache_folder();
    DIR *directory = opendir(folder);
    size_t n = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        struct text path = {0};
        if (!strstr(entry->d_name, ".simulation"))
            continue;
        text_printf(&path, "%s/%s", folder, entry->d_name);
        n++;
        if (fn)
            fn(path.data);
        text_free(&path);
    }
    if (directory)
        closedir(directory);
    free(folder);
    return n;
}

static void damage(const char *path)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fputs("simulatioN", file);
    fclose(file);
}

TEST(what_is_damaged_is_simulated_anew)
{
    OWNED(machine) *sac = check_shipped("sac", NULL);
    struct subject *gemm;
    check_ok(subject_open("gemm:input=small", &gemm, &failure));
    struct simulations *s = simulations_create(), *next = simulations_create();
    const struct simulate_gpu_result *first = ask(s, gemm, sac, 500);
    assert_true(each_kept(damage) >= 1);
    same(ask(next, gemm, sac, 500), first);
    assert_int_equal(simulations_count(next).simulated, 1);
    simulations_destroy(next);
    next = simulations_create(); /* it was put right */
    same(ask(next, gemm, sac, 500), first);
    assert_int_equal(simulations_count(next).simulated, 0);
    simulations_destroy(next);
    simulations_destroy(s);
    subject_destroy(gemm);
}

/* Numbers without requests: refused, and nothing is kept. */
TEST(refused)
{
    OWNED(machine) *sac = check_shipped("sac", NULL);
    struct subject *point;
    struct simulations *s = simulations_create();
    struct simulate_gpu_options options = some(500);
    const struct simulate_gpu_result *result;
    size_t before = each_kept(NULL);
    check_ok(subject_open("tests/data/hand.profile.yaml", &point, &failure));
    check_error(simulations_ask(s, point, sac, &options, &result, &failure), STATUS_INPUT,
                "its source is needed");
    assert_null(result);
    assert_int_equal(simulations_count(s).simulated, 0);
    assert_int_equal(each_kept(NULL), before);
    simulations_destroy(s);
    subject_destroy(point);
}
