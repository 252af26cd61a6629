package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/// What the command says of itself: help, errors, completion, manual, all from one source.
@Isolated("sets properties")
class HelpTest {
    @TempDir Path folder;

    private record Said(int code, String out, String err) {}

    private static Said ibidem(String... words) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code =
                Main.commandLine(words)
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(words);
        return new Said(code, out.toString(), err.toString());
    }

    private static Stream<CommandLine> all(CommandLine line) {
        return Stream.concat(
                Stream.of(line), line.getSubcommands().values().stream().flatMap(HelpTest::all));
    }

    static List<String> commands() {
        return all(Main.commandLine())
                .map(each -> each.getCommandSpec().qualifiedName())
                .filter(name -> !name.endsWith(" help"))
                .toList();
    }

    private static String[] words(String line) {
        return line.replaceFirst("^ibidem ?", "").strip().split(" +", 0);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void a_help_fits_a_screen_and_has_an_example(String command) {
        var said = ibidem(words(command + " --help"));
        assertThat(said.code).isZero();
        var lines = said.out.lines().toList();
        assertThat(lines).hasSizeLessThanOrEqualTo(Screen.LINES);
        assertThat(lines).allMatch(line -> line.length() <= Screen.COLUMNS);
        assertThat(lines.getFirst()).startsWith("Usage: " + command);
        assertThat(lines.getLast()).startsWith("  ibidem ");
        for (var line : lines.subList(lines.size() - 2, lines.size())) {
            if (line.startsWith("  ibidem ")) {
                Main.commandLine().parseArgs(words(line.strip())); // or it throws
            }
        }
    }

    @Test
    void options_stand_by_what_they_are_for() {
        assertThat(ibidem("run", "--help").out)
                .containsSubsequence(
                        "Processes:", " -n N ", "Pool:", "--hub", "Program:", "--java");
        assertThat(ibidem("help", "hub").out)
                .isEqualTo(ibidem("hub", "--help").out)
                .containsSubsequence("Listening:", "--port", "Members:", "Limits:");
        assertThat(ibidem("version").out).isEqualTo(ibidem("--version").out);
    }

    @Test
    void an_error_is_one_line_and_names_what_it_is_of() {
        assertThat(ibidem("hub", "--port", "99999"))
                .isEqualTo(
                        new Said(
                                2,
                                "",
                                "ibidem hub: --port is 0 to 65535, not 99999 (ibidem hub --help)"
                                        + System.lineSeparator()));
        assertThat(ibidem("explain").err.lines()).hasSize(1);
        assertThat(ibidem("rum").err.lines().toList())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("Did you mean ")
                .contains("run");
        assertThat(ibidem("pool", "jion").err).contains("Did you mean join?");
        assertThat(ibidem("conuters", "--hub", "x:1").err).contains("Did you mean counters?");
    }

    @Test
    @Tag("slow")
    void the_examples_do_what_they_say() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var one = member(hub);
                var other = member(hub)) {
            assertThat(other.rank()).isNotEqualTo(one.rank());
            System.setProperty("ibidem.hub", "localhost:" + hub.port());
            var examples =
                    all(Main.commandLine())
                            .map(each -> Described.of(each.getCommandSpec()))
                            .flatMap(command -> command.examples().stream())
                            .filter(each -> each.matches(".* (ping|doctor|config|help|counters).*"))
                            .toList();
            assertThat(examples).hasSizeGreaterThan(5);
            for (var example : examples) {
                var here = example.replace("hub.example.org:8888", "localhost:" + hub.port());
                var said = ibidem(words(here));
                assertThat(said.code).as(example + ": " + said.err).isZero();
            }
        } finally {
            System.clearProperty("ibidem.hub");
        }
    }

    private static Node member(Hub hub) {
        return Node.join(Join.pool("default").hub("localhost:" + hub.port()));
    }

    @Test
    void doctor_without_a_hub_does_not_blame_the_network() {
        int port;
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            port = hub.port(); // nobody listens there any more
        }
        var said = ibidem("doctor", "--hub", "localhost:" + port);
        assertThat(said.code).isEqualTo(1);
        assertThat(said.out)
                .contains("refused, as where nobody listens, or by a firewall")
                .contains("the network is not known to be at fault: start a hub there")
                .doesNotContain("blocked");
    }

    @Test
    void bash_completes_commands_and_options() throws Exception {
        var script = Files.writeString(folder.resolve("script"), ibidem("completion").out);
        assertThat(completed(script, "ibidem", "ru")).isEqualTo("run");
        assertThat(completed(script, "ibidem", "hub", "--obs")).startsWith("--observer-port");
    }

    private static String completed(Path script, String... words) throws Exception {
        var command =
                "source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_ibidem; echo \"${COMPREPLY[@]}\""
                        .formatted(script, String.join(" ", words), words.length - 1);
        try {
            var bash = new ProcessBuilder("bash", "-c", command).start();
            var said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(bash.waitFor()).isZero();
            return said.strip();
        } catch (IOException e) {
            assumeTrue(false, "there is no bash: " + e.getMessage());
            return "";
        }
    }

    @Test
    void every_command_has_a_manual_page() throws Exception {
        var pages = folder.resolve("pages");
        assertThat(ibidem("man", pages.toString()).code).isZero();
        try (var files = Files.list(pages)) {
            assertThat(files).hasSize(commands().size() + 1); // help has one, too
        }
        assertThat(Files.readString(pages.resolve("ibidem-hub.1")))
                .startsWith(".TH IBIDEM-HUB 1")
                .containsSubsequence(".SH NAME", "ibidem\\-hub \\- runs a hub", ".SH \"LISTENING\"")
                .contains(
                        "\\fB\\-\\-state DIR\\fR",
                        "The state is the members of each pool, and what they agreed on.");
        assertThat(ibidem("man", "/proc/none/pages").err).startsWith("ibidem man: cannot write");
    }
}
