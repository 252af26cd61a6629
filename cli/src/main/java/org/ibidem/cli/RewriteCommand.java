package org.ibidem.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import org.ibidem.cli.run.ClassPath;
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
        description = "Adds code to class files that writes and reads their objects.",
        footer = {
            "",
            "Without rewriting, this code is generated when the first object of a class is",
            "sent. With it, a process starts faster, and a constructor sets final fields. The",
            "bytes sent are the same. Classes that cannot be rewritten are listed and left",
            "alone. Rewriting a class again changes nothing.",
            "",
            "With --satin, calls of methods of a Spawnable interface are spawned. The program",
            "runs as before, and on many processes with 'ibidem run --satin'.",
            "With --rmi, remote calls of java.rmi go through Ibidem, without listeners.",
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
            description = "The folders, jars and class files to rewrite.")
    private List<Path> places = List.of();

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            description = {
                "Folders and jars with classes that CLASSES refer to.",
                "The format is that of the java command. Default: none."
            })
    private String classPath = "";

    @Option(names = "--quiet", description = "Print only the classes that are left alone.")
    private boolean quiet;

    @Option(names = "--satin", description = "Also spawn calls of spawnable methods.")
    private boolean satin;

    @Option(names = "--rmi", description = "Also replace the classes of java.rmi by Ibidem's.")
    private boolean rmi;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
        if (satin && rmi) {
            throw new ParameterException(
                    spec.commandLine(), "--satin and --rmi cannot be combined: rewrite twice.");
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

    private List<Path> known() {
        return ClassPath.parse(classPath).places();
    }

    private int spawning(PrintWriter out) {
        try (var ahead = new Ahead(places, known(), returns())) {
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
            return new Rewriter(known()).rewrite(places);
        } catch (IOException e) {
            throw new IbidemException(String.valueOf(e.getMessage()), e);
        }
    }

    private static long count(List<Verdict> verdicts, Verdict.Kind kind) {
        return verdicts.stream().filter(verdict -> verdict.kind() == kind).count();
    }
}
