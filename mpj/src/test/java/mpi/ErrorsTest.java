package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.ibidem.mpj.device.threads.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bad input: the error class and a sentence.
class ErrorsTest {
    private final int[] two = new int[2];

    interface Call {
        void run();
    }

    static void fails(int errorClass, String sentence, Call call) {
        MPIException failure = catchThrowableOfType(MPIException.class, call::run);
        assertThat(failure).as("nothing was thrown where %s was expected", sentence).isNotNull();
        assertThat(failure).hasMessageContaining(sentence);
        assertThat(failure.Get_error_class()).as(failure.getMessage()).isEqualTo(errorClass);
    }

    private static void alone(Ranks.Program program) {
        Ranks.Over.KEPT.run(
                1,
                world -> {
                    world.Errorhandler_set(MPI.ERRORS_RETURN);
                    program.run(world);
                });
    }

    @Test
    void of_messages() {
        alone(world -> {
            fails(
                    MPI.ERR_RANK,
                    "MPI_ERR_RANK in Send on rank 0: there is no rank 1 in a communicator of 1",
                    () -> world.Send(two, 0, 2, MPI.INT, 1, 0));
            fails(MPI.ERR_RANK, "there is no rank -7", () -> world.Recv(two, 0, 2, MPI.INT, -7, 0));
            fails(
                    MPI.ERR_RANK,
                    "there is no rank -2",
                    () -> world.Send(two, 0, 2, MPI.INT, MPI.ANY_SOURCE, 0));
            fails(MPI.ERR_TAG, "the tag -1", () -> world.Isend(two, 0, 2, MPI.INT, 0, -1));
            fails(
                    MPI.ERR_TAG,
                    "the tag MPI.ANY_TAG, which only receives take",
                    () -> world.Ssend(two, 0, 2, MPI.INT, 0, MPI.ANY_TAG));
            fails(MPI.ERR_TAG, "the tag -5", () -> world.Irecv(two, 0, 2, MPI.INT, 0, -5));
            fails(MPI.ERR_COUNT, "a count of -1", () -> world.Send(two, 0, -1, MPI.INT, 0, 0));
            fails(MPI.ERR_TYPE, "the datatype is null", () -> world.Send(two, 0, 2, null, 0, 0));
            fails(
                    MPI.ERR_BUFFER,
                    "the buffer is null",
                    () -> world.Send(null, 0, 2, MPI.INT, 0, 0));
            fails(
                    MPI.ERR_BUFFER,
                    "the datatype is of DOUBLE, which takes double[], and the buffer is int[]",
                    () -> world.Send(two, 0, 2, MPI.DOUBLE, 0, 0));
            fails(
                    MPI.ERR_BUFFER,
                    "the buffer has 2 elements, and 2 of the datatype at offset 1 reach from 1 to 2",
                    () -> world.Send(two, 1, 2, MPI.INT, 0, 0));
            fails(MPI.ERR_BUFFER, "reach from -1", () -> world.Recv(two, -1, 1, MPI.INT, 0, 0));
            fails(MPI.ERR_TYPE, "NULL, LB and UB", () -> world.Send(two, 0, 1, MPI.LB, 0, 0));
            fails(
                    MPI.ERR_TYPE,
                    "cannot be sent",
                    () -> world.Send(new Object[] {new Object()}, 0, 1, MPI.OBJECT, 0, 0));
        });
    }

    @Test
    void of_what_is_received() {
        alone(world -> {
            Request send = world.Isend(new int[3], 0, 3, MPI.INT, 0, 0);
            fails(
                    MPI.ERR_TRUNCATE,
                    "a message of 12 bytes is longer than the 8",
                    () -> world.Recv(two, 0, 2, MPI.INT, 0, 0));
            send.Wait();
            world.Isend(new int[1], 0, 1, MPI.INT, 0, 0).Wait();
            fails(
                    MPI.ERR_TYPE,
                    "a message of INT cannot be received as FLOAT",
                    () -> world.Irecv(new float[1], 0, 1, MPI.FLOAT, 0, 0).Wait());
            world.Isend(new Object[2], 0, 2, MPI.OBJECT, 0, 0).Wait();
            fails(
                    MPI.ERR_TRUNCATE,
                    "a message of 2 objects is longer than the 1",
                    () -> world.Recv(new Object[1], 0, 1, MPI.OBJECT, 0, 0));
            world.Isend(new Object[] {"text"}, 0, 1, MPI.OBJECT, 0, 0).Wait();
            fails(
                    MPI.ERR_TYPE,
                    "cannot be received: java.lang.ArrayStoreException",
                    () -> world.Recv(new Integer[1], 0, 1, MPI.OBJECT, 0, 0));
            Request[] both = {
                world.Irecv(two, 0, 1, MPI.INT, 0, 0), world.Irecv(two, 1, 1, MPI.INT, 0, 0)
            };
            world.Send(new int[2], 0, 2, MPI.INT, 0, 0);
            world.Send(new int[] {5}, 0, 1, MPI.INT, 0, 0);
            fails(MPI.ERR_TRUNCATE, "longer", () -> Request.Waitall(both));
            assertThat(two[1]).as("the other one came").isEqualTo(5);
        });
    }

    @Test
    void of_datatypes() {
        alone(world -> {
            Datatype type = Datatype.Contiguous(2, MPI.INT);
            fails(
                    MPI.ERR_TYPE,
                    "not committed: call its Commit first",
                    () -> world.Send(two, 0, 1, type, 0, 0));
            type.Commit();
            type.free();
            fails(MPI.ERR_TYPE, "the datatype is freed", () -> world.Send(two, 0, 1, type, 0, 0));
            fails(MPI.ERR_TYPE, "the datatype is freed", () -> Datatype.Contiguous(1, type));
            fails(MPI.ERR_TYPE, "a basic datatype cannot be freed", MPI.INT::free);
            fails(MPI.ERR_COUNT, "a count of -1", () -> Datatype.Vector(-1, 1, 1, MPI.INT));
            fails(MPI.ERR_COUNT, "-2 elements", () -> Datatype.Vector(1, -2, 1, MPI.INT));
            fails(
                    MPI.ERR_ARG,
                    "2 block lengths, 1 displacements",
                    () -> Datatype.Struct(new int[2], new int[1], new Datatype[] {MPI.INT}));
            fails(
                    MPI.ERR_TYPE,
                    "one basic type, not of INT and LONG",
                    () ->
                            Datatype.Struct(
                                    new int[] {1, 1},
                                    new int[2],
                                    new Datatype[] {MPI.INT, MPI.LONG}));
            fails(
                    MPI.ERR_ARG,
                    "an argument is null",
                    () -> Datatype.Indexed(null, new int[1], MPI.INT));
            fails(
                    MPI.ERR_ARG,
                    "more elements than an array can have",
                    () -> Datatype.Vector(3, 1, Integer.MAX_VALUE, MPI.INT));
        });
    }

    @Test
    void of_collective_operations() {
        alone(world -> {
            fails(MPI.ERR_ROOT, "there is no rank 1", () -> world.Bcast(two, 0, 2, MPI.INT, 1));
            fails(
                    MPI.ERR_OP,
                    "the Op is null",
                    () -> world.Allreduce(two, 0, two, 0, 2, MPI.INT, null));
            fails(
                    MPI.ERR_OP,
                    "SUM is no operation on BOOLEAN",
                    () ->
                            world.Allreduce(
                                    new boolean[1], 0, new boolean[1], 0, 1, MPI.BOOLEAN, MPI.SUM));
            fails(
                    MPI.ERR_OP,
                    "BAND is no operation on DOUBLE",
                    () -> world.Scan(new double[1], 0, new double[1], 0, 1, MPI.DOUBLE, MPI.BAND));
            fails(
                    MPI.ERR_OP,
                    "MAXLOC is an operation on pairs such as INT2",
                    () -> world.Reduce(two, 0, two, 0, 1, MPI.INT, MPI.MAXLOC, 0));
            fails(
                    MPI.ERR_OP,
                    "SUM is no operation on OBJECT",
                    () ->
                            world.Reduce(
                                    new Object[1], 0, new Object[1], 0, 1, MPI.OBJECT, MPI.SUM, 0));
            fails(MPI.ERR_OP, "a predefined Op cannot be freed", MPI.SUM::free);
            fails(
                    MPI.ERR_ARG,
                    "0 counts",
                    () -> world.Reduce_scatter(two, 0, two, 0, new int[0], MPI.INT, MPI.SUM));
            fails(
                    MPI.ERR_ARG,
                    "an argument is null",
                    () -> world.Gatherv(two, 0, 1, MPI.INT, two, 0, null, new int[1], MPI.INT, 0));
        });
    }

    @Test
    void of_groups_and_communicators() {
        alone(world -> {
            Group group = world.Group();
            fails(
                    MPI.ERR_RANK,
                    "there is no rank 1 in a group of 1",
                    () -> group.Incl(new int[] {1}));
            fails(
                    MPI.ERR_RANK,
                    "a rank is named twice in [0, 0]",
                    () -> group.Excl(new int[] {0, 0}));
            fails(
                    MPI.ERR_ARG,
                    "a stride that is not 0",
                    () -> group.Range_incl(new int[][] {{0, 0, 0}}));
            fails(MPI.ERR_GROUP, "the group is null", () -> Group.Union(group, null));
            fails(MPI.ERR_GROUP, "the group is null", () -> world.Create(null));
            fails(MPI.ERR_COMM, "the communicator is null", () -> Comm.Compare(world, null));
            fails(MPI.ERR_COMM, "COMM_WORLD and COMM_SELF cannot be freed", world::Free);
            fails(
                    MPI.ERR_COMM,
                    "the local communicator is null",
                    () -> world.Create_intercomm(null, 0, 0, 0));
            Intracomm copy = (Intracomm) world.clone();
            copy.Free();
            fails(MPI.ERR_COMM, "the communicator has been freed", copy::Barrier);
            fails(MPI.ERR_COMM, "freed", () -> copy.Send(two, 0, 1, MPI.INT, 0, 0));
        });
    }

    @Test
    void of_topologies_and_attributes() {
        alone(world -> {
            fails(
                    MPI.ERR_TOPOLOGY,
                    "a topology of 2 does not fit into a communicator of 1",
                    () -> world.Create_cart(new int[] {2}, new boolean[1], false));
            fails(
                    MPI.ERR_DIMS,
                    "a dimension of 0",
                    () -> world.Create_cart(new int[] {0}, new boolean[1], false));
            fails(
                    MPI.ERR_DIMS,
                    "2 dimensions and 1 periods",
                    () -> world.Create_cart(new int[] {1, 1}, new boolean[1], false));
            fails(
                    MPI.ERR_TOPOLOGY,
                    "an edge leads to 3",
                    () -> world.Create_graph(new int[] {1}, new int[] {3}, false));
            fails(
                    MPI.ERR_TOPOLOGY,
                    "does not lead through",
                    () -> world.Create_graph(new int[] {2}, new int[] {0}, false));
            fails(
                    MPI.ERR_DIMS,
                    "7 processes cannot be divided into dimensions [2, 0]",
                    () -> Cartcomm.Dims_create(7, new int[] {2, 0}));
            fails(MPI.ERR_ARG, "there is no attribute 77", () -> world.Attr_delete(77));
        });
    }

    @Test
    void of_packing_and_requests() {
        alone(world -> {
            fails(
                    MPI.ERR_BUFFER,
                    "packing takes 8 bytes at 1 of a buffer of 8",
                    () -> world.Pack(two, 0, 2, MPI.INT, new byte[8], 1));
            fails(
                    MPI.ERR_TRUNCATE,
                    "unpacking takes 8 bytes at 0 of a buffer of 7",
                    () -> world.Unpack(new byte[7], 0, two, 0, 2, MPI.INT));
            fails(
                    MPI.ERR_TYPE,
                    "objects have no size before",
                    () -> world.Pack_size(1, MPI.OBJECT));
            Prequest receive = world.Recv_init(two, 0, 1, MPI.INT, 0, 0);
            receive.Start();
            fails(MPI.ERR_REQUEST, "is active: wait for it first", receive::Start);
            receive.Cancel();
            receive.Wait();
            receive.Free();
            fails(MPI.ERR_REQUEST, "was freed", receive::Start);
        });
    }

    /// An array of requests or of anything else that is not there.
    @Test
    void of_null() {
        alone(world -> {
            Request[] none = null;
            isNull("Waitany", () -> Request.Waitany(none));
            isNull("Testany", () -> Request.Testany(none));
            isNull("Waitall", () -> Request.Waitall(none));
            isNull("Testall", () -> Request.Testall(none));
            isNull("Waitsome", () -> Request.Waitsome(none));
            isNull("Testsome", () -> Request.Testsome(none));
            isNull("Startall", () -> Prequest.Startall(null));
            isNull("Errorhandler_set", () -> world.Errorhandler_set(null));
            assertThat(world.Errorhandler_get()).as("as it was").isSameAs(MPI.ERRORS_RETURN);
            isNull("Attr_put", () -> world.Attr_put(77, null));
            isNull("Create_cart", () -> world.Create_cart(null, new boolean[1], false));
            isNull("Create_graph", () -> world.Create_graph(null, new int[1], false));
            isNull("Range_incl", () -> world.Group().Range_incl(new int[][] {null}));
            isNull("Pack", () -> world.Pack(two, 0, 1, MPI.INT, (byte[]) null, 0));
            isNull("Unpack", () -> world.Unpack((byte[]) null, 0, two, 0, 1, MPI.INT));
            int[] counts = {1};
            isNull(
                    "Alltoallv",
                    () ->
                            world.Alltoallv(
                                    two, 0, null, counts, MPI.INT, two, 0, counts, counts,
                                    MPI.INT));
        });
    }

    private static void isNull(String name, Call call) {
        fails(MPI.ERR_ARG, "MPI_ERR_ARG in " + name, call);
    }

    @Test
    void before_init_and_after_finalize() {
        fails(MPI.ERR_OTHER, "MPI.Init has not been called", () -> MPI.COMM_WORLD.Rank());
        fails(
                MPI.ERR_OTHER,
                "MPI.Init has not been called",
                () -> MPI.COMM_WORLD.Send(two, 0, 1, MPI.INT, 0, 0));
        fails(MPI.ERR_OTHER, "MPI.Init has not been called", MPI::Finalize);
        fails(MPI.ERR_OTHER, "MPI.Init has not been called", () -> MPI.Buffer_attach(new byte[1]));
        World world = new World(new Threads(1).device(0), false, (code, why) -> {});
        world.end();
        fails(MPI.ERR_OTHER, "MPI.Finalize has been called", () -> world.all().Barrier());
        fails(
                MPI.ERR_OTHER,
                "MPI.Finalize has been called",
                () -> world.self().Recv(two, 0, 1, MPI.INT, 0, 0));
    }

    @Test
    void a_fatal_error_ends_the_job_with_its_class_and_abort_with_its_code() {
        List<String> ended = new ArrayList<>();
        World world =
                new World(
                        new Threads(1).device(0),
                        false,
                        (code, why) -> ended.add(code + " " + why.getMessage()));
        assertThatThrownBy(() -> world.all().Send(two, 0, 1, MPI.INT, 5, 0))
                .isInstanceOf(MPIException.class);
        world.all().Abort(42);
        world.all().Errorhandler_set(MPI.ERRORS_RETURN);
        assertThatThrownBy(() -> world.all().Send(two, 0, 1, MPI.INT, 5, 0))
                .isInstanceOf(MPIException.class);
        String fatal =
                MPI.ERR_RANK
                        + " MPI_ERR_RANK in Send on rank 0: there is no rank 5 in a communicator of 1";
        assertThat(ended).containsExactly(fatal, "42 rank 0 called Abort(42)");
        Intracomm copy = (Intracomm) world.all().clone();
        assertThat(copy.Errorhandler_get()).as("inherited").isSameAs(MPI.ERRORS_RETURN);
        world.all().Errorhandler_set(MPI.ERRORS_ARE_FATAL);
        assertThatThrownBy(() -> world.all().Send(two, 0, 1, MPI.INT, 5, 0))
                .isInstanceOf(MPIException.class);
        assertThat(ended).as("set back").hasSize(3).endsWith(fatal);
    }

    @Test
    void a_fatal_error_is_printed_as_one_line_and_its_stack_in_debug_mode() {
        alone(world -> {
            MPIException why = null;
            try {
                world.Send(two, 0, 1, MPI.INT, 5, 0);
            } catch (MPIException e) {
                why = e;
            }
            String said = "mpi.MPIException: " + why.getMessage();
            assertThat(Ending.said(why, false))
                    .startsWith(said)
                    .endsWith("; ibidem.mpj.debug=true shows the stack")
                    .contains("Errorhandler_set(MPI.ERRORS_RETURN)")
                    .hasLineCount(1);
            assertThat(Ending.said(why, true)).startsWith(said).contains("\tat ", "Caused by: ");
            assertThat(Ending.said(new MPIException("rank 0 called Abort(42)"), false))
                    .isEqualTo("mpi.MPIException: rank 0 called Abort(42)");
        });
    }

    @Test
    void mismatched_collective_operations_are_named_in_debug_mode() {
        Ranks.run(Ranks.Over.KEPT.job(3), 3, true, this::mismatched);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "reliable > udp"})
    void so_they_are_over_circuits(String stack) {
        try (var ranks = new OverCircuits(3, stack, CircuitDevice.Limits.USUAL)) {
            Ranks.run(ranks.job(), 3, true, this::mismatched);
        }
    }

    private void mismatched(Intracomm world) {
        world.Errorhandler_set(MPI.ERRORS_RETURN);
        String who =
                world.Rank() == 2
                        ? "rank 0 called Reduce with root 0, rank 2 Bcast with root 0"
                        : "rank 2 called Bcast with root 0, rank "
                                + world.Rank()
                                + " Reduce with root 0";
        fails(
                MPI.ERR_OTHER,
                "collective calls do not match: " + who,
                () -> {
                    if (world.Rank() == 2) {
                        world.Bcast(two, 0, 2, MPI.INT, 0);
                    } else {
                        world.Reduce(two, 0, new int[2], 0, 2, MPI.INT, MPI.SUM, 0);
                    }
                });
        world.Barrier();
        fails(MPI.ERR_OTHER, "with root", () -> world.Bcast(two, 0, 2, MPI.INT, world.Rank()));
        fails(
                MPI.ERR_OTHER,
                "clone",
                () -> {
                    if (world.Rank() == 1) {
                        world.Barrier();
                    } else {
                        var _ = world.clone();
                    }
                });
        int[] sum = new int[2];
        world.Allreduce(new int[] {1, 2}, 0, sum, 0, 2, MPI.INT, MPI.SUM);
        assertThat(sum).containsExactly(3, 6);
    }
}
