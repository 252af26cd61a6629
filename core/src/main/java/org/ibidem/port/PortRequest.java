package org.ibidem.port;

import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;

/// What a send port says when it asks for a connection.
///
/// ```
/// | receive port | send port | number i64 | type name | connections u8 | capabilities i32 | data u8
/// | serializer | stack |
/// ```
///
/// Each text: length u16, UTF-8. Capabilities: a bit each.
///
/// @param receivePort its name
/// @param sendPort its name
/// @param number of the send port: no other of its node has it
/// @param type the send port's
record PortRequest(String receivePort, String sendPort, long number, PortType type) {
    private static final int LONGEST = 1024;
    private static final int LARGEST = 8 << 10;

    byte[] encode() {
        return new ControlWriter(LARGEST)
                .text(receivePort, PortNames.LONGEST)
                .text(sendPort, PortNames.LONGEST)
                .i64(number)
                .text(type.name(), PortNames.LONGEST)
                .u8(type.connections().code())
                .i32(type.capabilityBits())
                .u8(type.data().code())
                .text(type.serializer(), LONGEST)
                .text(type.stack(), LONGEST)
                .toBytes();
    }

    static PortRequest decode(byte[] request) {
        var in = new ControlReader(request);
        var receivePort = in.name("receive port", PortNames.LONGEST);
        var sendPort = in.name("send port", PortNames.LONGEST);
        long number = in.i64("number");
        var name = in.name("type's name", PortNames.LONGEST);
        int code = in.u8("connections");
        var connections =
                PortType.Connections.of(code)
                        .orElseThrow(
                                () -> in.bad("connections", code + " is no kind of connections"));
        int bits = in.i32("capabilities");
        var capabilities =
                Capability.of(bits)
                        .orElseThrow(() ->
                                in.bad(
                                        "capabilities",
                                        "0x"
                                                + Integer.toHexString(bits)
                                                + " has some that this version does not"
                                                + " know"));
        int kind = in.u8("data");
        var data = Data.of(kind).orElseThrow(() -> in.bad("data", kind + " is no kind of data"));
        var serializer = in.name("serializer", LONGEST);
        var stack = in.name("stack", LONGEST);
        in.end();
        try {
            var type = PortType.of(connections, capabilities).data(data).stack(stack).named(name);
            return new PortRequest(
                    receivePort,
                    sendPort,
                    number,
                    data == Data.OBJECT ? type.objects(serializer) : type);
        } catch (IllegalArgumentException e) {
            throw in.bad("type", String.valueOf(e.getMessage()));
        }
    }
}
