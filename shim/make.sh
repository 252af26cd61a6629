#!/bin/sh
# Builds the library for C in a folder: sh shim/make.sh FOLDER, by $CC (cc).
#   libibidem.so.0   for programs that load it; libibidem.so is a link to it, for the linker
#   libibidem.a      to be linked into a program
#   ibidem.h         for both, and ibidem.pc for pkg-config
set -eu
shim=$(cd "$(dirname "$0")" && pwd -P)
to=$(cd "$1" && pwd -P)
CC=${CC:-cc}

number() { sed -n "s/^#define IBIDEM_$1 \([0-9]*\)\$/\1/p" "$shim/ibidem.h"; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
# That of the interface: a program that was linked with another one does not start.
so=libibidem.so.$(number MAJOR)

work=$(mktemp -d "$to/make.XXXXXX")
trap 'rm -rf "$work"' EXIT
for source in "$shim"/client/*.c; do
    $CC -std=gnu17 -O2 -Wall -Wextra -fPIC -fvisibility=hidden -c -o "$work/$(basename "$source" .c).o" "$source"
done
$CC -shared -o "$work/$so" "-Wl,-soname,$so" "-Wl,--version-script,$shim/ibidem.map" -Wl,--no-undefined \
    "$work"/*.o -lcrypto -lpthread
# One object whose inner names no program can see, whatever it calls its own functions.
mkdir "$work/whole"
$CC -r -nostdlib -o "$work/whole/ibidem.o" "$work"/*.o
objcopy --localize-hidden "$work/whole/ibidem.o"
ar rcs "$work/libibidem.a" "$work/whole/ibidem.o"
sed "s/@VERSION@/$version/" "$shim/ibidem.pc.in" >"$work/ibidem.pc"
cp "$shim/ibidem.h" "$work"
# Each at once, so that a program that has loaded the older one keeps it.
for file in "$so" libibidem.a ibidem.pc ibidem.h; do mv -f "$work/$file" "$to"; done
ln -sfn "$so" "$to/libibidem.so"
