package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.ibidem.port.ConnectRefused;
import org.ibidem.port.PortType;
import org.ibidem.port.SendPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a call between two nodes has given is not a third one's to say.
@Timeout(60)
class StrangersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Nodes nodes = new Nodes();

    /// What is called.
    public interface Bank extends Remote {
        /// It waits until it may answer.
        int balance() throws RemoteException;
    }

    private static final class Slow implements Bank {
        private final CountDownLatch called = new CountDownLatch(1);
        private final CountDownLatch mayAnswer = new CountDownLatch(1);

        @Override
        public int balance() throws RemoteException {
            called.countDown();
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                throw new RemoteException("interrupted", e);
            }
            return 5;
        }
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void a_stranger_replies_to_no_call_and_ends_none() throws Exception {
        var slow = new Slow();
        var server = nodes.part();
        var client = nodes.part();
        var stranger = nodes.node();
        server.names().bind("bank", server.export(slow));
        var bank = client.names().lookup("bank", Bank.class, LIMIT);
        var balance = new FutureTask<>(bank::balance);
        Thread.ofPlatform().daemon().start(balance);
        assertThat(slow.called.await(20, TimeUnit.SECONDS)).isTrue();
        var replies = PortTypes.over(PortType.AUTO).replies();
        try (var out = SendPort.open(stranger, replies, Serving.NAME)) {
            var refusal =
                    catchThrowableOfType(
                            ConnectRefused.class,
                            () -> out.connect(nodes.node(1).id(), Serving.NAME + "/1", LIMIT));
            assertThat(refusal.why()).isEqualTo(ConnectRefused.Why.UNWANTED);
        }
        assertThat(balance.isDone()).isFalse();
        slow.mayAnswer.countDown();
        assertThat(balance.get(20, TimeUnit.SECONDS)).isEqualTo(5);
    }
}
