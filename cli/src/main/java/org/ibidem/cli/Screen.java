package org.ibidem.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/// What `--help` shows of one command: a screen of 24 lines of 80 columns. Of each description its
/// first line; the rest stands in the manual ([Manual]). Remarks are left out where there is no
/// room for them.
final class Screen {
    static final int LINES = 24;
    static final int COLUMNS = 80;

    private static final String HELP = "  -h, --help ";
    private static final int LEFT = 28;
    private static final int LEFT_OF_COMMANDS = 14;

    private Screen() {}

    /// Has this command and all below it show their help so.
    static void on(CommandLine line) {
        line.setHelpSectionKeys(List.of("screen"));
        line.getHelpSectionMap().put("screen", help -> of(Described.of(help.commandSpec())));
        line.getSubcommands().values().forEach(Screen::on);
    }

    private static String of(Described command) {
        var whole = lines(command, command.remarks());
        var lines = whole.size() <= LINES ? whole : lines(command, List.of());
        if (lines.size() > LINES) {
            lines.removeIf(row -> row.startsWith(HELP)); // who reads this knows that one
        }
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    private static List<String> lines(Described command, List<String> remarks) {
        var lines = new ArrayList<String>();
        lines.add("Usage: " + command.synopsis());
        lines.add(command.description().getFirst());
        command.parameters().forEach(each -> lines.add(row(each, LEFT)));
        if (!command.commands().isEmpty()) {
            lines.add("Commands:");
            command.commands().forEach(each -> lines.add(row(each, LEFT_OF_COMMANDS)));
        }
        command.groups()
                .forEach((heading, options) -> {
                    boolean rest = heading.equals(Described.OTHERS) && options.size() == 1;
                    if (!options.isEmpty()) {
                        if (!rest || command.groups().size() == 1) { // a heading is for several
                            lines.add(heading + ":");
                        }
                        options.forEach(each -> lines.add(row(each, LEFT)));
                    }
                });
        lines.addAll(remarks);
        if (!command.examples().isEmpty()) {
            lines.add(command.examples().size() == 1 ? "Example:" : "Examples:");
            command.examples().forEach(each -> lines.add("  " + each));
        }
        return lines;
    }

    private static String row(Described.Item item, int width) {
        var left = "  " + item.name();
        return left
                + " ".repeat(Math.max(2, width - left.length()))
                + item.what().stream().findFirst().orElse("");
    }
}
