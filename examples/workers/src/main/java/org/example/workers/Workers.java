package org.example.workers;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.stream.LongStream;
import org.ibidem.messaging.Sender;
import org.ibidem.messaging.Subject;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// A master gives tasks to workers, a few ahead to each, and the next for each result.
public final class Workers {
    record Task(int id, long from, long to) implements Serializable {}

    record Result(int id, long sum, NodeId worker) implements Serializable {}

    static final Subject<Task> TASKS = Subject.of("tasks", Task.class);
    static final Subject<Result> RESULTS = Subject.of("results", Result.class);
    static final int COUNT = 1000;
    static final int AHEAD = 4;

    private Workers() {}

    /// Started as often as there shall be members; rank 0 is the master.
    public static void main(String[] args) {
        try (var node = Node.join(Join.fromEnvironment())) {
            var members = node.awaitMembers(node.size(), Duration.ofSeconds(20));
            if (node.rank() > 0) {
                work(node, members.getFirst().id());
                return;
            }
            try (var results = RESULTS.receiver(node)) {
                var tasks = new ArrayList<Task>();
                for (int i = 0; i < COUNT; i++) {
                    tasks.add(new Task(i, 100L * i, 100L * (i + 1)));
                }
                var workers = new HashMap<NodeId, Sender<Task>>();
                for (var member : members.subList(1, members.size())) {
                    workers.put(member.id(), TASKS.sender(node, member.id()));
                }
                for (int i = 0; i < AHEAD; i++) {
                    workers.values().forEach(worker -> worker.send(tasks.removeLast()));
                }
                long sum = 0;
                for (int i = 0; i < COUNT; i++) {
                    var result = results.receive();
                    sum += result.sum();
                    if (!tasks.isEmpty()) {
                        workers.get(result.worker()).send(tasks.removeLast());
                    }
                }
                workers.values().forEach(Sender::close);
                System.out.println(COUNT + " results, sum " + sum);
            }
        }
    }

    /// Ends when the master closes its sender.
    private static void work(Node node, NodeId master) {
        try (var tasks = TASKS.receiver(node);
                var results = RESULTS.sender(node, master)) {
            for (var task : tasks) {
                long sum = LongStream.range(task.from(), task.to()).sum();
                results.send(new Result(task.id(), sum, node.id()));
            }
        }
    }
}
