// What OpenSSL, compiled for glibc, asks of it beyond musl: so a test can link both. Its checks are left
// out, and so are its coroutines, which nothing here begins.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long __fdelt_chk(long fd) {
    return fd / (long) (8 * sizeof(long));
}

int __vfprintf_chk(FILE *to, int flag, const char *format, va_list arguments) {
    (void) flag;
    return vfprintf(to, format, arguments);
}

int __fprintf_chk(FILE *to, int flag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = __vfprintf_chk(to, flag, format, arguments);
    va_end(arguments);
    return count;
}

void *__memcpy_chk(void *to, const void *from, size_t count, size_t room) {
    return count > room ? (abort(), NULL) : memcpy(to, from, count);
}

void *__memset_chk(void *to, int value, size_t count, size_t room) {
    return count > room ? (abort(), NULL) : memset(to, value, count);
}

int getcontext(void *context) {
    (void) context;
    return -1;
}

int setcontext(const void *context) {
    (void) context;
    return -1;
}

void makecontext(void *context, void (*does)(void), int count, ...) {
    (void) context;
    (void) does;
    (void) count;
    abort();
}
