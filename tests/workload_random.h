/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loop nests at random, as trees and as text. */
#ifndef BANDSCAPE_TESTS_WORKLOAD_RANDOM_H
#define BANDSCAPE_TESTS_WORKLOAD_RANDOM_H

#include "workload_check.h"

/* Index expressions are small: an array that reaches far on both sides of 2^30 holds all of them
 * without a check. Others are as large as what is touched, or an element less. */
enum { CENTRE = 1 << 30, NODES = 4000, ITEMS = 200, LOOPS = 8, DEPTH = 3, ACCESSES = 20000 };

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

/* Variables: bx by bz tx ty tz, then the loops' indices. */
enum { BX, BY, BZ, TX, TY, TZ, LOOP };

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
    int64_t unroll; /* of a loop; 0: not given */
    int access;     /* enum access_kind */
    bool overhead;
    int loop;
    struct item *body[4];
    int n_body;
};

struct nest {
    struct node nodes[NODES];
    struct item items[ITEMS];
    int n_nodes, n_items, n_loops;
    uint32_t grid[3], block[3];
    int64_t first, extent; /* of the array: its element 0 is index `first` */
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

/* Now and then of a kind that divides others, or negative. */
static const struct node *make_factor(struct nest *n)
{
    static const int64_t special[] = {2, 4, 8, 16, 32, 64, 96, 256, -1, -2, -7, -32};
    uint64_t kind = pick(n, 4 * sizeof special / sizeof *special);
    return make_number(n, kind % 4 ? (int64_t)pick(n, 40) : special[kind / 4]);
}

static const struct node *make_divisor(struct nest *n)
{
    const struct node *divisor = make_factor(n);
    return divisor->number ? divisor : make_number(n, 40);
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
        return pick(n, 4) ? make_variable(n, loops) : make_factor(n);
    const struct node *a = make_value(n, loops, depth - 1);
    switch (pick(n, 10)) {
    case 0:
    case 1:
        return make_node(n, ADD, 0, a, make_value(n, loops, depth - 1), NULL);
    case 2:
        return make_node(n, SUBTRACT, 0, a, make_value(n, loops, depth - 1), NULL);
    case 3:
        return make_node(n, TIMES, 0, a, make_factor(n), NULL);
    case 4:
        return make_node(n, TIMES, 0, make_node(n, MODULO, 0, a, make_number(n, 7), NULL),
                         make_variable(n, 0), NULL);
    case 5:
        return make_node(n, DIVIDE, 0, a, make_divisor(n), NULL);
    case 6:
        return make_node(n, MODULO, 0, a, make_divisor(n), NULL);
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
    const struct node *by = make_node(n, VARIABLE, (int64_t)pick(n, 3), NULL, NULL, NULL);
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
        item->unroll = pick(n, 3) ? 0 : 1 + (int64_t)pick(n, 5);
        item->n_body = make_body(n, item->body, loops + 1, depth - 1);
    } else if (kind < 6) {
        item->kind = IF;
        item->condition = make_condition(n, loops, 2);
        item->n_body = make_body(n, item->body, loops, depth - 1);
    } else if (kind < 9) {
        item->kind = ACCESS;
        item->index = make_value(n, loops, 3);
        item->access = pick(n, 6) ? ACCESS_READ : pick(n, 3) ? ACCESS_WRITE : ACCESS_ATOMIC;
        if (n->by_thread)
            item->index = make_moved(n, item->index);
    } else {
        item->kind = COMPUTE;
        item->number = (int64_t)pick(n, 5);
        item->overhead = pick(n, 4) == 0;
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
    static const uint32_t blocks[][3] = {{32, 2, 1}, {64, 1, 1},  {48, 1, 1}, {16, 4, 1},
                                         {20, 3, 1}, {8, 3, 2},   {4, 4, 4},  {5, 1, 1},
                                         {1, 40, 1}, {33, 2, 1},  {2, 1, 37}, {16, 2, 2},
                                         {1, 1, 1},  {16, 16, 1}, {7, 11, 3}};
    memset(n, 0, sizeof *n);
    n->random = seed;
    n->by_thread = pick(n, 2);
    memcpy(n->block, blocks[pick(n, sizeof blocks / sizeof *blocks)], sizeof n->block);
    n->grid[0] = 1 + (uint32_t)pick(n, 3);
    n->grid[1] = 1 + (uint32_t)pick(n, 2);
    n->grid[2] = 1 + (uint32_t)(pick(n, 4) == 0);
    if (pick(n, 4) == 0) /* long enough for sequences that depend on the others */
        n->grid[pick(n, 3)] = 9;
    n->n_body = make_body(n, n->body, 0, DEPTH);
}

/* ---- writing ---------------------------------------------------------------- */

static void write_node(const struct node *e, struct text *out)
{
    static const char *const names[] = {"bx", "by", "bz", "tx", "ty", "tz"};
    static const char *const infix[] = {
        [ADD] = "+",  [SUBTRACT] = "-", [TIMES] = "*",  [DIVIDE] = "/", [MODULO] = "%",
        [LESS] = "<", [EQUAL] = "==",   [BOTH] = "and", [EITHER] = "or"};
    if (e->op == NUMBER)
        text_printf(out, e->number < 0 ? "(%" PRId64 ")" : "%" PRId64, e->number);
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

static void write_body(const struct nest *n, struct item *const *body, int count, int indent,
                       struct text *out)
{
    for (int i = 0; i < count; i++) {
        const struct item *item = body[i];
        text_printf(out, "%*s- ", indent, "");
        if (item->kind == FOR) {
            text_printf(out, "for: \"k%d in ", item->loop);
            write_node(item->from, out);
            text_append(out, "..");
            write_node(item->to, out);
            text_printf(out, "\"\n%*s  step: %" PRId64 "\n", indent, "", item->number);
            if (item->unroll)
                text_printf(out, "%*s  unroll: %" PRId64 "\n", indent, "", item->unroll);
            text_printf(out, "%*s  body:\n", indent, "");
            write_body(n, item->body, item->n_body, indent + 4, out);
        } else if (item->kind == IF) {
            text_append(out, "if: \"");
            write_node(item->condition, out);
            text_printf(out, "\"\n%*s  body:\n", indent, "");
            write_body(n, item->body, item->n_body, indent + 4, out);
        } else if (item->kind == ACCESS) {
            text_printf(out, "%s: \"A[",
                        item->access == ACCESS_READ    ? "load"
                        : item->access == ACCESS_WRITE ? "store"
                                                       : "atomic");
            write_node(item->index, out);
            text_printf(out, " - (%" PRId64 ")]\"\n", n->first);
        } else {
            text_printf(out, "%s: %" PRId64 "\n", item->overhead ? "overhead" : "compute",
                        item->number);
        }
    }
}

static void write_nest(const struct nest *n, struct text *out)
{
    struct text body = {0};
    write_body(n, n->body, n->n_body, 6, &body);
    text_printf(out,
                "workload: random\nsummary: a test\nparameters: {}\ninputs: {small: {}}\n"
                "arrays: {A: {shape: [%" PRId64 "], type: f32}}\n",
                n->extent);
    if (strstr(body.data, "t[(")) /* a table that nothing reads is an error */
        text_append(out, "tables: {t: [7, 0, 3, -2, 30]}\n");
    text_printf(
        out,
        "kernels:\n  - name: k\n    grid: [%u, %u, %u]\n    block: [%u, %u, %u]\n    body:\n%s",
        n->grid[0], n->grid[1], n->grid[2], n->block[0], n->block[1], n->block[2], body.data);
    text_free(&body);
}

#endif
