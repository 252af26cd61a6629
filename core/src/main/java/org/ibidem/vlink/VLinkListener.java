package org.ibidem.vlink;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.jspecify.annotations.Nullable;

/// Where VLinks to one name of this node arrive. So many wait to be accepted; who connects when
/// that many do, waits at its own end.
public final class VLinkListener implements AutoCloseable {
    private final VLinks owner;
    private final String name;
    private final String stack;
    private final int backlog;

    /// Those that are there.
    private final Queue<VLink> waiting = new ArrayDeque<>();

    private final Queue<Posted<VLink>> posted = new ArrayDeque<>();
    private final List<Runnable> watchers = new ArrayList<>();

    /// Places that are taken, also by those that are being made.
    private int taken;

    private boolean closed;

    VLinkListener(VLinks owner, String name, String stack, int backlog) {
        this.owner = owner;
        this.name = name;
        this.stack = stack;
        this.backlog = backlog;
    }

    /// The name.
    public String name() {
        return name;
    }

    String stack() {
        return stack;
    }

    /// The next VLink that is there, or null.
    ///
    /// @throws VLinkFailed when it is closed
    public @Nullable VLink accept() {
        VLink next;
        synchronized (this) {
            if (closed) {
                throw closed();
            }
            next = waiting.poll();
            if (next == null) {
                return null;
            }
            taken--;
        }
        owner.changed();
        return next;
    }

    private VLinkFailed closed() {
        return new VLinkFailed(Kind.CLOSED, "the listener '" + name + "' was closed");
    }

    /// Posts an accept; several complete in the order in which they were posted.
    public Posted<VLink> postAccept() {
        var one = new Posted<VLink>();
        synchronized (this) {
            posted.add(one);
        }
        serve();
        return one;
    }

    /// Has `watcher` called once when it is worth to accept again; it must not wait.
    public void whenAcceptable(Runnable watcher) {
        boolean now;
        synchronized (this) {
            now = closed || !waiting.isEmpty();
            if (!now && !watchers.contains(watcher)) {
                watchers.add(watcher);
            }
        }
        if (now) {
            watcher.run();
        }
    }

    /// It is not called any more.
    public synchronized void unwatch(Runnable watcher) {
        watchers.remove(watcher);
    }

    /// Whether [#accept] would answer other than null now, or fail.
    public synchronized boolean isAcceptable() {
        return closed || !waiting.isEmpty();
    }

    /// A place for one that is to be made; false: there is none now.
    synchronized boolean takePlace() {
        if (closed || taken >= backlog) {
            return false;
        }
        taken++;
        return true;
    }

    /// The place is not needed.
    void leavePlace() {
        synchronized (this) {
            taken--;
        }
        owner.changed();
    }

    /// One is there.
    void arrived(VLink link) {
        boolean refused;
        synchronized (this) {
            refused = closed;
            if (!refused) {
                waiting.add(link);
            }
        }
        if (refused) {
            link.abort("the listener '" + name + "' was closed");
        } else {
            serve();
        }
    }

    /// Who connected gave up before anybody accepted.
    void gone(VLink link) {
        boolean was;
        synchronized (this) {
            was = waiting.remove(link);
        }
        if (was) {
            leavePlace();
        }
    }

    private void serve() {
        while (true) {
            Posted<VLink> one;
            @Nullable VLink link;
            List<Runnable> told;
            synchronized (this) {
                link = closed || posted.isEmpty() ? null : waiting.poll();
                if (link == null && !closed) {
                    told = waiting.isEmpty() ? List.of() : List.copyOf(watchers);
                    watchers.removeAll(told);
                    one = null;
                } else {
                    told = List.of();
                    one = posted.poll();
                    taken -= link == null ? 0 : 1;
                }
            }
            told.forEach(Runnable::run);
            if (one == null) {
                return;
            }
            give(one, link);
        }
    }

    private void give(Posted<VLink> one, @Nullable VLink link) {
        if (link == null) {
            one.fail(closed());
        } else {
            owner.changed();
            if (!one.complete(link)) {
                putBack(link); // it was cancelled
            }
        }
    }

    private void putBack(VLink link) {
        synchronized (this) {
            taken++;
        }
        arrived(link);
    }

    /// Refuses whoever connects from now on. Those that nobody has accepted are closed urgently.
    @Override
    public void close() {
        List<VLink> left;
        List<Runnable> told;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            left = List.copyOf(waiting);
            waiting.clear();
            told = List.copyOf(watchers);
            watchers.clear();
        }
        owner.remove(this);
        left.forEach(link -> link.abort("the listener '" + name + "' was closed"));
        told.forEach(Runnable::run);
        serve();
    }

    @Override
    public String toString() {
        return "listener '" + name + "'";
    }
}
