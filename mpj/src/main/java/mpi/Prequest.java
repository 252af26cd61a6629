package mpi;

import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.DeviceFailed;
import org.jspecify.annotations.Nullable;

/// A request that can be started again and again. Inactive until it is started, and when it is
/// complete.
public class Prequest extends Request {
    private final Comm of;
    private final @Nullable Mode mode;
    private final Args args;
    private boolean freed;

    /// @param mode null when it receives
    Prequest(Comm comm, @Nullable Mode mode, Args args) {
        super(comm, mode == null);
        this.of = comm;
        this.mode = mode;
        this.args = args;
    }

    /// Begins it.
    public void Start() {
        try {
            Fault.unless(!freed, ErrorClass.REQUEST, "the persistent request was freed");
            Fault.unless(
                    !isActive(),
                    ErrorClass.REQUEST,
                    "the persistent request is active: wait for it first");
            of.traffic().start(this, mode, args);
        } catch (Fault | DeviceFailed e) {
            throw of.failure("Start", e);
        }
    }

    /// Begins all of them. A null stands for none, as where they are waited for.
    public static void Startall(@Nullable Prequest[] requests) {
        for (Prequest request : Completion.given("Startall", requests)) {
            if (request != null) {
                request.Start();
            }
        }
    }

    @Override
    public boolean Is_null() {
        return freed;
    }

    @Override
    public void Free() {
        super.Free();
        freed = true;
    }
}
