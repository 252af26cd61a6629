package org.ibidem.cli;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// One command as its annotations describe it: the one source of its help and of its manual page.
///
/// @param name with those of the commands it belongs to, as `ibidem run`
/// @param synopsis how it is called
/// @param description what it does, the first line whole by itself
/// @param parameters what may follow its options
/// @param commands those below it
/// @param groups its options, by what they are for
/// @param remarks what else is to be known
/// @param examples command lines that work
record Described(
        String name,
        String synopsis,
        List<String> description,
        List<Item> parameters,
        List<Item> commands,
        Map<String, List<Item>> groups,
        List<String> remarks,
        List<String> examples) {
    private static final String EXAMPLE = "Example";
    static final String OTHERS = "Options";

    /// A thing with a name, and what it is: the first line whole by itself, then what it is good to
    /// know.
    record Item(String name, List<String> what) {}

    /// That command.
    static Described of(CommandSpec spec) {
        var name = spec.qualifiedName();
        var footer = List.of(spec.usageMessage().footer());
        int at = 0;
        while (at < footer.size() && !footer.get(at).startsWith(EXAMPLE)) {
            at++;
        }
        var parameters =
                spec.positionalParameters().stream()
                        .filter(each -> each.description().length > 0) // else its name says it
                        .map(each -> new Item(each.paramLabel(), List.of(each.description())))
                        .toList();
        var commands =
                spec.subcommands().entrySet().stream()
                        .map(each ->
                                new Item(
                                        each.getKey(), described(each.getValue().getCommandSpec())))
                        .toList();
        return new Described(
                name,
                synopsis(spec, !commands.isEmpty()),
                described(spec),
                parameters,
                commands,
                groups(spec),
                stripped(footer.subList(0, at)),
                stripped(footer.subList(Math.min(at + 1, footer.size()), footer.size())));
    }

    private static List<String> described(CommandSpec spec) {
        return List.of(spec.usageMessage().description());
    }

    private static List<String> stripped(List<String> lines) {
        return lines.stream().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    private static String synopsis(CommandSpec spec, boolean commands) {
        var parts = new ArrayList<String>(List.of(spec.qualifiedName(), "[OPTIONS]"));
        for (var each : spec.positionalParameters()) {
            var label = each.paramLabel() + (each.isMultiValue() ? "..." : "");
            parts.add(each.arity().min() > 0 ? label : "[" + label + "]");
        }
        if (commands) {
            parts.add(spec.positionalParameters().isEmpty() ? "COMMAND" : "| COMMAND");
        }
        return String.join(" ", parts);
    }

    private static Map<String, List<Item>> groups(CommandSpec spec) {
        var groups = new LinkedHashMap<String, List<Item>>();
        var others = new ArrayList<Item>();
        for (var option : spec.options()) {
            if (option.hidden() || (option.versionHelp() && spec.parent() != null)) {
                continue; // the version is the same for all
            }
            var heading = heading(option);
            var into =
                    heading.equals(OTHERS)
                            ? others
                            : groups.computeIfAbsent(heading, _ -> new ArrayList<>());
            into.add(new Item(names(option), List.of(option.description())));
        }
        groups.put(OTHERS, others);
        return groups;
    }

    private static String heading(OptionSpec option) {
        var group =
                option.userObject() instanceof AnnotatedElement field
                        ? field.getAnnotation(Group.class)
                        : null;
        return group == null ? OTHERS : group.value();
    }

    private static String names(OptionSpec option) {
        var names = String.join(", ", option.names());
        return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
    }
}
