package org.ibidem.lab.net.wide;

import ibis.satin.SatinObject;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.satin.Job;
import org.ibidem.satin.Satin;
import org.ibidem.satin.Statistics;
import org.ibidem.satin.Stealing;

/// Two processes of Satin.
///
/// `HUB POOL STACK root` has [#JOBS] jobs, does none before the other process has gone, and says
/// `got satin COUNT`: results that came from the other.
///
/// `HUB POOL STACK thief` steals them, does them, and closes its part and its node at once, with
/// all results still on their way.
public final class OrderlySatin {
    static final int JOBS = 4;
    private static final int BYTES = 1_000_000;
    private static final Duration LONG = Duration.ofSeconds(60);

    private static final CountDownLatch OTHER_IS_GONE = new CountDownLatch(1);
    private static final CountDownLatch ALL_ARE_STOLEN = new CountDownLatch(JOBS);
    private static final CountDownLatch GO = new CountDownLatch(1);
    private static volatile boolean root;

    private OrderlySatin() {}

    /// Answers with many bytes, the first of which says whether a thief has done it.
    private static final class Work extends Job {
        private static final long serialVersionUID = 1L;

        private transient byte[] answer = {};

        @Override
        protected void run() throws InterruptedException {
            answer = new byte[BYTES];
            if (!root) {
                answer[0] = 1;
                ALL_ARE_STOLEN.countDown();
                GO.await();
            }
        }

        @Override
        protected Object result() {
            return answer;
        }

        @Override
        protected void result(Object came) {
            answer = (byte[]) came;
        }

        private boolean isStolen() {
            return answer[0] == 1;
        }
    }

    public static void main(String[] args) throws Exception {
        root = args[3].equals("root");
        var join = Join.pool(args[1]).hub(args[0]).open(true).size(2).limit(LONG);
        var node = Node.join(join.rank(root ? 0 : 1));
        node.awaitMembers(2, LONG);
        var loader = OrderlySatin.class.getClassLoader();
        var satin =
                Satin.open(
                        node,
                        new Satin.Options(
                                root ? 1 : JOBS,
                                args[2],
                                loader,
                                Stealing.CLUSTER_AWARE,
                                false,
                                null));
        if (root) {
            spawn(node, satin);
        } else {
            steal(node, satin);
        }
    }

    private static void spawn(Node node, Satin satin) throws Exception {
        var _ =
                node.events(event -> {
                    if (event instanceof PoolEvent.Left || event instanceof PoolEvent.Died) {
                        OTHER_IS_GONE.countDown();
                    }
                });
        long stolen = satin.run(OrderlySatin::stolen);
        System.out.println("got satin " + stolen);
        Runtime.getRuntime().halt(0);
    }

    private static long stolen() throws InterruptedException {
        var all = IntStream.range(0, JOBS).mapToObj(_ -> new Work()).toList();
        Job last = null;
        for (var each : all) {
            while (!SatinObject.needMoreJobs()) { // a worker opens a job to thieves as it spawns it
                LockSupport.parkNanos(1_000_000);
            }
            last = Job.spawn(each, last);
        }
        OTHER_IS_GONE.await();
        Job.sync(last);
        return all.stream().filter(Work::isStolen).count();
    }

    private static void steal(Node node, Satin satin) throws InterruptedException {
        Thread.ofPlatform().daemon().start(() -> work(satin));
        ALL_ARE_STOLEN.await();
        long asked = satin.statistics().asked(); // by workers who look for something to do
        GO.countDown();
        while (!handedOver(satin.statistics(), asked)) {
            LockSupport.parkNanos(100_000);
        }
        satin.close();
        node.close();
        Runtime.getRuntime().halt(0);
    }

    /// Whether each worker has done its job, and looks for another one.
    private static boolean handedOver(Statistics now, long asked) {
        return now.stolen() == JOBS && now.asked() >= asked + JOBS;
    }

    private static void work(Satin satin) {
        try {
            satin.work();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
