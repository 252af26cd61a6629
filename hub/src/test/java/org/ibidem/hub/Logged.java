package org.ibidem.hub;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// What a class logs while this is open.
final class Logged implements AutoCloseable {
    private final Logger logger;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord line) {
                    lines.add(line.getLevel() + " " + line.getMessage());
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    /// Listens to the logger of this class.
    Logged(Class<?> of) {
        logger = Logger.getLogger(of.getName());
        logger.addHandler(handler);
    }

    /// Level and text of the next line; waits for it.
    String next() throws InterruptedException {
        var line = lines.poll(Heard.LONG.toSeconds(), TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("nothing was logged");
        }
        return line;
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
