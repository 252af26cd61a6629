package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.WriteAbortedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.Background;
import org.ibidem.serial.graph.Alike;
import org.ibidem.serial.graph.PlainTypes;
import org.ibidem.serial.graph.Trip;
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
}
