package org.ibidem.lab.bench.relay;

import java.io.IOException;
import java.io.OutputStream;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.crowd.Worker;

/// A hub that says its port and its id.
final class HubPart {
    private HubPart() {}

    public static void main(String[] arguments) throws IOException {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            System.out.println(Worker.ANSWER + hub.port() + " " + hub.id());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
