package org.ibidem.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// One thing that can be set from outside. All there are, with what they mean, in one place: so
/// that `ibidem explain config` can show them and a configuration file can be checked.
///
/// @param name such as `ibidem.wait`; `*` at the end stands for any name
/// @param byDefault what it is where nobody sets it, as text
/// @param meaning for people
public record Setting(String name, String byDefault, String meaning) {
    /// What the names of all begin with.
    static final String PREFIX = "ibidem.";

    /// All settings.
    public static final List<Setting> ALL =
            withLimits(
                    new Setting(
                            "ibidem.stack",
                            "",
                            "the stack of all port types; it overrides the program's own choice"),
                    new Setting(
                            "ibidem.stack.*",
                            "",
                            "the stack of the port types with this name; it goes before ibidem.stack"),
                    new Setting(
                            "ibidem.auto",
                            "compress, parallel",
                            "the filters that a stack 'auto' may add on a connection to a distant site, or none"),
                    new Setting(
                            "ibidem.lines",
                            "",
                            "the file that keeps what a node has learned about its connections to other sites, for the next node"),
                    new Setting(
                            "ibidem.mpj.stack",
                            "auto",
                            "the stack of the links between the processes of an MPI program"),
                    new Setting(
                            "ibidem.mpj.eager",
                            "128k",
                            "the size in bytes up to which an MPI message is sent before its receiver asks for it"),
                    new Setting(
                            "ibidem.mpj.window",
                            "1m",
                            "the largest number of bytes of MPI messages from one sender that may wait to be received"),
                    new Setting(
                            "ibidem.satin.stack",
                            "auto",
                            "the stack that carries the stolen jobs of a Satin program"),
                    new Setting(
                            "ibidem.wait",
                            "adaptive",
                            "how ports wait where the program does not choose: adaptive, yield, sleep, spin, or a time to spin such as 20us"),
                    new Setting(
                            "ibidem.heartbeat",
                            "5s",
                            "how often a silent peer is asked for a sign of life; after three unanswered requests it counts as silent"),
                    new Setting(
                            "ibidem.linger",
                            "10s",
                            "the longest time that a node waits, when it is closed or its program ends, until what it sent has arrived"),
                    new Setting(
                            "ibidem.suspicion",
                            "30s",
                            "how long a process may be silent before the hub of ibidem run counts it as dead"),
                    new Setting(
                            "ibidem.buffer",
                            "256k",
                            "the size in bytes of the buffers of links over byte streams"),
                    new Setting(
                            "ibidem.monitor",
                            "on",
                            "where counters are kept for 'ibidem counters': on (the usual folder), off, or a folder"),
                    new Setting(
                            "ibidem.shm",
                            "/dev/shm",
                            "the folder for shared memory; it must be the same for all processes on this machine"),
                    new Setting(
                            "ibidem.hub",
                            "localhost:8888",
                            "host:port of the hub; commas separate several hubs"),
                    new Setting("ibidem.pool", "default", "the pool to join"),
                    new Setting("ibidem.size", "any", "the number of processes in the whole pool"),
                    new Setting(
                            "ibidem.job",
                            "",
                            "the file with the key of the job to join; ibidem run sets it; otherwise the file is looked for in the usual folder"),
                    new Setting("ibidem.rank", "any", "this process's rank in the pool"),
                    new Setting(
                            "ibidem.open",
                            "false",
                            "whether nodes on other machines may connect to this node"),
                    new Setting(
                            "ibidem.port",
                            "any",
                            "the port that an open node listens on, such as one that a NAT forwards to it"),
                    new Setting(
                            "ibidem.membership",
                            "eventual",
                            "what this process is told about other members: none, eventual, ordered"),
                    new Setting(
                            "ibidem.location",
                            "",
                            "where this node is, from near to far: host@cluster@site"),
                    new Setting(
                            "ibidem.identity",
                            "",
                            "the file with the node's key; it is made if it does not exist"),
                    new Setting(
                            "ibidem.authority",
                            "",
                            "the file with the certificate of the pool's authority, if it has one"),
                    new Setting(
                            "ibidem.certificate",
                            "",
                            "the file with the node's certificate in a pool with an authority; by default the file of its key"),
                    new Setting(
                            "ibidem.methods",
                            "",
                            "the connect methods that may be used, in the order in which they are tried: direct, reverse, splice, socks, routed"),
                    new Setting(
                            "ibidem.methods.*",
                            "",
                            "the connect methods for nodes at the site of this name; it goes before ibidem.methods"),
                    new Setting(
                            "ibidem.site.*",
                            "",
                            "the subnets of the site of this name; a node in one of them belongs to the site, unless its location says more than its host"),
                    new Setting(
                            "ibidem.egress.*",
                            "",
                            "how connections leave the site of this name; it overrides what is found: untranslated, preserving, independent, symmetric, proxy"),
                    new Setting(
                            "ibidem.costs",
                            "",
                            "how long the other connect methods are tried before this one starts, such as direct=0ms, routed=2s"),
                    new Setting(
                            "ibidem.costs.*",
                            "",
                            "the same for nodes at the site of this name, or between two sites (ibidem.costs.HERE.THERE); it goes before ibidem.costs"),
                    new Setting(
                            "ibidem.proxy",
                            "",
                            "the proxies for outgoing connections, such as socks5://host:1080, or none"),
                    new Setting(
                            "ibidem.mpj.device",
                            "circuit",
                            "what carries the messages of an MPI program: circuit, or smpdev (the threads of one process); in no job the default is smpdev"),
                    new Setting(
                            "ibidem.mpj.debug",
                            "false",
                            "whether an MPI program checks before each collective operation that all its processes call the same one"),
                    new Setting(
                            "ibidem.mpj.objects",
                            "",
                            "the classes whose objects an MPI program receives, such as com.example.**, com.example.Order; by default all classes, but in a pool with an authority only the program's own"),
                    new Setting(
                            "ibidem.mpj.own",
                            "",
                            "the folder or jar whose classes an MPI program receives in a pool with an authority; ibidem run sets it"),
                    new Setting(
                            "ibidem.mpj.arguments",
                            "own",
                            "the arguments of an MPI program's main method: own, or mpjexpress, which puts rank, number of processes and device before them"),
                    new Setting(
                            "ibidem.mpj.progress",
                            "false",
                            "whether a thread sends and receives an MPI program's messages while the program makes no MPI calls"),
                    new Setting(
                            "ibidem.mpj.last",
                            "",
                            "the file in which a process of an MPI program keeps its last MPI call; ibidem run sets it"),
                    new Setting(
                            "ibidem.satin.threads",
                            "1",
                            "the number of workers in each process of a Satin program"),
                    new Setting(
                            "ibidem.satin.workers",
                            "1",
                            "the number of processes that a Satin program waits for before it begins; ibidem run --satin sets it"),
                    new Setting(
                            "ibidem.satin.own",
                            "",
                            "the folder or jar whose classes a Satin program receives in a pool with an authority; ibidem run --satin sets it"),
                    new Setting(
                            "ibidem.satin.allow",
                            "",
                            "further classes that a Satin program receives in a pool with an authority, such as com.example.**, com.example.Order"),
                    new Setting(
                            "ibidem.satin.stealing",
                            "cluster-aware",
                            "which process an idle process of a Satin program asks for work: cluster-aware (one at its own site, and at the same time one at another site) or random"),
                    new Setting(
                            "ibidem.satin.returns",
                            "method",
                            "what a return in an inlet of a Satin program ends: method, or inlet, as in the published Satin"),
                    new Setting(
                            "ibidem.satin.copying",
                            "false",
                            "whether a Satin program also copies jobs that stay in their process, to find code that relies on sharing; the log then says where a sync is missing"),
                    new Setting(
                            "ibidem.satin.statistics",
                            "false",
                            "whether each process of a Satin program prints at its end what it did for others"),
                    new Setting(
                            "ibidem.satin.progress",
                            "0s",
                            "how often a Satin program prints its progress; 0s: never; ibidem run --satin sets 1s on a terminal, otherwise 5s"),
                    new Setting(
                            "ibidem.satin.patience",
                            "1min",
                            "how long a process of a Satin program waits until rank 0 begins the program; after that the process ends"),
                    new Setting(
                            "ibidem.satin.trace",
                            "",
                            "the file in which a process of a Satin program records what its workers do; ibidem run --trace sets it"),
                    new Setting(
                            "ibidem.rmi.stack",
                            "auto",
                            "the stack that carries the remote calls of a program of java.rmi"),
                    new Setting(
                            "ibidem.rmi.own",
                            "",
                            "the folder or jar whose classes a program of java.rmi receives; ibidem run --rmi sets it"),
                    new Setting(
                            "ibidem.rmi.allow",
                            "",
                            "further classes that a program of java.rmi receives, such as com.example.**, com.example.Order"),
                    new Setting(
                            "ibidem.sockets",
                            "",
                            "the destinations that a program's sockets reach over Ibidem; ibidem run --sockets sets it"));

    private static final String ANY = "*";

    private static List<Setting> withLimits(Setting... others) {
        var limits = Stream.of(Limit.values()).map(Limit::told);
        return Stream.concat(Stream.of(others), limits).toList();
    }

    /// What bears such a name and is no setting: of the command itself, of its build and its tests.
    private static final Set<String> OTHERS =
            Set.of(
                    "ibidem.config",
                    "ibidem.home",
                    "ibidem.launcher",
                    "ibidem.java_home",
                    "ibidem.java_opts",
                    "ibidem.built",
                    "ibidem.ci_limit",
                    "ibidem.full",
                    "ibidem.quick",
                    "ibidem.seeds",
                    "ibidem.test.loud");

    /// The setting that has this name.
    public static Optional<Setting> of(String name) {
        return ALL.stream().filter(setting -> setting.matches(name)).findFirst();
    }

    /// Whether it is a setting, or something else of ours.
    static boolean isKnown(String name) {
        return of(name).isPresent() || OTHERS.contains(name);
    }

    /// The setting that a name that is none may have meant.
    static Optional<String> nearest(String name) {
        return Nearest.to(name, ALL.stream().map(Setting::name).toList());
    }

    private boolean matches(String wanted) {
        return name.endsWith(ANY)
                ? wanted.startsWith(name.substring(0, name.length() - 1))
                : name.equals(wanted);
    }
}
