package org.ibidem.rmi;

import org.ibidem.port.WriteMessage;
import org.ibidem.rmi.frame.Incoming;
import org.jspecify.annotations.Nullable;

/// A call that is here and has its arguments, until its reply is written; then it may be used for
/// another one of the same method. Who cancels it interrupts its thread, and no other.
final class Served implements ByNumber.Numbered<Served>, Serving.Reply {
    private final Exported exported;
    private final Exported.Entry entry;
    private final Incoming call;
    private @Nullable Served next;

    /// Written by this.
    private Callers.@Nullable Caller caller;

    private long id;
    private boolean oneWay;
    private @Nullable Thread thread;
    private boolean cancelled;

    /// One without arguments.
    Served(Exported exported, Exported.Entry entry) {
        this.exported = exported;
        this.entry = entry;
        this.call = entry.incoming().fresh();
    }

    /// From now on it is this call.
    synchronized void begin(Callers.Caller from, long number, boolean oneWay) {
        this.caller = from;
        this.id = number;
        this.oneWay = oneWay;
        this.thread = null;
        this.cancelled = false;
    }

    Callers.Caller caller() {
        var known = caller;
        if (known == null) {
            throw new IllegalStateException("it has not begun");
        }
        return known;
    }

    @Override
    public long number() {
        return id;
    }

    @Override
    public @Nullable Served next() {
        return next;
    }

    @Override
    public void next(@Nullable Served other) {
        next = other;
    }

    boolean isOneWay() {
        return oneWay;
    }

    Exported exported() {
        return exported;
    }

    Exported.Entry entry() {
        return entry;
    }

    Incoming call() {
        return call;
    }

    /// Whether it runs in one of the places for a program's calls: what nodes ask each other of
    /// objects and names does not wait for those.
    boolean takesPlace() {
        return !(exported.object() instanceof Names.Held);
    }

    /// Whether it has not been cancelled, and its caller is there.
    synchronized boolean isWanted() {
        return !cancelled && !caller().isGone();
    }

    /// This thread runs it.
    ///
    /// @return false: it is not wanted any more
    synchronized boolean runs() {
        thread = Thread.currentThread();
        return isWanted();
    }

    /// Its method is over: nobody interrupts this thread any more.
    synchronized void hasRun() {
        thread = null;
        Thread.interrupted(); // by a cancel, which nobody else needs to hear of
    }

    /// It is not wanted any more, unless it has become another one.
    synchronized void cancel(Callers.Caller from, long number) {
        if (caller == from && id == number) {
            cancelled = true;
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    /// Its result.
    @Override
    public void write(WriteMessage message) {
        InFlight.begin();
        message.writeByte(Words.RETURNED).writeLong(id);
        call.write(entry.method().result(), message);
        if (entry.method().givesObject()) {
            writeInFlight(message);
        }
    }

    @Override
    public Serving.Reply instead(Throwable why) {
        return message -> {
            message.writeByte(Words.BAD_RESULT).writeLong(id);
            message.writeString(Words.reason(why));
        };
    }

    /// Whether the objects behind which this stands have references, which are kept until they have
    /// come.
    void writeInFlight(WriteMessage message) {
        var written = InFlight.written();
        if (written != null) {
            caller().inFlight.put(id, written);
        }
        message.writeBoolean(written != null);
    }

    /// It is over, and nobody has it any more.
    void release() {
        call.clear();
        entry.free(this);
    }
}
