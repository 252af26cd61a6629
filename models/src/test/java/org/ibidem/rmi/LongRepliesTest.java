package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Replies that come in pieces: who reads one for another call has its own limit, and may be
/// interrupted, which is nothing to that call.
@Timeout(60)
class LongRepliesTest {
    private static final int BYTES = 1 << 20;
    private static final Rmi.Options OPTIONS =
            Rmi.Options.usual()
                    .policy(ObjectPolicy.NOTHING_BUT_VALUES.allow(Halves.class.getName()));

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private final Nodes nodes = new Nodes();
    private final Ends client;
    private final Ends limited;

    /// What is called.
    public interface Ends extends Remote {
        /// Does not return before the test ends.
        void never() throws RemoteException, InterruptedException;

        Halves inPieces() throws RemoteException;
    }

    /// Its second half follows when the test says so.
    public static final class Halves implements Serializable {
        private static final long serialVersionUID = 1L;

        private final byte[] half = new byte[BYTES];
        private final transient LongRepliesTest test;

        Halves(LongRepliesTest test) {
            this.test = test;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.flush();
            test.begun.countDown();
            try {
                test.goOn.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            out.writeObject(new byte[BYTES]);
        }

        private int length() {
            return half.length;
        }
    }

    private final class Server implements Ends {
        @Override
        public void never() throws InterruptedException {
            asked.countDown();
            goOn.await();
        }

        @Override
        public Halves inPieces() {
            return new Halves(LongRepliesTest.this);
        }
    }

    LongRepliesTest() throws Exception {
        var server = nodes.part(OPTIONS);
        server.names().bind("ends", server.export(new Server()));
        var part = nodes.part(OPTIONS);
        client = part.names().lookup("ends", Ends.class);
        limited = part.within(client, Duration.ofMillis(500));
    }

    @AfterEach
    void close() {
        goOn.countDown();
        nodes.close();
    }

    @Test
    void the_limit_of_who_reads_ends_no_other_call() throws Exception {
        var reads = CompletableFuture.runAsync(() -> never(limited), this::start);
        asked.await();
        var reply = CompletableFuture.supplyAsync(this::inPieces, this::start);
        assertThatThrownBy(() -> reads.get(30, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(CallTimedOut.class)
                .hasStackTraceContaining("the time limit of");
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        goOn.countDown();
        assertThat(reply.get(30, TimeUnit.SECONDS)).isEqualTo(BYTES);
    }

    @Test
    void an_interrupt_of_who_reads_ends_no_other_call() throws Exception {
        var reads = Thread.ofPlatform().start(() -> never(client));
        asked.await();
        var reply = CompletableFuture.supplyAsync(this::inPieces, this::start);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        reads.interrupt();
        reads.join();
        goOn.countDown();
        assertThat(reply.get(30, TimeUnit.SECONDS)).isEqualTo(BYTES);
    }

    @Test
    void an_interrupt_does_not_end_a_patient_call_of_which_a_part_has_come() throws Exception {
        var patient = nodes.part(OPTIONS.uninterruptible()).names().lookup("ends", Ends.class);
        var interrupted = new CompletableFuture<Boolean>();
        var length = new CompletableFuture<Integer>();
        var calls =
                Thread.ofPlatform()
                        .start(() -> {
                            length.complete(inPieces(patient));
                            interrupted.complete(Thread.interrupted());
                        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        calls.interrupt();
        goOn.countDown();
        assertThat(length.get(30, TimeUnit.SECONDS)).isEqualTo(BYTES);
        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
    }

    private void start(Runnable body) {
        Thread.ofPlatform().start(body);
    }

    private static void never(Ends ends) {
        try {
            ends.never();
        } catch (RemoteException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private int inPieces() {
        return inPieces(client);
    }

    private static int inPieces(Ends ends) {
        try {
            return ends.inPieces().length();
        } catch (RemoteException e) {
            throw new IllegalStateException(e);
        }
    }
}
