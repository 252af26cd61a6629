package org.ibidem.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.buffer.Tally;
import org.ibidem.monitor.CounterFile;
import org.ibidem.monitor.Monitor;
import org.ibidem.station.NodeRuntime;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `ibidem counters`: what the ports of running processes count, read from their mapped files.
@Command(
        name = "counters",
        mixinStandardHelpOptions = true,
        description = "Shows the counters of the ports in your running processes.",
        footer = {"Example:", "  ibidem counters"})
final class CountersCommand implements Runnable {
    private static final int LABEL = 64;

    @Parameters(paramLabel = "PID", description = "Show these processes only (default: all).")
    private List<Long> processes = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Override
    public void run() {
        var out = spec.commandLine().getOut();
        var folder = NodeRuntime.monitorFolder();
        if (folder.isEmpty()) {
            out.println("counters cannot be seen: the setting ibidem.monitor is off");
        } else {
            show(out, Path.of(folder));
        }
        out.flush();
    }

    private void show(PrintWriter out, Path folder) {
        try {
            boolean any = false;
            for (var file : Monitor.files(folder)) {
                boolean wanted = processes.isEmpty() || processes.contains(Monitor.process(file));
                if (wanted && !Monitor.isGone(file)) {
                    any |= showFile(out, file);
                }
            }
            if (!any) {
                out.println(nobody(folder));
            }
        } catch (IOException e) {
            throw new IbidemException("the counters in " + folder + " cannot be read: " + e, e);
        }
    }

    private String nobody(Path folder) {
        if (processes.isEmpty()) {
            return "no process counts in " + folder + ": none of your processes has a node now";
        }
        var which = processes.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (processes.size() == 1 ? "process " : "none of the processes ")
                + which
                + " counts "
                + (processes.size() == 1 ? "nothing" : "anything")
                + " in "
                + folder
                + ": it has no node, is another user's, or has ended";
    }

    private static boolean showFile(PrintWriter out, Path file) throws IOException {
        try {
            show(out, Monitor.process(file), CounterFile.read(file));
            return true;
        } catch (NoSuchFileException _) {
            return false; // its node or its process has just ended
        }
    }

    private static void show(PrintWriter out, long process, List<CounterFile.Row> rows) {
        out.println("process " + process + ", " + (rows.isEmpty() ? "?" : rows.getFirst().label()));
        var names =
                Stream.of(Tally.What.values())
                        .map(what -> what.name().toLowerCase(Locale.ROOT))
                        .map(name -> String.format("%12s", name))
                        .collect(Collectors.joining());
        out.printf("  %-" + LABEL + "s%s%n", "", names);
        for (var row : rows.subList(Math.min(1, rows.size()), rows.size())) {
            var counts =
                    Stream.of(Tally.What.values())
                            .map(what -> String.format("%12d", row.counts().get(what)))
                            .collect(Collectors.joining());
            out.printf("  %-" + LABEL + "s%s%n", row.label(), counts);
        }
        out.println();
    }
}
