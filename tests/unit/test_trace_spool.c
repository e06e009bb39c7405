/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spool against plain arrays: any order of warps, file order, and the
 * temporary file beyond the memory limit. */
#include "trace_check.h"

#include "trace/spool/spool.h"

/* What was added, in order. */
struct model {
    struct {
        struct trace_item *items;
        size_t count, capacity;
    } added;
};

static struct warp_access random_access(uint64_t *random, uint64_t list[WARP_LANES])
{
    struct warp_access access = {
        .base = check_random(random) >> 20,
        .mask = (uint32_t)check_random(random) | 1,
        .instructions = (uint32_t)check_random(random),
        .bytes = 4,
        .kind = (uint8_t)(1 + check_random(random) % 3),
        .flags = (uint8_t)(check_random(random) % 2),
        .path = (uint8_t)(check_random(random) % ACCESS_PATHS),
    };
    switch (check_random(random) % 4) {
    case 0: /* irregular */
        for (int k = 0; k < WARP_LANES; k++)
            list[k] = check_random(random) >> 20;
        access.addresses = list;
        break;
    case 1: /* a list that is regular */
        for (int k = 0; k < WARP_LANES; k++)
            list[k] = 1000 + 12 * (uint64_t)k;
        access.addresses = list;
        break;
    case 2: /* a stride beyond 32 bits */
        access.stride = (int64_t)1 << 33;
        break;
    default:
        access.stride = (int64_t)(check_random(random) % 1000) - 500;
    }
    return access;
}

static void check_same(const struct trace_item *want, const struct warp_access *got)
{
    assert_int_equal(got->mask, want->access.mask);
    assert_int_equal(got->kind, want->access.kind);
    assert_int_equal(got->flags, want->access.flags);
    assert_int_equal(got->path, want->access.path);
    assert_int_equal(got->bytes, want->access.bytes);
    assert_int_equal(got->instructions, want->access.instructions);
    for (int k = 0; k < want->lanes; k++)
        if (warp_access_address(got, k) != want->addresses[k])
            fail_msg("lane %d: 0x%llx", k, (unsigned long long)warp_access_address(got, k));
}

static void model_fill(struct model *model, struct spool *spool, uint64_t *random, int count,
                       uint64_t ctas, uint32_t warps)
{
    uint64_t list[WARP_LANES];
    for (int i = 0; i < count; i++) {
        uint64_t cta = check_random(random) % ctas;
        uint32_t warp = (uint32_t)(check_random(random) % warps);
        struct warp_access access = random_access(random, list);
        struct trace_item item = {0, cta, warp, 0, access, __builtin_popcount(access.mask), {0}};
        for (int k = 0; k < item.lanes; k++)
            item.addresses[k] = warp_access_address(&access, k);
        VECTOR_PUSH(&model->added, item);
        check_ok(spool_add(spool, cta, warp, &access, &failure));
    }
}

static void check_warp(const struct model *model, const struct spool *spool, uint64_t cta,
                       uint32_t warp)
{
    struct spool_cursor cursor;
    struct warp_buffer buffer = {0};
    int at = 0;
    spool_begin(spool, cta, warp, &cursor);
    for (size_t i = 0; i < model->added.count; i++) {
        const struct trace_item *want = &model->added.items[i];
        if (want->cta != cta || want->warp != warp)
            continue;
        if (at == buffer.count) {
            assert_true(spool_read(spool, &cursor, &buffer) > 0);
            at = 0;
        }
        check_same(want, &buffer.items[at++]);
    }
    assert_int_equal(at, buffer.count);
    assert_int_equal(spool_read(spool, &cursor, &buffer), 0);
    assert_int_equal(spool_read(spool, &cursor, &buffer), 0);
}

static void check_order(const struct model *model, const struct spool *spool)
{
    struct spool_order order = {0};
    struct warp_buffer buffer;
    struct ordered_access origin[WARP_BUFFER_ITEMS];
    size_t at = 0;
    while (spool_read_ordered(spool, &order, &buffer, origin) > 0)
        for (int i = 0; i < buffer.count; i++, at++) {
            assert_true(at < model->added.count);
            assert_int_equal(origin[i].cta, model->added.items[at].cta);
            assert_int_equal(origin[i].warp, model->added.items[at].warp);
            check_same(&model->added.items[at], &buffer.items[i]);
        }
    assert_int_equal(at, model->added.count);
    assert_int_equal(spool_read_ordered(spool, &order, &buffer, origin), 0);
}

TEST(test_any_order)
{
    uint64_t random = 7;
    struct spool *spool = spool_create(SPOOL_MEMORY_BYTES);
    for (int round = 0; round < 3; round++) { /* used again after a reset */
        struct model model = {0};
        spool_reset(spool, 5);
        model_fill(&model, spool, &random, 3000, 40, 5);
        for (uint64_t cta = 0; cta < 42; cta++)
            for (uint32_t warp = 0; warp < 7; warp++)
                check_warp(&model, spool, cta, warp);
        check_order(&model, spool);
        assert_int_equal(spool_cta_limit(spool), 40);
        assert_int_equal(spool_warp_limit(spool), 5);
        assert_int_equal(spool_file_bytes(spool), 0);
        assert_int_equal(spool_cta_count(spool), 40);
        assert_true(spool_has_cta(spool, 39) && !spool_has_cta(spool, 40));
        VECTOR_FREE(&model.added);
    }
    spool_destroy(spool);
    spool_destroy(NULL);
}

/* CTAs are there by a name, a warp, an access or an SM, each once. */
TEST(test_ctas)
{
    struct spool *spool = spool_create(SPOOL_MEMORY_BYTES);
    struct warp_access access = {.kind = ACCESS_READ, .mask = 1, .bytes = 4};
    bool first;
    for (int round = 0; round < 2; round++) {
        spool_reset(spool, 2);
        assert_int_equal(spool_cta_count(spool), 0);
        check_ok(spool_add(spool, 7, 1, &access, &failure));
        check_ok(spool_add(spool, 9, 0, &access, &failure));
        check_ok(spool_add(spool, 7, 0, &access, &failure));
        assert_int_equal(spool_cta_count(spool), 2);
        assert_true(spool_enter_cta(spool, 7)); /* named for the first time, and known */
        assert_false(spool_enter_cta(spool, 7));
        assert_int_equal(spool_cta_count(spool), 2);
        assert_true(spool_enter_cta(spool, 8));
        check_ok(spool_enter_warp(spool, 8, 1, &first, &failure));
        check_ok(spool_enter_warp(spool, 5, 1, &first, &failure));
        assert_true(first);
        assert_true(spool_set_sm(spool, 3, 1));
        assert_true(spool_set_sm(spool, 9, 1));
        assert_int_equal(spool_cta_count(spool), 5);
        for (uint64_t cta = 0; cta < 12; cta++)
            assert_int_equal(spool_has_cta(spool, cta),
                             cta == 3 || cta == 5 || (cta >= 7 && cta <= 9));
    }
    spool_destroy(spool);
}

TEST(test_temporary_file)
{
    uint64_t random = 11;
    struct model model = {0};
    struct spool *spool = spool_create(SPOOL_CHUNK_BYTES); /* one chunk in memory */
    model_fill(&model, spool, &random, 60000, 6, 2);
    assert_true(spool_bytes(spool) > 5 << 20);
    assert_true(spool_file_bytes(spool) >= SPOOL_CHUNK_BYTES);
    for (uint64_t cta = 0; cta < 6; cta++)
        for (uint32_t warp = 0; warp < 2; warp++)
            check_warp(&model, spool, cta, warp);
    check_order(&model, spool);
    spool_reset(spool, 1);
    assert_int_equal(spool_file_bytes(spool), 0);
    VECTOR_FREE(&model.added);
    model_fill(&model, spool, &random, 100, 3, 1);
    check_order(&model, spool);
    VECTOR_FREE(&model.added);
    spool_destroy(spool);
}

TEST(test_no_temporary_folder)
{
    struct warp_access access = {.base = 1, .mask = 1, .bytes = 4, .kind = ACCESS_READ};
    const char *old = getenv("TMPDIR");
    char *kept = old ? memory_strdup(old) : NULL;
    struct spool *spool = spool_create(0);
    setenv("TMPDIR", "/nonexistent/folder", 1);
    check_error(spool_add(spool, 0, 0, &access, &failure), STATUS_IO, "temporary file");
    check_error(spool_add(spool, 0, 0, &access, &failure), STATUS_IO, "TMPDIR");
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
    check_ok(spool_add(spool, 0, 0, &access, &failure));
    spool_destroy(spool);
}

TEST(test_normal_form)
{
    uint64_t list[WARP_LANES] = {100, 104, 108, 112}, room[WARP_LANES];
    struct warp_access access = {.addresses = list, .mask = 0x0f000000, .bytes = 4};
    spool_normalise(&access, room);
    assert_null(access.addresses);
    assert_int_equal(access.base, 100);
    assert_int_equal(access.stride, 4);
    list[3] = 0;
    access = (struct warp_access){.addresses = list, .mask = 0xf, .bytes = 4};
    spool_normalise(&access, room);
    assert_ptr_equal(access.addresses, list);
    access = (struct warp_access){.base = 64, .stride = 1 << 20, .mask = 0x80, .bytes = 4};
    spool_normalise(&access, room);
    assert_int_equal(access.stride, 0); /* one lane has no stride */
    access = (struct warp_access){.base = 64, .stride = INT64_C(1) << 40, .mask = 3, .bytes = 4};
    spool_normalise(&access, room);
    assert_ptr_equal(access.addresses, room);
    assert_true(room[1] == 64 + (UINT64_C(1) << 40));
}

TEST(test_ctas_and_sms)
{
    bool first;
    uint32_t sm = 99;
    struct spool *spool = spool_create(SPOOL_MEMORY_BYTES);
    spool_reset(spool, 2);
    uint64_t far = UINT64_C(1) << 39; /* sparse grids cost what they hold */
    assert_true(spool_enter_cta(spool, far));
    assert_false(spool_enter_cta(spool, far));
    check_ok(spool_enter_warp(spool, far, 1, &first, &failure));
    assert_true(first);
    check_ok(spool_enter_warp(spool, far, 1, &first, &failure));
    assert_false(first);
    assert_false(spool_sm(spool, far, &sm));
    assert_true(spool_set_sm(spool, far, 0));
    assert_true(spool_set_sm(spool, far, 0));
    assert_false(spool_set_sm(spool, far, 3));
    assert_true(spool_sm(spool, far, &sm));
    assert_int_equal(sm, 0);
    assert_false(spool_sm(spool, far - 1, &sm));
    assert_true(spool_cta_limit(spool) == far + 1);
    spool_destroy(spool);
}
