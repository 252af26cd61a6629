package org.ibidem.lab.net;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.lab.net.plan.Addresses;

/// A host or a gateway of a laboratory that is up.
public final class Machine {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int MOST_SHOWN = 200;
    private static final String IN_FOLDER = "cd \"$1\" && shift && exec \"$@\"";

    private final Lab lab;
    private final String name;
    private final long pid;

    Machine(Lab lab, String name, long pid) {
        this.lab = lab;
        this.name = name;
        this.pid = pid;
    }

    /// Its name.
    public String name() {
        return name;
    }

    /// The addresses it has, or of a gateway the public ones; IPv4 first.
    ///
    /// @throws LabFailed when this laboratory was found by its name: its description is not known
    public List<String> addresses() {
        return new Addresses(lab.network()).of(name);
    }

    /// Its first address.
    public String address() {
        return addresses().getFirst();
    }

    /// The command that runs another on this machine, in the present folder. When it is killed, so
    /// is the other.
    public List<String> command(String... program) {
        var command = new ArrayList<>(lab.entry());
        command.addAll(List.of("nsenter", "-t", String.valueOf(pid), "-m", "-u", "-n", "--"));
        command.addAll(List.of("setpriv", "--pdeathsig", "KILL", "--"));
        command.addAll(List.of("sh", "-c", IN_FOLDER, "sh", Path.of("").toAbsolutePath() + ""));
        command.addAll(List.of(program));
        return command;
    }

    /// Starts a program here.
    public Running start(String... program) {
        try {
            var process = new ProcessBuilder(command(program)).redirectErrorStream(true).start();
            var running = new Running(what(program) + " on " + name, process);
            lab.started(running);
            return running;
        } catch (IOException e) {
            throw new LabFailed("nothing can be started on " + name, e);
        }
    }

    private static String what(String... program) {
        if (program[0].equals("env")) { // of a JVM it is mostly its class path
            return "java";
        }
        var all = String.join(" ", program);
        return all.length() > MOST_SHOWN ? all.substring(0, MOST_SHOWN) + "..." : all;
    }

    /// Starts a class's `main` here, in a JVM that begins quickly and has this one's class path.
    public Running java(Class<?> main, String... arguments) {
        return java(List.of(), main, arguments);
    }

    /// The same with options for the JVM; those that begin with no `-` are variables for its
    /// environment, as `NAME=VALUE`.
    public Running java(List<String> options, Class<?> main, String... arguments) {
        var program = new ArrayList<>(List.of("env"));
        options.stream().filter(option -> !option.startsWith("-")).forEach(program::add);
        program.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        program.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m"));
        // Their files are named by process ids, which mean something else in here.
        program.add("-XX:-UsePerfData");
        program.add("--enable-native-access=ALL-UNNAMED");
        options.stream().filter(option -> option.startsWith("-")).forEach(program::add);
        program.addAll(ClassCache.arguments());
        program.add(main.getName());
        program.addAll(List.of(arguments));
        return start(program.toArray(String[]::new));
    }

    static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .reduce((one, other) -> one + File.pathSeparator + other)
                .orElse("");
    }

    /// Runs a program here to its end.
    ///
    /// @return the lines it printed
    /// @throws LabFailed when it fails, with what it printed
    public List<String> run(String... program) {
        try (var running = start(program)) {
            int code = running.code(LONG);
            if (code != 0) {
                throw new LabFailed(
                        String.join(" ", program)
                                + " on "
                                + name
                                + " failed ("
                                + code
                                + "): "
                                + String.join("\n", running.lines()));
            }
            return running.lines();
        }
    }

    /// Forgets every connection and every mapping, as a NAT does that is rebooted.
    ///
    /// @throws LabRefused when this machine lacks the program for it
    public void forgetConnections() {
        Isolation.require(List.of("conntrack conntrack"));
        run("conntrack", "-F");
    }

    /// From its next packet on, a TCP connection without packets is forgotten after so long.
    public void forgetAfter(Duration idle) {
        run(
                "sh",
                "-c",
                "echo "
                        + idle.toSeconds()
                        + " >/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_established");
    }

    @Override
    public String toString() {
        return name;
    }
}
