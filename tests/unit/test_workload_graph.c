/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph readers and generators: what is read, what is refused and where, and
 * that no damaged file does worse than an error. */
#include "trace_check.h"
#include "workload/irregular/graph.h"

static int read_text(const char *name, const char *text, struct graph **out, struct error *error)
{
    return strstr(name, ".mtx") ? graph_read_matrix_market(name, text, strlen(text), out, error)
                                : graph_read_metis(name, text, strlen(text), out, error);
}

/* "1,2|0|" lists the rows. */
static void check_rows(const struct graph *graph, const char *wanted)
{
    struct text got = {0};
    text_append(&got, "");
    assert_int_equal(graph->offsets[0], 0);
    assert_int_equal(graph->offsets[graph->n_vertices], graph->n_edges);
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
            text_printf(&got, "%s%u", e > graph->offsets[v] ? "," : "", graph->targets[e]);
        text_append(&got, "|");
    }
    assert_string_equal(got.data, wanted);
    text_free(&got);
}

TEST(test_files_read)
{
    static const struct {
        const char *name, *text, *rows;
    } cases[] = {
        {"a.graph", "3 2\n2 3\n1\n1\n", "1,2|0|0|"},
        {"no newline.graph", "3 2\n2 3\n1\n1", "1,2|0|0|"},
        {"comments and an isolated vertex.graph", "% c\n4 2 0\n% c\n 2\t3 \n1\r\n% c\n1\n\n",
         "1,2|0|0||"},
        {"the last vertex is isolated.graph", "4 2\n2 3\n1\n1\n", "1,2|0|0||"},
        {"edge weights.graph", "3 2 1\n2 7 3 8\n1 7\n1 8\n", "1,2|0|0|"},
        {"vertex weights.graph", "3 2 010 2\n5 5 2 3\n5 5 1\n5 5 1\n", "1,2|0|0|"},
        {"sizes and all weights.graph", "3 2 111\n9 5 2 7 3 8\n9 5 1 7\n9 5 1 8\n", "1,2|0|0|"},
        {"one vertex.graph", "1 0\n\n", "|"},
        {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n% c\n3 3 3\n1 2\n1 3\n3 3\n",
         "1,2||2|"},
        {"values.mtx",
         "%%matrixmarket Matrix Coordinate Real General\n\n2 2 3\n1 1 -1.5e3\n2 1 0\n1 2 .5\n",
         "0,1|0|"},
        {"symmetric.mtx",
         "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 1\n3 1 1\n3 3 1\n",
         "1,2|0|0,2|"},
        {"skew.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n",
         "1|0|"},
        {"empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 0\n", "||"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct graph *graph;
        check_ok(read_text(cases[i].name, cases[i].text, &graph, &failure));
        check_rows(graph, cases[i].rows);
        graph_destroy(graph);
        if (!strchr(cases[i].name, ' ')) { /* and from a file */
            check_ok(graph_read(check_file(cases[i].name, cases[i].text), &graph, &failure));
            check_rows(graph, cases[i].rows);
            graph_destroy(graph);
        }
    }
}

#define MARKET "%%MatrixMarket matrix coordinate "

TEST(test_mistakes_have_a_line)
{
    static const struct {
        const char *name, *text, *words;
    } cases[] = {
        {"a.graph", "", "a.graph:1:1: error: the file has no header"},
        {"a.graph", "% only\n\n", "no header"},
        {"a.graph", "x 2\n", "a.graph:1:1: error: number of vertices: expected a whole number"},
        {"a.graph", "3\n", "a.graph:1:2: error: number of edges is missing"},
        {"a.graph", "0 0\n", "number of vertices: expected a whole number from 1"},
        {"a.graph", "3 -1\n", "a.graph:1:3: error: number of edges"},
        {"a.graph", "2147483648 1\n", "from 1 to 2147483647"},
        {"a.graph", "99999999999999999999 1\n", "from 1 to 2147483647"},
        {"a.graph", "1000000000 1\n2\n", "promises more than a file of this length can hold"},
        {"a.graph", "3 1000000000\n2\n", "promises more than a file of this length can hold"},
        {"a.graph", "3 2 2\n", "expected three digits of 0 and 1"},
        {"a.graph", "3 2 1 1 1\n", "at most four numbers"},
        {"a.graph", "3 2\n2 3\n1\n", "a.graph:3:3: error: the file ends after 2 of 3 vertices"},
        {"a.graph", "3 2\n2 4\n1\n1\n",
         "a.graph:2:3: error: neighbour: expected a whole number "
         "from 1 to 3"},
        {"a.graph", "3 2\n2 0\n1\n1\n", "a.graph:2:3"},
        {"a.graph", "3 2\n2 3x\n1\n1\n", "a.graph:2:3"},
        {"a.graph", "3 2\n2 3\n1\n1 2\n", "a.graph:4:3: error: more neighbours than twice"},
        {"a.graph", "3 3\n2 3\n1\n1\n", "promises 3 edges, but the lists hold 4"},
        {"a.graph", "3 2\n2 3\n1\n1\n2\n", "a.graph:5:1: error: lines after the last vertex"},
        {"a.graph", "3 2 1\n2 7 3\n1 7\n1 8\n", "a.graph:2:6: error: edge weight is missing"},
        {"a.mtx", "", "expected \"%%MatrixMarket\""},
        {"a.mtx", "%%MatrixMarket matrix array real general\n",
         "a.mtx:1:23: error: expected "
         "\"matrix coordinate\""},
        {"a.mtx", MARKET "complex general\n", "a.mtx:1:34: error: expected one of pattern"},
        {"a.mtx", MARKET "real hermitian\n", "expected one of general"},
        {"a.mtx", MARKET "real general x\n", "unexpected words"},
        {"a.mtx", MARKET "real general\n", "no line \"rows columns entries\""},
        {"a.mtx", MARKET "real general\n2 3 1\n1 1 1\n",
         "a.mtx:2:4: error: the matrix of a graph "
         "must be square"},
        {"a.mtx", MARKET "real general\n2 2\n1 1 1\n", "entries is missing"},
        {"a.mtx", MARKET "pattern general\n2 2 2000000000\n1 1\n", "promise more than a file"},
        {"a.mtx", MARKET "pattern general\n2000000000 2000000000 1\n1 1\n", "promise more"},
        {"a.mtx", MARKET "pattern symmetric\n2 2 1500000000\n1 1\n", "entries: expected a whole"},
        {"a.mtx", MARKET "pattern general\n2 2 2\n1 1\n", "ends after 1 of 2 entries"},
        {"a.mtx", MARKET "pattern general\n2 2 1\n1 1\n2 2\n", "a.mtx:4:1: error: more entries"},
        {"a.mtx", MARKET "pattern general\n2 2 1\n1 3\n", "a.mtx:3:3: error: column"},
        {"a.mtx", MARKET "pattern general\n2 2 1\n0 1\n", "a.mtx:3:1: error: row"},
        {"a.mtx", MARKET "pattern general\n2 2 1\n1 1 5\n", "a.mtx:3:5: error: unexpected text"},
        {"a.mtx", MARKET "real general\n2 2 1\n1 1\n", "a.mtx:3:4: error: the value is missing"},
        {"a.mtx", MARKET "real general\n2 2 1\n1 1 1,5\n", "a.mtx:3:5: error: expected a number"},
        {"a.mtx", MARKET "real symmetric\n2 2 1\n1 2 1\n", "above the diagonal"},
        {"a.mtx", MARKET "real skew-symmetric\n2 2 1\n1 1 1\n", "above the diagonal"},
    };
    struct graph *graph;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_error(read_text(cases[i].name, cases[i].text, &graph, &failure), STATUS_INPUT,
                    cases[i].words);
        assert_null(graph);
    }
}

/* Damage of all kinds: an error or a sound graph, nothing else. */
TEST(test_damaged_files)
{
    static const char *const seeds[] = {
        "% c\n5 6 11\n9 2 1 3 2\n9 1 1 3 1 4 5\n9 1 2 2 1 5 1\n9 2 5\n9 3 1\n",
        MARKET "real symmetric\n% c\n4 4 5\n1 1 1\n2 1 -2.5\n3 2 1e3\n4 1 1\n4 4 0\n"};
    static const char letters[] = "0123456789 \n\t%-.ex\r";
    uint64_t random = 42;
    int sound = 0;
    for (int round = 0; round < check_damages(20000, 1000000); round++) {
        char text[256];
        struct graph *graph;
        snprintf(text, sizeof text, "%s", seeds[round % 2]);
        size_t length = strlen(text);
        for (uint64_t k = 1 + check_random(&random) % 3; k > 0; k--) {
            size_t at = check_random(&random) % length;
            if (check_random(&random) % 8 == 0)
                length = at + 1; /* cut off */
            text[at] = check_random(&random) % 50
                           ? letters[check_random(&random) % (sizeof letters - 1)]
                           : (char)check_random(&random);
        }
        text[length] = '\0';
        int status = round % 2 ? graph_read_matrix_market("a.mtx", text, length, &graph, &failure)
                               : graph_read_metis("a.graph", text, length, &graph, &failure);
        if (status) {
            assert_int_equal(status, STATUS_INPUT);
            assert_true(failure.line >= 1 && failure.text[0]);
            assert_null(graph);
            continue;
        }
        sound++;
        assert_int_equal(graph->offsets[graph->n_vertices], graph->n_edges);
        for (uint32_t v = 0; v < graph->n_vertices; v++)
            assert_true(graph->offsets[v] <= graph->offsets[v + 1]);
        for (uint64_t e = 0; e < graph->n_edges; e++)
            assert_true(graph->targets[e] < graph->n_vertices);
        graph_destroy(graph);
    }
    assert_true(sound > 100);
}

static uint64_t hash_graph(const struct graph *graph)
{
    uint64_t hash = graph->n_edges;
    for (uint32_t v = 0; v <= graph->n_vertices; v++)
        hash = hash * 0x9e3779b97f4a7c15ULL + graph->offsets[v];
    for (uint64_t e = 0; e < graph->n_edges; e++)
        hash = hash * 0x9e3779b97f4a7c15ULL + graph->targets[e];
    return hash;
}

/* u -> v as often as v -> u. */
static void check_undirected(const struct graph *graph)
{
    int *balance = memory_zero((size_t)graph->n_vertices * graph->n_vertices, sizeof *balance);
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            uint32_t u = graph->targets[e];
            assert_true(u < graph->n_vertices);
            balance[u < v ? u * graph->n_vertices + v : v * graph->n_vertices + u] +=
                u < v ? 1 : -1;
        }
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        for (uint32_t u = 0; u < v; u++)
            assert_int_equal(balance[u * graph->n_vertices + v], 0);
    free(balance);
}

TEST(test_uniform_generator)
{
    struct graph *a = graph_generate_uniform(1000, 6, 7), *b = graph_generate_uniform(1000, 6, 7);
    struct graph *c = graph_generate_uniform(1000, 6, 8);
    uint32_t least = UINT32_MAX;
    /* 2 to 4 partners each: the mean number of partners is 3 with deviation 0.82. */
    check_relative((double)a->n_edges, 6000.0, 5 * 0.82 / 3 / sqrt(1000.0));
    for (uint32_t v = 0; v < a->n_vertices; v++)
        least = graph_degree(a, v) < least ? graph_degree(a, v) : least;
    assert_true(least >= 2);
    check_undirected(a);
    assert_int_equal(hash_graph(a), hash_graph(b));
    assert_int_not_equal(hash_graph(a), hash_graph(c));
    graph_destroy(a);
    graph_destroy(b);
    graph_destroy(c);
}

TEST(test_rmat_generator)
{
    static const double skewed[] = {0.57, 0.19, 0.19}, even[] = {0.25, 0.25, 0.25};
    struct graph *a = graph_generate_rmat(1000, 8, skewed, 7);
    struct graph *b = graph_generate_rmat(1000, 8, skewed, 7);
    struct graph *c = graph_generate_rmat(1000, 8, skewed, 8);
    struct graph *d = graph_generate_rmat(1000, 8, even, 7);
    assert_int_equal(a->n_edges, 8000);
    check_undirected(a);
    assert_int_equal(hash_graph(a), hash_graph(b));
    assert_int_not_equal(hash_graph(a), hash_graph(c));
    /* Hubs where the quadrants differ; none where they do not. */
    assert_true(graph_degree(a, graph_widest(a)) > 80);
    assert_true(graph_degree(d, graph_widest(d)) < 30);
    graph_destroy(a);
    graph_destroy(b);
    graph_destroy(c);
    graph_destroy(d);
    /* With b = c = 0 row and column agree in every bit: there are only loops. */
    static const double diagonal[] = {0.5, 0.0, 0.0};
    a = graph_generate_rmat(64, 4, diagonal, 1);
    for (uint32_t v = 0; v < 64; v++)
        for (uint64_t e = a->offsets[v]; e < a->offsets[v + 1]; e++)
            assert_int_equal(a->targets[e], v);
    graph_destroy(a);
}

/* Frozen numbers: a change here changes every profile of a generated graph. */
TEST(test_generators_stay_the_same)
{
    static const double abc[] = {0.57, 0.19, 0.19};
    struct graph *uniform = graph_generate_uniform(5, 4, 1),
                 *rmat = graph_generate_rmat(6, 4, abc, 1);
    check_rows(uniform, "3,4,4|2,3,2|1,2,2,1,3,3,4|0,1,2,3,3,2|0,2,0|");
    check_rows(rmat, "2,2|2,3,2,3|1,5,0,2,2,2,2,1,2,2,0,3,4|1,1,2|2|2|");
    graph_destroy(uniform);
    graph_destroy(rmat);
}
