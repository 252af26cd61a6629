// Programs that the dynamic linker puts no library in front of: see launch.c.
#define _GNU_SOURCE
#include "launch.h"
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The program as execvp finds it; -1: it does not.
static int found(const char *program) {
    if (strchr(program, '/')) return open(program, O_RDONLY | O_CLOEXEC);
    const char *places = getenv("PATH");
    while (places && *places) {
        size_t length = strcspn(places, ":");
        char path[PATH_MAX];
        int room = snprintf(path, sizeof path, "%.*s/%s", (int) length, places, program);
        if (room < (int) sizeof path && access(path, X_OK) == 0) return open(path, O_RDONLY | O_CLOEXEC);
        places += length + (places[length] == ':');
    }
    return -1;
}

// Whether it is a program for the kernel alone, without a linker.
static int is_static(int fd) {
    Elf64_Ehdr head;
    Elf64_Phdr part;
    if (pread(fd, &head, sizeof head, 0) != sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return 0;
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof part) return 0;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        if (pread(fd, &part, sizeof part, (off_t) (head.e_phoff + i * sizeof part)) != sizeof part) return 0;
        if (part.p_type == PT_INTERP) return 0;
    }
    return 1;
}

void say_what_is_not_seen(const char *program) {
    struct stat is;
    int fd = found(program);
    if (fd < 0) return;
    if (is_static(fd)) {
        say("%s runs without Ibidem: it is linked statically, which the preloaded library does not get into", program);
    } else if (fstat(fd, &is) == 0
               && (((is.st_mode & S_ISUID) && is.st_uid != geteuid()) || ((is.st_mode & S_ISGID) && is.st_gid != getegid()))) {
        say("%s runs without Ibidem: it runs with the rights of another, and so without the preloaded library", program);
    }
    close(fd);
}
