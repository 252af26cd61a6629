package org.ibidem.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.ibidem.Background;
import org.ibidem.buffer.Frame;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A circuit whose links are what a VLink over a wide-area stack goes over: frames, compressed, in
/// a byte stream of several connections.
@Tag("slow")
@Timeout(60)
class CircuitStackTest {
    private static final String WIDE = "compress > parallel(4) > tcp";

    /// As a way says it: one that the first direction's link had free was accepted.
    private static final String SAID =
            "compress > parallel\\(streams=4\\) > tcp( by direct to |, accepted from ).*";

    private static final int FRAMES = 200;
    private static final int SIZE = 8 << 10;

    /// What has come from each, summed up in the order of its coming.
    private static final class Summing implements CircuitReceiver {
        private final List<CRC32C> sums;
        private final AtomicInteger frames = new AtomicInteger();

        Summing(int members) {
            sums = IntStream.range(0, members).mapToObj(_ -> new CRC32C()).toList();
        }

        @Override
        public boolean frame(int from, Frame frame) {
            sums.get(from)
                    .update(frame.memory.asSlice(frame.position, frame.room()).asByteBuffer());
            frames.incrementAndGet();
            return true;
        }

        @Override
        public void lost(int from, boolean inOrder, String why) {
            throw new AssertionError("member " + from + " was lost: " + why);
        }
    }

    /// Half of it shrinks, half does not.
    private static byte[] content(int from, int to, int number) {
        var bytes = new byte[SIZE];
        new Random(from * 31L + to * 7L + number * 1009L).nextBytes(bytes);
        for (int i = 0; i < SIZE / 2; i++) {
            bytes[i] = (byte) ("member " + from + " to " + to).charAt(i % 10);
        }
        return bytes;
    }

    private static boolean offer(Circuit circuit, int to, byte[] bytes) {
        var room = new Frame();
        circuit.enter();
        try {
            if (!circuit.claim(to, room, bytes.length)) {
                return false;
            }
            MemorySegment.copy(
                    MemorySegment.ofArray(bytes), 0, room.memory, room.position, bytes.length);
            room.position += bytes.length;
            circuit.commit(to, room, 0);
            return true;
        } finally {
            circuit.leave();
        }
    }

    private static void exchange(Circuit circuit, Summing box) {
        for (int number = 0; number < FRAMES; number++) {
            for (int to = 0; to < circuit.size(); to++) {
                if (to != circuit.self()) {
                    var bytes = content(circuit.self(), to, number);
                    while (!offer(circuit, to, bytes)) {
                        var again = new AtomicInteger();
                        circuit.await(() -> again.incrementAndGet() > 1);
                    }
                }
            }
        }
        circuit.await(() -> box.frames.get() == FRAMES * (circuit.size() - 1));
    }

    private static long expected(int from, int to) {
        var sum = new CRC32C();
        for (int number = 0; number < FRAMES; number++) {
            sum.update(content(from, to, number));
        }
        return sum.getValue();
    }

    /// Opens it at each node, has everyone send to everyone, and looks at what has come.
    private static List<String> ways(Group group, String stack) {
        int size = group.stations.size();
        var boxes = IntStream.range(0, size).mapToObj(_ -> new Summing(size)).toList();
        var circuits = new ArrayList<Circuit>();
        for (int i = 0; i < size; i++) {
            var station = group.stations.get(i);
            circuits.add(Circuit.open(station, "wide", group.ids(), stack, boxes.get(i)));
        }
        var running = new ArrayList<CompletableFuture<Void>>();
        for (var circuit : circuits) {
            running.add(Background.run(() -> exchange(circuit, boxes.get(circuit.self()))));
        }
        running.forEach(CompletableFuture::join);
        for (int to = 0; to < size; to++) {
            for (int from = 0; from < size; from++) {
                assertThat(boxes.get(to).sums.get(from).getValue())
                        .as("what went from %d to %d", from, to)
                        .isEqualTo(from == to ? 0 : expected(from, to));
            }
        }
        return IntStream.range(0, size * size)
                .mapToObj(i -> circuits.get(i / size).way(i % size))
                .toList();
    }

    @Test
    void three_nodes_share_a_circuit_over_compressed_parallel_streams() {
        try (var group = new Group(3)) {
            assertThat(ways(group, WIDE))
                    .allMatch(way -> way.equals("itself") || way.matches(SAID))
                    .filteredOn("itself"::equals)
                    .hasSize(3);
        }
    }

    /// The far one is reached by it, the near ones by what suits them.
    @Test
    void one_circuit_goes_over_shared_memory_and_over_compressed_streams() {
        try (var group = new Group(2)) {
            group.add(true);
            var ways = ways(group, "multi(shm, " + WIDE + ")");
            assertThat(ways.get(1)).isEqualTo("shm");
            assertThat(ways.get(3)).isEqualTo("shm");
            assertThat(ways.get(6)).matches(SAID).contains("(shm: no, ");
            assertThat(ways.get(7)).matches(SAID);
        }
    }
}
