/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is kept of models' answers: each question is asked once, machines differ by the last bit of
 * a parameter, and what is found is what asking anew gives. */
#include "check.h"

#include "validate/answers.h"

static const struct model *model_of(const char *name)
{
    const struct plugin *plugin;
    check_ok(plugin_require("model", name, &plugin, &failure));
    return (const struct model *)plugin;
}

TEST(asked_once)
{
    OWNED(machine) *sac = check_shipped("sac", NULL);
    OWNED(machine) *same = machine_clone(sac);
    OWNED(machine) *near = machine_clone(sac);
    struct parameter_value links = {.known = true, .given = true, .dim = DIM_BYTES_PER_S};
    const struct model *bottleneck = model_of("bottleneck"), *network = model_of("network");
    struct subject *subject;
    struct answers *answers = answers_create();
    size_t made;
    check_ok(subject_open("stencil:input=small", &subject, &failure));
    check_ok(machine_number(sac, "inter.link_bandwidth", &links.number, &failure));
    links.number = nextafter(links.number, 1e30);
    check_ok(machine_set_value(near, "inter.link_bandwidth", &links, &failure));
    const struct model *const models[] = {bottleneck, network};
    check_ok(subject_prepare_models(subject, sac, models, 2, PART_BASE, NULL, &made, &failure));

    assert_null(answers_find(answers, network, sac, subject));
    answers_enter(answers, network, sac, subject);
    answers_enter(answers, network, same, subject);
    answers_enter(answers, network, near, subject);
    check_ok(answers_make(answers, 3, &failure));
    answers_enter(answers, bottleneck, sac, subject);
    answers_enter(answers, network, sac, subject);
    check_ok(answers_make(answers, 1, &failure));
    assert_int_equal(answers_count(answers), 3);

    for (int m = 0; m < 2; m++) {
        const struct answer *kept = answers_find(answers, models[m], same, subject);
        const struct profile_view *view;
        struct answer *anew;
        assert_non_null(kept);
        check_ok(subject_view(subject, sac, &view, &failure));
        check_ok(answer_create(models[m], sac, view, &anew, &failure));
        check_relative(answer_metric(kept, "kernel_time"), answer_metric(anew, "kernel_time"), 0);
        answer_destroy(anew);
    }
    assert_ptr_not_equal(answers_find(answers, network, sac, subject),
                         answers_find(answers, network, near, subject));
    answers_destroy(answers);
    subject_destroy(subject);
}

/* A model that refuses is no error; who asks gets its reason himself. */
TEST(refused)
{
    OWNED(machine) *nuba = check_shipped("nuba", NULL);
    const struct model *eab = model_of("eab");
    struct subject *subject;
    struct answers *answers = answers_create();
    size_t made;
    check_ok(subject_open("stencil:input=small", &subject, &failure));
    check_ok(subject_prepare_models(subject, nuba, &eab, 1, PART_BASE, NULL, &made, &failure));
    answers_enter(answers, eab, nuba, subject);
    check_ok(answers_make(answers, 2, &failure));
    assert_int_equal(answers_count(answers), 1);
    assert_null(answers_find(answers, eab, nuba, subject));
    answers_destroy(answers);
    subject_destroy(subject);
}

/* What a line about an answer says needs no network of another machine (inter_x2), and is what all
 * values say. */
TEST(in_a_line)
{
    OWNED(machine) *sac = check_shipped("sac", NULL);
    const struct model *network = model_of("network");
    const struct profile_view *view;
    struct model_views views = {{NULL}};
    struct subject *subject;
    struct answer *all, *few;
    size_t made, choices[2];
    double ratio[2];
    check_set(sac, "llc.organisation", "sac");
    check_ok(subject_open("lud:input=small", &subject, &failure));
    check_ok(subject_prepare_models(subject, sac, &network, 1, PART_BASE | PART_WINDOW, NULL, &made,
                                    &failure));
    check_ok(subject_view(subject, sac, &view, &failure));
    views.items[0] = view;
    check_ok(answer_create_metrics(network, sac, &views, NULL, &all, &failure));
    check_ok(answer_create_metrics(network, sac, &views, answer_in_a_line, &few, &failure));
    assert_true(answer_metric(all, "inter_x2") > 0 && isnan(answer_metric(few, "inter_x2")));
    for (int i = 0; answer_in_a_line[i]; i++)
        check_relative(answer_metric(few, answer_in_a_line[i]),
                       answer_metric(all, answer_in_a_line[i]), 0);
    assert_int_equal(answer_decisions(few, &choices[0]), answer_decisions(all, &choices[1]));
    assert_true(choices[0] == choices[1] && choices[0] > 1);
    assert_int_equal(answer_unturned(few), answer_unturned(all));
    assert_int_equal(answer_dominant(few) - few->result.records,
                     answer_dominant(all) - all->result.records);
    for (size_t r = 0; r < all->result.n_records; r++) {
        const struct model_record *a = &few->result.records[r], *b = &all->result.records[r];
        for (int i = 0; i < b->n_streams; i++) {
            assert_string_equal(answer_limit(few, a, i), answer_limit(all, b, i));
            const char *next = answer_next_limit(all, b, i, &ratio[1]),
                       *same = answer_next_limit(few, a, i, &ratio[0]);
            assert_true(!next == !same);
            if (next) {
                assert_string_equal(same, next);
                check_relative(ratio[0], ratio[1], 0);
            }
        }
    }
    answer_destroy(all);
    answer_destroy(few);
    subject_destroy(subject);
}
