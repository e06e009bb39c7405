/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What models answer for the machines and workloads of a run: figures and labels of a paper ask the
 * same of the same again and again. All that is going to be asked is entered, answered on all
 * threads, each once, and found. */
#ifndef BANDSCAPE_VALIDATE_ANSWERS_H
#define BANDSCAPE_VALIDATE_ANSWERS_H

#include "explore/answer/answer.h"
#include "explore/views/subject.h"

struct answers;

struct answers *answers_create(void);
void answers_destroy(struct answers *answers);

/* Enters a question. Model, machine and subject, whose views are there, stay until answers_make();
 * two machines are the same if all their parameters and links are, two subjects if their names and
 * sources are. A workload without a source, whose profile is all there is of it, is not entered. */
void answers_enter(struct answers *answers, const struct model *model,
                   const struct machine *machine, const struct subject *subject);
/* Answers what was entered since the last time. STATUS_INTERRUPTED; what a model refuses is no
 * error. */
int answers_make(struct answers *answers, int threads, struct error *error);
/* NULL: it was not entered, or the model refused: who asks himself gets the reason. The answer's
 * numbers of the run stay until answers_destroy(), what it refers to of a profile only as long as
 * the subject. */
const struct answer *answers_find(const struct answers *answers, const struct model *model,
                                  const struct machine *machine, const struct subject *subject);
/* How many different questions were answered, those included that were refused. */
size_t answers_count(const struct answers *answers);

#endif
