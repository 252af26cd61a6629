package org.ibidem.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventsTest {
    /// Runs in a JVM of its own, as other tests record.
    static final class Silent {
        private Silent() {}

        public static void main(String[] args) {
            FlightEvents.decision("to", "what", "decision", "why");
            FlightEvents.broadcast(2, "");
            System.out.println(FlightEvents.stall() == null && FlightEvents.connect() == null);
        }
    }

    @Test
    void no_class_of_an_event_is_loaded_while_nobody_records() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process =
                new ProcessBuilder(
                                java,
                                "-Xshare:auto",
                                "-Xlog:class+load",
                                "-cp",
                                System.getProperty("java.class.path")
                                        + System.getProperty("path.separator")
                                        + System.getProperty("jdk.module.path", ""),
                                Silent.class.getName())
                        .redirectErrorStream(true)
                        .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("true\n", FlightEvents.class.getName() + " source:")
                .doesNotContain(
                        StallEvent.class.getName(),
                        ConnectEvent.class.getName(),
                        DecisionEvent.class.getName(),
                        BroadcastEvent.class.getName());
    }
}
