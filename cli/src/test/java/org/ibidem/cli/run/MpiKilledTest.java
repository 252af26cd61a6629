package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A rank is killed in each phase of the protocol: the job ends, with the rank, with the exception
/// of who waited for it, and with everybody's last call.
@Tag("lab")
@Isolated("kills processes")
class MpiKilledTest {
    /// Rank 1 dies, rank 0 deals with it, and rank 2 with rank 0. A device that stands over the
    /// usual one dies where the phase is: as bytes are written, or as a message is met, or read.
    private static final String PHASES =
            """
            import java.lang.foreign.MemorySegment;
            import java.nio.ByteBuffer;
            import java.nio.ByteOrder;
            import java.nio.charset.StandardCharsets;
            import java.nio.file.*;
            import java.util.List;
            import java.util.concurrent.locks.LockSupport;
            import mpi.*;
            import org.ibidem.mpj.device.*;
            import org.ibidem.mpj.device.circuit.Job;

            public class Phases {
                static volatile String dies = "never";

                static void die() {
                    kill(ProcessHandle.current().pid());
                    while (true) {
                        LockSupport.park();
                    }
                }

                static void kill(long pid) {
                    try {
                        new ProcessBuilder("kill", "-9", "" + pid).start().waitFor();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }

                record Written(Outgoing of) implements Outgoing {
                    public int type() {
                        return of.type();
                    }

                    public long bytes() {
                        return of.bytes();
                    }

                    public long objects() {
                        return of.objects();
                    }

                    public void write(MemorySegment into, long at, int count) {
                        if (dies.equals("half written") && written > of.bytes() / 2) {
                            die();
                        }
                        of.write(into, at, count);
                        written += count;
                        if (dies.equals("written") && written == of.bytes()) {
                            die();
                        }
                    }
                }

                static long written;

                record Read(Incoming of) implements Incoming {
                    public long begin(Envelope message) {
                        if (dies.equals("met")) {
                            die();
                        }
                        return of.begin(message);
                    }

                    public void read(MemorySegment from, long at, int count) {
                        of.read(from, at, count);
                        if (dies.equals("read")) {
                            die();
                        }
                    }

                    public void end() {
                        if (dies.equals("ended")) {
                            die();
                        }
                        of.end();
                    }
                }

                record Over(Device of) implements Device {
                    public int id() {
                        return of.id();
                    }

                    public int size() {
                        return of.size();
                    }

                    public org.ibidem.mpj.device.Request isend(Outgoing m, int to, int tag, int context) {
                        return of.isend(new Written(m), to, tag, context);
                    }

                    public org.ibidem.mpj.device.Request issend(Outgoing m, int to, int tag, int context) {
                        return of.issend(new Written(m), to, tag, context);
                    }

                    public org.ibidem.mpj.device.Request irecv(Incoming m, int from, int tag, int context) {
                        return of.irecv(new Read(m), from, tag, context);
                    }

                    public Envelope probe(int from, int tag, int context) {
                        return of.probe(from, tag, context);
                    }

                    public Envelope iprobe(int from, int tag, int context) {
                        return of.iprobe(from, tag, context);
                    }

                    public int peek(org.ibidem.mpj.device.Request[] requests) {
                        return of.peek(requests);
                    }

                    public void progress() {
                        of.progress();
                    }

                    public void finish() {
                        of.finish();
                    }
                }

                public static class Provider implements DeviceProvider {
                    public String name() {
                        return "mortal";
                    }

                    public Device open() {
                        return new Over(new Job().open());
                    }
                }

                /// Until another rank is in a call of that name.
                static void await(int rank, String call) throws Exception {
                    Path file = Path.of(System.getProperty("ibidem.mpj.last")).resolveSibling("last-" + rank);
                    while (true) {
                        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
                        long word = bytes.getLong();
                        List<String> names = StandardCharsets.US_ASCII.decode(bytes).toString().lines().toList();
                        if (word > 0 && names.get((int) (word >>> 56) & 0x3F).startsWith(call)) {
                            return;
                        }
                        LockSupport.parkNanos(1_000_000);
                    }
                }

                static final byte[] BYTES = new byte[8 << 20];

                static void send(int to) {
                    MPI.COMM_WORLD.Send(BYTES, 0, BYTES.length, MPI.BYTE, to, 1);
                }

                static void ssend(int to) {
                    MPI.COMM_WORLD.Ssend(BYTES, 0, 1, MPI.BYTE, to, 1);
                }

                static void recv(int from) {
                    MPI.COMM_WORLD.Recv(BYTES, 0, BYTES.length, MPI.BYTE, from, 1);
                }

                static void reduce() {
                    double[] values = new double[1 << 18];
                    MPI.COMM_WORLD.Allreduce(values, 0, values.clone(), 0, values.length, MPI.DOUBLE, MPI.SUM);
                }

                static void dying(String phase) throws Exception {
                    await(2, phase.equals("COLLECTIVE") ? "Allreduce" : "Recv");
                    switch (phase) {
                        case "EAGER_SENT", "DATA_SENT" -> {
                            dies = "half written";
                            send(0);
                        }
                        case "EAGER_TAKEN", "DATA_TAKEN" -> {
                            dies = "read";
                            recv(0);
                        }
                        case "DATA_WRITTEN" -> {
                            written = 0;
                            dies = "written";
                            send(0);
                        }
                        case "DATA_ENDED" -> {
                            dies = "ended";
                            recv(0);
                        }
                        case "STARTED" -> send(0);
                        case "SYNCHRONOUS" -> ssend(0);
                        case "ASKED", "DONE" -> {
                            dies = "met";
                            recv(0);
                        }
                        case "COLLECTIVE" -> {
                            dies = "half written";
                            reduce();
                        }
                        case "RECEIVE", "PROBE" -> {
                            await(0, phase.equals("PROBE") ? "Probe" : "Recv");
                            die();
                        }
                    }
                }

                static void dealing(String phase, long pid) {
                    switch (phase) {
                        case "EAGER_TAKEN", "DATA_TAKEN", "ASKED" -> send(1);
                        case "DATA_ENDED" -> {
                            send(1); // all of it has left
                            recv(1);
                        }
                        case "DONE" -> ssend(1);
                        case "STARTED" -> {
                            MPI.COMM_WORLD.Probe(1, 1);
                            kill(pid);
                            recv(1);
                        }
                        case "SYNCHRONOUS" -> {
                            MPI.COMM_WORLD.Probe(1, 1);
                            kill(pid);
                            recv(1); // what came before is received, though nobody hears of it
                            recv(1);
                        }
                        case "COLLECTIVE" -> reduce();
                        case "PROBE" -> MPI.COMM_WORLD.Probe(1, MPI.ANY_TAG);
                        default -> recv(1);
                    }
                }

                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int rank = MPI.COMM_WORLD.Rank();
                    long[] pid = {ProcessHandle.current().pid()};
                    MPI.COMM_WORLD.Bcast(pid, 0, 1, MPI.LONG, 1);
                    switch (rank) {
                        case 0 -> dealing(args[0], pid[0]);
                        case 1 -> dying(args[0]);
                        default -> {
                            if (args[0].equals("COLLECTIVE")) {
                                reduce();
                            }
                            MPI.COMM_WORLD.Recv(BYTES, 0, 1, MPI.BYTE, 0, 9);
                        }
                    }
                    System.out.println("went on");
                }
            }
            """;

    /// Where rank 1 is when it dies, with what it has called and what rank 0 has, which waits for
    /// it.
    enum Phase {
        EAGER_SENT("shm", "Send to rank 0 with tag 1", "Recv from rank 1 with tag 1"),
        EAGER_TAKEN("tcp", "Recv from rank 0 with tag 1", "Send to rank 1 with tag 1"),
        STARTED("shm", "Send to rank 0 with tag 1", "Recv from rank 1 with tag 1"),
        ASKED("tcp", "Recv from rank 0 with tag 1", "Send to rank 1 with tag 1"),
        DATA_SENT("shm", "Send to rank 0 with tag 1", "Recv from rank 1 with tag 1"),
        DATA_TAKEN("tcp", "Recv from rank 0 with tag 1", "Send to rank 1 with tag 1"),

        /// All bytes are there, and the last are not handed over.
        DATA_WRITTEN("tcp", "Send to rank 0 with tag 1", "Recv from rank 1 with tag 1"),

        /// All bytes have come.
        DATA_ENDED("shm", "Recv from rank 0 with tag 1", "Recv from rank 1 with tag 1"),

        /// A synchronous send has left, and nobody has met it.
        SYNCHRONOUS("shm", "Ssend to rank 0 with tag 1", "Recv from rank 1 with tag 1"),

        /// A synchronous message was met, and its sender not told yet.
        DONE("tcp", "Recv from rank 0 with tag 1", "Ssend to rank 1 with tag 1"),
        COLLECTIVE("shm", "Allreduce", "Allreduce"),
        RECEIVE("tcp", "Bcast from rank 1", "Recv from rank 1 with tag 1"),
        PROBE("shm", "Bcast from rank 1", "Probe of rank 1 with any tag");

        private final String network;
        private final String its;
        private final String other;

        /// @param network over which it is in the usual suite
        Phase(String network, String its, String other) {
            this.network = network;
            this.its = its;
            this.other = other;
        }

        private boolean isEager() {
            return switch (this) {
                case EAGER_SENT, EAGER_TAKEN, SYNCHRONOUS, DONE -> true;
                default -> false;
            };
        }
    }

    @TempDir static Path classes;
    @TempDir Path folder;

    @BeforeAll
    static void compile() throws Exception {
        var source = Files.writeString(classes.resolve("Phases.java"), PHASES);
        int code =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-d",
                                classes.toString(),
                                source.toString());
        assertThat(code).isZero();
        var services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(
                services.resolve("org.ibidem.mpj.device.DeviceProvider"), "Phases$Provider\n");
    }

    @ParameterizedTest
    @EnumSource
    void a_rank_that_is_killed_ends_the_job_with_everybodys_last_call(Phase phase)
            throws Exception {
        dies(phase, phase.network);
    }

    static Stream<Arguments> all() {
        return Stream.of(Phase.values())
                .flatMap(phase ->
                        Stream.of("shm", "tcp", "reliable > udp")
                                .filter(network -> !network.equals(phase.network))
                                .map(network -> Arguments.of(phase, network)));
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("full")
    void so_it_does_over_other_networks(Phase phase, String network) throws Exception {
        dies(phase, network);
    }

    private void dies(Phase phase, String network) throws Exception {
        try (var run =
                Launched.run(
                        folder,
                        "--java=-Dibidem.mpj.device=mortal",
                        "--java=-Dibidem.mpj.stack=" + network,
                        "--java=-Dibidem.mpj.eager=" + (phase.isEager() ? "16m" : "64k"),
                        "--java=-Dibidem.mpj.window=32m",
                        "-n",
                        "3",
                        "--class-path",
                        classes.toString(),
                        "Phases",
                        phase.name())) {
            assertThat(run.lines()).as(run.errors()).isEmpty();
            assertThat(run.code()).as(run.errors()).isEqualTo(137);
            boolean collective = phase == Phase.COLLECTIVE;
            var other = phase.other.replaceFirst(" .*", "");
            assertThat(run.errors())
                    .contains("ibidem run: rank 1 failed: exit code 137 (signal 9)")
                    .containsPattern(
                            (collective ? "\\[[02]]" : "\\[0]")
                                    + " mpi.MPIException: MPI_ERR_INTERN in "
                                    + other
                                    + " on rank [02]: process 1 is gone: .+")
                    .contains(
                            "ibidem run: last call of rank 1: "
                                    + phase.its
                                    + (phase.its.startsWith("B") ? " (over)" : " (under way)"))
                    .containsPattern(
                            "ibidem run: last call of ranks? 0(, 2)?: "
                                    + phase.other
                                    + (collective ? " \\((failed|under way)\\)" : " \\(failed\\)"))
                    .containsPattern(
                            "ibidem run: last call of ranks? (0, )?2: "
                                    + (collective
                                            ? "Allreduce \\("
                                            : "Recv from rank 0 with tag 9 \\(")
                                    + "(failed|under way)\\)");
        }
    }
}
