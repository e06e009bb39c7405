/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Content hashes over libxxhash. */
#include "core/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/memory.h"
#include "core/parallel.h"

uint64_t hash_text(const char *text)
{
    return XXH3_64bits(text, strlen(text));
}

struct hash_content {
    XXH3_state_t *state;
};

struct hash_content *hash_content_begin(void)
{
    struct hash_content *hash = memory_zero(1, sizeof *hash);
    hash->state = XXH3_createState();
    if (hash->state)
        XXH3_128bits_reset(hash->state);
    return hash;
}

void hash_content_add(struct hash_content *hash, const void *data, size_t size)
{
    if (hash->state && size)
        XXH3_128bits_update(hash->state, data, size);
}

void hash_content_string(struct hash_content *hash, const char *text)
{
    uint64_t length = strlen(text);
    hash_content_add(hash, &length, sizeof length);
    hash_content_add(hash, text, length);
}

int hash_content_file(struct hash_content *hash, const char *path, struct error *error)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return error_errno(error, "open", path);
    enum { PIECE = 1 << 18 };
    char *buffer = memory_alloc(PIECE);
    for (size_t n; !interrupt_requested() && (n = fread(buffer, 1, PIECE, stream)) > 0;)
        hash_content_add(hash, buffer, n);
    int status = ferror(stream) ? error_errno(error, "read", path) : interrupt_check(error);
    free(buffer);
    fclose(stream);
    return status;
}

static XXH128_hash_t content_end(struct hash_content *hash)
{
    XXH128_hash_t value = {0, 0};
    if (hash->state)
        value = XXH3_128bits_digest(hash->state);
    XXH3_freeState(hash->state);
    free(hash);
    return value;
}

void hash_content_end(struct hash_content *hash, char out[HASH_TEXT])
{
    XXH128_hash_t value = content_end(hash);
    snprintf(out, HASH_TEXT, "%016llx%016llx", (unsigned long long)value.high64,
             (unsigned long long)value.low64);
}

uint64_t hash_content_end_number(struct hash_content *hash)
{
    uint64_t value = content_end(hash).low64;
    return value ? value : 1;
}
