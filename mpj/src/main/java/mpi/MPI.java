package mpi;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.ibidem.IbidemException;
import org.ibidem.config.Settings;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.collective.Arithmetic;
import org.ibidem.mpj.collective.Location;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Objects;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.jspecify.annotations.Nullable;

/// MPI of this process: its beginning and end, and the constants.
public class MPI {
    /// Nothing depends on it.
    public static final boolean DEBUG = true;

    /// Nothing depends on it.
    public static boolean isOldSelected;

    /// How many processors this machine has.
    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

    /// No value; no colour; no topology.
    public static int UNDEFINED = -1;

    /// As a source: from whomever.
    public static int ANY_SOURCE = -2;

    /// As a tag: whatever it is.
    public static int ANY_TAG = -2;

    /// Nobody: messages to it are lost, and those from it empty.
    public static int PROC_NULL = -3;

    /// No datatype.
    public static Datatype NULL = Datatype.basic(Kind.NONE);

    /// Elements of a `byte[]`.
    public static Datatype BYTE = Datatype.basic(Kind.BYTE);

    /// Elements of a `char[]`.
    public static Datatype CHAR = Datatype.basic(Kind.CHAR);

    /// Elements of a `short[]`.
    public static Datatype SHORT = Datatype.basic(Kind.SHORT);

    /// Elements of a `boolean[]`.
    public static Datatype BOOLEAN = Datatype.basic(Kind.BOOLEAN);

    /// Elements of an `int[]`.
    public static Datatype INT = Datatype.basic(Kind.INT);

    /// Elements of a `long[]`.
    public static Datatype LONG = Datatype.basic(Kind.LONG);

    /// Elements of a `float[]`.
    public static Datatype FLOAT = Datatype.basic(Kind.FLOAT);

    /// Elements of a `double[]`.
    public static Datatype DOUBLE = Datatype.basic(Kind.DOUBLE);

    /// Bytes of what was packed.
    public static Datatype PACKED = Datatype.basic(Kind.PACKED);

    /// In a [Datatype#Struct]: its lower bound.
    public static Datatype LB = new Datatype(org.ibidem.mpj.data.Shape.LOWER, true);

    /// In a [Datatype#Struct]: its upper bound.
    public static Datatype UB = new Datatype(org.ibidem.mpj.data.Shape.UPPER, true);

    /// Objects, which are serialized.
    public static Datatype OBJECT = Datatype.basic(Kind.OBJECT);

    /// Pairs in a `short[]`: a value and where it is.
    public static Datatype SHORT2 = Datatype.pair(Kind.SHORT);

    /// Pairs in an `int[]`: a value and where it is.
    public static Datatype INT2 = Datatype.pair(Kind.INT);

    /// Pairs in a `long[]`: a value and where it is.
    public static Datatype LONG2 = Datatype.pair(Kind.LONG);

    /// Pairs in a `float[]`: a value and where it is.
    public static Datatype FLOAT2 = Datatype.pair(Kind.FLOAT);

    /// Pairs in a `double[]`: a value and where it is.
    public static Datatype DOUBLE2 = Datatype.pair(Kind.DOUBLE);

    /// The greatest.
    public static Op MAX = new Op(Arithmetic.MAX, 1);

    /// The least.
    public static Op MIN = new Op(Arithmetic.MIN, 2);

    /// The sum.
    public static Op SUM = new Op(Arithmetic.SUM, 3);

    /// The product.
    public static Op PROD = new Op(Arithmetic.PROD, 4);

    /// Whether all are true, or not 0.
    public static Op LAND = new Op(Arithmetic.LAND, 5);

    /// The bits of all.
    public static Op BAND = new Op(Arithmetic.BAND, 6);

    /// Whether any is true, or not 0.
    public static Op LOR = new Op(Arithmetic.LOR, 7);

    /// The bits of any.
    public static Op BOR = new Op(Arithmetic.BOR, 8);

    /// Whether an odd number is true, or not 0.
    public static Op LXOR = new Op(Arithmetic.LXOR, 9);

    /// The bits of an odd number.
    public static Op BXOR = new Op(Arithmetic.BXOR, 10);

    /// Of pairs the greatest value, and the lowest place where it is.
    public static Op MAXLOC = new Op(new Location(true), 11);

    /// Of pairs the least value, and the lowest place where it is.
    public static Op MINLOC = new Op(new Location(false), 12);

    /// Only one thread.
    public static int THREAD_SINGLE = 1;

    /// Only the thread that called [#Init] calls MPI.
    public static int THREAD_FUNNELED = 2;

    /// One thread at a time calls MPI.
    public static int THREAD_SERIALIZED = 3;

    /// Threads call MPI as they like: this is always so.
    public static int THREAD_MULTIPLE = 4;

    /// The same communicator or group.
    public static final int IDENT = 0;

    /// Equal groups in other contexts.
    public static final int CONGRUENT = 3;

    /// The same members in another order.
    public static final int SIMILAR = 1;

    /// Other members.
    public static final int UNEQUAL = 2;

    /// [Comm#Topo_test] of a [Graphcomm].
    public static int GRAPH = 1;

    /// [Comm#Topo_test] of a [Cartcomm].
    public static int CART = 2;

    /// Bytes that a message takes in the attached buffer beyond its own.
    public static int BSEND_OVERHEAD = Attached.OVERHEAD;

    /// Bytes in front of a message in an mpjbuf.Buffer: none.
    public static int SEND_OVERHEAD;

    /// Bytes in front of a message in an mpjbuf.Buffer: none.
    public static int RECV_OVERHEAD;

    /// An error ends the job.
    public static Errhandler ERRORS_ARE_FATAL = new Errhandler(true);

    /// An error is thrown as an [MPIException].
    public static Errhandler ERRORS_RETURN = new Errhandler(false);

    /// The attribute: the greatest tag.
    public static int TAG_UB = 1;

    /// The attribute: the rank of the host, which is nobody.
    public static int HOST = 2;

    /// The attribute: the rank that has input and output, which is any.
    public static int IO = 3;

    /// The attribute: whether [#Wtime] is the same everywhere, which it is not.
    public static int WTIME_IS_GLOBAL = 4;

    static final Map<Integer, Object> PREDEFINED =
            Map.of(TAG_UB, Integer.MAX_VALUE, HOST, PROC_NULL, IO, ANY_SOURCE, WTIME_IS_GLOBAL, 0);

    /// An inactive request.
    public static Request REQUEST_NULL = new Request(null, false);

    /// No communicator: null.
    public static @Nullable Comm COMM_NULL;

    /// No group: null.
    public static @Nullable Group GROUP_NULL;

    /// The group without members.
    public static Group GROUP_EMPTY = new Group(new int[0], UNDEFINED);

    /// The status of an inactive request.
    public static Status EMPTY_STATUS = new Status();

    /// All processes.
    public static Intracomm COMM_WORLD = new Intracomm(null, new int[0], 0, ERRORS_ARE_FATAL);

    /// This process.
    public static Comm COMM_SELF = COMM_WORLD;

    /// No error.
    public static final int SUCCESS = 0;

    /// A buffer that is null, no array of its type, or too short.
    public static final int ERR_BUFFER = 1;

    /// A count below 0.
    public static final int ERR_COUNT = 2;

    /// A datatype that is null, not committed, or not the message's.
    public static final int ERR_TYPE = 3;

    /// A tag out of bounds.
    public static final int ERR_TAG = 4;

    /// A communicator that is freed or null.
    public static final int ERR_COMM = 5;

    /// A rank that nobody has.
    public static final int ERR_RANK = 6;

    /// A request that is none.
    public static final int ERR_REQUEST = 7;

    /// A root that nobody is.
    public static final int ERR_ROOT = 8;

    /// A group that is null, or has not the members it needs.
    public static final int ERR_GROUP = 9;

    /// An operation that is null, freed, or not for its datatype.
    public static final int ERR_OP = 10;

    /// A topology that does not fit.
    public static final int ERR_TOPOLOGY = 11;

    /// Dimensions that cannot be.
    public static final int ERR_DIMS = 12;

    /// Another argument that cannot be.
    public static final int ERR_ARG = 13;

    /// An error of no known kind.
    public static final int ERR_UNKNOWN = 14;

    /// A message longer than its receiver has room for.
    public static final int ERR_TRUNCATE = 15;

    /// A known error of no other class.
    public static final int ERR_OTHER = 16;

    /// Something failed below MPI.
    public static final int ERR_INTERN = 17;

    /// The error is in a status.
    public static final int ERR_IN_STATUS = 18;

    /// The request is not complete.
    public static final int ERR_PENDING = 19;

    private static final long START = System.nanoTime();
    private static final double SECOND = 1e9;

    /// Rank, number of processes, device.
    private static final int BEFORE_OWN = 3;

    private static @Nullable World world;
    private static @Nullable Thread main;

    /// It has no state of its own.
    public MPI() {}

    static Part ints(int[] values) {
        return Part.of(values, 0, values.length, INT.shape());
    }

    /// Begins: before it nothing but this, [#Initialized] and the constants may be used.
    ///
    /// @param args of the program
    /// @return the same; the program's own where rank, size and device stand before them
    public static synchronized String[] Init(String[] args) {
        if (world != null) {
            throw World.failure(
                    "Init",
                    new Fault(
                            ErrorClass.OTHER,
                            world.isFinished()
                                    ? "MPI.Finalize has been called, and MPI begins only once in a process"
                                    : "MPI.Init has been called already"));
        }
        boolean debug = false;
        LastCall last = LastCall.NONE;
        try {
            Settings settings = Settings.system();
            debug = settings.value("ibidem.mpj.debug", false);
            last = LastCall.ofProcess(settings);
            long word = last.begin(Call.INIT, LastCall.NOBODY, 0);
            Device device = Devices.open(settings);
            if (device.isGoverned()) {
                Objects.governed();
            }
            begin(new World(device, debug, Ending.ofProcess(debug), new Watch(), last));
            last.over(word);
            return own(args, settings.value("ibidem.mpj.arguments", "own"));
        } catch (IbidemException | IllegalArgumentException e) {
            last.failed("Init");
            throw notBegun(e, debug);
        }
    }

    /// What is wrong around the program is a sentence, and its end.
    private static RuntimeException notBegun(RuntimeException why, boolean debug) {
        MPIException failure =
                World.exception(
                        "Init", new Fault(ErrorClass.OTHER, String.valueOf(why.getMessage()), why));
        if (COMM_WORLD.handler().fatal) {
            Ending.notBegun(failure, debug);
        }
        return failure;
    }

    /// Without what `ibidem run` has put before them for a program of MPJ Express.
    private static String[] own(String[] args, String arguments) {
        boolean more =
                arguments.equals("mpjexpress")
                        && args != null // as programs say that look at none
                        && args.length >= BEFORE_OWN
                        && args[0].equals(Integer.toString(COMM_WORLD.Rank()))
                        && args[1].equals(Integer.toString(COMM_WORLD.Size()));
        return more ? Arrays.copyOfRange(args, BEFORE_OWN, args.length) : args;
    }

    private static void begin(World begun) {
        world = begun;
        main = Thread.currentThread();
        COMM_WORLD = begun.all();
        COMM_SELF = begun.self();
    }

    /// As [#Init]; threads may always call MPI as they like.
    ///
    /// @param argc not used
    /// @param required not used
    /// @param args of the program
    public static String[] initThread(int argc, int required, String[] args) {
        return Init(args);
    }

    /// Whether this thread called [#Init].
    public static synchronized boolean isMainThread() {
        return Thread.currentThread().equals(main);
    }

    /// [#THREAD_MULTIPLE].
    public static int queryThread() {
        return THREAD_MULTIPLE;
    }

    /// Ends: all processes call it, and wait for each other.
    public static synchronized void Finalize() {
        try {
            world(false).end();
        } catch (Fault | DeviceFailed e) {
            throw World.failure("Finalize", e);
        }
    }

    private static World world(boolean finished) {
        World mine = world;
        if (mine == null) {
            throw new Fault(ErrorClass.OTHER, "MPI.Init has not been called");
        }
        Fault.unless(
                finished || !mine.isFinished(), ErrorClass.OTHER, "MPI.Finalize has been called");
        return mine;
    }

    /// Whether [#Init] has been called.
    public static synchronized boolean Initialized() {
        return world != null;
    }

    /// Whether [#Finalize] has been called.
    public static synchronized boolean Finalized() {
        return world != null && world.isFinished();
    }

    /// Gives buffered sends this much room. What is in the buffer is not touched.
    public static void Buffer_attach(@Nullable ByteBuffer buffer) {
        attach(buffer == null ? -1 : buffer.capacity());
    }

    /// Gives buffered sends this much room. What is in the buffer is not touched.
    public static void Buffer_attach(byte @Nullable [] buffer) {
        attach(buffer == null ? -1 : buffer.length);
    }

    private static synchronized void attach(int size) {
        try {
            Fault.unless(size >= 0, ErrorClass.BUFFER, "the buffer is null");
            world(false).attached().attach(size);
        } catch (Fault e) {
            throw World.failure("Buffer_attach", e);
        }
    }

    /// Waits until all buffered sends have left, and takes the buffer away.
    public static synchronized void Buffer_detach() {
        try {
            World mine = world(false);
            long word = mine.last().begin(Call.BUFFER_DETACH, LastCall.NOBODY, 0);
            mine.attached().detach();
            mine.last().over(word);
        } catch (Fault | DeviceFailed e) {
            throw World.failure("Buffer_detach", e);
        }
    }

    /// What becomes of errors of [#COMM_WORLD].
    public static void Errorhandler_set(Errhandler handler) {
        COMM_WORLD.Errorhandler_set(handler);
    }

    /// What becomes of errors of [#COMM_WORLD].
    public static Errhandler Errorhandler_get() {
        return COMM_WORLD.Errorhandler_get();
    }

    /// The name of this machine.
    public static String Get_processor_name() {
        return Settings.hostName();
    }

    /// Seconds since some time in the past.
    public static double Wtime() {
        return (System.nanoTime() - START) / SECOND;
    }

    /// Seconds between two values of [#Wtime].
    public static double Wtick() {
        return 1 / SECOND;
    }
}
