package org.ibidem.cli.run;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.ibidem.cli.Group;
import org.ibidem.config.SettingException;
import org.ibidem.config.Settings;
import org.ibidem.registry.Join;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem run`: starts the processes of a job here, with a hub of their own or in a pool of
/// somebody else's.
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Runs a program as several processes that find each other.",
        footer = {
            "",
            "Exit code: 0 when every process ended with 0; otherwise that of the first that",
            "did not, and the others are then ended. 124 when --timeout was reached.",
            "With --satin it is that of rank 0, whose end ends the job.",
            "2 when an option is wrong. The program must end processes that it starts itself.",
            "Rank 0 reads standard input; for the others it is empty.",
            "",
            "Divide and conquer: ibidem run --satin -n 4 Fib.java 40.",
            "Ranks 4 to 7 of 8 here, the others elsewhere:",
            "ibidem run -n 4 --hub gate:8888 --pool heat --total 8 --first 4 sor.",
            "",
            "Example:",
            "  ibidem run -n 2 sor --size 64 --iterations 10"
        })
public final class Run implements Callable<Integer> {
    private static final int MOST_PROCESSES = 1024;
    private static final Duration PROGRESS_SEEN = Duration.ofSeconds(1);
    private static final Duration PROGRESS_READ = Duration.ofSeconds(5);

    /// Those of methods, which have all compiled as soon as a process starts, before they are known
    /// to be needed.
    private static final List<String> NO_PROFILES =
            List.of(
                    "-XX:+IgnoreUnrecognizedVMOptions",
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:-AOTRecordTraining");

    @Group("Processes")
    @Option(
            names = "-n",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of processes to start here (default: 1).")
    private int count;

    @Group("Pool")
    @Option(
            names = "--hub",
            paramLabel = "HOST:PORT",
            description = "The hub to use (default: one in this process).")
    private @Nullable String hub;

    @Group("Pool")
    @Option(
            names = "--pool",
            paramLabel = "NAME",
            description = "The pool's name; needed if other launchers join it.")
    private @Nullable String pool;

    @Group("Processes")
    @Option(
            names = "--total",
            paramLabel = "M",
            description = {
                "Number of processes in the whole pool (default: N).",
                "With 0 the pool is open: any number of processes can join and leave."
            })
    private @Nullable Integer total;

    @Group("Processes")
    @Option(
            names = "--first",
            paramLabel = "R",
            description = "Rank of the first process started here (default: 0).")
    private int first;

    @Group("Pool")
    @Option(
            names = "--open",
            description = {
                "Let processes on other machines connect to these.",
                "They can also connect to the hub in this process, whose address is printed.",
                "The hub then asks no process for the job's key."
            })
    private boolean open;

    @Group("Pool")
    @Option(
            names = {"-v", "--verbose"},
            description = "Print the hub's address and the pool's name.")
    private boolean verbose;

    @Group("Program")
    @Option(
            names = "--java",
            paramLabel = "OPT",
            description = "An option for the JVMs: --java=-Xmx2g; repeatable.")
    private List<String> javaOptions = new ArrayList<>();

    @Group("Program")
    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            defaultValue = "",
            description = "The program's class path (default: this folder).")
    private String classPath = "";

    @Group("Processes")
    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "End the job after this time (default: never).")
    private long timeout;

    @Group("Processes")
    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            defaultValue = "3",
            description = "Time the others get after a failure (default: 3).")
    private long grace;

    @Group("Program")
    @Option(
            names = "--satin",
            description = {
                "Rank 0 runs the program; the others run its jobs.",
                "This is for programs that divide and conquer: their spawned calls are the jobs."
            })
    private boolean satin;

    @Group("Program")
    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = {
                "With --satin: record what its workers do, as JSON.",
                "Perfetto and chrome://tracing show the file. A picture of it, a PNG, is written",
                "to the same folder."
            })
    private @Nullable Path trace;

    @Group("Program")
    @Option(names = "--rmi", description = "Run its java.rmi calls over Ibidem, in an open pool.")
    private boolean rmi;

    @Group("Program")
    @Option(
            names = "--sockets",
            paramLabel = "RULES",
            description = {
                "Destinations that its sockets reach over Ibidem.",
                "For example '*.pool -> rank *', or @FILE; docs/guide/sockets.md lists all forms."
            })
    private @Nullable String sockets;

    @Group("Program")
    @Option(names = "--list", description = "List the applications that come with Ibidem.")
    private boolean list;

    @Option(
            names = "--record",
            hidden = true,
            paramLabel = "FILE",
            description = "Let rank 0 record the classes it loads, for the launcher's build.")
    private @Nullable Path record;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PROGRAM",
            description = "An application (--list), jar, source or main class.")
    private @Nullable String program;

    @Parameters(index = "1..*", paramLabel = "ARG")
    private List<String> arguments = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    private final PrintStream out = System.out;

    /// For picocli.
    public Run() {}

    @Override
    public Integer call() throws InterruptedException {
        if (list) {
            Applications.own()
                    .byName()
                    .values()
                    .forEach(found -> out.printf("%-12s %s%n", found.name(), found.summary()));
            return 0;
        }
        check();
        if (record != null) { // what else a start may need shall be loaded, too
            spec.root().commandLine().getUsageMessage();
            spec.root().version();
        }
        try (var scratch = new Scratch()) {
            return run(scratch);
        } catch (CannotRun | SettingException e) {
            spec.commandLine().getErr().println("ibidem run: " + e.getMessage());
            return spec.exitCodeOnInvalidInput();
        }
    }

    private int run(Scratch scratch) throws InterruptedException {
        var tracing = trace == null ? null : Tracing.into(trace, scratch);
        if (hub != null) {
            var found = find(scratch);
            tell(hub, verbose);
            return run(found, hub, Map.of(), tracing);
        }
        try (var own = new OwnHub(open)) {
            var found = find(scratch);
            tell(Listening.at(own.hub()), verbose || open);
            warn(own.hub().port());
            var address = "localhost:" + own.hub().port();
            return run(found, address, own.environment(), tracing);
        }
    }

    private Program find(Scratch scratch) {
        var found = Program.find(Objects.requireNonNull(program), classPath, scratch);
        MpiPrograms.foreign(found.classPath())
                .ifPresent(place ->
                        spec.commandLine()
                                .getErr()
                                .println(
                                        "ibidem run: the program gets the package mpi of "
                                                + place
                                                + "; leave that out of the class path for"
                                                + " Ibidem's"));
        if (found.mpi() && isOpenPool()) {
            throw new CannotRun(
                    "a program of MPI has as many processes as it begins with: leave out --total 0");
        }
        if (found.mpi()) {
            found = found.with(scratch.folder());
        }
        if (satin) {
            arguments.addFirst(found.main());
            found = SatinPrograms.of(found, scratch);
        } else if (rmi) {
            found = RmiPrograms.of(found);
        } else if (sockets != null) {
            arguments.addFirst(found.main());
            found = SocketPrograms.of(found, sockets);
        }
        return found;
    }

    /// What others need to find the job, or to look into it.
    private void tell(String hubs, boolean wanted) {
        if (wanted) {
            var err = spec.commandLine().getErr();
            err.println("ibidem run: the hub is at " + hubs + ", the pool is " + pool);
            err.flush();
        }
    }

    /// Of what is not as usual.
    private void warn(int port) {
        if (open) {
            var err = spec.commandLine().getErr();
            err.println(
                    "ibidem run: WARNING: --open: any user on any machine that reaches port "
                            + port
                            + " may join this job: it has no key");
            err.flush();
        }
    }

    private int run(
            Program found,
            String address,
            Map<String, String> environment,
            @Nullable Tracing tracing)
            throws InterruptedException {
        var output = new Output(out, System.err, first + count);
        var job =
                new Job(
                        output,
                        Duration.ofSeconds(grace),
                        satin ? 0 : Verdict.NO_ROOT,
                        environment);
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("end-job")
                                .unstarted(() -> end(job, tracing, output)));
        var lastCalls = found.mpi() ? new LastCalls(Path.of(found.scratch())) : null;
        int code;
        try {
            for (int rank = first; rank < first + count; rank++) {
                var options = options(address, rank);
                if (satin) {
                    options.addAll(0, forSatin(rank, output, tracing));
                }
                if (lastCalls != null) {
                    options.addFirst(lastCalls.option(rank));
                }
                job.start(rank, Jvm.command(found, options, arguments));
            }
            code = job.await(timeout == 0 ? Duration.ofDays(365) : Duration.ofSeconds(timeout));
        } finally {
            job.end();
        }
        if (code != 0 && lastCalls != null) {
            lastCalls.lines(first, count).forEach(output::say);
        }
        boolean traced = tracing == null || tracing.end(String.valueOf(program), output);
        return code == 0 && !traced ? 1 : code;
    }

    /// As it ends where it is interrupted.
    private void end(Job job, @Nullable Tracing tracing, Output output) {
        job.end();
        if (tracing != null) {
            tracing.end(String.valueOf(program), output);
        }
    }

    /// How often progress is said goes by where it is seen, unless the user has said it.
    private static List<String> forSatin(int rank, Output output, @Nullable Tracing tracing) {
        var usual = output.replacesErrors() ? PROGRESS_SEEN : PROGRESS_READ;
        var every = Settings.system().value("ibidem.satin.progress", usual);
        var options = new ArrayList<String>();
        options.add("-Dibidem.satin.progress=" + every.toMillis() + "ms");
        if (tracing != null) {
            options.add("-Dibidem.satin.trace=" + tracing.file(rank));
        }
        return options;
    }

    private void check() {
        require(
                program != null,
                "Name a program; --list shows the applications that come with Ibidem.");
        require(
                count >= 1 && count <= MOST_PROCESSES,
                "-n is 1 to " + MOST_PROCESSES + ", not " + count + ".");
        int all = total == null ? count : total;
        require(all >= 0, "--total is 0, for an open pool, or more, not " + all + ".");
        require(
                first >= 0 && (all == 0 || all - count >= first),
                "Ranks "
                        + first
                        + " to "
                        + (first + count - 1)
                        + " do not fit a pool of "
                        + all
                        + ": change -n, --first or --total.");
        require(
                all == count || all == 0 || hub != null,
                "A pool of "
                        + all
                        + " with "
                        + count
                        + " processes here needs a hub that all can reach: --hub.");
        require(
                all == count || all == 0 || pool != null,
                "A pool of several launchers needs a name: --pool.");
        require(
                (sockets == null ? 0 : 1) + (satin ? 1 : 0) + (rmi ? 1 : 0) <= 1,
                "--sockets, --satin and --rmi cannot be combined.");
        require(
                trace == null || satin,
                "--trace needs --satin: it records what Satin's workers do.");
        require(timeout >= 0 && grace >= 0, "Times are 0 seconds or more.");
        if (pool == null) {
            pool =
                    "run-"
                            + ProcessHandle.current().pid()
                            + "-"
                            + Long.toHexString(System.nanoTime());
        }
        if (hub != null) {
            try {
                Join.pool(pool).hub(hub);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), "--hub: " + e.getMessage());
            }
        }
    }

    /// Whether any number of processes may join.
    private boolean isOpenPool() {
        return total != null && total == 0;
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    /// What each process is told, read by the program's `Join.fromEnvironment()`; then the user's
    /// own options.
    private List<String> options(String address, int rank) {
        var options = new ArrayList<String>();
        options.add("-Dibidem.hub=" + address);
        options.add("-Dibidem.pool=" + pool);
        if (satin) {
            // The pool stays open: processes may come while it runs, and others die.
            options.add(
                    "-Dibidem.satin.workers=" + (isOpenPool() || total == null ? count : total));
        } else if (!rmi && !isOpenPool()) { // programs of java.rmi come and go, too
            options.add("-Dibidem.size=" + (total == null ? count : total));
        }
        // Where others have come before, the ranks of an open pool are as they come.
        if (!rmi && !(isOpenPool() && hub != null && first == 0)) {
            options.add("-Dibidem.rank=" + rank);
        }
        options.add("-Dibidem.open=" + open);
        options.addAll(Patience.options());
        options.addAll(javaOptions);
        if (record != null && rank == 0) {
            options.addAll(NO_PROFILES);
            options.add("-XX:AOTCacheOutput=" + record);
        }
        return options;
    }
}
