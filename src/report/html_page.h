/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One file of HTML about a sweep's result: question, answer, ranking, front, what axes do, what
 * limits the best points, how sure it is, what determines it. It needs nothing beside it, says all
 * without scripts (these sort tables, and show a point's values beside the picture), and prints. */
#ifndef BANDSCAPE_REPORT_HTML_PAGE_H
#define BANDSCAPE_REPORT_HTML_PAGE_H

#include "report/result.h"

/* The first line: by it a page is known that may be replaced. */
#define HTML_PAGE_HEAD "<!DOCTYPE html>\n<!-- Written by bandscape report. -->\n"

/* `title`: NULL: the space's name and summary. The same bytes for the same files. */
void html_page_print(const struct result *result, const char *title, struct text *out);

#endif
