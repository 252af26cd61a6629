package org.ibidem.satin;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ibidem.IbidemException;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.WriteMessage;
import org.jspecify.annotations.Nullable;

/// What processes of a job tell each other, each a message: a head and a body. Format:
/// `docs/wire/satin.md`.
///
/// @param kind what it says
/// @param number of the question that it asks or answers
/// @param stamp of the job it is about
/// @param body a job, an outcome or a reason
record Letter(Kind kind, long number, long stamp, byte[] body) {
    /// Bytes in front of the body.
    static final int HEAD = 24;

    private static final int TALLY = 5 * Long.BYTES;
    private static final byte[] NOTHING = {};

    /// What a letter says.
    enum Kind {
        /// Have you a job for me?
        ASK(0),
        /// Here is one.
        GIVE(1),
        /// No.
        NONE(2),
        /// This is what came of yours.
        DONE(3),
        /// This is what yours threw.
        THREW(4),
        /// I have not done yours.
        BACK(5),
        /// Nobody waits any more for mine that you have.
        ABANDON(6),
        /// I have done this to an object that we share.
        WRITE(7),
        /// We share this object from now on.
        SHARE(8),
        /// I have a job whose giver is dead.
        ORPHAN(9),
        /// What comes of that one is for me.
        CLAIM(10),
        /// How far have you come?
        COUNT(11),
        /// So far.
        COUNTED(12);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /// Whether somebody has a use for it although its sender takes part no more.
        boolean isLastWord() {
            return switch (this) {
                case DONE, THREW, BACK, WRITE, SHARE -> true;
                case ASK, GIVE, NONE, ABANDON, ORPHAN, CLAIM, COUNT, COUNTED -> false;
            };
        }

        /// By its number on the wire; null for one that is none.
        static @Nullable Kind of(int code) {
            for (var kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            return null;
        }
    }

    static Letter ask(long number) {
        return new Letter(Kind.ASK, number, 0, NOTHING);
    }

    static Letter none(long number) {
        return new Letter(Kind.NONE, number, 0, NOTHING);
    }

    static Letter give(long number, Parcel parcel) {
        var job = parcel.job();
        var body =
                ByteBuffer.allocate(Long.BYTES + job.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(parcel.place())
                        .put(job);
        return new Letter(Kind.GIVE, number, parcel.stamp(), body.array());
    }

    /// The job that it gives.
    ///
    /// @throws IllegalArgumentException when there is none
    Parcel parcel(Parcel.Giver from) {
        if (body.length < Long.BYTES) {
            throw new IllegalArgumentException("it gives no job");
        }
        long place = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN).getLong();
        return new Parcel(from, stamp, place, Arrays.copyOfRange(body, Long.BYTES, body.length));
    }

    /// @param place of the job
    /// @param sum of its bytes
    static Letter orphan(long place, long sum) {
        return new Letter(Kind.ORPHAN, place, sum, NOTHING);
    }

    /// @param stamp of the job that is done again, at who asks
    static Letter claim(long place, long stamp) {
        return new Letter(Kind.CLAIM, place, stamp, NOTHING);
    }

    static Letter count(long number) {
        return new Letter(Kind.COUNT, number, 0, NOTHING);
    }

    static Letter counted(long number, Tally tally) {
        var body =
                ByteBuffer.allocate(TALLY)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(tally.workers())
                        .putLong(tally.jobs())
                        .putLong(tally.stolen())
                        .putLong(tally.idleNanos())
                        .putLong(tally.nanos());
        return new Letter(Kind.COUNTED, number, 0, body.array());
    }

    /// What one process has done.
    ///
    /// @param site where it is
    /// @throws IllegalArgumentException when the body says something else
    Tally tally(String site) {
        if (body.length != TALLY) {
            throw new IllegalArgumentException("it does not say what was done");
        }
        var in = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        return new Tally(
                site, 1, in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }

    /// @param why it was not done
    static Letter back(long stamp, String why) {
        return new Letter(Kind.BACK, 0, stamp, why.getBytes(StandardCharsets.UTF_8));
    }

    static Letter abandon(long stamp) {
        return new Letter(Kind.ABANDON, 0, stamp, NOTHING);
    }

    /// A write, as its letter has it.
    ///
    /// @param id of the object
    /// @param bytes the write, as [Copies] writes it
    record Written(String id, byte[] bytes) {}

    /// @param number of the writes of this process to that object
    static Letter write(long number, String id, byte[] write) {
        var name = id.getBytes(StandardCharsets.UTF_8);
        var body =
                ByteBuffer.allocate(2 + name.length + write.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putShort((short) name.length)
                        .put(name)
                        .put(write);
        return new Letter(Kind.WRITE, number, 0, body.array());
    }

    /// @throws IllegalArgumentException when the body is no write
    Written write() {
        var bytes = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        int length = bytes.remaining() < 2 ? 0 : bytes.getShort() & 0xffff;
        if (length == 0 || length > bytes.remaining()) {
            throw new IllegalArgumentException("it names no object");
        }
        var name = new String(body, 2, length, StandardCharsets.UTF_8);
        return new Written(name, Arrays.copyOfRange(body, 2 + length, body.length));
    }

    static Letter share(byte[] object) {
        return new Letter(Kind.SHARE, 0, 0, object);
    }

    /// The bytes in front of the body.
    byte[] head() {
        return ByteBuffer.allocate(HEAD)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) kind.code)
                .put(new byte[3])
                .putInt(body.length)
                .putLong(number)
                .putLong(stamp)
                .array();
    }

    void write(WriteMessage message) {
        message.writeArray(head());
        if (body.length > 0) {
            message.writeArray(body);
        }
    }

    /// A letter's head, whose body [follows][Head#read].
    ///
    /// @throws IbidemException when it is none
    static Head head(ReadMessage message) {
        var bytes = new byte[HEAD];
        message.readArray(bytes);
        var head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int code = head.getInt();
        int size = head.getInt();
        var kind = Kind.of(code);
        if (kind == null || size < 0) {
            throw new IbidemException(
                    message.origin()
                            + " sent a letter of kind "
                            + code
                            + " with "
                            + size
                            + " bytes");
        }
        long number = head.getLong();
        long stamp = head.getLong();
        return new Head(new Letter(kind, number, stamp, NOTHING), size);
    }

    /// What is known of a letter before its body is read.
    ///
    /// @param letter it, without its body
    /// @param size of that
    record Head(Letter letter, int size) {
        Letter read(ReadMessage message) {
            return size == 0
                    ? letter
                    : new Letter(letter.kind, letter.number, letter.stamp, body(message, size));
        }
    }

    /// The room is made as bytes come, so that a size that is none costs nothing.
    private static byte[] body(ReadMessage message, int size) {
        var body = new byte[Math.min(size, 1 << 20)];
        message.readArray(body);
        for (int have = body.length; have < size; have = body.length) {
            int more = Math.min(size - have, have);
            body = Arrays.copyOf(body, have + more);
            message.readArray(body, have, more);
        }
        return body;
    }
}
