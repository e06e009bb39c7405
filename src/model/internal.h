/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What read.c and model.c share. */
#ifndef BANDSCAPE_MODEL_INTERNAL_H
#define BANDSCAPE_MODEL_INTERNAL_H

#include "model/model.h"

/* A machine as an organisation makes it, and what was compiled of it. */
struct organised {
    struct machine *machine;
    struct system system;
    bool compiled;
    unsigned parts;
    int turned; /* truth term: its LLC was emptied before this launch, to stand there; 0: never */
};
void organised_fini(struct organised *organised);

/* The first error stays in `status` and `error`; terms made after it are dummies. */
struct model_builder {
    struct term_graph *graph;
    struct arena *arena;
    const struct plugin *plugin; /* for whom: a model or a cost */
    const struct model *model;   /* NULL for a cost, and so are the next but the machine */
    const struct machine *machine;
    struct organised *organised; /* the same */
    const struct profile_record *record;
    struct model_record *out;
    struct model_result *result;     /* of the run */
    const struct model_views *views; /* NULL for a cost */
    size_t index;                    /* of the record */
    int selected;                    /* variant */
    int valid;                       /* truth term: without it no metric is a number; 0: always */
    struct error *error;
    int status;
};

/* The first failure stays; a term in place of one that cannot be made. */
void builder_fail(struct model_builder *builder, int status, const struct error *error);
int builder_dummy(struct model_builder *builder, struct dim dim);

/* The term of that name, or -1. */
int model_term_find(const struct model_term *terms, int n, const char *name);
/* Fails when something was asked of the graph against its rules (term_graph_misuse). */
int model_check_graph(const struct term_graph *graph, const struct plugin *plugin,
                      struct error *error);

/* What records of a run are built with. */
struct record_maker {
    struct term_graph *graph;
    struct arena *arena;
    const struct model *model; /* that answers */
    const struct model_views *views;
    struct model_result *result;
    size_t index; /* of the record */
};
/* A builder, and a record's terms: of any model, for the record or a part of it. `result`: that
 * takes warnings; NULL: none does. */
struct model_builder record_builder(const struct record_maker *maker, const struct model *model,
                                    struct organised *organised,
                                    const struct profile_record *record,
                                    struct model_result *result, struct model_record *out,
                                    struct error *error);
int record_build(const struct record_maker *maker, const struct model *model,
                 struct organised *organised, const struct profile_record *record,
                 struct model_result *result, struct model_record *out, struct error *error);
/* Where `valid`, a truth term, does not hold, no metric is a number. */
void record_bind(struct term_graph *graph, int valid, struct model_record *out);
/* The same of an organisation that chooses between two others (choose.c). `before`: the record
 * before, NULL: this is the first. */
struct organisation;
int record_choose(const struct record_maker *maker, const struct organisation *organisation,
                  struct organised *usual, struct organised *other,
                  const struct profile_record *record, const struct model_record *before,
                  struct model_record *out, struct error *error);

/* Warns of what a machine, as an organisation makes it, has beyond the model's equations
 * (enum model_counts). */
void model_warn_uncounted(struct model_result *result, struct arena *arena,
                          const struct machine *machine, const struct profile_view *view);
/* Keeps a warning that is not there yet; the text is copied. */
void model_add_warning(struct model_result *result, struct arena *arena, const char *text);

#endif
