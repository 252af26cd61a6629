package org.ibidem.apps.view;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.IbidemException;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Member;
import org.ibidem.registry.Visitor;
import org.ibidem.rmi.Rmi;

/// The watcher: visits the pool of a job, and shows on a page what its processes show.
///
/// Exit codes: 0 the job has ended, 1 it could not be watched, 2 misused.
public final class Watch implements AutoCloseable {
    private static final Duration ALL_HERE_WITHIN = Duration.ofSeconds(20);
    private static final long AGAIN_NANOS = 300_000_000;
    private static final Duration LAST_LOOK = Duration.ofSeconds(3);

    private final Visitor visitor;
    private final Rmi rmi;
    private final Mosaic mosaic;
    private final Page page;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /// Begins to watch.
    ///
    /// @param title what the page is called
    /// @param port of the page; 0: any that is free
    /// @throws IbidemException when the pool has not all its members, or the port is taken
    Watch(Visitor visitor, String title, int port) {
        this.visitor = visitor;
        this.rmi = Rmi.open(visitor.node());
        try {
            var members = members();
            this.mosaic = new Mosaic(members.size());
            this.page = new Page(title, mosaic, port);
            for (int i = 0; i < members.size(); i++) {
                threads.execute(new Follower(visitor, rmi, members.get(i), mosaic, i));
            }
        } catch (IbidemException e) {
            rmi.close();
            visitor.close();
            throw e;
        }
    }

    /// Waits for a pool that is not there yet, and says so.
    ///
    /// @throws JoinRefused.NoSuchPool when it is not there in time
    private static Visitor visit(Join join, Duration limit) {
        long end = 0;
        boolean told = false;
        while (true) {
            try {
                return Visitor.of(join);
            } catch (JoinRefused.NoSuchPool e) {
                if (limit.isZero() || (told && System.nanoTime() - end >= 0)) {
                    throw e;
                }
            }
            if (!told) {
                end = System.nanoTime() + limit.toNanos();
                System.out.printf(
                        "waits for a job in pool '%s' at %s, for %d s (--limit)%n",
                        join.pool(), String.join(", ", join.hubs()), limit.toSeconds());
                System.out.flush();
                told = true;
            }
            LockSupport.parkNanos(AGAIN_NANOS);
        }
    }

    private List<Member> members() {
        int size = visitor.size();
        return size == Join.ANY_SIZE
                ? visitor.members()
                : visitor.node().awaitMembers(size, ALL_HERE_WITHIN);
    }

    /// Of whom: a member of that pool, if it lets in only those it knows, else somebody new.
    private static Join visitors(Join set) {
        var known = set.identity();
        if (known != null && known.trust().governs(set.pool())) {
            return set.open(true);
        }
        var join = Join.pool(set.pool()).open(true);
        for (var hub : set.hubs()) {
            join = join.hub(hub);
        }
        var place = set.location();
        return place == null ? join : join.location(place);
    }

    /// Watches the pool that is set, until the job has ended.
    ///
    /// @param args what the page is called, its port, and for how many seconds the job is waited
    ///   for
    public static void main(String[] args) throws InterruptedException {
        System.setProperty("java.awt.headless", "true");
        var limit = Duration.ofSeconds(Integer.parseInt(args[2]));
        try (var watch =
                new Watch(
                        visit(visitors(Join.fromEnvironment()), limit),
                        args[0],
                        Integer.parseInt(args[1]))) {
            System.out.println(args[0] + " is shown at " + watch.address());
            System.out.flush();
            watch.awaitEnd();
            System.out.println("the job has ended");
        } catch (IbidemException e) {
            System.err.println("ibidem watch: " + e.getMessage());
            System.exit(1);
        }
        System.exit(0);
    }

    /// Where the page is.
    String address() {
        return page.address();
    }

    /// Waits until no process shows anything any more, and a browser that looks has seen the last.
    ///
    /// @throws BadWatch when it cannot be watched
    void awaitEnd() throws InterruptedException {
        mosaic.awaitOver();
        page.awaitLast(LAST_LOOK);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        page.close();
        rmi.close();
        visitor.close();
        threads.close();
    }
}
