package org.ibidem.lab.mutate;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `./ibidem lab mutate CLASS…`; compiled before by `bin/mutate.sh`.
@Command(
        name = "ibidem lab mutate",
        mixinStandardHelpOptions = true,
        description = {
            "Changes one instruction of a class at a time and runs its tests, each time in a process"
                    + " of its own: what no test notices is printed as SURVIVED.",
            "Tests tagged lab, network, fuzz and full are left out."
        })
final class Mutate implements Callable<Integer> {
    private static final Duration START = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    @Parameters(
            paramLabel = "CLASS",
            arity = "0..*",
            description = "such as org.ibidem.hub.pools.Supplies; those within it too")
    private List<String> types = List.of();

    @Option(
            names = "--since",
            paramLabel = "REV",
            description =
                    "the classes that have changed since this revision of git, committed or not;"
                            + " those with no tests beside them are named and left out")
    private String since = "";

    @Option(
            names = "--tests",
            paramLabel = "TEST",
            split = ",",
            description =
                    "test classes, in full; by default those called after the class, else all of"
                            + " its package")
    private List<String> tests = List.of();

    @Option(
            names = "--lines",
            paramLabel = "FROM-TO",
            description = "only these lines of the source")
    private String lines = "0-1000000";

    @Option(names = "--most", paramLabel = "N", description = "so many of each class, by chance")
    private int most = Integer.MAX_VALUE;

    @Option(names = "--seed", paramLabel = "N", description = "of that chance")
    private long seed = 1;

    private int killed;
    private int all;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Mutate()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        var tree = Path.of(System.getProperty("ibidem.home", "."));
        try {
            for (var type : types(tree)) {
                mutate(type, Project.of(type, tree));
            }
        } catch (IllegalArgumentException e) {
            System.err.println("ibidem lab mutate: " + e.getMessage());
            return 2;
        }
        System.out.printf("%d of %d killed, %d survived%n", killed, all, all - killed);
        return 0;
    }

    private List<String> types(Path tree) throws IOException, InterruptedException {
        var all = new ArrayList<>(types);
        if (!since.isEmpty()) {
            all.addAll(Since.types(tree, since));
        } else if (all.isEmpty()) {
            throw new IllegalArgumentException("which class? Name one, or a revision: --since REV");
        }
        return all.stream().distinct().toList();
    }

    private void mutate(String type, Project project) throws Exception {
        var nearest = tests.isEmpty() ? project.nearest(type) : tests;
        if (nearest.isEmpty() && !types.contains(type)) {
            System.out.println("no tests beside " + type);
            return;
        }
        if (nearest.isEmpty()) {
            throw new IllegalArgumentException("no tests beside " + type + ": name some (--tests)");
        }
        var patient = new Runner(project, nearest, LONGEST);
        var unchanged = patient.run("", new byte[0]);
        if (unchanged.killed()) {
            throw new IllegalArgumentException(
                    "the tests fail without a change: " + unchanged.by() + " " + nearest);
        }
        System.out.printf("%s: %s pass in %d ms%n", type, nearest, unchanged.took().toMillis());
        var quick = new Runner(project, nearest, unchanged.took().multipliedBy(3).plus(START));
        try (var loader = new URLClassLoader(urls(project.classPath()), null)) {
            for (var file : project.filesOf(type)) {
                var mutator = new Mutator(Files.readAllBytes(file), loader);
                for (var mutant : chosen(mutator.mutants())) {
                    judge(mutant, quick.run(mutant.type(), mutator.bytes(mutant)));
                }
            }
        }
    }

    private static URL[] urls(String classPath) throws MalformedURLException {
        var urls = new ArrayList<URL>();
        for (var part : classPath.split(File.pathSeparator, -1)) {
            urls.add(Path.of(part).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    private List<Mutant> chosen(List<Mutant> mutants) {
        var ends = lines.split("-", -1);
        var within =
                new ArrayList<>(
                        mutants.stream()
                                .filter(mutant ->
                                        mutant.line() >= Integer.parseInt(ends[0])
                                                && mutant.line() <= Integer.parseInt(ends[1]))
                                .toList());
        if (within.size() > most) {
            Collections.shuffle(within, new Random(seed));
            within.subList(most, within.size()).clear();
            within.sort(java.util.Comparator.comparingInt(Mutant::line));
        }
        return within;
    }

    private void judge(Mutant mutant, Runner.Outcome outcome) throws IOException {
        all++;
        killed += outcome.killed() ? 1 : 0;
        System.out.println(
                outcome.killed()
                        ? "killed   " + mutant + ", by " + outcome.by()
                        : "SURVIVED " + mutant);
    }
}
