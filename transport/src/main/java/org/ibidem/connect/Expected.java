package org.ibidem.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.ibidem.link.Path;

/// A connection that somebody was asked to make to this node: it is known by its token, and taken
/// out of those that come in by themselves.
public interface Expected extends AutoCloseable {
    /// What it begins with: a [Prelude.Turn].
    Prelude.Turn greeting();

    /// Where it may come in: the addresses that this node listens at.
    List<InetSocketAddress> addresses();

    /// Waits for it.
    ///
    /// @return in blocking mode, the greeting read, nothing sent
    /// @throws IOException when it will not come; the message says why
    /// @throws InterruptedException when it is not wanted any more
    Path await() throws IOException, InterruptedException;

    /// It will not come: whoever waits is told why.
    void failed(String why);

    /// It is not welcome any more.
    @Override
    void close();
}
