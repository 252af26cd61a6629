package org.ibidem.messaging;

import java.time.Duration;
import org.ibidem.config.Limit;
import org.ibidem.port.Capability;
import org.ibidem.port.Data;
import org.ibidem.port.FailureUpcall;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.registry.Node;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A name, and the kinds of a question and of its answer: what caller and server know of a remote
/// procedure. Immutable, and best a constant that they share.
///
/// ```java
/// static final Procedure<String, Integer> LENGTH =
///         Procedure.of("length", String.class, Integer.class);
///
/// var server = LENGTH.server(node, text -> text.length());                  // at one end
/// var caller = LENGTH.caller(other, server);                                // at the other
/// int length = caller.call("four", Duration.ofSeconds(1));
/// ```
///
/// Each end lets in what its kind is made of, as for a [Subject].
///
/// @param <Q> the kind of question
/// @param <R> the kind of answer
public final class Procedure<Q, R> {
    private final String name;
    private final Class<Q> question;
    private final Class<R> answer;
    private final String stack;
    private final ObjectPolicy allowed;
    private final @Nullable FailureUpcall failures;

    private Procedure(
            Kinds<Q, R> kinds,
            String stack,
            ObjectPolicy allowed,
            @Nullable FailureUpcall failures) {
        this.name = kinds.name;
        this.question = kinds.question;
        this.answer = kinds.answer;
        this.stack = stack;
        this.allowed = allowed;
        this.failures = failures;
    }

    private record Kinds<Q, R>(String name, Class<Q> question, Class<R> answer) {}

    private Kinds<Q, R> kinds() {
        return new Kinds<>(name, question, answer);
    }

    /// A procedure.
    ///
    /// @param name of the server's port, 1 to 240 bytes
    /// @param question the kind of question; a box for a primitive
    /// @param answer the kind of answer; `Void` where there is none but that it is done
    public static <Q, R> Procedure<Q, R> of(String name, Class<Q> question, Class<R> answer) {
        return new Procedure<>(
                new Kinds<>(name, question, answer),
                PortType.AUTO,
                ObjectPolicy.NOTHING_BUT_VALUES,
                null);
    }

    /// Over this stack, as in [PortType#stack]; at both ends. It must be reliable.
    public Procedure<Q, R> stack(String notation) {
        return new Procedure<>(kinds(), notation, allowed, failures);
    }

    /// Letting in, at this end, objects of this class, and of what it is made of, too.
    public Procedure<Q, R> allow(Class<?> more) {
        return new Procedure<>(kinds(), stack, Shapes.allow(allowed, more), failures);
    }

    /// Letting in, at this end, what this policy does, too, and what the kinds are made of.
    public Procedure<Q, R> allow(ObjectPolicy policy) {
        return new Procedure<>(kinds(), stack, policy, failures);
    }

    /// What handlers throw is told to this, instead of being logged. Callers are told anyway.
    public Procedure<Q, R> failures(FailureUpcall hook) {
        return new Procedure<>(kinds(), stack, allowed, hook);
    }

    /// Answers questions, one at a time, in the order in which they come.
    ///
    /// @throws org.ibidem.port.PortNameTaken when this node has a port of this name already
    public Server<Q, R> server(Node node, Answerer<Q, R> answerer) {
        return server(node, 1, answerer);
    }

    /// Answers questions, several at a time.
    ///
    /// @param atOnce how many; those that follow wait at their callers
    public Server<Q, R> server(Node node, int atOnce, Answerer<Q, R> answerer) {
        return askedServer(node, atOnce, (question, _) -> answerer.answer(question));
    }

    /// The same for one that wants to know who asks, and until when.
    ///
    /// @param atOnce how many it answers at a time; those that follow wait at their callers
    public Server<Q, R> askedServer(Node node, int atOnce, AskedAnswerer<Q, R> answerer) {
        return Server.open(node, this, atOnce, answerer);
    }

    /// Asks questions of a server; connects within 20 seconds.
    ///
    /// @throws org.ibidem.port.ConnectRefused when the other node has no such port, or it takes no
    ///   more connections
    /// @throws org.ibidem.connect.Unreachable when the node cannot be reached, or does not answer
    ///   within the limit
    /// @throws org.ibidem.registry.Departed when this node is no member of its pool any more
    /// @throws org.ibidem.arbitration.WaitInterrupted when the thread is interrupted meanwhile
    public Caller<Q, R> caller(Node node, NodeId server) {
        return caller(node, server, Limit.CONNECT.get());
    }

    /// The same within another limit.
    public Caller<Q, R> caller(Node node, NodeId server, Duration limit) {
        return Caller.open(node, this, server, limit);
    }

    /// The name of the server's port.
    public String name() {
        return name;
    }

    Class<Q> question() {
        return question;
    }

    Class<R> answer() {
        return answer;
    }

    /// Over which questions go.
    PortType questions() {
        return PortType.manyToOne()
                .with(Capability.UPCALLS, Capability.CONNECTION_UPCALLS)
                .data(Data.OBJECT)
                .named("questions")
                .stack(stack);
    }

    /// Over which answers go.
    PortType answers() {
        return PortType.manyToOne()
                .with(Capability.CONNECTION_UPCALLS)
                .data(Data.OBJECT)
                .named("answers")
                .stack(stack);
    }

    ReceiveSetup setup(Class<?> kind) {
        return ReceiveSetup.USUAL.allow(Shapes.allow(allowed, kind));
    }

    @Nullable FailureUpcall failures() {
        return failures;
    }

    @Override
    public String toString() {
        return "procedure '" + name + "'";
    }
}
