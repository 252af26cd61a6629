package org.ibidem.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.Logged;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.HandshakeRefused;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Refusal;
import org.ibidem.identity.Identity;
import org.ibidem.peer.Purpose;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenerTest {
    private final Threads threads = new Threads("test");
    private final Identity alice = Identity.create();
    private final Identity bob = Identity.create();
    private final Handshake byAlice = new Handshake(alice, threads, Handshake.LIMIT);

    /// A thousand connections take long on a slow machine, and the first is not to be given up.
    private final Listener listener =
            Listener.open(0, false, new Handshake(bob, threads, Duration.ofMinutes(9)), threads);

    private final List<Proved> proved = new CopyOnWriteArrayList<>();
    private final List<SocketChannel> opened = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        listener.close();
        for (var channel : opened) {
            channel.close();
        }
        for (var peer : proved) {
            peer.path().close();
        }
        threads.close();
    }

    private SocketChannel dial() throws IOException {
        var channel = SocketChannel.open(listener.addresses().getFirst());
        opened.add(channel);
        return channel;
    }

    private void serveService() {
        listener.serve(Purpose.SERVICE, Admission.ALL, proved::add);
    }

    private void requireAGoodClientGetsThrough() throws IOException {
        int before = proved.size();
        var peer = byAlice.initiate(new SocketPath(dial()), Hello.service("demo", bob.id()));
        assertThat(peer.peer()).isEqualTo(bob.id());
        eventually("it was handed over", () -> proved.size() == before + 1);
    }

    @Test
    void who_connects_before_it_begins_waits_and_is_served() throws Exception {
        try (var bound =
                Listener.bound(0, false, new Handshake(bob, threads, Handshake.LIMIT), threads)) {
            var path = new SocketPath(SocketChannel.open(bound.addresses().getFirst()));
            var proving = new Handshake(Identity.create(), threads, Handshake.LIMIT);
            var hello = Hello.bootstrap("demo", bob.id());
            var proved =
                    CompletableFuture.supplyAsync(
                            () -> proving.initiate(path, hello), Thread::startVirtualThread);
            bound.serve(Purpose.BOOTSTRAP, Admission.ALL, _ -> {});
            bound.begin();
            assertThat(proved.join().peer()).isEqualTo(bob.id());
        }
    }

    @Test
    void a_proved_connection_is_handed_to_who_serves_its_purpose() throws IOException {
        serveService();
        requireAGoodClientGetsThrough();
        assertThat(proved.getFirst().peer()).isEqualTo(alice.id());
        assertThat(proved.getFirst().hello()).isEqualTo(Hello.service("demo", bob.id()));
        assertThat(
                        ((SocketPath) proved.getFirst().path())
                                .socket()
                                .getOption(StandardSocketOptions.TCP_NODELAY))
                .as("small writes are sent at once")
                .isTrue();
        assertThat(listener.tally()).isEqualTo(new Listener.Tally(1, 1, 0, 0));
    }

    @Test
    void a_purpose_nobody_serves_is_refused() throws IOException {
        var channel = dial();
        assertThat(
                        catchThrowable(() ->
                                byAlice.initiate(
                                        new SocketPath(channel), Hello.bootstrap("demo", null))))
                .isInstanceOf(HandshakeRefused.class)
                .hasMessageContaining("connections for purpose BOOTSTRAP are not served here");
    }

    @Test
    void whoever_serves_may_refuse() throws IOException {
        listener.serve(
                Purpose.SERVICE,
                (claimed, _) ->
                        new Admission.Refused(Refusal.DEAD, claimed.id() + " was declared dead"),
                proved::add);
        var channel = dial();
        assertThat(
                        catchThrowable(() ->
                                byAlice.initiate(
                                        new SocketPath(channel), Hello.service("demo", bob.id()))))
                .hasMessage("refused by the peer (DEAD): " + alice.id() + " was declared dead");
    }

    @Test
    void not_open_it_listens_on_loopback_only_with_one_port() throws IOException {
        assertThat(listener.addresses())
                .isNotEmpty()
                .allSatisfy(address -> {
                    assertThat(address.getAddress().isLoopbackAddress()).isTrue();
                    assertThat(address.getPort()).isEqualTo(listener.port());
                });
        serveService();
        for (var address : listener.addresses()) {
            var channel = SocketChannel.open(address);
            opened.add(channel);
            assertThat(
                            byAlice.initiate(
                                            new SocketPath(channel),
                                            Hello.service("demo", bob.id()))
                                    .peer())
                    .isEqualTo(bob.id());
        }
        for (var address : org.ibidem.connect.LocalAddresses.usable()) {
            assertThatThrownBy(
                            () -> {
                                try (var channel =
                                        SocketChannel.open(
                                                new InetSocketAddress(address, listener.port()))) {
                                    channel.getRemoteAddress();
                                }
                            })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void open_it_listens_on_every_address_it_names() throws IOException {
        try (var open =
                Listener.open(0, true, new Handshake(bob, threads, Handshake.LIMIT), threads)) {
            open.serve(Purpose.SERVICE, Admission.ALL, proved::add);
            var all = new ArrayList<>(open.addresses());
            all.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), open.port()));
            for (var address : all) {
                var channel = SocketChannel.open(address);
                opened.add(channel);
                assertThat(
                                byAlice.initiate(
                                                new SocketPath(channel),
                                                Hello.service("demo", bob.id()))
                                        .peer())
                        .isEqualTo(bob.id());
            }
        }
    }

    @Test
    void a_port_that_is_taken_is_an_error_of_its_own() {
        var handshake = new Handshake(bob, threads, Handshake.LIMIT);
        assertThatThrownBy(() -> Listener.open(listener.port(), false, handshake, threads))
                .isInstanceOf(CannotListen.class)
                .hasMessageContaining("port " + listener.port() + " cannot be listened on")
                .hasMessageContaining("choose another port");
    }

    @Test
    void strangers_are_closed_and_others_never_notice() throws IOException {
        serveService();
        requireAGoodClientGetsThrough();
        var bad =
                List.of(
                        "GET / HTTP/1.1\r\n\r\n",
                        "IBDM",
                        "",
                        "IBDM\2\0\2\0\u00ff\u00ff",
                        "\u0000".repeat(5000));
        for (var text : bad) {
            var channel = dial();
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
            channel.shutdownOutput();
        }
        eventually("all were closed", () -> listener.tally().failed() == bad.size());
        requireAGoodClientGetsThrough();
        var live = proved.getFirst().stream();
        assertThat(live.write(ByteBuffer.wrap(new byte[] {1}))).isEqualTo(1);
        assertThat(opened.getFirst().read(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "'GET / HTTP/1.1'         | no Ibidem there: the first bytes are 'GET ', not 'IBDM'",
                "IBD                      | 3 of 8 bytes came",
                "'IBDM\2\0\2\0\u00ff\u00ff' | a HELLO of 65535 bytes",
            })
    void a_stranger_is_logged_with_where_it_came_from_and_why_it_was_closed(String text, String why)
            throws IOException {
        try (var logged = new Logged(Listener.class)) {
            var channel = dial();
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
            channel.shutdownOutput();
            var from = "connection from " + channel.getLocalAddress() + " closed: ";
            // A word about a connection of the test before may still come.
            eventually(
                    "it is logged",
                    () -> logged.lines().stream().anyMatch(line -> line.contains(from)));
            assertThat(logged.lines())
                    .filteredOn(line -> line.contains(from))
                    .singleElement()
                    .asString()
                    .startsWith("WARNING " + from)
                    .contains(why);
        }
    }

    /// As whoever tries several addresses does with those that lose.
    @Test
    void who_goes_without_a_word_is_counted_but_not_complained_of() throws IOException {
        try (var logged = new Logged(Listener.class)) {
            var silent = dial();
            var from = String.valueOf(silent.getLocalAddress());
            silent.close();
            eventually("it was closed", () -> listener.tally().failed() == 1);
            var half = dial();
            half.write(ByteBuffer.wrap(new byte[] {'I'}));
            half.shutdownOutput();
            eventually("that one is logged", () -> !logged.lines().isEmpty());
            assertThat(logged.lines()).noneMatch(line -> line.contains(from));
        }
    }

    @Test
    @Tag("slow")
    void the_oldest_of_too_many_unproved_ones_goes_and_a_good_one_gets_through()
            throws IOException {
        serveService();
        var silent = new ArrayList<SocketChannel>();
        for (int i = 0; i < Listener.MOST_UNPROVED + 76; i++) {
            silent.add(dial());
            int waiting = i + 1;
            eventually("it was accepted", () -> listener.tally().accepted() == waiting);
        }
        eventually("the oldest went", () -> listener.tally().dropped() == 76);
        var one = ByteBuffer.allocate(1);
        assertThat(silent.getFirst().read(one)).isEqualTo(-1);
        requireAGoodClientGetsThrough();
        eventually("one more went", () -> listener.tally().dropped() == 77);
        assertThat(silent.getLast().isConnected()).isTrue();
    }

    @Test
    void a_handler_that_fails_costs_its_connection_only() throws IOException {
        listener.serve(
                Purpose.SERVICE,
                Admission.ALL,
                peer -> {
                    throw new IllegalStateException("thrown on purpose by a test");
                });
        var channel = dial();
        byAlice.initiate(new SocketPath(channel), Hello.service("demo", bob.id()));
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        serveService();
        requireAGoodClientGetsThrough();
    }

    /// Another process may take one of them meanwhile, and hardly one of each.
    @Test
    void the_port_is_free_as_soon_as_it_is_closed() {
        var handshake = new Handshake(bob, threads, Handshake.LIMIT);
        int free = 0;
        for (int i = 0; i < 20; i++) {
            var first = Listener.open(0, i % 2 == 0, handshake, threads);
            first.close();
            free += isFree(first.port(), i % 3 == 0, handshake) ? 1 : 0;
        }
        assertThat(free).isGreaterThanOrEqualTo(18);
    }

    private boolean isFree(int port, boolean open, Handshake handshake) {
        try {
            Listener.open(port, open, handshake, threads).close();
            return true;
        } catch (CannotListen e) {
            return false;
        }
    }

    @Test
    void closed_it_refuses_and_what_was_handed_over_lives_on() throws IOException {
        serveService();
        requireAGoodClientGetsThrough();
        var waiting = dial();
        eventually("it was accepted", () -> listener.tally().accepted() == 2);
        listener.close();
        assertThat(waiting.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(catchThrowable(this::dial)).isInstanceOf(IOException.class);
        proved.getFirst().stream().write(ByteBuffer.wrap(new byte[] {1}));
        assertThat(opened.getFirst().read(ByteBuffer.allocate(1))).isEqualTo(1);
    }
}
