package org.ibidem.lab.nemesis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.lab.history.Notebook;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Departed;
import org.ibidem.registry.Member;
import org.ibidem.topology.NodeId;

/// What one node sends to others while the nemesis is at work: rows of messages, each row over a
/// connection of its own, which the receiver confirms when it has all of it.
///
/// Notes `parcel whole ROW COUNT` where a row has arrived, and `parcel torn ROW I WANTED` where
/// another message came than the one wanted, or with other bytes.
final class Parcels {
    private static final PortType TYPE = PortType.manyToOne().stack("tcp");
    private static final String PORT = "parcels";
    private static final String CONFIRMS = "confirms";
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration CLOSING = Duration.ofSeconds(2);
    private static final long PAUSE = 10_000_000;
    private static final int LARGEST = 20_000;

    private final Client client;
    private final Notebook notes;
    private final Map<String, Integer> wanted = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Void>> sent = new ConcurrentHashMap<>();

    Parcels(Client client, Notebook notes) {
        this.client = client;
        this.notes = notes;
    }

    /// Begins to take what others send.
    void take() {
        var port = ReceivePort.open(client.node(), TYPE, PORT);
        Thread.ofVirtual().start(() -> take(port));
    }

    private void take(ReceivePort port) {
        while (!client.over()) {
            try (var message = port.receive(LOOK)) {
                if (message != null) {
                    take(message);
                }
            } catch (Departed _) {
                return;
            } catch (IbidemException _) {
                LockSupport.parkNanos(PAUSE); // a connection was lost: its sender says so
            }
        }
    }

    private void take(ReadMessage message) {
        var row = message.readString();
        int count = message.readInt();
        int i = message.readInt();
        var bytes = new byte[message.readInt()];
        message.readArray(bytes);
        if (count == 0) {
            var waits = sent.get(row);
            if (waits != null) {
                waits.complete(null);
            }
            return;
        }
        int next = wanted.getOrDefault(row, 0);
        if (i != next || !Arrays.equals(bytes, content(row, i))) {
            notes.note(client.name(), "parcel", "torn", row, i, next);
        }
        wanted.put(row, i + 1);
        if (i + 1 == count) {
            wanted.remove(row);
            notes.note(client.name(), "parcel", "whole", row, count);
            var to = message.origin().node();
            Thread.ofVirtual().start(() -> confirm(row, to));
        }
    }

    private void confirm(String row, NodeId to) {
        try (var out = SendPort.open(client.node(), TYPE, CONFIRMS + row)) {
            out.connect(to, PORT, CLOSING.multipliedBy(2));
            send(out, row, 0, 0, new byte[0]);
        } catch (IbidemException _) {
            // whoever waits for it notes that it did not come
        }
    }

    /// Sends a row, and waits until it has arrived.
    ///
    /// @return `arrived WAY`, or `lost WHY`
    List<?> send(String row, Member to, int count, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        var arrived = new CompletableFuture<Void>();
        sent.put(row, arrived);
        try (var out = SendPort.open(client.node(), TYPE, row)) {
            try {
                out.connect(to.id(), PORT, limit.dividedBy(2));
                var way = out.way().toString();
                for (int i = 0; i < count; i++) {
                    send(out, row, count, i, content(row, i));
                }
                arrived.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                return List.of("arrived", way.contains("routed") ? "routed" : "straight");
            } finally {
                out.close(CLOSING);
            }
        } catch (Departed e) {
            throw e;
        } catch (IbidemException e) {
            if (Thread.interrupted() || e instanceof WaitInterrupted) {
                throw new IbidemException("interrupted", new InterruptedException());
            }
            return List.of("lost", String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw new IbidemException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            return List.of("lost", "nobody has confirmed it");
        } finally {
            sent.remove(row);
        }
    }

    private static void send(SendPort out, String row, int count, int i, byte[] bytes) {
        try (var message = out.newMessage()) {
            message.writeString(row);
            message.writeInt(count);
            message.writeInt(i);
            message.writeInt(bytes.length);
            message.writeArray(bytes);
            message.finish();
        }
    }

    /// It follows from whose it is and from its number.
    private static byte[] content(String row, int i) {
        var random = new Random(31L * row.hashCode() + i);
        var bytes = new byte[random.nextInt(LARGEST)];
        random.nextBytes(bytes);
        return bytes;
    }
}
