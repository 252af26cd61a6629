package org.ibidem.link.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ibidem.link.Domain;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Reach;
import org.jspecify.annotations.Nullable;

/// One node's shared memory: the page of ready words that all its links have in common.
final class ShmDomain implements Domain {
    private static final long COST = 100;
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int PARTS = 3;

    private @Nullable ReadyPage page;

    /// The running kernel, the user, for files of one user are closed to others, and the folder,
    /// for containers can share a kernel and not its files. Whether both ends see the same memory
    /// is proved when the link is made.
    @Override
    public String place() {
        try {
            var folder = ShmFolder.identity(ShmFolder.get());
            return folder.isEmpty()
                    ? ""
                    : Files.readString(BOOT).strip()
                            + ":"
                            + Files.getAttribute(Path.of("/proc/self"), "unix:uid")
                            + ":"
                            + folder;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "";
        }
    }

    @Override
    public Reach reach(String there) {
        var here = place();
        if (here.isEmpty()) {
            return new Reach.No(ShmFolder.problem(ShmFolder.get()));
        }
        return here.equals(there) ? new Reach.Yes(COST) : new Reach.No(difference(here, there));
    }

    private static String difference(String here, String there) {
        var mine = here.split(":", PARTS);
        var its = there.split(":", PARTS);
        if (there.isEmpty()) {
            return "it offers no shared memory";
        }
        if (its.length != PARTS || !its[0].equals(mine[0])) {
            return "it runs on another machine";
        }
        return its[1].equals(mine[1])
                ? "its folder for shared memory is another one than "
                        + ShmFolder.get()
                        + " here: it runs in a container, or with another setting "
                        + ShmFolder.SETTING
                : "it runs as another user";
    }

    @Override
    public Link open(Lower lower, Record options) throws IOException {
        var meeting = new Meeting(lower, ShmFolder.get(), page());
        return lower.active() ? meeting.offer((Shm) options) : meeting.take();
    }

    /// Made with the node's first link.
    private synchronized @Nullable ReadyPage page() {
        if (page == null) {
            page = ReadyPage.create(ShmFolder.get());
        }
        return page;
    }
}
