import java.io.Serializable;
import java.time.Duration;
import org.ibidem.messaging.*;
import org.ibidem.registry.*;

public class PubSub {
    record Note(int number, byte[] content) implements Serializable {}
    static final Subject<Note> TOPIC = Subject.of("topic", Note.class);
    public static void main(String[] args) throws Exception {
        try (var node = Node.join(Join.fromEnvironment())) {
            var first = node.awaitMembers(node.size(), Duration.ofSeconds(20)).get(0);
            if (node.rank() == 0) try (var publisher = TOPIC.publisher(node, Overflow.block())) {
                while (publisher.deliveries().size() < node.size() - 1) Thread.sleep(1);
                for (int i = 0; i < 2000; i++) publisher.publish(new Note(i, new byte[1000]));
            } else try (var in = TOPIC.subscriber(node, first.id())) {
                int n = 0;
                for (var note : in) {
                    if (note.number != n++) throw new IllegalStateException("gap at " + note.number);
                    if (node.rank() == 2 && n == 1000) Runtime.getRuntime().halt(0); // dies
                }
                System.out.println(n + " received");
            }
        }
    }
}
