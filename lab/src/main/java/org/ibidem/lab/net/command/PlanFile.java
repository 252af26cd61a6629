package org.ibidem.lab.net.command;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import javax.tools.ToolProvider;
import org.ibidem.lab.net.LabFailed;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;

/// A source file with a [Plan] that is called like the file.
final class PlanFile {
    private static final String ENDING = ".java";

    private final Path file;

    PlanFile(Path file) {
        this.file = file;
        if (!Files.isReadable(file) || !file.toString().endsWith(ENDING)) {
            throw new LabFailed(
                    file + " is no source file that can be read: name one that ends in .java");
        }
    }

    /// The class it is to hold.
    String className() {
        var name = file.getFileName().toString();
        return name.substring(0, name.length() - ENDING.length());
    }

    /// Compiles it and asks the plan.
    ///
    /// @throws LabFailed when it does not compile, or holds no plan
    Network network() throws IOException {
        var folder = Files.createTempDirectory("ibidem-plan");
        try {
            compile(folder);
            return plan(folder).network();
        } catch (IllegalArgumentException e) {
            throw new LabFailed(file + " describes no network: " + e.getMessage(), e);
        } finally {
            delete(folder);
        }
    }

    private void compile(Path folder) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var complaints = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var options =
                    List.of(
                            "-d",
                            folder.toString(),
                            "-proc:none",
                            "-cp",
                            System.getProperty("java.class.path"));
            var sources = files.getJavaFileObjects(file);
            if (!compiler.getTask(complaints, files, null, options, null, sources).call()) {
                throw new LabFailed(file + " does not compile:\n" + complaints.toString().strip());
            }
        }
    }

    private Plan plan(Path folder) throws IOException {
        var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
        try (loader) {
            var constructor = loader.loadClass(className()).getDeclaredConstructor();
            constructor.setAccessible(true);
            if (constructor.newInstance() instanceof Plan plan) {
                return plan;
            }
            throw new LabFailed(
                    "class " + className() + " in " + file + " does not implement " + Plan.class);
        } catch (ReflectiveOperationException e) {
            throw new LabFailed(
                    file
                            + " needs a class "
                            + className()
                            + ", in no package, with a constructor without arguments: "
                            + e,
                    e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
