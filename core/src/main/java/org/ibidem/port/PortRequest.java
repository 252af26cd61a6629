package org.ibidem.port;

import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;

/// What a send port says when it asks for a connection.
///
/// ```
/// | receive port | send port | connections u8 | stack | objects |     each text: length u16, UTF-8
/// ```
///
/// @param receivePort its name
/// @param sendPort its name
/// @param type the send port's
record PortRequest(String receivePort, String sendPort, PortType type) {
    private static final int LONGEST = 1024;
    private static final int LARGEST = 8 << 10;

    byte[] encode() {
        return new ControlWriter(LARGEST)
                .text(receivePort, PortNames.LONGEST)
                .text(sendPort, PortNames.LONGEST)
                .u8(type.connections().code())
                .text(type.stack(), LONGEST)
                .text(type.objects(), LONGEST)
                .toBytes();
    }

    static PortRequest decode(byte[] request) {
        var in = new ControlReader(request);
        var receivePort = in.text("receive port", PortNames.LONGEST);
        var sendPort = in.text("send port", PortNames.LONGEST);
        int kind = in.u8("connections");
        var connections =
                PortType.Connections.of(kind)
                        .orElseThrow(
                                () -> in.bad("connections", kind + " is no kind of connections"));
        var type =
                PortType.of(connections)
                        .stack(in.text("stack", LONGEST))
                        .objects(in.text("objects", LONGEST));
        in.end();
        return new PortRequest(receivePort, sendPort, type);
    }
}
