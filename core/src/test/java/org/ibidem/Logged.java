package org.ibidem;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// What a class logs while this is open.
public final class Logged implements AutoCloseable {
    private static final Formatter FORMAT = new SimpleFormatter();

    private final Logger logger;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord line) {
                    var text = line.getLevel() + " " + FORMAT.formatMessage(line);
                    var thrown = line.getThrown();
                    lines.add(thrown == null ? text : text + "\n" + thrown);
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    /// Listens to the logger of this class.
    public Logged(Class<?> of) {
        this(of.getName());
    }

    /// Listens to the logger of the class of this name.
    public Logged(String of) {
        logger = Logger.getLogger(of);
        logger.addHandler(handler);
    }

    /// Level and text of each line so far; behind a line break, what was thrown.
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
