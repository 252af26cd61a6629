import java.time.Duration;
import org.ibidem.messaging.*;
import org.ibidem.registry.*;

public class Service {
    static final Procedure<String, String> ECHO = Procedure.of("echo", String.class, String.class);

    public static void main(String[] args) throws Exception {
        try (var node = Node.join(Join.fromEnvironment())) {
            if (args[0].equals("server")) {
                node.elections().elect("server");
                node.events(event -> System.out.println("event " + event));
                try (var server = ECHO.server(node, 4, text -> "echo " + text)) {
                    node.awaitTerminated(Duration.ofMinutes(5));
                    System.out.println("served " + server.answered());
                }
                return;
            }
            var server = node.elections().result("server", Duration.ofSeconds(20)).orElseThrow().winner().id();
            try (var echo = ECHO.caller(node, server)) {
                System.out.println("connected over " + echo.port().type());
                int ok = 0, late = 0;
                long worst = 0;
                for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                    long t = System.nanoTime();
                    try {
                        if (echo.call("q" + i, Duration.ofSeconds(1)).equals("echo q" + i)) ok++;
                    } catch (CallFailed e) {
                        if (e.why() != CallFailed.Why.TIME) throw e;
                        late++;
                    }
                    worst = Math.max(worst, System.nanoTime() - t);
                }
                System.out.println(ok + " answered, " + late + " late, worst " + worst / 1000 + " us");
            }
        }
    }
}
