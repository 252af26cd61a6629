package org.ibidem.rmi;

import java.util.function.ObjLongConsumer;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.Origin;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;

/// Hears of calls that are given up, though no calls are read: who makes them says it here, too, by
/// a send port that has the name of the one it calls from.
final class Abandoned implements AutoCloseable {
    /// Of its port.
    static final String NAME = "rmi-given-up";

    private final ReceivePort port;
    private final ObjLongConsumer<Origin> told;

    /// @param told gets who has made the call, and its id
    Abandoned(Part part, ObjLongConsumer<Origin> told) {
        this.told = told;
        this.port =
                ReceivePort.open(
                        part.node(),
                        part.ports().givenUp(),
                        NAME,
                        part.setup().upcall(this::received));
    }

    private void received(ReadMessage message) {
        try {
            if (message.readByte() == Words.CANCEL) {
                told.accept(message.origin(), message.readLong());
            }
        } catch (MessageAbandoned _) {
            // nothing is said then
        }
    }

    @Override
    public void close() {
        port.close();
    }
}
