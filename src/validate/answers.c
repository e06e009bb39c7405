/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/answers.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/parallel.h"
#include "core/progress.h"

struct question {
    char key[HASH_TEXT];
    const struct model *model;
    const struct machine *machine;
    const struct subject *subject;
    struct answer *answer; /* NULL: not yet, or refused */
};

struct answers {
    struct question *items;
    size_t count, capacity;
    size_t made; /* the first ones */
};

struct answers *answers_create(void)
{
    return memory_zero(1, sizeof(struct answers));
}

void answers_destroy(struct answers *answers)
{
    if (!answers)
        return;
    for (size_t i = 0; i < answers->count; i++)
        answer_destroy(answers->items[i].answer);
    VECTOR_FREE(answers);
    free(answers);
}

static void question_key(const struct model *model, const struct machine *machine,
                         const struct subject *subject, char out[HASH_TEXT])
{
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, model->plugin.name);
    hash_content_string(hash, subject->spec); /* a stored profile has views of its own */
    hash_content_string(hash, subject->source->hash);
    machine_add_to_hash(machine, hash);
    hash_content_end(hash, out);
}

static const struct question *question_find(const struct answers *answers, const char *key)
{
    for (size_t i = 0; i < answers->count; i++)
        if (strcmp(answers->items[i].key, key) == 0)
            return &answers->items[i];
    return NULL;
}

void answers_enter(struct answers *answers, const struct model *model,
                   const struct machine *machine, const struct subject *subject)
{
    struct question question = {.model = model, .machine = machine, .subject = subject};
    if (!subject->source)
        return;
    question_key(model, machine, subject, question.key);
    if (!question_find(answers, question.key))
        VECTOR_PUSH(answers, question);
}

static int make_one(void *context, uint64_t item, struct error *error)
{
    struct answers *answers = context;
    struct question *q = &answers->items[answers->made + item];
    struct model_views views;
    int status = subject_views(q->subject, q->model, q->machine, &views, error);
    if (!status)
        status = answer_create_variants(q->model, q->machine, &views, &q->answer, error);
    progress_item();
    return status == STATUS_INTERRUPTED ? status : 0;
}

int answers_make(struct answers *answers, int threads, struct error *error)
{
    size_t count = answers->count - answers->made;
    if (!count)
        return 0;
    progress_begin_items("asking models", "answers", count, "answers");
    int status = parallel_try(threads, count, make_one, answers, NULL, error);
    progress_end();
    answers->made = answers->count;
    return status;
}

const struct answer *answers_find(const struct answers *answers, const struct model *model,
                                  const struct machine *machine, const struct subject *subject)
{
    char key[HASH_TEXT];
    if (!subject || !subject->source)
        return NULL;
    question_key(model, machine, subject, key);
    const struct question *q = question_find(answers, key);
    return q ? q->answer : NULL;
}

size_t answers_count(const struct answers *answers)
{
    return answers->made;
}
