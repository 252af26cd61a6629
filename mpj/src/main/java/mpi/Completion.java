package mpi;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.DeviceInterrupted;
import org.jspecify.annotations.Nullable;

/// The end of several requests.
final class Completion {
    private static final Status[] NONE = {};

    private Completion() {}

    /// The requests, unless there is no array; who calls may not be null-marked.
    static <T extends @Nullable Request> T[] given(String call, T[] requests) {
        try {
            return Fault.given(requests, "array of requests");
        } catch (Fault e) {
            throw World.failure(call, e);
        }
    }

    static Status waitAny(@Nullable Request[] requests) {
        Status found = complete(requests);
        if (found != null) {
            return found;
        }
        Comm comm = comm(requests);
        if (comm == null) {
            return Status.undefined();
        }
        int index = await(comm, requests);
        return ended(requests[index], index);
    }

    static @Nullable Status testAny(@Nullable Request[] requests) {
        Status found = complete(requests);
        Comm comm = found != null ? null : comm(requests);
        if (comm == null) {
            return found != null ? found : Status.undefined();
        }
        progress("Testany", comm);
        return complete(requests);
    }

    /// The status of the first that is complete, or null.
    private static @Nullable Status complete(@Nullable Request[] requests) {
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            if (request != null && isComplete(request)) {
                return ended(request, i);
            }
        }
        return null;
    }

    private static boolean isComplete(Request request) {
        var operation = request.operation();
        return request.isReady() || (operation != null && operation.isDone());
    }

    private static Status ended(@Nullable Request request, int index) {
        return (request == null ? new Status() : request.Wait()).at(index);
    }

    /// The communicator of one that is active, or null when none is.
    private static @Nullable Comm comm(@Nullable Request[] requests) {
        for (Request request : requests) {
            if (request != null && request.isActive()) {
                return request.comm();
            }
        }
        return null;
    }

    private static int await(Comm comm, @Nullable Request[] requests) {
        var operations = new org.ibidem.mpj.device.@Nullable Request[requests.length];
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            operations[i] = request == null ? null : request.operation();
        }
        try {
            long word = comm.last.begin(Call.WAITANY, LastCall.NOBODY, 0);
            int first = comm.device().peek(operations);
            comm.last.over(word);
            return first;
        } catch (DeviceInterrupted e) {
            throw comm.failure("Waitany", Request.stillActive(e));
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Waitany", e);
        }
    }

    private static void progress(String call, Comm comm) {
        try {
            long word = comm.last.begin(Call.of(call), LastCall.NOBODY, 0);
            comm.device().progress();
            comm.last.over(word);
        } catch (Fault | DeviceFailed e) {
            throw comm.failure(call, e);
        }
    }

    /// All are waited for, also when one fails; then the first failure is thrown. Nothing is taken
    /// from a request before all are complete, so that an interrupted call loses no status.
    static Status[] waitAll(@Nullable Request[] requests) {
        for (Request request : requests) {
            if (request != null) {
                request.await();
            }
        }
        Status[] all = new Status[requests.length];
        MPIException failure = null;
        for (int i = 0; i < requests.length; i++) {
            try {
                all[i] = ended(requests[i], i);
            } catch (MPIException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return all;
    }

    static Status @Nullable [] testAll(@Nullable Request[] requests) {
        Comm comm = areComplete(requests) ? null : comm(requests);
        if (comm != null) {
            progress("Testall", comm);
        }
        return comm == null || areComplete(requests) ? waitAll(requests) : null;
    }

    private static boolean areComplete(@Nullable Request[] requests) {
        for (Request request : requests) {
            if (request != null && request.isActive() && !isComplete(request)) {
                return false;
            }
        }
        return true;
    }

    static Status[] waitSome(@Nullable Request[] requests) {
        Comm comm = comm(requests);
        if (comm == null) {
            return NONE;
        }
        Status[] some = some(requests);
        if (some.length == 0) {
            await(comm, requests);
            some = some(requests);
        }
        return some;
    }

    static Status[] testSome(@Nullable Request[] requests) {
        Comm comm = comm(requests);
        if (comm == null) {
            return NONE;
        }
        Status[] some = some(requests);
        if (some.length > 0) {
            return some;
        }
        progress("Testsome", comm);
        return some(requests);
    }

    private static Status[] some(@Nullable Request[] requests) {
        List<Status> some = new ArrayList<>();
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            if (request != null && isComplete(request)) {
                some.add(ended(request, i));
            }
        }
        return some.toArray(NONE);
    }
}
