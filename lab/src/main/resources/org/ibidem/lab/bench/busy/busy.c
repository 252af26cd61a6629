/* What BusyRank does, in C over MPI.
 *
 * arguments: ring LAPS, or sor SIZE ITERATIONS
 * answer:    of rank 0: SECONDS s RESULT r */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1, REDUCE_EVERY = 16 };

static const double OMEGA = 1.9, WARM_SECONDS = 1;

static int rank, ranks;

static double ring(int laps) {
    long long token = 0;
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    for (int lap = 0; lap < laps; lap++) {
        if (rank == 0) {
            token++;
            MPI_Send(&token, 1, MPI_LONG_LONG, next, TAG, MPI_COMM_WORLD);
            MPI_Recv(&token, 1, MPI_LONG_LONG, before, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&token, 1, MPI_LONG_LONG, before, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            token++;
            MPI_Send(&token, 1, MPI_LONG_LONG, next, TAG, MPI_COMM_WORLD);
        }
    }
    return token;
}

static int size, first, rows;
static double *cells;

static double relax(int colour) {
    double worst = 0;
    for (int row = 1; row <= rows; row++) {
        int real = first + row - 1;
        if (real == 0 || real == size - 1) continue;
        double *at = cells + (size_t)row * size;
        for (int column = 1 + (real + 1 + colour) % 2; column < size - 1; column += 2) {
            double mean = 0.25 * (at[column - size] + at[column + size] + at[column - 1] + at[column + 1]);
            double change = mean - at[column];
            at[column] += OMEGA * change;
            if (fabs(change) > worst) worst = fabs(change);
        }
    }
    return worst;
}

static void exchange(void) {
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(cells + size, size, MPI_DOUBLE, up, TAG, cells + (size_t)(rows + 1) * size, size, MPI_DOUBLE, down, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(cells + (size_t)rows * size, size, MPI_DOUBLE, down, TAG, cells, size, MPI_DOUBLE, up, TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double sor(int iterations) {
    first = (int)((long)size * rank / ranks);
    rows = (int)((long)size * (rank + 1) / ranks) - first;
    free(cells);
    cells = calloc((size_t)(rows + 2) * size, sizeof(double));
    if (rank == 0)
        for (int column = 0; column < size; column++) cells[size + column] = 1;
    exchange();
    double worst = 0, all = 0;
    for (int i = 1; i <= iterations; i++) {
        worst = 0;
        for (int colour = 0; colour < 2; colour++) {
            double now = relax(colour);
            if (now > worst) worst = now;
            exchange();
        }
        if (i % REDUCE_EVERY == 0 || i == iterations)
            MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    return all;
}

static double run(int rings, int times) { return rings ? ring(times) : sor(times); }

/* Runs it for at least so long; what a run took. */
static double seconds(double least, int rings, int times) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime(), took;
    int runs = 0;
    do {
        run(rings, times);
        runs++;
        took = MPI_Wtime() - begun;
        MPI_Bcast(&took, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    } while (took < least);
    return took / runs;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int rings = strcmp(argv[1], "ring") == 0, times = atoi(argv[argc - 1]);
    size = rings ? 0 : atoi(argv[2]);
    seconds(WARM_SECONDS, rings, times);
    double took = seconds(1, rings, times), result = run(rings, times);
    if (rank == 0) printf("SECONDS %.6f RESULT %.17g\n", took, result);
    MPI_Finalize();
    return 0;
}
