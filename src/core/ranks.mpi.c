/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages by MPI: linked in place of ranks_none.c by `make MPI=1`. A rank that dies is noticed by
 * mpirun, which says so and ends the others. */
#include <mpi.h>

#include "core/ranks.h"

static int mpi_begin(int *number, int *count, int *here, struct error *error)
{
    int provided;
    MPI_Comm machine;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
        return error_set(error, STATUS_FAILED, "this MPI cannot be called from two threads");
    MPI_Comm_rank(MPI_COMM_WORLD, number);
    MPI_Comm_size(MPI_COMM_WORLD, count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, here);
    MPI_Comm_free(&machine);
    return 0;
}

static void mpi_end(void)
{
    MPI_Finalize();
}

static void mpi_send(int to, int tag, const void *data, size_t size)
{
    MPI_Send(data, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

static bool mpi_probe(int *from, int tag, size_t *size)
{
    MPI_Status status;
    int there, count;
    MPI_Iprobe(*from < 0 ? MPI_ANY_SOURCE : *from, tag, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    *from = status.MPI_SOURCE;
    *size = (size_t)count;
    return true;
}

static void mpi_receive(int from, int tag, void *data, size_t size)
{
    MPI_Recv(data, (int)size, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static const struct ranks_transport transport = {"MPI",    mpi_begin, mpi_end,
                                                 mpi_send, mpi_probe, mpi_receive};

const struct ranks_transport *ranks_transport(void)
{
    return &transport;
}
