/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loop nests at random, against an interpreter that does everything lane by
 * lane: same accesses, masks, addresses and instruction counts in every warp,
 * in whatever order the warps are read. */
#include "workload_check.h"

/* Index expressions are small; the array reaches far on both sides of 2^30, so
 * that most of them are in bounds without a remainder. */
enum { CENTRE = 1 << 30, NODES = 4000, ITEMS = 200, LOOPS = 8, DEPTH = 3 };

enum op {
    NUMBER,
    VARIABLE,
    ADD,
    SUBTRACT,
    TIMES,
    DIVIDE,
    MODULO,
    LEAST,
    MOST,
    LOOK_UP, /* in the table */
    CHOOSE,
    LESS,
    EQUAL,
    BOTH,
    EITHER,
    NOT
};

enum { TABLE = 5 };
static const int64_t table[TABLE] = {7, 0, 3, -2, 30};

/* Variables: bx by tx ty tz, then the loops' indices. */
enum { BX, BY, TX, TY, TZ, LOOP };

struct node {
    enum op op;
    int64_t number;
    const struct node *a, *b, *c;
};

enum kind { FOR, IF, ACCESS, COMPUTE };

struct item {
    enum kind kind;
    const struct node *from, *to, *condition, *index;
    int64_t number; /* step, instructions */
    int loop;
    struct item *body[4];
    int n_body;
};

struct nest {
    struct node nodes[NODES];
    struct item items[ITEMS];
    int n_nodes, n_items, n_loops;
    uint32_t grid[2], block[3];
    struct item *body[4];
    int n_body;
    bool by_thread; /* the place of the block moves the whole, and does nothing else */
    uint64_t random;
};

static uint64_t pick(struct nest *n, uint64_t below)
{
    return check_random(&n->random) % below;
}

/* ---- making ----------------------------------------------------------------- */

static const struct node *make_node(struct nest *n, enum op op, int64_t number,
                                    const struct node *a, const struct node *b,
                                    const struct node *c)
{
    assert_true(n->n_nodes < NODES);
    n->nodes[n->n_nodes] = (struct node){op, number, a, b, c};
    return &n->nodes[n->n_nodes++];
}

static const struct node *make_number(struct nest *n, int64_t number)
{
    return make_node(n, NUMBER, number, NULL, NULL, NULL);
}

static const struct node *make_variable(struct nest *n, int loops)
{
    uint64_t first = n->by_thread ? TX : BX;
    return make_node(n, VARIABLE, (int64_t)(first + pick(n, (uint64_t)(LOOP + loops) - first)),
                     NULL, NULL, NULL);
}

static const struct node *make_condition(struct nest *n, int loops, int depth);

/* `loops`: how many loop indices are in scope. */
static const struct node *make_value(struct nest *n, int loops, int depth)
{
    if (depth == 0 || pick(n, 5) == 0)
        return pick(n, 4) ? make_variable(n, loops) : make_number(n, (int64_t)pick(n, 40));
    const struct node *a = make_value(n, loops, depth - 1);
    switch (pick(n, 10)) {
    case 0:
    case 1:
        return make_node(n, ADD, 0, a, make_value(n, loops, depth - 1), NULL);
    case 2:
        return make_node(n, SUBTRACT, 0, a, make_value(n, loops, depth - 1), NULL);
    case 3:
        return make_node(n, TIMES, 0, a, make_number(n, (int64_t)pick(n, 40)), NULL);
    case 4:
        return make_node(n, TIMES, 0, make_node(n, MODULO, 0, a, make_number(n, 7), NULL),
                         make_variable(n, 0), NULL);
    case 5:
        return make_node(n, DIVIDE, 0, a, make_number(n, 1 + (int64_t)pick(n, 40)), NULL);
    case 6:
        return make_node(n, MODULO, 0, a, make_number(n, 1 + (int64_t)pick(n, 40)), NULL);
    case 7:
        return make_node(n, LOOK_UP, 0, make_node(n, MODULO, 0, a, make_number(n, TABLE), NULL),
                         NULL, NULL);
    case 8:
        return make_node(n, pick(n, 2) ? LEAST : MOST, 0, a, make_value(n, loops, depth - 1), NULL);
    default:
        return make_node(n, CHOOSE, 0, make_condition(n, loops, depth - 1), a,
                         make_value(n, loops, depth - 1));
    }
}

static const struct node *make_condition(struct nest *n, int loops, int depth)
{
    uint64_t kind = depth > 0 ? pick(n, 6) : pick(n, 3);
    if (kind < 3)
        return make_node(n, kind ? LESS : EQUAL, 0, make_value(n, loops, 1),
                         make_value(n, loops, 1), NULL);
    const struct node *a = make_condition(n, loops, depth - 1);
    if (kind == 3)
        return make_node(n, NOT, 0, a, NULL, NULL);
    return make_node(n, kind == 4 ? BOTH : EITHER, 0, a, make_condition(n, loops, depth - 1), NULL);
}

/* By something that depends on the block. */
static const struct node *make_moved(struct nest *n, const struct node *value)
{
    const struct node *by = make_node(n, VARIABLE, (int64_t)pick(n, 2), NULL, NULL, NULL);
    if (pick(n, 2))
        by = make_node(n, MODULO, 0, by, make_number(n, 2), NULL);
    by = make_node(n, TIMES, 0, by, make_number(n, (int64_t)pick(n, 400)), NULL);
    return make_node(n, ADD, 0, value, by, NULL);
}

static int make_body(struct nest *n, struct item **body, int loops, int depth);

/* Loop indices are named by depth: item->loop is the number of loops around. */
static struct item *make_item(struct nest *n, int loops, int depth)
{
    assert_true(n->n_items < ITEMS);
    struct item *item = &n->items[n->n_items++];
    uint64_t kind = depth > 0 ? pick(n, 10) : 6 + pick(n, 4);
    item->loop = loops;
    if (kind < 4 && loops < LOOPS) {
        item->kind = FOR;
        item->from = make_node(n, MODULO, 0, make_value(n, loops, 2), make_number(n, 4), NULL);
        item->to = make_node(n, MODULO, 0, make_value(n, loops, 2), make_number(n, 9), NULL);
        if (pick(n, 3) == 0) { /* as often as any other: what may be written out */
            item->from = make_number(n, (int64_t)pick(n, 3));
            item->to = make_number(n, (int64_t)pick(n, 9));
        }
        item->number = 1 + (int64_t)pick(n, 3);
        item->n_body = make_body(n, item->body, loops + 1, depth - 1);
    } else if (kind < 6) {
        item->kind = IF;
        item->condition = make_condition(n, loops, 2);
        item->n_body = make_body(n, item->body, loops, depth - 1);
    } else if (kind < 9) {
        item->kind = ACCESS;
        item->index = make_value(n, loops, 3);
        if (n->by_thread)
            item->index = make_moved(n, item->index);
    } else {
        item->kind = COMPUTE;
        item->number = (int64_t)pick(n, 5);
    }
    return item;
}

static int make_body(struct nest *n, struct item **body, int loops, int depth)
{
    int count = 1 + (int)pick(n, 3);
    for (int i = 0; i < count; i++)
        body[i] = make_item(n, loops, depth);
    return count;
}

static void make_nest(struct nest *n, uint64_t seed)
{
    static const uint32_t blocks[][3] = {{32, 2, 1}, {64, 1, 1}, {48, 1, 1}, {16, 4, 1}, {20, 3, 1},
                                         {8, 3, 2},  {4, 4, 4},  {5, 1, 1},  {1, 40, 1}, {33, 2, 1},
                                         {2, 1, 37}, {16, 2, 2}, {1, 1, 1}};
    memset(n, 0, sizeof *n);
    n->random = seed;
    n->by_thread = pick(n, 2);
    memcpy(n->block, blocks[pick(n, sizeof blocks / sizeof *blocks)], sizeof n->block);
    n->grid[0] = 1 + (uint32_t)pick(n, 3);
    n->grid[1] = 1 + (uint32_t)pick(n, 2);
    n->n_body = make_body(n, n->body, 0, DEPTH);
}

/* ---- writing ---------------------------------------------------------------- */

static void write_node(const struct node *e, struct text *out)
{
    static const char *const names[] = {"bx", "by", "tx", "ty", "tz"};
    static const char *const infix[] = {
        [ADD] = "+",  [SUBTRACT] = "-", [TIMES] = "*",  [DIVIDE] = "/", [MODULO] = "%",
        [LESS] = "<", [EQUAL] = "==",   [BOTH] = "and", [EITHER] = "or"};
    if (e->op == NUMBER)
        text_printf(out, "%" PRId64, e->number);
    else if (e->op == VARIABLE && e->number < LOOP)
        text_append(out, names[e->number]);
    else if (e->op == VARIABLE)
        text_printf(out, "k%" PRId64, e->number - LOOP);
    else {
        text_append(out, e->op == LEAST     ? "min("
                         : e->op == MOST    ? "max("
                         : e->op == LOOK_UP ? "t[("
                         : e->op == CHOOSE  ? "if("
                         : e->op == NOT     ? "(not "
                                            : "(");
        write_node(e->a, out);
        if (e->b) {
            text_printf(out, " %s ",
                        e->op == LEAST || e->op == MOST || e->op == CHOOSE ? "," : infix[e->op]);
            write_node(e->b, out);
        }
        if (e->c) {
            text_append(out, ", ");
            write_node(e->c, out);
        }
        text_append(out, e->op == LOOK_UP ? ")]" : ")");
    }
}

static void write_body(struct item *const *body, int count, int indent, struct text *out)
{
    for (int i = 0; i < count; i++) {
        const struct item *item = body[i];
        text_printf(out, "%*s- ", indent, "");
        if (item->kind == FOR) {
            text_printf(out, "for: \"k%d in ", item->loop);
            write_node(item->from, out);
            text_append(out, "..");
            write_node(item->to, out);
            text_printf(out, "\"\n%*s  step: %" PRId64 "\n%*s  body:\n", indent, "", item->number,
                        indent, "");
            write_body(item->body, item->n_body, indent + 4, out);
        } else if (item->kind == IF) {
            text_append(out, "if: \"");
            write_node(item->condition, out);
            text_printf(out, "\"\n%*s  body:\n", indent, "");
            write_body(item->body, item->n_body, indent + 4, out);
        } else if (item->kind == ACCESS) {
            text_append(out, "load: \"A[");
            write_node(item->index, out);
            text_printf(out, " + %d]\"\n", CENTRE);
        } else {
            text_printf(out, "compute: %" PRId64 "\n", item->number);
        }
    }
}

static void write_nest(const struct nest *n, struct text *out)
{
    struct text body = {0};
    write_body(n->body, n->n_body, 6, &body);
    text_printf(out,
                "workload: random\nsummary: a test\nparameters: {}\ninputs: {small: {}}\n"
                "arrays: {A: {shape: [%" PRId64 "], type: f32}}\n",
                (int64_t)2 * CENTRE);
    if (strstr(body.data, "t[(")) /* a table that nothing reads is an error */
        text_append(out, "tables: {t: [7, 0, 3, -2, 30]}\n");
    text_printf(out,
                "kernels:\n  - name: k\n    grid: [%u, %u]\n    block: [%u, %u, %u]\n    body:\n%s",
                n->grid[0], n->grid[1], n->block[0], n->block[1], n->block[2], body.data);
    text_free(&body);
}

/* ---- the referee ------------------------------------------------------------ */

struct referee {
    int64_t values[WARP_LANES][LOOP + LOOPS];
    uint64_t pending, base;
    struct trace_items *out;
    uint64_t cta;
    uint32_t warp;
};

static int64_t floor_divide(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q * b > a ? q - 1 : q;
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

static void referee_for(struct referee *r, const struct item *item, uint32_t mask)
{
    int64_t end[WARP_LANES] = {0};
    for (int k = 0; k < WARP_LANES; k++) {
        r->values[k][LOOP + item->loop] = mask >> k & 1 ? value_of(item->from, r->values[k]) : 0;
        end[k] = mask >> k & 1 ? value_of(item->to, r->values[k]) : 0;
    }
    for (;;) {
        for (int k = 0; k < WARP_LANES; k++)
            if (r->values[k][LOOP + item->loop] >= end[k])
                mask &= ~((uint32_t)1 << k);
        if (!mask)
            return;
        referee_run(r, item->body, item->n_body, mask);
        for (int k = 0; k < WARP_LANES; k++)
            r->values[k][LOOP + item->loop] += item->number;
    }
}

static void referee_emit(struct referee *r, int kind, uint32_t mask, const struct node *index)
{
    uint64_t addresses[WARP_LANES];
    int n = 0;
    for (int k = 0; k < WARP_LANES; k++)
        if (mask >> k & 1)
            addresses[n++] = r->base + 4 * (uint64_t)(value_of(index, r->values[k]) + CENTRE);
    struct warp_access access = {.mask = mask,
                                 .addresses = addresses,
                                 .kind = (uint8_t)kind,
                                 .bytes = kind ? 4 : 0,
                                 .instructions = (uint32_t)r->pending + (kind != ACCESS_NONE)};
    trace_items_add(r->out, &access, r->cta, r->warp, 0);
    r->pending = 0;
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
            referee_emit(r, ACCESS_READ, mask, body[i]->index);
            break;
        default:
            r->pending += (uint64_t)body[i]->number;
        }
    }
}

static void referee(const struct nest *n, uint64_t base, struct trace_items *out)
{
    uint32_t threads = n->block[0] * n->block[1] * n->block[2];
    VECTOR_PUSH(&out->kernels, (struct trace_kernel){.name = "k"});
    for (uint64_t cta = 0; cta < (uint64_t)n->grid[0] * n->grid[1]; cta++)
        for (uint32_t warp = 0; warp * WARP_LANES < threads; warp++) {
            struct referee r = {.base = base, .out = out, .cta = cta, .warp = warp};
            uint32_t mask = 0;
            for (uint32_t k = 0; k < WARP_LANES; k++) {
                uint32_t t = warp * WARP_LANES + k;
                if (t < threads)
                    mask |= (uint32_t)1 << k;
                r.values[k][BX] = (int64_t)(cta % n->grid[0]);
                r.values[k][BY] = (int64_t)(cta / n->grid[0]);
                r.values[k][TX] = t % n->block[0];
                r.values[k][TY] = t / n->block[0] % n->block[1];
                r.values[k][TZ] = t / n->block[0] / n->block[1];
            }
            referee_run(&r, n->body, n->n_body, mask);
            if (r.pending)
                referee_emit(&r, ACCESS_NONE, 0, NULL);
        }
}

/* ---- tests ------------------------------------------------------------------ */

static void compare(const struct trace_items *got, const struct trace_items *want, const char *yaml)
{
    for (size_t i = 0; i < got->accesses.count && i < want->accesses.count; i++) {
        const struct trace_item *x = &got->accesses.items[i], *y = &want->accesses.items[i];
        if (x->cta != y->cta || x->warp != y->warp || x->access.mask != y->access.mask ||
            x->access.kind != y->access.kind || x->access.bytes != y->access.bytes ||
            x->access.instructions != y->access.instructions ||
            memcmp(x->addresses, y->addresses, sizeof x->addresses) != 0)
            fail_msg("access %zu (CTA %" PRIu64
                     ", warp %u) differs: mask %x or %x, +%u or +%u in\n%s",
                     i, x->cta, x->warp, x->access.mask, y->access.mask, x->access.instructions,
                     y->access.instructions, yaml);
    }
    if (got->accesses.count != want->accesses.count)
        fail_msg("%zu accesses, expected %zu, in\n%s", got->accesses.count, want->accesses.count,
                 yaml);
}

static void test_random_nests(void **state)
{
    struct nest *n = memory_alloc(sizeof *n);
    struct error error;
    size_t accesses = 0, listed = 0;
    (void)state;
    for (int round = 0; round < check_rounds(1500, 40000); round++) {
        struct text yaml = {0};
        struct source *source;
        struct trace_items got, want = {0};
        make_nest(n, (uint64_t)round * 77 + 5);
        write_nest(n, &yaml);
        int status = workload_open_text(yaml.data, "", &source, &error);
        if (status)
            fail_msg("%s\n%s", error.text, yaml.data);
        check_ok(trace_read(source, false, &got, &error));
        referee(n, source->allocations.items[0].base, &want);
        compare(&got, &want, yaml.data);
        accesses += got.accesses.count;
        for (size_t i = 0; i < got.accesses.count; i++)
            listed += got.accesses.items[i].lanes > 1;
        trace_items_free(&got);
        trace_items_free(&want);
        source_destroy(source);
        text_free(&yaml);
    }
    print_message("%zu accesses, %zu of several lanes\n", accesses, listed);
    assert_true(accesses > (size_t)check_rounds(10000, 10000));
    free(n);
}

/* Reads all warps of the kernel in turns of random length, and compares with
 * reading them one after the other. */
static void test_any_order_of_warps(void **state)
{
    struct nest *n = memory_alloc(sizeof *n);
    struct error error;
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct text yaml = {0};
        struct source *source;
        struct stream *stream;
        struct stream_kernel kernel;
        struct trace_items plain, mixed[24];
        memset(mixed, 0, sizeof mixed);
        make_nest(n, seed * 1234567);
        write_nest(n, &yaml);
        check_ok(workload_open_text(yaml.data, "", &source, &error));
        check_ok(trace_read(source, false, &plain, &error));
        check_ok(stream_open(source, &stream, &error));
        assert_int_equal(stream_next_kernel(stream, &kernel, &error), 1);
        uint32_t warps = (uint32_t)kernel.n_ctas * kernel.warps_per_cta, open = warps;
        assert_true(warps <= 24);
        char *states = memory_alloc(warps * kernel.warp_state_size);
        for (uint32_t w = 0; w < warps; w++) {
            VECTOR_PUSH(&mixed[w].kernels, (struct trace_kernel){.name = "k"});
            check_ok(stream_warp_begin(stream, w / kernel.warps_per_cta, w % kernel.warps_per_cta,
                                       states + w * kernel.warp_state_size, &error));
        }
        for (bool ended[24] = {false}; open > 0;) {
            struct warp_buffer buffer;
            uint32_t w = (uint32_t)(check_random(&n->random) % warps);
            int count = stream_read(stream, states + w * kernel.warp_state_size, &buffer, &error);
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
        stream_destroy(stream);
        source_destroy(source);
        text_free(&yaml);
    }
    free(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_nests),
        cmocka_unit_test(test_any_order_of_warps),
    };
    return cmocka_run_group_tests(tests, trace_files_setup, trace_files_teardown);
}
