package org.ibidem.cli;

import java.io.PrintWriter;
import java.util.Optional;
import org.ibidem.config.Setting;
import org.ibidem.config.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `ibidem explain`: why things are as they are.
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = "Says why things are as they are.",
        subcommands = ExplainCommand.Config.class)
final class ExplainCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name what to explain.");
    }

    /// `ibidem explain config`: each setting, its value, and where that comes from.
    @Command(
            name = "config",
            mixinStandardHelpOptions = true,
            description = "Lists the settings, their values, and where these come from.")
    static final class Config implements Runnable {
        private static final String ANY = "*";

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it before run()
        private CommandSpec spec;

        @Override
        public void run() {
            var out = spec.commandLine().getOut();
            var settings = Settings.system();
            order(out, settings);
            for (var setting : Setting.ALL) {
                if (!setting.name().endsWith(ANY)) {
                    show(out, setting.name(), setting, settings.given(setting.name()));
                } else {
                    show(out, setting.name(), setting, Optional.empty());
                    settings.inFile().stream()
                            .filter(given -> Setting.of(given.name()).equals(Optional.of(setting)))
                            .forEach(given -> show(out, given.name(), setting, Optional.of(given)));
                }
            }
            out.flush();
        }

        private static void order(PrintWriter out, Settings settings) {
            out.println("A setting is looked for in this order; the first that has it counts:");
            out.println("  1  the system property, such as -Dibidem.wait=spin");
            out.println("  2  the environment variable, such as IBIDEM_WAIT=spin");
            out.println(
                    "  3  the configuration file: "
                            + settings.file()
                                    .map(Object::toString)
                                    .orElse(
                                            "none (-Dibidem.config=FILE, IBIDEM_CONFIG, or"
                                                    + " ~/.ibidem/config.properties)"));
            out.println(
                    "  4  what the program says, such as PortType.stack (ibidem.wait: before 1)");
            out.println("  5  the default");
            out.println();
        }

        private static void show(
                PrintWriter out, String name, Setting setting, Optional<Settings.Given> given) {
            var value =
                    given.map(Settings.Given::value)
                            .orElse(setting.byDefault().isEmpty() ? "-" : setting.byDefault());
            var from = given.map(Settings.Given::place).orElse("not set");
            out.printf("%-18s %-16s %s%n", name, value, from);
            out.printf("%-18s   %s%n", "", setting.meaning());
        }
    }
}
