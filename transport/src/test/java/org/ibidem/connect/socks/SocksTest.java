package org.ibidem.connect.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.ibidem.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Threads;
import org.ibidem.buffer.Malformed;
import org.ibidem.config.AddressFamilies;
import org.ibidem.config.Services;
import org.ibidem.config.Settings;
import org.ibidem.connect.Broker;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.Expected;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.Unreachable;
import org.ibidem.connect.socks.Plea.What;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Proxies that say what they are told to. The peer behind them proves itself by its name, one
/// byte.
class SocksTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final NodeId PEER = new NodeId(1, 2);
    private static final InetSocketAddress TARGET =
            new InetSocketAddress(InetAddress.ofLiteral("203.0.113.5"), 4660);
    private static final String CONNECTED = "0500000100000000" + "0000" + "61";

    private final Threads threads = new Threads("test");
    private final List<AutoCloseable> resources = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        threads.close();
        for (var resource : resources) {
            resource.close();
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        resources.add(resource);
        return resource;
    }

    private Check<SocketChannel> wanting(char name) {
        return path -> {
            var channel = ((SocketPath) path).socket();
            resources.add(channel);
            var letter = ByteBuffer.allocate(1);
            if (channel.read(letter) != 1) {
                throw new IOException("said nothing");
            }
            if (letter.get(0) != name) {
                throw new IbidemException("proved to be " + (char) letter.get(0));
            }
            return () -> channel;
        };
    }

    private static Socks method(String proxies) {
        var settings = Settings.of(Map.of("ibidem.proxy", proxies));
        return new Socks(() -> new Proxies(settings, null));
    }

    private SocketChannel connect(String proxies, InetSocketAddress... targets) {
        var contact = new Contact(PEER, List.of(targets), Map.of());
        return method(proxies).connect(contact, wanting('a'), new MethodContext(threads, LIMIT));
    }

    private String failure(String proxies) {
        return catchThrowableOfType(Unreachable.class, () -> connect(proxies, TARGET)).getMessage();
    }

    private ScriptedProxy socks(String... script) throws IOException {
        return keep(ScriptedProxy.socks(script));
    }

    @Test
    void asks_a_socks_proxy_in_so_many_bytes() throws IOException {
        var proxy = socks("3", "0500", "10", CONNECTED);
        assertThat(connect(proxy.at("socks5://"), TARGET).isOpen()).isTrue();
        assertThat(proxy.heard).containsExactly("050100", "05010001cb0071051234");
    }

    @Test
    void asks_for_addresses_of_both_families_and_for_names() throws Exception {
        var six = socks("3", "0500", "22", CONNECTED);
        var target = new InetSocketAddress(InetAddress.ofLiteral("2001:db8::5"), 1);
        connect(six.at("socks5://"), target);
        assertThat(six.heard.getLast())
                .isEqualTo("0501000420010db8000000000000000000000005" + "0001");
        var name = socks("3", "0500", "16", CONNECTED);
        var proxy = ProxyAddress.parse(name.at("socks5://"));
        var route =
                new ProxyRoute(proxy, InetSocketAddress.createUnresolved("hub.mil.x", 2), threads);
        keep(route.connect(SocketChannel::open));
        assertThat(name.heard.getLast()).isEqualTo("0501000309" + "6875622e6d696c2e78" + "0002");
    }

    @Test
    void tells_a_socks_proxy_its_name_and_password() throws IOException {
        var proxy = socks("4", "0502", "13", "0100", "10", CONNECTED);
        connect(proxy.at("socks5://mary:sesame@"), TARGET);
        assertThat(proxy.heard)
                .containsExactly("05020002", "01046d61727906736573616d65", "05010001cb0071051234");
    }

    @Test
    void takes_an_open_door_even_with_a_key_in_hand() throws IOException {
        var proxy = socks("4", "0500", "10", CONNECTED);
        assertThat(connect(proxy.at("socks5://mary:sesame@"), TARGET).isOpen()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    01 | could not (its reply is 1)
                    02 | the proxy's rules do not allow this
                    03 | cannot reach that network
                    04 | cannot reach that host
                    05 | refused: nobody listens there, says the proxy
                    06 | got no answer from there
                    07 | does not offer this
                    08 | does not know addresses of this family
                    ff | could not (its reply is 255)
                    """)
    void passes_on_why_a_socks_proxy_could_not(String code, String why) throws IOException {
        var proxy = socks("3", "0500", "10", "05" + code + "000100000000" + "0000");
        var message = failure(proxy.at("socks5://"));
        assertThat(message)
                .contains("203.0.113.5:4660 through socks5://127.0.0.1:" + proxy.port())
                .containsPattern(why.replace("(", "\\(").replace(")", "\\)"));
    }

    @Test
    void says_when_a_proxy_wants_or_does_not_know_a_name() throws IOException {
        assertThat(failure(socks("3", "05ff").at("socks5://")))
                .contains("wants a name and a password: set ibidem.proxy=socks5://USER:PASSWORD@");
        assertThat(failure(socks("4", "05ff").at("socks5://mary:sesame@")))
                .contains("takes neither anybody nor");
        assertThat(failure(socks("4", "0502", "13", "0101").at("socks5://mary:sesame@")))
                .contains("does not know the user 'mary'")
                .doesNotContain("sesame");
    }

    @ParameterizedTest
    @CsvSource({
        "3, 485454",
        "3, 0502",
        "3, 0509",
        "3 0500 10, 04000001000000000000",
        "3 0500 10, 05000009000000000000"
    })
    void calls_garbage_garbage(String before, String garbage) throws IOException {
        var script = (before + " " + garbage).split(" ", -1);
        assertThat(failure(socks(script).at("socks5://"))).contains("answered with garbage (");
    }

    @Test
    void says_when_a_proxy_ends_in_the_middle() throws IOException {
        assertThat(failure(socks("3", "0500", "10", "0500", "end").at("socks5://")))
                .contains("ended the connection");
    }

    private ScriptedProxy http(String answer) throws IOException {
        return keep(ScriptedProxy.http(answer));
    }

    @Test
    void asks_an_http_proxy_in_so_many_words() throws IOException {
        var proxy = http("HTTP/1.1 200 OK\r\nVia: x\r\n\r\na");
        assertThat(connect(proxy.at("http://mary:sesame@"), TARGET).isOpen()).isTrue();
        assertThat(proxy.heard.getFirst().lines())
                .containsExactly(
                        "CONNECT 203.0.113.5:4660 HTTP/1.1",
                        "Host: 203.0.113.5:4660",
                        "Proxy-Authorization: Basic bWFyeTpzZXNhbWU=",
                        "");
        var six = http("HTTP/1.0 204\n\na");
        connect(six.at("http://"), new InetSocketAddress(InetAddress.ofLiteral("2001:db8::5"), 1));
        assertThat(six.heard.getFirst())
                .startsWith("CONNECT [2001:db8:0:0:0:0:0:5]:1 HTTP/1.1\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    407 Who are you  | says 407 Who are you: set ibidem.proxy=http://USER
                    403 Forbidden    | many allow 443 alone
                    502 Bad Gateway  | it could not connect to there
                    504              | says 504: it could not connect to there
                    200x             | answered with garbage
                    20               | answered with garbage
                    """)
    void passes_on_why_an_http_proxy_will_not(String status, String why) throws IOException {
        assertThat(failure(http("HTTP/1.1 " + status + "\r\nA: b\r\n\r\n").at("http://")))
                .contains(why);
    }

    @Test
    void reads_no_endless_head() throws IOException {
        var endless = http("HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(10_000));
        assertThat(failure(endless.at("http://"))).contains("answered with garbage ('HTTP/1.1 200");
    }

    @Test
    void puts_nothing_into_a_request_that_is_no_name() {
        var proxy = new ProxyAddress(ProxyAddress.Kind.HTTP, "proxy", 1, null);
        var target = InetSocketAddress.createUnresolved("x\r\nEvil: yes", 1);
        assertThatThrownBy(() -> new HttpConnect(proxy, SocketChannel.open()).connect(target))
                .isInstanceOf(ProxyFailed.class)
                .hasMessageContaining("is no name of a host");
    }

    @Test
    void finds_out_a_proxy_that_connects_to_somebody_else() throws IOException {
        var liar = socks("3", "0500", "10", CONNECTED.replaceFirst("61$", "62"));
        assertThat(failure(liar.at("socks5://")))
                .contains("through socks5://127.0.0.1:" + liar.port() + " proved to be b");
    }

    /// As where its name has addresses of both families, and there is a way over one alone.
    @Test
    void tries_all_addresses_of_a_proxy() throws Exception {
        var last = AddressFamilies.loopbacks().getLast();
        assumeTrue(AddressFamilies.loopbacks().size() > 1, "this machine has " + last + " alone");
        var proxy =
                keep(
                        new ScriptedProxy(
                                last,
                                (in, out) -> {
                                    in.readNBytes(3);
                                    out.write(HexFormat.of().parseHex("0500"));
                                    in.readNBytes(10);
                                    out.write(HexFormat.of().parseHex(CONNECTED));
                                    in.readAllBytes();
                                }));
        assertThat(connect("socks5://localhost:" + proxy.port(), TARGET).isOpen()).isTrue();
    }

    @Test
    void says_that_the_proxy_itself_is_not_there() throws IOException {
        int nobody;
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            nobody = ((InetSocketAddress) server.getLocalAddress()).getPort();
        }
        assertThat(failure("socks5://127.0.0.1:" + nobody)).contains("itself cannot be reached: ");
        assertThat(failure("socks5://no.such.host.invalid:1"))
                .contains("no host is called 'no.such.host.invalid'");
        assertThat(failure("none")).contains("none is known here (set ibidem.proxy");
    }

    @Test
    void takes_the_proxy_that_works() throws IOException {
        var good = socks("3", "0500", "10", CONNECTED);
        var bad = http("HTTP/1.1 500 No\r\n\r\n");
        var mute = keep(new ScriptedProxy((in, _) -> in.readAllBytes()));
        var all = bad.at("http://") + "," + mute.at("socks5://") + "," + good.at("socks5://");
        assertThat(connect(all, TARGET).isOpen()).isTrue();
        eventually("nothing runs on", () -> threads.size() == 0);
    }

    /// What stands between two nodes here: hands on what is said, and notes it.
    private record Near(CompletableFuture<Plea> heard, Answerer answerer) implements Broker {
        interface Answerer {
            byte[] answer(byte[] proposal);
        }

        @Override
        public byte[] propose(String method, byte[] proposal, Duration limit) {
            assertThat(method).isEqualTo("socks");
            heard.complete(Plea.decode(proposal));
            return answerer.answer(proposal);
        }

        @Override
        public Duration delay() {
            return Duration.ZERO;
        }

        @Override
        public InetSocketAddress observe(SocketChannel socket, Duration limit) {
            throw new AssertionError("nobody needs that here");
        }

        @Override
        public Expected expect() {
            throw new AssertionError("nobody needs that here");
        }
    }

    private static final Contact NOWHERE = new Contact(PEER, List.of(), Map.of());

    @Test
    void has_its_proxy_open_a_port_and_asks_the_peer_to_come() throws Exception {
        // It listens at its own address, port 0x1234; then the peer is there.
        var proxy = socks("3", "0500", "10", "05000001000000001234" + CONNECTED);
        var broker = new Near(new CompletableFuture<>(), _ -> Plea.answer(null));
        var won =
                method(proxy.at("socks5://"))
                        .connect(
                                NOWHERE,
                                wanting('a'),
                                new MethodContext(threads, LIMIT, broker, null, null));
        assertThat(won.isOpen()).isTrue();
        assertThat(proxy.heard.getLast()).isEqualTo("0502000100000000" + "0000");
        assertThat(broker.heard.join())
                .isEqualTo(
                        new Plea(
                                What.DIAL,
                                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0x1234)));
    }

    @Test
    void comes_when_it_is_asked_to() throws Exception {
        var here = keep(ServerSocketChannel.open());
        here.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        var address = (InetSocketAddress) here.getLocalAddress();
        var joined = new CompletableFuture<SocketChannel>();
        Check<SocketChannel> check =
                path -> {
                    var channel = ((SocketPath) path).socket();
                    var claim = wanting('q').check(path);
                    return () -> {
                        joined.complete(channel);
                        return claim.take();
                    };
                };
        var answer =
                method("none")
                        .join(
                                NOWHERE,
                                new Plea(What.DIAL, address).encode(),
                                check,
                                new MethodContext(threads, LIMIT));
        assertThat(Plea.decodeAnswer(answer)).isNull();
        keep(here.accept()).write(ByteBuffer.wrap(new byte[] {'q'}));
        assertThat(joined.join().isOpen()).isTrue();
    }

    @Test
    void asks_the_peer_to_have_its_proxy_open_a_port() throws Exception {
        var open = keep(ServerSocketChannel.open());
        open.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        int port = ((InetSocketAddress) open.getLocalAddress()).getPort();
        var bound = "05000001" + "7f000001" + String.format("%04x", port);
        var proxy = socks("3", "0500", "10", bound + CONNECTED);
        var peer = method(proxy.at("socks5://"));
        var broker =
                new Near(
                        new CompletableFuture<>(),
                        proposal ->
                                peer.join(
                                        NOWHERE,
                                        proposal,
                                        wanting('a'),
                                        new MethodContext(threads, LIMIT)));
        threads.start(
                "open port",
                () -> {
                    try {
                        keep(open.accept()).write(ByteBuffer.wrap(new byte[] {'a'}));
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
        var won =
                method("none")
                        .connect(
                                NOWHERE,
                                wanting('a'),
                                new MethodContext(threads, LIMIT, broker, null, null));
        assertThat(((InetSocketAddress) won.getRemoteAddress()).getPort()).isEqualTo(port);
        assertThat(broker.heard.join()).isEqualTo(new Plea(What.BIND, null));
        eventually("nothing runs on", () -> threads.size() == 0);
    }

    @Test
    void tells_the_other_end_why_its_proxies_let_nobody_in() throws Exception {
        var plea = new Plea(What.BIND, null).encode();
        var context = new MethodContext(threads, LIMIT);
        assertThatThrownBy(() -> method("none").join(NOWHERE, plea, wanting('a'), context))
                .isInstanceOf(ProxyFailed.class)
                .hasMessageContaining("it knows of none");
        var strict = socks("3", "0500", "10", "05070001000000000000").at("socks5://");
        assertThatThrownBy(() -> method(strict).join(NOWHERE, plea, wanting('a'), context))
                .hasMessageContaining("does not offer this");
        assertThatThrownBy(() ->
                        method("none")
                                .join(
                                        NOWHERE,
                                        HexFormat.of().parseHex("0107"),
                                        wanting('a'),
                                        context))
                .isInstanceOf(Malformed.class);
    }

    @Test
    void is_found_and_says_what_it_can() {
        assertThat(Services.of(ConnectMethod.class)).hasAtLeastOneElementOfType(Socks.class);
        assertThat(new Socks().traits().relayed()).isTrue();
        assertThat(new Socks().traits().brokered()).isTrue();
    }
}
