# What ./ibidem and ./bench share: finding Java, and building jars when sources changed.
# Sourced with $root set to the top of the tree. POSIX sh, because nothing else is everywhere.

java_wanted=25
dist=$root/dist

say() { printf 'ibidem: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# Is $1 the home of a JDK (not a JRE: the build needs javac) that is new enough?
# Reads its `release` file, because asking `java -version` costs a tenth of a second.
is_jdk() {
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
    while IFS='=' read -r key value; do
        [ "$key" = JAVA_VERSION ] || continue
        value=${value#\"}
        value=${value%%[!0-9]*}
        [ "${value:-0}" -ge "$java_wanted" ]
        return
    done <"$1/release"
    return 1
}

# Sets java_home: what the user asked for first, then what is where JDKs usually are.
find_java() {
    if [ -n "${IBIDEM_JAVA_HOME:-}" ]; then
        java_home=$IBIDEM_JAVA_HOME
        is_jdk "$java_home" || die "IBIDEM_JAVA_HOME ($java_home) is no JDK $java_wanted or newer"
        return
    fi
    java_home=${JAVA_HOME:-}
    [ -n "$java_home" ] && is_jdk "$java_home" && return
    if java_home=$(command -v java); then
        java_home=$(readlink -f "$java_home" 2>/dev/null || echo "$java_home")
        java_home=${java_home%/bin/java}
        is_jdk "$java_home" && return
    fi
    for java_home in /usr/lib/jvm/* /opt/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "${HOME:-/nonexistent}"/.sdkman/candidates/java/*; do
        is_jdk "$java_home" && return
    done
    die "needs JDK $java_wanted or newer: install one (or run ./ibidem setup), or set IBIDEM_JAVA_HOME to where it is"
}

# A JVM knows names beyond ASCII only where the locale has them: so it gets one that has.
know_all_names() {
    case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
        C | POSIX)
            if [ -n "${LC_ALL:-}" ]; then LC_ALL=C.UTF-8; fi
            LC_CTYPE=C.UTF-8
            export LC_CTYPE
            ;;
    esac
}

# Replaces this (sub)shell by Maven with this JDK, whatever `mvn` itself would choose; quiet about
# Maven's own use of Unsafe. It replaces, so that a kill of the subshell's process ends Maven.
become_maven() {
    JAVA_HOME=$java_home MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow ${MAVEN_OPTS:-}"
    export JAVA_HOME MAVEN_OPTS
    exec mvn -B -f "$root/pom.xml" "$@"
}

need_maven() {
    command -v mvn >/dev/null || die "needs Maven 3.8 or newer to build: install it (or run ./ibidem setup)"
}

# Does anything that goes into the jars of module $1 differ from when they were built?
# Directories count too: a file that went away leaves its mark there.
stale() {
    [ -e "$dist/$1/stamp" ] || return 0
    case $1 in cli) others=lab ;; lab) others=cli ;; esac
    [ -n "$(cd "$root" && find pom.xml .mvn bin/common.sh shim ./*/pom.xml ./*/src/main \
        -newer "$dist/$1/stamp" 2>/dev/null | grep -Ev "^\./$others/" | head -n 1)" ]
}

# One builder at a time: a directory is made by one process only. A lock whose owner died is taken over.
lock() {
    mkdir -p "$dist"
    waited=0
    until mkdir "$dist/lock" 2>/dev/null; do
        owner=$(cat "$dist/lock/pid" 2>/dev/null || echo)
        if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
            rm -rf "$dist/lock"
            continue
        fi
        [ "$waited" = 0 ] && say "waiting for the build of process ${owner:-?}"
        waited=1
        sleep 0.2
    done
    echo $$ >"$dist/lock/pid"
    trap 'unlock' EXIT
    trap 'kill "${builder:-}" 2>/dev/null; exit 130' INT TERM HUP
}

unlock() {
    rm -rf "$dist/lock"
    trap - EXIT INT TERM HUP
}

# May a build write here? Not in a checkout that is another's, or on a medium that is read only.
writable() { mkdir -p "$dist" 2>/dev/null && [ -w "$dist" ] && [ -w "$root/pom.xml" ]; }

# Builds the jars of module $1 unless they are there and new. IBIDEM_BUILT=1 (set by `ibidem test` for
# what it starts) says that whoever calls has seen to it.
build() {
    [ "${IBIDEM_BUILT:-}" = 1 ] && [ -e "$dist/$1/stamp" ] && return
    stale "$1" || return 0
    if ! writable; then
        [ -e "$dist/$1/stamp" ] || die "cannot build: nothing can be written in $root; copy it to where it can"
        say "the sources are newer than what was built of them, and nothing can be written in $root: run as built"
        return 0
    fi
    need_maven
    lock
    # Somebody else may have built while we waited.
    if stale "$1"; then compile "$1"; fi
    unlock
}

compile() {
    fresh=$dist/$1-$(date +%s)-$$
    mkdir -p "$fresh"
    # The stamp carries the time before the build: what changes during it is built again.
    touch "$fresh/stamp"
    rm -rf "$root/$1/target/quick/lib"
    started=$(date +%s)
    say "building $1 (output in dist/build.log)"
    become_maven -ntp -T 2 -Dquick -pl "$1" -am package >"$dist/build.log" 2>&1 &
    builder=$!
    while kill -0 $builder 2>/dev/null; do
        [ -t 2 ] && printf '\ribidem: building %s ' "$(sed -n 's/^\[INFO\] Building Ibidem \(.*\) 0.*/\1/p' "$dist/build.log" | tail -n 1)" >&2
        sleep 0.2
    done
    [ -t 2 ] && printf '\r' >&2
    if ! wait $builder; then
        rm -rf "$fresh"
        grep -E '^\[ERROR\]|^Error|error:' "$dist/build.log" | grep -Ev 'Help 1|[Rr]e-run Maven|For more info|resume the build|-rf :|^\[ERROR\] *$' | head -n 30 >&2
        die "the build failed; all of its output is in dist/build.log"
    fi
    cp "$root/$1/target/quick/lib"/*.jar "$root/$1/target/quick/ibidem-$1"-*.jar "$fresh"
    put "$1" "$fresh"
    say "built $1 in $(($(date +%s) - started)) s"
}

# Makes what lies in $2 the jars of module $1.
put() {
    if [ "$1" = cli ]; then
        make_launcher "$2"
        make_library "$2"
        renew "$2"
        train "$2"
    fi
    # The link changes at once, and a program that runs from the older jars keeps them.
    ln -sfn "$2" "$dist/$1"
    ls -dt "$dist/$1"-* | tail -n +4 | while read -r old; do rm -rf "$old"; done
}

# Takes over the jars of module $1 that were built, in $2, of the same sources.
adopt() {
    fresh=$dist/$1-$(date +%s)-$$
    mkdir -p "$fresh"
    cp -p "$2"/*.jar "$2/stamp" "$fresh"
    put "$1" "$fresh"
}

# Builds what `ibidem wrap` starts programs with, where that can be: Linux with a C compiler.
make_launcher() {
    [ "$(uname -s)" = Linux ] && [ -d "$root/shim" ] || return 0
    if ! command -v cc >/dev/null; then
        say "no C compiler: ibidem wrap will not work (./ibidem setup installs one)"
    elif ! cc -std=gnu17 -O2 -o "$1/ibidem-launch" "$root"/shim/*.c 2>"$dist/launcher.log"; then
        say "the launcher of ibidem wrap could not be built; see dist/launcher.log"
    elif ! cc -std=gnu17 -O2 -fPIC -shared -fvisibility=hidden -o "$1/libibidem-wrap.so" \
        "$root"/shim/preload/*.c "$root/shim/sockets.c" -ldl -lpthread 2>"$dist/launcher.log"; then
        say "the library of ibidem wrap --preload could not be built; see dist/launcher.log"
    fi
}

# picocli's class files are so old that the JVM takes them into no cache: they are written anew.
renew() {
    "$java_home/bin/java" -XX:TieredStopAtLevel=1 -cp "$(echo "$1"/ibidem-cli-*.jar)" \
        org.ibidem.cli.NewerClasses "$1"/picocli-*.jar >"$dist/renew.log" 2>&1 || true
}

# Builds what programs in C, and of languages that call it, are nodes by: the library and its header.
make_library() {
    [ "$(uname -s)" = Linux ] && [ -d "$root/shim/client" ] && command -v cc >/dev/null || return 0
    has_openssl || return 0 # few want it: who asks for it is told
    mkdir -p "$dist"
    if ! sh "$root/shim/make.sh" "$1" >"$dist/library.log" 2>&1; then
        say "libibidem.so, for programs in C, could not be built; see dist/library.log"
    fi
}

has_openssl() { echo '#include <openssl/ecdsa.h>' | cc -E - >/dev/null 2>&1; }

# What a C compiler needs to build a program with the library of $1, which it then finds by itself.
library_flags() {
    if [ ! -e "$1/libibidem.so" ]; then
        command -v cc >/dev/null || die "no libibidem.so: there is no C compiler (./ibidem setup installs one)"
        has_openssl || die "no libibidem.so: it needs OpenSSL's headers (./ibidem setup installs libssl-dev)"
        die "no libibidem.so was built; why stands in dist/library.log"
    fi
    echo "-I$1 -L$1 -Wl,-rpath,$1 -libidem"
}

# Records the classes that a start of the command loads, already linked, and those of a process of a
# job, so that the next start is quick: two processes exchange messages. Without the profiles of their
# methods: those have all of them compiled as soon as they are there, which costs more than it brings.
train() {
    # shellcheck disable=SC2086
    "$java_home/bin/java" $quick_start $no_profiles -XX:AOTCacheOutput="$1/ibidem.aot" "$native_access" -p "$1" \
        -m org.ibidem.cli/org.ibidem.cli.Main run -n 2 --timeout 300 --record "$1/job.aot" \
        sor --size 64 --iterations 10 >"$dist/train.log" 2>&1 || rm -f "$1/ibidem.aot" "$1/job.aot"
}

# Replaces this shell by class $1 of the laboratory: on the class path, as it is no module (see its
# package page).
run_lab() {
    # shellcheck disable=SC2086
    exec "$java_home/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        ${IBIDEM_JAVA_OPTS:-} -Dibidem.home="$root" -cp "$(readlink "$dist/lab")/*" "$@"
}

# The only module with native code inside that the command comes with; without this the JVM warns of it.
native_access=--enable-native-access=com.github.luben.zstd_jni

# In a cache of classes; Run.java has the same for processes of jobs.
no_profiles='-XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining'

# For programs that live shorter than it takes to compile them well.
quick_start='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
