package mpi;

import java.util.ArrayDeque;
import java.util.Deque;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.data.Copy;
import org.ibidem.mpj.data.Messages;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.DeviceInterrupted;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Outgoing;
import org.ibidem.mpj.device.Request;

/// The buffer that a program attached for its buffered sends. Its size bounds what they may hold at
/// once; the copies lie in memory of their own.
final class Attached {
    /// What each message takes beyond its bytes.
    static final int OVERHEAD = 32;

    private final Device device;
    private final Deque<Held> held = new ArrayDeque<>();
    private boolean there;
    private long capacity;
    private long used;

    /// A message on its way.
    private record Held(Request request, long bytes) {}

    /// A send that was complete when it began.
    private record Done(Envelope envelope) implements Request {
        @Override
        public Envelope await() {
            return envelope;
        }

        @Override
        public Envelope test() {
            return envelope;
        }

        @Override
        public boolean isDone() {
            return true;
        }

        @Override
        public boolean cancel() {
            return false;
        }

        @Override
        public boolean isEnding() {
            return true;
        }
    }

    Attached(Device device) {
        this.device = device;
    }

    synchronized void attach(long size) {
        Fault.unless(!there, ErrorClass.BUFFER, "a buffer is attached already");
        there = true;
        capacity = size;
    }

    /// Waits until all that is in it has left. Where the thread is interrupted the buffer stays,
    /// with what is still in it.
    synchronized void detach() {
        while (!held.isEmpty()) {
            release();
        }
        there = false;
    }

    private void release() {
        Held first = held.element();
        try {
            Envelope _ = first.request.await();
        } catch (DeviceInterrupted e) {
            throw mpi.Request.stillActive(e);
        } catch (DeviceFailed e) {
            letGo();
            throw e;
        }
        letGo();
    }

    synchronized Request send(Outgoing message, int to, int tag, int context) {
        letGo();
        Fault.unless(
                there, ErrorClass.BUFFER, "no buffer is attached: call MPI.Buffer_attach first");
        long bytes = message.bytes() + message.objects() + OVERHEAD;
        if (bytes > capacity - used) {
            device.progress(); // what has been received meanwhile takes no room
            letGo();
        }
        if (bytes > capacity - used) {
            throw new Fault(
                    ErrorClass.BUFFER,
                    "the message takes "
                            + bytes
                            + " bytes, and the attached buffer of "
                            + capacity
                            + " has "
                            + (capacity - used)
                            + " left");
        }
        Envelope envelope = Messages.envelope(message);
        held.add(new Held(device.isend(new Copy(message), to, tag, context), bytes));
        used += bytes;
        return new Done(envelope);
    }

    /// Whether all that was in it has left.
    synchronized boolean isEmpty() {
        letGo();
        return held.isEmpty();
    }

    private void letGo() {
        held.removeIf(one -> {
            boolean done = one.request.isDone();
            used -= done ? one.bytes : 0;
            return done;
        });
    }
}
