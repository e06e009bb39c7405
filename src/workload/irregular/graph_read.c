/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph files. Every number is checked, and no more memory is taken than the
 * length of the file can justify, whatever its header promises. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/file.h"
#include "core/parallel.h"
#include "workload/irregular/graph.h"

/* At most 64 GiB of file; a sparse matrix may have this many empty rows more
 * than entries. */
static const size_t graph_file_limit = (size_t)64 << 30;
static const int64_t graph_empty_rows = 1 << 24;

enum { INTERRUPT_LINES = 4096 }; /* between two looks at the flag of Ctrl-C */

struct scanner {
    const char *name, *text, *end;
    const char *line_start, *at;
    long line;
    struct error *error;
};

/* ---- lines and numbers -------------------------------------------------- */

static struct scanner scan_begin(const char *name, const char *text, size_t size,
                                 struct error *error)
{
    return (struct scanner){name, text, text + size, text, text, 1, error};
}

static int scan_fail(const struct scanner *s, const char *what)
{
    struct mark mark = {s->name, s->line, (long)(s->at - s->line_start) + 1, s->line_start};
    return error_at(s->error, STATUS_INPUT, &mark, "%s", what);
}

static void scan_blanks(struct scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r'))
        s->at++;
}

static bool scan_at_line_end(struct scanner *s)
{
    scan_blanks(s);
    return s->at == s->end || *s->at == '\n';
}

/* To the start of the next line; false at the end of the file. */
static bool scan_next_line(struct scanner *s)
{
    while (s->at < s->end && *s->at != '\n')
        s->at++;
    if (s->at < s->end)
        s->at++;
    if (s->at < s->end) {
        s->line_start = s->at;
        s->line++;
    }
    return s->at < s->end;
}

/* Past comment lines; with `blank` past empty ones too. False at the end. */
static bool scan_skip_comments(struct scanner *s, bool blank)
{
    while (s->at < s->end) {
        const char *start = s->at;
        if (*s->at != '%' && !(blank && scan_at_line_end(s))) {
            s->at = start;
            return true;
        }
        if (!scan_next_line(s))
            break;
    }
    return false;
}

/* A whole number in [min, max]. */
static int scan_integer(struct scanner *s, const char *what, int64_t min, int64_t max, int64_t *out)
{
    char message[160];
    scan_blanks(s);
    const char *start = s->at, *c = s->at;
    int64_t value = 0;
    while (c < s->end && *c >= '0' && *c <= '9' && value <= INT64_MAX / 100)
        value = value * 10 + (*c++ - '0');
    bool whole = c > start && (c == s->end || *c == ' ' || *c == '\t' || *c == '\r' || *c == '\n');
    if (whole && value >= min && value <= max) {
        *out = value;
        s->at = c;
        return 0;
    }
    if (s->at == s->end || *s->at == '\n')
        snprintf(message, sizeof message, "%s is missing", what);
    else
        snprintf(message, sizeof message,
                 "%s: expected a whole number from %" PRId64 " to %" PRId64, what, min, max);
    return scan_fail(s, message);
}

/* A value that is not kept: a real number. */
static int scan_value(struct scanner *s)
{
    char digits[64];
    size_t n = 0;
    scan_blanks(s);
    const char *c = s->at;
    for (; c < s->end && n + 1 < sizeof digits && !strchr(" \t\r\n", *c); c++)
        digits[n++] = *c;
    digits[n] = '\0';
    char *stop;
    strtod(digits, &stop);
    if (n == 0 || *stop)
        return scan_fail(s, n ? "expected a number" : "the value is missing");
    s->at = c;
    return 0;
}

/* ---- METIS -------------------------------------------------------------- */

struct metis {
    int64_t vertices, edges;          /* undirected */
    int sizes, weights, edge_weights; /* numbers before and inside a vertex's list */
};

/* fmt is up to three digits: vertex sizes, vertex weights, edge weights. */
static int metis_format(struct scanner *s, struct metis *m)
{
    int64_t format = 0, constraints = 1;
    int status = 0;
    if (!scan_at_line_end(s))
        status = scan_integer(s, "fmt", 0, 111, &format);
    if (!status && (format % 10 > 1 || format / 10 % 10 > 1))
        status = scan_fail(s, "fmt: expected three digits of 0 and 1");
    if (!status && !scan_at_line_end(s))
        status = scan_integer(s, "number of vertex weights", 0, 1000, &constraints);
    if (!status && !scan_at_line_end(s))
        status = scan_fail(s, "expected at most four numbers in the header");
    m->sizes = format / 100 == 1;
    m->weights = format / 10 % 10 == 1 ? (int)constraints : 0;
    m->edge_weights = format % 10 == 1;
    return status;
}

static int metis_header(struct scanner *s, struct metis *m)
{
    if (!scan_skip_comments(s, true))
        return scan_fail(s, "the file has no header \"vertices edges\"");
    /* A vertex takes a line, an entry a digit and a blank. */
    int64_t size = s->end - s->text;
    int status = scan_integer(s, "number of vertices", 1, GRAPH_MAX, &m->vertices);
    if (!status)
        status = scan_integer(s, "number of edges", 0, GRAPH_MAX / 2, &m->edges);
    if (!status && (m->vertices > size || m->edges > size))
        status = scan_fail(s, "the header promises more than a file of this length can hold");
    return status ? status : metis_format(s, m);
}

static int metis_vertex(struct scanner *s, const struct metis *m, struct graph *graph, uint32_t v)
{
    int64_t number, room = 2 * m->edges;
    int status = 0;
    for (int i = 0; i < m->sizes + m->weights && !status; i++)
        status = scan_integer(s, "vertex weight", 0, INT64_MAX / 200, &number);
    while (!status && !scan_at_line_end(s)) {
        const struct scanner before = *s;
        status = scan_integer(s, "neighbour", 1, m->vertices, &number);
        if (!status && (int64_t)graph->n_edges == room)
            status = scan_fail(&before, "more neighbours than twice the edges of the header");
        if (!status)
            graph->targets[graph->n_edges++] = (uint32_t)(number - 1);
        if (!status && m->edge_weights)
            status = scan_integer(s, "edge weight", 0, INT64_MAX / 200, &number);
    }
    graph->offsets[v + 1] = graph->n_edges;
    return status;
}

int graph_read_metis(const char *name, const char *text, size_t size, struct graph **out,
                     struct error *error)
{
    struct scanner s = scan_begin(name, text, size, error);
    struct metis m;
    *out = NULL;
    int status = metis_header(&s, &m);
    if (status)
        return status;
    struct graph *graph = memory_zero(1, sizeof *graph);
    graph->n_vertices = (uint32_t)m.vertices;
    graph->offsets = memory_zero((size_t)m.vertices + 1, sizeof *graph->offsets);
    graph->targets = memory_alloc(2 * (size_t)m.edges * sizeof *graph->targets);
    for (uint32_t v = 0; v < graph->n_vertices && !status; v++)
        if (v % INTERRUPT_LINES == 0 && interrupt_requested()) {
            status = interrupt_check(error);
        } else if (!scan_next_line(&s) || !scan_skip_comments(&s, false)) {
            char message[100];
            /* The last vertex may have no neighbours and no newline. */
            if (v + 1 == graph->n_vertices && (int64_t)graph->n_edges == 2 * m.edges)
                graph->offsets[v + 1] = graph->n_edges;
            else {
                snprintf(message, sizeof message,
                         "the file ends after %" PRIu32 " of %" PRIu32 " vertices", v,
                         graph->n_vertices);
                status = scan_fail(&s, message);
            }
        } else {
            status = metis_vertex(&s, &m, graph, v);
        }
    if (!status && (int64_t)graph->n_edges != 2 * m.edges)
        status = error_at(error, STATUS_INPUT, &(struct mark){name, 1, 0, NULL},
                          "the header promises %" PRId64 " edges, but the lists hold %" PRIu64
                          " neighbours instead of twice as many",
                          m.edges, graph->n_edges);
    if (!status && scan_next_line(&s) && scan_skip_comments(&s, true))
        status = scan_fail(&s, "lines after the last vertex");
    if (status) {
        graph_destroy(graph);
        return status;
    }
    *out = graph;
    return 0;
}

/* ---- Matrix Market ------------------------------------------------------ */

struct market {
    bool values, symmetric, skew;
    int64_t n, entries;
};

/* The next word of the line; true when it is one of the list (blank-separated). */
static bool market_word(struct scanner *s, const char *const *list, int *which)
{
    scan_blanks(s);
    size_t n = 0;
    while (s->at + n < s->end && !strchr(" \t\r\n", s->at[n]))
        n++;
    for (*which = 0; list[*which]; ++*which)
        if (strlen(list[*which]) == n && strncasecmp(list[*which], s->at, n) == 0) {
            s->at += n;
            return true;
        }
    return false;
}

static int market_banner(struct scanner *s, struct market *m)
{
    static const char *const banner[] = {"%%MatrixMarket", NULL},
                             *const object[] = {"matrix", NULL},
                             *const format[] = {"coordinate", NULL},
                             *const field[] = {"pattern", "real", "integer", NULL},
                             *const symmetry[] = {"general", "symmetric", "skew-symmetric", NULL};
    int which;
    if (!market_word(s, banner, &which))
        return scan_fail(s, "expected \"%%MatrixMarket\" at the start of the file");
    if (!market_word(s, object, &which) || !market_word(s, format, &which))
        return scan_fail(s, "expected \"matrix coordinate\": dense matrices are no graphs");
    if (!market_word(s, field, &which))
        return scan_fail(s, "expected one of pattern, real, integer");
    m->values = which != 0;
    if (!market_word(s, symmetry, &which))
        return scan_fail(s, "expected one of general, symmetric, skew-symmetric");
    m->symmetric = which != 0;
    m->skew = which == 2;
    return scan_at_line_end(s) ? 0 : scan_fail(s, "unexpected words behind the banner");
}

static int market_size(struct scanner *s, struct market *m)
{
    int64_t columns;
    if (!scan_next_line(s) || !scan_skip_comments(s, true))
        return scan_fail(s, "the file has no line \"rows columns entries\"");
    int status = scan_integer(s, "rows", 1, GRAPH_MAX, &m->n);
    if (!status)
        status = scan_integer(s, "columns", 1, GRAPH_MAX, &columns);
    if (!status && columns != m->n)
        status = scan_fail(s, "the matrix of a graph must be square");
    if (!status)
        status = scan_integer(s, "entries", 0, GRAPH_MAX / (m->symmetric ? 2 : 1), &m->entries);
    /* An entry takes at least four characters. */
    if (!status && (m->entries > (s->end - s->at) / 4 + 1 || m->n > m->entries + graph_empty_rows))
        status = scan_fail(s, "the sizes promise more than a file of this length can hold");
    if (!status && !scan_at_line_end(s))
        status = scan_fail(s, "expected three numbers: rows columns entries");
    return status;
}

static int market_entry(struct scanner *s, const struct market *m, uint32_t *row, uint32_t *column)
{
    int64_t i, j;
    int status = scan_integer(s, "row", 1, m->n, &i);
    if (!status)
        status = scan_integer(s, "column", 1, m->n, &j);
    if (!status && m->symmetric && (m->skew ? j >= i : j > i))
        status = scan_fail(s, "an entry above the diagonal of a symmetric matrix");
    if (!status && m->values)
        status = scan_value(s);
    if (!status && !scan_at_line_end(s))
        status = scan_fail(s, "unexpected text behind the entry");
    if (!status) {
        *row = (uint32_t)(i - 1);
        *column = (uint32_t)(j - 1);
    }
    return status;
}

int graph_read_matrix_market(const char *name, const char *text, size_t size, struct graph **out,
                             struct error *error)
{
    struct scanner s = scan_begin(name, text, size, error);
    struct market m;
    *out = NULL;
    int status = market_banner(&s, &m);
    if (!status)
        status = market_size(&s, &m);
    if (status)
        return status;
    size_t room = (size_t)m.entries * (m.symmetric ? 2 : 1);
    uint32_t *from = memory_alloc(room * sizeof *from), *to = memory_alloc(room * sizeof *to);
    uint64_t n = 0;
    for (int64_t k = 0; k < m.entries && !status; k++) {
        if (k % INTERRUPT_LINES == 0 && (status = interrupt_check(error)))
            break;
        if (!scan_next_line(&s) || !scan_skip_comments(&s, true)) {
            char message[100];
            snprintf(message, sizeof message,
                     "the file ends after %" PRId64 " of %" PRId64 " entries", k, m.entries);
            status = scan_fail(&s, message);
            break;
        }
        status = market_entry(&s, &m, &from[n], &to[n]);
        n++;
        if (!status && m.symmetric && from[n - 1] != to[n - 1]) {
            from[n] = to[n - 1];
            to[n] = from[n - 1];
            n++;
        }
    }
    if (!status && scan_next_line(&s) && scan_skip_comments(&s, true))
        status = scan_fail(&s, "more entries than the sizes promise");
    if (!status)
        *out = graph_from_edges((uint32_t)m.n, from, to, n, false);
    free(from);
    free(to);
    return status;
}

/* ---- files -------------------------------------------------------------- */

int graph_read(const char *path, struct graph **out, struct error *error)
{
    const char *dot = strrchr(file_base_name(path), '.');
    bool market = dot && strcmp(dot, ".mtx") == 0;
    char *text;
    size_t size;
    *out = NULL;
    if (!market && !(dot && (strcmp(dot, ".graph") == 0 || strcmp(dot, ".metis") == 0))) {
        error_set(error, STATUS_INPUT, "cannot tell the format of the graph %s", path);
        error_hint(error, "METIS files end in .graph, Matrix Market files in .mtx");
        return STATUS_INPUT;
    }
    int status = file_read(path, graph_file_limit, &text, &size, error);
    if (status)
        return status;
    status = market ? graph_read_matrix_market(path, text, size, out, error)
                    : graph_read_metis(path, text, size, out, error);
    free(text);
    return status;
}
