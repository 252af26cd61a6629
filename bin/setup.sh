# ./ibidem setup: installs what this machine lacks, where apt and root are there. Sourced by ./ibidem.

# What the build needs, and what the laboratory needs beyond it (it says so and skips without).
needed='mvn:maven'
wished='taskset:util-linux ip:iproute2 nft:nftables tc:iproute2 python3:python3
    unshare:util-linux conntrack:conntrack danted:dante-server iperf3:iperf3 haproxy:haproxy stunnel4:stunnel4 perl:perl-base
    faketime:faketime cc:build-essential clang:clang musl-gcc:musl-tools pkg-config:pkgconf nginx:nginx-light curl:curl
    /usr/include/openssl/ecdsa.h:libssl-dev
    redis-server:redis-server redis-benchmark:redis-tools sshd:openssh-server rsync:rsync
    pgbench:postgresql go:golang-go
    mpicc.openmpi:libopenmpi-dev mpirun.openmpi:openmpi-bin mpicc.mpich:libmpich-dev
    mpiexec.mpich:mpich /usr/share/mpj/lib/mpi.jar:libmpj-java
    ssh:openssh-client omniidl:omniidl /usr/include/omniORB4/CORBA.h:libomniorb4-dev
    /usr/lib/python3/dist-packages/Ice/__init__.py:python3-zeroc-ice
    soapcpp2:gsoap /usr/include/stdsoap2.h:libgsoap-dev
    /usr/lib/pvm3/lib/pvmd:pvm /usr/include/pvm3.h:pvm-dev wireguard-go:wireguard-go
    /usr/lib/python3/dist-packages/requests/__init__.py:python3-requests strace:strace
    chromium:chromium'

setup() {
    missing=
    for pair in $needed $wished; do
        there "${pair%%:*}" || missing="$missing ${pair#*:}"
    done
    if ! (find_java) 2>/dev/null; then
        # A fresh machine does not know yet what its sources offer.
        if [ "$(id -u)" = 0 ]; then apt-get update -qq || true; fi
        missing="$missing $(jdk_package)"
    fi
    # shellcheck disable=SC2086
    if [ -n "${missing# }" ]; then install $missing; fi
    open_tun
    (find_java) || return 1
    need_maven
    say "everything is there: try ./ibidem --help"
}

# Is there a program of this name, or this file?
there() {
    case $1 in /*) [ -e "${files_below:-}$1" ] ;; *) command -v "$1" >/dev/null ;; esac
}

# The network laboratory's emulator needs TUN devices. They are for everybody where udev runs; where
# it does not, as in many containers, root can see to it.
open_tun() {
    [ "$(uname -s)" = Linux ] && [ "$(id -u)" = 0 ] || return 0
    if [ ! -e /dev/net/tun ]; then
        { mkdir -p /dev/net && mknod /dev/net/tun c 10 200; } 2>/dev/null || return 0
    fi
    chmod 666 /dev/net/tun 2>/dev/null || true
}

# The apt package of a new enough JDK, if the machine's sources offer one.
jdk_package() {
    command -v apt-cache >/dev/null || return 0
    for package in "openjdk-$java_wanted-jdk-headless" "temurin-$java_wanted-jdk" "java-$java_wanted-amazon-corretto-jdk"; do
        if apt-cache show "$package" >/dev/null 2>&1; then echo "$package"; return; fi
    done
}

install() {
    if ! command -v apt-get >/dev/null; then
        say "this machine has no apt; install by its own means: $*"
    elif [ "$(id -u)" != 0 ]; then
        say "not root; run: sudo apt-get install -y --no-install-recommends $*"
    else
        say "installing $*"
        mkdir -p "$dist"
        { apt-get update && DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "$@"; } >"$dist/setup.log" 2>&1 ||
            say "apt could not; what it said is in dist/setup.log"
    fi
}
