package org.ibidem.port;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.ibidem.IbidemException;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Malformed;
import org.ibidem.buffer.Run;

/// What a member may put into the frames of a message, and how a program reads it. Whatever comes,
/// a read gives a value or says what is wrong, and the next message is read as it was written. And
/// whatever asks for a connection: a request that is the same after writing and reading it again,
/// or a violation.
///
/// ```
/// | how, u8: 1 unchecked, 2 given up, 4 a request follows | reads, u8 | kind, u8 | length, u8 | ... | frame: length, u8 | ...
/// ```
///
/// Kinds above those of runs close the message.
public final class MessageFuzz {
    private static final int UNCHECKED = 1;
    private static final int GIVEN_UP = 2;
    private static final int REQUEST = 4;
    private static final int NEXT = 0x1d1be3;
    private static final LoopPorts CHECKED_PORTS;
    private static final LoopPorts UNCHECKED_PORTS;

    static {
        var type = PortType.oneToOne().stack("loopback").data(Data.OBJECT);
        CHECKED_PORTS = LoopPorts.open(type, "checked");
        UNCHECKED_PORTS = LoopPorts.open(type.with(Capability.UNCHECKED), "unchecked");
    }

    private MessageFuzz() {}

    /// Called by the fuzzer before it counts the time: that this class is there makes the ports.
    public static void fuzzerInitialize() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        var bytes = ByteBuffer.wrap(input);
        int how = next(bytes);
        if ((how & REQUEST) != 0) {
            request(Arrays.copyOfRange(input, 1, input.length));
            return;
        }
        var ports = (how & UNCHECKED) != 0 ? UNCHECKED_PORTS : CHECKED_PORTS;
        var reads = new byte[2 * Math.min(next(bytes), bytes.remaining() / 2)];
        bytes.get(reads);
        long sent = bytes.remaining();
        write(ports.out().newMessage(), bytes, (how & GIVEN_UP) != 0);
        try (var message = ports.out().newMessage()) {
            message.writeInt(NEXT).finish();
        }
        try (var message = ports.in().receive()) {
            for (int i = 0; i < reads.length && message.isLive(); i += 2) {
                read(message, reads[i], reads[i + 1] & 0xff);
                if (message.bytesRead() > sent) {
                    throw new AssertionError(message.bytesRead() + " bytes read of " + sent);
                }
            }
        } catch (IbidemException _) {
            // as it must be
        }
        try (var message = ports.in().receive()) {
            if (message.readInt() != NEXT) {
                throw new AssertionError("the next message is another");
            }
        }
    }

    private static void request(byte[] input) {
        try {
            var request = PortRequest.decode(input);
            var again = PortRequest.decode(request.encode());
            if (!request.equals(again)) {
                throw new AssertionError(request + " became " + again);
            }
        } catch (Malformed _) {
            // as it must be
        }
    }

    private static int next(ByteBuffer bytes) {
        return bytes.hasRemaining() ? bytes.get() & 0xff : 0;
    }

    /// Writes frames as they are, of which none has more than 255 bytes.
    private static void write(WriteMessage message, ByteBuffer bytes, boolean givenUp) {
        var frame = message.frame;
        message.forgetRun();
        for (boolean more = true; more; ) {
            int length = Math.min(next(bytes), bytes.remaining());
            claim(message, length);
            MemorySegment.copy(
                    MemorySegment.ofBuffer(bytes), 0, frame.memory, frame.position, length);
            bytes.position(bytes.position() + length);
            frame.position += length;
            more = bytes.hasRemaining();
            if (more || givenUp) {
                message.sink.commit(frame, Frame.MORE);
                message.committed += length + 1; // else nobody would be told of it
                claim(message, 0);
            }
        }
        if (givenUp) {
            message.close();
        } else {
            message.finish();
        }
    }

    private static void claim(WriteMessage message, int length) {
        var frame = message.frame;
        if (!message.sink.claim(frame, Math.max(Layouts.FIRST, length))) {
            throw new AssertionError("there is no room for " + length + " bytes");
        }
        message.from = frame.position;
    }

    private static void read(ReadMessage message, int kind, int length) {
        switch (kind) {
            case Run.BOOLEAN -> message.readBoolean();
            case Run.BYTE -> message.readByte();
            case Run.CHAR -> message.readChar();
            case Run.SHORT -> message.readShort();
            case Run.INT -> message.readInt();
            case Run.FLOAT -> message.readFloat();
            case Run.LONG -> message.readLong();
            case Run.DOUBLE -> message.readDouble();
            case Run.ARRAY | Run.BOOLEAN -> message.readArray(new boolean[length]);
            case Run.ARRAY | Run.BYTE -> message.readArray(new byte[length]);
            case Run.ARRAY | Run.CHAR -> message.readArray(new char[length]);
            case Run.ARRAY | Run.SHORT -> message.readArray(new short[length]);
            case Run.ARRAY | Run.INT -> message.readArray(new int[length]);
            case Run.ARRAY | Run.FLOAT -> message.readArray(new float[length]);
            case Run.ARRAY | Run.LONG -> message.readArray(new long[length]);
            case Run.ARRAY | Run.DOUBLE -> message.readArray(new double[length]);
            case Run.STRING -> message.readString();
            case Run.OBJECT -> message.readObject();
            default -> message.close();
        }
    }
}
