package org.ibidem.lab.badday;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/// What this process records of several receivers being written to at once, or not.
final class Told implements AutoCloseable {
    private static final int SECONDS = 60;

    private final RecordingStream stream = new RecordingStream();
    private final LinkedBlockingQueue<RecordedEvent> events = new LinkedBlockingQueue<>();

    Told() {
        stream.setReuse(false);
        stream.enable("ibidem.Broadcast");
        stream.onEvent("ibidem.Broadcast", events::add);
        stream.startAsync();
    }

    /// Waits for the next word about so many receivers; empty: there is one write for all of them.
    String last(int receivers) throws InterruptedException {
        while (true) {
            var event = events.poll(SECONDS, TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("nothing was recorded of " + receivers + " receivers");
            }
            if (event.getInt("receivers") == receivers) {
                return event.getString("reason");
            }
        }
    }

    /// Sends until there is such a word: what it tells of happens after messages alone.
    String last(int receivers, Runnable send) {
        while (true) {
            send.run();
            var event = events.poll();
            if (event != null && event.getInt("receivers") == receivers) {
                return event.getString("reason");
            }
        }
    }

    @Override
    public void close() {
        stream.close();
    }
}
