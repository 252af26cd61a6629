package org.ibidem.lab.net.keeper;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.net.emulator.Emulator;
import org.ibidem.lab.net.emulator.Fate;
import org.ibidem.lab.net.emulator.Tamperer;
import org.ibidem.lab.net.plan.Line;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Way;

/// Answers those who want to change or see something. A connection asks one thing with one line and
/// gets lines; the first is `ok` or `no` and why.
///
/// ```
/// set WAYS SETTINGS   changes lines
/// lines               each direction of each way: its name, settings, and counts
/// harm FROM TO HARM TYPE LEAST
///                     does harm to a record of TLS, as `Tamperer` says
/// harmed              whether it was done
/// fates               what was dropped outside the lines, and how late packets are
/// mark                the number of the next packet's record
/// records FROM        the records from that number on
/// reset               all lines as they were described
/// end                 ends the laboratory
/// ```
final class Control {
    /// Where it is, in this laboratory's own file system.
    static final Path SOCKET = Path.of("/run/control");

    private static final int CHUNK = 2048;

    private final Network network;
    private final Emulator emulator;
    private final List<Way> ways;
    private final ServerSocketChannel server;

    Control(Network network, Emulator emulator) throws IOException {
        this.network = network;
        this.emulator = emulator;
        ways = new ArrayList<>(Way.parse("*-*", network.siteNames()));
        for (var site : network.siteNames()) {
            ways.addAll(Way.parse(site, network.siteNames()));
        }
        reset();
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(SOCKET));
    }

    /// Answers for ever.
    void serve() throws IOException {
        while (true) {
            var channel = server.accept();
            Thread.ofVirtual().start(() -> answer(channel));
        }
    }

    private void answer(SocketChannel channel) {
        try (channel;
                var in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
                var out = new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8))) {
            var line = String.valueOf(in.readLine());
            List<String> answer;
            try {
                answer = answer(line.split(" ", 3));
                out.write("ok\n");
            } catch (IllegalArgumentException e) {
                answer = List.of();
                out.write("no " + e.getMessage() + "\n");
            }
            for (var each : answer) {
                out.write(each + "\n");
            }
            out.flush();
            if (line.equals("end")) {
                Runtime.getRuntime().halt(0);
            }
        } catch (IOException _) {
            // whoever asked has gone
        }
    }

    private List<String> answer(String[] words) {
        return switch (words[0]) {
            case "set" -> set(words[1], words[2]);
            case "lines" -> emulator.ask(() -> ways.stream().map(this::describe).toList());
            case "harm" -> harm(words[1], words[2].split(" ", -1));
            case "harmed" -> emulator.ask(() -> List.of(!emulator.cloud().tamperer().waits() + ""));
            case "fates" -> emulator.ask(this::fates);
            case "mark" -> emulator.ask(() -> List.of(emulator.recorder().next() + ""));
            case "records" -> records(Long.parseLong(words[1]));
            case "reset" -> reset();
            case "end" -> List.of();
            default -> throw new IllegalArgumentException("'" + words[0] + "' is no request");
        };
    }

    private List<String> set(String where, String settings) {
        var meant = Way.parse(where, network.siteNames());
        return emulator.ask(() -> {
            // First all of them, so that a setting that one of them refuses changes none.
            var changed = meant.stream().map(way -> current(way).with(settings)).toList();
            for (int i = 0; i < changed.size(); i++) {
                apply(meant.get(i), changed.get(i));
            }
            return meant.stream().map(this::describe).toList();
        });
    }

    private List<String> harm(String from, String[] words) {
        var order =
                new Tamperer.Order(
                        network.number(from),
                        network.number(words[0]),
                        Tamperer.Harm.valueOf(words[1]),
                        Integer.parseInt(words[2]),
                        Integer.parseInt(words[3]));
        return emulator.ask(() -> {
            emulator.cloud().tamperer().set(order);
            return List.of();
        });
    }

    private List<String> reset() {
        return emulator.ask(() -> {
            ways.forEach(way -> apply(way, network.line(way)));
            emulator.cloud().tamperer().set(null);
            return List.of();
        });
    }

    private Line current(Way way) {
        return emulator.cloud().line(network.number(way.from()), network.number(way.to()));
    }

    private void apply(Way way, Line line) {
        emulator.cloud()
                .set(network.number(way.from()), network.number(way.to()), line, System.nanoTime());
    }

    private String describe(Way way) {
        return way
                + " "
                + current(way)
                + " "
                + emulator.cloud().tally(network.number(way.from()), network.number(way.to()));
    }

    private List<String> fates() {
        var all = new ArrayList<String>();
        for (var fate : Fate.values()) {
            all.add(fate + " " + emulator.cloud().refused(fate));
        }
        all.add("LATENESS " + emulator.cloud().lateness());
        return all;
    }

    /// In pieces, so that the emulator does not stand still for long.
    private List<String> records(long from) {
        long end = emulator.ask(() -> emulator.recorder().next());
        var all = new ArrayList<String>();
        for (long at = from; at < end; at += CHUNK) {
            long begin = at;
            all.addAll(
                    emulator.ask(() -> {
                        if (begin < emulator.recorder().oldest()) {
                            throw new IllegalArgumentException(
                                    "the records from " + begin + " on are no longer all there");
                        }
                        var some = new ArrayList<String>();
                        for (long i = begin; i < Math.min(begin + CHUNK, end); i++) {
                            some.add(emulator.recorder().text(i));
                        }
                        return some;
                    }));
        }
        return all;
    }
}
