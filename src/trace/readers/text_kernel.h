/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One kernel of the text form. */
#ifndef BANDSCAPE_TRACE_TEXT_KERNEL_H
#define BANDSCAPE_TRACE_TEXT_KERNEL_H

#include "core/memory.h"
#include "trace/input/line_reader.h"
#include "trace/spool/spool.h"
#include "trace/readers/text_fields.h"

/* What a line begins with. */
enum text_directive {
    LINE_READ,
    LINE_WRITE,
    LINE_ATOMIC,
    LINE_INSTRUCTIONS,
    LINE_WARP,
    LINE_CTA,
    LINE_KERNEL,
    LINE_ALLOCATION,
    LINE_HOME
};

/* Words of a line and of its kinds (text_format_forms). */
extern const struct file_key text_line_words[], text_kernel_words[], text_cta_words[],
    text_access_words[], text_instructions_words[];

/* Takes the first word of a line. A negative status when there is none such. */
int text_directive(struct text_line *line, struct error *error);

/* Reads the kernel that begins at the next line, up to the next kernel line or
 * the end of the file. Resets and fills the spool, *out (without name and
 * warp_state_size) and its name. 1, 0 when nothing is left, or an error. */
int text_kernel_read(struct line_reader *lines, struct spool *spool, struct stream_kernel *out,
                     struct text *name, struct error *error);

#endif
