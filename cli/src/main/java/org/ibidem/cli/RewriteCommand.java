package org.ibidem.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import org.ibidem.config.Settings;
import org.ibidem.rmi.rewrite.Programs;
import org.ibidem.rmi.rewrite.Replacing.Replaced;
import org.ibidem.satin.rewrite.Ahead;
import org.ibidem.satin.rewrite.Refused;
import org.ibidem.satin.rewrite.Returns;
import org.ibidem.serial.rewrite.Rewriter;
import org.ibidem.serial.rewrite.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem rewrite`: adds to class files the code that writes and reads their objects; or, with
/// `--satin`, has their calls of spawnable methods spawned; with `--rmi` puts Ibidem's remote calls
/// in the place of the JDK's.
@Command(
        name = "rewrite",
        mixinStandardHelpOptions = true,
        description = "Adds to class files the code that writes and reads their objects.",
        footer = {
            "",
            "Without it that code is made when the first object of a class travels. With it a",
            "process begins faster, and final fields are set by a constructor. The bytes that",
            "travel are the same. Classes that cannot be rewritten are listed and left alone;",
            "rewriting again changes nothing.",
            "",
            "With --satin calls of methods that a Spawnable interface has are spawned. The",
            "program runs as before, and on many processes by ibidem run --satin.",
            "With --rmi a program of java.rmi calls by Ibidem, without listeners.",
            "",
            "Examples:",
            "  ibidem rewrite target/classes",
            "  ibidem rewrite app.jar --class-path lib/model.jar",
            "  ibidem rewrite --satin target/classes"
        })
final class RewriteCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "CLASSES",
            arity = "1..*",
            description = "Folders, jars and class files.")
    private List<Path> places = List.of();

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            split = "[;:]",
            description = "Folders and jars with classes that those know.")
    private List<Path> classPath = List.of();

    @Option(names = "--quiet", description = "List only the classes that are left alone.")
    private boolean quiet;

    @Option(names = "--satin", description = "Have calls of spawnable methods spawned.")
    private boolean satin;

    @Option(names = "--rmi", description = "Have java.rmi be Ibidem's.")
    private boolean rmi;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
        if (satin && rmi) {
            throw new ParameterException(
                    spec.commandLine(), "--satin and --rmi: one after the other.");
        }
        if (satin || rmi) {
            return satin ? spawning(out) : calling(out);
        }
        var verdicts = rewrite();
        for (var verdict : verdicts) {
            if (!quiet || verdict.kind() == Verdict.Kind.LEFT) {
                out.println(verdict);
            }
        }
        out.printf(
                "%d rewritten, %d as before, %d left alone%n",
                count(verdicts, Verdict.Kind.REWRITTEN),
                count(verdicts, Verdict.Kind.AS_BEFORE),
                count(verdicts, Verdict.Kind.LEFT));
        out.flush();
        return 0;
    }

    private int spawning(PrintWriter out) {
        try (var ahead = new Ahead(places, classPath, returns())) {
            var rewritten = ahead.rewrite(what -> out.println("left      " + what));
            if (!quiet) {
                rewritten.forEach((name, calls) ->
                        out.printf("rewritten %s: %d calls are spawned%n", name, calls));
            }
            out.printf("%d rewritten%n", rewritten.size());
            out.flush();
            return 0;
        } catch (Refused e) {
            throw new IbidemException(e.getMessage() + "; nothing was changed", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new IbidemException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Returns returns() {
        return Returns.parse(Settings.system().value("ibidem.satin.returns", "method"));
    }

    private int calling(PrintWriter out) {
        try {
            var all = Programs.rewrite(places);
            for (var one : all) {
                if (one.changed() && !quiet) {
                    out.println("rewritten " + one.name());
                }
                one.left()
                        .forEach(stays ->
                                out.println("left      " + one.name() + ": it uses " + stays));
            }
            out.printf("%d rewritten%n", all.stream().filter(Replaced::changed).count());
            out.flush();
            return 0;
        } catch (IOException | IllegalArgumentException e) {
            throw new IbidemException(String.valueOf(e.getMessage()), e);
        }
    }

    private List<Verdict> rewrite() {
        try {
            return new Rewriter(classPath).rewrite(places);
        } catch (IOException e) {
            throw new IbidemException(String.valueOf(e.getMessage()), e);
        }
    }

    private static long count(List<Verdict> verdicts, Verdict.Kind kind) {
        return verdicts.stream().filter(verdict -> verdict.kind() == kind).count();
    }
}
