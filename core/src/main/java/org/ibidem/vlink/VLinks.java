package org.ibidem.vlink;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.Visible;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.config.Nearest;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.station.Lingers;
import org.ibidem.station.NodeRuntime;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The VLinks of one node: connects them, listens for them; and files, by the same loop.
///
/// ```java
/// var vlinks = VLinks.of(node);
/// var listener = vlinks.listen("echo", "auto", 50);   // at one node
/// var connecting = vlinks.connect(peer, "echo", "auto", "", Duration.ofSeconds(10)); // at another
/// connecting.whenDone(done -> serve(done.result()));
/// ```
public final class VLinks implements AutoCloseable {
    /// For a listener that leaves the stack to who connects, as long as that loses nothing.
    public static final String ANY = "any";

    private static final Duration POLL = Duration.ofMillis(5);

    private final NodeRuntime runtime;
    private final ReceiptLoop loop;
    private final Connecting connecting;
    private final Map<String, VLinkListener> listeners = new ConcurrentHashMap<>();
    private final Set<VLink> open = ConcurrentHashMap.newKeySet();

    /// Closed here, and not over: what was written last is still to leave.
    private final Set<VLink> lingering = ConcurrentHashMap.newKeySet();

    private final Set<WatchedChannel> watched = ConcurrentHashMap.newKeySet();
    private final Files files;
    private volatile boolean closed;

    private VLinks(NodeRuntime runtime) {
        this.runtime = runtime;
        this.loop = new ReceiptLoop(runtime.tasks(), new Waiter(WaitPolicy.SLEEP));
        this.connecting = new Connecting(runtime, this);
        this.files = new Files(runtime.tasks(), loop);
        runtime.closeWith(new WithNode(this));
    }

    /// Those of this node.
    public static VLinks of(Node node) {
        return of(Runtimes.of(node));
    }

    static VLinks of(NodeRuntime runtime) {
        return runtime.room(VLinks.class, () -> new VLinks(runtime));
    }

    /// Listens.
    ///
    /// @param name 1 to 255 bytes, no other listener's of this node
    /// @param stack what VLinks may go over, in the stack notation: `auto` mostly, or [#ANY]
    /// @param backlog how many may wait to be accepted, 1 at least
    /// @throws IllegalArgumentException when an argument is not as said
    /// @throws VLinkFailed when the node is closed
    public VLinkListener listen(String name, String stack, int backlog) {
        checkName(name);
        connecting.check(stack);
        if (backlog < 1) {
            throw new IllegalArgumentException("a backlog of " + backlog + "; 1 is the least");
        }
        requireOpen();
        var listener = new VLinkListener(this, name, stack, backlog);
        if (listeners.putIfAbsent(name, listener) != null) {
            throw new IllegalArgumentException(
                    "this node listens for VLinks to '" + name + "' already");
        }
        return listener;
    }

    private static void checkName(String name) {
        if (name.isEmpty() || name.length() > VLinkRequest.LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "the name of a listener has 1 to " + VLinkRequest.LONGEST_NAME + " bytes");
        }
        Visible.name("the name of a listener", name);
    }

    private void requireOpen() {
        if (closed) {
            throw new VLinkFailed(VLinkFailed.Kind.CLOSED, "the node was closed");
        }
    }

    /// Posts a connect. It completes when the VLink is there, which may be before the other end has
    /// accepted it.
    ///
    /// @param name the listener's
    /// @param stack what it shall go over, in the stack notation: `auto` mostly. It must lose
    ///   nothing
    /// @param note a word for who accepts, at most 512 bytes
    /// @param limit how long it may take
    /// @throws IllegalArgumentException when an argument is not as said
    public Posted<VLink> connect(
            NodeId to, String name, String stack, String note, Duration limit) {
        checkName(name);
        if (stack.equals(ANY)) {
            throw new IllegalArgumentException(
                    "a connecting end names its stack: 'any' is for listeners only");
        }
        connecting.check(stack);
        var posted = new Posted<VLink>();
        try {
            requireOpen();
            connecting.start(posted, new Connecting.Wish(to, name, stack, note), limit);
        } catch (VLinkFailed e) {
            posted.fail(e);
        }
        return posted;
    }

    /// Posts the opening of a file, whose operations are posted like those of VLinks.
    ///
    /// @param options as [java.nio.channels.FileChannel#open] takes them; none: to be read
    /// @throws IllegalArgumentException for `APPEND`, as every operation says where, and for an
    ///   option that is there twice
    public Posted<PostedFile> open(Path path, OpenOption... options) {
        if (closed) {
            var posted = new Posted<PostedFile>();
            posted.fail(new VLinkFailed(VLinkFailed.Kind.CLOSED, "the node was closed"));
            return posted;
        }
        return files.open(path, Set.of(options));
    }

    /// Has the loop look after a channel of the system, too, a socket mostly, which does not block
    /// from now on. It is closed with the node.
    ///
    /// @param channel of the system's own provider, and registered nowhere else
    /// @throws IOException when it is closed already
    /// @throws VLinkFailed when the node is closed; the channel is closed then, too
    public WatchedChannel watch(SelectableChannel channel) throws IOException {
        channel.configureBlocking(false);
        var one = new WatchedChannel(this, channel);
        watched.add(one);
        one.open();
        if (closed) {
            one.close();
            requireOpen();
        }
        return one;
    }

    /// How many VLinks are open at this node.
    public int size() {
        return open.size();
    }

    Files files() {
        return files;
    }

    ReceiptLoop loop() {
        return loop;
    }

    Tasks tasks() {
        return runtime.tasks();
    }

    @Nullable VLinkListener listener(String name) {
        return listeners.get(name);
    }

    /// In words that follow "nobody listens": the nearest name.
    String nearest(String name) {
        return Nearest.to(name, listeners.keySet())
                .map(near -> "; did you mean '" + near + "'?")
                .orElse("");
    }

    void remove(VLinkListener listener) {
        listeners.remove(listener.name(), listener);
    }

    void changed() {
        runtime.channels().changed();
    }

    void add(VLink link) {
        open.add(link);
        link.open();
        if (closed) {
            link.abort("the node was closed");
        }
    }

    void forget(VLink link) {
        open.remove(link);
    }

    void forget(WatchedChannel one, LoopPart place) {
        watched.remove(one);
        loop.remove(place, () -> {});
    }

    /// It was closed here.
    void lingers(VLink link) {
        lingering.add(link);
        if (link.isSaid()) {
            over(link);
        }
    }

    /// What was written to it has left, or never will.
    void over(VLink link) {
        lingering.remove(link);
    }

    /// Closes all of them, and waits until what was written has left, for as long as the node
    /// lingers.
    @Override
    public void close() {
        close(NodeRuntime.linger());
    }

    private void close(Duration limit) {
        closed = true;
        listeners.values().forEach(VLinkListener::close);
        List.copyOf(open).forEach(VLink::close);
        files.close();
        awaitOver(limit);
        List.copyOf(watched).forEach(WatchedChannel::close);
        loop.close();
    }

    private void awaitOver(Duration limit) {
        long end = tasks().deadline(limit);
        try {
            while (!lingering.isEmpty() && end - tasks().nanoTime() > 0) {
                tasks().pause(POLL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// As the node closes them.
    private record WithNode(VLinks all) implements Lingers {
        /// Their loop does so.
        @Override
        public void flushAtOnce() {}

        @Override
        public boolean closeAtOnce() {
            return false;
        }

        @Override
        public void closeWithin(Duration limit) {
            all.close(limit);
        }

        @Override
        public void close() {
            all.close();
        }

        @Override
        public String toString() {
            return "the VLinks of a node";
        }
    }
}
