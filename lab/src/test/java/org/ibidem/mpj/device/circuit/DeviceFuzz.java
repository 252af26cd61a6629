package org.ibidem.mpj.device.circuit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import org.ibidem.buffer.Frame;
import org.ibidem.circuit.Circuit;
import org.ibidem.circuit.CircuitReceiver;
import org.ibidem.circuit.LoopCircuit;
import org.ibidem.link.LinkBroken;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.data.Shape;
import org.ibidem.mpj.device.Device;

/// What another process of a job may send: frames, between which this one begins to receive. Each
/// is taken or refused with a sentence; a message that was received is one that was sent, and what
/// waits here stays within what its sender may have.
///
/// An input is pieces: a byte with their length, then the bytes of a frame; the length 255 begins a
/// receive of 64 bytes at most.
public final class DeviceFuzz {
    private static final int RECEIVE = 0xFF;
    private static final int ROOM = 64;
    private static final CircuitDevice.Limits LIMITS = new CircuitDevice.Limits(ROOM, 4 << 10);
    private static final int SENDER = 1;
    private static final Shape BYTE = Shape.of(Kind.BYTE, 1);

    /// Answers go nowhere.
    private static final Circuit CIRCUIT = LoopCircuit.open(new Deaf());

    private DeviceFuzz() {}

    /// Called by the fuzzer before it counts the time: that this class is there makes the circuit.
    public static void fuzzerInitialize() {}

    private static final class Deaf implements CircuitReceiver {
        @Override
        public boolean frame(int from, Frame frame) {
            frame.empty();
            return true;
        }

        @Override
        public void lost(int from, boolean inOrder, String why) {}
    }

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        var receivers = new ArrayList<CircuitReceiver>();
        var device =
                new CircuitDevice(
                        receiver -> {
                            receivers.add(receiver);
                            return CIRCUIT;
                        },
                        LIMITS,
                        () -> {});
        var dispatcher = (Dispatcher) receivers.getFirst();
        try (var arena = Arena.ofConfined()) {
            play(input, arena, device, dispatcher);
            inTurn(() -> dispatcher.lost(SENDER, false, "it was fuzzed"));
        } finally {
            dispatcher.close();
        }
    }

    /// Whether it begins a message, and has more of it than it says there is.
    private static boolean isTooLong(MemorySegment memory, int length) {
        if (length < Header.LARGE || Header.kind(memory, 0) > Header.SYNC) {
            return false;
        }
        long size = memory.get(Header.LONG, Header.BYTES) + memory.get(Header.LONG, Header.OBJECTS);
        return Header.kind(memory, 0) >= Header.EAGER && length - Header.LARGE > size;
    }

    private static void inTurn(Runnable what) {
        CIRCUIT.enter();
        try {
            what.run();
        } finally {
            CIRCUIT.leave();
        }
    }

    private static void play(byte[] input, Arena arena, Device device, Dispatcher dispatcher) {
        var frame = new Frame();
        for (int at = 0; at < input.length; ) {
            int length = input[at++] & 0xFF;
            if (length == RECEIVE) {
                var into = Part.of(new byte[ROOM], 0, ROOM, BYTE).incoming();
                device.irecv(into, Device.ANY, Device.ANY, 0);
                continue;
            }
            int some = Math.min(length, input.length - at);
            var memory = arena.allocate(Math.max(1, some), Long.BYTES);
            MemorySegment.copy(MemorySegment.ofArray(input), at, memory, 0, some);
            frame.show(memory, 0, some);
            at += some;
            boolean tooLong = isTooLong(memory, some);
            try {
                inTurn(() -> dispatcher.frame(SENDER, frame));
                if (tooLong) {
                    throw new AssertionError("more was taken than was announced");
                }
            } catch (LinkBroken e) {
                if (!String.valueOf(e.getMessage()).startsWith("it has sent what no device")) {
                    throw e;
                }
            }
        }
    }
}
