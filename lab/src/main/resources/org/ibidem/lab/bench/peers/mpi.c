/* The loops of the benchmark in C over MPI: two ranks, each led by one of the benchmark's two
 * processes over a loopback connection, so that no rank runs while others are measured.
 *
 * arguments:  the port of rank 0's process, the port of rank 1's
 * first line: the core to run on
 * then:       KIND PAYLOAD BYTES PARTS SAMPLES TIMES
 *             KIND 0 there and back, 1 one way with one acknowledgement for a sample
 *             PAYLOAD w one long, f five primitives, b bytes, i ints, d doubles
 *             PARTS of bytes: messages of a window; of doubles: one in as many travels
 * answer:     nanoseconds of each sample (rank 0) or 0 (rank 1), a line each
 *
 * The sender rewrites the payload before every message and the receiver sums it up, exactly as the
 * contestants in Java do. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 64, TAG = 1, MOST = 64 };

static char *out, *in;
static char payload;
static size_t bytes;
static int parts, other;
static MPI_Datatype vector;

static void fail(const char *what) {
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static void rewrite(char *data, int number) {
    switch (payload) {
    case 'w':
        *(int64_t *)data = number;
        break;
    case 'f': {
        struct __attribute__((packed)) { int32_t a; int64_t b, c; int32_t d; int64_t e; } five = {number, number, 2, 3, 4};
        memcpy(data, &five, sizeof five);
        break;
    }
    case 'b':
        memset(data, number, bytes);
        break;
    case 'i':
        for (size_t i = 0; i < bytes / 4; i++) ((int32_t *)data)[i] = number;
        break;
    default:
        for (size_t i = 0; i < bytes / 8 * parts; i += parts) ((double *)data)[i] = number;
    }
}

static void verify(const char *data, int number) {
    int64_t wanted, sum = 0;
    switch (payload) {
    case 'w':
        wanted = number;
        sum = *(const int64_t *)data;
        break;
    case 'f': {
        struct __attribute__((packed)) { int32_t a; int64_t b, c; int32_t d; int64_t e; } five;
        memcpy(&five, data, sizeof five);
        wanted = 2LL * number + 9;
        sum = five.a + five.b + five.c + five.d + five.e;
        break;
    }
    case 'b':
        for (size_t i = 0; i < bytes; i += LINE) sum += (signed char)data[i];
        wanted = (int64_t)(signed char)number * (int64_t)((bytes + LINE - 1) / LINE);
        break;
    case 'i': {
        uint32_t part = 0;
        for (size_t i = 0; i < bytes / 4; i++) part += ((const uint32_t *)data)[i];
        wanted = (uint32_t)number * (uint32_t)(bytes / 4);
        sum = part;
        break;
    }
    default: {
        double a = 0, b = 0, c = 0, d = 0;
        const double *from = (const double *)data;
        for (size_t i = 0; i < bytes / 8 * parts; i += 4 * parts) {
            a += from[i];
            b += from[i + parts];
            c += from[i + 2 * parts];
            d += from[i + 3 * parts];
        }
        wanted = (int64_t)number * (int64_t)(bytes / 8);
        sum = (int64_t)(a + b + c + d);
    }
    }
    if (sum != wanted) {
        fprintf(stderr, "message %d of payload %c: its sum is %ld and should be %ld\n", number, payload, (long)sum, (long)wanted);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void put(const char *data, size_t n) {
    if (MPI_Send(data, (int)n, MPI_BYTE, other, TAG, MPI_COMM_WORLD)) fail("MPI_Send");
}

static void get(char *data, size_t n) {
    if (MPI_Recv(data, (int)n, MPI_BYTE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)) fail("MPI_Recv");
}

static void window(char *data, int receives) {
    MPI_Request requests[MOST];
    size_t size = bytes / parts;
    for (int i = 0; i < parts; i++) {
        int failed = receives ? MPI_Irecv(data + i * size, (int)size, MPI_BYTE, other, TAG, MPI_COMM_WORLD, requests + i)
                              : MPI_Isend(data + i * size, (int)size, MPI_BYTE, other, TAG, MPI_COMM_WORLD, requests + i);
        if (failed) fail("MPI_Isend or MPI_Irecv");
    }
    if (MPI_Waitall(parts, requests, MPI_STATUSES_IGNORE)) fail("MPI_Waitall");
}

static void put_payload(char *data) {
    if (parts == 1) put(data, bytes);
    else if (payload == 'b') window(data, 0);
    else if (MPI_Send(data, 1, vector, other, TAG, MPI_COMM_WORLD)) fail("MPI_Send");
}

static void get_payload(char *data) {
    if (parts == 1) get(data, bytes);
    else if (payload == 'b') window(data, 1);
    else if (MPI_Recv(data, 1, vector, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)) fail("MPI_Recv");
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void lead(int kind, int times) {
    for (int i = 0; i < times; i++) {
        rewrite(out, i);
        put_payload(out);
        if (kind == 0) {
            get_payload(in);
            verify(in, i);
        }
    }
    if (kind == 1) {
        int64_t acknowledged;
        get((char *)&acknowledged, sizeof acknowledged);
        if (acknowledged != times) fail("a wrong acknowledgement");
    }
}

static void follow(int kind, int times) {
    for (int i = 0; i < times; i++) {
        get_payload(in);
        verify(in, i);
        if (kind == 0) put_payload(in);
    }
    if (kind == 1) {
        int64_t acknowledgement = times;
        put((char *)&acknowledgement, sizeof acknowledgement);
    }
}

static void pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    if (core >= 0 && sched_setaffinity(0, sizeof set, &set)) perror("sched_setaffinity");
}

static int master(int port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) fail("connect");
    return fd;
}

int main(int count, char **argument) {
    int rank, core, kind, samples, times;
    MPI_Init(&count, &argument);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    int fd = master(atoi(argument[1 + rank]));
    FILE *commands = fdopen(fd, "r"), *answers = fdopen(dup(fd), "w");
    if (fscanf(commands, "%d", &core) != 1) fail("the core");
    pin(core);
    size_t most = 0;
    while (fscanf(commands, "%d %c %zu %d %d %d", &kind, &payload, &bytes, &parts, &samples, &times) == 6) {
        size_t room = payload == 'd' ? bytes * parts : bytes;
        if (payload == 'd' && parts > 1 && !vector) {
            MPI_Type_vector((int)(bytes / 8), 1, parts, MPI_DOUBLE, &vector);
            MPI_Type_commit(&vector);
        }
        if (room > most) {
            most = room;
            free(out);
            free(in);
            out = aligned_alloc(4096, (most + 4095) & ~(size_t)4095);
            in = aligned_alloc(4096, (most + 4095) & ~(size_t)4095);
            if (!out || !in) fail("memory");
            memset(out, 0, most);
            memset(in, 0, most);
        }
        int64_t *nanos = calloc(samples, sizeof *nanos);
        for (int s = 0; s < samples; s++) {
            int64_t before = now();
            if (rank == 0) lead(kind, times); else follow(kind, times);
            nanos[s] = now() - before;
        }
        if (rank == 0)
            for (int s = 0; s < samples; s++) fprintf(answers, "%lld\n", (long long)nanos[s]);
        else
            fprintf(answers, "0\n");
        fflush(answers);
        free(nanos);
    }
    MPI_Finalize();
    return 0;
}
