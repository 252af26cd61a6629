package org.ibidem.lab.bench;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/// How the two ends of a contestant find each other while they are being opened.
public interface Meeting {
    /// True in the process that leads.
    boolean leads();

    /// Tells the other process something: a port, a name.
    void tell(String text) throws IOException;

    /// What the other process told; waits for it.
    String hear() throws IOException;

    /// A folder in memory where there is one, for both processes; removed at the end of the run.
    Path folder();

    /// A fresh TCP connection over the loopback interface between the two processes, without
    /// Nagle's delay, in blocking mode. Both have to ask for it.
    SocketChannel socket() throws IOException;
}
