// The formats of docs/wire, as far as the library speaks them.
#ifndef IBIDEM_WIRE_H
#define IBIDEM_WIRE_H

#include <stddef.h>
#include <stdint.h>

#define ID 16
#define KEY 91
#define NONCE 32
#define SIGNATURE 64
#define LINK_KEY 32          // the digits of a data link's key
#define LARGEST_FRAME 65532  // payload, docs/wire/frames-over-stream.md
#define LARGEST_MESSAGE 65536 // of a control link
#define LARGEST_HELLO (10 + 5462)
#define LARGEST_REPLY (10 + 4610)
#define LONGEST_WHY 1024

// Says what went wrong, for ibidem_why, and returns the error.
int fail_with(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---- structures of ibidem.h, which have their size at the end of their first version ----

// What a caller gives, of an older or a newer version, as this one has it.
int take_struct(const void *given, void *own, size_t size, size_t at, const char *name);
// What a caller gets, who may know fewer fields or more.
int give_struct(void *own, void *to, size_t size, size_t at, const char *name);

// ---- fields: docs/wire/control.md ----

struct out {
    uint8_t *bytes;
    size_t size, length;
    int full; // something found no room
};

struct in {
    const uint8_t *at;
    size_t left;
    int bad; // something was not there
};

void put_bytes(struct out *out, const void *bytes, size_t count);
void put_u8(struct out *out, unsigned value);
void put_u16(struct out *out, unsigned value);
void put_i32(struct out *out, int32_t value);
void put_i64(struct out *out, int64_t value);
void put_text(struct out *out, const char *text);
const uint8_t *get_bytes(struct in *in, size_t count);
unsigned get_u8(struct in *in);
unsigned get_u16(struct in *in);
int32_t get_i32(struct in *in);
int64_t get_i64(struct in *in);
// Of at most `longest` bytes; `text` has room for one more.
void get_text(struct in *in, char *text, size_t longest);
void skip_text(struct in *in, size_t longest);
// Whether all was there, and no more.
int is_whole(const struct in *in);
int byte_order(void); // of this machine: 0 little-endian, 1 big-endian

// ---- docs/wire/handshake.md ----

enum purpose { BOOTSTRAP = 1, SERVICE = 2, DATA = 3, TRIAL = 5 };
enum refusal { POOL = 1, WRONG_NODE, SELF, PURPOSE, FULL = 6, TOKEN, STACK, JOB = 12, OTHER = 255 };

struct hello {
    int purpose;
    uint8_t key[KEY], nonce[NONCE], wanted[ID];
    char pool[65], stack[1025], token[65];
};

struct reply {
    int status;
    uint8_t key[KEY], nonce[NONCE];
    char reason[257];
};

void encode_hello(struct out *out, const struct hello *hello);
// Of the whole HELLO; 0: it is one.
int decode_hello(const uint8_t *bytes, size_t length, struct hello *hello);
// Without its signature, whose room the length counts.
void encode_reply(struct out *out, const struct reply *reply);
int decode_reply(const uint8_t *bytes, size_t length, struct reply *reply);

// ---- keys and signatures ----

#define MAC 32

// The key of a job.
struct job {
    uint8_t secret[32];
    char name[33]; // empty: there is no key
    char why[256]; // there is none
};

void job_named(struct job *job); // gives its key its name
void job_mac(const struct job *job, const char *what, const struct out *hello, const struct out *reply, uint8_t mac[MAC]);

struct identity {
    void *key; // EVP_PKEY
    uint8_t public_key[KEY], id[ID];
    struct job job; // of the hub that it has joined
};

int identity_make(struct identity *identity);
void identity_free(struct identity *identity);
void id_of(const uint8_t key[KEY], uint8_t id[ID]);
int random_bytes(void *bytes, size_t count);
// What is signed: `what`, then both parts; then the MAC of that, where there is the key of a job.
struct said {
    const char *what;
    const struct out *hello, *reply;
    const struct job *job; // or NULL
};
int sign_parts(const struct identity *by, const struct said *said, uint8_t signature[SIGNATURE]);
int verify_parts(const uint8_t key[KEY], const struct said *said, const uint8_t signature[SIGNATURE]);
#define BY_RESPONDER "ibidem handshake 2 responder\n"
#define BY_INITIATOR "ibidem handshake 2 initiator\n"

// ---- docs/wire/registry.md ----

struct address {
    uint8_t length, bytes[16]; // 4 or 16
    uint16_t port;
};

struct contact {
    uint8_t id[ID];
    unsigned count;
    struct address addresses[32];
    int has_tcp; // when read
};

struct member {
    uint8_t id[ID];
    int32_t rank;
};

struct attach {
    struct contact contact; // published with the driver tcp alone
    const char *location;
    int32_t size, rank;
    int membership;
    int64_t join;
};

void encode_attach(struct out *out, const struct attach *attach);
void encode_lookup(struct out *out, int32_t call, const uint8_t id[ID]);
void encode_described(struct out *out, const char *location);
void get_member(struct in *in, struct member *member);
void get_contact(struct in *in, struct contact *contact);

// What a hub says of members: told to `change` one by one. Returns 0 if the bytes behind the kind
// are a SNAPSHOT or EVENTS.
typedef void change_told(void *whom, const struct member *member, int there);
int decode_snapshot(struct in *in, void *whom, change_told *told, int *more);
int decode_events(struct in *in, void *whom, change_told *told, int64_t *upto);

// ---- docs/wire/channels.md ----

enum what { REQUEST, ANSWER, FAILURE, NOTE };
enum service { OPEN = 1, CLOSE, CANCEL, AWAIT, DONE_, ECHO_ = 7 };

struct open {
    char kind[17], key[LINK_KEY + 1], stack[1025], versions[1025];
    int fresh, order;
    int32_t frame;
    const uint8_t *request;
    size_t request_length;
};

struct opened {
    int yes;
    char key[LINK_KEY + 1];
    int32_t number;
    int order;
    int32_t frame;
    int32_t code; // where it is no
    int64_t state;
    char why[LONGEST_WHY + 1];
};

void encode_open(struct out *out, const struct open *open);
int decode_open(struct in *in, struct open *open);
void encode_opened(struct out *out, const struct opened *opened);
int decode_opened(struct in *in, struct opened *opened);

// ---- docs/wire/ports.md ----

struct port_request {
    char receive[256], send[256], name[256], serializer[1025], stack[1025];
    int64_t number;
    int connections, data;
    int32_t capabilities;
};

void encode_port_request(struct out *out, const struct port_request *request);
int decode_port_request(struct in *in, struct port_request *request);

enum { STRING = 16, ROW = 20 };
enum frame_flag { LAST = 0, MORE = 1, END = 2, ABANDONED = 4 };

// Puts values into frames. `flush` sends what is in the frame.
struct writer {
    uint8_t *frame;
    size_t size, at;
    int (*flush)(void *whom, const uint8_t *frame, size_t length, int flags);
    void *whom;
};

int write_values(struct writer *writer, int kind, const void *values, size_t count);
int write_array(struct writer *writer, int kind, const void *values, size_t count);
int write_null_string(struct writer *writer);

// Takes them out of frames. `next` gives it the next one of the message.
struct reader {
    const uint8_t *at;
    size_t left;
    int more; // the message goes on in another frame
    int (*next)(void *whom, struct reader *reader);
    void *whom;
    int kind;          // of the run that is being read
    uint32_t run;      // values left in it
    uint32_t row;      // what is left of a row, 4 bits each
    int64_t array;     // elements left of the array that was begun
    int begun;         // its length was read
};

void reader_begin(struct reader *reader, const uint8_t *frame, size_t length, int more);
int read_values(struct reader *reader, int kind, void *values, size_t count);
int64_t read_length(struct reader *reader, int kind);
int read_array(struct reader *reader, int kind, void *values, size_t count);
int64_t read_string(struct reader *reader, char *text, size_t size);

#endif
