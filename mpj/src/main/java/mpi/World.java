package mpi;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.collective.Movement;
import org.ibidem.mpj.collective.Reduction;
import org.ibidem.mpj.collective.Team;
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
    private final AtomicLong contexts = new AtomicLong();

    /// Those that somebody still has, freed or not; guarded by itself.
    private final Set<Comm> communicators = Collections.newSetFromMap(new WeakHashMap<>());

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
    /// count in steps of all processes, each from its own number on. When they come round, what is
    /// given is `~context`: whoever makes a communicator has to ask first whether one of its
    /// processes still [uses][#anyUses] it.
    int newContext() {
        long given = contexts.getAndIncrement();
        int round = round();
        int context = (int) ((given % round + 1) * device.size() + device.id()) * CONTEXTS;
        return given < round ? context : ~context;
    }

    /// The contexts given next are the last before they come round, but for some: for tests.
    void nearlyRound(int left) {
        contexts.set(round() - left);
    }

    /// How many contexts this process gives before they come round.
    private int round() {
        return (Integer.MAX_VALUE / CONTEXTS - device.id()) / device.size() - 1;
    }

    /// There is one more, unless it is of no world.
    static void made(Comm one, @Nullable World of) {
        if (of != null) {
            synchronized (of.communicators) {
                of.communicators.add(one);
            }
        }
    }

    private boolean uses(int context) {
        synchronized (communicators) {
            return communicators.stream()
                    .anyMatch(one -> !one.Is_null() && one.context() == context);
        }
    }

    /// Whether one of these processes has a communicator of that context. All of them call it.
    boolean anyUses(Team team, int context) {
        int[] used = {uses(context) ? 1 : 0};
        int[] any = {0};
        Reduction.allreduce(team, MPI.ints(used), MPI.ints(any), Op.with(MPI.MAX, MPI.INT));
        return any[0] != 0;
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
                errorClass, errorClass + " in " + call + ": " + cause.getMessage(), cause);
    }
}
