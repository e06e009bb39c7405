/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scopes and filters as files and models write them. */
#include "profile/curves/distances.h"

const char *const cache_scope_names[SCOPE_COUNT] = {
    [SCOPE_SM] = "sm",           [SCOPE_GROUP] = "group",
    [SCOPE_CLUSTER] = "cluster", [SCOPE_PARTITION] = "partition",
    [SCOPE_CHIP] = "chip",       [SCOPE_SYSTEM] = "system",
};
const char *const cache_filter_names[CACHE_FILTERS] = {
    [CACHE_LOOKUPS] = "lookups",
    [CACHE_ALL] = "all",
    [CACHE_LOCAL] = "local",
    [CACHE_REMOTE] = "remote",
    [CACHE_READ_ONLY_SHARED] = "read-only-shared",
    [CACHE_REPLICATED] = "replicated",
    [CACHE_REMOTE_OF_ALL] = "remote-of-all",
    [CACHE_REPLICABLE_OF_ALL] = "replicable-of-all",
    [CACHE_REPLICAS] = "replicas",
    [CACHE_FILLED] = "filled",
    [CACHE_OR_HOME] = "filled-or-home",
};
