// A virtual machine of PVM: begins its daemon here, which adds the hosts of a file, and has a task there
// send numbers back, first by way of the daemons (UDP), then directly (TCP).
// master HOSTFILE NAME THERE: the host's name as PVM shall know it, and the other's.
#include <arpa/inet.h>
#include <pvm3.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NUMBERS = 100000, MOST_FILES = 4096, ASKED = 1, ANSWERED = 2, ROOM = 64 };

static double numbers[NUMBERS];

// The other end of a TCP connection to another machine.
static void peer(char *text) {
    snprintf(text, ROOM, "nobody");
    for (int fd = 0; fd < MOST_FILES; fd++) {
        struct sockaddr_in at;
        socklen_t length = sizeof at;
        if (getpeername(fd, (struct sockaddr *) &at, &length) == 0 && at.sin_family == AF_INET
            && ntohl(at.sin_addr.s_addr) != INADDR_LOOPBACK) {
            inet_ntop(AF_INET, &at.sin_addr, text, ROOM);
        }
    }
}

static int worker(int master) {
    char seen[ROOM], host[ROOM];
    gethostname(host, sizeof host);
    for (int route = 0; route < 2; route++) {
        pvm_setopt(PvmRoute, route ? PvmRouteDirect : PvmDontRoute);
        pvm_recv(master, ASKED);
        pvm_upkdouble(numbers, NUMBERS, 1);
        for (int i = 0; i < NUMBERS; i++) numbers[i] *= 2;
        peer(seen);
        pvm_initsend(PvmDataRaw);
        pvm_pkstr(host);
        pvm_pkstr(seen);
        pvm_pkdouble(numbers, NUMBERS, 1);
        pvm_send(master, ANSWERED);
    }
    pvm_exit();
    return 0;
}

static int asks(int task, int route) {
    char seen[ROOM], host[ROOM];
    int wrong = 0;
    pvm_setopt(PvmRoute, route);
    for (int i = 0; i < NUMBERS; i++) numbers[i] = i * 0.25 + route;
    pvm_initsend(PvmDataRaw);
    pvm_pkdouble(numbers, NUMBERS, 1);
    pvm_send(task, ASKED);
    pvm_recv(task, ANSWERED);
    pvm_upkstr(host);
    pvm_upkstr(seen);
    pvm_upkdouble(numbers, NUMBERS, 1);
    for (int i = 0; i < NUMBERS; i++) wrong += numbers[i] != 2 * (i * 0.25 + route);
    printf("%s: a task on %s, %d of %d wrong, its peer %s\n", route == PvmRouteDirect ? "direct" : "routed",
           host, wrong, NUMBERS, seen);
    return wrong;
}

int main(int count, char **arguments) {
    int task, wrong;
    char name[2 * ROOM];
    if (count < 4) return worker(pvm_parent());
    snprintf(name, sizeof name, "-n%s", arguments[2]);
    int begun = pvm_start_pvmd(2, (char *[]) {name, arguments[1]}, 1);
    if (begun < 0) {
        printf("the daemon has not begun: %d\n", begun);
        return 1;
    }
    int spawned = pvm_spawn(arguments[0], NULL, PvmTaskHost, arguments[3], 1, &task);
    if (spawned != 1) {
        printf("there is no task on %s: %d\n", arguments[3], task);
        pvm_halt();
        return 1;
    }
    wrong = asks(task, PvmDontRoute) + asks(task, PvmRouteDirect);
    fflush(stdout);
    signal(SIGTERM, SIG_IGN); // by which it ends all tasks, this one too
    pvm_halt();
    return wrong != 0;
}
