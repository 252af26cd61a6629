package org.ibidem.lab.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.lab.net.emulator.Fate;
import org.ibidem.lab.net.emulator.Tally;
import org.ibidem.lab.net.emulator.Tamperer;
import org.ibidem.lab.net.plan.Line;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Way;

/// A laboratory that is up: a [Network] built of the kernel's namespaces, with an emulator between
/// its sites.
///
/// One that was made by [#up] is gone, with every process in it, when it is closed, or when the JVM
/// that made it ends in whatever way.
public final class Lab implements AutoCloseable {
    private final Network network;
    private final KeeperProcess keeper;
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final List<Running> started = new ArrayList<>();

    Lab(Network network, KeeperProcess keeper) {
        this.network = network;
        this.keeper = keeper;
        keeper.machines().forEach((name, pid) -> machines.put(name, new Machine(this, name, pid)));
    }

    /// Builds a network, in the best way this machine allows.
    ///
    /// @throws LabRefused when it allows none; the message says why
    /// @throws LabFailed when the network cannot be built
    public static Lab up(Network network) {
        return up(network, Isolation.best(network));
    }

    /// Builds a network in this way.
    ///
    /// @throws LabRefused when something is lacking that the network needs
    /// @throws LabFailed when the network cannot be built
    public static Lab up(Network network, Isolation isolation) {
        return new Lab(network, KeeperProcess.leashed(network, isolation));
    }

    /// Builds a network that stays up when this JVM ends, until somebody ends it.
    ///
    /// @param name by which it is found again
    /// @throws LabRefused when this machine allows none, or something is lacking
    /// @throws LabFailed when the network cannot be built, or one of this name is up
    public static Lab stay(Network network, String name) {
        return new Lab(network, KeeperProcess.free(network, Isolation.best(network), name));
    }

    /// One that was told to stay up.
    ///
    /// @throws LabFailed when there is none of this name, of this user
    public static Lab find(String name) {
        var keeper =
                KeeperProcess.find(name)
                        .orElseThrow(() -> new LabFailed("no laboratory '" + name + "' is up"));
        return new Lab(keeper.network(), keeper);
    }

    /// The names of those of this user that were told to stay up.
    public static List<String> names() {
        return KeeperProcess.names();
    }

    /// What is built here.
    public Network network() {
        return network;
    }

    /// How it is kept apart from the rest of the machine.
    public Isolation isolation() {
        return keeper.isolation();
    }

    /// Are delays exact also when the machine is busy?
    public boolean exact() {
        return keeper.exact();
    }

    /// Is it still there?
    public boolean isAlive() {
        return keeper.handle().isAlive();
    }

    /// The process id of its first process.
    public long pid() {
        return keeper.pid();
    }

    /// The hosts and gateways, by name.
    public Map<String, Machine> machines() {
        return Collections.unmodifiableMap(machines);
    }

    /// A host or a gateway.
    ///
    /// @throws IllegalArgumentException when there is none of this name
    public Machine machine(String name) {
        network.siteOf(name);
        var machine = machines.get(name);
        if (machine == null) {
            throw new IllegalArgumentException("there is no machine '" + name + "'");
        }
        return machine;
    }

    /// Changes lines while they are in use; written as in [Way#parse] and [Line#of].
    ///
    /// @return the state of those
    /// @throws IllegalArgumentException that says what is wrong
    public Map<Way, State> set(String ways, String settings) {
        return states(ask("set " + ways + " " + settings));
    }

    /// Does harm to a record of TLS between two sites: the first of a type, and of so many bytes at
    /// least, that comes from now on at the beginning of a packet, over IPv4.
    public void harm(String from, String to, Tamperer.Harm harm, int type, int least) {
        ask("harm " + from + " " + to + " " + harm + " " + type + " " + least);
    }

    /// Whether it was done.
    public boolean hasHarmed() {
        return Boolean.parseBoolean(ask("harmed").getFirst());
    }

    /// Makes all lines what they were described to be, and does no more harm.
    public void reset() {
        ask("reset");
    }

    /// What a line is set to now, and what it has done.
    ///
    /// @param line as it is set
    /// @param tally what it did
    public record State(Line line, Tally tally) {}

    /// The state of every line, in the order of the sites.
    public Map<Way, State> lines() {
        return states(ask("lines"));
    }

    private static Map<Way, State> states(List<String> lines) {
        var all = new LinkedHashMap<Way, State>();
        for (var text : lines) {
            var words = text.split(" ", 7);
            var line = Line.of(String.join(" ", List.of(words).subList(1, 6)));
            int arrow = words[0].indexOf('>');
            all.put(
                    new Way(words[0].substring(0, arrow), words[0].substring(arrow + 1)),
                    new State(line, Tally.parse(words[6])));
        }
        return all;
    }

    /// What the line from one site to another has done; an empty name is the middle.
    public Tally tally(String from, String to) {
        var state = lines().get(new Way(from, to));
        if (state == null) {
            throw new IllegalArgumentException("there is no line " + from + ">" + to);
        }
        return state.tally();
    }

    /// How many packets ended so, of those that no line counts.
    public long refused(Fate fate) {
        return ask("fates").stream()
                .filter(line -> line.startsWith(fate + " "))
                .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]))
                .sum();
    }

    /// Where in the records the next packet will be: to be given to [#since].
    public long mark() {
        return Long.parseLong(ask("mark").getFirst());
    }

    /// What the emulator wrote down since a mark: every packet between two sites, with what became
    /// of it. The last 131 072 packets are kept.
    ///
    /// @throws IllegalArgumentException when some of them are not there any more
    public Trace since(long mark) {
        return Trace.parse(ask("records " + mark), network);
    }

    /// Asks the keeper something.
    ///
    /// @throws IllegalArgumentException when it refuses
    /// @throws LabFailed when the laboratory is not there any more
    List<String> ask(String request) {
        var lines = new ArrayList<String>();
        var socket = UnixDomainSocketAddress.of(keeper.inside(Path.of("/run/control")));
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(socket);
            channel.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
            var in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            throw new LabFailed("the laboratory does not answer: " + e.getMessage(), e);
        }
        var verdict = lines.isEmpty() ? "no answer came" : lines.removeFirst();
        if (!verdict.equals("ok")) {
            throw new IllegalArgumentException(verdict.replaceFirst("^no ", ""));
        }
        return lines;
    }

    List<String> entry() {
        return keeper.isolation().entry(keeper.pid());
    }

    synchronized void started(Running running) {
        programs();
        started.add(running);
    }

    /// The programs that were started through this object and run.
    public synchronized List<Running> programs() {
        started.removeIf(each -> !each.isAlive());
        return List.copyOf(started);
    }

    /// Ends the laboratory and everything in it; returns when it is gone.
    @Override
    public void close() {
        keeper.end();
    }
}
