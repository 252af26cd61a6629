// The key of the job that a program was started in: docs/wire/handshake.md, "The key of a job".
#include "net.h"
#include "../ibidem.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_LINE = 256, LONGEST_VALUE = 64 };

// The port at this machine's loopback to which a socket is connected; 0: it is not.
static unsigned loopback_port(int fd) {
    struct sockaddr_in6 at;
    struct sockaddr_in four;
    socklen_t length = sizeof at;
    if (getpeername(fd, (void *) &at, &length) != 0) return 0;
    if (at.sin6_family == AF_INET) {
        memcpy(&four, &at, sizeof four);
        return ntohl(four.sin_addr.s_addr) >> 24 == 127 ? ntohs(four.sin_port) : 0;
    }
    int ours = IN6_IS_ADDR_LOOPBACK(&at.sin6_addr) || (IN6_IS_ADDR_V4MAPPED(&at.sin6_addr) && at.sin6_addr.s6_addr[12] == 127);
    return at.sin6_family == AF_INET6 && ours ? ntohs(at.sin6_port) : 0;
}

static int read_hex(const char *text, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned one;
        if (sscanf(text + 2 * i, "%2x", &one) != 1) return 0;
        bytes[i] = (uint8_t) one;
    }
    return 1;
}

void job_named(struct job *job) {
    static const char NAME[] = "ibidem job 1 name\n";
    uint8_t mac[MAC];
    HMAC(EVP_sha256(), job->secret, sizeof job->secret, (const uint8_t *) NAME, sizeof NAME - 1, mac, NULL);
    for (int i = 0; i < 16; i++) snprintf(job->name + 2 * i, 3, "%02x", mac[i]);
}

void job_mac(const struct job *job, const char *what, const struct out *hello, const struct out *reply, uint8_t mac[MAC]) {
    uint8_t all[64 + LARGEST_HELLO + LARGEST_REPLY];
    struct out out = {.bytes = all, .size = sizeof all};
    put_bytes(&out, what, strlen(what));
    put_bytes(&out, hello->bytes, hello->length);
    put_bytes(&out, reply->bytes, reply->length);
    HMAC(EVP_sha256(), job->secret, sizeof job->secret, all, out.length, mac, NULL);
}

// ---- its file ----

// What stands in it; of the launcher, who may have ended, and whose loopback may be another.
struct file {
    uint8_t secret[32];
    unsigned port;
    long pid;
    char start[LONGEST_VALUE], processes[LONGEST_VALUE], network[LONGEST_VALUE];
};

static void copy_value(char *value, const char *from) {
    snprintf(value, LONGEST_VALUE, "%.*s", (int) strcspn(from, "\n"), from);
}

// Whether it is one. Closes it.
static int read_file(FILE *from, struct file *file) {
    char line[LONGEST_LINE];
    int good = 0;
    int head = fgets(line, sizeof line, from) && strcmp(line, "ibidem job 1\n") == 0;
    *file = (struct file) {.port = 0};
    while (head && fgets(line, sizeof line, from)) {
        if (strncmp(line, "key ", 4) == 0) good = read_hex(line + 4, file->secret, sizeof file->secret);
        if (strncmp(line, "port ", 5) == 0) file->port = (unsigned) strtoul(line + 5, NULL, 10);
        if (strncmp(line, "pid ", 4) == 0) file->pid = strtol(line + 4, NULL, 10);
        if (strncmp(line, "start ", 6) == 0) copy_value(file->start, line + 6);
        if (strncmp(line, "processes ", 10) == 0) copy_value(file->processes, line + 10);
        if (strncmp(line, "network ", 8) == 0) copy_value(file->network, line + 8);
    }
    fclose(from);
    return good && file->port;
}

static int is_own_namespace(const char *kind, const char *name) {
    char path[64], own[LONGEST_VALUE];
    snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
    ssize_t length = readlink(path, own, sizeof own - 1);
    own[length < 0 ? 0 : length] = 0;
    return strcmp(own, name) == 0;
}

// When a process was started: the 22nd of proc_pid_stat(5). Empty: there is none.
static void started(long pid, char *start) {
    char path[64], line[1024] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *stat = fopen(path, "re");
    *start = 0;
    if (!stat) return;
    char *at = fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL;
    fclose(stat);
    char *rest = at ? at + 1 : line, *one = NULL;
    for (int i = 3; i <= 22; i++) one = strtok_r(i == 3 ? rest : NULL, " \n", &rest);
    if (at && one) copy_value(start, one);
}

static int has_launcher(const struct file *file) {
    char start[LONGEST_VALUE];
    started(file->pid, start);
    return !is_own_namespace("pid", file->processes) || strcmp(start, file->start) == 0;
}

// ---- where it lies ----

static int named(const char *path, unsigned port, struct job *job) {
    struct file file;
    FILE *from = fopen(path, "re");
    if (!from) {
        snprintf(job->why, sizeof job->why, "IBIDEM_JOB names %.150s, %s", path,
                 errno == ENOENT ? "which was removed, or the job ended" : strerror(errno));
    } else if (!read_file(from, &file)) {
        snprintf(job->why, sizeof job->why, "IBIDEM_JOB names %.150s, which is no key of a job", path);
    } else if (file.port != port) {
        snprintf(job->why, sizeof job->why, "IBIDEM_JOB names the key of the hub at port %u", file.port);
    } else {
        memcpy(job->secret, file.secret, sizeof job->secret);
        return 1;
    }
    return 0;
}

// In a folder of this user alone: in another's anybody may have put what he likes.
static int lies_in(const char *folder, unsigned port, struct job *job) {
    char start[32];
    struct stat is;
    struct file file;
    int found = 0, at = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (at < 0) {
        if (errno != ENOENT) snprintf(job->why, sizeof job->why, "%.150s: %s", folder, strerror(errno));
        return 0;
    }
    int own = fstat(at, &is) == 0 && is.st_uid == geteuid() && (is.st_mode & 0777) == 0700;
    DIR *all = own ? fdopendir(at) : NULL;
    if (!all) {
        close(at);
        return 0;
    }
    snprintf(start, sizeof start, "job-%u-", port);
    for (struct dirent *one = readdir(all); one && !found; one = readdir(all)) {
        if (strncmp(one->d_name, start, strlen(start)) != 0) continue;
        int fd = openat(at, one->d_name, O_RDONLY | O_CLOEXEC);
        FILE *from = fd < 0 ? NULL : fdopen(fd, "r");
        found = from && read_file(from, &file) && file.port == port && has_launcher(&file)
                && is_own_namespace("net", file.network);
    }
    closedir(all);
    if (found) memcpy(job->secret, file.secret, sizeof job->secret);
    return found;
}

static int is_own(const char *folder) {
    struct stat is;
    return stat(folder, &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == geteuid();
}

// The usual folders, in the order in which launchers try them.
static int lies_somewhere(unsigned port, struct job *job) {
    char run[64], folder[4096];
    const char *told = getenv("XDG_RUNTIME_DIR");
    snprintf(run, sizeof run, "/run/user/%u", (unsigned) geteuid());
    const char *tried[] = {told && told[0] == '/' ? told : run, run};
    for (int i = 0; i < 2; i++) {
        snprintf(folder, sizeof folder, "%s/ibidem", tried[i]);
        if (is_own(tried[i]) && lies_in(folder, port, job)) return 1;
    }
    static const char *const SHARED[] = {"/dev/shm", "/tmp"};
    for (int i = 0; i < 2; i++) {
        snprintf(folder, sizeof folder, "%s/.ibidem-job-%u", SHARED[i], (unsigned) geteuid());
        if (lies_in(folder, port, job)) return 1;
    }
    if (!job->why[0]) snprintf(job->why, sizeof job->why, "there is no key of a job at port %u for this user", port);
    return 0;
}

void job_of(int fd, struct job *job) {
    const char *path = getenv("IBIDEM_JOB");
    unsigned port = loopback_port(fd);
    *job = (struct job) {.name = ""};
    if (!port) {
        snprintf(job->why, sizeof job->why, "no job's key counts at another machine's hub");
    } else if ((path && path[strspn(path, " \t")] && named(path, port, job)) || lies_somewhere(port, job)) {
        job_named(job);
    }
}
