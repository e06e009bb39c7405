/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hashes: a mixer for tables and slices, and content hashes of inputs. */
#ifndef BANDSCAPE_CORE_HASH_H
#define BANDSCAPE_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* MurmurHash3's 64-bit finaliser (Appleby): a bijection whose high bits choose
 * LLC slices. */
static inline uint64_t hash_fmix64(uint64_t k)
{
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdULL;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ULL;
    k ^= k >> 33;
    return k;
}

/* Maps a 64-bit hash to 0 .. n-1 by its high bits, for any n. */
static inline uint32_t hash_reduce(uint64_t hash, uint32_t n)
{
    return (uint32_t)(((hash >> 32) * n) >> 32);
}

/* Of a text, for tables (XXH3). */
uint64_t hash_text(const char *text);

/* 128-bit content hash (XXH3) as 32 hexadecimal digits. It detects changed
 * inputs; it is no defence against somebody who wants two inputs to collide. */
struct hash_content;
enum { HASH_TEXT = 33 };
struct hash_content *hash_content_begin(void);
void hash_content_add(struct hash_content *hash, const void *data, size_t size);
void hash_content_string(struct hash_content *hash, const char *text); /* with its length */
/* STATUS_IO, STATUS_INTERRUPTED. */
int hash_content_file(struct hash_content *hash, const char *path, struct error *error);
void hash_content_end(struct hash_content *hash, char out[HASH_TEXT]); /* destroys it */
uint64_t hash_content_end_number(struct hash_content *hash); /* likewise: 64 bits of it, not 0 */

#endif
