// Messages of docs/wire/registry.md, channels.md and ports.md.
#include "wire.h"
#include <string.h>

// ---- registry ----

static void put_contact(struct out *out, const struct contact *contact) {
    put_bytes(out, contact->id, ID);
    put_u16(out, contact->count);
    for (unsigned i = 0; i < contact->count; i++) {
        const struct address *one = contact->addresses + i;
        put_u8(out, one->length);
        put_bytes(out, one->bytes, one->length);
        put_u16(out, one->port);
    }
    put_u16(out, 1);
    put_text(out, "tcp");
    put_text(out, "");
}

void get_contact(struct in *in, struct contact *contact) {
    char driver[65];
    memset(contact, 0, sizeof *contact);
    memcpy(contact->id, get_bytes(in, ID), ID);
    contact->count = get_u16(in);
    if (contact->count > 32) in->bad = 1;
    for (unsigned i = 0; !in->bad && i < contact->count; i++) {
        struct address *one = contact->addresses + i;
        one->length = (uint8_t) get_u8(in);
        if (one->length != 4 && one->length != 16) in->bad = 1;
        if (!in->bad) memcpy(one->bytes, get_bytes(in, one->length), one->length);
        one->port = (uint16_t) get_u16(in);
    }
    unsigned places = get_u16(in);
    if (places > 32) in->bad = 1;
    for (unsigned i = 0; !in->bad && i < places; i++) {
        get_text(in, driver, 64);
        skip_text(in, 512);
        contact->has_tcp |= strcmp(driver, "tcp") == 0;
    }
    if (in->bad) contact->count = 0;
}

void encode_attach(struct out *out, const struct attach *attach) {
    put_u8(out, 1);
    put_u16(out, 3); // the version
    put_contact(out, &attach->contact);
    put_text(out, attach->location);
    put_text(out, ""); // tag
    put_i32(out, attach->size);
    put_i32(out, attach->rank);
    put_u8(out, (unsigned) attach->membership);
    put_i64(out, 0); // a newcomer: no epoch, nothing known, not closed, not terminated, not recalled
    put_i64(out, 0);
    put_text(out, "");
    put_u8(out, 0);
    put_u8(out, 0);
    put_i64(out, attach->join);
    put_text(out, ""); // the connection's ends are not said
    put_text(out, "");
}

void encode_lookup(struct out *out, int32_t call, const uint8_t id[ID]) {
    put_u8(out, 4);
    put_i32(out, call);
    put_bytes(out, id, ID);
}

void encode_described(struct out *out, const char *location) {
    put_u8(out, 8);
    put_text(out, location);
    put_u16(out, 0); // no interfaces are said, and
    put_u8(out, 0);  // no NAT is known
    put_text(out, "");
    put_text(out, "");
    put_u16(out, 0);
}

void get_member(struct in *in, struct member *member) {
    memcpy(member->id, get_bytes(in, ID), ID);
    member->rank = get_i32(in);
    skip_text(in, 2048);
    skip_text(in, 256);
}

static void skip_election(struct in *in) {
    struct member winner;
    skip_text(in, 256);
    get_member(in, &winner);
    get_i64(in);
}

// How many elements a list has.
static unsigned count(struct in *in) {
    unsigned many = get_u16(in);
    if (many > 4096) in->bad = 1;
    return in->bad ? 0 : many;
}

int decode_snapshot(struct in *in, void *whom, change_told *told, int *more) {
    struct member one;
    get_i64(in);
    *more = (int) get_u8(in);
    skip_text(in, 256);
    if (get_u8(in)) get_member(in, &one); // by whom it was terminated
    get_bytes(in, 2);
    for (unsigned i = count(in); i && !in->bad; i--) {
        get_member(in, &one);
        get_u8(in);
        if (!in->bad) told(whom, &one, 1);
    }
    for (unsigned i = count(in); i && !in->bad; i--) skip_election(in);
    for (unsigned i = count(in); i && !in->bad; i--) {
        get_bytes(in, ID);
        skip_text(in, 256);
    }
    return is_whole(in) ? 0 : -1;
}

static void get_change(struct in *in, void *whom, change_told *told) {
    struct member one;
    unsigned kind = get_u8(in);
    switch (kind) {
        case 1: // joined
        case 2: // left
        case 3: // died
            get_member(in, &one);
            if (kind == 3) skip_text(in, 256);
            if (!in->bad) told(whom, &one, kind == 1);
            break;
        case 4: // suspected
        case 10: // a signal
            get_member(in, &one);
            skip_text(in, kind == 4 ? 256 : 1024);
            break;
        case 5: // restored
        case 9: // terminated by
            get_member(in, &one);
            break;
        case 6: // closed
            skip_text(in, 256);
            break;
        case 7: skip_election(in); break;
        case 8: // vacated
            skip_text(in, 256);
            get_i64(in);
            break;
        default: in->bad = 1;
    }
}

int decode_events(struct in *in, void *whom, change_told *told, int64_t *upto) {
    get_i64(in);
    *upto = get_i64(in);
    for (unsigned i = count(in); i && !in->bad; i--) get_change(in, whom, told);
    return is_whole(in) ? 0 : -1;
}

// ---- channels ----

static void get_link_key(struct in *in, char key[LINK_KEY + 1]) {
    get_text(in, key, LINK_KEY);
    if (strspn(key, "0123456789abcdef") != LINK_KEY) in->bad = 1;
}

static unsigned get_flag(struct in *in) {
    unsigned flag = get_u8(in);
    if (flag > 1) in->bad = 1;
    return flag;
}

void encode_open(struct out *out, const struct open *open) {
    put_text(out, open->kind);
    put_text(out, open->key);
    put_u8(out, (unsigned) open->fresh);
    put_text(out, open->stack);
    put_text(out, open->versions);
    put_u8(out, (unsigned) open->order);
    put_i32(out, open->frame);
    put_u16(out, (unsigned) open->request_length);
    put_bytes(out, open->request, open->request_length);
}

int decode_open(struct in *in, struct open *open) {
    get_text(in, open->kind, 16);
    get_link_key(in, open->key);
    open->fresh = (int) get_flag(in);
    get_text(in, open->stack, 1024);
    get_text(in, open->versions, 1024);
    open->order = (int) get_flag(in);
    open->frame = get_i32(in);
    if (open->frame < 64) in->bad = 1;
    open->request_length = get_u16(in);
    if (open->request_length > 8192) in->bad = 1;
    open->request = get_bytes(in, in->bad ? 0 : open->request_length);
    return is_whole(in) ? 0 : -1;
}

void encode_opened(struct out *out, const struct opened *opened) {
    put_u8(out, (unsigned) opened->yes);
    if (opened->yes) {
        put_text(out, opened->key);
        put_i32(out, opened->number);
        put_u8(out, (unsigned) opened->order);
        put_i32(out, opened->frame);
    } else {
        put_i32(out, opened->code);
        put_i64(out, opened->state);
        put_text(out, opened->why);
    }
}

int decode_opened(struct in *in, struct opened *opened) {
    memset(opened, 0, sizeof *opened);
    opened->yes = (int) get_flag(in);
    if (opened->yes) {
        get_link_key(in, opened->key);
        opened->number = get_i32(in);
        opened->order = (int) get_flag(in);
        opened->frame = get_i32(in);
        if (opened->frame < 64) in->bad = 1;
    } else {
        opened->code = get_i32(in);
        opened->state = get_i64(in);
        get_text(in, opened->why, LONGEST_WHY);
    }
    return is_whole(in) ? 0 : -1;
}

// ---- ports ----

void encode_port_request(struct out *out, const struct port_request *request) {
    put_text(out, request->receive);
    put_text(out, request->send);
    put_i64(out, request->number);
    put_text(out, request->name);
    put_u8(out, (unsigned) request->connections);
    put_i32(out, request->capabilities);
    put_u8(out, (unsigned) request->data);
    put_text(out, request->serializer);
    put_text(out, request->stack);
}

int decode_port_request(struct in *in, struct port_request *request) {
    get_text(in, request->receive, 255);
    get_text(in, request->send, 255);
    request->number = get_i64(in);
    get_text(in, request->name, 255);
    request->connections = (int) get_u8(in);
    request->capabilities = get_i32(in);
    request->data = (int) get_u8(in);
    get_text(in, request->serializer, 1024);
    get_text(in, request->stack, 1024);
    int32_t all = request->capabilities;
    if (!*request->receive || !*request->send || request->connections > 3 || request->data > 2 || all & ~0xfff
        || (all & 6 && !(all & 1)) || (all & 0x80 && !(all & 0x40)) || (request->data != 2 && *request->serializer)) {
        in->bad = 1;
    }
    return is_whole(in) ? 0 : -1;
}
