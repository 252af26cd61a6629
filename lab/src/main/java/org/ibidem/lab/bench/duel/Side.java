package org.ibidem.lab.bench.duel;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.ibidem.lab.bench.Burst;
import org.ibidem.lab.bench.Player;
import org.ibidem.lab.bench.figures.Distance;
import org.jspecify.annotations.Nullable;

/// One of a contestant's two processes: opens its end and plays what the parent says.
///
/// Commands come as lines of blank-separated words in Java's modified UTF-8 on standard input,
/// answers go as [Answer] to what was standard output; everything that prints goes to standard
/// error instead. It ends when its input ends.
public final class Side {
    private final Benchmark benchmark;
    private final Encounter meeting;
    private final Trip trip;
    private @Nullable Player player;
    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Side(Benchmark benchmark, Encounter meeting) throws IOException {
        this.benchmark = benchmark;
        this.meeting = meeting;
        this.trip = new Trip(meeting.folder(), meeting.leads());
    }

    /// The commands a parent may give.
    enum Command {
        /// `MEET [PORT]`: meets the other side; the one without port listens and answers its port.
        MEET,
        /// `OPEN CONTESTANT`, once shared code was shown all that it will have to serve.
        OPEN,
        /// `PLAY MEASURE SAMPLES TIMES`: answers what each sample took and what was allocated.
        PLAY
    }

    /// Runs until the input ends.
    ///
    /// @param name `leader` or `follower`
    /// @param folder for both sides
    public static void run(String name, Benchmark benchmark, Path folder) throws Exception {
        var commands = new DataInputStream(System.in);
        var answers = new DataOutputStream(System.out);
        System.setOut(new PrintStream(System.err, true, StandardCharsets.UTF_8));
        endWithParent();
        var meeting = new Encounter(name.equals("leader"), folder);
        var side = new Side(benchmark, meeting);
        try (meeting) {
            while (true) {
                var line = commands.readUTF();
                side.obey(line.split(" ", -1)).write(answers);
            }
        } catch (EOFException _) {
            side.close();
        }
    }

    private Answer obey(String... words) throws Exception {
        return switch (Command.valueOf(words[0])) {
            case MEET ->
                    new Answer(
                            0,
                            new long[] {
                                meeting.meet(words.length > 1 ? Integer.parseInt(words[1]) : 0)
                            },
                            Double.NaN);
            case OPEN -> {
                var contestant = benchmark.contestant(words[1]);
                contestant.mix();
                player = contestant.open(meeting);
                yield Answer.DONE;
            }
            case PLAY ->
                    play(
                            Objects.requireNonNull(player, "nobody was opened"),
                            words[1],
                            new Burst(Integer.parseInt(words[2]), Integer.parseInt(words[3])));
        };
    }

    private Answer play(Player player, String measure, Burst burst) throws Exception {
        var nanos = new long[meeting.leads() ? burst.samples() : 0];
        var what = benchmark.measure(measure);
        double apart = trip.measure();
        long earlier = threads.getTotalThreadAllocatedBytes();
        long before = threads.getTotalThreadAllocatedBytes();
        try {
            if (meeting.leads()) {
                player.lead(what, burst, nanos);
            } else {
                player.follow(what, burst);
            }
        } catch (Exception e) {
            throw new IllegalStateException("failed in " + measure, e);
        }
        long now = threads.getTotalThreadAllocatedBytes();
        // asking allocates, too
        apart = Distance.between(apart, trip.measure());
        return new Answer(now - before - (before - earlier), nanos, apart);
    }

    private void close() throws IOException {
        if (player != null) {
            player.close();
        }
    }

    /// A parent that was killed cannot end us, and a side may spin for ever after its peer is gone.
    private static void endWithParent() {
        var parent = ProcessHandle.current().parent().orElseThrow();
        Thread.ofVirtual()
                .name("bench-parent")
                .start(() -> {
                    parent.onExit().join();
                    Runtime.getRuntime().halt(1);
                });
    }

    /// What a side answers.
    ///
    /// @param allocated bytes that all threads of the process allocated while it played
    /// @param nanos what each sample took; or a port
    /// @param apart how far the cores were from each other, as the side that leads found
    record Answer(long allocated, long[] nanos, double apart) {
        private static final int MOST = 1 << 20;
        private static final Answer DONE = new Answer(0, new long[0], Double.NaN);

        private void write(DataOutputStream to) throws IOException {
            to.writeLong(allocated);
            to.writeInt(nanos.length);
            for (long n : nanos) {
                to.writeLong(n);
            }
            to.writeDouble(apart);
            to.flush();
        }

        static @Nullable Answer read(DataInputStream from) throws IOException {
            try {
                long allocated = from.readLong();
                int length = from.readInt();
                if (length < 0 || length > MOST) {
                    throw new IOException("an answer of " + length + " samples");
                }
                var nanos = new long[length];
                for (int i = 0; i < length; i++) {
                    nanos[i] = from.readLong();
                }
                return new Answer(allocated, nanos, from.readDouble());
            } catch (EOFException _) {
                return null;
            }
        }
    }
}
