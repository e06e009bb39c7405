/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of the cache that stay in memory: read once, read again when the file changes, never
 * changed by who wants less of them. */
#include "profile_check.h"

#include <stdatomic.h>
#include <unistd.h>

#include "core/file.h"
#include "core/parallel.h"
#include "profile/run/read_views.h"

SET_UP
{
    check_own_cache();
}

static const char machine_text[] = "machine: m\nchips: 2\nsm: {per_chip: 2}\n"
                                   "l1: {capacity: 2 KiB}\nllc: {slices: 3, capacity: 64 KiB}\n";

static struct synthetic *sample(int accesses)
{
    struct synthetic *s = synthetic_create("sample");
    uint64_t random = 5;
    synthetic_kernel(s, "k", 4, 2);
    for (int i = 0; i < accesses; i++)
        synthetic_lane(s, check_random(&random) % 4, i % 2, ACCESS_READ,
                       0x7f0000000000 + check_random(&random) % (1 << 16));
    return s;
}

static const unsigned parts = PART_WINDOW | PART_WAITS | PART_L1;

/* A file of the view of a run with so many accesses. */
static void write_view_to(const char *path, int accesses)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = sample(accesses);
    OWNED(profile) *profile = profile_create();
    struct profile_options options = {.parts = parts};
    struct error error; /* threads write, too */
    assert_int_equal(profile_make(profile, &s->source, machine, &options, &error), 0);
    assert_int_equal(profile_write(profile, path, &error), 0);
}

static void write_view(const char *name, int accesses)
{
    write_view_to(check_path(name), accesses);
}

static struct read_view *take(const char *name)
{
    return read_views_take(check_path(name), false);
}

static void give(struct read_view *view)
{
    view->held.release(&view->held);
}

static char *text_of(const struct profile *profile)
{
    struct text text = {0};
    profile_print(profile, &text);
    return text.data;
}

TEST(test_read_once)
{
    check_empty_folder();
    write_view("a.yaml", 300);
    uint64_t before = read_views_parsed();
    struct read_view *one = take("a.yaml"), *two = take("a.yaml");
    assert_non_null(one);
    assert_ptr_equal(one, two);
    give(one);
    give(two);
    assert_ptr_equal(one, take("a.yaml")); /* nobody had it meanwhile */
    assert_int_equal(read_views_parsed() - before, 1);
    /* Who had the old file keeps it. */
    char *old = text_of(one->profile), *text;
    write_view("a.yaml", 100);
    two = take("a.yaml");
    assert_ptr_not_equal(one, two);
    assert_string_equal(text = text_of(one->profile), old);
    free(text);
    assert_string_not_equal(text = text_of(two->profile), old);
    assert_int_equal(read_views_parsed() - before, 2);
    /* Forgotten, but for those who hold it. */
    read_views_forget();
    free(text);
    text = text_of(two->profile);
    assert_true(text[0] != 0);
    struct read_view *again = take("a.yaml");
    assert_ptr_not_equal(again, two);
    assert_int_equal(read_views_parsed() - before, 3);
    give(again);
    give(one);
    give(two);
    free(text);
    free(old);
}

TEST(test_damaged)
{
    struct text text = {0};
    char *data;
    size_t size;
    check_empty_folder();
    assert_null(take("none.yaml"));
    write_view("a.yaml", 300);
    give(take("a.yaml"));
    check_ok(file_read(check_path("a.yaml"), 1 << 24, &data, &size, &failure));
    text_printf(&text, "%.*s", (int)size / 2, data); /* cut: nothing that was read hides it */
    check_file("a.yaml", text.data);
    assert_null(take("a.yaml"));
    assert_null(take("a.yaml"));
    check_file("a.yaml", data);
    struct read_view *view = take("a.yaml");
    assert_non_null(view);
    give(view);
    assert_int_equal(unlink(check_path("a.yaml")), 0);
    assert_null(take("a.yaml"));
    text_free(&text);
    free(data);
}

/* What one asker takes from its view, others keep. */
TEST(test_restricted)
{
    check_empty_folder();
    write_view("a.yaml", 3000);
    struct read_view *view = take("a.yaml");
    char *whole = text_of(view->profile), *text;
    const struct profile_record *record = view->profile->views[0].records;
    assert_true(record->n_prefixes > 0);
    struct profile *less = profile_create(), *all = profile_create();
    read_views_append(less, view);
    profile_view_restrict(&less->views[0], PART_BASE);
    assert_int_equal(less->views[0].records[0].n_prefixes, 0);
    assert_true(less->views[0].records[0].n_curves < record->n_curves);
    view = take("a.yaml");
    assert_string_equal(text = text_of(view->profile), whole);
    free(text);
    read_views_append(all, view);
    assert_true(all->views[0].records[0].n_prefixes > 0);
    profile_view_restrict(&all->views[0], PART_WINDOW);
    profile_destroy(less);
    view = take("a.yaml");
    assert_string_equal(text = text_of(view->profile), whole);
    assert_int_equal(all->views[0].records[0].n_prefixes, record->n_prefixes);
    profile_destroy(all);
    give(view);
    free(text);
    free(whole);
}

/* A plan and then the view: one reading; a session's next question: none. */
TEST(test_obtained)
{
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = sample(300);
    struct profile_options options = {.parts = parts};
    bool cached;
    check_empty_folder();
    for (int i = 0; i < 3; i++) {
        OWNED(profile) *profile = profile_create();
        uint64_t before = read_views_parsed();
        assert_int_equal(profile_is_cached(&s->source, machine, &options), i > 0);
        check_ok(profile_obtain(profile, &s->source, machine, &options, &cached, &failure));
        assert_int_equal(cached, i > 0);
        assert_int_equal(read_views_parsed() - before, i == 1);
    }
}

/* More files than are kept: those asked for last stay. */
TEST(test_many)
{
    enum { FILES = 80 };
    char name[FILES][24], *data;
    size_t size;
    check_empty_folder();
    write_view("0.yaml", 20);
    check_ok(file_read(check_path("0.yaml"), 1 << 24, &data, &size, &failure));
    for (int i = 0; i < FILES; i++) {
        snprintf(name[i], sizeof name[i], "%d.yaml", i);
        check_file(name[i], data);
        give(take(name[i]));
        give(take(name[0])); /* asked for again and again */
    }
    uint64_t before = read_views_parsed();
    give(take(name[0]));
    for (int i = FILES - 1; i > FILES - 40; i--)
        give(take(name[i]));
    assert_int_equal(read_views_parsed(), before);
    give(take(name[1]));
    assert_int_equal(read_views_parsed(), before + 1);
    free(data);
}

struct busy {
    const char *path;
    char *texts[2]; /* of the view before and after */
    atomic_int wrong;
};

static void ask(void *context, uint64_t i, int worker)
{
    struct busy *busy = context;
    struct read_view *view = read_views_take(busy->path, false);
    (void)worker;
    if (i % 16 == 7)
        write_view_to(busy->path, i % 32 == 7 ? 100 : 300);
    OWNED(profile) *profile = profile_create();
    if (!view)
        return;
    read_views_append(profile, view);
    profile_view_restrict(&profile->views[0], i % 2 ? PART_BASE : PART_WINDOW);
    char *text = text_of(view->profile);
    if (strcmp(text, busy->texts[0]) != 0 && strcmp(text, busy->texts[1]) != 0)
        atomic_fetch_add(&busy->wrong, 1);
    free(text);
}

TEST(test_threads)
{
    struct text path = {0};
    check_empty_folder();
    text_append(&path, check_path("a.yaml"));
    struct busy busy = {.path = path.data};
    for (int i = 0; i < 2; i++) {
        write_view("a.yaml", i ? 300 : 100);
        struct read_view *view = take("a.yaml");
        busy.texts[i] = text_of(view->profile);
        give(view);
    }
    parallel_for(4, (uint64_t)check_rounds(100, 1000), ask, &busy);
    assert_int_equal(busy.wrong, 0);
    free(busy.texts[0]);
    free(busy.texts[1]);
    text_free(&path);
}
