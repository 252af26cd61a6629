package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.withinAMinute;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Iterator;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.rmi.results.ResultReader;
import org.ibidem.rmi.results.Results;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Results that are given as they are asked for.
@Timeout(240)
class ResultsTest {
    private static final int MOST = 10;

    private final Nodes nodes = new Nodes();
    private final Rmi server = nodes.part();
    private final Rmi client = nodes.part();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    /// What is called.
    public interface Numbers extends Remote {
        Results<String> to(int count) throws RemoteException;
    }

    /// Numbers to a bound; the last one of 13 is none.
    private final class Counted implements Iterator<String>, AutoCloseable {
        private final int count;
        private int at;

        Counted(int count) {
            this.count = count;
        }

        @Override
        public boolean hasNext() {
            return at < count;
        }

        @Override
        public String next() {
            if (at == 13) {
                throw new IllegalStateException("thirteen");
            }
            made.incrementAndGet();
            return "number " + at++;
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private Numbers numbers() throws Exception {
        Numbers numbers = count -> Results.of(server, new Counted(count));
        server.names().bind("numbers", server.export(numbers));
        return client.names().lookup("numbers", Numbers.class);
    }

    @Test
    void they_come_in_order_and_end() throws Exception {
        var numbers = numbers();
        try (var reader = ResultReader.of(client, numbers.to(12), MOST)) {
            for (int i = 0; i < 12; i++) {
                assertThat(reader.next()).isEqualTo("number " + i);
            }
            assertThat(reader.hasNext()).isFalse();
            assertThatThrownBy(reader::next).hasMessage("all results were read already");
        }
        withinAMinute(
                "they are closed and forgotten", () -> closed.get() == 1 && server.exported() == 1);
    }

    /// A reader that stops has two requests made for it, and no more.
    @Test
    void no_more_are_made_than_were_asked_for() throws Exception {
        var numbers = numbers();
        try (var reader = ResultReader.of(client, numbers.to(Integer.MAX_VALUE), 5)) {
            assertThat(reader.next()).isEqualTo("number 0");
            // this call is behind the second request, in the order of coming
            try (var other = ResultReader.of(client, numbers.to(1), 1)) {
                assertThat(other.next()).isEqualTo("number 0");
            }
            assertThat(made.get()).isBetween(2, 2 * 5 + 1);
        }
        withinAMinute(
                "they are closed and forgotten", () -> closed.get() == 2 && server.exported() == 1);
        assertThat(made.get()).isLessThanOrEqualTo(2 * 5 + 1);
    }

    @Test
    void what_the_server_throws_the_reader_gets() throws Exception {
        var numbers = numbers();
        try (var reader = ResultReader.of(client, numbers.to(20), 13)) {
            int read = 0;
            for (; read < 13; read++) {
                reader.next();
            }
            assertThatThrownBy(reader::hasNext)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("thirteen");
        }
    }

    @Test
    @Tag("slow")
    void when_the_reader_s_node_goes_they_are_closed() throws Exception {
        numbers();
        var away = nodes.part();
        var numbers = away.names().lookup("numbers", Numbers.class);
        var reader = ResultReader.of(away, numbers.to(1000), 5);
        assertThat(reader.next()).isEqualTo("number 0");
        away.close();
        nodes.node(2).close();
        withinAMinute(
                "it is closed",
                () -> {
                    System.gc(); // the server's own stub, which it has given away
                    return closed.get() == 1;
                });
    }
}
