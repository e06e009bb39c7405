/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LULESH's shock hydrodynamics on hexahedra, as a proxy of its dominant kernels.
 * Elements gather coordinates and velocities of their eight nodes through
 * nodelist; nodes gather the forces of their elements' corners; viscosity looks
 * at the six neighbours; the rest streams. One thread an element or a node,
 * lists of elements corner by corner (structure of arrays), double precision. */
#include <stdlib.h>

#include "workload/irregular/hexahedra.h"
#include "workload/irregular/warp_code.h"

enum { BLOCK_THREADS = 128 };

/* Groups of three are coordinate by coordinate. */
enum array {
    NODELIST,
    CORNER_COUNT,
    CORNER_START,
    CORNER_LIST,
    NEIGHBOURS, /* six arrays */
    BOUNDARY = NEIGHBOURS + HEX_FACES,
    PLACE, /* of nodes, three each */
    SPEED = PLACE + 3,
    ACCELERATION = SPEED + 3,
    FORCE = ACCELERATION + 3,
    NODE_MASS = FORCE + 3,
    CORNER_FORCE, /* three arrays of eight an element */
    VOLUME_0 = CORNER_FORCE + 3,
    VOLUME,
    VOLUME_NEW,
    VOLUME_CHANGE,
    VOLUME_RATE,
    LENGTH,
    PRESSURE,
    VISCOSITY,
    LINEAR,
    QUADRATIC,
    ENERGY,
    SOUND,
    ELEMENT_MASS,
    GRADIENT,              /* of speed, three arrays */
    EXTENT = GRADIENT + 3, /* three arrays */
    N_ARRAYS = EXTENT + 3
};

struct lulesh {
    struct kernel_source base;
    struct hexahedra *mesh;
    uint64_t steps;
};

struct lulesh_warp {
    struct kernel_warp base;
    uint32_t live;
    uint32_t i, d;
};

static const struct hexahedra *lulesh_mesh(const struct kernel_pass *pass)
{
    return ((const struct lulesh *)pass->source)->mesh;
}

/* ---- code --------------------------------------------------------------- */

/* Nodes of the elements, then three (or six, with speeds) numbers of each; the next node's number
 * is asked for beside those of the last one. */
#define LULESH_GATHER(all, mesh, numbers)                                                          \
    do {                                                                                           \
        for (w->i = 0; w->i < HEX_CORNERS; w->i++) {                                               \
            WARP_READ_TOO(NODELIST, all, warp->thread + lane + (uint64_t)w->i * mesh->n_elements); \
            WARP_NEED;                                                                             \
            for (w->d = 0; w->d < (numbers); w->d++)                                               \
                WARP_READ_TOO(PLACE + w->d, all,                                                   \
                              mesh->nodes[(warp->thread + lane) * HEX_CORNERS + w->i]);            \
        }                                                                                          \
    } while (0)

/* One number each of these arrays. */
#define LULESH_STREAM(access, all, list)                                                           \
    do {                                                                                           \
        for (w->i = 0; w->i < sizeof(list) / sizeof *(list); w->i++)                               \
            access((list)[w->i], all, warp->thread + lane);                                        \
    } while (0)

static bool lulesh_volume_force(const struct kernel_pass *pass, struct kernel_warp *warp,
                                struct warp_buffer *out)
{
    static const uint8_t read[] = {VOLUME_0, VOLUME, PRESSURE, VISCOSITY, SOUND, ELEMENT_MASS};
    const struct hexahedra *mesh = lulesh_mesh(pass);
    const uint32_t all = warp_below(warp, mesh->n_elements);
    struct lulesh_warp *w = (struct lulesh_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    LULESH_STREAM(WARP_READ_TOO, all, read);
    LULESH_GATHER(all, mesh, 6);
    WARP_COMPUTE(900);
    for (w->i = 0; w->i < HEX_CORNERS; w->i++)
        for (w->d = 0; w->d < 3; w->d++)
            WARP_WRITE(CORNER_FORCE + w->d, all,
                       warp->thread + lane + (uint64_t)w->i * mesh->n_elements);
    WARP_END;
}

/* Where the force of a corner (element * 8 + corner) lies. */
static uint64_t lulesh_corner(const struct hexahedra *mesh, uint64_t node, uint32_t i)
{
    uint32_t corner = mesh->corners[mesh->corner_start[node] + i];
    return corner / HEX_CORNERS + (uint64_t)(corner % HEX_CORNERS) * mesh->n_elements;
}

static bool lulesh_node_force(const struct kernel_pass *pass, struct kernel_warp *warp,
                              struct warp_buffer *out)
{
    const struct hexahedra *mesh = lulesh_mesh(pass);
    const uint64_t v = warp->thread;
    const uint32_t all = warp_below(warp, mesh->n_nodes);
    struct lulesh_warp *w = (struct lulesh_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    WARP_READ(CORNER_COUNT, all, v + lane);
    WARP_READ_TOO(CORNER_START, all, v + lane);
    for (w->live = all;; w->i++) {
        WARP_SELECT(w->live, w->live,
                    mesh->corner_start[v + lane] + w->i < mesh->corner_start[v + lane + 1]);
        if (!w->live)
            break;
        WARP_READ(CORNER_LIST, w->live, mesh->corner_start[v + lane] + w->i);
        WARP_NEED;
        for (w->d = 0; w->d < 3; w->d++)
            WARP_READ_TOO(CORNER_FORCE + w->d, w->live, lulesh_corner(mesh, v + lane, w->i));
        WARP_COMPUTE(5);
    }
    for (w->d = 0; w->d < 3; w->d++)
        WARP_WRITE(FORCE + w->d, all, v + lane);
    WARP_END;
}

static bool lulesh_move(const struct kernel_pass *pass, struct kernel_warp *warp,
                        struct warp_buffer *out)
{
    const uint32_t all = warp_below(warp, lulesh_mesh(pass)->n_nodes);
    const uint64_t v = warp->thread;
    struct lulesh_warp *w = (struct lulesh_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    WARP_READ(NODE_MASS, all, v + lane);
    for (; w->d < 3; w->d++) {
        WARP_READ_TOO(FORCE + w->d, all, v + lane);
        WARP_WRITE(ACCELERATION + w->d, all, v + lane);
        WARP_READ(SPEED + w->d, all, v + lane);
        WARP_READ_TOO(PLACE + w->d, all, v + lane);
        WARP_COMPUTE(6);
        WARP_WRITE(SPEED + w->d, all, v + lane);
        WARP_WRITE(PLACE + w->d, all, v + lane);
    }
    WARP_END;
}

static bool lulesh_kinematics(const struct kernel_pass *pass, struct kernel_warp *warp,
                              struct warp_buffer *out)
{
    static const uint8_t read[] = {VOLUME_0, VOLUME};
    static const uint8_t written[] = {VOLUME_NEW,   VOLUME_CHANGE, LENGTH, VOLUME_RATE, GRADIENT,
                                      GRADIENT + 1, GRADIENT + 2,  EXTENT, EXTENT + 1,  EXTENT + 2};
    const struct hexahedra *mesh = lulesh_mesh(pass);
    const uint32_t all = warp_below(warp, mesh->n_elements);
    struct lulesh_warp *w = (struct lulesh_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    LULESH_GATHER(all, mesh, 6);
    LULESH_STREAM(WARP_READ_TOO, all, read);
    WARP_COMPUTE(600);
    LULESH_STREAM(WARP_WRITE, all, written);
    WARP_END;
}

static bool lulesh_viscosity(const struct kernel_pass *pass, struct kernel_warp *warp,
                             struct warp_buffer *out)
{
    static const uint8_t read[] = {BOUNDARY,     GRADIENT,   GRADIENT + 1, GRADIENT + 2,
                                   EXTENT,       EXTENT + 1, EXTENT + 2,   VOLUME_RATE,
                                   ELEMENT_MASS, VOLUME_0,   VOLUME_NEW};
    static const uint8_t written[] = {LINEAR, QUADRATIC};
    const struct hexahedra *mesh = lulesh_mesh(pass);
    const uint32_t all = warp_below(warp, mesh->n_elements);
    struct lulesh_warp *w = (struct lulesh_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    LULESH_STREAM(WARP_READ_TOO, all, read);
    for (w->i = 0; w->i < HEX_FACES; w->i++) {
        WARP_READ(NEIGHBOURS + w->i, all, warp->thread + lane);
        WARP_READ(GRADIENT + w->i / 2, all,
                  mesh->neighbours[(warp->thread + lane) * HEX_FACES + w->i]);
        WARP_COMPUTE(8);
    }
    WARP_COMPUTE(60);
    LULESH_STREAM(WARP_WRITE, all, written);
    WARP_END;
}

static bool lulesh_material(const struct kernel_pass *pass, struct kernel_warp *warp,
                            struct warp_buffer *out)
{
    static const uint8_t read[] = {ENERGY,    VOLUME_CHANGE, PRESSURE,   VISCOSITY,
                                   QUADRATIC, LINEAR,        VOLUME_NEW, VOLUME};
    static const uint8_t written[] = {PRESSURE, ENERGY, VISCOSITY, SOUND, VOLUME};
    const uint32_t all = warp_below(warp, lulesh_mesh(pass)->n_elements);
    struct lulesh_warp *w = (struct lulesh_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    LULESH_STREAM(WARP_READ_TOO, all, read);
    WARP_COMPUTE(180);
    LULESH_STREAM(WARP_WRITE, all, written);
    WARP_END;
}

static bool lulesh_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    static const struct {
        const char *name;
        bool nodes;
        bool (*code)(const struct kernel_pass *, struct kernel_warp *, struct warp_buffer *);
    } kernels[] = {{"CalcVolumeForceForElems", false, lulesh_volume_force},
                   {"AddNodeForcesFromElems", true, lulesh_node_force},
                   {"CalcPositionAndVelocityForNodes", true, lulesh_move},
                   {"CalcKinematicsAndMonotonicQGradient", false, lulesh_kinematics},
                   {"CalcMonotonicQRegionForElems", false, lulesh_viscosity},
                   {"ApplyMaterialPropertiesAndUpdateVolume", false, lulesh_material}};
    enum { KERNELS = sizeof kernels / sizeof *kernels };
    const struct lulesh *s = (const struct lulesh *)pass->source;
    uint64_t k = pass->launches % KERNELS;
    if (pass->launches == KERNELS * s->steps)
        return false;
    *out = kernel_over(kernels[k].name, kernels[k].nodes ? s->mesh->n_nodes : s->mesh->n_elements,
                       BLOCK_THREADS);
    out->warp_size = sizeof(struct lulesh_warp);
    out->code = kernels[k].code;
    out->data = 1;
    return true;
}

static void lulesh_destroy(struct kernel_source *source)
{
    hexahedra_destroy(((struct lulesh *)source)->mesh);
}

static const struct kernel_class lulesh_class = {.next = lulesh_next, .destroy = lulesh_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { EDGE, STEPS, N_PARAMETERS };

static const struct workload_parameter lulesh_parameters[] = {
    [EDGE] = {"edge", "45", "elements along an edge of the cube"},
    [STEPS] = {"steps", "2", "of time"},
    {NULL, NULL, NULL}};

static void lulesh_place(struct lulesh *s)
{
    static const char *const names[N_ARRAYS] = {"nodelist",
                                                "nodeElemCount",
                                                "nodeElemStart",
                                                "nodeElemCornerList",
                                                "lxim",
                                                "lxip",
                                                "letam",
                                                "letap",
                                                "lzetam",
                                                "lzetap",
                                                "elemBC",
                                                "x",
                                                "y",
                                                "z",
                                                "xd",
                                                "yd",
                                                "zd",
                                                "xdd",
                                                "ydd",
                                                "zdd",
                                                "fx",
                                                "fy",
                                                "fz",
                                                "nodalMass",
                                                "fx_elem",
                                                "fy_elem",
                                                "fz_elem",
                                                "volo",
                                                "v",
                                                "vnew",
                                                "delv",
                                                "vdov",
                                                "arealg",
                                                "p",
                                                "q",
                                                "ql",
                                                "qq",
                                                "e",
                                                "ss",
                                                "elemMass",
                                                "delv_xi",
                                                "delv_eta",
                                                "delv_zeta",
                                                "delx_xi",
                                                "delx_eta",
                                                "delx_zeta"};
    uint64_t elements = s->mesh->n_elements, nodes = s->mesh->n_nodes;
    for (int i = 0; i < N_ARRAYS; i++) {
        bool corners =
            i == NODELIST || i == CORNER_LIST || (i >= CORNER_FORCE && i < CORNER_FORCE + 3);
        bool of_nodes = i == CORNER_COUNT || i == CORNER_START || (i >= PLACE && i <= NODE_MASS);
        kernel_place(&s->base, names[i],
                     corners    ? elements * HEX_CORNERS
                     : of_nodes ? nodes
                                : elements,
                     i < PLACE ? 4 : 8);
    }
}

static int lulesh_open(const struct workload *workload, const char *const *values,
                       struct source **out, struct error *error)
{
    static const struct kernel_range ranges[] = {{1, 300}, {1, 1000000}};
    int64_t v[N_PARAMETERS];
    int status = kernel_integers(workload, values, 0, ranges, N_PARAMETERS, v, error);
    if (status)
        return status;
    struct lulesh *s = kernel_source_create(workload, &lulesh_class, sizeof *s);
    s->mesh = hexahedra_create((uint32_t)v[EDGE]);
    s->steps = (uint64_t)v[STEPS];
    lulesh_place(s);
    return kernel_source_finish_values(&s->base, "lulesh 1", v, N_PARAMETERS, out, error);
}

static const struct workload_input lulesh_inputs[] = {{"small", "edge=16"},
                                                      {"published-mcm", "edge=72"},
                                                      {"published-mcm-large", "edge=198"},
                                                      {NULL, NULL}};

static const struct workload_scale lulesh_scale[] = {{"edge", "edge*size^(1/3)"}, {NULL, NULL}};

const struct workload workload_lulesh = {
    .plugin = {.kind = "workload",
               .name = "lulesh",
               .summary = "shock hydrodynamics on hexahedra, gathers through node lists (proxy)",
               .reference = "Karlin, Keasler and Neely, LULESH 2.0, LLNL-TR-641973, 2013"},
    .suite = "proxy",
    .page = "A proxy: the access patterns of the kernels that dominate LULESH on GPUs, six a\n"
            "step; one thread an element or a node, blocks of 128, double precision, arrays of\n"
            "elements corner by corner. Elements gather coordinates and speeds of eight nodes\n"
            "through nodelist, nodes the forces at their corners, viscosity the gradients of six\n"
            "neighbours; regions, boundary forces and time constraints are left out. The mesh is\n"
            "LULESH's own cube with its numbering.\n"
            "published-mcm: 203 to 4 309 MB are published; 72 elements an edge have 206 MB, 198\n"
            "have 4 267 MB (published-mcm-large). The default, 45 as LULESH's 2.0 sizes go, has\n"
            "50.6 MB and two steps. Instructions between accesses are estimates.\n"
            "What is said of the original's code and inputs is from memory, not checked against\n"
            "its source.\n",
    .parameters = lulesh_parameters,
    .inputs = lulesh_inputs,
    .scale = lulesh_scale,
    .open = lulesh_open};
