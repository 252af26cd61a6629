import java.io.Serializable;
import java.time.Duration;
import java.util.*;
import org.ibidem.messaging.*;
import org.ibidem.registry.*;
import org.ibidem.topology.NodeId;

public class MasterWorker {
    record Item(String name, List<Integer> numbers) implements Serializable {}
    record Task(int id, List<List<Item>> rows) implements Serializable {}
    record Result(int id, long sum, NodeId worker) implements Serializable {}
    static final Subject<Task> TASKS = Subject.of("tasks", Task.class);
    static final Subject<Result> RESULTS = Subject.of("results", Result.class);
    static final int COUNT = 10_000, WINDOW = 8;
    static int next;
    public static void main(String[] args) {
        try (var node = Node.join(Join.fromEnvironment()); var results = RESULTS.receiver(node); var tasks = TASKS.receiver(node)) {
            var members = node.awaitMembers(node.size(), Duration.ofSeconds(20));
            if (node.rank() > 0) try (var out = RESULTS.sender(node, members.get(0).id())) {
                for (var task : tasks) out.send(new Result(task.id, task.rows.stream().flatMap(List::stream)
                        .flatMap(item -> item.numbers.stream()).mapToLong(n -> n).sum(), node.id()));
                return;
            }
            Map<NodeId, Sender<Task>> workers = new HashMap<>();
            members.stream().skip(1).forEach(m -> workers.put(m.id(), TASKS.sender(node, m.id())));
            for (int i = 0; i < WINDOW; i++) workers.values().forEach(w -> w.send(task(next++)));
            long sum = 0;
            for (int i = 0; i < COUNT; i++) {
                var result = results.receive();
                sum += result.sum;
                if (next < COUNT) workers.get(result.worker).send(task(next++));
            }
            workers.values().forEach(Sender::close);
            System.out.println(COUNT + " results, sum " + sum);
        }
    }
    static Task task(int id) {
        return new Task(id, List.of(List.of(new Item("a" + id, List.of(id, 0)), new Item("b", List.of(1, 2, 3)))));
    }
}
