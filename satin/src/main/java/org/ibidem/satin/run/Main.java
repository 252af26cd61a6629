package org.ibidem.satin.run;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import org.ibidem.IbidemException;
import org.ibidem.config.Settings;
import org.ibidem.program.Entry;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.TooFewMembers;
import org.ibidem.satin.Satin;
import org.ibidem.satin.Stealing;

/// A process of `ibidem run --satin`. Rank 0 runs the program, the others its jobs.
///
/// Arguments: the program's main class, its arguments. The program is on the class path, and the
/// JVM's system class loader is a [ProgramLoader]. Settings: `ibidem.satin.workers`, how many
/// processes rank 0 waits for before it begins; `ibidem.satin.threads`, workers of this process;
/// `ibidem.satin.stack`, what jobs travel over; `ibidem.satin.copying`, whether it copies all jobs,
/// and says where a sync is missing; `ibidem.satin.stealing`, whom it asks (`cluster-aware`,
/// `random`); `ibidem.satin.returns`, what a `return` in an inlet ends (`method`, `inlet`);
/// `ibidem.satin.statistics`, whether it says at the end what it has done; `ibidem.satin.trace`,
/// the file in which it keeps what its workers do; `ibidem.satin.progress`, how often rank 0 says
/// how far all have come; `ibidem.satin.patience`, for how long the others wait for rank 0.
public final class Main {
    private static final System.Logger LOG = System.getLogger(Main.class.getName());
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(1);
    private static final Duration ALL_HERE_WITHIN = Duration.ofSeconds(60);

    private Main() {}

    /// Runs the program, or jobs of it until the program has ended.
    public static void main(String[] arguments) throws Throwable {
        var settings = Settings.system();
        boolean copying = settings.value("ibidem.satin.copying", false);
        var system = ClassLoader.getSystemClassLoader();
        var loader = system instanceof ProgramLoader ? system : new ProgramLoader(system);
        Thread.currentThread().setContextClassLoader(loader);
        var options =
                new Satin.Options(
                        settings.value("ibidem.satin.threads", 1),
                        settings.value("ibidem.satin.stack", "auto"),
                        loader,
                        Stealing.parse(settings.value("ibidem.satin.stealing", "cluster-aware")),
                        copying,
                        settings.text("ibidem.satin.trace").map(Path::of).orElse(null));
        try (var node = Node.join(Join.fromEnvironment());
                var satin = Satin.open(node, options)) {
            if (node.rank() == 0) {
                var rest = Arrays.copyOfRange(arguments, 1, arguments.length);
                root(node, satin, loader, arguments[0], rest);
            } else {
                satin.work(settings.value("ibidem.satin.patience", Satin.USUAL_PATIENCE));
            }
            if (settings.value("ibidem.satin.statistics", false)) {
                tell(node, satin);
            }
        } catch (Satin.RootLost e) {
            // The message says all there is to say: it is nothing that the program does wrong.
            System.err.println("satin: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void root(
            Node node, Satin satin, ClassLoader loader, String main, String[] arguments)
            throws Throwable {
        int expected = Settings.system().value("ibidem.satin.workers", 1);
        satin.lead(); // before it waits: others wait for that only so long
        try {
            node.awaitMembers(expected, ALL_HERE_WITHIN);
        } catch (TooFewMembers e) {
            LOG.log(Level.WARNING, "begins without waiting any longer: {0}", e.getMessage());
        }
        // Also when the program ends the JVM itself.
        var end = Thread.ofPlatform().name("satin-end").unstarted(() -> terminate(node));
        Runtime.getRuntime().addShutdownHook(end);
        var every = Settings.system().value("ibidem.satin.progress", Duration.ZERO);
        try (var _ = new Progress(satin, every)) {
            satin.run(() -> {
                new Entry(Class.forName(main, false, loader)).call(arguments);
                return true;
            });
        } catch (ExecutionException e) {
            throw e.getCause() == null ? e : e.getCause();
        } finally {
            end(node, satin);
        }
    }

    private static void end(Node node, Satin satin) throws InterruptedException {
        try {
            if (Settings.system().value("ibidem.satin.statistics", false)) {
                Progress.sites(satin.tallies(ANSWERS_WITHIN)).forEach(System.err::println);
            }
        } finally {
            terminate(node);
        }
    }

    private static void terminate(Node node) {
        try {
            if (node.terminated().isEmpty()) {
                node.terminate();
            }
        } catch (IbidemException e) {
            LOG.log(Level.DEBUG, "the others are not told: {0}", e.getMessage());
        }
    }

    private static void tell(Node node, Satin satin) {
        var done = satin.statistics();
        System.err.printf(
                "satin: rank %d did %d stolen jobs, gave %d away, had %d of them back, gave up %d, asked"
                        + " %d times, another site %d, found %d done%n",
                node.rank(),
                done.stolen(),
                done.given(),
                done.redone(),
                done.abandoned(),
                done.asked(),
                done.askedFar(),
                done.reused());
    }
}
