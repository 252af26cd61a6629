package org.ibidem.lab.bench.peers;

import java.io.IOException;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Payload;
import org.ibidem.port.SendPort;

/// Ports whose messages are held back, and leave together.
final class HeldPortsEnd implements End {
    private final PortsEnd ports;
    private final SendPort out;

    HeldPortsEnd(PortsEnd ports) {
        this.ports = ports;
        this.out = ports.out();
    }

    @Override
    public void send(Payload payload) {
        try (var message = out.newMessage()) {
            PortsEnd.write(payload, message);
            message.finishHeld();
        }
    }

    @Override
    public void flush() {
        out.flush();
    }

    @Override
    public void receive(Payload payload) {
        ports.receive(payload);
    }

    @Override
    public void close() throws IOException {
        ports.close();
    }
}
