package org.ibidem.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.house.SourcesTest.TREE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Every receive port that the product opens is for one peer, and says so, or stands here with why
/// it is for all. `EveryPortTest` of `lab` tries them.
class PortsForOneTest {
    private static final Pattern COMMENT = Pattern.compile("(?m)^ *///.*$");
    private static final Pattern OPENED = Pattern.compile("\\bReceivePort\\.open\\(");
    private static final Pattern FOR_ONE = Pattern.compile("\\.only\\(");

    /// Of the ports that a file opens those that are for all, each with the reason.
    private static final Map<String, List<String>> FOR_ALL =
            Map.of(
                    "messaging/Server", List.of("answers whoever asks, where it asks from"),
                    "messaging/Publisher", List.of("has whoever subscribes, and counts for each"),
                    "rmi/Serving", List.of("answers whoever calls, where it calls from"),
                    "rmi/Abandoned", List.of("hears of calls from who has made them"),
                    "satin/Post", List.of("compares each letter with the process that was asked"),
                    "apps/exchange/Exchange",
                            List.of("blocks of all processes of the job", "what each has sent"),
                    "apps/sor/Tree", List.of("tallies of two children"),
                    "apps/sor/Gather", List.of("blocks of all processes of the job"),
                    "apps/life/Mailbox", List.of("letters of all processes of the job"));

    private static int count(Pattern what, String text) {
        return (int) what.matcher(text).results().count();
    }

    private static String name(Path file) {
        var text = TREE.relativize(file).toString();
        int begin = text.indexOf("org/ibidem/") + "org/ibidem/".length();
        return text.substring(begin, text.length() - ".java".length());
    }

    @Test
    void a_receive_port_says_whom_it_is_for() throws IOException {
        var forAll = new TreeMap<String, Integer>();
        for (var file : SourcesTest.files(p -> p.toString().endsWith(".java"))) {
            if (!SourcesTest.isMain(file) || file.startsWith(TREE.resolve("lab"))) {
                continue;
            }
            var text = COMMENT.matcher(Files.readString(file)).replaceAll("");
            int more = count(OPENED, text) - count(FOR_ONE, text);
            if (more > 0) {
                forAll.put(name(file), more);
            }
        }
        var known = new TreeMap<String, Integer>();
        FOR_ALL.forEach((file, ports) -> known.put(file, ports.size()));
        assertThat(forAll)
                .as("open for one peer by ReceiveSetup.only, or add why a port is for all")
                .isEqualTo(known);
    }
}
