/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine: named sections (sm, cache levels, crossbars, links, memories,
 * page, cta), each an instance of one schema of the parameter table
 * (machine/schema.c), plus the graph of its links.
 *
 * A parameter is addressed by its path `<section>.<field>` ("llc.capacity"),
 * or `<field>` for the machine's own ("chips"). YAML reading, --set, axes,
 * `list parameters`, CSV headers and view keys all go through the table.
 *
 * Numbers keep the dimension in which they were given: "120 cycles" stays 120
 * cycles, and becomes seconds with the machine's clock when it is read, so that
 * `--set sm.clock=2GHz` rescales every latency that was given in cycles, and so
 * does a sweep over the clock. That is why a section is values over its rows and
 * not a C struct of numbers; those who calculate read machine/system.h. */
#ifndef BANDSCAPE_MACHINE_MACHINE_H
#define BANDSCAPE_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/unit.h"

struct catalogue;    /* core/catalogue.h */
struct file_form;    /* core/file_form.h */
struct hash_content; /* core/hash.h */
struct yaml_node;    /* yaml/yaml.h */

enum parameter_kind {
    PARAMETER_COUNT,    /* whole number */
    PARAMETER_NUMBER,   /* plain number, percent allowed */
    PARAMETER_QUANTITY, /* with a unit; cycles stand for seconds */
    PARAMETER_NAME      /* one of `names`, or a plug-in of kind `plugin` */
};

/* What a change of the parameter costs. */
enum parameter_structure {
    STRUCTURE_NONE,   /* nothing: an input of the model */
    STRUCTURE_STREAM, /* another pass of the profiler */
    STRUCTURE_HOME,   /* another mapping of the same stream to homes and slices */
    STRUCTURE_MODEL   /* another term graph, same profile */
};

/* What a plug-in's own parameter says. One that describes the machine is read by simulations too;
 * the hardware that only some models know is found by its role, whatever the model is called. */
enum parameter_role {
    ROLE_OF_MODEL,
    ROLE_OF_MACHINE,
    /* Of L1 nodes outside the SMs (l1.nodes): whether ports limit them ("full": no), clock and
     * flits of ports, clocks to the SMs and behind the nodes over that one, the way there and back,
     * and what a hit takes longer for each doubling of the SMs of a node. */
    ROLE_NODE_PORTS,
    ROLE_NODE_CLOCK,
    ROLE_NODE_FLIT,
    ROLE_NODE_BOOST_NEAR,
    ROLE_NODE_BOOST_FAR,
    ROLE_NODE_LATENCY,
    ROLE_NODE_GROWTH,
    ROLE_INVALIDATION, /* bytes of a message of hardware coherence */
    /* Of replies to reads past L1 (l1.bypass) that carry the pieces that are asked for in packets:
     * whether packets are shared ("coalescing"), or each has a piece ("fine-grained"), anything
     * else: there are none; bytes of a piece, of what says whose it is, of all of them in a packet,
     * how many wait at most, for how long, and what goes with a packet. */
    ROLE_PACKET_DESIGN,
    ROLE_PACKET_PIECE,
    ROLE_PACKET_ID,
    ROLE_PACKET_PAYLOAD,
    ROLE_PACKET_BUFFER,
    ROLE_PACKET_TIMEOUT,
    ROLE_PACKET_HEADER
};

/* What a name stands for: settings of other parameters. */
struct parameter_expansion {
    size_t count;
    struct {
        const char *path;
        char text[24]; /* as a user would write it */
    } settings[8];
};

struct parameter_row {
    const char *field;
    enum parameter_kind kind;
    struct dim dim;
    double min, max;      /* inclusive, SI; for PARAMETER_NAME unused */
    const char *fallback; /* as a user would write it; NULL: stays unknown */
    const char *names;    /* "requester home", blank-separated */
    const char *plugin;   /* kind of plug-in the name must be */
    const char *per;      /* what the number counts: "chip", "link and direction" */
    enum parameter_structure structure;
    const char *help;
    const char *argument; /* "NAME:FIELD": a user may write NAME:VALUE, which sets that field
                           * (a count) of the section as well; NULL: none */
    /* Names that stand for settings of other parameters ("Sh40+C10" for nodes and clusters):
     * checks the name and says which. Setting it sets those; a later setting of one of them to
     * something else is an error. It is no part of a view's key, as what it sets is. NULL: it
     * stands for itself. */
    int (*expand)(const char *name, struct parameter_expansion *out, struct error *error);
    enum parameter_role role; /* of a plug-in's own parameters */
};

struct parameter_schema {
    const char *kind;                 /* "level", "noc", ... */
    const char *const *names;         /* sections of that name have this schema; NULL-terminated */
    bool single;                      /* only those names */
    const struct parameter_row *rows; /* ends with field NULL */
    const char *help;                 /* a sentence or more; NULL: a plug-in's */
};
extern const struct parameter_schema machine_schemas[]; /* ends with kind NULL */

struct parameter_value {
    bool known;
    bool given;       /* by the machine file or a setting, not the table's default */
    double number;    /* in `dim` units: SI, or cycles */
    struct dim dim;   /* the row's, or its equivalent in cycles */
    const char *name; /* PARAMETER_NAME: lives as long as the machine */
    double argument;  /* the value of NAME:VALUE; 0: none was given */
};

struct machine_section {
    const char *name; /* "llc"; "" for the machine's own fields */
    const struct parameter_schema *schema;
    struct parameter_value *values; /* one a row */
};

/* A directed edge of the link graph. Nodes 0 .. chips-1 are chips, further
 * ones switches. */
struct machine_edge {
    uint32_t from, to;
    double share;                 /* bandwidth as a multiple of inter.link_bandwidth */
    double bandwidth_bytes_per_s; /* > 0: its own bandwidth, listed edge by edge */
    /* Its own latency, listed edge by edge, in seconds or, as given, in cycles of sm.clock; else
     * inter.latency, or that of the switch that it leaves. */
    bool own_latency, latency_in_cycles;
    double latency;
};

struct machine {
    struct arena *arena;
    const char *name, *source, *summary, *path;
    struct machine_section *sections;
    size_t n_sections;
    struct machine_edge *edges; /* listed by the file (topology: edges) */
    size_t n_edges;
};

/* What a file may say beside its parameters, and of an edge. */
extern const struct file_form machine_file_form, machine_edges_form;

/* Loads a shipped machine by name or a file by path. */
int machine_load(const char *name_or_path, struct machine **out, struct error *error);
int machine_read(const struct yaml_node *root, const char *path, struct machine **out,
                 struct error *error);
/* Adds the sections that it could have and has not, all of whose values are unknown: to list them.
 */
void machine_add_absent(struct machine *machine);
struct machine *machine_clone(const struct machine *machine);
void machine_destroy(struct machine *machine);

/* The shipped machines. */
void machine_catalogue(struct catalogue *out);

/* Checks that need more than one value (LLC holds a whole set, a machine has
 * chips, ...). machine_load has called it; call it again after setting. */
int machine_check(const struct machine *machine, struct error *error);

/* A parameter of this machine. */
struct parameter {
    const struct machine_section *section;
    const struct parameter_row *row;
    size_t index; /* of the row */
};
int machine_find(const struct machine *machine, const char *path, struct parameter *out,
                 struct error *error);
/* The same where its absence is no error: whether there is one. */
bool machine_lookup(const struct machine *machine, const char *path, struct parameter *out);
/* Every parameter in table order: *cursor = 0 first; false at the end. */
bool machine_next(const struct machine *machine, size_t *cursor, struct parameter *out);
/* The plug-ins' parameter of that role; false: no plug-in has one. */
bool machine_role(const struct machine *machine, enum parameter_role role, struct parameter *out);
void parameter_path(const struct parameter *parameter, char *buffer, size_t size);

/* Reads "4 MiB", "120 cycles", "memory-side", "batched:4" for that parameter:
 * unit, range and name are checked. `mark` is where the text stands (NULL:
 * nowhere). The name is not copied. */
int parameter_parse(const struct parameter *parameter, const char *text, const struct mark *mark,
                    struct parameter_value *out, struct error *error);
/* Range check of a computed value in SI. */
int parameter_check(const struct parameter *parameter, double value, const struct mark *mark,
                    struct error *error);

/* A value in SI; cycles become seconds with the machine's sm.clock. */
int parameter_si(const struct machine *machine, const struct parameter *parameter,
                 const struct parameter_value *value, double *out, struct error *error);

/* True when the machine has a section of that name. */
bool machine_has(const struct machine *machine, const char *section);

int machine_set(struct machine *machine, const char *path, const char *text,
                const struct mark *mark, struct error *error);
/* Sets the field of the value's argument as well, and what its name stands for. */
int machine_set_value(struct machine *machine, const char *path,
                      const struct parameter_value *value, struct error *error);

/* Values in SI. An unknown value is an error that names it. */
int machine_number(const struct machine *machine, const char *path, double *out,
                   struct error *error);
int machine_name(const struct machine *machine, const char *path, const char **out,
                 struct error *error);
/* As machine_number for a whole number that fits. */
int machine_count(const struct machine *machine, const char *path, uint32_t *out,
                  struct error *error);

/* L1 nodes and clusters of a chip (l1.nodes and l1.clusters, their 0 resolved), by the rules of
 * DC-L1 (HPCA 2021, section 3): of X SMs, Y nodes, Z clusters, Y | X and Z | Y. */
int machine_l1_nodes(const struct machine *machine, uint32_t *nodes, uint32_t *clusters,
                     struct error *error);
/* Whether a line's node in its cluster of M = Y/Z goes by the LLC slice that has the line, number s
 * of its cache: node s % M, so that a node asks L/M of the L slices alone (l1.home: slice). Where
 * it is left open, it does if M divides L. Slices that are chosen by lines in turn (llc.mapping:
 * fixed) have nodes by line do the same. Never where clusters are nodes: M is 1. */
int machine_l1_home(const struct machine *machine, bool *by_slice, struct error *error);

/* The value as a user would write it ("4 MiB", "120 cycles", "gto"). */
void parameter_format(const struct parameter *parameter, const struct parameter_value *value,
                      struct text *out);

/* Calls visit for every known parameter of the given structure, in table order:
 * the key of a profile view. */
typedef void machine_visit_fn(void *context, const char *path, const char *value);
void machine_visit(const struct machine *machine, enum parameter_structure structure,
                   machine_visit_fn *visit, void *context);

/* All parameters that are known, and the links, to the last bit: what machines are the same by. */
void machine_add_to_hash(const struct machine *machine, struct hash_content *hash);

#endif
