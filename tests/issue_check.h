/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small machine, a kernel, and the order in which its accesses are issued. */
#ifndef BANDSCAPE_TESTS_ISSUE_CHECK_H
#define BANDSCAPE_TESTS_ISSUE_CHECK_H

#include <string.h>

#include "profile_check.h"

#include "core/memory.h"
#include "core/plugin.h"
#include "profile/issue/issue.h"
#include "profile/issue/order.h"

/* Writes down what is issued: "SM:address " each; an address of 1000 and more waits for `stall`
 * rounds, of 2000 and more for those that address / 100 % 10 says. SMs together,
 * or each alone for some rounds, and then put in order. */
enum { LOG_SMS = 64 };
struct log {
    struct text text;
    int calls, fail_at;
    uint32_t rounds; /* of a batch; 0: together */
    uint32_t stall;
    struct order *order;
    struct log_list {
        struct log_entry {
            struct issue_turn turn;
            struct warp_access access;
        } * items;
        size_t count, capacity, taken;
    } lists[LOG_SMS];
};

static inline void log_write(struct log *log, uint32_t sm, const struct warp_access *access)
{
    if (access->kind == ACCESS_NONE)
        text_printf(&log->text, "+%u ", access->instructions);
    else
        text_printf(&log->text, "%u:%llu ", sm, (unsigned long long)access->base);
}

/* Rounds until its data are there. */
static inline int log_wait(uint32_t stall, const struct warp_access *access)
{
    if (access->kind == ACCESS_NONE || access->base < 1000)
        return 0;
    return 1 + (int)(access->base < 2000 ? stall : access->base / 100 % 10);
}

static inline int log_access(void *context, const struct issue_turn *turn,
                             const struct warp_access *access, struct error *error)
{
    struct log *log = context;
    if (++log->calls == log->fail_at)
        return error_set(error, STATUS_FAILED, "enough");
    if (log->order && log->rounds)
        VECTOR_PUSH(&log->lists[turn->sm], (struct log_entry){*turn, *access});
    else
        log_write(log, turn->sm, access);
    return log_wait(log->stall, access);
}

static inline int log_take(void *context, uint32_t sm, uint64_t *next, struct error *error)
{
    struct log *log = context;
    struct log_list *list = &log->lists[sm];
    (void)error;
    for (uint64_t round = *next; *next == round;) {
        log_write(log, sm, &list->items[list->taken++].access);
        *next = list->taken < list->count ? list->items[list->taken].turn.round : ORDER_END;
    }
    return 0;
}

static inline int log_commit(void *context, struct error *error)
{
    struct log *log = context;
    for (uint32_t sm = 0; sm < log->order->sms; sm++)
        order_set(log->order, sm,
                  log->lists[sm].count ? log->lists[sm].items[0].turn.round : ORDER_END);
    check_ok(order_take(log->order, ORDER_END, log_take, log, error));
    for (uint32_t sm = 0; sm < log->order->sms; sm++)
        log->lists[sm].count = log->lists[sm].taken = 0;
    return (int)log->rounds;
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

static inline int issue_source(const struct system *system, const struct source *source,
                               struct log *log, struct error *error)
{
    struct issue_user user = {
        .context = log, .together = log->rounds == 0, .access = log_access, .commit = log_commit};
    struct issue *issue = issue_create(system, &user);
    struct stream *stream = NULL;
    struct stream_kernel kernel;
    struct order order;
    int status = stream_open(source, &stream, error);
    assert_true(system->sms <= LOG_SMS);
    order_init(&order, system, NULL);
    log->stall = system->stall;
    text_append(&log->text, "");
    while (!status && stream_next_kernel(stream, &kernel, error) > 0) {
        log->order = kernel.recorded_order ? NULL : &order;
        status = issue_kernel(issue, stream, &kernel, error);
        text_append(&log->text, "| ");
    }
    for (uint32_t sm = 0; sm < system->sms; sm++)
        VECTOR_FREE(&log->lists[sm]);
    memset(log->lists, 0, sizeof log->lists);
    order_fini(&order);
    stream_destroy(stream);
    issue_destroy(issue);
    return status;
}

static inline int issue_all(const struct system *system, struct synthetic *s, struct log *log,
                            struct error *error)
{
    return issue_source(system, &s->source, log, error);
}

static inline void check_order(const struct system *system, struct synthetic *s, const char *want)
{
    static const uint32_t rounds[] = {0, 1, 2, 3, 7, 1000};
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        struct log log = {.rounds = rounds[i]};
        check_ok(issue_all(system, s, &log, &failure));
        assert_string_equal(log.text.data, want);
        text_free(&log.text);
    }
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
