// A node: its line to the hub, its members, its service links. A thread serves each connection.
#define _GNU_SOURCE
#include "node.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { JOIN_MILLIS = 30000, LEAVE_MILLIS = 3000, KNOWN_MILLIS = 2000 };

// ---- waiting ----

void wait_changed(ibidem_node *node, int64_t end) {
    int64_t left = left_until(end);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += left / 1000;
    until.tv_nsec += left % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&node->changed, &node->lock, &until);
}

void node_changed(ibidem_node *node) {
    node->state++;
    pthread_cond_broadcast(&node->changed);
}

struct errand {
    ibidem_node *node;
    void (*run)(ibidem_node *node, void *what);
    void *what;
};

static void *run(void *given) {
    struct errand errand = *(struct errand *) given;
    free(given);
    errand.run(errand.node, errand.what);
    pthread_mutex_lock(&errand.node->lock);
    errand.node->threads--;
    pthread_cond_broadcast(&errand.node->changed);
    pthread_mutex_unlock(&errand.node->lock);
    return NULL;
}

int start_thread(ibidem_node *node, void (*does)(ibidem_node *node, void *what), void *what) {
    struct errand *errand = malloc(sizeof *errand);
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_mutex_lock(&node->lock);
    int may = errand && !node->closing && node->threads < MOST_THREADS;
    node->threads += may ? 1 : 0;
    pthread_mutex_unlock(&node->lock);
    if (may) {
        *errand = (struct errand) {node, does, what};
        pthread_attr_init(&attributes);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        int rc = pthread_create(&thread, &attributes, run, errand);
        pthread_attr_destroy(&attributes);
        if (rc == 0) return 0;
        pthread_mutex_lock(&node->lock);
        node->threads--;
        pthread_mutex_unlock(&node->lock);
    }
    free(errand);
    return fail_with(IBIDEM_INVALID, "no thread can be started");
}

// ---- requests ----

static int is_asked(const ibidem_node *node, int32_t number) {
    const struct asked *one = node->asked;
    while (one && one->number != number) one = one->next;
    return one != NULL;
}

int32_t next_number(ibidem_node *node) {
    pthread_mutex_lock(&node->lock);
    int32_t number = node->last_number;
    do number = number == INT32_MAX ? 1 : number + 1;
    while (is_asked(node, number));
    node->last_number = number;
    pthread_mutex_unlock(&node->lock);
    return number;
}

int ask_and_wait(ibidem_node *node, struct line *line, int32_t number, const struct out *said, int64_t end, uint8_t **answer, size_t *length) {
    struct asked asked = {.line = line, .number = number};
    if (said->full) return fail_with(IBIDEM_INVALID, "a request is too long");
    pthread_mutex_lock(&node->lock);
    asked.next = node->asked;
    node->asked = &asked;
    pthread_mutex_unlock(&node->lock);
    int rc = line_send(line, MESSAGE, said->bytes, said->length);
    pthread_mutex_lock(&node->lock);
    while (rc == 0 && asked.state == WAITS && left_until(end)) wait_changed(node, end);
    struct asked **at = &node->asked;
    while (*at != &asked) at = &(*at)->next;
    *at = asked.next;
    pthread_mutex_unlock(&node->lock);
    *answer = asked.answer;
    *length = asked.length;
    if (rc == 0 && asked.state == ANSWERED) return 0;
    if (rc == 0) {
        rc = asked.state == GONE     ? fail_with(IBIDEM_LOST, "the connection ended before the answer")
             : asked.state == FAILED ? fail_with(IBIDEM_REFUSED, "%.*s", (int) asked.length, (char *) asked.answer)
                                     : fail_with(IBIDEM_TIMEOUT, "no answer within the time");
    }
    free(asked.answer);
    *answer = NULL;
    return rc;
}

void hear_answer(ibidem_node *node, const struct line *line, int32_t number, int state, const uint8_t *bytes, size_t length) {
    pthread_mutex_lock(&node->lock);
    for (struct asked *one = node->asked; one; one = one->next) {
        if (one->line != line || one->state != WAITS || (state != GONE && one->number != number)) continue;
        one->answer = malloc(length + 1);
        one->length = one->answer ? length : 0;
        if (one->answer && length) memcpy(one->answer, bytes, length);
        one->state = one->answer ? state : GONE;
    }
    pthread_cond_broadcast(&node->changed);
    pthread_mutex_unlock(&node->lock);
}

// ---- members ----

static void told(void *whom, const struct member *member, int there) {
    ibidem_node *node = whom;
    unsigned i = 0;
    while (i < node->count && memcmp(node->members[i].id, member->id, ID) != 0) i++;
    if (!there) {
        if (i < node->count) node->members[i] = node->members[--node->count];
        return;
    }
    if (i == node->count && node->count == node->room && node->room < MOST_MEMBERS) {
        unsigned room = node->room ? 2 * node->room : 16;
        struct member *more = realloc(node->members, room * sizeof *more);
        if (!more) return;
        node->members = more;
        node->room = room;
    }
    if (i < node->room) {
        node->members[i] = *member;
        if (i == node->count) node->count++;
    }
}

int member_of_rank(ibidem_node *node, int rank, uint8_t id[ID], int64_t end) {
    int found = 0;
    pthread_mutex_lock(&node->lock);
    for (;;) {
        for (unsigned i = 0; i < node->count && !found; i++) {
            if (node->members[i].rank != rank) continue;
            memcpy(id, node->members[i].id, ID);
            found = 1;
        }
        if (found || node->hub_is_gone || !left_until(end)) break;
        wait_changed(node, end);
    }
    pthread_mutex_unlock(&node->lock);
    return found ? 0 : fail_with(IBIDEM_UNREACHABLE, "no member has rank %d", rank);
}

int rank_of(const ibidem_node *node, const uint8_t id[ID]) {
    for (unsigned i = 0; i < node->count; i++) {
        if (memcmp(node->members[i].id, id, ID) == 0) return node->members[i].rank;
    }
    return -1;
}

int give_peer(ibidem_node *node, const struct ibidem_peer *peer, struct ibidem_peer *to) {
    struct ibidem_peer given = *peer;
    // It may have been quicker than what the hub says of it.
    int64_t end = now_millis() + KNOWN_MILLIS;
    pthread_mutex_lock(&node->lock);
    while (given.rank < 0 && (given.rank = rank_of(node, given.id)) < 0 && !node->hub_is_gone && left_until(end)) wait_changed(node, end);
    pthread_mutex_unlock(&node->lock);
    return give_struct(&given, to, sizeof given, offsetof(struct ibidem_peer, struct_size), "ibidem_peer");
}

int ibidem_rank(ibidem_node *node) {
    return node->rank;
}

int ibidem_members(ibidem_node *node) {
    pthread_mutex_lock(&node->lock);
    int count = node->hub_is_gone ? fail_with(IBIDEM_LOST, "the hub is gone: %s", node->gone) : (int) node->count;
    pthread_mutex_unlock(&node->lock);
    return count;
}

int ibidem_await(ibidem_node *node, int members, int millis) {
    int64_t end = now_millis() + millis;
    pthread_mutex_lock(&node->lock);
    while ((int) node->count < members && !node->hub_is_gone && left_until(end)) wait_changed(node, end);
    int rc = (int) node->count >= members ? 0
             : node->hub_is_gone          ? fail_with(IBIDEM_LOST, "the hub is gone: %s", node->gone)
                                          : fail_with(IBIDEM_TIMEOUT, "there are %u members", node->count);
    pthread_mutex_unlock(&node->lock);
    return rc;
}

// ---- the hub ----

static int heard_of_hub(ibidem_node *node, struct in *in, const uint8_t *bytes, size_t length) {
    uint8_t room[512];
    struct out out = {.bytes = room, .size = sizeof room};
    int more, bad = 0;
    int64_t upto;
    switch (get_u8(in)) {
        case 4:
        case 5:
            pthread_mutex_lock(&node->lock);
            bad = *bytes == 4 ? decode_snapshot(in, node, told, &more) : decode_events(in, node, told, &upto);
            pthread_cond_broadcast(&node->changed);
            pthread_mutex_unlock(&node->lock);
            break;
        case 6: hear_answer(node, &node->hub, get_i32(in), ANSWERED, bytes, length); break;
        case 7:
            pthread_mutex_lock(&node->lock);
            node->left = 1;
            pthread_cond_broadcast(&node->changed);
            pthread_mutex_unlock(&node->lock);
            break;
        case 9:
            encode_described(&out, node->location);
            line_send(&node->hub, MESSAGE, room, out.length);
            break;
        default: break; // of what was not asked
    }
    return bad ? fail_with(IBIDEM_LOST, "what the hub says does not obey its format") : 0;
}

static void serve_hub(ibidem_node *node, void *none) {
    (void) none;
    uint8_t *bytes = malloc(LARGEST_MESSAGE);
    int64_t length = bytes ? 0 : fail_with(IBIDEM_LOST, "no memory");
    while (length >= 0) {
        length = line_receive(&node->hub, bytes, LARGEST_MESSAGE, NULL, NULL);
        struct in in = {bytes, (size_t) length, 0};
        if (length >= 0 && heard_of_hub(node, &in, bytes, (size_t) length) < 0) length = -1;
    }
    free(bytes);
    pthread_mutex_lock(&node->lock);
    node->hub_is_gone = 1;
    snprintf(node->gone, sizeof node->gone, "%s", ibidem_why());
    pthread_mutex_unlock(&node->lock);
    hear_answer(node, &node->hub, 0, GONE, NULL, 0);
}

static int welcomed(ibidem_node *node, int64_t end) {
    uint8_t bytes[LONGEST_WHY];
    char reason[257];
    if (!is_readable(node->hub.fd, left_until(end))) return fail_with(IBIDEM_TIMEOUT, "the hub says nothing");
    int64_t length = line_receive(&node->hub, bytes, sizeof bytes, NULL, NULL);
    struct in in = {bytes, length < 0 ? 0 : (size_t) length, 0};
    if (length < 0) return (int) length;
    switch (get_u8(&in)) {
        case 1:
            get_bytes(&in, 2 + 8 + 8);
            node->rank = get_i32(&in);
            get_i32(&in);
            skip_text(&in, 64);
            return is_whole(&in) ? 0 : fail_with(IBIDEM_LOST, "a welcome that does not obey its format");
        case 3:
            get_bytes(&in, 1);
            get_text(&in, reason, 256);
            return fail_with(IBIDEM_REFUSED, "the hub refuses: %s", in.bad ? "" : reason);
        default: return fail_with(IBIDEM_LOST, "the hub's first word is none of a welcome");
    }
}

static int attach(ibidem_node *node, const struct ibidem_options *options, uint16_t port, int64_t end) {
    uint8_t bytes[4096], hub[ID] = {0};
    struct out out = {.bytes = bytes, .size = sizeof bytes};
    struct hello hello = {.purpose = BOOTSTRAP};
    struct attach attach = {.location = node->location, .size = options->size, .rank = options->rank, .membership = 1};
    memcpy(hello.pool, node->pool, sizeof hello.pool);
    memcpy(attach.contact.id, node->self.id, ID);
    attach.contact.count = own_addresses(attach.contact.addresses, 32, port);
    int rc = random_bytes(&attach.join, sizeof attach.join);
    if (rc < 0) return rc;
    int fd = dial_name(options->hub, end);
    if (fd < 0) return fd;
    line_begin(&node->hub, fd);
    encode_attach(&out, &attach);
    rc = shake_hands(fd, &node->self, &hello, hub, end);
    if (rc == 0) rc = line_send(&node->hub, MESSAGE, bytes, out.length);
    return rc == 0 ? welcomed(node, end) : rc;
}

// ---- joining and leaving ----

static void let_all_end(ibidem_node *node) {
    pthread_mutex_lock(&node->lock);
    node->closing = 1;
    shutdown(node->listener, SHUT_RDWR);
    for (struct link *one = node->links; one; one = one->next) line_end(&one->line, "the node leaves");
    if (node->hub.fd >= 0) line_end(&node->hub, "it leaves");
    int64_t end = now_millis() + HANDSHAKE_MILLIS;
    while (node->threads && left_until(end)) {
        wait_changed(node, now_millis() + 1000);
        for (struct link *one = node->links; one; one = one->next) shutdown(one->line.fd, SHUT_RDWR);
        if (node->hub.fd >= 0) shutdown(node->hub.fd, SHUT_RDWR);
    }
    pthread_mutex_unlock(&node->lock);
}

static void destroy(ibidem_node *node) {
    if (node->hub.fd >= 0) {
        close(node->hub.fd);
        pthread_mutex_destroy(&node->hub.writing);
    }
    if (node->listener >= 0) close(node->listener);
    identity_free(&node->self);
    pthread_cond_destroy(&node->changed);
    pthread_mutex_destroy(&node->lock);
    free(node->members);
    free(node);
}

static ibidem_node *create(const char *pool) {
    pthread_condattr_t clock;
    ibidem_node *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    pthread_mutex_init(&made->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&made->changed, &clock);
    made->hub.fd = made->listener = -1;
    strcpy(made->pool, pool);
    if (gethostname(made->location, sizeof made->location - 1) != 0 || !*made->location) strcpy(made->location, "unknown");
    return made;
}

int ibidem_join(const struct ibidem_options *given, ibidem_node **node) {
    int64_t end = now_millis() + JOIN_MILLIS;
    uint8_t id[ID];
    uint16_t port;
    struct ibidem_options options;
    *node = NULL;
    int rc = take_struct(given, &options, sizeof options, offsetof(struct ibidem_options, struct_size), "ibidem_options");
    if (rc < 0) return rc;
    if (!options.hub || !options.pool) return fail_with(IBIDEM_INVALID, "a node needs a hub, 'host:port', and the name of a pool");
    if (strlen(options.pool) > 64) return fail_with(IBIDEM_INVALID, "a pool's name has at most 64 bytes");
    ibidem_node *made = create(options.pool);
    if (!made) return fail_with(IBIDEM_INVALID, "no memory");
    rc = identity_make(&made->self);
    if (rc == 0) {
        made->listener = listen_anywhere(&port);
        rc = made->listener < 0 ? made->listener : attach(made, &options, port, end);
    }
    if (rc == 0) {
        rc = start_thread(made, serve_hub, NULL);
        if (rc == 0) rc = start_thread(made, serve_listener, NULL);
        if (rc == 0) rc = member_of_rank(made, made->rank, id, end); // itself: it has heard who is there
        if (rc < 0) let_all_end(made);
    }
    if (rc < 0) destroy(made);
    else *node = made;
    return rc;
}

void ibidem_leave(ibidem_node *node) {
    static const uint8_t leave = 3;
    while (node->senders) ibidem_send_port_close(node->senders);
    while (node->receivers) ibidem_receive_port_close(node->receivers);
    int64_t end = now_millis() + LEAVE_MILLIS;
    if (line_send(&node->hub, MESSAGE, &leave, 1) == 0) {
        pthread_mutex_lock(&node->lock);
        while (!node->left && !node->hub_is_gone && left_until(end)) wait_changed(node, end);
        pthread_mutex_unlock(&node->lock);
    }
    let_all_end(node);
    if (node->threads == 0) destroy(node); // else somebody still uses it, and it is left there
}
