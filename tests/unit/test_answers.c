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
