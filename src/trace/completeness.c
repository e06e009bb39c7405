/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/completeness.h"

#include "core/parallel.h"

enum { KERNELS_NAMED = 4 };

/* What formats hold that leave out blocks without accesses cannot be told from losses. */
static const char idle_or_missing[] = "; the others made no access, or are missing";

struct lacking {
    size_t kernels; /* so far */
    size_t named;
    /* Beyond those that are named. */
    size_t others;
    uint64_t ctas, present;
    bool may_idle;
};

/* One line, whatever the name holds. */
static void append_name(struct text *out, const char *name)
{
    for (; *name; name++)
        text_append_bytes(out, (unsigned char)*name < ' ' ? " " : name, 1);
}

static void lacking_add(struct lacking *lacking, const struct stream_kernel *kernel,
                        struct text *out)
{
    uint64_t present = kernel->n_ctas - kernel->absent_ctas;
    if (lacking->named < KERNELS_NAMED) {
        lacking->named++;
        text_printf(out, "kernel %zu, ", lacking->kernels);
        append_name(out, kernel->name);
        text_printf(out, ": the trace has %llu of %llu thread blocks%s\n",
                    (unsigned long long)present, (unsigned long long)kernel->n_ctas,
                    kernel->absent_may_idle ? idle_or_missing : "");
        return;
    }
    lacking->others++;
    lacking->ctas += kernel->n_ctas;
    lacking->present += present;
    lacking->may_idle = lacking->may_idle || kernel->absent_may_idle;
}

int completeness_find(const struct source *source, struct text *out, struct error *error)
{
    struct lacking lacking = {0};
    struct stream *stream = NULL;
    struct stream_kernel kernel;
    int status = stream_open(source, &stream, error);
    while (!status && (status = stream_next_kernel(stream, &kernel, error)) > 0) {
        lacking.kernels++;
        if (kernel.absent_ctas)
            lacking_add(&lacking, &kernel, out);
        status = interrupt_requested() ? error_set(error, STATUS_INTERRUPTED, "interrupted") : 0;
    }
    stream_destroy(stream);
    if (!status && lacking.others)
        text_printf(out, "%zu more kernels: the trace has %llu of %llu thread blocks%s\n",
                    lacking.others, (unsigned long long)lacking.present,
                    (unsigned long long)lacking.ctas, lacking.may_idle ? idle_or_missing : "");
    return status;
}
