package org.ibidem.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ibidem.IbidemException;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The commands that tell of the command itself.
final class Papers {
    private Papers() {}

    private static CommandLine all(CommandSpec spec) {
        return Optional.ofNullable(spec.commandLine().getParent()).orElseThrow();
    }

    /// `ibidem version`.
    @Command(
            name = "version",
            mixinStandardHelpOptions = true,
            versionProvider = Main.Version.class,
            description = "Prints the versions of Ibidem and of Java.",
            footer = {"Example:", "  ibidem version"})
    static final class Versions implements Runnable {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it before run()
        private CommandSpec spec;

        @Override
        public void run() {
            var line = spec.commandLine();
            line.printVersionHelp(line.getOut());
        }
    }

    /// `ibidem completion`.
    @Command(
            name = "completion",
            mixinStandardHelpOptions = true,
            description = "Prints a script that makes bash and zsh complete this command.",
            footer = {
                "Put this line into the shell's start-up file: . <(ibidem completion)",
                "Example:",
                "  ibidem completion"
            })
    static final class Completion implements Runnable {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it before run()
        private CommandSpec spec;

        @Override
        public void run() {
            var out = spec.commandLine().getOut();
            out.println(AutoComplete.bash("ibidem", all(spec)));
            out.flush();
        }
    }

    /// `ibidem man`.
    @Command(
            name = "man",
            mixinStandardHelpOptions = true,
            description = "Writes the manual pages of all commands to a folder.",
            footer = {
                "Read a page with: man FOLDER/ibidem-run.1",
                "Example:",
                "  ibidem man pages"
            })
    static final class Pages implements Callable<Integer> {
        @Parameters(
                paramLabel = "FOLDER",
                description = "The folder to write to; made if it does not exist.")
        @SuppressWarnings("NullAway.Init") // picocli sets it before call()
        private Path folder;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it before call()
        private CommandSpec spec;

        @Override
        public Integer call() {
            var pages = Manual.pages(all(spec));
            try {
                Files.createDirectories(folder);
                for (var page : pages.entrySet()) {
                    Files.writeString(folder.resolve(page.getKey()), page.getValue());
                }
            } catch (IOException e) {
                throw new IbidemException("cannot write the pages into " + folder + ": " + e, e);
            }
            var out = spec.commandLine().getOut();
            out.println(pages.size() + " pages in " + folder);
            out.flush();
            return 0;
        }
    }
}
