/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of designs. */
#include "dcl1/design.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_DIGITS = 4 };

/* "<letters><count>" at *at, which moves behind it; false: it is not there. */
static bool scan_part(const char **at, const char *letters, uint32_t *count)
{
    size_t length = strlen(letters);
    if (strncmp(*at, letters, length) != 0)
        return false;
    size_t digits = strspn(*at + length, "0123456789");
    if (digits == 0 || digits > COUNT_DIGITS)
        return false;
    *count = (uint32_t)strtoul(*at + length, NULL, 10);
    *at += length + digits;
    return true;
}

static bool scan_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool scan_special(const char *name, struct dcl1_design *out)
{
    if (strcmp(name, "baseline") == 0)
        return true;
    if (strcmp(name, "perfect") == 0) {
        out->perfect = true;
        return true;
    }
    if (strcmp(name, "ideal") == 0) {
        out->nodes = out->clusters = 1;
        out->full = true;
        return true;
    }
    return false;
}

int dcl1_design_scan(const char *name, struct dcl1_design *out, struct error *error)
{
    const char *at = name;
    bool clustered = false;
    *out = (struct dcl1_design){0};
    if (scan_special(name, out))
        return 0;
    out->built = true;
    bool private = scan_part(&at, "Pr", &out->nodes);
    bool shared = !private && scan_part(&at, "Sh", &out->nodes);
    if (shared)
        clustered = scan_part(&at, "+C", &out->clusters);
    out->boost = (private || shared) && scan_word(&at, "+Boost");
    if (!(private || shared) || *at) {
        error_set(error, STATUS_INPUT, "there is no design \"%.60s\"", name);
        if (private && strncmp(at, "+C", 2) == 0)
            error_hint(error, "clusters share nodes: Sh%u%s", out->nodes, at);
        else
            error_hint(error, "known: baseline, perfect, ideal, PrY, ShY, ShY+CZ; the last three "
                              "with +Boost, for example Sh40+C10+Boost");
        return STATUS_INPUT;
    }
    if (private)
        out->clusters = out->nodes;
    else if (!clustered)
        out->clusters = 1;
    if (out->nodes == 0 || out->clusters == 0)
        return error_set(error, STATUS_INPUT, "%.60s: there is at least one node and one cluster",
                         name);
    if (out->nodes % out->clusters)
        return error_set(error, STATUS_INPUT,
                         "%.60s: %u clusters do not divide %u nodes (the rule Z | Y)", name,
                         out->clusters, out->nodes);
    return 0;
}

static void expansion_add(struct parameter_expansion *out, const char *path, const char *text)
{
    out->settings[out->count].path = path;
    snprintf(out->settings[out->count].text, sizeof out->settings[0].text, "%s", text);
    out->count++;
}

int dcl1_design_expand(const char *name, struct parameter_expansion *out, struct error *error)
{
    struct dcl1_design design;
    char nodes[16], clusters[16];
    out->count = 0;
    int status = dcl1_design_scan(name, &design, error);
    if (status)
        return status;
    snprintf(nodes, sizeof nodes, "%u", design.nodes);
    snprintf(clusters, sizeof clusters, "%u", design.clusters);
    expansion_add(out, "l1.nodes", nodes);
    expansion_add(out, "l1.clusters", clusters);
    expansion_add(out, "l1.contents", design.perfect ? "perfect" : "lru");
    expansion_add(out, "dcl1.ports", design.full ? "full" : "built");
    /* Without NoC#1 it is a two-stage crossbar's, if it is anything's. */
    if (design.built)
        expansion_add(out, "dcl1.noc1_boost", design.boost ? "2" : "1");
    return 0;
}
