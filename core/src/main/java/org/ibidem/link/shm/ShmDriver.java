package org.ibidem.link.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ibidem.link.Driver;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Reach;

/// The network driver `shm`: two processes on one Linux machine, over rings in a shared mapping.
/// Pure Java.
public final class ShmDriver implements Driver {
    private static final long COST = 100;
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    /// Found by its `provides` line.
    public ShmDriver() {}

    @Override
    public String name() {
        return "shm";
    }

    @Override
    public Class<Shm> options() {
        return Shm.class;
    }

    /// The running kernel and the user, for files of one user are closed to others. Containers can
    /// share a kernel and not its memory: whether both ends see the same file is proved when the
    /// link is made.
    @Override
    public String place() {
        try {
            if (!Files.isDirectory(Segment.FOLDER)) {
                return "";
            }
            return Files.readString(BOOT).strip()
                    + ":"
                    + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }

    @Override
    public Reach reach(String there) {
        var here = place();
        if (here.isEmpty()) {
            return new Reach.No("there is no " + Segment.FOLDER + " on this machine");
        }
        return here.equals(there)
                ? new Reach.Yes(COST)
                : new Reach.No(
                        there.isEmpty()
                                ? "it offers no shared memory"
                                : "it runs on another machine or as another user");
    }

    @Override
    public Link open(Lower lower, Record options) throws IOException {
        var meeting = new Meeting(lower);
        return lower.active() ? meeting.offer(((Shm) options).ring()) : meeting.take();
    }
}
