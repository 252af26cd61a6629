#!/bin/sh
# mpjrun.sh: starts MPI programs in Java as MPJ Express' command of that name does, by `ibidem run`.
# Which option became what: docs/guide/mpi.md. IBIDEM names another ibidem command to start.

usage='usage: mpjrun.sh [-np N] [-dev multicore|niodev|hybdev] [-wdir DIR] [-cp PATH] [-psl BYTES] [JVM options]
                 Main|-jar FILE|Program.java [ARG…]'

refuse() {
    echo "mpjrun.sh: $1" >&2
    exit 2
}

# The value of an option has to be there.
value() {
    [ "$1" -ge 2 ] || refuse "$2 wants a value"
}

# MPJ Express' own jar stands in the class path of many scripts: the package mpi is Ibidem's here.
without_mpj_express() {
    kept=''
    set -f
    IFS=:
    for entry in $class_path; do
        case $entry in
            mpj.jar | */mpj.jar | mpj-0.*.jar | */mpj-0.*.jar) ;;
            *) kept=$kept${kept:+:}${entry:-.} ;;
        esac
    done
    class_path=$kept
    set +f
    unset IFS
}

home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd) || exit 1
ibidem=${IBIDEM:-$home/ibidem}
processes=1 stack=auto class_path='' directory='' limit='' program='' separator='
'
java=''
while [ $# -gt 0 ] && [ -z "$program" ]; do
    case $1 in
        -h | -help | --help) echo "$usage"; exit 0 ;;
        -np) value $# "$1"; processes=$2; shift ;;
        -dev)
            value $# "$1"
            case $2 in
                multicore | smpdev | hybdev) stack=auto ;;
                niodev) stack=tcp ;;
                *) refuse "-dev $2 is not there: multicore and hybdev take what is nearest, niodev TCP" ;;
            esac
            shift ;;
        -wdir) value $# "$1"; directory=$2; shift ;;
        -cp | -classpath | --class-path) value $# "$1"; class_path=$2; shift ;;
        -psl) value $# "$1"; limit=$2; shift ;;
        -jar) value $# "$1"; program=$2; shift ;;
        -machinesfile | -headnodeip | -mpjport | -mxboardnum | -sport)
            refuse "$1: the processes of one machine are started; for several see docs/run.md (--hub, --first, --total)" ;;
        -debug | -profile)
            refuse "$1 is not there; options of the JVM go to it, as -agentlib:jdwp=…" ;;
        -X* | -D* | -ea* | -da* | -esa | -dsa | -agent* | -javaagent* | --add-* | --enable-*)
            java=$1$separator$java ;;
        -*) refuse "unknown option $1
$usage" ;;
        *) program=$1 ;;
    esac
    shift
done
[ -n "$program" ] || refuse "no program
$usage"
[ -z "$directory" ] || cd -- "$directory" || exit 2
set -- "$program" "$@"
without_mpj_express
[ -z "$class_path" ] || set -- --class-path "$class_path" "$@"
set -- "--java=-Dibidem.mpj.arguments=mpjexpress" "$@"
[ "$stack" = auto ] || set -- "--java=-Dibidem.mpj.stack=$stack" "$@"
[ -z "$limit" ] || set -- "--java=-Dibidem.mpj.eager=$limit" "$@"
IFS=$separator
for option in $java; do
    set -- "--java=$option" "$@"
done
exec "$ibidem" run -n "$processes" "$@"
