/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a queueing network; every error points at its place. */
#include "cli/network_file.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "yaml/yaml.h"

static const struct file_key root_keys[] = {
    {"network", "map", NULL, "required", "its classes and stations",
     "network: {classes: [...], stations: [...]}"},
    {"summary", "text", NULL, "none", "what it is", "summary: a computer centre"},
    {NULL}};

static const struct file_key network_keys[] = {
    {"classes", "list of maps", NULL, "required", "who goes round, or comes and leaves",
     "classes: [{name: users, population: 3, think: 15 s}]"},
    {"stations", "list of maps", NULL, "required", "where they are served",
     "stations: [{name: cpu, demand: 0.6 s}]"},
    {NULL}};

static const struct file_key class_keys[] = {
    {"name", "text", NULL, "required", "for tables", "name: users"},
    {"population", "count", NULL, "this or arrival", "customers of a closed class",
     "population: 32"},
    {"think", "time", "s", "0", "of a closed class: between two cycles", "think: 15 s"},
    {"arrival", "rate", "/s", "this or population", "customers of an open class that come",
     "arrival: 0.25 /s"},
    {NULL}};

static const struct file_key station_keys[] = {
    {"name", "text", NULL, "required", "for tables", "name: disk 1"},
    {"kind", "one of: queue, delay, multi, load-dependent", NULL, "queue",
     "one server; no waiting; several servers; rates that depend on the customers there",
     "kind: multi"},
    {"servers", "count", NULL, "required of multi", "servers, which share one queue", "servers: 2"},
    {"rates", "list of numbers", NULL, "required of load-dependent",
     "speed with 1, 2, ... customers; the last one holds beyond", "rates: [1, 1.8, 2.4]"},
    {"demand", "time, or a list with one a class", "s", "this, or service and visits",
     "service that a customer asks for in one cycle", "demand: [0.5 s, 20 ms]"},
    {"service", "time, or a list with one a class", "s", "demand", "service of a visit",
     "service: 5 ms"},
    {"visits", "number, or a list with one a class", "1", "demand", "visits in one cycle",
     "visits: 121"},
    {"scv", "number", "1", "1",
     "of a queue: squared coefficient of variation of service; 0: always "
     "the same, 1: exponential",
     "scv: 0.5"},
    {NULL}};

const struct file_form network_file_forms[] = {
    {"a network", "The file.", root_keys},
    {"network", "", network_keys},
    {"classes, each", "", class_keys},
    {"stations, each", "Numbers per class are lists, or one number where there is one class.",
     station_keys},
    {NULL}};

struct reader {
    struct arena *arena;
    struct queueing_class *class;
    struct queueing_station *station;
    double *demand;
    int classes, stations;
};

/* A number of at least 0 in the unit `dim`, or a bare one. */
static int read_number(const struct yaml_node *node, const char *what, struct dim dim,
                       const char *example, double *out, struct error *error)
{
    struct quantity quantity;
    int status = yaml_expect(node, YAML_SCALAR, what, error);
    if (!status && quantity_scan(node->text, &quantity))
        status = STATUS_INPUT;
    else if (!status && !dim_equal(quantity.dim, DIM_NONE) && !dim_equal(quantity.dim, dim))
        status = STATUS_INPUT;
    else if (!status && !(quantity.value >= 0.0))
        return yaml_error(node, error, "%s: must be 0 or more, got \"%.80s\"", what, node->text);
    else if (!status)
        *out = quantity.value;
    if (status && node->kind == YAML_SCALAR) {
        yaml_error(node, error, "%s: expected a number%s%s, got \"%.80s\"", what,
                   example ? " like " : "", example ? example : "", node->text);
        status = STATUS_INPUT;
    }
    return status;
}

static int read_name(const struct yaml_node *map, const char *what, struct arena *arena,
                     const char **out, struct error *error)
{
    struct yaml_node *node;
    const char *text;
    int status = yaml_require(map, what, "name", &node, error);
    if (!status)
        status = yaml_string(node, "name", &text, error);
    if (!status)
        *out = arena_strdup(arena, text);
    return status;
}

static int check_new_name(const struct yaml_node *map, const char *what, bool known,
                          struct error *error)
{
    const struct yaml_node *node = yaml_get(map, "name");
    return known ? yaml_error(node, error, "there are two %s \"%.80s\"", what, node->text) : 0;
}

static int read_closed(const struct yaml_node *map, struct queueing_class *class,
                       struct error *error)
{
    const struct yaml_node *population = yaml_get(map, "population");
    const struct yaml_node *think = yaml_get(map, "think");
    int status = read_number(population, "population", DIM_NONE, NULL, &class->population, error);
    if (!status && class->population != floor(class->population))
        status = yaml_error(population, error, "population: must be a whole number, got \"%.80s\"",
                            population->text);
    if (!status && think)
        status = read_number(think, "think", DIM_SECONDS, "0.5 s", &class->think_s, error);
    return status;
}

static int read_class(struct reader *r, const struct yaml_node *map, int c, struct error *error)
{
    struct queueing_class *class = &r->class[c];
    const struct yaml_node *arrival = NULL;
    int status = yaml_check_form(map, "class", class_keys, error);
    if (!status)
        status = read_name(map, "class", r->arena, &class->name, error);
    for (int before = 0; before < c && !status; before++)
        status = check_new_name(map, "classes", !strcmp(r->class[before].name, class->name), error);
    if (status)
        return status;
    arrival = yaml_get(map, "arrival");
    class->open = arrival != NULL;
    if (!arrival == !yaml_get(map, "population")) {
        yaml_error(map, error, "class \"%.80s\" needs either a population or an arrival",
                   class->name);
        return error_hint(error, "population makes it a closed class, arrival an open one");
    }
    if (!arrival)
        return read_closed(map, class, error);
    if (yaml_get(map, "think"))
        return yaml_error(yaml_get(map, "think"), error, "think: an open class does not think");
    return read_number(arrival, "arrival", DIM_HERTZ, "0.5 /s", &class->arrival_per_s, error);
}

/* One number a class; with a single class the list may be a number. */
static int read_per_class(const struct reader *r, const struct yaml_node *node, const char *what,
                          struct dim dim, const char *example, double *out, struct error *error)
{
    int status = 0;
    if (node->kind == YAML_SCALAR && r->classes == 1)
        return read_number(node, what, dim, example, out, error);
    status = yaml_expect(node, YAML_LIST, what, error);
    if (!status && node->count != (size_t)r->classes)
        return yaml_error(node, error, "%s: %zu number%s for %d class%s", what, node->count,
                          node->count == 1 ? "" : "s", r->classes, r->classes == 1 ? "" : "es");
    for (int c = 0; c < r->classes && !status; c++)
        status = read_number(node->items[c], what, dim, example, &out[c], error);
    return status;
}

static int read_demand(struct reader *r, const struct yaml_node *map, int k, struct error *error)
{
    const struct yaml_node *demand = yaml_get(map, "demand"), *service = yaml_get(map, "service");
    const struct yaml_node *visits = yaml_get(map, "visits");
    double *out = &r->demand[k * r->classes];
    if (!demand == !service || (demand && visits) || (service && !visits)) {
        yaml_error(map, error, "station \"%.80s\" needs either demand, or service and visits",
                   r->station[k].name);
        return error_hint(error,
                          "demand = service x visits: the time that a customer asks for in one "
                          "cycle");
    }
    int status = read_per_class(r, demand ? demand : service, demand ? "demand" : "service",
                                DIM_SECONDS, "0.5 s", out, error);
    if (!status && visits) {
        double *count = arena_alloc(r->arena, (size_t)r->classes * sizeof *count);
        status = read_per_class(r, visits, "visits", DIM_NONE, NULL, count, error);
        for (int c = 0; c < r->classes && !status; c++)
            out[c] *= count[c];
    }
    return status;
}

static int read_kind(const struct yaml_node *map, struct queueing_station *station,
                     struct error *error)
{
    static const char *const kinds[] = {"queue", "delay", "multi", "load-dependent"};
    const struct yaml_node *node = yaml_get(map, "kind");
    const char *text;
    int status = node ? yaml_string(node, "kind", &text, error) : 0;
    station->kind = QUEUEING_QUEUE;
    if (!node || status)
        return status;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(text, kinds[i]) == 0) {
            station->kind = (enum queueing_kind)i;
            return 0;
        }
    yaml_error(node, error, "kind: unknown kind of station \"%.80s\"", text);
    return error_hint(error, "known: queue, delay, multi, load-dependent");
}

static int read_rates(struct reader *r, const struct yaml_node *node,
                      struct queueing_station *station, struct error *error)
{
    int status = yaml_expect(node, YAML_LIST, "rates", error);
    if (status)
        return status;
    if (node->count == 0 || node->count > 1000000)
        return yaml_error(node, error, "rates: expected rates with 1, 2, ... customers");
    double *rates = arena_alloc(r->arena, node->count * sizeof *rates);
    for (size_t i = 0; i < node->count && !status; i++) {
        status = read_number(node->items[i], "rates", DIM_NONE, NULL, &rates[i], error);
        if (!status && rates[i] == 0.0)
            status = yaml_error(node->items[i], error, "rates: must be positive");
    }
    station->rates = rates;
    station->rate_count = (int)node->count;
    return status;
}

/* Keys that belong to one kind only: missing there, or given elsewhere, is an error. */
static int read_kind_keys(struct reader *r, const struct yaml_node *map,
                          struct queueing_station *station, struct error *error)
{
    static const struct {
        const char *key;
        enum queueing_kind kind;
        bool required;
        const char *hint;
    } keys[] = {{"servers", QUEUEING_MULTI, true, "kind: multi has servers"},
                {"rates", QUEUEING_LOAD_DEPENDENT, true, "kind: load-dependent has rates"},
                {"scv", QUEUEING_QUEUE, false, "only a queue with one server takes scv"}};
    struct yaml_node *nodes[3] = {NULL};
    int status = 0;
    long long servers;
    station->scv = 1.0;
    for (size_t i = 0; i < 3 && !status; i++) {
        nodes[i] = yaml_get(map, keys[i].key);
        if (nodes[i] && station->kind != keys[i].kind) {
            status = yaml_error(nodes[i], error, "%s: station \"%.80s\" does not use it",
                                keys[i].key, station->name);
            error_hint(error, "%s", keys[i].hint);
        } else if (!nodes[i] && station->kind == keys[i].kind && keys[i].required) {
            status =
                yaml_error(map, error, "station \"%.80s\" needs %s", station->name, keys[i].key);
        }
    }
    if (!status && nodes[0]) {
        status = yaml_integer(nodes[0], "servers", 1, 1000000, &servers, error);
        station->servers = status ? 0 : (int)servers;
    }
    if (!status && nodes[1])
        status = read_rates(r, nodes[1], station, error);
    if (!status && nodes[2])
        status = read_number(nodes[2], "scv", DIM_NONE, NULL, &station->scv, error);
    return status;
}

static int read_station(struct reader *r, const struct yaml_node *map, int k, struct error *error)
{
    struct queueing_station *station = &r->station[k];
    int status = yaml_check_form(map, "station", station_keys, error);
    if (!status)
        status = read_name(map, "station", r->arena, &station->name, error);
    for (int before = 0; before < k && !status; before++)
        status =
            check_new_name(map, "stations", !strcmp(r->station[before].name, station->name), error);
    if (!status)
        status = read_kind(map, station, error);
    if (!status)
        status = read_kind_keys(r, map, station, error);
    if (!status)
        status = read_demand(r, map, k, error);
    return status;
}

/* A list of at least one item. */
static int read_list(const struct yaml_node *map, const char *key, struct yaml_node **out,
                     struct error *error)
{
    int status = yaml_require(map, "network", key, out, error);
    if (!status)
        status = yaml_expect(*out, YAML_LIST, key, error);
    if (!status && ((*out)->count == 0 || (*out)->count > 10000))
        status = yaml_error(*out, error, "%s: expected a list of 1 to 10000", key);
    return status;
}

/* What only the whole network shows; its place is the class or station's. */
static int check_whole(const struct queueing_network *network, const struct yaml_node *classes,
                       const struct yaml_node *stations, struct error *error)
{
    int status = queueing_check(network, error);
    if (!status)
        return 0;
    int k = queueing_overloaded(network);
    const struct yaml_node *place = k >= 0 ? stations->items[k] : classes;
    for (int c = 0; c < network->classes && k < 0; c++) {
        double sum = network->class[c].think_s;
        for (int i = 0; i < network->stations; i++)
            sum += network->demand_s[i * network->classes + c];
        if (!network->class[c].open && sum == 0.0)
            place = classes->items[c];
    }
    error_place(error, &place->mark);
    return status;
}

static int read_network(struct reader *r, const struct yaml_node *root,
                        struct queueing_network *out, struct error *error)
{
    struct yaml_node *map, *classes, *stations;
    int status = yaml_check_form(root, "file", root_keys, error);
    if (!status)
        status = yaml_require(root, "file", "network", &map, error);
    if (!status)
        status = yaml_check_form(map, "network", network_keys, error);
    if (!status)
        status = read_list(map, "classes", &classes, error);
    if (!status)
        status = read_list(map, "stations", &stations, error);
    if (status)
        return status;
    r->classes = (int)classes->count;
    r->stations = (int)stations->count;
    r->class = arena_alloc(r->arena, classes->count * sizeof *r->class);
    r->station = arena_alloc(r->arena, stations->count * sizeof *r->station);
    r->demand = arena_alloc(r->arena, classes->count * stations->count * sizeof *r->demand);
    for (int c = 0; c < r->classes && !status; c++)
        status = read_class(r, classes->items[c], c, error);
    for (int k = 0; k < r->stations && !status; k++)
        status = read_station(r, stations->items[k], k, error);
    *out = (struct queueing_network){r->classes, r->stations, r->class, r->station, r->demand};
    return status ? status : check_whole(out, classes, stations, error);
}

int network_file_load(const char *path, struct network_file *out, struct error *error)
{
    struct yaml_document *document;
    int status = yaml_load(path, &document, error);
    *out = (struct network_file){0};
    if (status)
        return status;
    struct reader reader = {.arena = arena_create()};
    out->arena = reader.arena;
    status = read_network(&reader, document->root, &out->network, error);
    yaml_destroy(document);
    if (status)
        network_file_fini(out);
    return status;
}

void network_file_fini(struct network_file *file)
{
    arena_destroy(file->arena);
    file->arena = NULL;
}
