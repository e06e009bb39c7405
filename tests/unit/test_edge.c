/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coalescing potential at the edge: hand cases, a naive referee. */
#include "check.h"

#include "dualopt/edge.h"

static void check_counts(const struct edge *edge, uint64_t requests, uint64_t unbounded,
                         uint64_t bounded)
{
    assert_int_equal(edge->requests, requests);
    assert_int_equal(edge->unbounded, unbounded);
    assert_int_equal(edge->bounded, bounded);
}

TEST(test_by_hand)
{
    struct edge edge;
    edge_init(&edge, 2, 10);
    struct edge_result r = edge_result(&edge);
    assert_true(isnan(r.unbounded_frac) && isnan(r.bounded_frac) && isnan(r.pieces));
    edge_take(&edge, 0, 5, 0, 0xf);
    check_counts(&edge, 1, 0, 0);
    edge_take(&edge, 0, 5, 0, 0x1); /* in the same round */
    check_counts(&edge, 2, 1, 1);
    edge_take(&edge, 1, 5, 1, 0x1); /* another domain */
    check_counts(&edge, 3, 1, 1);
    edge_take(&edge, 0, 5, 9, 0x3);
    check_counts(&edge, 4, 2, 2);
    edge_take(&edge, 0, 5, 10, 0x1); /* the one sent is answered; the last is 1 round ago */
    check_counts(&edge, 5, 3, 2);
    edge_take(&edge, 0, 5, 19, 0x1); /* sent again at 10 */
    check_counts(&edge, 6, 4, 3);
    edge_take(&edge, 0, 5, 29, 0x1); /* 10 rounds after the last one */
    check_counts(&edge, 7, 4, 3);
    edge_begin_launch(&edge);
    edge_take(&edge, 0, 5, 0, 0x1);
    check_counts(&edge, 8, 4, 3);
    r = edge_result(&edge);
    check_relative(r.unbounded_frac, 4 / 8.0, 1e-12);
    check_relative(r.bounded_frac, 3 / 8.0, 1e-12);
    check_relative(r.pieces, (4 + 2 + 6) / 8.0, 1e-12);
    assert_int_equal(edge.pieces[1], 6);
    assert_int_equal(edge.pieces[2], 1);
    assert_int_equal(edge.pieces[4], 1);
    edge_fini(&edge);
}

/* The buffer holds 64: the 64th line after one still finds it there, the next does not. */
TEST(test_buffer)
{
    for (uint64_t others = 60; others < 70; others++) {
        struct edge edge;
        edge_init(&edge, 1, 1000);
        for (uint64_t line = 0; line <= others; line++)
            edge_take(&edge, 0, line, line, 1);
        edge_take(&edge, 0, 0, others + 1, 1);
        check_counts(&edge, others + 2, 1, others < EDGE_BUFFER);
        edge_fini(&edge);
    }
}

/* The referee: every request ever made, and a buffer that is a queue. */
enum { DOMAINS = 3, LENGTH = 500 };

struct naive_request {
    uint64_t line, round;
};

struct naive {
    struct naive_request all[DOMAINS][LENGTH], buffer[DOMAINS][EDGE_BUFFER];
    uint32_t n_all[DOMAINS], n_buffer[DOMAINS];
    uint64_t unbounded, bounded;
};

static void naive_take(struct naive *naive, uint32_t domain, uint64_t line, uint64_t round,
                       uint64_t latency)
{
    bool unbounded = false, bounded = false;
    for (uint32_t i = 0; i < naive->n_all[domain]; i++)
        unbounded |=
            naive->all[domain][i].line == line && round < naive->all[domain][i].round + latency;
    naive->all[domain][naive->n_all[domain]++] = (struct naive_request){line, round};

    struct naive_request *buffer = naive->buffer[domain];
    uint32_t *n = &naive->n_buffer[domain], kept = 0;
    for (uint32_t i = 0; i < *n; i++) /* answered ones leave */
        if (round < buffer[i].round + latency)
            buffer[kept++] = buffer[i];
    *n = kept;
    for (uint32_t i = 0; i < *n; i++)
        bounded |= buffer[i].line == line;
    if (!bounded) {
        if (*n == EDGE_BUFFER)
            memmove(buffer, buffer + 1, --*n * sizeof *buffer);
        buffer[(*n)++] = (struct naive_request){line, round};
    }
    naive->unbounded += unbounded;
    naive->bounded += bounded;
}

TEST(test_against_naive)
{
    static struct naive naive;
    uint64_t random = 1;
    for (int round = check_rounds(2000, 40000); round > 0; round--) {
        memset(&naive, 0, sizeof naive);
        uint64_t latency = check_random(&random) % 150;
        uint64_t lines = 1 + check_random(&random) % 400, now = 0;
        uint64_t pace = 1 + check_random(&random) % 8;
        uint32_t length = 1 + (uint32_t)(check_random(&random) % LENGTH);
        struct edge edge;
        edge_init(&edge, DOMAINS, latency);
        for (uint32_t i = 0; i < length; i++) {
            if (check_random(&random) % 200 == 0) {
                edge_begin_launch(&edge);
                memset(naive.n_all, 0, sizeof naive.n_all);
                memset(naive.n_buffer, 0, sizeof naive.n_buffer);
                now = check_random(&random) % 10;
            }
            now += check_random(&random) % pace;
            uint32_t domain = (uint32_t)(check_random(&random) % DOMAINS);
            uint64_t line = check_random(&random) % lines;
            edge_take(&edge, domain, line, now, 1);
            naive_take(&naive, domain, line, now, latency);
        }
        check_counts(&edge, length, naive.unbounded, naive.bounded);
        assert_true(edge.bounded <= edge.unbounded);
        edge_fini(&edge);
    }
}

/* A stream over ever new lines: memory goes with what is under way. */
TEST(test_memory)
{
    struct edge edge;
    edge_init(&edge, 1, 100);
    for (uint64_t i = 0; i < 200000; i++) {
        edge_take(&edge, 0, i, i, 1);
        edge_take(&edge, 0, i - i % 50, i, 1);
    }
    assert_true(edge.bits <= 9);
    check_counts(&edge, 400000, 200000, 200000);
    edge_fini(&edge);
}
