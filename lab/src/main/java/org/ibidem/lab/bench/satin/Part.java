package org.ibidem.lab.bench.satin;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.ibidem.lab.bench.crowd.Worker;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.satin.Satin;
import org.ibidem.satin.run.ProgramLoader;

/// A process that runs applications, one for each line that it reads (`fib 27 2`), and answers how
/// many nanoseconds each took. Arguments: how it does so, and for Satin the hub's port and a pool.
///
/// | how | |
/// |---|---|
/// | `plain` | as compiled: sequentially |
/// | `fork N` | on a fork-join pool of N threads |
/// | `root` | rewritten, as the root of a pool |
/// | `thief` | runs nothing, and does jobs of the root's |
/// | `spare` | the same, once it is told anything |
///
/// Asked `given`, a root answers how many jobs it has given away, and how many it had back.
final class Part {
    private static final PrintStream ANSWERS = System.out;
    private static final String NOTHING = "0 0";

    private Part() {}

    /// One way to run an application; it gives what that prints.
    private interface Way {
        String run(String name, String... arguments) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "plain" ->
                    serve(
                            (name, its) -> printed(Part.class.getClassLoader(), name, its),
                            () -> NOTHING);
            case "fork" -> {
                try (var pool = new ForkJoinPool(Integer.parseInt(arguments[1]))) {
                    serve((name, its) -> Forked.run(pool, name, its) + ", right", () -> NOTHING);
                }
            }
            default -> satin(arguments);
        }
    }

    private static void satin(String... arguments) throws Exception {
        if (arguments[0].equals("spare")) {
            answer("ready");
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        }
        try (var loader = new ProgramLoader(Part.class.getClassLoader());
                var node = Node.join(Join.pool(arguments[2]).hub("localhost:" + arguments[1]));
                var satin = Satin.open(node, Satin.Options.USUAL.loader(loader))) {
            if (!arguments[0].equals("root")) {
                answer("ready");
                satin.work();
                return;
            }
            satin.run(() -> {
                serve((name, its) -> printed(loader, name, its), () -> given(satin));
                return true;
            });
        }
    }

    private static String given(Satin satin) {
        var so = satin.statistics();
        return so.given() + " " + so.redone();
    }

    private static String main(String name) {
        return "org.ibidem.apps."
                + name
                + "."
                + Character.toUpperCase(name.charAt(0))
                + name.substring(1);
    }

    private static String printed(ClassLoader loader, String name, String... arguments)
            throws Exception {
        var printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Class.forName(main(name), true, loader)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception thrown ? thrown : e;
        } finally {
            System.setOut(ANSWERS);
        }
        return printed.toString(StandardCharsets.UTF_8).strip();
    }

    private static void serve(Way way, Supplier<String> given) throws Exception {
        answer("ready");
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = commands.readLine(); line != null; line = commands.readLine()) {
            if (line.equals("given")) {
                answer(given.get());
            } else {
                serve(way, List.of(line.split(" ", -1)));
            }
        }
    }

    private static void serve(Way way, List<String> words) throws Exception {
        var arguments = words.subList(1, words.size()).toArray(String[]::new);
        long begin = System.nanoTime();
        var said = way.run(words.getFirst(), arguments);
        long nanos = System.nanoTime() - begin;
        if (!said.endsWith(", right")) {
            throw new IOException(words + " " + Arrays.toString(arguments) + " said: " + said);
        }
        answer("" + nanos);
    }

    private static void answer(String what) {
        ANSWERS.println(Worker.ANSWER + what);
        ANSWERS.flush();
    }
}
