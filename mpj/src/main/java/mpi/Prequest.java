package mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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
        start("Start");
    }

    private void start(String call) {
        try {
            check();
            of.traffic().start(this, mode, args);
        } catch (Fault | DeviceFailed e) {
            throw of.failure(call, e);
        }
    }

    private void check() {
        Fault.unless(!freed, ErrorClass.REQUEST, "the persistent request was freed");
        Fault.unless(
                !isActive(),
                ErrorClass.REQUEST,
                "the persistent request is active: wait for it first");
    }

    /// Begins all of them, or, where one has wrong arguments, none. A null stands for none, as
    /// where they are waited for.
    public static void Startall(@Nullable Prequest[] requests) {
        List<Prequest> all =
                Arrays.stream(Completion.given("Startall", requests))
                        .<Prequest>mapMulti((request, next) -> {
                            if (request != null) {
                                next.accept(request);
                            }
                        })
                        .toList();
        Set<Prequest> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        all.forEach(request -> request.check(seen));
        List<Prequest> begun = new ArrayList<>();
        boolean done = false;
        try {
            for (Prequest request : all) {
                request.start("Startall");
                begun.add(request);
            }
            done = true;
        } finally {
            if (!done) {
                begun.forEach(Prequest::takeBack);
            }
        }
    }

    private void check(Set<Prequest> seen) {
        try {
            check();
            Fault.unless(
                    seen.add(this), ErrorClass.REQUEST, "the persistent request is there twice");
            of.traffic().check(mode, args);
        } catch (Fault e) {
            throw of.failure("Startall", e);
        }
    }

    /// A receive that takes nothing is inactive again. What was sent may have arrived: that stays
    /// active, to be waited for.
    private void takeBack() {
        var receive = mode == null ? operation() : null;
        if (isReady() || (receive != null && receive.cancel())) {
            becomeInactive();
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
