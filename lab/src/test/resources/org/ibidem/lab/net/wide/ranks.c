// Ranks of MPI that check what they get: reductions, large messages, windows. Rank 0 prints how many
// they were, and each the other ends of its TCP connections to other machines.
#include <arpa/inet.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "meet.h"

enum { LARGE = 1 << 17, MOST_FILES = 4096 };

static int rank, ranks;

static void require(int holds, const char *what) {
    if (holds) return;
    printf("rank %d: wrong: %s\n", rank, what);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void reductions(void) {
    for (int i = 0; i < 50; i++) {
        long mine = rank + i, sum = 0;
        MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        require(sum == (long) ranks * (ranks - 1) / 2 + (long) i * ranks, "a sum");
    }
}

// Each to the next, several times; by a rendezvous, as they are large.
static void large(double *mine, double *other) {
    int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < LARGE; i++) mine[i] = rank + round + i * 0.5;
        MPI_Sendrecv(mine, LARGE, MPI_DOUBLE, next, round, other, LARGE, MPI_DOUBLE, last, round,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < LARGE; i++) require(other[i] == last + round + i * 0.5, "a large message");
    }
}

// One-sided: put by all between fences, then get, and add under a lock.
static void windows(double *mine, double *other) {
    MPI_Win window;
    int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    double one = 1;
    for (int i = 0; i < LARGE; i++) mine[i] = rank * 3 + i;
    MPI_Win_create(other, LARGE * sizeof *other, sizeof *other, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(mine, LARGE, MPI_DOUBLE, next, 0, LARGE, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < LARGE; i++) require(other[i] == last * 3 + i, "what was put");
    MPI_Win_fence(0, window);
    MPI_Get(mine, LARGE, MPI_DOUBLE, next, 0, LARGE, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < LARGE; i++) require(mine[i] == rank * 3 + i, "what was got");
    for (int i = 0; i < 20; i++) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Accumulate(&one, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_SUM, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        require(other[0] == last * 3 + 20 * ranks, "what was added");
        MPI_Win_unlock(0, window);
    }
    MPI_Win_free(&window);
}

static void peers(void) {
    for (int fd = 0; fd < MOST_FILES; fd++) {
        struct sockaddr_in at;
        socklen_t length = sizeof at;
        char text[INET_ADDRSTRLEN] = "";
        if (getpeername(fd, (struct sockaddr *) &at, &length) != 0 || at.sin_family != AF_INET) continue;
        inet_ntop(AF_INET, &at.sin_addr, text, sizeof text);
        if (ntohl(at.sin_addr.s_addr) != INADDR_LOOPBACK) printf("rank %d peer %s\n", rank, text);
    }
}

int main(int count, char **arguments) {
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *mine = malloc(LARGE * sizeof *mine), *other = malloc(LARGE * sizeof *other);
    require(mine && other, "memory");
    reductions();
    large(mine, other);
    windows(mine, other);
    peers();
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("all %d ranks are right\n", ranks);
    free(mine);
    free(other);
    require(meet(), "the launcher's answer");
    MPI_Finalize();
    return 0;
}
