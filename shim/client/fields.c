// Fields of messages: docs/wire/control.md; handshakes: docs/wire/handshake.md.
#include "wire.h"
#include "../ibidem.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char why[LONGEST_WHY + 1];

const char *ibidem_why(void) {
    return why;
}

int fail_with(int error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return error;
}

int ibidem_version(void) {
    return IBIDEM_VERSION;
}

// ---- structures that grow ----

// The size of a caller's structure, whose field for that lies `at` there; with a zero it is one of the
// first version.
static int size_of(const void *structure, size_t at, const char *name, size_t *size) {
    size_t first = at + sizeof *size;
    if (!structure) return fail_with(IBIDEM_INVALID, "there is no struct %s", name);
    memcpy(size, (const uint8_t *) structure + at, sizeof *size);
    if (*size == 0) *size = first;
    return *size >= first ? 0 : fail_with(IBIDEM_INVALID, "the struct_size of struct %s is %zu: put sizeof there", name, *size);
}

int take_struct(const void *given, void *own, size_t size, size_t at, const char *name) {
    size_t theirs = 0;
    int rc = size_of(given, at, name, &theirs);
    if (rc < 0) return rc;
    for (size_t i = size; i < theirs; i++) {
        if (!((const uint8_t *) given)[i]) continue;
        return fail_with(IBIDEM_INVALID, "struct %s asks for what version %d of the library does not know", name, IBIDEM_VERSION);
    }
    memset(own, 0, size);
    memcpy(own, given, theirs < size ? theirs : size);
    return 0;
}

int give_struct(void *own, void *to, size_t size, size_t at, const char *name) {
    size_t theirs = 0;
    int rc = size_of(to, at, name, &theirs);
    if (rc < 0) return rc;
    memcpy((uint8_t *) own + at, (uint8_t *) to + at, sizeof theirs); // stays the caller's
    memset(to, 0, theirs);
    memcpy(to, own, theirs < size ? theirs : size);
    return 0;
}

void put_bytes(struct out *out, const void *bytes, size_t count) {
    if (out->full || out->size - out->length < count) {
        out->full = 1;
        return;
    }
    if (count) memcpy(out->bytes + out->length, bytes, count);
    out->length += count;
}

static void put_number(struct out *out, uint64_t value, int bytes) {
    uint8_t little[8];
    for (int i = 0; i < bytes; i++) little[i] = (uint8_t) (value >> (8 * i));
    put_bytes(out, little, (size_t) bytes);
}

void put_u8(struct out *out, unsigned value) {
    put_number(out, value, 1);
}

void put_u16(struct out *out, unsigned value) {
    put_number(out, value, 2);
}

void put_i32(struct out *out, int32_t value) {
    put_number(out, (uint32_t) value, 4);
}

void put_i64(struct out *out, int64_t value) {
    put_number(out, (uint64_t) value, 8);
}

void put_text(struct out *out, const char *text) {
    put_u16(out, (unsigned) strlen(text));
    put_bytes(out, text, strlen(text));
}

const uint8_t *get_bytes(struct in *in, size_t count) {
    static const uint8_t none[ID + KEY];
    if (in->bad || in->left < count) {
        in->bad = 1;
        return none; // as long as anything of a fixed length
    }
    const uint8_t *at = in->at;
    in->at += count;
    in->left -= count;
    return at;
}

static uint64_t get_number(struct in *in, int bytes) {
    const uint8_t *at = get_bytes(in, (size_t) bytes);
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t) at[i] << (8 * i);
    return value;
}

unsigned get_u8(struct in *in) {
    return (unsigned) get_number(in, 1);
}

unsigned get_u16(struct in *in) {
    return (unsigned) get_number(in, 2);
}

int32_t get_i32(struct in *in) {
    return (int32_t) (uint32_t) get_number(in, 4);
}

int64_t get_i64(struct in *in) {
    return (int64_t) get_number(in, 8);
}

// RFC 3629. What is text for us ends at a zero, so there is none in it.
static int is_text(const uint8_t *at, size_t length) {
    for (size_t i = 0; i < length;) {
        unsigned first = at[i++], more = first < 0x80 ? 0 : first < 0xc2 ? 4 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 4;
        if (first == 0 || more == 4 || length - i < more) return 0;
        unsigned second = more ? at[i] : 0x80;
        if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90)
            || (first == 0xf4 && second > 0x8f)) return 0;
        for (; more; more--) {
            if ((at[i++] & 0xc0) != 0x80) return 0;
        }
    }
    return 1;
}

void get_text(struct in *in, char *text, size_t longest) {
    size_t length = get_u16(in);
    if (length > longest) in->bad = 1;
    const uint8_t *at = get_bytes(in, in->bad ? 0 : length);
    if (in->bad) length = 0;
    if (!is_text(at, length)) in->bad = 1;
    memcpy(text, at, length);
    text[length] = 0;
}

void skip_text(struct in *in, size_t longest) {
    size_t length = get_u16(in);
    if (length > longest) in->bad = 1;
    else get_bytes(in, length);
}

int is_whole(const struct in *in) {
    return !in->bad && in->left == 0;
}

int byte_order(void) {
    const uint16_t one = 1;
    return *(const uint8_t *) &one ? 0 : 1;
}

// ---- handshakes ----

static const uint8_t PREFIX[] = {'I', 'B', 'D', 'M', 2, 0, 2, 0};
static const uint8_t KEY_HEAD[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
                                   0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
                                   0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};

// The length of the body stands behind the prefix, and is known when the body is.
static void set_length(struct out *out, size_t more) {
    size_t body = out->length - 10 + more;
    out->bytes[8] = (uint8_t) body;
    out->bytes[9] = (uint8_t) (body >> 8);
}

void encode_hello(struct out *out, const struct hello *hello) {
    put_bytes(out, PREFIX, sizeof PREFIX);
    put_u16(out, 0);
    put_u8(out, (unsigned) hello->purpose);
    put_bytes(out, hello->key, KEY);
    put_bytes(out, hello->nonce, NONCE);
    put_bytes(out, hello->wanted, ID);
    put_text(out, hello->pool);
    put_text(out, hello->stack);
    put_text(out, hello->token);
    put_i32(out, 0); // nothing is shown: two lengths
    if (!out->full) set_length(out, 0);
}

static void get_key(struct in *in, uint8_t key[KEY]) {
    memcpy(key, get_bytes(in, KEY), KEY);
    if (memcmp(key, KEY_HEAD, sizeof KEY_HEAD) != 0) in->bad = 1;
}

static struct in body(const uint8_t *bytes, size_t length) {
    struct in in = {bytes, length, 0};
    const uint8_t *prefix = get_bytes(&in, 8);
    unsigned lowest = prefix[4] | (unsigned) prefix[5] << 8, highest = prefix[6] | (unsigned) prefix[7] << 8;
    if (memcmp(prefix, PREFIX, 4) != 0 || lowest > 2 || highest < 2) in.bad = 1;
    if (get_u16(&in) != in.left) in.bad = 1;
    return in;
}

int decode_hello(const uint8_t *bytes, size_t length, struct hello *hello) {
    struct in in = body(bytes, length);
    hello->purpose = (int) get_u8(&in);
    get_key(&in, hello->key);
    memcpy(hello->nonce, get_bytes(&in, NONCE), NONCE);
    memcpy(hello->wanted, get_bytes(&in, ID), ID);
    get_text(&in, hello->pool, 64);
    get_text(&in, hello->stack, 1024);
    get_text(&in, hello->token, 64);
    skip_text(&in, 64);
    skip_text(&in, 4096);
    return is_whole(&in) ? 0 : -1;
}

void encode_reply(struct out *out, const struct reply *reply) {
    put_bytes(out, PREFIX, sizeof PREFIX);
    put_u16(out, 0);
    put_u8(out, (unsigned) reply->status);
    put_bytes(out, reply->key, KEY);
    put_bytes(out, reply->nonce, NONCE);
    put_text(out, reply->reason);
    put_i32(out, 0);
    if (!out->full) set_length(out, SIGNATURE);
}

int decode_reply(const uint8_t *bytes, size_t length, struct reply *reply) {
    struct in in = body(bytes, length);
    reply->status = (int) get_u8(&in);
    get_key(&in, reply->key);
    memcpy(reply->nonce, get_bytes(&in, NONCE), NONCE);
    get_text(&in, reply->reason, 256);
    skip_text(&in, 64);
    skip_text(&in, 4096);
    get_bytes(&in, SIGNATURE);
    return is_whole(&in) ? 0 : -1;
}
