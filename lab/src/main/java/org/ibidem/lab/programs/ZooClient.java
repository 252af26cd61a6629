package org.ibidem.lab.programs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.ConnectionLossException;
import org.apache.zookeeper.KeeperException.SessionExpiredException;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/// A client of an ensemble: `ZooClient HOST:PORT,…`. It writes, reads and watches, says `written`,
/// and once it is told a line, does so again, which is to outlive the ensemble's leader:
/// `outlived`.
public final class ZooClient {
    private static final int SESSION = 20_000;
    private static final int LIMIT = 120;
    private static final int NODES = 20;
    private static final String ROOT = "/ibidem";
    private static final List<ACL> ANYBODY =
            Arrays.asList(new ACL(Perms.ALL, new Id("world", "anyone"))); // it looks for null

    private final String hosts;
    private ZooKeeper client;

    private ZooClient(String hosts) throws IOException {
        this.hosts = hosts;
        client = new ZooKeeper(hosts, SESSION, _ -> {});
    }

    /// One operation, which may be done again.
    private interface Operation<T> {
        T on(ZooKeeper client) throws KeeperException, InterruptedException;
    }

    /// Asks.
    ///
    /// @param args where the ensemble is
    public static void main(String[] args) throws Exception {
        var mine = new ZooClient(args[0]);
        mine.write();
        System.out.println("written");
        System.in.read();
        mine.outlive();
        System.out.println("outlived");
        mine.client.close();
    }

    private void write() throws Exception {
        create(ROOT, "root");
        for (int i = 0; i < NODES; i++) {
            create(ROOT + "/" + i, "node " + i);
        }
        Exchanges.same(done(zoo -> zoo.getChildren(ROOT, false)).size(), NODES);
        read();
        var changed = new CountDownLatch(1);
        done(zoo ->
                zoo.getData(
                        ROOT,
                        event -> {
                            if (event.getType() == EventType.NodeDataChanged) {
                                changed.countDown();
                            }
                        },
                        null));
        done(zoo -> zoo.setData(ROOT, bytes("changed"), -1));
        Exchanges.same(changed.await(LIMIT, TimeUnit.SECONDS), true);
    }

    private void read() throws Exception {
        for (int i = 0; i < NODES; i++) {
            var path = ROOT + "/" + i;
            Exchanges.same(text(done(zoo -> zoo.getData(path, false, null))), "node " + i);
        }
    }

    private void outlive() throws Exception {
        read();
        done(zoo -> zoo.setData(ROOT, bytes("outlived"), -1));
        Exchanges.same(text(done(zoo -> zoo.getData(ROOT, false, null))), "outlived");
    }

    private void create(String path, String text) throws Exception {
        try {
            done(zoo -> zoo.create(path, bytes(text), ANYBODY, CreateMode.PERSISTENT));
        } catch (KeeperException.NodeExistsException _) {
            // an attempt whose answer was lost has made it
        }
    }

    /// Does it again where the connection was lost, as the ensemble's manual has it.
    private <T> T done(Operation<T> operation) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT);
        while (true) {
            try {
                return operation.on(client);
            } catch (ConnectionLossException | SessionExpiredException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                if (e instanceof SessionExpiredException) {
                    client.close();
                    client = new ZooKeeper(hosts, SESSION, _ -> {});
                }
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
