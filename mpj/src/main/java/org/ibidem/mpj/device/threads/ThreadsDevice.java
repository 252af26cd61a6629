package org.ibidem.mpj.device.threads;

import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.DeviceInterrupted;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Matcher;
import org.ibidem.mpj.device.Outgoing;
import org.ibidem.mpj.device.Request;
import org.ibidem.mpj.device.threads.Operation.Receive;
import org.ibidem.mpj.device.threads.Operation.Send;
import org.jspecify.annotations.Nullable;

/// The device of one process. Its lock guards what has come for it; no thread holds two of them.
final class ThreadsDevice implements Device {
    private static final int SPINS = 500;

    private final Threads all;
    private final int id;
    private final int size;
    private final Matcher<Receive, Send> matcher = new Matcher<>();

    /// Bytes kept of each process's messages that nobody has asked for.
    private final long[] kept;

    private int sending;
    private boolean finished;
    private @Nullable DeviceFailed failure;

    ThreadsDevice(Threads all, int id, int size) {
        this.all = all;
        this.id = id;
        this.size = size;
        this.kept = new long[size];
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public int size() {
        return size;
    }

    ThreadsDevice peer(int to) {
        return all.at(to);
    }

    @Override
    public Request isend(Outgoing message, int to, int tag, int context) {
        return begin(message, to, tag, context, true);
    }

    @Override
    public Request issend(Outgoing message, int to, int tag, int context) {
        return begin(message, to, tag, context, false);
    }

    private Request begin(Outgoing message, int to, int tag, int context, boolean mayKeep) {
        Envelope envelope =
                new Envelope(
                        id,
                        to,
                        tag,
                        context,
                        message.type(),
                        message.bytes(),
                        message.objects(),
                        false,
                        false);
        Send send = new Send(this, message, envelope);
        synchronized (this) {
            check();
            sending++;
        }
        Receive receive = peer(to).arrive(send, mayKeep);
        if (receive != null) {
            receive.take(send);
        } else if (send.isKept()) {
            send.complete(envelope);
        }
        return send;
    }

    private synchronized @Nullable Receive arrive(Send send, boolean mayKeep) {
        Envelope envelope = send.envelope;
        Receive receive =
                matcher.arrive(send, envelope.source(), envelope.tag(), envelope.context());
        if (receive == null) {
            if (mayKeep && all.isEager(envelope.size(), kept[envelope.source()])) {
                send.keep();
                kept[envelope.source()] += envelope.size();
            }
            notifyAll();
        }
        return receive;
    }

    @Override
    public Request irecv(Incoming into, int from, int tag, int context) {
        Receive receive = new Receive(this, into);
        Send send;
        synchronized (this) {
            check();
            send = matcher.post(receive, from, tag, context);
            if (send != null) {
                letGo(send);
            }
        }
        if (send != null) {
            receive.take(send);
        }
        return receive;
    }

    private void letGo(Send send) {
        if (send.isKept()) {
            kept[send.envelope.source()] -= send.envelope.size();
        }
    }

    /// Takes a message back that waits here, for who sent it.
    synchronized boolean take(Send send) {
        boolean taken = !send.isKept() && matcher.take(send);
        if (taken) {
            letGo(send);
        }
        return taken;
    }

    /// Whether a message waits here.
    synchronized boolean waits(Send send) {
        return send.isWaiting();
    }

    /// Takes a receive back; under the lock.
    boolean cancel(Receive receive) {
        return matcher.cancel(receive);
    }

    /// Under the lock.
    void completed(Operation operation) {
        if (operation instanceof Send) {
            sending--;
        }
        notifyAll();
    }

    Envelope await(Operation operation) {
        for (int i = 0; i < SPINS && !operation.isDone(); i++) {
            Thread.onSpinWait();
        }
        synchronized (this) {
            waitUntil(operation::isDone);
            Envelope done = operation.test();
            if (done == null) {
                throw failed();
            }
            return done;
        }
    }

    /// What is waited for.
    private interface Condition {
        boolean holds();
    }

    /// Waits under the lock, until it holds or everything has failed.
    private void waitUntil(Condition condition) {
        while (!condition.holds() && failure == null) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new DeviceInterrupted(e);
            }
        }
    }

    @Override
    public synchronized Envelope probe(int from, int tag, int context) {
        waitUntil(() -> matcher.find(from, tag, context) != null);
        Send found = matcher.find(from, tag, context);
        if (found == null) {
            throw failed();
        }
        return found.envelope;
    }

    @Override
    public synchronized @Nullable Envelope iprobe(int from, int tag, int context) {
        check();
        Send found = matcher.find(from, tag, context);
        return found == null ? null : found.envelope;
    }

    @Override
    public synchronized int peek(@Nullable Request[] requests) {
        waitUntil(() -> done(requests) >= 0);
        int index = done(requests);
        if (index < 0) {
            throw failed();
        }
        return index;
    }

    private static int done(@Nullable Request[] requests) {
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            if (request != null && request.isDone()) {
                return i;
            }
        }
        return -1;
    }

    synchronized void fail(DeviceFailed cause) {
        if (failure == null && !finished) {
            failure = cause;
        }
        notifyAll();
    }

    private void check() {
        if (failure != null) {
            throw failed();
        }
        if (finished) {
            throw new DeviceFailed("the device has been finished");
        }
    }

    /// A trace of where it is noticed, whoever caused it.
    private DeviceFailed failed() {
        DeviceFailed cause = failure;
        return cause == null
                ? new DeviceFailed("the device has been finished")
                : new DeviceFailed(String.valueOf(cause.getMessage()), cause);
    }

    @Override
    public synchronized void finish() {
        waitUntil(() -> sending == 0);
        finished = true;
        notifyAll();
    }
}
