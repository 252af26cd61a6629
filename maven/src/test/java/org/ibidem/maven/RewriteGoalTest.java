package org.ibidem.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
            var goal = xml.getElementsByTagName("implementation").item(0).getTextContent();
            assertThat(Class.forName(goal).getDeclaredConstructor().newInstance())
                    .isInstanceOf(Mojo.class);
            var classes = xml.getElementsByTagName("classes").item(0).getAttributes();
            assertThat(classes.getNamedItem("default-value").getTextContent())
                    .isEqualTo("$" + "{project.build.outputDirectory}");
            assertThat(RewriteGoal.class.getDeclaredField("classes").getType())
                    .hasToString("class java.io.File");
        }
    }
}
