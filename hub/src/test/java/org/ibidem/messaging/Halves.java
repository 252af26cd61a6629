package org.ibidem.messaging;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.concurrent.CountDownLatch;

/// An object whose second half follows when a test says so.
final class Halves implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int BYTES =
            200_000; // more than a frame, and not more than there is room for

    private final transient CountDownLatch begun;
    private final transient CountDownLatch goOn;

    /// @param begun counted down when the first half is written
    /// @param goOn awaited before the second
    Halves(CountDownLatch begun, CountDownLatch goOn) {
        this.begun = begun;
        this.goOn = goOn;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        out.writeObject(new byte[BYTES]);
        begun.countDown();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        out.writeObject(new byte[BYTES]);
    }
}
