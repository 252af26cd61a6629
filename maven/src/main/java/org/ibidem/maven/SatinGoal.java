package org.ibidem.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.ibidem.config.Settings;
import org.ibidem.satin.rewrite.Ahead;
import org.ibidem.satin.rewrite.Refused;
import org.ibidem.satin.rewrite.Returns;

/// `ibidem:satin`: has the calls of spawnable methods in a project's classes spawned. Maven fills
/// the fields in, as `META-INF/maven/plugin.xml` says.
public final class SatinGoal extends AbstractMojo {
    private File classes = new File("target/classes");
    private List<String> classPath = List.of();

    /// Made by Maven.
    public SatinGoal() {}

    SatinGoal(File classes, List<String> classPath) {
        this.classes = classes;
        this.classPath = classPath;
    }

    @Override
    public void execute() throws MojoExecutionException {
        if (!classes.isDirectory()) {
            getLog().info("there are no classes in " + classes);
            return;
        }
        // Maven names folders that nothing was compiled into.
        var others = classPath.stream().map(Path::of).filter(Files::exists).toList();
        try (var ahead = new Ahead(List.of(classes.toPath()), others, returns())) {
            ahead.rewrite(what -> getLog().info(what))
                    .forEach((name, calls) ->
                            getLog().info(name + ": " + calls + " calls are spawned"));
        } catch (IOException | Refused | IllegalArgumentException e) {
            throw new MojoExecutionException("classes in " + classes + ": " + e.getMessage(), e);
        }
    }

    private static Returns returns() {
        return Returns.parse(Settings.system().value("ibidem.satin.returns", "method"));
    }
}
