package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.io.WriteAbortedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.ibidem.Background;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.graph.Alike;
import org.ibidem.serial.graph.PlainTypes;
import org.ibidem.serial.graph.Trip;
import org.ibidem.serial.wire.Page;
import org.ibidem.serial.wire.Sink;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Graphs without ports: to memory, streams and channels.
@Timeout(60)
class ObjectStreamsTest {
    private static final List<Object> GRAPHS =
            List.of(
                    new PlainTypes.ManyRefs(),
                    "text",
                    new PlainTypes.Primitives(),
                    new int[50_000],
                    new boolean[] {true},
                    new PlainTypes.ManyRefs(),
                    new ArrayList<>(List.of(1, "x", 2L)));

    private static void check(ObjectReader in) throws Exception {
        for (var graph : GRAPHS) {
            assertThat(Alike.difference(graph, in.read())).isNull();
        }
        assertThatThrownBy(in::read).isInstanceOf(EOFException.class);
    }

    @Test
    void graphs_go_through_streams_whatever_pieces_they_come_in() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = ObjectWriter.to(bytes)) {
            for (var graph : GRAPHS) {
                out.write(graph);
            }
            assertThat(out.bytesWritten()).isEqualTo(bytes.size());
        }
        for (int most : new int[] {1, 7, 100_000}) {
            try (var in = ObjectReader.from(pieces(bytes.toByteArray(), most), Trip.POLICY)) {
                check(in);
            }
        }
    }

    private static InputStream pieces(byte[] bytes, int most) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public int read(byte[] into, int offset, int count) {
                return super.read(into, offset, Math.min(count, most));
            }
        };
    }

    @Test
    void graphs_go_through_channels() throws Exception {
        var pipe = Pipe.open();
        var written =
                Background.run(() -> {
                    try (var out = ObjectWriter.to(pipe.sink())) {
                        for (var graph : GRAPHS) {
                            out.write(graph);
                        }
                    }
                });
        try (var in = ObjectReader.from((ReadableByteChannel) pipe.source(), Trip.POLICY)) {
            check(in);
        }
        written.get();
    }

    @Test
    void graphs_go_to_memory_of_any_kind() throws Exception {
        try (var arena = Arena.ofConfined()) {
            for (var memory :
                    List.of(
                            arena.allocate(1 << 20),
                            MemorySegment.ofArray(new byte[1 << 20]),
                            MemorySegment.ofBuffer(ByteBuffer.allocateDirect(1 << 20)))) {
                long size;
                try (var out = ObjectWriter.to(memory)) {
                    for (var graph : GRAPHS) {
                        out.write(graph);
                    }
                    size = out.bytesWritten();
                }
                try (var in = ObjectReader.from(memory.asSlice(0, size), Trip.POLICY)) {
                    check(in);
                }
            }
            try (var out = ObjectWriter.to(arena.allocate(1000))) {
                assertThatThrownBy(() -> out.write(new int[1000]))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("does not fit");
            }
        }
    }

    @Test
    void a_class_is_described_once() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = ObjectWriter.to(bytes)) {
            out.write(new PlainTypes.Node());
            long first = out.bytesWritten();
            out.write(new PlainTypes.Node());
            assertThat(out.bytesWritten() - first).isLessThan(30);
        }
    }

    @Test
    void what_follows_a_graph_that_could_not_be_written_is_read() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = ObjectWriter.to(bytes)) {
            for (int size : new int[] {1, 1000, 9000}) {
                var half = new Object[] {new byte[size], new PlainTypes.Node(), new Object()};
                assertThatThrownBy(() -> out.write(half))
                        .isInstanceOf(NotSerializableException.class);
                out.write(new PlainTypes.Node());
            }
        }
        var from = new ByteArrayInputStream(bytes.toByteArray());
        try (var in = ObjectReader.from(from, Trip.POLICY)) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(in::read).isInstanceOf(WriteAbortedException.class);
                assertThat(in.read()).isInstanceOf(PlainTypes.Node.class);
            }
        }
    }

    private static Object named(Object part) {
        var cycle = new Tail();
        cycle.first = cycle;
        cycle.second = new Object[] {part, cycle, part};
        return cycle;
    }

    /// Small and large, with handles and without: each after each.
    private static List<Object> mixed() {
        var kinds =
                List.<Supplier<Object>>of(
                        () -> named("z".repeat(200)),
                        () -> named(new int[5000]),
                        () -> new PlainTypes.Primitives(),
                        () -> "text",
                        () -> new long[3000],
                        () -> new PlainTypes.Point3(1, 2, "y".repeat(9000)));
        var graphs = new ArrayList<Object>();
        for (var one : kinds) {
            for (var other : kinds) {
                graphs.add(one.get());
                graphs.add(other.get());
            }
        }
        return graphs;
    }

    /// Writes the graphs, and after each what came before must stand.
    private static byte[] mixed(Codecs codecs, Sink sink, Callable<byte[]> written)
            throws Exception {
        var before = new byte[0];
        try (var out = new ObjectWriter(codecs, sink, () -> {})) {
            for (var graph : mixed()) {
                out.write(graph);
                var now = Arrays.copyOf(written.call(), (int) out.bytesWritten());
                assertThat(Arrays.mismatch(before, now)).isEqualTo(before.length);
                before = now;
            }
        }
        return before;
    }

    private static void checkMixed(ObjectReader in) throws Exception {
        var met = Collections.newSetFromMap(new IdentityHashMap<>());
        for (var graph : mixed()) {
            var got = in.read();
            assertThat(Alike.difference(graph, got)).isNull();
            if (got instanceof Tail tail) {
                var all = (Object[]) tail.second;
                assertThat(tail.first).isSameAs(tail).isSameAs(all[1]);
                assertThat(all[0]).isSameAs(all[2]);
                assertThat(met.add(tail) && met.add(all[0])).isTrue();
            }
        }
        assertThatThrownBy(in::read).isInstanceOf(EOFException.class);
    }

    @Test
    @Tag("slow")
    void graphs_with_shared_parts_and_without_follow_each_other_in_any_order() throws Exception {
        for (var codecs : Tiers.all()) {
            var stream = new ByteArrayOutputStream();
            var bytes = mixed(codecs, new ToStream(stream), stream::toByteArray);
            var channel = new ByteArrayOutputStream();
            assertThat(
                            mixed(
                                    codecs,
                                    new ToChannel(Channels.newChannel(channel)),
                                    channel::toByteArray))
                    .isEqualTo(bytes);
            var memory = new byte[2 << 20];
            var segment = MemorySegment.ofArray(memory);
            assertThat(mixed(codecs, new ToMemory(segment), () -> memory)).isEqualTo(bytes);
            for (var source :
                    List.of(
                            new FromStream(pieces(bytes, 100)),
                            new FromChannel(Channels.newChannel(pieces(bytes, 100))),
                            new FromMemory(segment.asSlice(0, bytes.length)))) {
                checkMixed(new ObjectReader(codecs, source, Trip.POLICY, () -> {}));
            }
        }
    }

    @SuppressWarnings({"serial", "UnusedVariable"}) // it holds anything
    private static final class Tail implements Serializable {
        private static final long serialVersionUID = 1L;
        int number = 1;
        Object first;
        Object second;
    }

    /// More than a page, whose first piece ends anywhere in a row of objects.
    private static Object longerThanAPage(int before) {
        var all = new ArrayList<Object>(List.of(new byte[200], new Tail()));
        for (int i = 0; i < (Page.SIZE - 800) / 101; i++) {
            all.add("x".repeat(100));
        }
        all.add("x".repeat(before));
        for (int i = 0; i < 30; i++) {
            var tail = new Tail();
            tail.first = "y".repeat(30);
            all.add(tail);
        }
        return all.toArray();
    }

    /// What is left of it looks like the end of an object to whoever reads on in the next graph.
    @Test
    void what_did_not_fit_into_memory_is_never_read_as_something_else() throws Exception {
        var next = new byte[120];
        for (var codecs : Tiers.all()) {
            for (int before = 0; before < 100; before++) {
                var graph = longerThanAPage(before);
                var whole = Tiers.bytes(codecs, graph);
                var memory = new byte[whole.length - 1];
                Arrays.fill(memory, (byte) 0x55);
                long size;
                try (var out =
                        new ObjectWriter(
                                codecs, new ToMemory(MemorySegment.ofArray(memory)), () -> {})) {
                    assertThatThrownBy(() -> out.write(graph)).hasMessageContaining("not fit");
                    size = out.bytesWritten();
                    assertThat(Arrays.mismatch(memory, whole)).isEqualTo((int) size);
                    assertThatThrownBy(() -> out.write(next)).hasMessageContaining("not fit");
                    assertThat(out.bytesWritten()).isEqualTo(size);
                }
                var left = MemorySegment.ofArray(memory).asSlice(0, size);
                try (var in =
                        new ObjectReader(codecs, new FromMemory(left), Trip.POLICY, () -> {})) {
                    assertThatThrownBy(in::read).isInstanceOf(EOFException.class);
                }
            }
        }
    }

    @Test
    void graphs_before_the_one_that_did_not_fit_are_read() throws Exception {
        for (var codecs : Tiers.all()) {
            var memory = MemorySegment.ofArray(new byte[10_000]);
            var graphs = List.of(named("x".repeat(200)), "text", new PlainTypes.Primitives());
            var out = new ObjectWriter(codecs, new ToMemory(memory), () -> {});
            for (var graph : graphs) {
                out.write(graph);
            }
            long before = out.bytesWritten();
            var large = new Object[] {"x".repeat(9000), "y".repeat(9000)};
            assertThatThrownBy(() -> out.write(large)).hasMessageContaining("does not fit");
            assertThat(out.bytesWritten()).isBetween(before, memory.byteSize());
            var left = memory.asSlice(0, out.bytesWritten());
            var in = new ObjectReader(codecs, new FromMemory(left), Trip.POLICY, () -> {});
            for (var graph : graphs) {
                assertThat(Alike.difference(graph, in.read())).isNull();
            }
            assertThatThrownBy(in::read).isInstanceOf(EOFException.class);
        }
    }

    private record TailRecord(int number, Object first, Object second) implements Serializable {}

    private static Tail tail(Object first) {
        var tail = new Tail();
        tail.first = first;
        tail.second = "second";
        return tail;
    }

    /// The primitives of the object are written by then, and its other references never come.
    @Test
    void an_object_whose_first_reference_could_not_be_written_is_given_up() throws Exception {
        var wrong = new Object();
        var halves =
                List.of(
                        tail(wrong),
                        new TailRecord(7, wrong, "second"),
                        tail(tail(wrong)),
                        new TailRecord(7, new TailRecord(8, wrong, wrong), wrong),
                        new Object[] {tail("a"), new TailRecord(9, tail(wrong), "second")});
        var next = List.of(tail(tail("a")), new TailRecord(7, new TailRecord(8, "a", 1), "b"));
        for (var writing : Tiers.all()) {
            var bytes = new ByteArrayOutputStream();
            var out = new ObjectWriter(writing, new ToStream(bytes), () -> {});
            for (var half : halves) {
                assertThatThrownBy(() -> out.write(half))
                        .isInstanceOf(NotSerializableException.class);
                out.write(next);
            }
            assertThat(out.bytesWritten()).isEqualTo(bytes.size());
            for (var reading : Tiers.all()) {
                var from = new FromStream(new ByteArrayInputStream(bytes.toByteArray()));
                var in = new ObjectReader(reading, from, Trip.POLICY, () -> {});
                for (int i = 0; i < halves.size(); i++) {
                    assertThatThrownBy(in::read)
                            .isInstanceOf(WriteAbortedException.class)
                            .hasMessageContaining("the writer failed");
                    assertThat(Alike.difference(next, in.read())).isNull();
                }
                assertThatThrownBy(in::read).isInstanceOf(EOFException.class);
            }
        }
    }
}
