package org.ibidem.filter.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;

/// Somebody between two ends, who passes on what they say record by record (RFC 8446, section 5.1)
/// and does harm to one of these.
final class Middle {
    private static final int HEADER = 5;

    /// What is done to a record.
    enum Fault {
        /// One bit of it is another.
        FLIP,
        /// It comes twice.
        REPLAY,
        /// It never comes.
        DROP,
        /// It comes behind the next one.
        SWAP,
        /// Another one, of the same kind and length, comes before it.
        INVENT,
        /// A part of it comes, then nothing more, in neither direction.
        CUT
    }

    /// @param fromClient who says the record
    /// @param type its content type, as it can be seen: 20, 21, 22, 23
    /// @param nth of those of this type, from 0
    /// @param where from which bit of it, of as many as a number has
    record Harm(boolean fromClient, int type, int nth, Fault fault, int where) {}

    private final SocketChannel near;
    private final SocketChannel far;
    private final Harm harm;
    private final AtomicInteger done = new AtomicInteger();
    private volatile boolean cut;

    /// @param near leads to the client
    /// @param far leads to the server
    Middle(SocketChannel near, SocketChannel far, Harm harm) {
        this.near = near;
        this.far = far;
        this.harm = harm;
    }

    /// Begins; goes on until both ends have gone.
    void start() throws IOException {
        near.configureBlocking(true);
        far.configureBlocking(true);
        Thread.startVirtualThread(() -> forward(near, far, true));
        Thread.startVirtualThread(() -> forward(far, near, false));
    }

    /// Whether the record to which harm is done came by.
    boolean hasHarmed() {
        return done.get() > 0;
    }

    private void forward(SocketChannel from, SocketChannel to, boolean fromClient) {
        var seen = new int[256];
        byte[] late = {};
        try {
            for (var next = record(from); next.length > 0; next = record(from)) {
                int nth = seen[next[0] & 0xFF]++;
                boolean mine = fromClient == harm.fromClient && next[0] == harm.type;
                if (!mine || nth != harm.nth || next.length == HEADER) {
                    pass(to, next, late);
                    late = new byte[0];
                    continue;
                }
                done.incrementAndGet();
                late = harmed(to, next);
            }
        } catch (IOException _) {
            // one of the ends has gone
        } finally {
            end(to);
        }
    }

    private static void end(SocketChannel to) {
        try {
            to.shutdownOutput();
        } catch (IOException _) {
            // it has gone already
        }
    }

    /// @return what is still to come, behind the next one
    private byte[] harmed(SocketChannel to, byte[] record) throws IOException {
        switch (harm.fault) {
            case FLIP -> pass(to, flipped(record));
            case REPLAY -> pass(to, record, record);
            case SWAP -> {
                return record;
            }
            case INVENT -> pass(to, flipped(record), record);
            case CUT -> {
                pass(to, part(record));
                cut = true;
                end(near);
                end(far);
            }
            case DROP -> {
                // it is gone
            }
        }
        return new byte[0];
    }

    /// In the first four bytes of what the two say in clear stands how long it is: who waits for
    /// more has not been told anything wrong yet.
    private byte[] flipped(byte[] record) {
        var altered = record.clone();
        int from = record[0] == 22 && record.length > HEADER + 4 ? HEADER + 4 : HEADER;
        int bit = Math.floorMod(harm.where, 8 * (record.length - from));
        altered[from + bit / 8] ^= (byte) (1 << bit % 8);
        return altered;
    }

    private byte[] part(byte[] record) {
        var part = new byte[1 + Math.floorMod(harm.where, record.length - 1)];
        System.arraycopy(record, 0, part, 0, part.length);
        return part;
    }

    private void pass(SocketChannel to, byte[]... records) throws IOException {
        for (var record : records) {
            var bytes = ByteBuffer.wrap(record);
            while (!cut && bytes.hasRemaining()) {
                to.write(bytes);
            }
        }
    }

    /// @return a whole one with its header, or nothing: no more comes
    private static byte[] record(SocketChannel from) throws IOException {
        var all = new ByteArrayOutputStream();
        var header = ByteBuffer.allocate(HEADER);
        if (!filled(from, header)) {
            return new byte[0];
        }
        all.writeBytes(header.array());
        var body = ByteBuffer.allocate(Short.toUnsignedInt(header.getShort(3)));
        if (!filled(from, body)) {
            return new byte[0];
        }
        all.writeBytes(body.array());
        return all.toByteArray();
    }

    private static boolean filled(SocketChannel from, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (from.read(into) < 0) {
                return false;
            }
        }
        return true;
    }
}
