/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small machine, a kernel, and the order in which its accesses are issued. */
#ifndef BANDSCAPE_TESTS_ISSUE_CHECK_H
#define BANDSCAPE_TESTS_ISSUE_CHECK_H

#include "profile_check.h"

#include "core/memory.h"
#include "core/plugin.h"
#include "profile/issue/issue.h"

/* Writes down what is issued: "SM:address " each; an address of 1000 and more waits. */
struct log {
    struct text text;
    int calls, fail_at;
};

static inline int log_access(void *context, uint32_t sm, uint64_t cta,
                             const struct warp_access *access, struct error *error)
{
    struct log *log = context;
    (void)cta;
    if (++log->calls == log->fail_at)
        return error_set(error, STATUS_FAILED, "enough");
    if (access->kind == ACCESS_NONE)
        text_printf(&log->text, "+%u ", access->instructions);
    else
        text_printf(&log->text, "%u:%llu ", sm, (unsigned long long)access->base);
    return access->kind != ACCESS_NONE && access->base >= 1000;
}

static inline struct system system_of(uint32_t chips, uint32_t sms_per_chip, const char *schedule,
                                      bool greedy)
{
    const struct plugin *plugin = plugin_find("schedule", schedule);
    assert_non_null(plugin);
    return (struct system){
        .chips = chips,
        .partitions = 1,
        .domains = chips,
        .sms_per_domain = sms_per_chip,
        .sms_per_chip = sms_per_chip,
        .sms = chips * sms_per_chip,
        .line_bytes = 128,
        .warps = 64,
        .threads = 2048,
        .ctas = 32,
        .order = greedy ? WARPS_GTO : WARPS_LRR,
        .cta_batch = 1,
        .stall = 2,
        .schedule = plugin,
        .cta_scope = "chip",
    };
}

static inline int issue_all(const struct system *system, struct synthetic *s, struct log *log,
                            struct error *error)
{
    struct issue *issue = issue_create(system, log_access, NULL, log);
    struct stream *stream = NULL;
    struct stream_kernel kernel;
    int status = stream_open(&s->source, &stream, error);
    text_append(&log->text, "");
    while (!status && stream_next_kernel(stream, &kernel, error) > 0) {
        status = issue_kernel(issue, stream, &kernel, error);
        text_append(&log->text, "| ");
    }
    stream_destroy(stream);
    issue_destroy(issue);
    return status;
}

static inline void check_order(const struct system *system, struct synthetic *s, const char *want)
{
    struct log log = {0};
    check_ok(issue_all(system, s, &log, &failure));
    assert_string_equal(log.text.data, want);
    text_free(&log.text);
    source_destroy(&s->source);
}

/* A warp that reads these addresses. */
static inline void warp_reads(struct synthetic *s, uint64_t cta, uint32_t warp, int n,
                              const uint64_t *addresses)
{
    for (int i = 0; i < n; i++)
        synthetic_lane(s, cta, warp, ACCESS_READ, addresses[i]);
}

#endif
