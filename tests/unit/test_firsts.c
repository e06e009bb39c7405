/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First requests of which a sample of the lines alone is seen at times, beside what is known here.
 */
#include "check.h"

#include <stdlib.h>

#include "core/memory.h"
#include "profile/run/firsts.h"

enum { LINES = 1 << 16, RATE = 16 };

struct seen {
    bool ever, told; /* by anybody, where nothing is skimmed */
};

/* What looks first and is, and what is taken for it; the first of the launch, of other lines. */
struct outcome {
    uint64_t looked, were, guessed;
};

static bool is_sampled(uint32_t line)
{
    return line % RATE == 0;
}

static void request(struct firsts *firsts, struct seen *seen, uint32_t line, bool skimmed,
                    struct outcome *outcome)
{
    struct seen *own = &seen[line];
    bool first = !own->ever, looks = !skimmed && !own->told;
    own->ever = true;
    own->told = own->told || !skimmed;
    if (skimmed)
        return;
    if (is_sampled(line)) {
        assert_true(firsts_look(firsts, line / RATE, 3) == looks);
        if (looks)
            firsts_learn(firsts, false, first);
    } else if (looks) {
        outcome->looked++;
        outcome->were += first;
        outcome->guessed += firsts_guess(firsts, false);
    }
}

/* Stretches of so many requests, every other one skimmed: of lines at random, or one by one. */
static struct outcome run(struct firsts *firsts, uint32_t requests, uint32_t stretch, bool random)
{
    struct seen *seen = memory_zero(LINES, sizeof *seen);
    struct outcome outcome = {0, 0, 0};
    uint64_t state = 1;
    firsts_begin_launch(firsts);
    for (uint32_t i = 0; i < requests; i++) {
        uint32_t line = random ? (uint32_t)(check_random(&state) % LINES) : i % LINES;
        request(firsts, seen, line, i / stretch % 2 == 0, &outcome);
    }
    free(seen);
    return outcome;
}

/* Fewer and fewer of what looks first is, as lines were skimmed. */
TEST(test_at_random)
{
    struct firsts firsts = {0};
    struct outcome outcome = run(&firsts, 3 * LINES, LINES / 8, true);
    assert_true(outcome.were > outcome.looked / 4 && outcome.were < outcome.looked * 3 / 4);
    check_relative((double)outcome.guessed, (double)outcome.were, 0.03);
    firsts_fini(&firsts);
}

/* Of a stream all are, of what was skimmed before none is: no chance of the sample. */
TEST(test_all_or_none)
{
    struct firsts firsts = {0};
    struct outcome outcome = run(&firsts, LINES, LINES / 64, false);
    assert_true(outcome.looked > 0 && outcome.were == outcome.looked);
    assert_true(outcome.guessed == outcome.looked);
    outcome = run(&firsts, 2 * LINES, LINES, false);
    assert_true(outcome.looked > 0 && outcome.were == 0);
    assert_true(outcome.guessed <= RATE); /* before the first line of the sample */
    firsts_fini(&firsts);
}

/* Domains, reads and writes, and launches are each for themselves. */
TEST(test_apart)
{
    struct firsts firsts = {0};
    firsts_begin_launch(&firsts);
    assert_true(firsts_look(&firsts, 7, 0) && firsts_look(&firsts, 7, 63));
    assert_false(firsts_look(&firsts, 7, 0) || firsts_look(&firsts, 7, 63));
    firsts_learn(&firsts, true, false);
    assert_true(firsts_guess(&firsts, false));
    assert_false(firsts_guess(&firsts, true));
    firsts_begin_launch(&firsts);
    assert_true(firsts_look(&firsts, 7, 0) && firsts_guess(&firsts, true));
    firsts_fini(&firsts);
}
