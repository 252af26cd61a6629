package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStore.PasswordProtection;
import java.security.KeyStore.PrivateKeyEntry;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.zip.ZipFile;
import jdk.security.jarsigner.JarSigner;
import org.ibidem.satin.Satin;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A program finds its classes, packages, signers, resources and agents as under `java`, however it
/// is run and rewritten: signed, sealed and multi-release jars, `Class-Path`, `*`, folders with
/// spaces and letters that are not ASCII.
@Tag("lab")
@Isolated("starts processes")
class LikeJavaTest {
    private static final Path PROGRAM = Path.of("src", "test", "resources", "likejava");
    private static final String PASSWORD = "changeit";
    private static final String REWRITTEN = "rewritten: ";

    @TempDir private static Path folder;

    private static String agent;
    private static String classPath;
    private static List<String> byJava;

    private static void tool(String name, Object... arguments) {
        var words = List.of(arguments).stream().map(Object::toString).toArray(String[]::new);
        assertThat(ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, words))
                .isZero();
    }

    /// Compiles the sources of a folder, and copies what else lies there.
    private static Path compiled(String name, Path to, Path... known) throws IOException {
        var from = PROGRAM.resolve(name);
        var arguments = new ArrayList<>(List.of("-nowarn", "-d", to));
        var path = new ArrayList<>(List.of(known));
        path.add(place(Satin.class));
        arguments.addAll(List.of("-cp", joined(path)));
        try (var all = Files.walk(from)) {
            for (var file : all.filter(Files::isRegularFile).toList()) {
                if (file.toString().endsWith(".java")) {
                    arguments.add(file);
                } else {
                    var copy = to.resolve(from.relativize(file).toString());
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
        tool("javac", arguments.toArray());
        return to;
    }

    private static Path place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static String joined(List<Path> path) {
        return String.join(File.pathSeparator, path.stream().map(Path::toString).toList());
    }

    private static Path jar(Path jar, String manifest, Path classes) throws IOException {
        var lines = Files.writeString(folder.resolve("manifest"), manifest);
        tool("jar", "-c", "-f", jar, "-m", lines, "-C", classes, ".");
        return jar;
    }

    /// With a letter that is not ASCII, where file names may have one.
    private static String named(String name) {
        var charset = Charset.forName(System.getProperty("sun.jnu.encoding"));
        return charset.newEncoder().canEncode(name) ? name : name.replace('ü', 'u');
    }

    @BeforeAll
    static void play() throws Exception {
        var lib = Files.createDirectories(folder.resolve(named("our lib ü")));
        var work = folder.resolve("work");
        var signed = signed(work, lib);
        compiled("folder", lib.resolve(named("more ü/classes")));
        var two = compiled("two", work.resolve("two"));
        jar(lib.resolve(named("more ü/two.jar")), "Implementation-Version: 2\n", two);
        var more = named("ü").equals("ü") ? "more%20%C3%BC" : "more%20u";
        jar(
                lib.resolve("one.jar"),
                "Implementation-Title: one\nImplementation-Version: 1.2\nClass-Path: "
                        + more
                        + "/two.jar "
                        + more
                        + "/classes/ gone.jar\n\nName: likejava/sealed/\nSealed: true\n"
                        + "Specification-Version: 3\nImplementation-Vendor: us\n",
                compiled("one", work.resolve("one"), signed));
        Files.move(multi(work), lib.resolve("multi.JAR"));
        Files.writeString(lib.resolve("broken.jar"), "no jar");
        Files.createDirectories(lib.resolve("deeper"));
        jar(lib.resolve("deeper/deeper.jar"), "Implementation-Version: 9\n", two);
        var plain = compiled("plain", folder.resolve(named("plain ü")));
        var premain = "Premain-Class: likejava.agent.Agent\n";
        var agents = compiled("agent", work.resolve("agent"));
        agent = "-javaagent:" + jar(folder.resolve("agent.jar"), premain, agents);
        classPath =
                String.join(
                        File.pathSeparator,
                        lib + "/*",
                        plain.toString(),
                        folder + "/gone.jar",
                        folder + "/changed.jar");
        byJava = byJava();
    }

    /// The same class for older JVMs and for this one.
    private static Path multi(Path work) throws IOException {
        var jar = work.resolve("multi.jar");
        var usual = compiled("multi", work.resolve("multi"));
        var newer = compiled("multi25", work.resolve("multi25"));
        tool("jar", "-c", "-f", jar, "-C", usual, ".", "--release", "25", "-C", newer, ".");
        return jar;
    }

    /// One jar that is signed, and one whose class was changed since.
    private static Path signed(Path work, Path lib) throws Exception {
        var keys = folder.resolve("keys");
        var command =
                List.of(
                        Jvm.tool("keytool"),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "us",
                        "-dname",
                        "CN=us",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        keys.toString());
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
        var secret = new PasswordProtection(PASSWORD.toCharArray());
        var store = KeyStore.getInstance(keys.toFile(), secret.getPassword());
        var key = (PrivateKeyEntry) store.getEntry("us", secret);
        var chain =
                CertificateFactory.getInstance("X.509")
                        .generateCertPath(List.of(key.getCertificateChain()));
        var signer = new JarSigner.Builder(key.getPrivateKey(), chain).build();
        sign(signer, compiled("before", work.resolve("before")), folder.resolve("changed.jar"));
        var after = compiled("after", work.resolve("after"));
        var name = Path.of("likejava", "changed", "Changed.class");
        tool("jar", "-u", "-f", folder.resolve("changed.jar"), "-C", after, name);
        return sign(signer, compiled("signed", work.resolve("signed")), lib.resolve("signed.jar"));
    }

    private static Path sign(JarSigner signer, Path classes, Path signed) throws IOException {
        var unsigned = jar(folder.resolve("unsigned.jar"), "Implementation-Version: 7\n", classes);
        try (var from = new ZipFile(unsigned.toFile());
                var to = Files.newOutputStream(signed)) {
            signer.sign(from, to);
        }
        return signed;
    }

    private static List<String> byJava() throws IOException {
        var path = classPath + File.pathSeparator + place(Satin.class);
        var command =
                List.of(
                        Jvm.tool("java"),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        agent,
                        "-cp",
                        path,
                        "likejava.Main");
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var reader = process.inputReader()) {
            return reader.lines().toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', nothing",
        "--sockets=listen 9 -> native, nothing",
        "--satin, spawned",
        "--rmi, replaced"
    })
    void a_program_finds_what_it_finds_under_java(String mode, String rewritten) throws Exception {
        var arguments =
                new ArrayList<>(List.of("--java=" + agent, "-cp", classPath, "likejava.Main"));
        if (!mode.isEmpty()) {
            arguments.addFirst(mode);
        }
        try (var run = Launched.run(folder, arguments.toArray(String[]::new))) {
            var lines = run.lines().stream().map(line -> line.replaceFirst("^\\[0] ", "")).toList();
            assertThat(run.code()).as(run.errors()).isZero();
            assertThat(lines).contains(REWRITTEN + rewritten);
            assertThat(without(lines)).containsExactlyElementsOf(without(byJava));
        }
    }

    private static List<String> without(List<String> lines) {
        return lines.stream().filter(line -> !line.startsWith(REWRITTEN)).toList();
    }
}
