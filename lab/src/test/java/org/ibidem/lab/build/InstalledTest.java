package org.ibidem.lab.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The examples of the guide, and three programs that a stranger wrote, built and run outside the
/// tree with what is installed and nothing else, in processes of their own.
@Tag("lab")
@Timeout(240)
class InstalledTest {
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();
    private static final String VERSION = "0.1.0";
    private static final int LIMIT_SECONDS = 60;

    @TempDir static Path folder;

    private static Path jars;
    private static Path examples;

    private final List<Process> started = new ArrayList<>();
    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));

    /// What each process has printed, and how it ended.
    private record Ended(int code, String out) {}

    @BeforeAll
    static void build() throws Exception {
        var repository = folder.resolve("repository");
        link(Path.of(System.getProperty("user.home"), ".m2", "repository"), repository);
        jars = Files.createDirectories(folder.resolve("jars"));
        install(repository, "ibidem-parent", TREE.resolve("pom.xml"));
        for (var module : List.of("base", "serial", "transport", "node", "core", "hub")) {
            install(repository, "ibidem-" + module, TREE.resolve(module + "/pom.xml"));
            var jar = jar(module);
            Files.copy(jar, repository.resolve(inside("ibidem-" + module) + ".jar"));
            Files.copy(jar, jars.resolve("ibidem-" + module + ".jar"));
        }
        examples = folder.resolve("examples");
        copy(TREE.resolve("examples"), examples);
        var said =
                run(
                        examples,
                        "mvn",
                        "-o",
                        "-q",
                        "-B",
                        "-Dmaven.repo.local=" + repository,
                        "package");
        assertThat(said.code).as(said.out).isZero();
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
        hub.close();
    }

    private static String inside(String artifact) {
        return "org/ibidem/" + artifact + "/" + VERSION + "/" + artifact + "-" + VERSION;
    }

    private static void install(Path repository, String artifact, Path pom) throws IOException {
        var to = repository.resolve(inside(artifact) + ".pom");
        Files.createDirectories(to.getParent());
        Files.copy(pom, to);
    }

    /// As the launcher has built it, of the sources as they are.
    private static Path jar(String module) throws IOException {
        assumeTrue(Files.exists(TREE.resolve("dist/cli")), "needs the jars that ./ibidem builds");
        var jar = TREE.resolve("dist/cli/ibidem-" + module + "-" + VERSION + ".jar").toRealPath();
        assertThat(jar).exists();
        return jar;
    }

    /// A repository that has what another one has, but for what is ours.
    private static void link(Path from, Path to) throws IOException {
        Files.createDirectories(to.resolve("org/ibidem"));
        for (var inside : List.of("", "org")) {
            try (var all = Files.list(from.resolve(inside))) {
                for (var each : all.toList()) {
                    var name = each.getFileName().toString();
                    boolean ours = inside.isEmpty() ? name.equals("org") : name.equals("ibidem");
                    if (!ours) {
                        Files.createSymbolicLink(to.resolve(inside).resolve(name), each);
                    }
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (var each : all.filter(path -> !path.toString().contains("target")).toList()) {
                Files.copy(each, to.resolve(from.relativize(each)));
            }
        }
    }

    private static Ended run(Path where, String... command) throws Exception {
        var builder = new ProcessBuilder(command).directory(where.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return ended(builder.redirectErrorStream(true).start());
    }

    private static Ended ended(Process process) throws Exception {
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), out);
    }

    private Process java(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(java().toString(), "-XX:TieredStopAtLevel=1"));
        command.add("-Dibidem.hub=localhost:" + hub.port());
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    private static Path jarOf(String example) {
        return examples.resolve(example + "/target/" + example + "-1.0.jar");
    }

    /// Starts an example so many times, by turns on the class path and on the module path.
    private List<Process> start(String example, String main, int count, String... arguments)
            throws IOException {
        int size = example.equals("service") ? 0 : count; // whoever comes
        var all = new ArrayList<Process>();
        for (int i = 0; i < count; i++) {
            var module = "org.example." + example;
            var list =
                    new ArrayList<>(List.of("-Dibidem.pool=" + example, "-Dibidem.size=" + size));
            if (i % 2 == 0) {
                list.addAll(List.of("-cp", jars + "/*:" + jarOf(example), module + "." + main));
            } else {
                list.addAll(
                        List.of(
                                "-p",
                                jars + ":" + jarOf(example),
                                "-m",
                                module + "/" + module + "." + main));
            }
            list.addAll(List.of(arguments));
            all.add(java(list.toArray(String[]::new)));
        }
        return all;
    }

    private static List<String> lines(List<Process> all) throws Exception {
        var lines = new ArrayList<String>();
        for (var process : all) {
            var ended = ended(process);
            assertThat(ended.code).as(ended.out).isZero();
            ended.out.lines().forEach(lines::add);
        }
        return lines;
    }

    @Test
    void hello() throws Exception {
        assertThat(lines(start("hello", "Hello", 2)))
                .containsExactlyInAnyOrder("hello from 0", "hello from 1");
    }

    @Test
    void workers() throws Exception {
        assertThat(lines(start("workers", "Workers", 3)))
                .containsExactly("1000 results, sum 4999950000");
    }

    @Test
    void quotes() throws Exception {
        assertThat(lines(start("quotes", "Quotes", 3)))
                .hasSize(2)
                .contains("2 missed some, newest 9999")
                .anyMatch(line -> line.startsWith("1 "));
    }

    @Test
    void choose() throws Exception {
        assertThat(lines(start("choose", "Choose", 2)))
                .containsExactly(
                        "as a call: 4999950000", "as objects: 4999950000", "as values: 4999950000");
    }

    /// With the two artifacts that it needs, and nothing else; the page says what it prints.
    @Test
    void store() throws Exception {
        var few = Files.createDirectories(folder.resolve("few"));
        for (var module : List.of("base", "serial")) {
            var jar = "ibidem-" + module + ".jar";
            Files.copy(jars.resolve(jar), few.resolve(jar));
        }
        var name = "org.example.store";
        var said =
                lines(
                        List.of(
                                java(
                                        "-cp",
                                        few + "/*:" + jarOf("store"),
                                        name + ".Store",
                                        folder.resolve("one.order").toString()),
                                java(
                                        "-p",
                                        few + ":" + jarOf("store"),
                                        "-m",
                                        name + "/" + name + ".Store",
                                        folder.resolve("other.order").toString())));
        assertThat(said)
                .hasSize(2)
                .containsOnly(said.getFirst())
                .first()
                .asString()
                .startsWith("true");
        assertThat(Files.readString(TREE.resolve("docs/serialization.md")))
                .contains("\n" + said.getFirst() + "\n");
    }

    private static String await(Process process, String event) throws IOException {
        String line;
        do {
            line = line(process);
            assertThat(line).isNotEqualTo("null");
        } while (!line.startsWith(event));
        return line;
    }

    private static String line(Process process) throws IOException {
        return String.valueOf(process.inputReader().readLine());
    }

    /// The pages promise what a test has seen.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello: hello from 1",
                "workers: 1000 results, sum 4999950000",
                "publish: 2 missed some, newest 9999",
                "service: 90 answered, 10 late",
                "pool: ann is done",
                "choose: as a call: 4999950000"
            })
    void what_is_printed_stands_on_the_page(String promise) throws IOException {
        var parts = promise.split(": ", 2);
        assertThat(Files.readString(TREE.resolve("docs/guide/" + parts[0] + ".md")))
                .contains("\n" + parts[1]);
    }

    private Process stranger(String program, int size, String... arguments) throws IOException {
        var list =
                new ArrayList<>(
                        List.of(
                                "-Dibidem.pool=" + program,
                                "-Dibidem.size=" + size,
                                "-cp",
                                jars + "/*:" + folder,
                                program));
        list.addAll(List.of(arguments));
        return java(list.toArray(String[]::new));
    }

    /// @param most lines it may have
    private static void compile(String program, int most) throws Exception {
        var source = Path.of("src/test/resources/stranger/" + program + ".java");
        assertThat(Files.readAllLines(source)).hasSizeLessThanOrEqualTo(most);
        var said =
                run(
                        folder,
                        java().resolveSibling("javac").toString(),
                        "-cp",
                        jars + "/*",
                        "-d",
                        ".",
                        source.toAbsolutePath().toString());
        assertThat(said.code).as(said.out).isZero();
    }

    @Test
    void a_strangers_master_and_workers() throws Exception {
        compile("MasterWorker", 40);
        var all = Stream.of(0, 1, 2).map(_ -> unchecked("MasterWorker", 3)).toList();
        assertThat(lines(all)).containsExactly("10000 results, sum 50055000");
    }

    private Process unchecked(String program, int size) {
        try {
            return stranger(program, size);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void a_strangers_publisher_and_subscribers_of_which_one_dies() throws Exception {
        compile("PubSub", 25);
        var all = Stream.of(0, 1, 2, 3).map(_ -> unchecked("PubSub", 4)).toList();
        assertThat(lines(all)).containsExactly("2000 received", "2000 received");
    }

    @Test
    void a_strangers_service_whose_server_is_killed() throws Exception {
        compile("Service", 40);
        var server = stranger("Service", 0, "server");
        await(server, "event Joined");
        assertThat(lines(List.of(stranger("Service", 0, "client", "1000"))))
                .hasSize(2)
                .anyMatch(line -> line.startsWith("1000 answered, 0 late"));
        var client = stranger("Service", 0, "client", "100000000");
        await(client, "connected");
        server.destroyForcibly().waitFor();
        var ended = ended(client);
        assertThat(ended.code).isNotZero();
        assertThat(ended.out).contains("CallFailed").contains("gone");
    }

    @Test
    void service() throws Exception {
        var server = start("service", "Lookup", 1, "0").getFirst();
        try (var node =
                org.ibidem.registry.Node.join(
                        org.ibidem.registry.Join.pool("service").hub("localhost:" + hub.port()))) {
            node.elections().result("lookup", java.time.Duration.ofSeconds(LIMIT_SECONDS));
            assertThat(lines(start("service", "Lookup", 2, "100")))
                    .containsExactly("90 answered, 10 late", "90 answered, 10 late");
            node.terminate();
        }
        assertThat(lines(List.of(server))).containsExactly("served true");
    }

    @Test
    void a_pool_whose_hub_is_killed() throws Exception {
        var state = folder.resolve("state").toString();
        var path = jars + "/*:" + jarOf("pool");
        var first = java("-cp", path, "org.example.pool.Chat", "hub", "0", state);
        var port = await(first, "hub at port ").replaceAll("\\D", "");
        var members = new ArrayList<Process>();
        for (var name : List.of("ann", "bob")) {
            members.add(
                    java(
                            "-cp",
                            path,
                            "org.example.pool.Chat",
                            "member",
                            "localhost:" + port,
                            name,
                            "300"));
        }
        await(members.getFirst(), "bob ");
        first.destroyForcibly().waitFor();
        var again = java("-cp", path, "org.example.pool.Chat", "hub", port, state);
        await(again, "hub at port " + port);
        var lines = lines(members);
        assertThat(lines).contains("ann is done", "bob is done", "ann 200", "bob 200");
    }
}
