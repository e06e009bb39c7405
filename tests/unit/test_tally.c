/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counts of stretches become, by hand. */
#include "check.h"

#include "machine/system.h"
#include "profile/run/tally.h"

/* Of 1600 writes a quarter was counted, all first requests: as many requests there are, however
 * many first ones the sample of a sixteenth of the lines has. */
static void check_writes(uint64_t first_writes)
{
    OWNED(machine) *machine = check_shipped("sac", NULL);
    struct system system;
    struct tally now, head, left, first;
    check_ok(system_compile(&system, machine, SYSTEM_STREAM, &failure));
    tally_init(&now, &system);
    tally_init(&head, &system);
    tally_init(&left, &system);
    tally_init(&first, &system);
    now.counts.line_accesses = now.counts.line_writes = 1600;
    left.counts.line_accesses = left.counts.line_writes = 1200;
    now.counts.behind.told_writes = 400;
    now.counts.behind.first_writes = first_writes;
    left.counts.behind.first_writes = first_writes - 25;
    first.counts.behind.requests[ACCESS_WRITE] = first.counts.behind.home_requests = first_writes;
    first.counts.behind.home_remote_requests = first_writes / 2;
    first.home_slices[0] = first.own_slices[0] = first.traffic[0] = first_writes;
    struct weights weights = tally_weights(&now, &head, &left, 16);
    tally_weigh(&now, &head, &left, &first, &weights);
    assert_int_equal(now.counts.behind.requests[ACCESS_WRITE], 1600);
    assert_int_equal(now.counts.behind.home_requests, 1600);
    assert_int_equal(now.counts.behind.home_remote_requests, 800);
    assert_int_equal(now.home_slices[0], 1600);
    assert_int_equal(now.own_slices[0], 1600);
    assert_int_equal(now.traffic[0], 1600);
    tally_fini(&now);
    tally_fini(&head);
    tally_fini(&left);
    tally_fini(&first);
}

TEST(test_writes_of_a_sample)
{
    check_writes(90);
    check_writes(100);
    check_writes(110);
}
