package org.ibidem.dial;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.ibidem.control.Recent;
import org.ibidem.peer.Acquaintance;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Purpose;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// By which methods this node has connected to its peers.
public final class Experience {
    /// The purposes of connections between nodes.
    private static final List<Purpose> CONNECTIONS =
            List.of(Purpose.SERVICE, Purpose.DATA, Purpose.SHARED, Purpose.DATAGRAMS);

    private static final int MOST_REMEMBERED = 4096;
    private static final String SITE = "site ";
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Tasks tasks;
    private final Map<Towards, Worked> worked = Recent.map(MOST_REMEMBERED);
    private final Map<Towards, Deliberation> last = Recent.map(MOST_REMEMBERED);

    /// What worked last, however long ago: for people.
    private final Map<Towards, Worked> history = Recent.map(MOST_REMEMBERED);

    private final Map<String, LearnedLine> lines = Recent.map(MOST_REMEMBERED);

    /// What others had learned of those before.
    private final Map<String, LineFile.Kept> before;

    private final LineFile file;
    private final AtomicBoolean keeps = new AtomicBoolean();

    /// Whom, and what for.
    public record Towards(NodeId peer, Purpose purpose) {}

    /// A method that worked.
    ///
    /// @param when on the clock of the tasks
    record Worked(String method, long when) {}

    /// @param file where what is learned of lines to sites is kept for others
    Experience(Tasks tasks, LineFile file) {
        this.tasks = tasks;
        this.file = file;
        this.before = file.read();
    }

    /// How the last connection came about for which there was a choice.
    public @Nullable Deliberation last(Towards towards) {
        return last.get(towards);
    }

    /// What worked last, if it is to be tried first the next time.
    @Nullable Worked worked(Towards towards) {
        return worked.get(towards);
    }

    /// A connection was made.
    void made(Towards towards, String method) {
        history.remove(towards); // the oldest is the one used longest ago
        history.put(towards, new Worked(method, tasks.nanoTime()));
    }

    /// There was a choice, and this came of it.
    ///
    /// @param known what was tried first because it had worked
    void told(Towards towards, Deliberation told, String known) {
        last.put(towards, told);
        if (told.method().isEmpty()) {
            worked.remove(towards);
        } else if (!known.equals(told.method())) {
            worked.put(towards, new Worked(told.method(), tasks.nanoTime()));
        }
    }

    /// The line to a peer, which it shares with the others of its site where that is known.
    ///
    /// @param site where it is, if that is another one than ours; or an empty text
    public LearnedLine line(NodeId peer, String site) {
        var name = site.isEmpty() ? "node " + peer : SITE + site;
        return lines.computeIfAbsent(name, this::line);
    }

    private LearnedLine line(String name) {
        var line = new LearnedLine(name, tasks::nanoTime, this::learned);
        var kept = before.get(name);
        return kept == null ? line : line.after(kept, file.now());
    }

    /// Soon, as more may come, and not here: nobody waits for a disk.
    private void learned() {
        if (!file.isThere() || keeps.getAndSet(true)) {
            return;
        }
        try {
            tasks.after(
                    SOON,
                    "keeps lines",
                    () -> {
                        keeps.set(false);
                        keep();
                    });
        } catch (IllegalStateException _) {
            // the node is closed, which keeps all
        }
    }

    /// Keeps what was learned of lines to sites: a node's name is another the next time.
    public void keep() {
        if (!file.isThere()) {
            return;
        }
        var learned = new HashMap<String, LineFile.Kept>();
        synchronized (lines) { // as its iterators want it
            lines.forEach((name, line) -> {
                if (name.startsWith(SITE)) {
                    line.kept(file.now()).ifPresent(kept -> learned.put(name, kept));
                }
            });
        }
        file.write(learned);
    }

    /// The peer is gone for good.
    public void forget(NodeId peer) {
        lines.remove("node " + peer);
        for (var purpose : CONNECTIONS) {
            worked.remove(new Towards(peer, purpose));
            history.remove(new Towards(peer, purpose));
        }
    }

    /// What worked last towards a peer, for each purpose, the newest first.
    public List<Acquaintance.Worked> history(NodeId peer) {
        long now = tasks.nanoTime();
        return CONNECTIONS.stream()
                .flatMap(purpose ->
                        Optional.ofNullable(history.get(new Towards(peer, purpose))).stream()
                                .map(it ->
                                        new Acquaintance.Worked(
                                                purpose,
                                                it.method,
                                                Duration.ofNanos(now - it.when))))
                .sorted(Comparator.comparing(Acquaintance.Worked::ago))
                .toList();
    }

    /// The peers of whom there is such a history.
    public Set<NodeId> known() {
        synchronized (history) { // as its iterators want it
            return history.keySet().stream().map(Towards::peer).collect(Collectors.toSet());
        }
    }
}
