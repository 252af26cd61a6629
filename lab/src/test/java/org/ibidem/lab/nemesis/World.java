package org.ibidem.lab.nemesis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ibidem.Forwarder;
import org.ibidem.lab.badday.FakeClock;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.Notebook;

/// The hub, the processes with nodes, and what stands between them.
final class World implements AutoCloseable {
    static final String POOL = "siege";

    /// A peer is silent after three of them. The shortest there is.
    static final Duration HEARTBEAT = Duration.ofSeconds(1);

    /// After this a silent member is dead. Where processors are few, one that does all it can needs
    /// some seconds to be back with a hub that was started again.
    static final Duration SUSPICION = Duration.ofSeconds(10);

    /// How a call may exceed its limit: the hub has a second to end its waiting, and the processes
    /// of a whole pool run on this machine.
    static final Duration SLACK = Duration.ofMillis(2_500);

    private static final String STATE = "state";
    private static final List<String> NOTHING = List.of();

    final Path folder;
    final Notebook notes;
    final Disk disk;
    final FakeClock clock;
    final Forwarder near;
    final Forwarder far;

    private final long seed;
    private final Map<String, Child> workers = new TreeMap<>();
    private final int hubPort;
    private Child hub;
    private int phase;
    private int victims;
    private int starts;

    /// @param folder for all that is written down
    World(Path folder, Disk disk, long seed) throws Exception {
        this.folder = folder;
        this.disk = disk;
        this.seed = seed;
        notes = new Notebook(folder.resolve("nemesis.txt"));
        clock = new FakeClock(folder);
        hub = hub(0);
        hubPort = Integer.parseInt(hub.said("ready").split(" ", -1)[1]);
        near = new Forwarder("near", hubPort);
        far = new Forwarder("far", hubPort);
        begin("first", direct("ORDERED", false), direct("EVENTUAL", false), direct("NONE", false));
        begin(
                "second",
                by(near, "ORDERED", true),
                by(near, "NONE", true),
                direct("EVENTUAL", true));
        replaceVictim();
    }

    private String direct(String membership, boolean open) {
        return "direct:" + hubPort + ":" + membership + ":" + (open ? "open" : "local");
    }

    private static String by(Forwarder forwarder, String membership, boolean open) {
        return forwarder.name()
                + ":"
                + forwarder.port()
                + ":"
                + membership
                + ":"
                + (open ? "open" : "local");
    }

    // The hub.

    private Child hub(int port) throws IOException {
        var within = new ArrayList<>(disk.within());
        within.addAll(clock.command());
        starts++;
        return new Child(
                "hub",
                within,
                folder.resolve("hub.log"),
                HubMain.class,
                port,
                disk.folder().resolve(STATE),
                SUSPICION.toMillis());
    }

    /// Starts it again.
    ///
    /// @return what it says: `ready PORT`, or `refuses WHY`
    String startHub() throws Exception {
        hub = hub(hubPort);
        return hub.said("ready", "refuses");
    }

    void killHub() {
        hub.close();
    }

    Child hub() {
        return hub;
    }

    /// How often it was started.
    int starts() {
        return starts;
    }

    Path journal() throws IOException {
        return disk.journal(STATE);
    }

    // The others.

    private void begin(String name, String... places) throws Exception {
        var arguments =
                new ArrayList<Object>(
                        List.of(
                                name,
                                folder.resolve(name + ".txt"),
                                seed + 1_000L * workers.size(),
                                phase));
        arguments.addAll(List.of(places));
        var log = folder.resolve("workers.log");
        // What its nodes send goes through the hub, which is killed, stopped and cut off.
        var within =
                name.equals("second")
                        ? List.of(
                                "env",
                                "IBIDEM_METHODS=routed, direct",
                                "IBIDEM_COSTS=routed=0ms, direct=2s")
                        : NOTHING;
        workers.put(name, new Child(name, within, log, Worker.class, arguments.toArray()));
        workers.get(name).said("ready");
    }

    /// The process that may be killed, or stopped for long.
    String victim() {
        return "victim" + victims;
    }

    void killVictim() {
        notes.note(victim(), "killed");
        workers.remove(victim()).close();
    }

    void replaceVictim() throws Exception {
        victims++;
        begin(
                victim(),
                direct("ORDERED", false),
                by(far, "EVENTUAL", false),
                by(far, "NONE", true));
    }

    void stop(String worker) throws Exception {
        notes.note(worker, "stopped");
        workers.get(worker).signal("STOP");
    }

    void goOn(String worker) throws Exception {
        workers.get(worker).signal("CONT");
        notes.note(worker, "continued");
    }

    /// How many calls each process has done.
    Map<String, Long> done() throws InterruptedException {
        var done = new TreeMap<String, Long>();
        for (var worker : workers.entrySet()) {
            worker.getValue().tell("done");
            var said = worker.getValue().said("done");
            done.put(worker.getKey(), Long.parseLong(said.split(" ", -1)[1]));
        }
        return done;
    }

    /// From now on all use other names.
    void nextPhase() {
        phase++;
        workers.values().forEach(worker -> worker.tell("phase " + phase));
    }

    /// Tells all, and waits until all have done it.
    void tell(String word) throws InterruptedException {
        workers.values().forEach(worker -> worker.tell(word));
        for (var worker : workers.values()) {
            worker.said(word);
        }
    }

    void settle() throws InterruptedException {
        workers.get("first").tell("settle");
        workers.get("first").said("settle");
    }

    History history() throws IOException {
        try (var files = Files.list(folder)) {
            return History.read(
                    files.filter(file -> file.toString().endsWith(".txt")).sorted().toList());
        }
    }

    @Override
    public void close() throws IOException {
        workers.values().forEach(Child::close);
        hub.close();
        near.close();
        far.close();
        notes.close();
    }
}
