package org.ibidem.port;

import java.lang.foreign.MemorySegment;
import org.ibidem.arbitration.Threads;
import org.ibidem.identity.Identity;
import org.ibidem.station.NodeRuntime;

/// A sender and a receiver in this process, for what is fuzzed: without a hub, a pool or a socket.
///
/// @param out connected
/// @param in the only receiver
public record LoopPorts(SendPort out, ReceivePort in) {
    /// Opens both.
    public static LoopPorts open(PortType type, String name) {
        return open(type, name, ReceiveSetup.USUAL);
    }

    /// The same with what the receiver lets in.
    public static LoopPorts open(PortType type, String name, ReceiveSetup setup) {
        var node =
                NodeRuntime.begun(
                        Identity.create(),
                        "fuzz",
                        false,
                        id -> {
                            throw new IllegalStateException("nobody looks for " + id);
                        },
                        new Threads("fuzz"));
        var in = ReceivePort.open(node, type, name, setup);
        var out = SendPort.open(node, type, name, SendSetup.USUAL);
        out.connect(node.id(), name);
        return new LoopPorts(out, in);
    }

    /// Sends a message whose only frame has these bytes.
    public void send(byte[] bytes) {
        var message = out.newMessage();
        var frame = message.frame;
        message.forgetRun();
        if (!message.sink.claim(frame, Math.max(Layouts.FIRST, bytes.length))) {
            throw new AssertionError("there is no room for " + bytes.length + " bytes");
        }
        message.from = frame.position;
        var from = MemorySegment.ofArray(bytes);
        MemorySegment.copy(from, 0, frame.memory, frame.position, bytes.length);
        frame.position += bytes.length;
        message.finish();
    }
}
