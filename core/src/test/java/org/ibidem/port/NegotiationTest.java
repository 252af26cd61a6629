package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.ibidem.Background;
import org.ibidem.buffer.BufferPool;
import org.ibidem.channel.Acceptor;
import org.ibidem.channel.Intruder;
import org.ibidem.config.SettingException;
import org.ibidem.link.Terms;
import org.ibidem.stack.FramesOverStream;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// What two ends agree on before a link is made, and where a stack can be set.
@Timeout(60)
@Isolated("sets what the whole JVM sees")
class NegotiationTest {
    private static final String STACK = "ibidem.stack";
    private static final int PART = 100;

    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        System.clearProperty("ibidem.buffer");
        System.clearProperty(STACK);
        System.clearProperty(STACK + ".halo");
        System.clearProperty("ibidem.config");
        pair.close();
    }

    /// Sends an array of many frames; answers the payload of the largest.
    private static long exchange(Pair pair, NodeRuntime from, NodeRuntime to, PortType type)
            throws Exception {
        try (var in = pair.receive(to, type, "in");
                var out = pair.send(from, type, "out")) {
            out.connect(to.id(), "in");
            var array = new double[100_000];
            array[99_999] = 3;
            var writing =
                    Background.run(() -> {
                        try (var message = out.newMessage()) {
                            message.writeArray(array).finish();
                        }
                    });
            long largest = 0;
            try (var message = in.receive()) {
                var got = new double[array.length];
                for (int i = 0; i < got.length; i += PART) {
                    message.readArray(got, i, PART);
                    largest = Math.max(largest, message.frame.limit - message.frame.start);
                }
                assertThat(got).isEqualTo(array);
            }
            writing.get();
            return largest;
        }
    }

    /// A quarter of the buffers less the header of a frame; see docs/wire/frames-over-stream.md.
    private static long frameOf(long buffers) {
        return buffers / 4 - 4;
    }

    @Test
    void frames_are_as_large_as_the_smaller_buffers_allow() throws Exception {
        var type = PortType.oneToOne().stack("tcp");
        assertThat(exchange(pair, pair.here, pair.there, type))
                .as("with the usual buffers, full but for what is no whole value")
                .isBetween(frameOf(256 << 10) - Double.BYTES, frameOf(256 << 10));
        System.setProperty("ibidem.buffer", "8k");
        try (var small = pair.runtime()) {
            for (long largest :
                    new long[] {
                        exchange(pair, small, pair.there, type),
                        exchange(pair, pair.there, small, type)
                    }) {
                assertThat(largest).isBetween(frameOf(8 << 10) - Double.BYTES, frameOf(8 << 10));
            }
        }
        System.setProperty("ibidem.buffer", "1k");
        assertThatThrownBy(pair::runtime)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4k to 16M");
    }

    @Test
    void versions_that_differ_are_refused_with_both() {
        try (var evil = pair.runtime();
                var in = pair.receive(pair.there, PortType.oneToOne().stack("tcp"), "in")) {
            var intruder = new Intruder(evil, new Random(1));
            assertThat(
                            intruder.ask(
                                    pair.there.id(),
                                    "tcp",
                                    "tcp 2",
                                    FramesOverStream.terms(new BufferPool())))
                    .contains("versions of the stack's parts differ")
                    .contains("tcp 1 at node " + pair.there.id().brief())
                    .contains("tcp 2 at yours");
            assertThat(in.connections()).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void stacks_that_differ_in_an_option_are_refused_with_both() {
        var type = PortType.oneToOne().stack("fragment > tcp");
        var other = "fragment(size=4k) > tcp";
        try (var evil = pair.runtime();
                var in = pair.receive(pair.there, type, "in")) {
            var intruder = new Intruder(evil, new Random(1));
            assertThat(intruder.ask(pair.there.id(), intruder.key(), other, "in"))
                    .as("the types say so")
                    .contains("stack: 'fragment > tcp' here, 'fragment(size=4k) > tcp' there");
            var request = new PortRequest("in", "evil", 1, type).encode();
            assertThat(intruder.ask(pair.there.id(), intruder.key(), other, request))
                    .as("the types are equal, the link is not of them")
                    .contains("its stack 'fragment > tcp' is not made as fragment(size=4k) > tcp");
            assertThat(in.connections()).isEmpty();
            assertThat(intruder.ask(pair.there.id(), intruder.key(), type.stack(), request))
                    .isEmpty();
        }
    }

    @Test
    void unchecked_messages_are_refused_between_byte_orders() {
        var foreign =
                ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
                        ? ByteOrder.LITTLE_ENDIAN
                        : ByteOrder.BIG_ENDIAN;
        var type = PortType.oneToOne().stack("tcp").with(Capability.UNCHECKED);
        try (var evil = pair.runtime();
                var in = pair.receive(pair.there, type, "in")) {
            var intruder = new Intruder(evil, new Random(1)).capabilities(type.capabilityBits());
            assertThat(intruder.ask(pair.there.id(), "tcp", "tcp 1", new Terms(foreign, 1000)))
                    .contains("unchecked")
                    .contains(foreign.toString())
                    .contains("use a checked port type");
            assertThat(in.connections()).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void checked_messages_pass_between_byte_orders_by_conversion_only() {
        var foreign =
                ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
                        ? ByteOrder.LITTLE_ENDIAN
                        : ByteOrder.BIG_ENDIAN;
        var terms = new Terms(foreign, 1000);
        try (var evil = pair.runtime()) {
            var intruder = new Intruder(evil, new Random(1));
            try (var in = pair.receive(pair.there, PortType.oneToOne().stack("tcp"), "in")) {
                assertThat(intruder.ask(pair.there.id(), "tcp", "tcp 1", terms))
                        .contains("the byte orders differ")
                        .contains(foreign.toString())
                        .contains("write 'conversion > tcp'");
                assertThat(in.connections()).isEmpty();
            }
            var stack = "conversion > tcp";
            try (var in = pair.receive(pair.there, PortType.oneToOne().stack(stack), "in")) {
                assertThat(intruder.ask(pair.there.id(), stack, "conversion 1, tcp 1", terms))
                        .isEmpty();
                assertThat(in.type().stack()).isEqualTo(stack);
            }
        }
    }

    @Test
    void conversion_stays_above_what_makes_messages_whole() throws Exception {
        var type =
                PortType.oneToOne()
                        .without(Capability.RELIABLE)
                        .stack("conversion > checksum(then=lose) > tcp");
        exchange(pair, pair.here, pair.there, type);
        try (var in = pair.receive(pair.there, type, "in")) {
            var request = new PortRequest(in.name(), "out", 1, type).encode();
            assertThat(answer("whole > conversion > checksum(then=lose) > tcp", request))
                    .isInstanceOf(Acceptor.No.class);
            assertThat(answer("conversion > whole > checksum(then=lose) > tcp", request))
                    .isInstanceOf(Acceptor.Yes.class);
        }
    }

    private Acceptor.Answer answer(String stack, byte[] request) {
        return PortProtocol.of(pair.there)
                .answer(pair.here.id(), stack, FramesOverStream.terms(new BufferPool()), request);
    }

    @Test
    void a_reliable_type_refuses_a_stack_that_may_lose_frames() throws Exception {
        var lossy = PortType.oneToOne().stack("checksum(then=lose) > tcp");
        assertThatThrownBy(() -> pair.receive(pair.there, lossy, "in"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("may lose frames")
                .hasMessageContaining("PortType.without(RELIABLE)");
        var unreliable = lossy.without(Capability.RELIABLE);
        for (int i = 0; i < 3; i++) {
            exchange(pair, pair.here, pair.there, unreliable);
        }
    }

    @Test
    void what_mends_a_stack_that_loses_makes_it_one_for_reliable_types() throws Exception {
        var mended = PortType.oneToOne().stack("mend > checksum(then=lose) > tcp");
        try (var own = new Pair()) {
            for (int i = 0; i < 3; i++) {
                assertThat(way(own, mended)).isEqualTo(mended.stack());
            }
            assertThat(own.here.channels().links()).as("used again").isEqualTo(1);
            var lossy = mended.stack("checksum(then=lose) > tcp").without(Capability.RELIABLE);
            assertThat(way(own, lossy)).isEqualTo("whole > " + lossy.stack());
        }
    }

    /// Without a time of its own for messages that are given up, there would be no way to set it.
    @Test
    void what_makes_messages_whole_is_not_put_twice() throws Exception {
        for (var above : List.of("", "conversion > ")) {
            var type =
                    PortType.oneToOne()
                            .without(Capability.RELIABLE)
                            .stack(above + "whole(within=2s) > checksum(then=lose) > tcp");
            assertThat(way(pair, type)).isEqualTo(type.stack());
        }
    }

    private static String way(Pair pair, PortType type) throws Exception {
        try (var in = pair.receive(pair.there, type, "in")) {
            String stack;
            try (var out = pair.send(pair.here, type, "out")) {
                out.connect(pair.there.id(), "in");
                try (var message = out.newMessage()) {
                    message.writeInt(1).finish();
                }
                try (var message = in.receive()) {
                    assertThat(message.readInt()).isEqualTo(1);
                }
                stack = out.way(new Target(pair.there.id(), "in")).stack();
            }
            // Until then its direction of the link is in use.
            eventually(
                    "the channel has ended", () -> in.poll() == null && in.connections().isEmpty());
            return stack;
        }
    }

    @Test
    void a_property_goes_before_the_file_and_that_before_the_program(@TempDir Path folder)
            throws Exception {
        var type = PortType.oneToOne().stack("tcp").named("halo");
        var file = Files.writeString(folder.resolve("c"), "ibidem.stack.halo = fragment > tcp\n");
        System.setProperty("ibidem.config", file.toString());
        assertThat(stackOf(type)).isEqualTo("fragment > tcp");
        assertThat(stackOf(type.named(""))).isEqualTo("tcp");
        System.setProperty(STACK, "checksum > tcp");
        assertThat(stackOf(type)).as("the name is more than no name").isEqualTo("fragment > tcp");
        assertThat(stackOf(type.named(""))).isEqualTo("checksum > tcp");
        System.setProperty(STACK + ".halo", "checksum > loopback");
        assertThat(stackOf(type)).isEqualTo("checksum > loopback");
        exchange(pair, pair.here, pair.there, type);
    }

    /// The build sets the variable IBIDEM_STACK_FROMENV for the tests.
    @Test
    void a_variable_of_the_environment_goes_before_the_file_and_after_a_property(
            @TempDir Path folder) throws Exception {
        var type = PortType.oneToOne().stack("tcp").named("fromenv");
        var file = Files.writeString(folder.resolve("c"), "ibidem.stack.fromenv = loopback\n");
        System.setProperty("ibidem.config", file.toString());
        assertThat(stackOf(type)).isEqualTo("fragment > tcp");
        exchange(pair, pair.here, pair.there, type);
        System.setProperty(STACK + ".fromenv", "checksum > tcp");
        assertThat(stackOf(type)).isEqualTo("checksum > tcp");
    }

    private String stackOf(PortType type) {
        try (var in = pair.receive(pair.there, type, "x")) {
            return in.type().stack();
        }
    }

    @Test
    void a_stack_set_from_outside_that_cannot_be_is_refused_with_the_place_it_was_set() {
        System.setProperty(STACK, "fragmant > tcp");
        assertThatThrownBy(() -> pair.send(pair.here, PortType.oneToOne(), "out"))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("system property ibidem.stack to 'fragmant > tcp'")
                .hasMessageContaining("Did you mean 'fragment'?");
    }

    @Test
    void types_that_differ_list_all_in_which_they_do() {
        var here = PortType.oneToOne().named("a").stack("tcp").with(Capability.NUMBERED);
        var there = PortType.manyToOne().named("b").stack("shm").objects("jdk");
        try (var in = pair.receive(pair.there, there, "in");
                var out = pair.send(pair.here, here, "out")) {
            assertThatThrownBy(() -> out.connect(pair.there.id(), "in"))
                    .isInstanceOf(ConnectRefused.class)
                    .hasMessageContaining("name: 'b' here, 'a' there")
                    .hasMessageContaining("connections: many-to-one here, one-to-one there")
                    .hasMessageContaining("numbered: no here, yes there")
                    .hasMessageContaining("data: object(jdk) here, data there")
                    .hasMessageContaining("stack: 'shm' here, 'tcp' there");
            assertThat(in.connections()).isEmpty();
        }
    }

    @Test
    void a_type_says_what_it_is() {
        assertThat(
                        PortType.manyToMany()
                                .named("halo")
                                .with(Capability.TOTAL)
                                .without(Capability.EXPLICIT)
                                .data(Data.BYTES)
                                .stack("checksum > tcp"))
                .hasToString(
                        "halo: many-to-many fifo numbered total reliable bytes \"checksum > tcp\"");
        assertThatThrownBy(() ->
                        PortType.oneToOne().with(Capability.TOTAL).without(Capability.NUMBERED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("total must be numbered");
    }
}
