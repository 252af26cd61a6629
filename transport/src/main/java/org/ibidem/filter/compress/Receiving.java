package org.ibidem.filter.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.ibidem.codec.Codec;
import org.ibidem.link.ByteStream;
import org.ibidem.wait.Armed;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// The receiving side: gives the bytes of one block after the other. Plain ones go straight into
/// the reader's memory; coded ones need the whole block, and grow in the reader's memory where that
/// has room, else in a borrowed buffer. One thread reads.
final class Receiving implements WaitableOver {
    private static final int USUAL = 16 << 10;

    private final ByteStream stream;
    private final Waitable readable;
    private final List<Codec> codecs;
    private final Workshop workshop;
    private final ByteBuffer usual = ByteBuffer.allocateDirect(USUAL).limit(0);

    /// What has come and is not looked at: `usual`, or borrowed for a large block.
    private ByteBuffer in = usual;

    /// What of a block the reader had no room for.
    private @Nullable ByteBuffer rest;

    /// Bytes of a plain block still to come.
    private int plain;

    /// There was no more to be read when last looked, and nothing is here to be given.
    private boolean exhausted;

    private boolean ended;

    /// @param codecs those that the other end may use
    Receiving(ByteStream stream, List<Codec> codecs) {
        this(stream, codecs, Workshop.SHARED);
    }

    Receiving(ByteStream stream, List<Codec> codecs, Workshop workshop) {
        this.workshop = workshop;
        this.stream = stream;
        this.readable = Waitable.of(stream.readable());
        this.codecs = codecs;
    }

    int read(ByteBuffer into) throws IOException {
        exhausted = false;
        int before = into.remaining();
        try {
            while (into.remaining() == before && before > 0 && step(into)) {
                // what is here is given first: the next look below may say that it is broken
            }
        } catch (IOException e) {
            giveUp();
            throw e;
        }
        int got = before - into.remaining();
        return got > 0 || !ended ? got : -1;
    }

    /// Nothing more will come: what was borrowed is given back.
    private void giveUp() {
        workshop.giveBack(rest);
        rest = null;
        backToUsual();
    }

    /// @return false: nothing more is there now
    private boolean step(ByteBuffer into) throws IOException {
        var grown = rest;
        if (grown != null) {
            move(grown, into, grown.remaining());
            if (!grown.hasRemaining()) {
                workshop.giveBack(grown);
                rest = null;
            }
            return true;
        }
        return plain > 0 ? plain(into) : has(Header.PLAIN) && block(into);
    }

    private boolean plain(ByteBuffer into) throws IOException {
        if (in.hasRemaining()) {
            plain -= move(in, into, plain);
            return true;
        }
        int limit = into.limit();
        into.limit(into.position() + Math.min(plain, into.remaining()));
        try {
            int got = stream.read(into);
            plain -= Math.max(0, got);
            return came(got);
        } finally {
            into.limit(limit);
        }
    }

    private boolean came(int got) {
        ended = got < 0;
        exhausted = got == 0;
        return got > 0;
    }

    private static int move(ByteBuffer from, ByteBuffer to, int most) {
        int bytes = Math.min(most, Math.min(from.remaining(), to.remaining()));
        to.put(to.position(), from, from.position(), bytes).position(to.position() + bytes);
        from.position(from.position() + bytes);
        return bytes;
    }

    /// Begins a block; if it is coded, gives it.
    ///
    /// @return false: it is not here as a whole
    private boolean block(ByteBuffer into) throws IOException {
        int header = in.getInt(in.position());
        int length = header & Header.LENGTH_MASK;
        int number = header >>> Header.CODEC_SHIFT;
        if (length == 0 || length > Header.BLOCK) {
            throw refused("a block of " + length + " bytes; there are 1 to " + Header.BLOCK);
        }
        if (number == 0) {
            in.position(in.position() + Header.PLAIN);
            plain = length;
            return true;
        }
        var codec = codec(number);
        if (!has(Header.CODED)) {
            return false;
        }
        long grown = Integer.toUnsignedLong(in.getInt(in.position() + Header.PLAIN));
        if (grown == 0 || grown > Header.BLOCK) {
            throw refused(
                    "a block that says it grows to " + grown + " bytes; 1 to " + Header.BLOCK);
        }
        if (!has(Header.CODED + length)) {
            return false;
        }
        in.position(in.position() + Header.CODED);
        decode(codec, length, (int) grown, into);
        if (!in.hasRemaining()) {
            backToUsual();
        }
        return true;
    }

    private Codec codec(int number) throws IOException {
        for (var codec : codecs) {
            if (codec.number() == number) {
                return codec;
            }
        }
        throw refused("a block of codec " + number + ", which was not agreed on");
    }

    private void decode(Codec codec, int length, int grown, ByteBuffer into) throws IOException {
        boolean fits = into.remaining() >= grown;
        var to = fits ? into.slice(into.position(), grown) : workshop.borrow().limit(grown);
        var from = in.slice(in.position(), length);
        var decoder = workshop.decoder(codec);
        boolean done = false;
        try {
            decoder.decode(from, to);
            done = true;
        } catch (IOException e) {
            throw refused("a block that is none: " + e.getMessage());
        } finally {
            if (done) {
                workshop.giveBack(codec, decoder);
            } else {
                decoder.close();
                workshop.giveBack(fits ? null : to);
            }
        }
        in.position(in.position() + length);
        if (fits) {
            into.position(into.position() + grown);
        } else {
            rest = to.flip();
        }
    }

    private IOException refused(String what) {
        stream.close();
        return new IOException("the peer sent " + what + "; the connection was closed");
    }

    /// Reads until so much is in one piece.
    ///
    /// @return false: it has not come
    private boolean has(int bytes) throws IOException {
        while (in.remaining() < bytes) {
            makeRoom(bytes);
            if (!came(more())) {
                return false;
            }
        }
        return true;
    }

    /// Reads behind what is here. Without a view of the buffer: made anew for each read, one came
    /// out as null of a compiled `StreamOverFrames.read` (JDK 25).
    private int more() throws IOException {
        int from = in.position();
        int end = in.limit();
        in.limit(in.capacity()).position(end);
        try {
            return stream.read(in);
        } finally {
            in.limit(in.position()).position(from);
        }
    }

    /// Room for a block of so many bytes, and more where there is.
    private void makeRoom(int bytes) {
        if (bytes > in.capacity()) {
            var large = workshop.borrow();
            in = large.put(in).flip().order(ByteOrder.LITTLE_ENDIAN);
        } else if (!in.hasRemaining()) {
            backToUsual();
        } else if (in.position() + bytes > in.capacity()) {
            in.compact().flip();
        }
        in.order(ByteOrder.LITTLE_ENDIAN);
    }

    private void backToUsual() {
        if (in.capacity() > usual.capacity()) {
            workshop.giveBack(in);
            in = usual;
        }
        in.position(0).limit(0);
    }

    @Override
    public Waitable below() {
        return readable;
    }

    /// What is here already would never wake anyone.
    @Override
    public Armed arm() {
        if (!exhausted) {
            return Armed.READY;
        }
        if (!in.hasRemaining()) {
            backToUsual();
        }
        return readable.arm();
    }

    @Override
    public SleepTraits traits() {
        return readable.traits().looksOnce().staysWith(readable.traits());
    }
}
