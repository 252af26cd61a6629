package org.ibidem.personality.nio;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.ibidem.wait.Armed;
import org.ibidem.wait.DirectWait;
import org.jspecify.annotations.Nullable;

/// A selector of VLinks and of the JDK's channels: it sleeps in a selector of the JDK's, which
/// VLinks wake. Of VLinks it looks only at those that something has happened to.
final class MixedSelector extends AbstractSelector {
    private static final int NONE = 0;

    /// Who does not sleep looks so often at VLinks in which there is nothing, all together, before
    /// they have to ring.
    private static final int MOST_LOOKS = 1 << 20;

    private final IbidemSelectorProvider owner;
    private final Selector jdk;
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);
    private final SelectedKeys selected = new SelectedKeys();

    /// To be looked at: something may have happened, or they were ready the last time.
    private final Set<MixedKey> open = ConcurrentHashMap.newKeySet();

    /// What the JDK's selector has found.
    private final Map<MixedKey, Integer> found = new LinkedHashMap<>();

    /// Those that are to be looked at once more.
    private final List<MixedKey> again = new ArrayList<>();

    private final DirectKeys direct;

    /// Keys that the JDK's selector has of the JDK's channels.
    private final AtomicInteger parts = new AtomicInteger();

    /// The JDK's selector is to forget a key, or its channel cannot come again.
    private volatile boolean left;

    /// The JDK's selector found a VLink, or one that is to be looked at again.
    private boolean rung;

    private final AtomicBoolean woken = new AtomicBoolean();

    /// Set before the JDK's selector may sleep, and before what would keep it awake is looked at:
    /// who finds it unset afterwards need not wake it, which is a system call.
    private volatile boolean sleeps;

    private final Consumer<MixedKey> looks = this::lookAt;

    /// How often one is looked at before it has to ring.
    private int most;

    private boolean selecting;

    MixedSelector(IbidemSelectorProvider owner, Selector jdk) {
        super(owner);
        this.owner = owner;
        this.jdk = jdk;
        this.direct = new DirectKeys(jdk);
    }

    private void requireOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    public Set<SelectionKey> keys() {
        requireOpen();
        return publicKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        requireOpen();
        return selected;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        if (!channel.provider().equals(owner) && !channel.provider().equals(owner.jdk())) {
            throw new IllegalSelectorException();
        }
        requireOpen();
        var key = new MixedKey(channel, this);
        key.attach(attachment);
        keys.add(key);
        key.interestOps(ops);
        key.enter(jdk);
        var mixed = key.mixed();
        if (mixed != null) {
            mixed.known(key, true);
        }
        if (!isOpen()) {
            keys.remove(key);
            forget(key);
            key.cancel();
            throw new ClosedSelectorException();
        }
        return key;
    }

    /// Something may have happened to it.
    void look(MixedKey key) {
        if (key.mixed() != null) {
            key.told(true);
            open.add(key);
            VarHandle.fullFence(); // before it is asked whether anybody sleeps
        }
    }

    /// One more of the JDK's channels is in the JDK's selector.
    void entered() {
        parts.incrementAndGet();
    }

    /// A key was cancelled in the JDK's selector.
    ///
    /// @param part whether it was that of a channel of the JDK's
    void left(boolean part) {
        parts.addAndGet(part ? -1 : 0);
        left = true;
    }

    /// Ends a sleep, and not the selection.
    void stir() {
        if (sleeps) {
            jdk.wakeup();
        }
    }

    @Override
    public int selectNow() throws IOException {
        return selects(null, 0);
    }

    @Override
    public int select(long timeout) throws IOException {
        return selects(null, limit(timeout));
    }

    @Override
    public int select() throws IOException {
        return selects(null, Long.MAX_VALUE);
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return selects(Objects.requireNonNull(action), 0);
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        return selects(Objects.requireNonNull(action), limit(timeout));
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return selects(Objects.requireNonNull(action), Long.MAX_VALUE);
    }

    private static long limit(long timeout) {
        if (timeout < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return timeout == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeout);
    }

    /// @param nanos 0: does not sleep; the largest: for ever
    private int selects(@Nullable Consumer<SelectionKey> action, long nanos) throws IOException {
        synchronized (this) {
            requireOpen();
            if (selecting) {
                throw new IllegalStateException("select in progress");
            }
            selecting = true;
            try {
                synchronized (selected) {
                    return selection(action, nanos);
                }
            } finally {
                selecting = false;
            }
        }
    }

    private int selection(@Nullable Consumer<SelectionKey> action, long nanos) throws IOException {
        dropCancelled();
        if (nanos == 0) {
            woken.set(false);
            gather(0);
        } else {
            begin();
            try {
                sleep(nanos);
            } finally {
                end();
            }
        }
        if (!isOpen()) {
            return 0;
        }
        dropCancelled();
        if (found.isEmpty()) {
            return 0;
        }
        int count = 0;
        for (var one : found.entrySet()) {
            if (one.getKey().isValid()) {
                count += tell(one.getKey(), one.getValue(), action);
            }
        }
        return count;
    }

    private void sleep(long nanos) throws IOException {
        long begun = System.nanoTime();
        while (true) {
            long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - begun);
            gather(woken.get() ? 0 : Math.max(0, left));
            boolean over =
                    woken.getAndSet(false)
                            || left <= 0
                            || !isOpen()
                            || Thread.currentThread().isInterrupted();
            if (over || !found.isEmpty()) {
                return;
            }
            dropCancelled();
        }
    }

    /// Finds those that are ready; sleeps once where there is none.
    private void gather(long nanos) throws IOException {
        found.clear();
        if (left && jdk.isOpen()) {
            left = false;
            jdk.selectNow(this::found);
        }
        if (nanos == 0) {
            lookAtVLinks(true);
            lookAtSockets();
            return;
        }
        sleeps = true;
        VarHandle.fullFence(); // who has put a key there since it is looked for must see it
        try {
            lookAtVLinks(false);
            if (!found.isEmpty() || rung || woken.get() || !isOpen()) {
                lookAtSockets();
                return;
            }
            long millis = nanos == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos) + 1;
            open.addAll(direct.sleep(this::found, millis));
        } finally {
            sleeps = false;
        }
        if (isOpen()) {
            lookAtVLinks(false);
        }
    }

    private void lookAtSockets() throws IOException {
        if (jdk.isOpen() && (parts.get() > 0 || direct.areWaiting())) {
            jdk.selectNow(this::found);
            if (rung && isOpen()) {
                lookAtVLinks(false);
            }
        }
    }

    private void found(SelectionKey below) {
        if (below.attachment() instanceof DirectWait direct) {
            direct.ready();
            rung = true;
            look((MixedKey) direct.wakeup());
        } else {
            var key = (MixedKey) below.attachment();
            found.merge(key, below.readyOps(), (one, other) -> one | other);
        }
    }

    /// @param soon whether the next look is soon, be anything rung or not
    private void lookAtVLinks(boolean soon) {
        most = soon ? MOST_LOOKS / (open.size() + 1) : 0;
        open.forEach(looks); // an iterator for each look would be garbage
        rung = open.addAll(again);
        again.clear();
    }

    private void lookAt(MixedKey key) {
        var mixed = key.mixed();
        if (mixed == null || !key.isValid()) {
            open.remove(key);
            return;
        }
        key.enter(jdk);
        direct.disarm(key);
        if (waitsAgain(key)) {
            return;
        }
        int ready = mixed.ready(key.interest());
        int empty = key.looked(ready != NONE);
        if (ready == NONE) {
            boolean goesOn = empty < most;
            mixed.polled(goesOn);
            ready = goesOn ? NONE : watched(key, mixed);
        }
        if (ready != NONE) {
            found.merge(key, ready, (one, other) -> one | other);
        }
    }

    /// A key that was ready the last time has mostly been read since. Before a sleep it is armed
    /// without a look: the JDK's selector says at once if there is more.
    private boolean waitsAgain(MixedKey key) {
        boolean told = key.isTold();
        key.told(false);
        boolean only = key.interest() == SelectionKey.OP_READ;
        var armed = told || !only || most > 0 ? null : direct.arm(key);
        if (armed == null || armed == Armed.READY) {
            return false;
        }
        open.remove(key);
        if (key.isTold()) {
            open.add(key);
        }
        return true;
    }

    /// From now on it is looked at when it rings.
    ///
    /// @return what it is ready for meanwhile
    private int watched(MixedKey key, Mixed mixed) {
        open.remove(key); // before the look: what comes after it puts it there again
        int interest = waits(key, key.interest());
        if (interest == NONE) {
            return NONE;
        }
        mixed.watch(interest, key);
        int ready = mixed.ready(interest); // what came before it was watched
        if (ready != NONE) {
            open.add(key);
        }
        return ready;
    }

    /// Has the JDK's selector wait for it.
    ///
    /// @return what it does not wait for
    private int waits(MixedKey key, int interest) {
        var armed = (interest & SelectionKey.OP_READ) == 0 ? null : direct.arm(key);
        if (armed == null) {
            return interest;
        }
        if (armed == Armed.READY) {
            again.add(key);
        }
        return interest & ~SelectionKey.OP_READ;
    }

    private int tell(MixedKey key, int operations, @Nullable Consumer<SelectionKey> action) {
        int now = operations & key.interest();
        if (now == NONE) {
            return 0;
        }
        if (action != null) {
            key.ready(now);
            action.accept(key);
            requireOpen();
            return 1;
        }
        if (selected.insert(key)) {
            key.ready(now);
            return 1;
        }
        int before = key.ready();
        key.ready(before | now);
        return (before | now) == before ? 0 : 1;
    }

    private void dropCancelled() {
        var cancelled = cancelledKeys();
        synchronized (cancelled) {
            if (cancelled.isEmpty()) {
                return;
            }
            for (var key : cancelled) {
                drop((MixedKey) key);
            }
            cancelled.clear();
        }
    }

    private void drop(MixedKey key) {
        keys.remove(key);
        selected.remove(key);
        forget(key);
        deregister(key);
    }

    private void forget(MixedKey key) {
        open.remove(key);
        direct.disarm(key);
        key.leave();
        var mixed = key.mixed();
        if (mixed != null) {
            mixed.polled(false);
            mixed.unwatch(key);
            mixed.known(key, false);
        }
    }

    @Override
    public Selector wakeup() {
        woken.set(true);
        stir();
        return this;
    }

    @Override
    protected void implCloseSelector() throws IOException {
        wakeup();
        synchronized (this) {
            synchronized (selected) {
                for (var key : keys) {
                    drop((MixedKey) key);
                }
                jdk.close();
            }
        }
    }
}
