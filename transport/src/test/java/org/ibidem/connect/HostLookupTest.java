package org.ibidem.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.arbitration.Threads;
import org.ibidem.config.AddressFamilies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class HostLookupTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(15);

    private final Threads threads = new Threads("test");
    private final CountDownLatch speaks = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    /// A name server that is silent until it speaks.
    private final HostLookup names =
            new HostLookup(host -> {
                asked.incrementAndGet();
                try {
                    speaks.await();
                } catch (InterruptedException e) {
                    throw new AssertionError("nothing interrupts the system's call", e);
                }
                return answer(host);
            });

    private static InetAddress[] answer(String host) throws UnknownHostException {
        return switch (host) {
            case "unknown" -> throw new UnknownHostException("unknown: Name or service not known");
            case "mute" ->
                    throw new UnknownHostException("mute: Temporary failure in name resolution");
            case "remembered" -> throw new UnknownHostException("remembered");
            default -> new InetAddress[] {InetAddress.ofLiteral("10.0.0.1")};
        };
    }

    @AfterEach
    void speak() {
        speaks.countDown();
        threads.close();
    }

    private void noAnswer(String host, Duration limit, String why) {
        assertThatThrownBy(() -> names.all(host, limit, threads))
                .isInstanceOf(HostLookup.NoAnswer.class)
                .hasMessageStartingWith("no name server says where '" + host + "' is (" + why);
    }

    @Test
    void who_asks_waits_no_longer_than_the_limit_and_is_told_the_answer_when_it_is_there()
            throws IOException {
        noAnswer("host", SHORT, "asked for 20 ms");
        noAnswer("host", SHORT, "asked for 20 ms");
        assertThat(asked).as("one call for both").hasValueLessThanOrEqualTo(1);
        speaks.countDown();
        assertThat(names.all("host", LONG, threads))
                .containsExactly(InetAddress.ofLiteral("10.0.0.1"));
    }

    @Test
    void that_nobody_answers_is_another_thing_than_that_there_is_no_such_name() {
        speaks.countDown();
        for (var host : List.of("unknown", "remembered")) {
            assertThatThrownBy(() -> names.all(host, LONG, threads))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessage("no host is called '" + host + "'");
        }
        noAnswer("mute", LONG, "or there is none");
    }

    @Test
    void an_address_is_not_looked_up() throws IOException {
        for (var address : List.of("127.0.0.1", "::1", "[::1]", "fe80::1%1")) {
            assertThat(names.first(address, SHORT, threads).isLinkLocalAddress())
                    .isEqualTo(address.startsWith("fe80"));
        }
        assertThat(asked).hasValue(0);
    }

    /// What stands in /etc/hosts may be of a family that this machine does not have.
    @Test
    void localhost_is_where_this_machine_has_it_and_is_not_looked_up() throws IOException {
        assertThat(names.all("LocalHost", SHORT, threads))
                .isEqualTo(AddressFamilies.loopbacks())
                .allMatch(InetAddress::isLoopbackAddress)
                .isNotEmpty();
        assertThat(asked).hasValue(0);
    }

    @Test
    void only_a_few_threads_wait_for_a_name_server() throws IOException {
        for (int i = 0; i < HostLookup.MOST; i++) {
            noAnswer("host" + i, SHORT, "asked for 20 ms");
        }
        noAnswer("another", LONG, HostLookup.MOST + " other names are waited for already");
        speaks.countDown();
        assertThat(names.all("host0", LONG, threads)).hasSize(1);
    }

    @Test
    void who_is_interrupted_waits_no_longer() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> names.all("host", LONG, threads))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
