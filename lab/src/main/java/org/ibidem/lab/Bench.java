package org.ibidem.lab;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.bench.busy.BusyBench;
import org.ibidem.lab.bench.crowd.Crowd;
import org.ibidem.lab.bench.duel.Duel;
import org.ibidem.lab.bench.plot.Plot;
import org.ibidem.lab.bench.relay.RelayBench;
import org.ibidem.lab.bench.rmi.RmiBench;
import org.ibidem.lab.bench.satin.SatinBench;
import org.ibidem.lab.bench.serial.Serialization;
import org.ibidem.lab.bench.sites.SitesBench;
import org.ibidem.lab.bench.suite.Suite;
import org.ibidem.lab.bench.wan.WanBench;
import org.ibidem.lab.bench.wrap.WrapBench;
import org.ibidem.lab.programs.ProgramsBench;

/// Where `./bench` begins: runs the benchmark named first with the arguments that follow.
public final class Bench {

    /// One thing that can be measured.
    ///
    /// @param name what it is called on the command line
    /// @param about one line that says what is measured against what
    /// @param main what runs it
    record Entry(String name, String about, Program main) {}

    /// A program that takes arguments and may fail.
    interface Program {
        /// Runs to the end; an exception is a failure.
        void run(String... args) throws Exception;
    }

    /// Those with a program of their own.
    private static final List<Entry> OTHERS =
            List.of(
                    new Entry(
                            "busy",
                            "MPI programs of more processes than cores, beside busy loops, against Open MPI; --cold",
                            BusyBench::run),
                    new Entry(
                            "registry",
                            "thousands of nodes in one pool: join rate, delay of events, memory",
                            Crowd::run),
                    new Entry(
                            "programs",
                            "Netty, gRPC, HttpClient and JDBC as they are: sockets over shm against loopback",
                            ProgramsBench::run),
                    new Entry(
                            "relay",
                            "what a hub forwards against HAProxy in TCP mode, and its memory",
                            RelayBench::run),
                    new Entry(
                            "rmi",
                            "remote calls between two processes over shm and tcp against the JDK's RMI and gRPC",
                            RmiBench::run),
                    new Entry(
                            "satin",
                            "spawned calls against a ForkJoinPool, two processes, stealing on two sites",
                            SatinBench::run),
                    new Entry(
                            "serialization",
                            "object graphs to memory and back against Fory, Kryo, JDK streams and loops by hand",
                            Serialization::run),
                    new Entry(
                            "sites",
                            "sor on two sites: tcp alone against shared memory within and tcp between",
                            SitesBench::run),
                    new Entry(
                            "wan",
                            "long lines: a plain socket against parallel, compress, and auto, which decides",
                            WanBench::run),
                    new Entry(
                            "wrap",
                            "programs as they are against the same under ibidem wrap and ssh -L: connects, redis, iperf3",
                            WrapBench::run),
                    new Entry(
                            "plot", "draws what a benchmark wrote: NAME [JSON [PNG]]", Plot::run));

    /// The benchmarks there are: one line each.
    private static final List<Entry> ENTRIES = entries();

    private static List<Entry> entries() {
        var all = new ArrayList<Entry>();
        for (var benchmark : Suite.ALL) {
            var name = benchmark.name();
            all.add(new Entry(name, benchmark.about(), arguments -> Suite.run(name, arguments)));
        }
        all.addAll(OTHERS);
        return List.copyOf(all);
    }

    private Bench() {}

    /// Runs one benchmark; without a name it lists them all.
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            System.out.println("usage: ./bench NAME [arguments]");
            ENTRIES.forEach(e -> System.out.printf("  %-20s %s%n", e.name(), e.about()));
            return;
        }
        for (var entry : ENTRIES) {
            if (entry.name().equals(args[0])) {
                run(entry, List.of(args).subList(1, args.length).toArray(String[]::new));
                return;
            }
        }
        System.err.println("bench: no benchmark is called '" + args[0] + "'; see ./bench");
        System.exit(2);
    }

    private static void run(Entry entry, String... arguments) throws Exception {
        try {
            entry.main().run(arguments);
        } catch (IllegalArgumentException e) {
            fail(2, e);
        } catch (Duel.Failed e) {
            fail(1, e);
        }
    }

    private static void fail(int status, RuntimeException why) {
        System.err.println("bench: " + why.getMessage());
        System.exit(status);
    }
}
