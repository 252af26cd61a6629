package org.ibidem.mpj.device;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What a call has begun. A call that fails takes its receives back: one that stayed posted would
/// take a message that is meant for another. When its thread was interrupted it takes its sends
/// back, too; otherwise these go on, as others may wait for them.
///
/// ```java
/// try (var begun = new Begun()) {
///     begun.receives(device.irecv(into, from, tag, context));
///     begun.sends(device.isend(message, to, tag, context));
///     begun.await();
/// }
/// ```
///
/// A request whose message has met its receive cannot be taken back; it ends by itself.
public final class Begun implements AutoCloseable {
    private final List<Request> receives = new ArrayList<>(1);
    private final List<Request> sends = new ArrayList<>(1);

    /// Of which nothing has begun.
    public Begun() {}

    /// A receive.
    public Request receives(Request request) {
        receives.add(request);
        return request;
    }

    /// A send.
    public Request sends(Request request) {
        sends.add(request);
        return request;
    }

    /// Waits for all of them, the receives first.
    public void await() {
        receives.forEach(Begun::toItsEnd);
        sends.forEach(Begun::toItsEnd);
    }

    private static void toItsEnd(Request request) {
        Envelope _ = request.await();
    }

    /// Takes back what is not complete. An interrupted thread waits until it knows what became of
    /// it, or until it is interrupted again.
    @Override
    public void close() {
        receives.forEach(Begun::takeBack);
        boolean isDone = all().allMatch(Request::isDone);
        if (isDone || !Thread.interrupted()) {
            return;
        }
        try {
            sends.forEach(Begun::takeBack);
            all().filter(Request::isEnding).forEach(Begun::awaitAnyEnd);
        } catch (DeviceInterrupted _) {
            // whoever interrupts twice does not want to wait
        } finally {
            Thread.currentThread().interrupt();
        }
    }

    private Stream<Request> all() {
        return Stream.concat(receives.stream(), sends.stream());
    }

    private static void takeBack(Request request) {
        if (!request.isDone()) {
            boolean _ = request.cancel();
        }
    }

    private static void awaitAnyEnd(Request request) {
        try {
            Envelope _ = request.await();
        } catch (DeviceInterrupted e) {
            throw e;
        } catch (DeviceFailed _) {
            // the call has failed already
        }
    }

    /// Waits for the only request of a call. When the thread is interrupted the request is taken
    /// back, and the call fails. If its message has met its receive by then, the call is done, and
    /// the thread stays interrupted.
    ///
    /// @throws DeviceInterrupted when it was taken back, or the thread was interrupted twice
    public static Envelope await(Request request) {
        try {
            return request.await();
        } catch (DeviceInterrupted e) {
            return afterInterrupt(request, e);
        }
    }

    /// The same of a thread that has waited, and was interrupted.
    public static Envelope afterInterrupt(Request request, DeviceInterrupted interrupted) {
        boolean _ = Thread.interrupted();
        try {
            boolean _ = request.cancel();
            if (!request.isEnding()) {
                throw interrupted; // its receiver cannot be asked to give it back
            }
            Envelope end = request.await();
            if (end.cancelled()) {
                throw new DeviceInterrupted(interrupted);
            }
            return end;
        } finally {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits for what cannot be taken back without harm, as its call has received already: the
    /// first interrupt is kept for later, the second ends it.
    public static Envelope awaitEnd(Request request) {
        boolean interrupted = Thread.interrupted();
        try {
            return request.await();
        } catch (DeviceInterrupted e) {
            if (interrupted) {
                throw e;
            }
            interrupted = Thread.interrupted();
            return request.await();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
