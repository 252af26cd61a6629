# Starts a program under an agent that is running, without a JVM between them: `ibidem wrap --agent
# SOCKET [--preload] [--] PROGRAM ...` becomes the launcher of the build that the agent is of. So the
# program has all that its caller hands it, descriptors and limits. Returns where that cannot be, or
# where something else is asked: the command itself says then what is wrong.
wrap_directly() {
    shift
    socket='' preload=''
    while [ $# -gt 0 ]; do
        case $1 in
            --agent) [ $# -gt 1 ] || return 0; socket=$2; shift 2 ;;
            --agent=*) socket=${1#*=}; shift ;;
            --preload) preload=$1; shift ;;
            --) shift; break ;;
            -*) return 0 ;;
            *) break ;;
        esac
    done
    [ -n "$socket" ] && [ $# -gt 0 ] && [ -z "${IBIDEM_JAVA_OPTS:-}" ] && [ -r "$socket.build" ] || return 0
    read -r built <"$socket.build" || return 0
    # A name of a folder of our own, whatever else somebody may have written there.
    case $built in *[!a-z0-9-]* | '') return 0 ;; esac
    launcher=$dist/$built/ibidem-launch
    [ -x "$launcher" ] || return 0
    hosts=$socket.hosts
    [ -e "$hosts" ] || hosts=-
    exec "$launcher" ${preload:+"$preload"} "$socket" "$hosts" "$@"
}
