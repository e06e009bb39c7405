/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of a real GPU as a profile: the CSV of NVIDIA Nsight Compute (ncu)
 * becomes points, one a kernel launch, or one a kernel and grid when there are
 * more than 64 launches.
 *
 *     field                  from
 *     requests, bytes        sectors that the SMs ask of the L2 (x 32 B); else hits + misses
 *     llc_hit.<organisation> hits / (hits + misses) of these; else the hit rate of all sectors
 *     lsu.<organisation>     mean / maximum of these over the L2's slices
 *     r_local                1 - misses that go to a peer GPU / misses
 *     measured.*             L1 hit rates, coalescing, bytes by place, DRAM bytes, time
 *
 * What a counter file cannot say (curves, sharing, the other organisation) stays
 * unknown, as does r_local of a launch without misses. The L2 is measured as it
 * is organised in that GPU, so its figures belong to one organisation: by default
 * memory-side, right for an L2 in one part; where the L2 has halves that keep
 * copies for their own SMs (A100, H100), sm-side is nearer. */
#ifndef BANDSCAPE_PROFILE_NCU_H
#define BANDSCAPE_PROFILE_NCU_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "profile/record/profile.h"

/* X(symbol, name, unit): what a profile is made from, to be asked of ncu ... */
#define NCU_METRICS(X)                                                                             \
    X(NCU_SECTORS, "lts__t_sectors_srcunit_tex.sum", SECTOR)                                       \
    X(NCU_SECTORS_MEAN, "lts__t_sectors_srcunit_tex.avg", SECTOR)                                  \
    X(NCU_SECTORS_MOST, "lts__t_sectors_srcunit_tex.max", SECTOR)                                  \
    X(NCU_HITS, "lts__t_sectors_srcunit_tex_lookup_hit.sum", SECTOR)                               \
    X(NCU_MISSES, "lts__t_sectors_srcunit_tex_lookup_miss.sum", SECTOR)                            \
    X(NCU_PEER_MISSES, "lts__t_sectors_srcunit_tex_aperture_peer_lookup_miss.sum", SECTOR)         \
    X(NCU_DEVICE, "lts__t_sectors_aperture_device.sum", SECTOR)                                    \
    X(NCU_PEER, "lts__t_sectors_aperture_peer.sum", SECTOR)                                        \
    X(NCU_SYSTEM, "lts__t_sectors_aperture_sysmem.sum", SECTOR)                                    \
    X(NCU_FABRIC, "lts__t_sectors_srcunit_ltcfabric.sum", SECTOR)                                  \
    X(NCU_L1_HIT, "l1tex__t_sector_hit_rate.pct", RATIO)                                           \
    X(NCU_L1_LOAD_HIT, "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct", RATIO)            \
    X(NCU_L1_STORE_HIT, "l1tex__t_sector_pipe_lsu_mem_global_op_st_hit_rate.pct", RATIO)           \
    X(NCU_LOAD_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", REQUEST)               \
    X(NCU_LOAD_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", SECTOR)                  \
    X(NCU_STORE_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", REQUEST)              \
    X(NCU_STORE_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", SECTOR)                 \
    X(NCU_DRAM_READ, "dram__bytes_read.sum", BYTE)                                                 \
    X(NCU_DRAM_WRITTEN, "dram__bytes_write.sum", BYTE)

/* ... and what stands in for them or comes by itself: the hit rate of all sectors,
 * newer names, and the labels of the default page. */
#define NCU_OTHER_METRICS(X)                                                                       \
    X(NCU_TIME, "gpu__time_duration.sum", SECOND)                                                  \
    X(NCU_HIT_RATE, "lts__t_sector_hit_rate.pct", RATIO)                                           \
    X(NCU_DRAM_OP_READ, "dram__bytes_op_read.sum", BYTE)                                           \
    X(NCU_DRAM_OP_WRITTEN, "dram__bytes_op_write.sum", BYTE)                                       \
    X(NCU_LABEL_TIME, "Duration", SECOND)                                                          \
    X(NCU_LABEL_HIT_RATE, "L2 Hit Rate", RATIO)                                                    \
    X(NCU_LABEL_L1_HIT, "L1/TEX Hit Rate", RATIO)

/* The command that measures all of it, for help: lines to copy. */
#define NCU_COMMAND_METRIC(symbol, name, unit) ",\\\n" name
#define NCU_COMMAND                                                                                \
    "ncu --csv --page raw --log-file counters.csv --metrics \\\n"                                  \
    "gpu__time_duration.sum" NCU_METRICS(NCU_COMMAND_METRIC) " ./program"

/* True when the file's name ends in .csv, or its first 64 KiB hold a line of ncu
 * ("==PROF== ...") or the table's header. */
bool ncu_detect(const char *path);

/* Reads such a file. `organisation`: "memory-side" or "sm-side", whose figures
 * the L2's are; NULL: memory-side. */
int ncu_load(const char *path, const char *organisation, struct profile **out, struct error *error);

/* The same from a text; data[size] is NUL. The profile is named after `path`. */
int ncu_parse(const char *path, const char *data, size_t size, const char *organisation,
              struct profile **out, struct error *error);

#endif
