package org.ibidem.personality.sockets;

import java.lang.ref.WeakReference;
import java.net.BindException;
import java.util.HashMap;
import java.util.Map;

/// Numbers for the local ends of sockets, which have no port of the system: one after the other,
/// and after the last the first again. One that is in use when they come round is passed over.
public final class LocalPorts {
    /// Those that RFC 6335 leaves to such ends.
    static final int FIRST = 49_152;

    static final int LAST = 0xFFFF;

    private final Map<Integer, WeakReference<End>> used = new HashMap<>();
    private int next = FIRST;

    LocalPorts() {}

    /// The local end of a socket, whose number is in use while it is open and somebody has it.
    public interface End {
        /// Whether it is not closed.
        boolean isOpen();
    }

    /// The number of an end.
    ///
    /// @param bound the port of the system to which it was bound; 0: none
    /// @throws BindException when all are in use
    public synchronized int of(End end, int bound) throws BindException {
        int number = bound > 0 ? bound : free();
        used.put(number, new WeakReference<>(end));
        return number;
    }

    private int free() throws BindException {
        for (int left = LAST - FIRST; left >= 0; left--) {
            int number = next;
            next = number == LAST ? FIRST : number + 1;
            if (!isUsed(number)) {
                return number;
            }
        }
        throw new BindException(
                "Cannot assign requested address: the numbers "
                        + FIRST
                        + " to "
                        + LAST
                        + " of local ends are all in use; close some sockets first");
    }

    private boolean isUsed(int number) {
        var known = used.get(number);
        var end = known == null ? null : known.get();
        return end != null && end.isOpen();
    }

    /// Goes on from this one: tests begin near the end.
    synchronized void goOnFrom(int number) {
        next = number;
    }
}
