// The library of C against the test vectors of docs/wire: vectors FOLDER. Prints what differs, and
// how many were tried.
#include "ibidem.h"
#include "client/wire.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 17, TEXT = 1 << 18 };

static const char *folder;
static unsigned tried, differ;

// The bytes of a vector.
static struct in vector(const char *file, const char *name) {
    static uint8_t bytes[4][ROOM];
    static unsigned turn;
    static char line[TEXT];
    char path[1024];
    uint8_t *into = bytes[turn++ % 4];
    snprintf(path, sizeof path, "%s/%s.txt", folder, file);
    FILE *lines = fopen(path, "r");
    size_t length = strlen(name), count = 0;
    while (lines && fgets(line, sizeof line, lines)) {
        if (strncmp(line, name, length) != 0 || strncmp(line + length, " = ", 3) != 0) continue;
        unsigned one;
        for (const char *at = line + length + 3; sscanf(at, "%2x", &one) == 1; at += 2) into[count++] = (uint8_t) one;
        fclose(lines);
        return (struct in) {into, count, 0};
    }
    printf("there is no vector %s in %s\n", name, path);
    exit(1);
}

static void check(const char *name, int good) {
    tried++;
    if (good) return;
    differ++;
    printf("%s differs\n", name);
}

static uint8_t room[ROOM];

static struct out fresh(void) {
    return (struct out) {.bytes = room, .size = sizeof room};
}

static void same(const char *file, const char *name, const struct out *out) {
    struct in wanted = vector(file, name);
    check(name, !out->full && out->length == wanted.left && memcmp(out->bytes, wanted.at, out->length) == 0);
}

// ---- handshake ----

static struct out as_out(struct in bytes) {
    return (struct out) {.bytes = (uint8_t *) bytes.at, .length = bytes.left};
}

static void handshakes(void) {
    static struct hello hello = {.purpose = DATA, .pool = "demo", .stack = "fragment(size=8k) > tcp", .token = "00112233445566778899aabbccddeeff"};
    static struct hello read;
    struct reply reply;
    uint8_t id[ID];
    memcpy(hello.key, vector("handshake", "initiator.key").at, KEY);
    memcpy(hello.nonce, vector("handshake", "initiator.nonce").at, NONCE);
    memcpy(hello.wanted, vector("handshake", "responder.id").at, ID);
    id_of(hello.key, id);
    check("initiator.id", memcmp(id, vector("handshake", "initiator.id").at, ID) == 0);
    struct out out = fresh();
    encode_hello(&out, &hello);
    same("handshake", "hello", &out);
    struct in in = vector("handshake", "hello");
    check("hello, read", decode_hello(in.at, in.left, &read) == 0 && read.purpose == DATA && strcmp(read.stack, hello.stack) == 0);
    in = vector("handshake", "shown.hello");
    check("shown.hello, read", decode_hello(in.at, in.left, &read) == 0 && strcmp(read.pool, "demo") == 0);
    struct out said = as_out(vector("handshake", "hello")), answer = as_out(vector("handshake", "reply"));
    check("reply, read", decode_reply(answer.bytes, answer.length, &reply) == 0 && reply.status == 0
                             && memcmp(reply.nonce, vector("handshake", "responder.nonce").at, NONCE) == 0);
    check("proof", verify_parts(hello.key, &(struct said) {BY_INITIATOR, &said, &answer, NULL}, vector("handshake", "proof").at) == 0);
    answer.length -= SIGNATURE;
    check("reply's signature", verify_parts(reply.key, &(struct said) {BY_RESPONDER, &said, &answer, NULL}, answer.bytes + answer.length) == 0);
    check("another's", verify_parts(reply.key, &(struct said) {BY_INITIATOR, &said, &answer, NULL}, answer.bytes + answer.length) != 0);
    out = fresh();
    encode_reply(&out, &reply);
    check("reply, written", out.length == answer.length && memcmp(out.bytes, answer.bytes, out.length) == 0);
    in = vector("handshake", "bootstrap.reply");
    check("bootstrap.reply", decode_reply(in.at, in.left, &reply) == 0 && reply.status == POOL && strstr(reply.reason, "there is no pool"));
    static const char *const BAD[] = {"bad.short", "bad.long", "bad.pool", "bad.utf8", "bad.key"};
    for (unsigned i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        in = vector("handshake", BAD[i]);
        out = fresh();
        put_bytes(&out, "IBDM\2\0\2\0", 8);
        put_u16(&out, (unsigned) in.left);
        put_bytes(&out, in.at, in.left);
        check(BAD[i], decode_hello(out.bytes, out.length, &read) != 0);
    }
}

static void job_signed(const struct job *job, const char *of) {
    char names[3][32];
    static const char *const PARTS[] = {"hello", "reply", "proof"};
    for (int i = 0; i < 3; i++) snprintf(names[i], sizeof names[i], "%s.%s", of, PARTS[i]);
    static struct hello hello;
    struct reply reply;
    struct out asked = as_out(vector("handshake", names[0])), answer = as_out(vector("handshake", names[1]));
    check(names[0], decode_hello(asked.bytes, asked.length, &hello) == 0);
    check(names[1], decode_reply(answer.bytes, answer.length, &reply) == 0 && reply.status == 0);
    struct said with = {BY_INITIATOR, &asked, &answer, job};
    check(names[2], verify_parts(hello.key, &with, vector("handshake", names[2]).at) == 0);
    with.what = BY_RESPONDER;
    answer.length -= SIGNATURE;
    check(names[1], verify_parts(reply.key, &with, answer.bytes + answer.length) == 0);
}

static void job_keys(void) {
    struct job job = {.name = ""};
    struct in name = vector("handshake", "job.name");
    memcpy(job.secret, vector("handshake", "job.key").at, sizeof job.secret);
    job_named(&job);
    check("job.name", name.left == 32 && memcmp(job.name, name.at, 32) == 0);
    static struct hello hello;
    struct in said = vector("handshake", "job.hello");
    check("job.hello", decode_hello(said.at, said.left, &hello) == 0 && hello.purpose == BOOTSTRAP && strcmp(hello.token, job.name) == 0);
    struct out asked = as_out(said), answer = as_out(vector("handshake", "job.reply")), out = fresh();
    encode_hello(&out, &hello);
    check("job.hello, written", out.length == asked.length && memcmp(out.bytes, asked.bytes, out.length) == 0);
    job_signed(&job, "job");
    job_signed(&job, "job.peer");
    struct reply reply;
    struct said with = {BY_RESPONDER, &asked, &answer, &job};
    decode_reply(answer.bytes, answer.length, &reply);
    answer.length -= SIGNATURE;
    job.secret[0] ^= 1;
    check("another job's", verify_parts(reply.key, &with, answer.bytes + answer.length) != 0);
}

static void signatures(void) {
    struct identity self;
    uint8_t signature[SIGNATURE];
    struct out hello = {.bytes = (uint8_t *) "hello", .length = 5}, reply = {.bytes = (uint8_t *) "reply", .length = 5};
    check("a key", identity_make(&self) == 0 && sign_parts(&self, &(struct said) {BY_INITIATOR, &hello, &reply, NULL}, signature) == 0);
    check("its signature", verify_parts(self.public_key, &(struct said) {BY_INITIATOR, &hello, &reply, NULL}, signature) == 0);
    signature[40] ^= 1;
    check("a wrong one", verify_parts(self.public_key, &(struct said) {BY_INITIATOR, &hello, &reply, NULL}, signature) != 0);
    identity_free(&self);
}

// ---- registry ----

static unsigned here, gone;

static void told(void *whom, const struct member *member, int there) {
    (void) whom;
    here += there && member->rank == 3;
    gone += !there && member->rank == 3;
}

static void registry(void) {
    struct contact contact;
    struct member member;
    int more = 2;
    int64_t upto = 0;
    struct in in = vector("registry", "found");
    get_bytes(&in, 6);
    get_member(&in, &member);
    get_contact(&in, &contact);
    check("found", is_whole(&in) && member.rank == 3 && contact.has_tcp && contact.count == 0);
    in = vector("registry", "attach");
    get_bytes(&in, 3);
    get_contact(&in, &contact);
    check("attach's contact", !in.bad && contact.count == 2 && contact.addresses[0].port == 40000 && contact.addresses[1].length == 16);
    struct out out = fresh();
    encode_lookup(&out, 5, contact.id);
    same("registry", "lookup", &out);
    in = vector("registry", "snapshot");
    get_bytes(&in, 1);
    check("snapshot", decode_snapshot(&in, NULL, told, &more) == 0 && more == 1 && here == 1);
    in = vector("registry", "snapshot, last part");
    get_bytes(&in, 1);
    check("snapshot, last part", decode_snapshot(&in, NULL, told, &more) == 0 && more == 0 && here == 1);
    in = vector("registry", "events");
    get_bytes(&in, 1);
    check("events", decode_events(&in, NULL, told, &upto) == 0 && upto == 25 && here == 2 && gone == 2);
    // What the library says beside that is what Java reads: the vector, with its own contact.
    struct attach attach = {.location = "n1@left", .size = 4, .rank = -1, .membership = 1};
    attach.contact = contact;
    out = fresh();
    encode_attach(&out, &attach);
    in = vector("registry", "attach");
    const char *tail = "n1@left";
    size_t behind = 0;
    for (size_t i = 0; i + 7 <= in.left; i++) behind = memcmp(in.at + i, tail, 7) == 0 ? i : behind;
    size_t rest = in.left - behind - (8 + 2 + 2); // join, from and to are another's
    check("attach", out.length > rest && memcmp(out.bytes + out.length - 12 - rest, in.at + behind, rest) == 0);
}

// ---- channels ----

static void channels(void) {
    static struct open open;
    static struct opened opened;
    static const char *const BAD[] = {"bad.open.key", "bad.open.case", "bad.open.fresh", "bad.open.end", "bad.open.kind", "bad.open.order", "bad.open.frame"};
    static const char *const BAD_ANSWERS[] = {"bad.opened.accepted", "bad.opened.short", "bad.opened.order"};
    static const char *const OPENS[] = {"open", "open.fresh"};
    for (unsigned i = 0; i < 2; i++) {
        struct in in = vector("channels", OPENS[i]);
        check(OPENS[i], decode_open(&in, &open) == 0 && open.fresh == (int) i && open.order == (int) i);
        struct out out = fresh();
        encode_open(&out, &open);
        same("channels", OPENS[i], &out);
    }
    for (unsigned i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct in in = vector("channels", BAD[i]);
        check(BAD[i], decode_open(&in, &open) != 0);
    }
    static const char *const ANSWERS[] = {"opened.no", "opened.yes"};
    for (unsigned i = 0; i < 2; i++) {
        struct in in = vector("channels", ANSWERS[i]);
        check(ANSWERS[i], decode_opened(&in, &opened) == 0 && opened.yes == (int) i);
        struct out out = fresh();
        encode_opened(&out, &opened);
        same("channels", ANSWERS[i], &out);
    }
    for (unsigned i = 0; i < sizeof BAD_ANSWERS / sizeof *BAD_ANSWERS; i++) {
        struct in in = vector("channels", BAD_ANSWERS[i]);
        check(BAD_ANSWERS[i], decode_opened(&in, &opened) != 0);
    }
}

// ---- ports ----

static struct out frames;

static int keep(void *whom, const uint8_t *frame, size_t length, int flags) {
    (void) whom;
    (void) flags;
    put_bytes(&frames, frame, length);
    return 0;
}

static int frame_of(const char *name, struct reader *reader) {
    static uint8_t copy[ROOM];
    struct in in = vector("ports", name);
    memcpy(copy, in.at, in.left);
    *reader = (struct reader) {0};
    reader_begin(reader, copy, in.left, 0);
    return 0;
}

static void requests(void) {
    static struct port_request asked;
    static const char *const GOOD[] = {"request", "request.data"};
    static const char *const BAD[] = {"bad.connections", "bad.capability", "bad.data", "bad.end", "bad.short", "bad.type"};
    for (unsigned i = 0; i < 2; i++) {
        struct in in = vector("ports", GOOD[i]);
        check(GOOD[i], decode_port_request(&in, &asked) == 0 && strcmp(asked.receive, "rows") == 0);
        struct out out = fresh();
        encode_port_request(&out, &asked);
        same("ports", GOOD[i], &out);
    }
    for (unsigned i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct in in = vector("ports", BAD[i]);
        check(BAD[i], decode_port_request(&in, &asked) != 0);
    }
}

static void primitives(const char *name) {
    struct reader r;
    uint8_t booleans[2];
    int8_t byte;
    int16_t small;
    uint16_t letter;
    int32_t number;
    int64_t large;
    float half;
    double quarter;
    frame_of(name, &r);
    int good = read_values(&r, IBIDEM_BOOLEAN, booleans, 1) == 0 && read_values(&r, IBIDEM_BYTE, &byte, 1) == 0;
    if (!good) { // true and false stand before the byte
        frame_of(name, &r);
        good = read_values(&r, IBIDEM_BOOLEAN, booleans, 2) == 0 && read_values(&r, IBIDEM_BYTE, &byte, 1) == 0;
    }
    good = good && read_values(&r, IBIDEM_SHORT, &small, 1) == 0 && read_values(&r, IBIDEM_CHAR, &letter, 1) == 0
           && read_values(&r, IBIDEM_INT, &number, 1) == 0 && read_values(&r, IBIDEM_LONG, &large, 1) == 0
           && read_values(&r, IBIDEM_FLOAT, &half, 1) == 0 && read_values(&r, IBIDEM_DOUBLE, &quarter, 1) == 0;
    check(name, good && byte == -2 && small == -3 && letter == 0x20ac && number == -4 && large == -5 && half == 1.5f
                    && quarter == -2.25 && read_values(&r, IBIDEM_INT, &number, 1) == IBIDEM_MISMATCH);
}

static void numbers(const char *name, int count) {
    struct reader r;
    int32_t ints[8];
    int64_t large = 4;
    frame_of(name, &r);
    int good = read_values(&r, IBIDEM_INT, ints, (size_t) count) == 0;
    for (int i = 0; i < count; i++) good = good && ints[i] == i + 1;
    if (count == 3) good = good && read_values(&r, IBIDEM_LONG, &large, 1) == 0;
    check(name, good && large == 4 && read_values(&r, IBIDEM_INT, ints, 1) < 0);
}

static void written(void) {
    static uint8_t frame[64];
    struct writer w = {.frame = frame, .size = sizeof frame, .flush = keep};
    const int32_t ints[] = {1, 2, 3};
    const int64_t four = 4;
    frames = fresh();
    write_values(&w, IBIDEM_INT, ints, 3);
    write_values(&w, IBIDEM_LONG, &four, 1);
    keep(NULL, frame, w.at, LAST);
    same("ports", "runs", &frames);
    const int8_t bytes[] = {1, 2};
    const int16_t shorts[] = {1, -1};
    const uint16_t chars[] = {'a', 'b'};
    const int32_t two[] = {1, -1};
    const int64_t longs[] = {1, -1};
    const float floats[] = {1, -1};
    const double doubles[] = {1, -1};
    const uint8_t booleans[] = {1, 0};
    static uint8_t wide[1024];
    w = (struct writer) {.frame = wide, .size = sizeof wide, .flush = keep};
    frames = fresh();
    write_array(&w, IBIDEM_BYTE, bytes, 2);
    write_array(&w, IBIDEM_SHORT, shorts, 2);
    write_array(&w, IBIDEM_CHAR, chars, 2);
    write_array(&w, IBIDEM_INT, two, 2);
    write_array(&w, IBIDEM_LONG, longs, 2);
    write_array(&w, IBIDEM_FLOAT, floats, 2);
    write_array(&w, IBIDEM_DOUBLE, doubles, 2);
    write_array(&w, IBIDEM_BOOLEAN, booleans, 2);
    keep(NULL, wide, w.at, LAST);
    same("ports", "arrays", &frames);
    w.at = 0;
    frames = fresh();
    write_array(&w, STRING, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10);
    write_array(&w, STRING, "", 0);
    keep(NULL, wide, w.at, LAST);
    same("ports", "strings", &frames);
    // Three ints in frames that take two: runs of 2 and 1.
    w = (struct writer) {.frame = wide, .size = 20, .flush = keep};
    frames = fresh();
    write_array(&w, IBIDEM_INT, ints, 3);
    keep(NULL, wide, w.at, LAST);
    same("ports", "parts", &frames);
}

static void read_back(void) {
    struct reader r;
    int32_t ints[3];
    double doubles[2];
    char text[16];
    frame_of("parts", &r);
    check("parts, read", read_length(&r, IBIDEM_INT) == 3 && read_array(&r, IBIDEM_INT, ints, 3) == 0 && ints[2] == 3);
    frame_of("strings", &r);
    check("strings, read", read_length(&r, STRING) == 10 && read_array(&r, STRING, text, 10) == 0 && read_length(&r, STRING) == 0);
    frame_of("none", &r);
    check("none", read_length(&r, STRING) == -1 && read_values(&r, IBIDEM_INT, ints, 1) == 0 && ints[0] == 1);
    frame_of("arrays", &r);
    check("another kind", read_array(&r, IBIDEM_DOUBLE, doubles, 2) == IBIDEM_MISMATCH);
}

// ---- what peers may send ----

static int another_frame(void *whom, struct reader *reader) {
    (void) whom;
    reader->more = 0;
    return 0;
}

static void read_all(const uint8_t *bytes, size_t length) {
    static uint8_t values[ROOM];
    struct reader r = {.next = another_frame};
    reader_begin(&r, bytes, length, 1);
    for (int i = 0; i < 20; i++) {
        int kind = rand() % 8;
        int64_t elements = rand() % 2 ? read_length(&r, kind) : read_length(&r, STRING);
        if (elements >= 0 && elements < ROOM / 8) read_array(&r, r.kind, values, (size_t) elements);
        read_values(&r, kind, values, (size_t) (rand() % 4));
    }
}

// Altered and cut bytes of the vectors, in a room of their own length: whoever reads beyond it is
// seen by the compiler's watchers.
static void altered(void) {
    static const char *const FROM[][2] = {
        {"handshake", "hello"}, {"handshake", "reply"}, {"registry", "snapshot"}, {"registry", "events"}, {"registry", "found"},
        {"channels", "open"}, {"channels", "opened.yes"}, {"channels", "opened.no"}, {"ports", "request"}, {"ports", "primitives"},
        {"ports", "arrays"}, {"ports", "strings"}, {"ports", "parts"}, {"ports", "primitives.runs"}};
    static struct hello hello;
    static struct reply reply;
    static struct open open;
    static struct opened opened;
    static struct port_request asked;
    struct contact contact;
    int more;
    int64_t upto;
    srand(35);
    for (unsigned i = 0; i < sizeof FROM / sizeof *FROM; i++) {
        struct in whole = vector(FROM[i][0], FROM[i][1]);
        for (int turn = 0; turn < 2000; turn++) {
            size_t length = rand() % 3 ? whole.left : (size_t) rand() % (whole.left + 1);
            uint8_t *bytes = malloc(length ? length : 1);
            memcpy(bytes, whole.at, length);
            for (int k = rand() % 4; k && length; k--) bytes[(size_t) rand() % length] = (uint8_t) rand();
            decode_hello(bytes, length, &hello);
            decode_reply(bytes, length, &reply);
            decode_snapshot(&(struct in) {bytes, length, 0}, NULL, told, &more);
            decode_events(&(struct in) {bytes, length, 0}, NULL, told, &upto);
            get_contact(&(struct in) {bytes, length, 0}, &contact);
            decode_open(&(struct in) {bytes, length, 0}, &open);
            decode_opened(&(struct in) {bytes, length, 0}, &opened);
            decode_port_request(&(struct in) {bytes, length, 0}, &asked);
            read_all(bytes, length);
            free(bytes);
        }
    }
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    folder = arguments[1];
    handshakes();
    job_keys();
    signatures();
    registry();
    channels();
    requests();
    primitives("primitives");
    primitives("primitives.runs");
    numbers("row", 3);
    numbers("runs", 3);
    numbers("parted", 3);
    numbers("alike", 8);
    written();
    read_back();
    altered();
    printf("%u tried, %u differ\n", tried, differ);
    return differ ? 1 : 0;
}
