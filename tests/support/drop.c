/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends of what tests own. */
#include "check.h"

#include "explore/answer/answer.h"
#include "explore/sweep/sweep.h"
#include "machine/machine.h"
#include "profile/record/profile.h"
#include "trace/stream.h"

void check_drop_answer(struct answer **answer)
{
    answer_destroy(*answer);
}

void check_drop_machine(struct machine **machine)
{
    machine_destroy(*machine);
}

void check_drop_profile(struct profile **profile)
{
    profile_destroy(*profile);
}

void check_drop_source(struct source **source)
{
    source_destroy(*source);
}

void check_drop_space(struct space **space)
{
    space_destroy(*space);
}

void check_drop_stream(struct stream **stream)
{
    stream_destroy(*stream);
}

void check_drop_sweep(struct sweep **sweep)
{
    sweep_destroy(*sweep);
}
