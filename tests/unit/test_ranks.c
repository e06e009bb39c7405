/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How work is handed out among ranks: all of it, once, in as many pieces as the page about sweeps
 * counts on; and what one process alone does. tests/cli/ranks.sh starts several. */
#include "check.h"

#include "core/progress.h"
#include "core/ranks.h"

/* Pieces until nothing is left. */
static uint64_t count_pieces(uint64_t items, uint64_t count, uint64_t most)
{
    uint64_t pieces = 0, last = UINT64_MAX;
    for (uint64_t left = items; left > 0; pieces++) {
        uint64_t piece = ranks_piece(left, count, most);
        assert_in_range(piece, 1, left);
        assert_true(piece <= last); /* the largest first */
        assert_true(!most || piece <= most);
        last = piece;
        left -= piece;
    }
    return pieces;
}

/* While between 2P q and 2P (q + 1) items are left a piece has q: 2P / q pieces for each q from
 * items / 2P down to 1, and the last 2P items one by one. The sum of 1 / q is at most one more than
 * the logarithm. */
TEST(pieces_grow_with_the_logarithm)
{
    static const uint64_t counts[] = {2, 3, 4, 100, 1000, 10000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (uint64_t each = 1; each <= 65536; each *= 4) {
            double count = (double)counts[i], items = count * (double)each;
            double bound = 2 * count * (2 + log(fmax(1, items / (2 * count)))) + count;
            uint64_t pieces = count_pieces(counts[i] * each, counts[i], 0);
            assert_true((double)pieces <= fmin(items, bound));
            if (each == 64)
                print_message("%llu ranks, %llu items: %llu pieces, %.1f a rank\n",
                              (unsigned long long)counts[i], (unsigned long long)(counts[i] * each),
                              (unsigned long long)pieces, (double)pieces / count);
        }
}

TEST(pieces_have_a_limit)
{
    assert_int_equal(count_pieces(1000, 1, 0), 1);
    assert_int_equal(count_pieces(1000, 1, 8), 125);
    assert_int_equal(count_pieces(16, 4, 2), 15);
    assert_int_equal(ranks_piece(0, 4, 0), 0);
}

static void never(void *context, struct text *out)
{
    (void)context;
    (void)out;
    fail_msg("nobody is asked");
}

static int take_never(void *context, struct text *text, struct error *error)
{
    (void)context;
    (void)text;
    return error_set(error, STATUS_FAILED, "nobody sends");
}

TEST(one_process_is_rank_0_of_1)
{
    uint64_t from, to, next = 0;
    struct text text = {0};
    unsetenv("OMPI_COMM_WORLD_SIZE"); /* whoever started the tests */
    unsetenv("PMI_SIZE");
    unsetenv("SLURM_STEP_NUM_TASKS");
    check_ok(ranks_begin(&failure));
    assert_int_equal(ranks_count(), 1);
    assert_true(ranks_first());
    struct ranks_pool *pool = ranks_pool_open(10, 3, NULL);
    while (ranks_pool_next(pool, &from, &to)) {
        assert_int_equal(from, next);
        assert_in_range(to, from + 1, 10);
        next = to;
    }
    assert_int_equal(next, 10);
    ranks_pool_close(pool);
    pool = ranks_pool_open(10, 3, NULL);
    assert_true(ranks_pool_next(pool, &from, &to));
    ranks_pool_close(pool); /* before the end */
    text_append(&text, "mine");
    ranks_spread(&text);
    assert_string_equal(text.data, "mine");
    text_free(&text);
    check_ok(ranks_gather(&(struct ranks_gathering){never, take_never, NULL}, &failure));
    error_set(&failure, STATUS_INPUT, "that is wrong");
    assert_int_equal(ranks_agree(STATUS_INPUT, &failure), STATUS_INPUT);
    assert_string_equal(failure.text, "that is wrong");
    failure = (struct error){0};
    assert_int_equal(ranks_traffic().messages, 0);
    ranks_end();
}

/* What mpirun takes is no terminal: a line each time, none drawn over. */
TEST(progress_in_lines)
{
    char text[400];
    FILE *file = tmpfile();
    assert_non_null(file);
    progress_set_lines(file, -1);
    progress_begin("sweeping", "points", 10);
    progress_add(5);
    progress_clear();
    progress_add(5);
    progress_end();
    progress_set_stream(NULL);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_null(strchr(text, '\r'));
    assert_non_null(strstr(text, " 50%"));
    char *second = strchr(text, '\n');
    assert_non_null(second);
    assert_non_null(strstr(second, "100%"));
}
