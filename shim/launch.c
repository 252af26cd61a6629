// ibidem-launch [--preload] SOCKET HOSTS PROGRAM ARGUMENTS...: runs a program under Ibidem.
//
// The program gets a seccomp filter that tells of its connect and listen calls, for itself and all
// it starts; nothing else of it is touched. This process, its parent, holds the notifications. It
// asks the agent that listens on SOCKET (docs/wire/wrap.md) what to do, and does that with the
// program's own socket. Where there is no agent, or there is none any more, the calls go on as if
// nobody had looked: a program never waits for somebody who is dead.
//
// With --preload, and where seccomp cannot tell of calls, a library beside this program does
// (preload/preload.c): it is put in front of the program's own, and asks this process.
//
// HOSTS is a file that the program shall see as /etc/hosts, or "-".
#define _GNU_SOURCE
#include "launch.h"
#include "sockets.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "ibidem wrap: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
}

#define LIBRARY_FILE "libibidem-wrap.so"

// What the launcher was told to do.
struct how {
    int preload;        // by the library, not by seccomp
    const char *socket; // of the agent
    const char *hosts;
    char **program;
    sigset_t callers;   // the signals that it finds blocked
    char name[64];      // under which the library asks
};

// ---- the program's side, before it is the program ----

static int write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t length = (ssize_t) strlen(text);
    int rc = write(fd, text, (size_t) length) == length ? 0 : -1;
    close(fd);
    return rc;
}

// A user namespace in which this user is himself, with mounts of its own.
static int own_users(void) {
    char map[64];
    uid_t user = geteuid();
    gid_t group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return -1;
    snprintf(map, sizeof map, "%u %u 1", user, user);
    if (write_file("/proc/self/uid_map", map) != 0) return -1;
    if (write_file("/proc/self/setgroups", "deny") != 0) return -1;
    snprintf(map, sizeof map, "%u %u 1", group, group);
    return write_file("/proc/self/gid_map", map);
}

// The same in a process of its own. Nobody leaves a user namespace that was made by half: in it the
// program would be nobody. Root without CAP_SETFCAP gets no whole one (Linux 5.12), and nobody does where
// AppArmor keeps the rights in it back.
// 0: it can be had; else with errno.
static int try_own_users(void) {
    int status;
    pid_t other = fork();
    if (other == 0) _exit(own_users() == 0 ? 0 : errno);
    if (other < 0) return -1;
    while (waitpid(other, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    errno = WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
    return errno ? -1 : 0;
}

// A mount that only this process and its children see; who is not root needs a user namespace.
static int own_mounts(void) {
    if (unshare(CLONE_NEWNS) == 0) return 0;
    return try_own_users() == 0 ? own_users() : -1;
}

static void show_hosts(const char *hosts) {
    if (strcmp(hosts, "-") == 0) return;
    if (own_mounts() != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
        || mount(hosts, "/etc/hosts", NULL, MS_BIND, NULL) != 0) {
        say("names of the pool are not known to the program, as it cannot get an /etc/hosts of its own: %s",
            strerror(errno));
    }
}

// What the program's side says to its parent before it goes on.
enum means { SECCOMP = 's', LIBRARY = 'l', NOTHING = '-' };

struct begun {
    enum means means;
    int listener; // its number here: to send it would be a message, which nobody lets go on yet
};

// A call that there is not: what is compared with it differs.
#define NO_CALL 0xffffffffU

// Messages have their address in memory, which the filter does not see: to tell of them is to tell of
// each, also on sockets that were connected long ago. So it is done where little else is a message.
static int filter(int messages) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_connect, 17, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_listen, 16, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpeername, 15, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bind, 14, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, messages ? SYS_sendmsg : NO_CALL, 13, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, messages ? SYS_sendmmsg : NO_CALL, 12, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 11, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getsockopt, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendto, 0, 8),
        // Without an address it is the send of any socket, and left alone.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 7),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4]) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, 5),
        // How a connect has ended: who asks hears it once the supervisor is through with it.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOL_SOCKET, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SO_ERROR, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)};
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    int fd = (int) syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (fd < 0 && errno == EINVAL) { // a kernel before 5.19: a signal makes the call begin anew
        flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
        fd = (int) syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    }
    return fd;
}

static const char *why_not(void) {
    static char refused[128];
    if (errno == EBUSY) return "another seccomp listener watches it already";
    if (errno == ENOSYS || errno == EINVAL) return "this kernel is older than Linux 5.6, or has no seccomp";
    snprintf(refused, sizeof refused, "this system or its container refuses what seccomp takes (%s)", strerror(errno));
    return refused;
}

// Asks whether the parent can look into this process as it is now. A filter would stop what a parent that
// cannot is not able to let go on.
// 0: it can; else with errno.
static int may_be_seen(int parent) {
    int error;
    if (write(parent, &parent, sizeof parent) != sizeof parent || read(parent, &error, sizeof error) != sizeof error) {
        _exit(126);
    }
    errno = error;
    return error ? -1 : 0;
}

// Puts the library in front of the program's own.
// 0: it is there.
static int preload(const char *name) {
    char library[PATH_MAX], all[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", library, sizeof library - sizeof LIBRARY_FILE);
    if (length < 0) return -1;
    library[length] = 0;
    strcpy(strrchr(library, '/') + 1, LIBRARY_FILE);
    const char *others = getenv("LD_PRELOAD");
    if (strpbrk(library, " :") || access(library, R_OK) != 0) return -1;
    int room = snprintf(all, sizeof all, "%s%s%s", others ? others : "", others && *others ? ":" : "", library);
    return room < (int) sizeof all && setenv("LD_PRELOAD", all, 1) == 0 ? setenv(PRELOAD_VARIABLE, name, 1) : -1;
}

// How calls get known: by the library where that was asked for, or seccomp cannot be had.
// Returns what the parent is told.
static enum means begin_library(const char *name, char **program, const char *reason) {
    if (preload(name) != 0) {
        say("%s runs without Ibidem: %s%sthere is no %s beside this launcher, or in a folder with a blank or colon",
            program[0], reason ? reason : "", reason ? ", and " : "", LIBRARY_FILE);
        return NOTHING;
    }
    if (reason) say("%s goes by the preloaded library, as %s", program[0], reason);
    say_what_is_not_seen(program[0]);
    return LIBRARY;
}

static const char *what_to_do(const char *program, int why) {
    if (why == EACCES) return "a program is a file that this user may execute (chmod +x), or is named after its interpreter (python3 FILE)";
    if (why == ENOENT && access(program, F_OK) == 0) return "the interpreter that its first line names, or its dynamic linker, is not there";
    if (why == ENOENT) return strchr(program, '/') ? "see its path" : "install it, or name its path: it is in no folder of PATH";
    if (why == ENOEXEC) return "it is for another processor, or damaged";
    return "the kernel does not begin it";
}

static _Noreturn void become(int parent, const struct how *how) {
    show_hosts(how->hosts);
    int seen = how->preload ? -1 : may_be_seen(parent);
    int fd = seen != 0 ? -1 : filter(calls_by_itself(how->program[0]));
    struct begun begun = {SECCOMP, fd};
    if (fd < 0) begun.means = begin_library(how->name, how->program, how->preload ? NULL : why_not());
    else say_what_seccomp_changes(how->program[0]);
    char go;
    // Whoever closes without a word is dead, and with it the one who would answer.
    if (write(parent, &begun, sizeof begun) != sizeof begun || read(parent, &go, 1) != 1) _exit(126);
    if (fd >= 0) close(fd);
    close(parent);
    sigprocmask(SIG_SETMASK, &how->callers, NULL);
    execvp(how->program[0], how->program);
    int why = errno;
    say("%s: %s; %s", how->program[0], strerror(why), what_to_do(how->program[0], why));
    _exit(why == ENOENT ? 127 : 126);
}

// ---- the one that serves: the program's parent, which stays as long as anybody has the filter ----

// What it tells the launcher: who the program is, then how it ended.
struct news {
    pid_t program;
    int status; // as a shell would give it; -1: it runs
};

static void report(int launcher, pid_t program, int status) {
    struct news news = {program, status};
    if (write(launcher, &news, sizeof news) != sizeof news) return; // the launcher was killed
}

// The program's status if it has ended, else -1. Others are daemons it left behind: without seccomp,
// nobody asks any more when they have all ended.
static int reap(struct supervisor *s) {
    int status, mine = -1;
    pid_t one;
    while ((one = waitpid(-1, &status, WNOHANG)) > 0) {
        if (one == s->program) mine = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    if (one < 0 && errno == ECHILD && s->library >= 0) {
        close(s->library);
        s->library = -1;
    }
    return mine;
}

static void serve(struct supervisor *s, int signals, int launcher) {
    for (int running = 1; running || supervisor_serves(s);) {
        struct pollfd on[4 + MOST_LINES] = {
            {.fd = signals, .events = POLLIN},
            {.fd = s->notify, .events = POLLIN},
            {.fd = s->agent, .events = POLLIN},
            {.fd = s->library, .events = POLLIN}};
        unsigned lines = s->waiting;
        for (unsigned i = 0; i < lines; i++) on[4 + i] = (struct pollfd) {.fd = s->lines[i], .events = POLLIN};
        int limit = s->agent < 0 && supervisor_serves(s) ? RETRY_MILLIS : supervisor_looks(s);
        if (poll(on, 4 + lines, limit) < 0 && errno != EINTR) return;
        struct signalfd_siginfo one;
        if (on[0].revents && read(signals, &one, sizeof one) > 0) {
            int status = reap(s);
            if (status >= 0) {
                running = 0;
                report(launcher, s->program, status);
                close(launcher);
            }
        }
        if (s->agent < 0) {
            supervisor_connect(s);
        } else if (on[2].revents) {
            supervisor_told(s);
        }
        if (on[1].revents & POLLIN) {
            supervisor_notified(s);
        } else if (on[1].revents) { // nobody has the filter any more
            close(s->notify);
            s->notify = -1;
        }
        for (unsigned i = lines; i-- > 0;) { // who has asked gives its place to the last
            if (on[4 + i].revents) library_asks(s, i);
        }
        if (on[3].revents && s->library >= 0) library_connects(s);
    }
}

// Whoever reads what the program writes shall see its end, not this process's.
static void let_go_of_stdio(void) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; nothing >= 0 && fd < 3; fd++) dup2(nothing, fd);
    if (nothing > 2) close(nothing);
}

static int blocked(int signal, ...) {
    sigset_t set;
    sigemptyset(&set);
    va_list more;
    va_start(more, signal);
    for (; signal; signal = va_arg(more, int)) sigaddset(&set, signal);
    va_end(more);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

// A line and a socket or two for each call: more than most shells allow to begin with.
static void have_room(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

// Takes a descriptor of the program's and reads in its memory, as of each of its calls later on.
// 0, or the error: by an older kernel, a container's filter, Yama or whatever else guards processes.
static int look_into(pid_t program, int descriptor) {
    static char mine; // and the program's, where it has been since the fork
    struct iovec here = {&mine, 1}, there = {&mine, 1};
    int got = own_socket((uint32_t) program, (uint64_t) descriptor);
    if (got < 0) return errno;
    close(got);
    return process_vm_readv(program, &here, 1, &there, 1, 0) == 1 ? 0 : errno;
}

static void begin(struct supervisor *s, int child, const struct how *how, pid_t program) {
    struct begun begun;
    int own; // its end of this pair
    if (!how->preload && read(child, &own, sizeof own) == sizeof own) {
        int error = look_into(program, own);
        send(child, &error, sizeof error, MSG_NOSIGNAL); // else it has ended
    }
    if (read(child, &begun, sizeof begun) != sizeof begun) begun.means = NOTHING;
    int notify = begun.means == SECCOMP ? own_socket((uint32_t) program, (uint64_t) begun.listener) : -1;
    int lost = begun.means == SECCOMP && notify < 0, why = errno;
    int library = begun.means == LIBRARY ? library_listens(how->name) : -1;
    if (library < 0 && begun.means == LIBRARY) say("%s runs without Ibidem: %s", how->program[0], strerror(errno));
    supervisor_begin(s, notify, library, how->socket, program);
    supervisor_connect(s);
    if (lost) { // its calls would wait for nobody: it ends, as it is not told to go on
        say("%s is not begun: its calls cannot be listened to: %s", how->program[0], strerror(why));
        return;
    }
    // Where the program's side has ended already, nobody reads it.
    if (send(child, "g", 1, MSG_NOSIGNAL) != 1 && notify >= 0) _exit(125);
}

static _Noreturn void supervise(int launcher, struct how *how) {
    static struct supervisor s;
    sigprocmask(SIG_BLOCK, NULL, &how->callers);
    int pair[2], signals = blocked(SIGCHLD, 0);
    if (signals < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) _exit(125);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    library_name(how->name, sizeof how->name);
    pid_t program = fork();
    if (program < 0) _exit(125);
    if (program == 0) {
        close(pair[0]);
        close(launcher);
        become(pair[1], how);
    }
    close(pair[1]);
    // What ends the program comes to it, or is passed on by the launcher.
    for (int i = 0; i < 4; i++) signal((int[]) {SIGINT, SIGQUIT, SIGHUP, SIGTERM}[i], SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    have_room();
    report(launcher, program, -1);
    begin(&s, pair[0], how, program);
    close(pair[0]);
    fstat(STDERR_FILENO, &s.errors);
    let_go_of_stdio();
    serve(&s, signals, launcher);
    _exit(0);
}

// ---- the launcher itself: it ends as the program does ----

static int await(int from, int signals) {
    struct news news = {0, -1};
    for (;;) {
        struct pollfd on[] = {{.fd = from, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
        if (poll(on, 2, -1) < 0 && errno != EINTR) return 125;
        if (on[0].revents && read(from, &news, sizeof news) != sizeof news) return 125;
        if (news.status >= 0) return news.status;
        struct signalfd_siginfo one;
        if (on[1].revents && read(signals, &one, sizeof one) == sizeof one
            && one.ssi_code <= 0 && news.program) { // a terminal sends to the program, too
            kill(news.program, (int) one.ssi_signo);
        }
    }
}

int main(int count, char **arguments) {
    int pair[2], preload = count > 1 && strcmp(arguments[1], "--preload") == 0;
    if (count < 4 + preload) {
        say("usage: ibidem-launch [--preload] SOCKET HOSTS PROGRAM [ARGUMENTS...]");
        return 2;
    }
    arguments += preload;
    struct how how = {
        .preload = preload, .socket = arguments[1], .hosts = arguments[2], .program = arguments + 3};
    if (pipe2(pair, O_CLOEXEC) != 0) {
        say("%s", strerror(errno));
        return 125;
    }
    pid_t supervisor = fork();
    if (supervisor < 0) {
        say("%s", strerror(errno));
        return 125;
    }
    if (supervisor == 0) {
        close(pair[0]);
        supervise(pair[1], &how);
    }
    close(pair[1]);
    let_go_of_stdio();
    return await(pair[0], blocked(SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, 0));
}
