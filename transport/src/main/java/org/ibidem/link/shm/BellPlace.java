package org.ibidem.link.shm;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Where, in a segment, one end tells which pipe wakes it, and the other end that it has opened it.
///
/// ```
///  0  process, u32; 0: there is no pipe
///  4  descriptor, u32
///  8  inode of the pipe, u64
/// 16  1: the other end has opened it, u32
/// ```
///
/// @param segment of the link
/// @param at where that stands
record BellPlace(MemorySegment segment, long at) {
    static final System.Logger LOG = System.getLogger(BellPlace.class.getName());

    /// Bytes from an end's [ReadyPlace].
    static final int BEHIND = 32;

    private static final int DESCRIPTOR = 4;
    private static final int INODE = 8;
    private static final int OPENED = 16;

    private static final String PIPE = "pipe:[";

    /// Rings between two looks at whether anybody hears them.
    private static final int RINGS_PER_LOOK = 1024;

    /// Tells it, before the other end looks.
    void tell(BellPipe pipe) {
        segment.set(ValueLayout.JAVA_INT, at + DESCRIPTOR, pipe.descriptor);
        segment.set(ValueLayout.JAVA_LONG, at + INODE, pipe.inode);
        segment.set(ValueLayout.JAVA_INT, at, (int) ProcessHandle.current().pid());
    }

    /// Whether the other end has opened the pipe.
    boolean isOpened() {
        return (int) ValueLayout.JAVA_INT.varHandle().getAcquire(segment, at + OPENED) == 1;
    }

    /// Opens the pipe that the other end tells of, and says so; null: there is none that can be
    /// opened here, as in another container.
    @Nullable Ringer find() {
        int process = segment.get(ValueLayout.JAVA_INT, at);
        int descriptor = segment.get(ValueLayout.JAVA_INT, at + DESCRIPTOR);
        long inode = segment.get(ValueLayout.JAVA_LONG, at + INODE);
        var file = Path.of("/proc/" + process + "/fd/" + descriptor);
        if (process == 0 || inode == 0 || inode(file) != inode) {
            return null;
        }
        try {
            var pipe = Files.newOutputStream(file, StandardOpenOption.WRITE);
            ValueLayout.JAVA_INT.varHandle().setRelease(segment, at + OPENED, 1);
            return new Ringer(pipe, file, inode);
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "the peer is woken by its socket: {0}",
                    e.toString());
            return null;
        }
    }

    /// Of the pipe that this descriptor is of; 0: of none.
    static long inode(Path descriptor) {
        try {
            var target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith(PIPE)
                    ? Long.parseLong(target.substring(PIPE.length(), target.length() - 1))
                    : 0;
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    /// The other end's pipe.
    static final class Ringer {
        private static final byte[] RING = {0};

        private final OutputStream pipe;
        private final Path file;
        private final long inode;
        private int rings;
        private boolean unheard;

        private Ringer(OutputStream pipe, Path file, long inode) {
            this.pipe = pipe;
            this.file = file;
            this.inode = inode;
        }

        /// Rings. A peer that says again and again that it sleeps, and takes in nothing, has rings
        /// enough to wake by: a full pipe would hold up whoever rings.
        void ring() throws IOException {
            if (unheard || ++rings == RINGS_PER_LOOK) {
                rings = 0;
                unheard = left() > RINGS_PER_LOOK;
                if (unheard) {
                    return;
                }
            }
            pipe.write(RING);
        }

        private int left() {
            if (inode(file) != inode) {
                return 0; // it goes
            }
            try (var there = new FileInputStream(file.toFile())) {
                return there.available();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "a peer that goes is rung: {0}", e.toString());
                return 0;
            }
        }

        void close() {
            try {
                pipe.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "closing a pipe failed", e);
            }
        }
    }
}
