package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.util.UUID;
import org.ibidem.buffer.BufferPool;
import org.ibidem.connect.SocketPath;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamPath;
import org.ibidem.link.Terms;
import org.ibidem.stack.FramesOverStream;
import org.ibidem.task.Tasks;

/// What a driver finds below it where there are no nodes: the two sides of a duel.
///
/// @param active whether this side leads
/// @param key the leader made it and told it
/// @param meeting gives sockets
/// @param tasks for drivers that need time
record Landing(boolean active, String key, Meeting meeting, Tasks tasks) implements Lower {
    static Landing at(Meeting meeting, Tasks tasks) throws IOException {
        if (!meeting.leads()) {
            return new Landing(false, meeting.hear(), meeting, tasks);
        }
        var key = UUID.randomUUID().toString().replace("-", "");
        meeting.tell(key);
        return new Landing(true, key, meeting, tasks);
    }

    @Override
    public Terms terms() {
        return FramesOverStream.terms(new BufferPool());
    }

    @Override
    public StreamPath stream() throws IOException {
        var path = new SocketPath(meeting.socket());
        path.blocking(false);
        return path;
    }

    @Override
    public DatagramPath datagrams() throws IOException {
        throw new IOException("there are no datagrams between the sides of a duel");
    }
}
