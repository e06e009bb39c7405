/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loop nests at random, against an interpreter that does everything lane by
 * lane: same accesses, masks, addresses, instruction counts and loads that may be under way in
 * every warp, in whatever order the warps are read, and the same first index that leaves its array.
 */
#include "workload_random.h"

/* ---- the referee ------------------------------------------------------------ */

struct outcome {
    struct trace_items items;
    size_t left;       /* accesses up to which it goes on */
    int64_t low, high; /* of the indices */
    struct text error; /* of the first one outside */
};

struct referee {
    const struct nest *nest;
    int64_t values[WARP_LANES][LOOP + LOOPS];
    uint64_t pending, base;
    uint8_t ahead; /* loads whose values nothing has used */
    bool deferred; /* in a body that is unrolled */
    struct outcome *outcome;
    uint64_t cta;
    uint32_t warp;
};

static int64_t floor_divide(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static int64_t value_of(const struct node *e, const int64_t *values)
{
    if (e->op == NUMBER)
        return e->number;
    if (e->op == VARIABLE)
        return values[e->number];
    int64_t a = value_of(e->a, values), b = e->b ? value_of(e->b, values) : 0;
    switch (e->op) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case TIMES:
        return a * b;
    case DIVIDE:
        return floor_divide(a, b);
    case MODULO:
        return a - floor_divide(a, b) * b;
    case LEAST:
        return a < b ? a : b;
    case MOST:
        return a > b ? a : b;
    case LOOK_UP:
        return table[a];
    case CHOOSE:
        return a ? b : value_of(e->c, values);
    case LESS:
        return a < b;
    case EQUAL:
        return a == b;
    case BOTH:
        return a && b;
    case EITHER:
        return a || b;
    default:
        return !a;
    }
}

static void referee_run(struct referee *r, struct item *const *body, int count, uint32_t mask);

static bool only_loads(struct item *const *body, int count)
{
    bool only = true;
    for (int i = 0; i < count; i++)
        only = only && body[i]->kind != FOR &&
               (body[i]->kind != IF || only_loads(body[i]->body, body[i]->n_body)) &&
               (body[i]->kind != ACCESS || body[i]->access == ACCESS_READ);
    return only;
}

static void referee_for(struct referee *r, const struct item *item, uint32_t mask)
{
    int64_t end[WARP_LANES] = {0}, iterations = 0;
    int64_t group = item->unroll ? item->unroll : only_loads(item->body, item->n_body) ? 4 : 1;
    bool deferred = r->deferred;
    for (int k = 0; k < WARP_LANES; k++) {
        r->values[k][LOOP + item->loop] = mask >> k & 1 ? value_of(item->from, r->values[k]) : 0;
        end[k] = mask >> k & 1 ? value_of(item->to, r->values[k]) : 0;
    }
    for (;;) {
        for (int k = 0; k < WARP_LANES; k++)
            if (r->values[k][LOOP + item->loop] >= end[k])
                mask &= ~((uint32_t)1 << k);
        if (iterations && (!mask || iterations % group == 0))
            r->ahead = 0;
        if (!mask || r->outcome->left == 0)
            return;
        r->deferred = group > 1;
        referee_run(r, item->body, item->n_body, mask);
        r->deferred = deferred;
        iterations++;
        for (int k = 0; k < WARP_LANES; k++)
            r->values[k][LOOP + item->loop] += item->number;
    }
}

/* The index of an access in lane k. */
static int64_t referee_index(struct referee *r, const struct node *index, int k)
{
    struct outcome *o = r->outcome;
    const struct nest *n = r->nest;
    int64_t value = value_of(index, r->values[k]), at = value - n->first;
    o->low = value < o->low ? value : o->low;
    o->high = value > o->high ? value : o->high;
    if ((at < 0 || at >= n->extent) && !o->error.length)
        text_printf(&o->error,
                    "index 1 is %" PRId64 ", outside 0..%" PRId64 ", in block (%" PRId64 ",%" PRId64
                    ",%" PRId64 "), thread %u of kernel k",
                    at, n->extent - 1, r->values[k][BX], r->values[k][BY], r->values[k][BZ],
                    r->warp * WARP_LANES + (uint32_t)k);
    return at;
}

static void referee_emit(struct referee *r, int kind, uint32_t mask, const struct node *index)
{
    uint64_t addresses[WARP_LANES];
    int n = 0;
    if (r->outcome->left == 0)
        return;
    for (int k = 0; k < WARP_LANES; k++)
        if (mask >> k & 1)
            addresses[n++] = r->base + 4 * (uint64_t)referee_index(r, index, k);
    struct warp_access access = {.mask = mask,
                                 .addresses = addresses,
                                 .kind = (uint8_t)kind,
                                 .bytes = kind ? 4 : 0,
                                 .ahead = kind == ACCESS_READ ? r->ahead : 0,
                                 .instructions = (uint32_t)r->pending + (kind != ACCESS_NONE)};
    trace_items_add(&r->outcome->items, &access, r->cta, r->warp, 0);
    r->ahead = kind == ACCESS_WRITE ? 0 : (uint8_t)(access.ahead + 1 < 63 ? access.ahead + 1 : 63);
    r->pending = 0;
    r->outcome->left--;
}

static void referee_run(struct referee *r, struct item *const *body, int count, uint32_t mask)
{
    for (int i = 0; i < count; i++) {
        uint32_t active = 0;
        switch (body[i]->kind) {
        case FOR:
            referee_for(r, body[i], mask);
            break;
        case IF:
            for (int k = 0; k < WARP_LANES; k++)
                if (mask >> k & 1 && value_of(body[i]->condition, r->values[k]))
                    active |= (uint32_t)1 << k;
            if (active)
                referee_run(r, body[i]->body, body[i]->n_body, active);
            break;
        case ACCESS:
            referee_emit(r, body[i]->access, mask, body[i]->index);
            break;
        default:
            r->pending += (uint64_t)body[i]->number;
            if (body[i]->number > 0 && !body[i]->overhead && !r->deferred)
                r->ahead = 0;
        }
    }
}

/* Goes on to its end, or for so many accesses. */
static void referee(const struct nest *n, uint64_t base, struct outcome *out)
{
    uint32_t threads = n->block[0] * n->block[1] * n->block[2];
    *out = (struct outcome){.left = ACCESSES, .low = INT64_MAX, .high = INT64_MIN};
    VECTOR_PUSH(&out->items.kernels, (struct trace_kernel){.name = "k"});
    for (uint64_t cta = 0; cta < (uint64_t)n->grid[0] * n->grid[1] * n->grid[2]; cta++)
        for (uint32_t warp = 0; warp * WARP_LANES < threads; warp++) {
            struct referee r = {.nest = n, .base = base, .outcome = out, .cta = cta, .warp = warp};
            uint32_t mask = 0;
            for (uint32_t k = 0; k < WARP_LANES; k++) {
                uint32_t t = warp * WARP_LANES + k;
                if (t < threads)
                    mask |= (uint32_t)1 << k;
                r.values[k][BX] = (int64_t)(cta % n->grid[0]);
                r.values[k][BY] = (int64_t)(cta / n->grid[0] % n->grid[1]);
                r.values[k][BZ] = (int64_t)(cta / n->grid[0] / n->grid[1]);
                r.values[k][TX] = t % n->block[0];
                r.values[k][TY] = t / n->block[0] % n->block[1];
                r.values[k][TZ] = t / n->block[0] / n->block[1];
            }
            referee_run(&r, n->body, n->n_body, mask);
            if (r.pending)
                referee_emit(&r, ACCESS_NONE, 0, NULL);
        }
}

static void outcome_free(struct outcome *outcome)
{
    trace_items_free(&outcome->items);
    text_free(&outcome->error);
}

/* Makes a nest that is not too long, and its array; returns false when it touches nothing. */
static bool make_whole(struct nest *n, uint64_t seed)
{
    struct outcome all;
    make_nest(n, seed);
    n->first = -CENTRE;
    n->extent = (int64_t)2 * CENTRE;
    referee(n, 0, &all);
    bool some = all.left > 0 && all.low <= all.high;
    if (some && pick(n, 2)) {
        bool less = pick(n, 2) && all.low < all.high;
        n->first = all.low + (less && pick(n, 2));
        n->extent = all.high - all.low + 1 - less;
    }
    outcome_free(&all);
    return some;
}

/* ---- tests ------------------------------------------------------------------ */

static void compare(const struct trace_items *got, const struct trace_items *want, const char *yaml)
{
    for (size_t i = 0; i < got->accesses.count && i < want->accesses.count; i++) {
        const struct trace_item *x = &got->accesses.items[i], *y = &want->accesses.items[i];
        if (x->cta != y->cta || x->warp != y->warp || x->access.mask != y->access.mask ||
            x->access.kind != y->access.kind || x->access.bytes != y->access.bytes ||
            x->access.instructions != y->access.instructions ||
            x->access.ahead != y->access.ahead ||
            memcmp(x->addresses, y->addresses, sizeof x->addresses) != 0)
            fail_msg("access %zu (CTA %" PRIu64
                     ", warp %u) differs: mask %x or %x, +%u or +%u, ahead of %u or %u in\n%s",
                     i, x->cta, x->warp, x->access.mask, y->access.mask, x->access.instructions,
                     y->access.instructions, x->access.ahead, y->access.ahead, yaml);
    }
    if (got->accesses.count != want->accesses.count)
        fail_msg("%zu accesses, expected %zu, in\n%s", got->accesses.count, want->accesses.count,
                 yaml);
}

/* Opens and reads the nest; returns the number of accesses. */
static size_t check_nest(const struct nest *n, size_t *listed, size_t *errors)
{
    struct text yaml = {0};
    struct source *source;
    struct trace_items got = {0};
    struct outcome want;
    write_nest(n, &yaml);
    int status = workload_open_text(yaml.data, "", &source, &failure);
    if (status && !strstr(failure.text, " or more, outside") &&
        !strstr(failure.text, " or less, outside") && !strstr(failure.text, "more than 32 loops"))
        fail_msg("%s\n%s", failure.text, yaml.data);
    referee(n, status ? 0 : source->allocations.items[0].base, &want);
    if (status) { /* too long, or with an access that is outside in all lanes, if it is made */
        *errors += 1;
    } else if (trace_read(source, false, &got, &failure)) {
        *errors += 1;
        if (!want.error.length || !strstr(failure.text, want.error.data))
            fail_msg("%s, not %s, in\n%s", failure.text, want.error.data, yaml.data);
    } else if (want.error.length) {
        fail_msg("no error, but %s, in\n%s", want.error.data, yaml.data);
    } else {
        compare(&got, &want.items, yaml.data);
    }
    size_t accesses = got.accesses.count;
    for (size_t i = 0; i < accesses; i++)
        *listed += got.accesses.items[i].lanes > 1;
    trace_items_free(&got);
    outcome_free(&want);
    if (!status)
        source_destroy(source);
    text_free(&yaml);
    return accesses;
}

TEST(test_random_nests)
{
    struct nest *n = memory_alloc(sizeof *n);
    size_t accesses = 0, listed = 0, errors = 0;
    for (int round = 0; round < check_rounds(1500, 40000); round++)
        if (make_whole(n, (uint64_t)round * 77 + 5))
            accesses += check_nest(n, &listed, &errors);
    print_message("%zu accesses, %zu of several lanes; %zu errors\n", accesses, listed, errors);
    assert_true(accesses > (size_t)check_rounds(10000, 10000));
    assert_true(errors > (size_t)check_rounds(100, 1000));
    free(n);
}

/* Reads all warps of the kernel in turns of random length, and compares with
 * reading them one after the other. */
TEST(test_any_order_of_warps)
{
    struct nest *n = memory_alloc(sizeof *n);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct text yaml = {0};
        OWNED(source) *source = NULL;
        OWNED(stream) *stream = NULL;
        struct stream_kernel kernel;
        struct trace_items plain, mixed[32];
        memset(mixed, 0, sizeof mixed);
        make_nest(n, seed * 1234567);
        memcpy(n->grid, (const uint32_t[]){2, 2, 1}, sizeof n->grid);
        n->first = -CENTRE;
        n->extent = (int64_t)2 * CENTRE;
        write_nest(n, &yaml);
        check_ok(workload_open_text(yaml.data, "", &source, &failure));
        check_ok(trace_read(source, false, &plain, &failure));
        check_ok(stream_open(source, &stream, &failure));
        assert_int_equal(stream_next_kernel(stream, &kernel, &failure), 1);
        uint32_t warps = (uint32_t)kernel.n_ctas * kernel.warps_per_cta, open = warps;
        assert_true(warps <= 32);
        char *states = memory_alloc(warps * kernel.warp_state_size);
        for (uint32_t w = 0; w < warps; w++) {
            VECTOR_PUSH(&mixed[w].kernels, (struct trace_kernel){.name = "k"});
            check_ok(stream_warp_begin(stream, w / kernel.warps_per_cta, w % kernel.warps_per_cta,
                                       states + w * kernel.warp_state_size, &failure));
        }
        for (bool ended[32] = {false}; open > 0;) {
            struct warp_buffer buffer;
            uint32_t w = (uint32_t)(check_random(&n->random) % warps);
            int count = stream_read(stream, states + w * kernel.warp_state_size, &buffer, &failure);
            assert_true(count >= 0 && count == buffer.count && count <= WARP_BUFFER_ITEMS);
            for (int i = 0; i < count; i++)
                trace_items_add(&mixed[w], &buffer.items[i], w / kernel.warps_per_cta,
                                w % kernel.warps_per_cta, 0);
            open -= count == 0 && !ended[w];
            ended[w] = ended[w] || count == 0;
        }
        struct trace_items all = {0};
        for (uint32_t w = 0; w < warps; w++) {
            for (size_t i = 0; i < mixed[w].accesses.count; i++)
                VECTOR_PUSH(&all.accesses, mixed[w].accesses.items[i]);
            trace_items_free(&mixed[w]);
        }
        compare(&all, &plain, yaml.data);
        trace_items_free(&all);
        trace_items_free(&plain);
        free(states);
        text_free(&yaml);
    }
    free(n);
}
