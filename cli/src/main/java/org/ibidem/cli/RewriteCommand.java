package org.ibidem.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import org.ibidem.serial.rewrite.Rewriter;
import org.ibidem.serial.rewrite.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem rewrite`: adds to class files the code that writes and reads their objects.
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
            "Examples:",
            "  ibidem rewrite target/classes",
            "  ibidem rewrite app.jar --class-path lib/model.jar"
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

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
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
