package org.ibidem.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;

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
            List.of(
                    new Setting(
                            "ibidem.stack",
                            "",
                            "the stack of all port types, whatever the program says"),
                    new Setting(
                            "ibidem.stack.*",
                            "",
                            "the stack of the port types of this name, before ibidem.stack"),
                    new Setting(
                            "ibidem.auto",
                            "compress, parallel",
                            "what a stack auto may put over a long line by itself, or none"),
                    new Setting(
                            "ibidem.lines",
                            "",
                            "the file in which what was learned of the lines to other sites is kept for the next node"),
                    new Setting(
                            "ibidem.mpj.stack",
                            "auto",
                            "the stack of the links between the processes of an MPI program"),
                    new Setting(
                            "ibidem.mpj.eager",
                            "128k",
                            "bytes of the largest MPI message that leaves before it is asked for"),
                    new Setting(
                            "ibidem.mpj.window",
                            "1m",
                            "bytes of MPI messages of one sender that wait to be received, at most"),
                    new Setting(
                            "ibidem.satin.stack", "auto", "the stack that stolen jobs travel over"),
                    new Setting(
                            "ibidem.wait",
                            "adaptive",
                            "how ports wait where the program does not say: adaptive, sleep, spin, 20us"),
                    new Setting(
                            "ibidem.heartbeat",
                            "5s",
                            "how often a silent peer is asked for a sign of life; after three times in vain it counts as silent"),
                    new Setting(
                            "ibidem.suspicion",
                            "30s",
                            "for how long the hub in ibidem run waits for a silent process before that counts as dead"),
                    new Setting(
                            "ibidem.buffer",
                            "256k",
                            "bytes of the buffers of links over byte streams"),
                    new Setting(
                            "ibidem.monitor",
                            "on",
                            "where counters can be seen: on (the usual folder), off, or a folder"),
                    new Setting(
                            "ibidem.shm",
                            "/dev/shm",
                            "the folder for shared memory, the same for all on this machine"),
                    new Setting("ibidem.hub", "localhost:8888", "host:port of the hub, or several"),
                    new Setting("ibidem.pool", "default", "the pool to join"),
                    new Setting("ibidem.size", "any", "processes of the whole pool"),
                    new Setting(
                            "ibidem.job",
                            "",
                            "the file with the key of the job to join; set by ibidem run; else it is looked for"),
                    new Setting("ibidem.rank", "any", "this process's rank in the pool"),
                    new Setting(
                            "ibidem.open", "false", "whether peers on other machines may connect"),
                    new Setting(
                            "ibidem.port",
                            "any",
                            "the port an open node listens on, such as one that a NAT hands on to it"),
                    new Setting(
                            "ibidem.membership",
                            "eventual",
                            "what this process wants to know of other members: none, eventual, ordered"),
                    new Setting("ibidem.location", "", "host@cluster@site, near to far"),
                    new Setting("ibidem.identity", "", "the file of the node's key"),
                    new Setting(
                            "ibidem.authority",
                            "",
                            "the file with the certificate of the pool's authority, if it has one"),
                    new Setting(
                            "ibidem.certificate",
                            "",
                            "the file with the node's certificate in such a pool; by default that of its key"),
                    new Setting(
                            "ibidem.methods",
                            "",
                            "the connect methods that may be used, in the order to be tried: direct, reverse, splice, socks, routed"),
                    new Setting(
                            "ibidem.methods.*",
                            "",
                            "the same towards nodes at the site of this name, before ibidem.methods"),
                    new Setting(
                            "ibidem.site.*",
                            "",
                            "the subnets of the site of this name: who is in one, and says no more of its location than its host, is there"),
                    new Setting(
                            "ibidem.egress.*",
                            "",
                            "how connections get out of the site of this name, whatever is found: untranslated, preserving, independent, symmetric, proxy"),
                    new Setting(
                            "ibidem.costs",
                            "",
                            "how long the others are given before a connect method begins, such as direct=0ms, routed=2s"),
                    new Setting(
                            "ibidem.costs.*",
                            "",
                            "the same towards nodes at the site of this name, or between two sites (ibidem.costs.HERE.THERE), before ibidem.costs"),
                    new Setting(
                            "ibidem.proxy",
                            "",
                            "proxies on the way out, such as socks5://host:1080, or none"),
                    new Setting(
                            "ibidem.mpj.device",
                            "circuit",
                            "what the messages of an MPI program travel by: circuit; of a process that is in no job smpdev"),
                    new Setting(
                            "ibidem.mpj.debug",
                            "false",
                            "whether an MPI program looks before each collective operation whether all call the same one"),
                    new Setting(
                            "ibidem.mpj.objects",
                            "**",
                            "the classes that an MPI program receives objects of, such as com.example.**, com.example.Order"),
                    new Setting(
                            "ibidem.mpj.arguments",
                            "own",
                            "what an MPI program's main method gets: own, or mpjexpress with rank, number of processes and device before them"),
                    new Setting(
                            "ibidem.mpj.progress",
                            "false",
                            "whether a thread makes progress with an MPI program's messages while the program calls nothing"),
                    new Setting(
                            "ibidem.mpj.last",
                            "",
                            "the file in which a process of an MPI program keeps what it called last; set by ibidem run"),
                    new Setting(
                            "ibidem.satin.threads",
                            "1",
                            "workers of each process of a program that divides and conquers"),
                    new Setting(
                            "ibidem.satin.workers",
                            "1",
                            "for how many processes such a program waits before it begins; set by ibidem run --satin"),
                    new Setting(
                            "ibidem.satin.path",
                            ".",
                            "the class path of such a program; set by ibidem run --satin"),
                    new Setting(
                            "ibidem.satin.stealing",
                            "cluster-aware",
                            "whom a process of such a program asks for work: cluster-aware (its own site, and one of another one meanwhile) or random"),
                    new Setting(
                            "ibidem.satin.returns",
                            "method",
                            "what a return in such a program's inlet ends: method, or inlet, as in the published Satin"),
                    new Setting(
                            "ibidem.satin.copying",
                            "false",
                            "whether such a program's jobs are copied where they stay, too, to find what relies on sharing, and the log says where a sync is missing"),
                    new Setting(
                            "ibidem.satin.statistics",
                            "false",
                            "whether each process of such a program says at its end what it did for others"),
                    new Setting(
                            "ibidem.satin.progress",
                            "0s",
                            "how often such a program says how far it has come, 0s: never; ibidem run --satin has it 1s on a terminal, else 5s"),
                    new Setting(
                            "ibidem.satin.trace",
                            "",
                            "the file in which a process keeps what its workers do; set by ibidem run --trace"),
                    new Setting(
                            "ibidem.rmi.stack",
                            "auto",
                            "the stack that the remote calls of a program of java.rmi go over"),
                    new Setting(
                            "ibidem.rmi.own",
                            "",
                            "the folder or jar whose classes such a program lets in; set by ibidem run --rmi"),
                    new Setting(
                            "ibidem.rmi.allow",
                            "",
                            "the classes that it lets in besides, such as com.example.**, com.example.Order"),
                    new Setting(
                            "ibidem.sockets",
                            "",
                            "which destinations the sockets of a program reach by Ibidem; set by ibidem run --sockets"));

    private static final String ANY = "*";

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
