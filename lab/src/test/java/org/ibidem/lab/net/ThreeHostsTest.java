package org.ibidem.lab.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the page `docs/guide/three-hosts.md` says is typed, line by line, into shells on three
/// fresh hosts, and what comes is compared with what the page says comes. Only `scp` is a copy
/// between the hosts' folders: no host of a laboratory has a server for it.
@Laboratory(ThreeHostsTest.Hosts.class)
@Timeout(400)
class ThreeHostsTest {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();
    private static final Path PAGE = TREE.resolve("docs/guide/three-hosts.md");
    private static final String END = "status of the line: ";
    private static final Pattern BLOCK =
            Pattern.compile("(?ms)^```(sh|java|)\\n(?:# ([^\\n]*)\\n)?(.*?)^```$");

    private static final String SCP =
            """
            #!/bin/sh
            for to; do :; done
            while [ $# -gt 1 ]; do cp -p "$1" "$HOSTS/${to%%:*}/${to#*:}" || exit 1; shift; done
            """;

    @TempDir private static Path hosts;

    private final Map<String, Running> terminals = new LinkedHashMap<>();
    private String code = "";

    static final class Hosts implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("desk", Kind.OPEN).hosts(1),
                    Site.of("front", Kind.OPEN).hosts(1),
                    Site.of("back", Kind.NAT).hosts(1));
        }
    }

    /// What stands between two fences; the terminal is that of the block before, if none is named.
    private record Block(String kind, String terminal, List<String> lines) {
        boolean isOutput() {
            return kind.isEmpty();
        }
    }

    @BeforeAll
    static void prepare() throws IOException {
        assumeTrue(
                Files.exists(TREE.resolve("dist/cli/stamp")),
                "the command is not built: './ibidem test' builds it, or any './ibidem'");
        var scp = Files.createDirectories(hosts.resolve("bin")).resolve("scp");
        Files.writeString(scp, SCP);
        Files.setPosixFilePermissions(scp, PosixFilePermissions.fromString("rwx------"));
        for (var each : List.of("desk1", "front1", "back1")) {
            Files.createDirectories(hosts.resolve(each));
        }
    }

    private static List<Block> blocks(String page) {
        return BLOCK.matcher(page)
                .results()
                .map(found ->
                        new Block(
                                found.group(1),
                                found.group(2) == null ? "" : found.group(2),
                                found.group(3).lines().toList()))
                .toList();
    }

    private Running terminal(Lab lab, String name) {
        return terminals.computeIfAbsent(
                name,
                _ -> {
                    var host = name.replaceFirst(",.*", "");
                    return lab.machine(host)
                            .start(
                                    "env",
                                    "IBIDEM_BUILT=1", // a test builds nothing
                                    "HOSTS=" + hosts,
                                    "HOME=" + hosts.resolve(host),
                                    "PATH=" + hosts.resolve("bin") + ":" + System.getenv("PATH"),
                                    "sh",
                                    "-c",
                                    "cd '" + TREE + "' && exec sh");
                });
    }

    /// Types a block's lines, each when the one before is done.
    ///
    /// @param expected what the page says comes; nothing: the last line is waited for, too, unless
    ///   it is a job's
    private void type(Running terminal, Block block, List<String> expected) {
        for (var each : block.lines) {
            var line = each.replace("CODE", code);
            terminal.say(line + "\necho \"" + END + "$?\"");
            boolean last = each.equals(block.lines.getLast());
            boolean stays = !expected.isEmpty() || line.startsWith("ibidem run ");
            if (!last || !stays) {
                assertThat(terminal.next(ThreeHostsTest::ends, LONG)).as(line).endsWith(" 0");
            }
        }
    }

    private static boolean ends(String line) {
        return line.startsWith(END);
    }

    private static Predicate<String> like(String said) {
        var pattern =
                Stream.of(said.split("…", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*"));
        return line -> line.matches(pattern);
    }

    private void save(String program) throws IOException {
        for (var host : List.of("front1", "back1")) {
            Files.writeString(hosts.resolve(host).resolve("demo/Greet.java"), program);
        }
    }

    private void follow(Lab lab, List<Block> blocks) throws IOException {
        for (int i = 0; i < blocks.size(); i++) {
            var block = blocks.get(i);
            if (block.kind.equals("java")) {
                save(String.join("\n", block.lines));
            } else if (block.kind.equals("sh")) {
                boolean told = i + 1 < blocks.size() && blocks.get(i + 1).isOutput();
                var expected = told ? blocks.get(i + 1).lines : List.<String>of();
                var terminal = terminal(lab, block.terminal);
                type(terminal, block, expected);
                for (var said : expected) {
                    var line = terminal.any(like(said), LONG);
                    if (line.startsWith("there: ")) {
                        code = terminal.next(like(said), LONG).replaceFirst(".* ", "");
                    }
                }
            }
        }
    }

    private List<String> statuses(String terminal) {
        return terminals.get(terminal).lines().stream()
                .filter(ThreeHostsTest::ends)
                .map(line -> line.substring(END.length()))
                .toList();
    }

    @Test
    void whoever_types_what_the_page_says_gets_what_it_says(Lab lab) throws IOException {
        var page = Files.readString(PAGE);
        follow(lab, blocks(page));

        var greeting = "[0] greetings of rank 1";
        assertThat(page).contains("`" + greeting + "`");
        terminals.get("front1").any(line -> line.equals(greeting), LONG);
        terminals.get("desk1").next(line -> line.equals(END + "1"), LONG); // the stranger
        terminals.get("back1").say("exit");
        assertThat(terminals.get("back1").code(LONG)).isZero();
        assertThat(statuses("back1")).isNotEmpty().containsOnly("0");
        assertThat(statuses("front1")).isNotEmpty().containsOnly("0");
        var desk = new ArrayList<>(statuses("desk1"));
        assertThat(desk.removeLast()).isEqualTo("1");
        assertThat(desk).isNotEmpty().containsOnly("0");
        assertThat(terminals).hasSize(4);
    }

    /// A reader finds the page, and what it needs, from the first page there is.
    @Test
    void the_readme_leads_to_the_page() throws IOException {
        assertThat(Files.readString(TREE.resolve("README.md")))
                .contains("(docs/guide/three-hosts.md)")
                .contains("JDK 25");
    }
}
