package org.ibidem.registry;

/// Events given to a consumer: [Node#events(java.util.function.Consumer)]. While it is paused they
/// wait, 4096 at most; who is further behind gets a [PoolEvent.Missed] and the difference.
public interface Subscription extends AutoCloseable {
    /// Gives no events until [#resume]; one that is being given is not stopped.
    void pause();

    /// Gives events again, those that wait first.
    void resume();

    /// Gives none any more.
    @Override
    void close();
}
