package org.ibidem.personality.vio;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.ibidem.registry.Node;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinkListener;
import org.ibidem.vlink.VLinks;

/// Accepts VLinks, and waits for them.
public final class VioServer implements Closeable {
    private final VLinkListener listener;

    private VioServer(VLinkListener listener) {
        this.listener = listener;
    }

    /// Listens.
    ///
    /// @param backlog how many may wait to be accepted
    public static VioServer listen(Node node, String name, int backlog) {
        return new VioServer(VLinks.of(node).listen(name, "auto", backlog));
    }

    /// The next one.
    ///
    /// @param millis how long to wait; 0: for ever
    /// @throws SocketTimeoutException when the time is over
    /// @throws SocketException when it is closed
    public VioSocket accept(int millis) throws IOException {
        var deadline = Deadline.in(millis);
        try {
            while (true) {
                var next = listener.accept();
                if (next != null) {
                    return new VioSocket(next);
                }
                var sleeper = new Sleeper();
                listener.whenAcceptable(sleeper);
                boolean told = sleeper.sleep(deadline);
                listener.unwatch(sleeper);
                if (!told) {
                    throw new SocketTimeoutException("Accept timed out");
                }
            }
        } catch (VLinkFailed e) {
            var closed = new SocketException("Socket closed");
            closed.initCause(e);
            throw closed;
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
