package org.ibidem.mpj.device.threads;

import org.ibidem.IbidemException;
import org.ibidem.mpj.data.Copy;
import org.ibidem.mpj.data.Messages;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Matcher;
import org.ibidem.mpj.device.Outgoing;
import org.ibidem.mpj.device.Request;
import org.jspecify.annotations.Nullable;

/// An operation that one process began.
abstract sealed class Operation extends Matcher.Entry implements Request {
    final ThreadsDevice device;
    private volatile @Nullable Envelope result;
    private volatile @Nullable RuntimeException failure;

    Operation(ThreadsDevice device) {
        this.device = device;
    }

    void complete(Envelope envelope) {
        synchronized (device) {
            result = envelope;
            device.completed(this);
        }
    }

    void fail(RuntimeException cause) {
        synchronized (device) {
            failure = cause;
            device.completed(this);
        }
    }

    @Override
    public boolean isDone() {
        return result != null || failure != null;
    }

    @Override
    public @Nullable Envelope test() {
        RuntimeException cause = failure;
        if (cause != null) {
            throw cause;
        }
        return result;
    }

    @Override
    public Envelope await() {
        Envelope done = test();
        return done != null ? done : device.await(this);
    }

    /// A receive.
    static final class Receive extends Operation {
        private final Incoming into;

        Receive(ThreadsDevice device, Incoming into) {
            super(device);
            this.into = into;
        }

        /// Takes the message it was matched with. Its sender may use it again then.
        void take(Send send) {
            Envelope sent = send.envelope;
            try {
                long[] wanted = {0};
                Messages.carry(send.message(), new Counted(into, wanted), sent);
                complete(wanted[0] >= sent.size() ? sent : sent.cut());
            } catch (IbidemException e) {
                fail(e);
            } catch (RuntimeException | Error e) { // it may be the sender's thread
                fail(DeviceFailed.untaken(e));
            } finally {
                send.taken();
            }
        }

        @Override
        public boolean isEnding() {
            synchronized (device) {
                return !isWaiting();
            }
        }

        @Override
        public boolean cancel() {
            synchronized (device) {
                if (!device.cancel(this)) {
                    return false;
                }
                complete(Envelope.cancelled(source(), device.id(), tag(), context()));
                return true;
            }
        }
    }

    /// Remembers how much was wanted.
    private record Counted(Incoming into, long[] wanted) implements Incoming {
        @Override
        public long begin(Envelope message) {
            wanted[0] = into.begin(message);
            return wanted[0];
        }

        @Override
        public void read(java.lang.foreign.MemorySegment from, long at, int count) {
            into.read(from, at, count);
        }

        @Override
        public void end() {
            into.end();
        }
    }

    /// A send.
    static final class Send extends Operation {
        final Envelope envelope;
        private final Outgoing original;
        private @Nullable Copy kept;

        Send(ThreadsDevice device, Outgoing message, Envelope envelope) {
            super(device);
            this.original = message;
            this.envelope = envelope;
        }

        Outgoing message() {
            return kept != null ? kept : original;
        }

        void keep() {
            kept = new Copy(original);
        }

        boolean isKept() {
            return kept != null;
        }

        /// Its receiver has it.
        void taken() {
            if (kept == null) {
                complete(envelope);
            }
        }

        @Override
        public boolean isEnding() {
            return isDone() || !device.peer(envelope.to()).waits(this);
        }

        @Override
        public boolean cancel() {
            if (isDone() || !device.peer(envelope.to()).take(this)) {
                return false;
            }
            complete(
                    Envelope.cancelled(
                            envelope.source(), envelope.to(), envelope.tag(), envelope.context()));
            return true;
        }
    }
}
