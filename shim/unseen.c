// Programs that the dynamic linker puts no library in front of: see launch.c.
#define _GNU_SOURCE
#include "launch.h"
#include "sockets.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The program as execvp finds it, opened; -1: it does not, or may not be opened so.
static int found(const char *program, int how) {
    if (strchr(program, '/')) return open(program, how | O_CLOEXEC);
    const char *places = getenv("PATH");
    while (places && *places) {
        size_t length = strcspn(places, ":");
        char path[PATH_MAX];
        int room = snprintf(path, sizeof path, "%.*s/%s", (int) length, places, program);
        if (room < (int) sizeof path && access(path, X_OK) == 0) return open(path, how | O_CLOEXEC);
        places += length + (places[length] == ':');
    }
    return -1;
}

// How a program calls the kernel, as far as its file shows.
enum { BY_A_LIBRARY, STATIC, IN_GO };

// A compiler of Go leaves a note of its name, also in what is linked with a library of C.
static int is_of_go(int fd, const Elf64_Phdr *part) {
    _Alignas(Elf64_Nhdr) char notes[4096];
    size_t length = part->p_filesz < sizeof notes ? part->p_filesz : sizeof notes;
    if (pread(fd, notes, length, (off_t) part->p_offset) != (ssize_t) length) return 0;
    for (size_t at = 0; at + sizeof(Elf64_Nhdr) + 4 <= length;) {
        Elf64_Nhdr note;
        memcpy(&note, notes + at, sizeof note);
        if (note.n_namesz == 4 && memcmp(notes + at + sizeof note, "Go", 3) == 0) return 1;
        at += sizeof note + ((note.n_namesz + 3UL) & ~3UL) + ((note.n_descsz + 3UL) & ~3UL);
    }
    return 0;
}

static int how(int fd) {
    Elf64_Ehdr head;
    Elf64_Phdr part;
    int linked = 0;
    if (pread(fd, &head, sizeof head, 0) != sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return BY_A_LIBRARY;
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof part) return BY_A_LIBRARY;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        if (pread(fd, &part, sizeof part, (off_t) (head.e_phoff + i * sizeof part)) != sizeof part) return BY_A_LIBRARY;
        if (part.p_type == PT_INTERP) linked = 1;
        if (part.p_type == PT_NOTE && is_of_go(fd, &part)) return IN_GO;
    }
    return linked ? BY_A_LIBRARY : STATIC;
}

int calls_by_itself(const char *program) {
    int fd = found(program, O_RDONLY);
    if (fd < 0) return 0;
    int is = how(fd);
    close(fd);
    return is != BY_A_LIBRARY;
}

// Whether it runs with the rights of another user or group.
static int is_of_another(int fd) {
    struct stat owner;
    if (fstat(fd, &owner) != 0) return 0;
    return ((owner.st_mode & S_ISUID) && owner.st_uid != geteuid()) || ((owner.st_mode & S_ISGID) && owner.st_gid != getegid());
}

void say_what_is_not_seen(const char *program) {
    int file = found(program, O_PATH), fd = found(program, O_RDONLY); // which not everybody may read
    int is = fd < 0 ? BY_A_LIBRARY : how(fd);
    if (is != BY_A_LIBRARY) {
        say("%s runs without Ibidem: it is %s, which the preloaded library does not get into", program,
            is == STATIC ? "linked statically" : "written in Go");
    } else if (file >= 0 && is_of_another(file)) {
        say("%s runs without Ibidem: it runs with the rights of another, and so without the preloaded library", program);
    }
    if (file >= 0) close(file);
    if (fd >= 0) close(fd);
}

void say_what_seccomp_changes(const char *program) {
    int file = found(program, O_PATH), fd = found(program, O_RDONLY), why = errno;
    if (file >= 0 && is_of_another(file)) {
        say("%s runs without the rights of another that its file gives (set-user-id), which seccomp takes away; --preload does not", program);
    }
    if (file >= 0 && fd < 0 && why == EACCES) {
        say("%s runs without Ibidem: its file cannot be read by this user, so the kernel lets nobody look into it; --preload gets into it", program);
    }
    if (file >= 0) close(file);
    if (fd >= 0) close(fd);
}

// This process has let go of its own by now: the word goes where the other's errors do, if that is where
// they went at the start, and if it need not wait there.
void say_of(struct supervisor *s, uint32_t process, int *said, const char *what) {
    char path[64], name[64] = "a program\n";
    struct stat now;
    int errors = *said ? -1 : own_socket(process, STDERR_FILENO);
    if (errors < 0) return;
    struct pollfd room = {.fd = errors, .events = POLLOUT};
    if (fstat(errors, &now) == 0 && now.st_dev == s->errors.st_dev && now.st_ino == s->errors.st_ino
        && poll(&room, 1, 0) == 1 && (room.revents & POLLOUT)) {
        snprintf(path, sizeof path, "/proc/%u/comm", process);
        FILE *comm = fopen(path, "re");
        if (comm && !fgets(name, sizeof name, comm)) name[0] = 0;
        if (comm) fclose(comm);
        name[strcspn(name, "\n")] = 0;
        dprintf(errors, "ibidem wrap: %s %s\n", name, what);
        *said = 1;
    }
    close(errors);
}

void say_of_io_uring(struct supervisor *s, uint32_t process) {
    say_of(s, process, &s->io_uring, "uses io_uring: what it connects by that is not seen, and the kernel's");
}
