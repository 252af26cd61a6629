package mpi;

import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.DeviceInterrupted;
import org.ibidem.mpj.device.Envelope;
import org.jspecify.annotations.Nullable;

/// An operation that was begun. When it is complete and somebody was told, it is as
/// [MPI#REQUEST_NULL].
public class Request {
    private final @Nullable Comm comm;
    private final boolean receives;
    private org.ibidem.mpj.device.@Nullable Request operation;

    /// The call that began it, as [LastCall] has it.
    private long begun;

    /// What it is complete with, where there is no operation.
    private @Nullable Status ready;

    Request(@Nullable Comm comm, boolean receives) {
        this.comm = comm;
        this.receives = receives;
    }

    static Request ofSend(Comm comm, org.ibidem.mpj.device.@Nullable Request operation, long call) {
        Request request = new Request(comm, false);
        request.begin(operation, call);
        return request;
    }

    static Request ofReceive(
            Comm comm, org.ibidem.mpj.device.@Nullable Request operation, long call) {
        Request request = new Request(comm, true);
        request.begin(operation, call);
        return request;
    }

    /// @param begins null when it is with nobody
    /// @param call as [LastCall] has it
    final void begin(org.ibidem.mpj.device.@Nullable Request begins, long call) {
        operation = begins;
        ready = begins == null ? Status.ofNobody() : null;
        begun = call;
    }

    final boolean isActive() {
        return operation != null || ready != null;
    }

    /// Whether nothing has to be waited for.
    final boolean isReady() {
        return ready != null;
    }

    final org.ibidem.mpj.device.@Nullable Request operation() {
        return operation;
    }

    final @Nullable Comm comm() {
        return comm;
    }

    /// Waits until it is complete; an inactive one has an empty status at once. Where the thread is
    /// interrupted it is still active, and can be waited for again.
    public Status Wait() {
        Status done = done("Wait", true);
        return done == null ? new Status() : done;
    }

    /// As [#Wait] when it is complete, else null.
    public @Nullable Status Test() {
        return isActive() ? done("Test", false) : new Status();
    }

    private @Nullable Status done(String call, boolean wait) {
        Status already = ready;
        if (already != null) {
            ready = null;
            return already;
        }
        var mine = operation;
        if (mine == null) {
            return null;
        }
        try {
            LastCall last = comm == null ? LastCall.NONE : comm.last;
            long word = last.begin(wait ? Call.WAIT : Call.TEST, begun);
            Envelope envelope = wait ? mine.await() : mine.test();
            last.over(word);
            if (envelope == null) {
                return null;
            }
            operation = null;
            return status(envelope);
        } catch (DeviceInterrupted e) {
            throw failure(call, stillActive(e)); // it can be waited for again
        } catch (Fault | DeviceFailed e) {
            operation = null;
            throw failure(call, e);
        }
    }

    /// Waits until it is complete, or has failed, of which nobody is told yet: it stays active.
    final void await() {
        var mine = operation;
        if (mine == null || mine.isDone()) {
            return;
        }
        LastCall last = comm == null ? LastCall.NONE : comm.last;
        long word = last.begin(Call.WAIT, begun);
        try {
            Envelope _ = mine.await();
            last.over(word);
        } catch (DeviceInterrupted e) {
            throw failure("Wait", stillActive(e));
        } catch (Fault | DeviceFailed _) {
            // whoever asks for its status is told
        }
    }

    static DeviceFailed stillActive(DeviceInterrupted e) {
        return new DeviceFailed(
                e.getMessage() + "; what it waited for is still active: wait for it again", e);
    }

    private RuntimeException failure(String call, RuntimeException cause) {
        return comm == null ? World.failure(call, cause) : comm.failure(call, cause);
    }

    private Status status(Envelope envelope) {
        return comm == null || !receives
                ? Status.of(envelope, MPI.ANY_SOURCE)
                : comm.status(envelope);
    }

    /// Whether there is nothing to wait for.
    public boolean Is_null() {
        return !isActive();
    }

    /// Lets it run to its end, of which nobody is told.
    public void Free() {
        becomeInactive();
    }

    final void becomeInactive() {
        operation = null;
        ready = null;
    }

    /// Gives it up, if no message has met it yet; it has to be waited for in any case, and its
    /// status tells. Of a message whose receiver knows of it already that has to answer: it does so
    /// whenever it calls MPI.
    public void Cancel() {
        var mine = operation;
        if (mine != null) {
            mine.cancel();
        }
    }

    /// Nothing: memory frees itself.
    @Override
    @SuppressWarnings({"removal", "Finalize"}) // part of the API
    public void finalize() {}

    /// Waits until one is complete; its place is [Status#index].
    public static Status Waitany(@Nullable Request[] requests) {
        return Completion.waitAny(Completion.given("Waitany", requests));
    }

    /// As [#Waitany] when one is complete, else null.
    public static @Nullable Status Testany(@Nullable Request[] requests) {
        return Completion.testAny(Completion.given("Testany", requests));
    }

    /// Waits until all are complete.
    public static Status[] Waitall(@Nullable Request[] requests) {
        return Completion.waitAll(Completion.given("Waitall", requests));
    }

    /// As [#Waitall] when all are complete, else null.
    public static Status @Nullable [] Testall(@Nullable Request[] requests) {
        return Completion.testAll(Completion.given("Testall", requests));
    }

    /// Waits until at least one is complete; the statuses of all that are, and none when none is
    /// active.
    public static Status[] Waitsome(@Nullable Request[] requests) {
        return Completion.waitSome(Completion.given("Waitsome", requests));
    }

    /// The statuses of all that are complete, and none when none is active.
    public static Status[] Testsome(@Nullable Request[] requests) {
        return Completion.testSome(Completion.given("Testsome", requests));
    }
}
