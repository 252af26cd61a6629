package org.ibidem.lab.mutate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SinceTest {
    @TempDir private Path tree;

    private void git(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("git", "-c", "user.name=t", "-c", "user.email=t"));
        command.addAll(List.of(words));
        var git =
                new ProcessBuilder(command)
                        .directory(tree.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(git.waitFor()).as("git %s", command).isZero();
    }

    private void write(String file, String text) throws IOException {
        var path = tree.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void the_classes_of_main_code_that_differ_are_named() throws Exception {
        var files =
                List.of(
                        "core/src/main/java/a/b/One.java",
                        "core/src/main/java/a/Same.java",
                        "hub/src/main/java/a/Gone.java",
                        "hub/src/main/java/a/Two.java",
                        "hub/src/main/java/a/package-info.java",
                        "hub/src/main/java/module-info.java",
                        "hub/src/test/java/a/TwoTest.java",
                        "docs/page.md");
        for (var file : files) {
            write(file, "before");
        }
        git("init", "-q");
        git("add", ".");
        git("commit", "-q", "-m", "before");
        for (var file : files) {
            write(file, file.contains("Same") ? "before" : "after");
        }
        Files.delete(tree.resolve("hub/src/main/java/a/Gone.java"));
        assertThat(Since.types(tree, "HEAD")).containsExactly("a.b.One", "a.Two");
        git("commit", "-q", "-a", "-m", "after");
        assertThat(Since.types(tree, "HEAD")).isEmpty();
        assertThat(Since.types(tree, "HEAD~1")).containsExactly("a.b.One", "a.Two");
    }

    @Test
    void a_revision_that_is_none_is_said_to_be_so() throws Exception {
        git("init", "-q");
        for (var none : List.of("nonsense", "--output=x")) {
            assertThatThrownBy(() -> Since.types(tree, none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(
                            "git does not say what has changed since " + none + ": ");
        }
        assertThat(tree.resolve("x")).doesNotExist();
    }
}
