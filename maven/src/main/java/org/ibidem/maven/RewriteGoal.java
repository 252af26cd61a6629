package org.ibidem.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.ibidem.serial.rewrite.Rewriter;
import org.ibidem.serial.rewrite.Verdict;

/// `ibidem:rewrite`: adds to a project's classes the code that writes and reads their objects.
/// Maven fills the fields in, as `META-INF/maven/plugin.xml` says.
public final class RewriteGoal extends AbstractMojo {
    private File classes = new File("target/classes");
    private List<String> classPath = List.of();

    /// Made by Maven.
    public RewriteGoal() {}

    RewriteGoal(File classes, List<String> classPath) {
        this.classes = classes;
        this.classPath = classPath;
    }

    @Override
    public void execute() throws MojoExecutionException {
        if (!classes.isDirectory()) {
            getLog().info("there are no classes in " + classes);
            return;
        }
        var others = classPath.stream().map(Path::of).toList();
        try {
            var verdicts = new Rewriter(others).rewrite(List.of(classes.toPath()));
            verdicts.forEach(this::tell);
        } catch (IOException e) {
            throw new MojoExecutionException("classes in " + classes + ": " + e.getMessage(), e);
        }
    }

    private void tell(Verdict verdict) {
        if (verdict.kind() == Verdict.Kind.LEFT) {
            getLog().info(verdict.toString());
        } else {
            getLog().debug(verdict.toString());
        }
    }
}
