// Service links and who connects: docs/wire/channels.md. A thread serves each connection.
#define _GNU_SOURCE
#include "node.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SMALL = 8700 };

// ---- service links ----

static struct link *link_made(ibidem_node *node, int fd, const uint8_t peer[ID]) {
    struct link *link = calloc(1, sizeof *link);
    if (!link) return NULL;
    line_begin(&link->line, fd);
    link->node = node;
    link->users = 1;
    memcpy(link->peer, peer, ID);
    pthread_mutex_lock(&node->lock);
    link->next = node->links;
    node->links = link;
    pthread_mutex_unlock(&node->lock);
    return link;
}

void let_go(struct link *link) {
    ibidem_node *node = link->node;
    pthread_mutex_lock(&node->lock);
    int last = --link->users == 0;
    pthread_mutex_unlock(&node->lock);
    if (!last) return;
    close(link->line.fd);
    pthread_mutex_destroy(&link->line.writing);
    free(link);
}

static void say(struct link *link, enum what what, int32_t number, const struct out *body) {
    uint8_t room[SMALL];
    struct out out = {.bytes = room, .size = sizeof room};
    put_u8(&out, what);
    put_i32(&out, number);
    if (body) put_bytes(&out, body->bytes, body->length);
    if (!out.full) line_send(&link->line, MESSAGE, room, out.length);
}

static void refuse(struct link *link, int32_t number, const char *why) {
    uint8_t room[256];
    struct out out = {.bytes = room, .size = sizeof room};
    put_text(&out, why);
    say(link, FAILURE, number, &out);
}

// Answers who waits for a change.
static void look_at_awaits(void *whom) {
    struct link *link = whom;
    ibidem_node *node = link->node;
    int64_t now = now_millis();
    for (unsigned i = 0; i < link->awaiting;) {
        struct await one = link->awaits[i];
        pthread_mutex_lock(&node->lock);
        int over = node->state != one.state || now >= one.end;
        pthread_mutex_unlock(&node->lock);
        if (over) {
            link->awaits[i] = link->awaits[--link->awaiting];
            say(link, ANSWER, one.number, NULL);
        } else {
            i++;
        }
    }
}

static int awaits(struct link *link, int32_t number, struct in *in) {
    int64_t state = get_i64(in);
    int32_t patience = get_i32(in);
    if (!is_whole(in) || patience < 0) return -1;
    if (link->awaiting == MOST_AWAITS) {
        refuse(link, number, "too many wait already");
    } else {
        int64_t end = now_millis() + (patience < 60000 ? patience : 60000);
        link->awaits[link->awaiting++] = (struct await) {number, state, end};
    }
    return 0;
}

static int opens(struct link *link, int32_t number, struct in *in) {
    uint8_t room[SMALL];
    struct out out = {.bytes = room, .size = sizeof room};
    struct open open;
    struct opened opened = {.state = -1};
    if (decode_open(in, &open) != 0) return -1;
    pthread_mutex_lock(&link->node->lock);
    port_asked(link->node, link->peer, &open, &opened);
    pthread_mutex_unlock(&link->node->lock);
    encode_opened(&out, &opened);
    say(link, ANSWER, number, &out);
    return 0;
}

static int requested(struct link *link, int32_t number, struct in *in) {
    char key[LINK_KEY + 1];
    struct out echo = {.length = 0};
    switch (get_u8(in)) {
        case OPEN: return opens(link, number, in);
        case AWAIT: return awaits(link, number, in);
        case CANCEL:
            get_text(in, key, LINK_KEY);
            if (!is_whole(in)) return -1;
            pthread_mutex_lock(&link->node->lock);
            port_cancelled(link->node, link->peer, key);
            pthread_mutex_unlock(&link->node->lock);
            say(link, ANSWER, number, NULL);
            return 0;
        case ECHO_:
            echo = (struct out) {.bytes = (uint8_t *) in->at, .length = in->left};
            say(link, ANSWER, number, &echo);
            return 0;
        default: refuse(link, number, "this node does not speak of that: it is the library of C"); return 0;
    }
}

static int heard_of_peer(struct link *link, struct in *in) {
    unsigned what = get_u8(in);
    int32_t number = get_i32(in);
    if (in->bad) return -1;
    switch (what) {
        case REQUEST: return requested(link, number, in);
        case ANSWER: hear_answer(link->node, &link->line, number, ANSWERED, in->at, in->left); return 0;
        case FAILURE:
            if (get_u16(in) != in->left || in->bad) return -1;
            hear_answer(link->node, &link->line, number, FAILED, in->at, in->left);
            return 0;
        case NOTE:
            if (get_u8(in) == CLOSE) {
                pthread_mutex_lock(&link->node->lock);
                port_closed(link->node, link->peer, get_i32(in));
                pthread_mutex_unlock(&link->node->lock);
            }
            return in->bad ? -1 : 0; // what has ended is seen by its END
        default: return -1;
    }
}

// It is over.
static void unlist(struct link *link) {
    ibidem_node *node = link->node;
    pthread_mutex_lock(&node->lock);
    struct link **at = &node->links;
    while (*at != link) at = &(*at)->next;
    *at = link->next;
    pthread_mutex_unlock(&node->lock);
    hear_answer(node, &link->line, 0, GONE, NULL, 0);
    line_end(&link->line, NULL);
    let_go(link);
}

static void serve_link(ibidem_node *node, void *given) {
    (void) node;
    struct link *link = given;
    uint8_t *bytes = malloc(LARGEST_MESSAGE);
    int64_t length = bytes ? 0 : -1;
    while (length >= 0) {
        length = line_receive(&link->line, bytes, LARGEST_MESSAGE, look_at_awaits, link);
        struct in in = {bytes, (size_t) length, 0};
        if (length >= 0 && heard_of_peer(link, &in) != 0) length = -1;
    }
    free(bytes);
    unlist(link);
}

static struct link *link_there(ibidem_node *node, const uint8_t peer[ID]) {
    pthread_mutex_lock(&node->lock);
    struct link *link = node->links;
    while (link && memcmp(link->peer, peer, ID) != 0) link = link->next;
    if (link) link->users++;
    pthread_mutex_unlock(&node->lock);
    return link;
}

static int find(ibidem_node *node, const uint8_t peer[ID], struct contact *contact, int64_t end) {
    uint8_t room[64], *answer;
    size_t length;
    struct out out = {.bytes = room, .size = sizeof room};
    struct member member;
    int32_t call = next_number(node);
    encode_lookup(&out, call, peer);
    int rc = ask_and_wait(node, &node->hub, call, &out, end, &answer, &length);
    if (rc < 0) return rc;
    struct in in = {answer + 5, length < 5 ? 0 : length - 5, 0};
    unsigned found = get_u8(&in);
    if (found == 1) get_member(&in, &member);
    if (found == 1 || found == 2) get_contact(&in, contact);
    rc = (found == 1 || found == 2) && is_whole(&in) ? 0 : fail_with(IBIDEM_UNREACHABLE, "that node is gone");
    free(answer);
    return rc;
}

int connect_to(ibidem_node *node, const uint8_t peer[ID], struct hello *hello, int64_t end) {
    struct contact contact;
    int rc = find(node, peer, &contact, end);
    if (rc < 0) return rc;
    memcpy(hello->pool, node->pool, sizeof hello->pool);
    rc = fail_with(IBIDEM_UNREACHABLE, "that node has no address: it cannot be reached directly");
    for (unsigned i = 0; i < contact.count; i++) {
        int64_t each = now_millis() + (left_until(end) + 1) / (int) (contact.count - i);
        uint8_t who[ID];
        memcpy(who, peer, ID);
        int fd = dial_address(contact.addresses + i, each);
        rc = fd < 0 ? fd : shake_hands(fd, &node->self, hello, who, end);
        if (rc == 0) return fd;
        if (fd >= 0) close(fd);
    }
    return rc;
}

int link_to(ibidem_node *node, const uint8_t peer[ID], int64_t end, struct link **link) {
    struct hello hello = {.purpose = SERVICE};
    *link = link_there(node, peer);
    if (*link) return 0;
    int fd = connect_to(node, peer, &hello, end);
    if (fd < 0) return fd;
    struct link *made = link_made(node, fd, peer);
    if (!made) {
        close(fd);
        return fail_with(IBIDEM_INVALID, "no memory");
    }
    made->users++;
    int rc = start_thread(node, serve_link, made);
    if (rc < 0) {
        unlist(made);
        let_go(made);
        return rc;
    }
    *link = made;
    return 0;
}

int send_request(struct link *link, enum service kind, const struct out *body, int64_t end, uint8_t **answer, size_t *length) {
    uint8_t room[SMALL + 4096];
    struct out out = {.bytes = room, .size = sizeof room};
    int32_t number = next_number(link->node);
    put_u8(&out, REQUEST);
    put_i32(&out, number);
    put_u8(&out, kind);
    put_bytes(&out, body->bytes, body->length);
    return ask_and_wait(link->node, &link->line, number, &out, end, answer, length);
}

int send_note(ibidem_node *node, const uint8_t peer[ID], enum service kind, const struct out *body) {
    uint8_t room[512];
    struct out out = {.bytes = room, .size = sizeof room};
    struct link *link = link_there(node, peer);
    if (!link) return fail_with(IBIDEM_LOST, "there is no service link any more");
    put_u8(&out, NOTE);
    put_i32(&out, 0);
    put_u8(&out, kind);
    put_bytes(&out, body->bytes, body->length);
    int rc = line_send(&link->line, MESSAGE, room, out.length);
    let_go(link);
    return rc;
}

// ---- who connects ----

static int judged(void *whom, const struct hello *hello, struct reply *reply) {
    static const uint8_t anybody[ID];
    ibidem_node *node = whom;
    uint8_t id[ID];
    id_of(hello->key, id);
    int status = strcmp(hello->pool, node->pool) != 0 ? POOL
                 : memcmp(hello->wanted, anybody, ID) != 0 && memcmp(hello->wanted, node->self.id, ID) != 0 ? WRONG_NODE
                 : memcmp(id, node->self.id, ID) == 0 ? SELF
                 : hello->purpose == SERVICE || hello->purpose == TRIAL ? 0
                 : hello->purpose != DATA ? PURPOSE
                 : strcmp(hello->stack, "tcp") != 0 ? STACK
                 : -1;
    if (status < 0) {
        pthread_mutex_lock(&node->lock);
        status = port_awaits(node, id, hello->token) ? 0 : TOKEN;
        pthread_mutex_unlock(&node->lock);
    }
    if (status) snprintf(reply->reason, sizeof reply->reason, "this node, of the library of C, does not expect that");
    return status;
}

static void serve_connection(ibidem_node *node, void *given) {
    int fd = (int) (intptr_t) given;
    struct hello hello;
    uint8_t id[ID];
    char byte;
    if (shake_hands_back(fd, &node->self, &hello, judged, node) == 0) {
        id_of(hello.key, id);
        if (hello.purpose == SERVICE) {
            struct link *link = link_made(node, fd, id);
            if (link) {
                serve_link(node, link);
                return;
            }
        } else if (hello.purpose == DATA) {
            pthread_mutex_lock(&node->lock);
            int taken = port_connected(node, id, hello.token, fd);
            pthread_mutex_unlock(&node->lock);
            if (taken) return;
        } else {
            receive_all(fd, &byte, 1, now_millis() + HANDSHAKE_MILLIS); // it was tried, and ends
        }
    }
    close(fd);
}

void serve_listener(ibidem_node *node, void *none) {
    (void) none;
    for (;;) {
        int fd = accept4(node->listener, NULL, NULL, SOCK_CLOEXEC);
        pthread_mutex_lock(&node->lock);
        int closing = node->closing;
        pthread_mutex_unlock(&node->lock);
        if (fd >= 0 && (closing || start_thread(node, serve_connection, (void *) (intptr_t) fd) < 0)) close(fd);
        if (closing) return;
        if (fd < 0) usleep(10000); // no descriptors, mostly: there may be some later
    }
}
