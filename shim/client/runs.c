// The runs and rows of messages: docs/wire/ports.md. Every value lies in one frame.
#include "wire.h"
#include "../ibidem.h"
#include <limits.h>
#include <string.h>

#define MOST_IN_RUN 0xffffff
#define CONTINUED (1U << 29)

enum { TAG = 4, LENGTH = 8, ARRAY = 8 }; // bytes of a tag and a length; from a primitive's kind to its array's

static size_t width(int kind) {
    static const uint8_t WIDTHS[] = {1, 1, 2, 2, 4, 4, 8, 8};
    return kind == STRING ? 1 : WIDTHS[kind & 7];
}

static void put_little(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t) (value >> (8 * i));
}

static uint64_t little(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t) at[i] << (8 * i);
    return value;
}

// ---- writing ----

// Has so many bytes in the frame.
static int room(struct writer *writer, size_t bytes) {
    if (writer->size - writer->at >= bytes) return 0;
    int rc = writer->flush(writer->whom, writer->frame, writer->at, MORE);
    writer->at = 0;
    return rc;
}

// One run of as many values as the frame and a tag can take. Returns how many.
static size_t run(struct writer *writer, uint32_t tag, const int64_t *length, const uint8_t *values, size_t count, size_t each) {
    uint8_t *at = writer->frame + writer->at;
    size_t head = TAG + (length ? LENGTH : 0), fit = (writer->size - writer->at - head) / each;
    size_t now = count < fit ? count : fit;
    if (now > MOST_IN_RUN) now = MOST_IN_RUN;
    put_little(at, tag | (uint32_t) now, TAG);
    if (length) put_little(at + TAG, (uint64_t) *length, LENGTH);
    if (now) memcpy(at + head, values, now * each);
    writer->at += head + now * each;
    return now;
}

int write_values(struct writer *writer, int kind, const void *values, size_t count) {
    const uint8_t *at = values;
    size_t each = width(kind);
    while (count) {
        int rc = room(writer, TAG + each);
        if (rc < 0) return rc;
        size_t now = run(writer, (uint32_t) kind << 24, NULL, at, count, each);
        at += now * each;
        count -= now;
    }
    return 0;
}

int write_array(struct writer *writer, int kind, const void *values, size_t count) {
    uint32_t tag = (uint32_t) (kind == STRING ? STRING : kind + ARRAY) << 24;
    const uint8_t *at = values;
    size_t each = width(kind);
    int64_t length = (int64_t) count;
    int rc = room(writer, TAG + LENGTH + (count ? each : 0));
    if (rc < 0) return rc;
    size_t now = run(writer, tag, &length, at, count, each);
    while (count -= now) {
        at += now * each;
        rc = room(writer, TAG + each);
        if (rc < 0) return rc;
        now = run(writer, tag | CONTINUED, NULL, at, count, each);
    }
    return 0;
}

int write_null_string(struct writer *writer) {
    const int64_t none = -1;
    int rc = room(writer, TAG + LENGTH);
    if (rc < 0) return rc;
    run(writer, (uint32_t) STRING << 24, &none, NULL, 0, 1);
    return 0;
}

// ---- reading ----

void reader_begin(struct reader *reader, const uint8_t *frame, size_t length, int more) {
    reader->at = frame;
    reader->left = length;
    reader->more = more;
    reader->run = reader->row = 0;
}

static int ends(void) {
    return fail_with(IBIDEM_MISMATCH, "the message ends here");
}

// The next tag, in this frame or one of the next.
static int tag(struct reader *reader, uint32_t *tag) {
    while (reader->left == 0) {
        if (!reader->more) return ends();
        int rc = reader->next(reader->whom, reader);
        if (rc < 0) return rc;
    }
    if (reader->left < TAG) return fail_with(IBIDEM_MISMATCH, "a frame ends within a tag");
    *tag = (uint32_t) little(reader->at, TAG);
    return 0;
}

static const uint8_t *taken(struct reader *reader, size_t bytes) {
    const uint8_t *at = reader->at;
    reader->at += bytes;
    reader->left -= bytes;
    return at;
}

static int check_row(const struct reader *reader, uint32_t tag) {
    size_t bytes = TAG;
    uint32_t kinds = tag & MOST_IN_RUN;
    if (!kinds) return fail_with(IBIDEM_MISMATCH, "a row without a value");
    for (int shift = 20; shift >= 0; shift -= 4) {
        uint32_t one = kinds >> shift & 15;
        if (one >= 8) bytes += width((int) one - 8);
        else if (one || kinds & ((1U << shift) - 1)) return fail_with(IBIDEM_MISMATCH, "a row with a gap");
    }
    return bytes <= reader->left ? 0 : fail_with(IBIDEM_MISMATCH, "a row is longer than its frame");
}

static int another(uint32_t tag, int kind) {
    return fail_with(IBIDEM_MISMATCH, "there is something of kind %u and flags %u, not of kind %d", tag >> 24 & 31, tag >> 29, kind);
}

// Begins the next run or row of primitives.
static int primitives(struct reader *reader, int kind) {
    uint32_t next;
    int rc = tag(reader, &next);
    if (rc < 0) return rc;
    if (next >> 24 == ROW) {
        if ((rc = check_row(reader, next)) < 0) return rc;
        if ((next >> 20 & 7) != (uint32_t) kind) return another(8 + (next >> 20 & 7), kind);
        reader->row = next << 8; // the first value's bits are the highest
    } else {
        if (next >> 24 != (uint32_t) kind) return another(next, kind);
        uint32_t run = next & MOST_IN_RUN;
        if ((reader->left - TAG) / width(kind) < run) return fail_with(IBIDEM_MISMATCH, "a run is longer than its frame");
        reader->run = run;
        reader->kind = kind;
    }
    taken(reader, TAG);
    return 0;
}

int read_values(struct reader *reader, int kind, void *values, size_t count) {
    uint8_t *at = values;
    size_t each = width(kind);
    while (count) {
        if (reader->begun) return fail_with(IBIDEM_INVALID, "an array is not read to its end");
        if (reader->row) {
            if ((reader->row >> 28) - 8 != (uint32_t) kind) return another((reader->row >> 28) - 8, kind);
            memcpy(at, taken(reader, each), each);
            reader->row <<= 4;
            at += each;
            count--;
        } else if (reader->run) {
            if (reader->kind != kind) return another((uint32_t) reader->kind << 24, kind);
            size_t now = count < reader->run ? count : reader->run;
            memcpy(at, taken(reader, now * each), now * each);
            reader->run -= (uint32_t) now;
            at += now * each;
            count -= now;
        } else {
            int rc = primitives(reader, kind);
            if (rc < 0) return rc;
        }
    }
    return 0;
}

int64_t read_length(struct reader *reader, int kind) {
    uint32_t next, wanted = (uint32_t) (kind == STRING ? STRING : kind + ARRAY);
    if (reader->begun) return reader->kind == kind ? reader->array : another((uint32_t) reader->kind << 24, kind);
    if (reader->run || reader->row) return fail_with(IBIDEM_MISMATCH, "there are values, not an array");
    int rc = tag(reader, &next);
    if (rc < 0) return rc;
    if (next >> 24 != wanted) return another(next, (int) wanted);
    if (reader->left < TAG + LENGTH) return fail_with(IBIDEM_MISMATCH, "a frame ends within a length");
    int64_t length = (int64_t) little(reader->at + TAG, LENGTH);
    uint32_t run = next & MOST_IN_RUN;
    if (length == -1 && kind == STRING && run == 0) {
        taken(reader, TAG + LENGTH);
        return -1;
    }
    if (length < run || length > INT64_MAX / 8) return fail_with(IBIDEM_MISMATCH, "a length of %lld", (long long) length);
    if ((reader->left - TAG - LENGTH) / width(kind) < run) return fail_with(IBIDEM_MISMATCH, "a run is longer than its frame");
    taken(reader, TAG + LENGTH);
    reader->kind = kind;
    reader->run = run;
    reader->array = length;
    reader->begun = 1;
    return length;
}

// The next run of an array.
static int goes_on(struct reader *reader, int kind) {
    uint32_t next, wanted = (uint32_t) (kind == STRING ? STRING : kind + ARRAY);
    int rc = tag(reader, &next);
    if (rc < 0) return rc;
    uint32_t run = next & MOST_IN_RUN;
    if ((next & ~(uint32_t) MOST_IN_RUN) != (wanted << 24 | CONTINUED)) return another(next, (int) wanted);
    if (run > reader->array || (reader->left - TAG) / width(kind) < run) {
        return fail_with(IBIDEM_MISMATCH, "a run is longer than its array or its frame");
    }
    taken(reader, TAG);
    reader->run = run;
    return 0;
}

int read_array(struct reader *reader, int kind, void *values, size_t count) {
    uint8_t *at = values;
    size_t each = width(kind);
    int64_t length = read_length(reader, kind);
    if (length < 0) return length == -1 ? fail_with(IBIDEM_MISMATCH, "a string that is null") : (int) length;
    if ((uint64_t) length != count) return fail_with(IBIDEM_MISMATCH, "an array of %lld, not %zu", (long long) length, count);
    while (reader->array) {
        if (!reader->run) {
            int rc = goes_on(reader, kind);
            if (rc < 0) return rc;
            continue;
        }
        size_t bytes = reader->run * each;
        memcpy(at, taken(reader, bytes), bytes);
        at += bytes;
        reader->array -= reader->run;
        reader->run = 0;
    }
    reader->begun = 0;
    return 0;
}

int64_t read_string(struct reader *reader, char *text, size_t size) {
    int64_t length = read_length(reader, STRING);
    if (length < 0) return length;
    if ((uint64_t) length > size) {
        return fail_with(IBIDEM_TOO_SMALL, "a string of %lld bytes does not fit in %zu", (long long) length, size);
    }
    int rc = read_array(reader, STRING, text, (size_t) length);
    if ((size_t) length < size) text[rc < 0 ? 0 : length] = 0;
    return rc < 0 ? rc : length;
}
