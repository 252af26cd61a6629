package org.ibidem.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.satin.SatinObject;
import ibis.satin.Spawnable;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.maven.plugin.Mojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewriteGoalTest {
    @TempDir Path folder;

    /// Something to send.
    static class Pair implements Serializable {
        private static final long serialVersionUID = 1L;
        final int one = 1;
    }

    @Test
    void rewrites_the_classes_of_a_project() throws Exception {
        var name = Pair.class.getName().replace('.', '/') + ".class";
        var file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        try (var in = Pair.class.getClassLoader().getResourceAsStream(name)) {
            Files.write(file, in.readAllBytes());
        }
        new RewriteGoal(folder.toFile(), List.of(folder.toString())).execute();
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).contains("ibidem$read");
    }

    /// As the compiler leaves them.
    interface Marked extends Spawnable {
        int twice(int n);
    }

    static class Doubles extends SatinObject implements Marked {
        private static final long serialVersionUID = 1L;

        @Override
        public int twice(int n) {
            int half = n == 0 ? 0 : n;
            if (n > 1) {
                half = twice(n / 2);
                sync();
            }
            return 2 * half;
        }
    }

    @Test
    void has_the_calls_of_a_project_spawned() throws Exception {
        for (var type : List.of(Marked.class, Doubles.class)) {
            var name = type.getName().replace('.', '/') + ".class";
            Files.createDirectories(folder.resolve(name).getParent());
            try (var in = type.getClassLoader().getResourceAsStream(name)) {
                Files.write(folder.resolve(name), in.readAllBytes());
            }
        }
        new SatinGoal(folder.toFile(), List.of(folder.toString(), "there/is/none")).execute();
        var made = Doubles.class.getName().replace('.', '/') + "$$Spawn1.class";
        assertThat(folder.resolve(made)).exists();
        Files.writeString(folder.resolve("Bad.class"), "no class");
        assertThatThrownBy(new SatinGoal(folder.toFile(), List.of())::execute)
                .isInstanceOf(MojoExecutionException.class);
    }

    @Test
    void a_project_without_classes_is_no_failure() throws Exception {
        new RewriteGoal(folder.resolve("none").toFile(), List.of()).execute();
    }

    @Test
    void a_file_that_is_no_class_fails_the_build() throws Exception {
        Files.writeString(folder.resolve("Bad.class"), "no class");
        var goal = new RewriteGoal(folder.toFile(), List.of());
        assertThatThrownBy(goal::execute)
                .isInstanceOf(MojoExecutionException.class)
                .hasMessageContaining("Bad.class");
    }

    @Test
    void the_descriptor_names_a_goal_that_is_there() throws Exception {
        try (var in = RewriteGoal.class.getResourceAsStream("/META-INF/maven/plugin.xml")) {
            var xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
            var goals = xml.getElementsByTagName("implementation");
            assertThat(goals.getLength()).isEqualTo(2);
            for (int i = 0; i < goals.getLength(); i++) {
                var goal = Class.forName(goals.item(i).getTextContent());
                assertThat(goal.getDeclaredConstructor().newInstance()).isInstanceOf(Mojo.class);
            }
            var classes = xml.getElementsByTagName("classes").item(0).getAttributes();
            assertThat(classes.getNamedItem("default-value").getTextContent())
                    .isEqualTo("$" + "{project.build.outputDirectory}");
            assertThat(RewriteGoal.class.getDeclaredField("classes").getType())
                    .hasToString("class java.io.File");
        }
    }
}
