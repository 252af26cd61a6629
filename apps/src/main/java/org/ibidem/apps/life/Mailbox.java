package org.ibidem.apps.life;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.ibidem.IbidemException;
import org.ibidem.port.Capability;
import org.ibidem.port.ConnectionUpcall;
import org.ibidem.port.Lost;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// The ports of a process: one that all others write to, and one to each of those it writes to,
/// connected when there is something to say.
///
/// Letters are taken in as they come, so that nobody who writes waits for somebody who writes to
/// him. How many there can be follows from the protocol: the rows of a block, and two generations
/// of edges.
final class Mailbox implements Post, AutoCloseable {
    private static final String NAME = "life";
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final System.Logger LOG = System.getLogger(Mailbox.class.getName());

    private final Node node;
    private final PortType type;
    private final Consumer<Note> to;
    private final ReceivePort in;
    private final Map<NodeId, SendPort> out = new HashMap<>();

    /// What a process is told from outside.
    sealed interface Note {}

    /// A letter came.
    ///
    /// @param from whose
    /// @param letter it
    record Mail(NodeId from, Letter letter) implements Note {}

    /// A connection broke, or could not be made: letters may be lost.
    ///
    /// @param with whom
    record Broken(NodeId with) implements Note {}

    /// A letter came that is none.
    ///
    /// @param why what is wrong with it
    record Unreadable(IbidemException why) implements Note {}

    /// @param to who gets letters and troubles, from any thread
    Mailbox(Node node, Options options, Consumer<Note> to) {
        this.node = node;
        this.to = to;
        this.type =
                PortType.manyToOne()
                        .with(Capability.UPCALLS, Capability.CONNECTION_UPCALLS)
                        .stack(options.stack());
        var setup =
                ReceiveSetup.USUAL
                        .upcall(message -> to.accept(read(message, options.size())))
                        .connections(
                                new ConnectionUpcall() {
                                    @Override
                                    public void lost(ReceivePort port, Lost<Origin> connection) {
                                        if (connection.broken()) {
                                            to.accept(new Broken(connection.peer().node()));
                                        }
                                    }
                                });
        this.in = ReceivePort.open(node, type, NAME, setup);
    }

    private static Note read(ReadMessage message, int size) {
        try {
            return new Mail(message.origin().node(), LetterCoding.read(message, size));
        } catch (IbidemException e) {
            return new Unreadable(e);
        }
    }

    @Override
    public void send(NodeId to, Letter letter) {
        if (to.equals(node.id())) {
            this.to.accept(new Mail(to, letter));
            return;
        }
        try (var message = port(to).newMessage()) {
            LetterCoding.write(letter, message);
            message.finish();
        } catch (IbidemException e) {
            LOG.log(System.Logger.Level.DEBUG, "not sent to {0}: {1}", to.brief(), e.getMessage());
            forget(to);
            node.maybeDead(to, "a letter could not be sent to it: " + e.getMessage());
            this.to.accept(new Broken(to));
        }
    }

    private SendPort port(NodeId to) {
        var known = out.get(to);
        if (known != null) {
            return known;
        }
        var port = SendPort.open(node, type, NAME);
        try {
            port.connect(to, NAME, LIMIT);
        } catch (IbidemException e) {
            port.close();
            throw e;
        }
        out.put(to, port);
        return port;
    }

    /// Ends the connection to one that is gone.
    void forget(NodeId gone) {
        var port = out.remove(gone);
        if (port != null) {
            port.close();
        }
    }

    @Override
    public void close() {
        out.values().forEach(SendPort::close);
        in.close();
    }
}
