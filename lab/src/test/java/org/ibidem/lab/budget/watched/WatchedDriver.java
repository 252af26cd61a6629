package org.ibidem.lab.budget.watched;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.link.Domain;
import org.ibidem.link.Driver;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Reach;
import org.ibidem.task.Tasks;

/// As `tcp`, but looks at who calls, in which thread and with what memory. It reaches nobody, so it
/// is used only where a stack names it.
public final class WatchedDriver implements Driver, Domain {
    /// Where a test finds the streams that its nodes made.
    public static final List<WatchedStream> STREAMS = new CopyOnWriteArrayList<>();

    /// No options.
    public record Nothing() {}

    /// Found by the service file.
    public WatchedDriver() {}

    @Override
    public String name() {
        return "watched";
    }

    @Override
    public Class<Nothing> options() {
        return Nothing.class;
    }

    @Override
    public Domain domain(Tasks tasks, boolean open) {
        return this;
    }

    @Override
    public String place() {
        return "";
    }

    @Override
    public Reach reach(String there) {
        return new Reach.No("it is for tests that name it");
    }

    @Override
    public Link open(Lower lower, Record options) throws IOException {
        var path = lower.stream();
        path.tune(0, 0);
        var stream = new WatchedStream(path, lower.active());
        STREAMS.add(stream);
        return stream;
    }
}
