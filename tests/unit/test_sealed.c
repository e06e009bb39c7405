/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are read back: every cut and flipped bit of one is noticed, cached views are made anew
 * with the same numbers, and a stored profile that was cut is no shorter profile. */
#include "profile_check.h"

#include <unistd.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/remark.h"
#include "core/sealed.h"
#include "profile/run/profiler.h"
#include "profile/files/open.h"

static char folder[64];
static struct {
    int count;
    char last[2048];
} remarks;

static void note_remark(void *context, const char *text)
{
    (void)context;
    remarks.count++;
    snprintf(remarks.last, sizeof remarks.last, "%s", text);
}

static int set_up(void **state)
{
    (void)state;
    /* In memory where that can be: thousands of files are synced. */
    snprintf(folder, sizeof folder, "/dev/shm/bandscape-sealed-XXXXXX");
    if (!mkdtemp(folder))
        snprintf(folder, sizeof folder, "/tmp/bandscape-sealed-XXXXXX");
    if (access(folder, W_OK) != 0 && !mkdtemp(folder))
        return -1;
    setenv("BANDSCAPE_CACHE", folder, 1);
    remark_set_listener(note_remark, NULL);
    return 0;
}

static int tear_down(void **state)
{
    char **names;
    size_t count = file_list(folder, &names);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
        free(names[i]);
    }
    free(names);
    return rmdir(folder);
}

/* A short run of a machine of two chips. */
static struct synthetic *short_run(void)
{
    struct synthetic *s = synthetic_create("run");
    uint64_t random = 7;
    synthetic_kernel(s, "k", 2, 1);
    for (int i = 0; i < 40; i++)
        synthetic_lane(s, check_random(&random) % 2, 0, i % 3 ? ACCESS_READ : ACCESS_WRITE,
                       check_random(&random) % (1 << 14));
    return s;
}

static const char machine_text[] = "machine: m\nchips: 2\nsm: {per_chip: 1}\n"
                                   "l1: {capacity: 2 KiB}\nllc: {slices: 2, capacity: 64 KiB}\n";

/* The profile by the cache, as text. */
static void obtain(const struct synthetic *s, const struct machine *machine, bool *cached,
                   struct text *out)
{
    OWNED(profile) *profile = profile_create();
    struct profile_options options = {.parts = PART_WAITS};
    check_ok(profile_obtain(profile, &s->source, machine, &options, cached, &failure));
    out->length = 0;
    profile_print(profile, out);
}

/* The only file in the folder. */
static void only_file(char *path, size_t size)
{
    char **names;
    assert_int_equal(file_list(folder, &names), 1);
    snprintf(path, size, "%s/%s", folder, names[0]);
    free(names[0]);
    free(names);
}

/* --- the seal itself ------------------------------------------------------------------------ */

static void test_seal(void **state)
{
    struct text text = {0};
    uint64_t random = 1;
    (void)state;
    for (int size = 0; size < 300; size += 37) {
        text.length = 0;
        for (int i = 0; i < size; i++)
            text_append_bytes(&text, (const char[]){(char)check_random(&random)}, 1);
        text_append(&text, "");
        sealed_append(&text);
        size_t whole = text.length;
        assert_true(sealed_check(text.data, &whole));
        assert_int_equal(whole, size);
        assert_true(sealed_is_marked(text.data, text.length) || size > 0);
        for (size_t cut = 0; cut < text.length; cut++) {
            size_t kept = cut;
            assert_false(sealed_check(text.data, &kept));
        }
        for (size_t bit = 0; bit < 8 * text.length; bit++) {
            size_t kept = text.length;
            text.data[bit / 8] ^= (char)(1 << bit % 8);
            assert_false(sealed_check(text.data, &kept));
            text.data[bit / 8] ^= (char)(1 << bit % 8);
        }
        size_t longer = text.length + 1;
        text_append(&text, "\n");
        assert_false(sealed_check(text.data, &longer));
        sealed_append(&text);
    }
    text_free(&text);
}

/* --- cached views ------------------------------------------------------------------------------
 */

/* The damaged entry is made anew with one remark and the same numbers. */
static void check_made_anew(const struct synthetic *s, const struct machine *machine,
                            const char *path, const char *data, size_t size,
                            const struct text *want)
{
    struct text got = {0};
    bool cached = true;
    const struct profile_options options = {.parts = PART_WAITS}, base = {0};
    check_ok(file_write(path, data, size, &failure));
    remarks.count = 0;
    assert_false(profile_is_cached(&s->source, machine, &options));
    assert_false(profile_is_cached(&s->source, machine, &base));
    assert_int_equal(remarks.count, 0);
    obtain(s, machine, &cached, &got);
    assert_false(cached);
    assert_int_equal(remarks.count, 1);
    assert_non_null(strstr(remarks.last, path));
    assert_non_null(strstr(remarks.last, "made anew"));
    assert_string_equal(got.data, want->data);
    text_free(&got);
}

static void test_cached_views(void **state)
{
    (void)state;
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = short_run();
    struct text want = {0}, got = {0}, longer = {0};
    bool cached;
    char path[512], *entry, *after;
    size_t size, again;
    obtain(s, machine, &cached, &want);
    assert_false(cached);
    only_file(path, sizeof path);
    check_ok(file_read(path, 1 << 20, &entry, &size, &failure));
    obtain(s, machine, &cached, &got);
    assert_true(cached);
    assert_string_equal(got.data, want.data);

    const size_t step = check_long() ? 1 : check_slowness() > 1 ? 23 : 1;
    for (size_t cut = 0; cut < size; cut += step)
        check_made_anew(s, machine, path, entry, cut, &want);
    for (size_t at = 0; at < size; at += step) { /* one bit of every byte */
        entry[at] ^= (char)(1 << at % 8);
        check_made_anew(s, machine, path, entry, size, &want);
        entry[at] ^= (char)(1 << at % 8);
    }
    text_append_bytes(&longer, entry, size);
    text_append(&longer, "\n");
    check_made_anew(s, machine, path, longer.data, longer.length, &want);
    text_append_bytes(&longer, entry, size); /* twice */
    check_made_anew(s, machine, path, longer.data, longer.length, &want);

    /* What was made anew is the old entry. */
    check_ok(file_read(path, 1 << 20, &after, &again, &failure));
    assert_int_equal(again, size);
    assert_memory_equal(after, entry, size);
    free(after);
    free(entry);
    remarks.count = 0;
    obtain(s, machine, &cached, &got);
    assert_true(cached);
    assert_int_equal(remarks.count, 0);
    text_free(&want);
    text_free(&got);
    text_free(&longer);
}

/* An entry that cannot be kept is told, or is an error when it is to be kept. */
static void test_cache_that_fails(void **state)
{
    (void)state;
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = short_run();
    struct profile_options options = {.keep = true};
    bool cached;
    struct text text = {0};
    setenv("BANDSCAPE_CACHE", "/dev/null/nowhere", 1);
    remarks.count = 0;
    obtain(s, machine, &cached, &text);
    assert_int_equal(remarks.count, 1);
    assert_non_null(strstr(remarks.last, "not kept in the cache: cannot make folder /dev/null"));
    obtain(s, machine, &cached, &text); /* once is enough */
    assert_int_equal(remarks.count, 1);
    OWNED(profile) *profile = profile_create();
    check_error(profile_obtain(profile, &s->source, machine, &options, &cached, &failure),
                STATUS_IO, "the view cannot be kept: cannot make folder /dev/null");
    setenv("BANDSCAPE_CACHE", folder, 1);
    text_free(&text);
}

/* --- stored profiles ------------------------------------------------------------------------- */

static void load_stored(const char *path, const char *data, size_t size, int want_remarks,
                        const char *words)
{
    struct profile *profile = NULL;
    check_ok(file_write(path, data, size, &failure));
    remarks.count = 0;
    if (words)
        check_error(profile_load(path, &profile, &failure), STATUS_INPUT, words);
    else
        check_ok(profile_load(path, &profile, &failure));
    assert_int_equal(remarks.count, want_remarks);
    profile_destroy(profile);
}

static void test_stored_profiles(void **state)
{
    (void)state;
    OWNED(machine) *machine = check_machine(machine_text);
    OWNED(synthetic) *s = short_run();
    struct profile *made = check_profile(&s->source, machine, false), *profile = NULL;
    struct text file = {0}, body = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/stored.profile.yaml", folder);
    profile_print_file(made, &file);
    profile_print(made, &body);
    load_stored(path, file.data, file.length, 0, NULL);

    /* Cut anywhere after its first line it is refused, until nothing but the seal is missing. */
    char *end = strstr(file.data, "\n...\n");
    size_t head = (size_t)(strchr(file.data, '\n') + 1 - file.data);
    size_t content = (size_t)(end + 4 - file.data), seal = content + 1 + strlen("# sealed ");
    assert_non_null(end);
    for (size_t cut = head; cut < file.length; cut++)
        if (cut < content || (cut > content + 1 && cut < seal))
            load_stored(path, file.data, cut, 0, "was cut: its end is missing");
        else if (cut >= seal)
            load_stored(path, file.data, cut, 1, NULL);
        else
            load_stored(path, file.data, cut, 0, NULL);
    for (size_t cut = 0; cut < head; cut++) {
        check_ok(file_write(path, file.data, cut, &failure));
        assert_true(profile_load(path, &profile, &failure) < 0);
    }

    /* Who edits it hears of it, or takes away the marks; files by hand have none. */
    struct text edited = {0};
    char *name = strstr(file.data, "launches: 1");
    assert_non_null(name);
    text_append_bytes(&edited, file.data, file.length);
    edited.data[name - file.data + (long)strlen("launches: ")] = '2';
    load_stored(path, edited.data, edited.length, 1, NULL);
    assert_non_null(strstr(remarks.last, "was changed since it was written"));
    load_stored(path, edited.data, content + 1, 0, NULL);
    load_stored(path, body.data, body.length, 0, NULL);
    profile_destroy(made);
    unlink(path);
    text_free(&edited);
    text_free(&file);
    text_free(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seal),
        cmocka_unit_test_setup_teardown(test_cached_views, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cache_that_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stored_profiles, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
