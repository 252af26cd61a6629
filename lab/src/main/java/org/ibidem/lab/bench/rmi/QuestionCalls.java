package org.ibidem.lab.bench.rmi;

import java.time.Duration;
import org.ibidem.lab.bench.TreeNode;
import org.ibidem.messaging.Caller;
import org.ibidem.messaging.Procedure;
import org.ibidem.messaging.Server;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// Questions to a procedure that takes an int and gives one; nothing else is played.
final class QuestionCalls implements Calls, AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Procedure<Integer, Integer> NEXT =
            Procedure.of("next", Integer.class, Integer.class).stack("shm");

    private final Caller<Integer, Integer> caller;

    private QuestionCalls(Caller<Integer, Integer> caller) {
        this.caller = caller;
    }

    static QuestionCalls of(Node node, NodeId server) {
        return new QuestionCalls(NEXT.caller(node, server));
    }

    static Server<Integer, Integer> serve(Node node) {
        return NEXT.server(node, value -> value + 1);
    }

    @Override
    public int next(int value) {
        return caller.call(value, LIMIT);
    }

    @Override
    public void nothing() {
        throw notPlayed();
    }

    @Override
    public int take(byte[] values) {
        throw notPlayed();
    }

    @Override
    public int take(int[] values) {
        throw notPlayed();
    }

    @Override
    public int take(double[] values) {
        throw notPlayed();
    }

    @Override
    public long take(TreeNode tree) {
        throw notPlayed();
    }

    private static UnsupportedOperationException notPlayed() {
        return new UnsupportedOperationException("the procedure takes an int");
    }

    @Override
    public void close() {
        caller.close();
    }
}
