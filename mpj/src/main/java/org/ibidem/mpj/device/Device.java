package org.ibidem.mpj.device;

import org.jspecify.annotations.Nullable;

/// The way from one process of an MPI program to all others: point-to-point messages, matched by
/// source, tag and context. It knows neither groups nor communicators (the `xdev` of MPJ Express,
/// listing 1 of Expósito et al., *Design of scalable Java message-passing communications over
/// InfiniBand*, 2011).
///
/// Processes have numbers from 0 to [#size]` - 1`, the same at each. Between two of them messages
/// of one context arrive in the order sent, whatever their sizes. Any thread may call it.
public interface Device extends AutoCloseable {
    /// As a source: from whomever. As a tag: whatever it is.
    int ANY = -1;

    /// This process.
    int id();

    /// How many processes there are.
    int size();

    /// Whether they are members of a pool that has an authority.
    default boolean isGoverned() {
        return false;
    }

    /// Begins to send. Below a limit the message is taken at once; a larger one when its receiver
    /// asks for it. Until the request is complete `message` is the device's.
    ///
    /// @param tag 0 or more
    Request isend(Outgoing message, int to, int tag, int context);

    /// Sends a message as [#isend] if it can leave at once, so that nothing is to be waited for.
    ///
    /// @return false: nothing was done
    /// @throws DeviceFailed as the request of `isend` would
    default boolean sendsNow(Outgoing message, int to, int tag, int context) {
        return false;
    }

    /// The same, complete only when the receiver has begun to receive it.
    Request issend(Outgoing message, int to, int tag, int context);

    /// Begins to receive. Until the request is complete `into` is the device's.
    ///
    /// @param from or [#ANY]
    /// @param tag or [#ANY]
    Request irecv(Incoming into, int from, int tag, int context);

    /// Sends, and waits until `message` may be used again.
    default void send(Outgoing message, int to, int tag, int context) {
        Envelope _ = Begun.await(isend(message, to, tag, context));
    }

    /// Sends, and waits until the receiver has begun to receive it.
    default void ssend(Outgoing message, int to, int tag, int context) {
        Envelope _ = Begun.await(issend(message, to, tag, context));
    }

    /// Receives, and waits for that.
    default Envelope recv(Incoming into, int from, int tag, int context) {
        return Begun.await(irecv(into, from, tag, context));
    }

    /// Waits until a receive with these arguments would find a message, and tells of that.
    Envelope probe(int from, int tag, int context);

    /// The message that a receive with these arguments would find now, or null.
    ///
    /// @throws DeviceFailed when there is none, and none can come any more
    @Nullable Envelope iprobe(int from, int tag, int context);

    /// Waits until one of these is complete.
    ///
    /// @param requests of this device; null ones are passed over
    /// @return the index of one that is complete
    int peek(@Nullable Request[] requests);

    /// Takes in what has come, and goes on with what waits for room. What waits does that too; a
    /// program that only looks whether a request [Request#isDone] has to call this.
    default void progress() {}

    /// What is between this process and another, for people; empty where that is not worth a word.
    default String way(int to) {
        return "";
    }

    /// Waits until all that was sent has left, and ends. Every process calls it when it is done.
    void finish();

    /// As [#finish].
    @Override
    default void close() {
        finish();
    }
}
