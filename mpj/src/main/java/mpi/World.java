package mpi;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.collective.Movement;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.jspecify.annotations.Nullable;

/// One process of an MPI program: its device, and what its communicators share. Usually a JVM has
/// one, which [MPI#Init] makes; in tests several live side by side.
final class World {
    /// How many contexts a communicator has: of messages of the program, of collective operations,
    /// of the search for mismatched ones, and of what two groups tell each other.
    static final int CONTEXTS = 4;

    private static final System.Logger LOG = System.getLogger(World.class.getName());

    private final Device device;
    private final boolean debug;
    private final Ending ending;
    private final Attached attached;
    private final Watch watch;
    private final LastCall last;
    private final AtomicInteger communicators = new AtomicInteger();
    private final Intracomm all;
    private final Intracomm self;
    private volatile boolean finished;

    World(Device device, boolean debug, Ending ending) {
        this(device, debug, ending, new Watch(), LastCall.unread());
    }

    World(Device device, boolean debug, Ending ending, Watch watch, LastCall last) {
        this.watch = watch;
        this.last = last;
        this.device = device;
        this.debug = debug;
        this.ending = ending;
        this.attached = new Attached(device);
        int[] everybody = IntStream.range(0, device.size()).toArray();
        this.all = new Intracomm(this, everybody, 0, MPI.ERRORS_ARE_FATAL);
        this.self =
                new Intracomm(this, new int[] {device.id()}, newContext(), MPI.ERRORS_ARE_FATAL);
    }

    Device device() {
        return device;
    }

    boolean debug() {
        return debug;
    }

    Ending ending() {
        return ending;
    }

    Attached attached() {
        return attached;
    }

    Watch watch() {
        return watch;
    }

    LastCall last() {
        return last;
    }

    /// COMM_WORLD.
    Intracomm all() {
        return all;
    }

    /// COMM_SELF.
    Intracomm self() {
        return self;
    }

    boolean isFinished() {
        return finished;
    }

    /// Contexts that no other communicator of the program has, whichever process makes it: they
    /// count in steps of all processes, each from its own number on.
    int newContext() {
        long context =
                ((long) communicators.incrementAndGet() * device.size() + device.id()) * CONTEXTS;
        Fault.unless(
                context <= Integer.MAX_VALUE - CONTEXTS,
                ErrorClass.INTERN,
                "this process has made as many communicators as there can be");
        return (int) context;
    }

    /// All have come to their end: nobody leaves before.
    void end() {
        long word = last.begin(Call.FINALIZE, LastCall.NOBODY, 0);
        attached.detach();
        Agreement.check(all, "Finalize", -1);
        try {
            Movement.barrier(all.team());
        } catch (DeviceFailed e) {
            throw new DeviceFailed(
                    e.getMessage() + "; every process has to call MPI.Finalize before it ends", e);
        }
        if (debug) {
            LOG.log(System.Logger.Level.INFO, ways());
        }
        finished = true;
        device.finish();
        last.over(word);
    }

    private String ways() {
        return IntStream.range(0, device.size())
                .filter(rank -> rank != device.id() && !device.way(rank).isEmpty())
                .mapToObj(rank -> "rank " + rank + ": " + device.way(rank))
                .collect(Collectors.joining("; ", "rank " + device.id() + " reached ", ""));
    }

    /// The error of a call that belongs to no communicator: the world's handler has it.
    static RuntimeException failure(String call, RuntimeException cause) {
        return MPI.COMM_WORLD.failure(call, cause);
    }

    /// As programs see it.
    static MPIException exception(String call, RuntimeException cause) {
        return switch (cause) {
            case MPIException known -> known;
            case Fault fault -> exception(fault.errorClass(), call, fault);
            case DeviceFailed failed -> {
                Fault fault = fault(failed);
                yield fault == null
                        ? exception(ErrorClass.INTERN, call, failed)
                        : exception(fault.errorClass(), call, fault);
            }
            default -> exception(ErrorClass.ARG, call, cause);
        };
    }

    /// A device has another thread's word for what is wrong with a message.
    private static @Nullable Fault fault(DeviceFailed failed) {
        Throwable cause = failed;
        while (cause instanceof DeviceFailed) {
            cause = cause.getCause();
        }
        return cause instanceof Fault fault ? fault : null;
    }

    private static MPIException exception(
            ErrorClass errorClass, String call, RuntimeException cause) {
        return new MPIException(
                errorClass, errorClass + " in " + call + ": " + reason(cause), cause);
    }

    private static @Nullable String reason(RuntimeException cause) {
        return cause instanceof NullPointerException ? "an argument is null" : cause.getMessage();
    }
}
