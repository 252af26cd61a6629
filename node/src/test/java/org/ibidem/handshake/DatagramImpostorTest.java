package org.ibidem.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.handshake.HandshakeMessages.PREFIX_BYTES;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.ibidem.arbitration.Threads;
import org.ibidem.channel.Acceptor;
import org.ibidem.channel.Acceptor.Receiver;
import org.ibidem.channel.InChannel;
import org.ibidem.channel.OutChannel;
import org.ibidem.handshake.HandshakeMessages.Nonced;
import org.ibidem.handshake.HandshakeMessages.Versions;
import org.ibidem.identity.Identity;
import org.ibidem.identity.NodeKey;
import org.ibidem.identity.Shown;
import org.ibidem.link.Catalog;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.Datagrams;
import org.ibidem.stack.Domains;
import org.ibidem.stack.Stack;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Where Alice's datagrams to Bob should arrive somebody else sits, who has a key of his own: he is
/// nobody's peer, and what he has learnt there gets him nowhere.
@Timeout(60)
class DatagramImpostorTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String STACK = "reliable > udp";

    private final Threads threads = new Threads("test");
    private final Map<NodeId, Contact> book = new ConcurrentHashMap<>();
    private final Identity alicesKey = Identity.create();
    private final Identity bobsKey = Identity.create();
    private final Identity evesKey = Identity.create();
    private final NodeRuntime alice = runtime(alicesKey);
    private final NodeRuntime bob = runtime(bobsKey);
    private final BlockingQueue<InChannel> came = new LinkedBlockingQueue<>();

    /// Nobody's station: what is said over it the test says.
    private final Domains nets = new Domains(Catalog.found(), threads, false);

    private final Datagrams net = nets.able(Datagrams.class).findFirst().orElseThrow();

    private NodeRuntime runtime(Identity identity) {
        var made = NodeRuntime.begun(identity, "test", false, book::get, threads);
        book.put(made.id(), made.contact());
        return made;
    }

    @BeforeEach
    void serve() {
        bob.channels().serve("port", (_, _, _, _) -> new Acceptor.Yes(new Taken()));
    }

    private final class Taken implements Receiver {
        @Override
        public void attach(InChannel incoming) {
            came.add(incoming);
        }

        @Override
        public void failed(String why) {
            // as it has to
        }

        @Override
        public void cancelled(InChannel channel) {
            came.remove(channel);
        }
    }

    @AfterEach
    void close() {
        for (var runtime : List.of(alice, bob)) {
            Thread.currentThread().interrupt(); // nobody waits for those who use its links
            runtime.channels().close();
            assertThat(Thread.interrupted()).isTrue();
            runtime.close();
        }
        nets.close();
        threads.close();
    }

    /// Alice finds this where Bob's datagrams are taken: at one address, since at others nobody
    /// would answer, for which she would wait.
    private void sits(Map<String, String> places) {
        var honest = bob.contact();
        var all = new HashMap<>(honest.places());
        all.putAll(places);
        var addresses =
                honest.addresses().stream()
                        .filter(each -> each.getAddress().equals(InetAddress.getLoopbackAddress()));
        book.put(bob.id(), new Contact(bob.id(), addresses.toList(), all));
    }

    private OutChannel open() {
        var stack = Stack.parse(STACK, Catalog.found());
        return alice.channels().open(bob.id(), "port", stack, new byte[0], LIMIT);
    }

    /// Neither end believes to have a link.
    private void nothingIsThere() {
        assertThat(came).isEmpty();
        assertThat(alice.channels().links()).isZero();
        assertThat(bob.channels().links()).isZero();
    }

    @Test
    void bob_himself_is_reached() throws InterruptedException {
        assertThat(open().peer()).isEqualTo(bob.id());
        assertThat(came.take().peer()).isEqualTo(alice.id());
    }

    @Test
    void another_node_that_answers_in_the_peers_place_is_refused_and_named() {
        var refused = new CompletableFuture<Throwable>();
        visited(path -> {
            var hers = new Handshake(evesKey, threads, LIMIT);
            refused.complete(catchThrowable(() -> hers.respond(path, Admission.ALL)));
        });
        assertThatThrownBy(this::open)
                .hasMessageContaining(
                        "proved to be node " + evesKey.id() + " instead of " + bob.id());
        nothingIsThere();
        assertThat(refused.join()).as("she knows it as well").isInstanceOf(HandshakeRefused.class);
    }

    /// What she hears as the responder, to be answered as she likes.
    private record Heard(Exchange exchange, byte[] hello, Hello asked) {
        static Heard of(Exchange exchange) {
            var prefix = exchange.read("HELLO", PREFIX_BYTES);
            var body = exchange.readSized("HELLO", HandshakeMessages.LONGEST_HELLO);
            var asked = HandshakeMessages.readHello(body).hello().orElseThrow();
            var hello = HandshakeMessages.join(prefix, HandshakeMessages.sized(body));
            return new Heard(exchange, hello, asked);
        }

        /// Says yes, as the owner of this key.
        void answer(NodeKey shown, Identity signing) {
            var reply = HandshakeMessages.unsignedReply(Versions.OURS, nonced(shown), 0, "");
            var signature = signing.sign(HandshakeMessages.RESPONDER, hello, reply);
            exchange.write("REPLY", HandshakeMessages.join(reply, signature));
        }
    }

    private static Nonced nonced(NodeKey key) {
        return new Nonced(key, new byte[HandshakeMessages.NONCE_BYTES], Shown.NOTHING);
    }

    private void heard(Consumer<Heard> body) {
        visited(path -> body.accept(Heard.of(new Exchange(path.words(), threads, LIMIT))));
    }

    private void visited(Consumer<DatagramPath> body) {
        net.welcome(path -> threads.start("eve", () -> body.accept(path)));
        sits(nets.places());
        try (var first = toBob()) { // she reads from her first path on
            assertThat(first).isNotNull();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void who_says_yes_with_a_key_of_his_own_is_not_the_peer() {
        heard(heard -> heard.answer(evesKey.key(), evesKey));
        assertThatThrownBy(this::open)
                .hasMessageContaining(
                        "proved to be node " + evesKey.id() + " instead of " + bob.id());
        nothingIsThere();
    }

    @Test
    void who_shows_the_peers_key_and_signs_with_another_proves_nothing() {
        heard(heard -> heard.answer(bobsKey.key(), evesKey));
        assertThatThrownBy(this::open)
                .hasMessageContaining(
                        "the peer's signature does not fit its key and what was said");
        nothingIsThere();
    }

    private DatagramPath toBob() throws IOException {
        int port = Integer.parseInt(bob.contact().places().get("udp"));
        return net.begin(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /// She knows by now which link Bob awaits from Alice.
    @Test
    @Tag("slow") // it tries three times
    void what_was_heard_in_the_peers_place_opens_no_path_to_him() {
        var herself = new CompletableFuture<Throwable>();
        var asAlice = new CompletableFuture<Throwable>();
        heard(heard -> {
            herself.complete(
                    catchThrowable(() ->
                            new Handshake(evesKey, threads, LIMIT).initiate(toBob(), heard.asked)));
            asAlice.complete(catchThrowable(() -> claims(alicesKey.key(), heard.asked)));
            heard.exchange.close();
        });
        assertThatThrownBy(this::open);
        assertThat(herself.join())
                .isInstanceOf(HandshakeRefused.class)
                .hasMessageContaining("no data link of this key and stack was agreed on with you");
        assertThat(asAlice.join()).isInstanceOf(HandshakeFailed.class);
        nothingIsThere();
    }

    /// Begins with somebody else's key, and proves it with her own.
    private void claims(NodeKey shown, Hello what) throws IOException {
        try (var path = toBob()) {
            var exchange = new Exchange(path.words(), threads, LIMIT);
            var hello = HandshakeMessages.hello(Versions.OURS, nonced(shown), what);
            exchange.write("HELLO", hello);
            var prefix = exchange.read("REPLY", PREFIX_BYTES);
            var body = exchange.readSized("REPLY", HandshakeMessages.LONGEST_REPLY);
            assertThat(HandshakeMessages.readReply(body).status()).as("so far").isZero();
            var reply = HandshakeMessages.join(prefix, HandshakeMessages.sized(body));
            exchange.write("PROOF", evesKey.sign(HandshakeMessages.INITIATOR, hello, reply));
            exchange.read("anything", 1); // Bob closes it
        }
    }
}
