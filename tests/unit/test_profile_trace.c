/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real traces (BANDSCAPE_TRACES) through the whole pass: counts known from
 * elsewhere. */
#include "profile_check.h"

static struct profile *profile_of(const char *folder, const char *name)
{
    OWNED(source) *source = NULL;
    struct text path = {0};
    text_printf(&path, "%s/%s/kernelslist.g", folder, name);
    check_ok(source_open_trace(path.data, &source, &failure));
    OWNED(machine) *machine = check_shipped("models/sac/sac.yaml", NULL);
    struct profile *profile = check_profile(source, machine, true);
    text_free(&path);
    return profile;
}

TEST(test_bfs)
{
    const char *folder;
    check_need_traces(folder);
    OWNED(profile) *profile = profile_of(folder, "rodinia-bfs");
    const struct profile_view *view = &profile->views[0];
    assert_int_equal(view->n_records, 16);
    const struct profile_record *seventh = &view->records[6];
    check_field(seventh, FIELD_LINES, 745);
    check_field(seventh, FIELD_CTA_SHARED_LINES, 192);
    check_relative(seventh->fields[FIELD_CTA_LINE_PAIRS] / 745, 2.59, 0.002);
    /* 7.18 blocks a line over the shared ones; the others have one each. */
    check_relative((seventh->fields[FIELD_CTA_LINE_PAIRS] - (745 - 192)) / 192, 7.18, 0.001);
    check_field(seventh, FIELD_WARP_ACCESSES, 7449);
    check_field(seventh, FIELD_LINE_ACCESSES, 12148);
    check_field(seventh, FIELD_SECTOR_ACCESSES, 13980);

    /* Loads of the edge array (98 304 bytes) level by level: every edge once. */
    static const uint64_t edges[] = {10, 70, 416, 2331, 9608, 11278, 860, 3};
    uint64_t sum = 0;
    for (size_t r = 0; r < view->n_records; r++) {
        uint64_t reads = 0;
        for (size_t a = 0; a < view->records[r].n_allocations; a++)
            if (view->records[r].allocations[a].bytes == 98304)
                reads += view->records[r].allocations[a].lane_reads;
        assert_int_equal(reads, r % 2 ? 0 : edges[r / 2]);
        sum += reads;
    }
    assert_int_equal(sum, 98304 / 4);
}

TEST(test_vectoradd)
{
    const char *folder;
    check_need_traces(folder);
    OWNED(profile) *profile = profile_of(folder, "vectoradd");
    const struct profile_record *record = &profile->views[0].records[0];
    assert_int_equal(profile->views[0].n_records, 1);
    check_field(record, FIELD_CTAS, 196);
    check_field(record, FIELD_WARP_ACCESSES, 4689);
    check_field(record, FIELD_SECTOR_ACCESSES, 18750);
    /* Every line once: no L1 hits, no reuse anywhere. */
    assert_true(record->fields[FIELD_LINES] == record->fields[FIELD_LINE_ACCESSES]);
    check_field(record, FIELD_L1_READ_HITS, 0);
    assert_true(record->fields[FIELD_CTA_LINE_PAIRS] == record->fields[FIELD_LINES]);
    for (size_t i = 0; i < record->n_curves; i++)
        assert_int_equal(record->curves[i].curve.cold, record->curves[i].curve.requests);
}
