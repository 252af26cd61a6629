package org.ibidem.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;

/// The commands as manual pages, in the macros of `man(7)`: one page each, `ibidem-run.1`.
final class Manual {
    private Manual() {}

    /// The pages of this command and all below it, by the name of their file.
    static Map<String, String> pages(CommandLine line) {
        var pages = new TreeMap<String, String>();
        add(pages, line);
        return pages;
    }

    private static void add(Map<String, String> pages, CommandLine line) {
        var command = Described.of(line.getCommandSpec());
        var title = title(command);
        pages.put(title + ".1", page(title, command));
        line.getSubcommands().values().forEach(each -> add(pages, each));
    }

    private static String title(Described command) {
        return command.name().replace(' ', '-');
    }

    private static String page(String title, Described command) {
        var out = new ArrayList<String>();
        out.add(".TH " + title.toUpperCase(Locale.ROOT) + " 1 \"\" Ibidem");
        out.add(".SH NAME");
        out.add(escaped(title + " - " + shortly(command)));
        out.add(".SH SYNOPSIS");
        out.add(escaped(command.synopsis()));
        out.add(".SH DESCRIPTION");
        text(out, command.description());
        if (!command.remarks().isEmpty()) {
            out.add(".PP");
            text(out, command.remarks());
        }
        items(out, "PARAMETERS", command.parameters());
        items(out, "COMMANDS", command.commands());
        command.groups()
                .forEach((heading, options) ->
                        items(out, heading.toUpperCase(Locale.ROOT), options));
        if (!command.examples().isEmpty()) {
            out.add(".SH EXAMPLES");
            out.add(".nf");
            text(out, command.examples());
            out.add(".fi");
        }
        return String.join("\n", out) + "\n";
    }

    private static String shortly(Described command) {
        var first = command.description().getFirst();
        return first.substring(0, 1).toLowerCase(Locale.ROOT)
                + first.substring(1).replaceFirst("\\.$", "");
    }

    private static void items(List<String> out, String heading, Collection<Described.Item> items) {
        if (items.isEmpty()) {
            return;
        }
        out.add(".SH \"" + heading + "\"");
        for (var item : items) {
            out.add(".TP");
            out.add("\\fB" + escaped(item.name()) + "\\fR");
            text(out, item.what());
        }
    }

    private static void text(List<String> out, List<String> lines) {
        lines.forEach(line -> out.add(escaped(line)));
    }

    /// A line that begins with a dot or an apostrophe would be a request.
    private static String escaped(String line) {
        var text = line.replace("\\", "\\e").replace("-", "\\-");
        return text.startsWith(".") || text.startsWith("'") ? "\\&" + text : text;
    }
}
