package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;

/// An MPI for C in its default settings: the loops are `mpi.c`, compiled here. Its two ranks run on
/// the cores of the two processes and sleep while others play.
public final class MpiPeer implements Contestant {
    private static final String SOURCE = "mpi.c";
    private static final int COMPILE_SECONDS = 60;

    /// Makes programs of Open MPI.
    public static final String OPEN_MPI_COMPILER = "mpicc.openmpi";

    private final String name;
    private final String about;
    private final String compiler;
    private final List<String> launcher;

    private MpiPeer(String name, String about, String compiler, List<String> launcher) {
        this.name = name;
        this.about = about;
        this.compiler = compiler;
        this.launcher = launcher;
    }

    /// Open MPI.
    public static MpiPeer openMpi() {
        return new MpiPeer(
                "openmpi",
                "Open MPI in C, -O3 -march=native, default settings",
                OPEN_MPI_COMPILER,
                openMpiCommand());
    }

    /// The command that starts processes of Open MPI wherever a core is.
    ///
    /// @param settings names and values, by turns
    public static List<String> openMpiCommand(String... settings) {
        var command = new ArrayList<>(List.of("mpirun.openmpi", "--allow-run-as-root"));
        command.addAll(List.of("--oversubscribe", "--bind-to", "none"));
        for (int i = 0; i < settings.length; i += 2) {
            command.addAll(List.of("--mca", settings[i], settings[i + 1]));
        }
        return command;
    }

    /// Open MPI where the two are on different machines, as it were.
    public static MpiPeer openMpiOverTcp() {
        return new MpiPeer(
                "openmpi-tcp",
                "Open MPI in C, -O3 -march=native, --mca pml ob1 --mca btl self,tcp",
                OPEN_MPI_COMPILER,
                openMpiCommand("pml", "ob1", "btl", "self,tcp"));
    }

    /// MPICH.
    public static MpiPeer mpich() {
        return new MpiPeer(
                "mpich",
                "MPICH in C, -O3 -march=native, default settings",
                "mpicc.mpich",
                List.of("mpiexec.mpich", "-bind-to", "none"));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Waiting waiting() {
        return Waiting.SPIN;
    }

    @Override
    public String about() {
        return about;
    }

    @Override
    public boolean plays(Measure measure) {
        return !(measure.payload().get() instanceof Payload.Tree);
    }

    @Override
    public Optional<String> missing() {
        for (var program : List.of(compiler, launcher.getFirst())) {
            if (find(program).isEmpty()) {
                return Optional.of("there is no " + program + " (./ibidem setup)");
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> find(String program) {
        for (var folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            var file = Path.of(folder, program);
            if (Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    @Override
    public Player open(Meeting meeting) throws IOException, InterruptedException {
        var player = new MpiPlayer(meeting.leads());
        if (meeting.leads()) {
            int other = Integer.parseInt(meeting.hear());
            player.launches(launch(compiled(meeting.folder()), player.port(), other));
        } else {
            meeting.tell(Integer.toString(player.port()));
        }
        player.meet();
        return player;
    }

    private Path compiled(Path folder) throws IOException, InterruptedException {
        var source = folder.resolve(name + ".c");
        try (var in = MpiPeer.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new IOException("the program " + SOURCE + " is not in the jar");
            }
            Files.copy(in, source);
        }
        var program = folder.resolve(name);
        var process =
                new ProcessBuilder(
                                compiler,
                                "-O3",
                                "-march=native",
                                "-o",
                                program.toString(),
                                source.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.to(folder.resolve("log").toFile()))
                        .start();
        if (!process.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(compiler + " failed: " + Files.readString(folder.resolve("log")));
        }
        return program;
    }

    private Process launch(Path program, int port, int other) throws IOException {
        var command = new ArrayList<>(launcher);
        command.addAll(List.of("-n", "2", program.toString()));
        command.addAll(List.of(Integer.toString(port), Integer.toString(other)));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
