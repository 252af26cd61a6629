package org.ibidem.apps.ibis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// A hub, and programs that are members of one pool: what would be a process each is a thread here.
final class Pool implements AutoCloseable {
    private static final long LIMIT_SECONDS = 50;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final Join join;

    /// What one member does between joining and leaving.
    interface Program<T> {
        T run(Node node) throws Exception;
    }

    /// An open pool.
    Pool() {
        this(Join.ANY_SIZE);
    }

    /// One that is closed when so many have joined it.
    Pool(int size) {
        this.join = Join.pool("ibis").hub("localhost:" + hub.port()).size(size);
    }

    int hub() {
        return hub.port();
    }

    Join join() {
        return join;
    }

    /// Runs a program as so many members at once.
    ///
    /// @return what each came to
    <T> List<T> run(int members, Program<T> program) throws Exception {
        var all = new ArrayList<CompletableFuture<T>>();
        var failure = new CompletableFuture<>();
        for (int i = 0; i < members; i++) {
            var one = new CompletableFuture<T>();
            all.add(one);
            Thread.ofPlatform()
                    .start(() -> {
                        try (var node = Node.join(join)) {
                            one.complete(program.run(node));
                        } catch (Exception | AssertionError e) {
                            failure.completeExceptionally(e);
                        }
                    });
        }
        var done = CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
        CompletableFuture.anyOf(done, failure).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        return all.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public void close() {
        hub.close();
    }
}
