package org.ibidem.satin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.eclipse.jdt.internal.compiler.tool.EclipseCompiler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Random programs give what they give as compiled, by whatever compiler and for whatever release:
/// the same ones each time, and with `ibidem.full` as many new ones. A failure names its seed.
@Tag("slow")
class RandomProgramTest {
    private static final boolean FULL = Boolean.getBoolean("ibidem.full");
    private static final int METHODS = 12;

    @TempDir Path folder;

    private static JavaCompiler compiler(String name) {
        return name.equals("ecj") ? new EclipseCompiler() : ToolProvider.getSystemJavaCompiler();
    }

    private Compiled program(long seed, String compiler, int release, String debug)
            throws IOException {
        var text = RandomProgram.source(seed, release, METHODS);
        return Compiled.by(compiler(compiler), folder, text, "--release", "" + release, debug);
    }

    private static Map<String, byte[]> rewritten(Compiled program, Returns returns) {
        var rewriter = new Rewriter(program::file, returns, _ -> {});
        var made = new HashMap<String, byte[]>();
        for (int i = 1; i <= METHODS; i++) {
            made.putAll(rewriter.rewrite(program.file("Shape" + i)));
        }
        return made;
    }

    private static List<VerifyError> errors(Compiled program, Map<String, byte[]> made) {
        var classes =
                new Classes(name -> made.getOrDefault(name.replace('/', '.'), program.file(name)));
        var files = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(classes.resolver()));
        return made.values().stream().flatMap(file -> files.verify(file).stream()).toList();
    }

    private static List<Long> seeds(long from) {
        var seeds = new ArrayList<Long>(List.of(from));
        long now = System.nanoTime();
        for (int i = 0; FULL && i < 20; i++) {
            seeds.add(from + 100L * i);
            seeds.add(now + i);
        }
        return seeds;
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "javac,  8, -g,       1",
        "javac, 11, -g:none,  2",
        "javac, 17, -g:lines, 3",
        "javac, 21, -g:none,  4",
        "javac, 25, -g,       5",
        "ecj,    8, -g,       6",
        "ecj,   17, -g:none,  7",
        "ecj,   25, -g:lines, 8",
        "ecj,   25, -g:lines, 4680469567080" // a slot with null on one way, an int on another
    })
    void gives_what_it_gives_as_compiled(String compiler, int release, String debug, long from)
            throws Exception {
        for (long seed : seeds(from)) {
            var program = program(seed, compiler, release, debug);
            var sequential = program.sequential();
            long stolen = 0;
            for (int i = 0; stolen == 0; i++) { // Whether a thief comes in time is chance.
                assertThat(i).as("runs without a theft").isLessThan(20);
                var run = program.run(Returns.METHOD, seed % 2 == 0);
                assertThat(run.result()).as("seed %d", seed).isEqualTo(sequential);
                stolen = run.stolen();
            }
            assertThat(rewritten(program, Returns.METHOD))
                    .as("seed %d", seed)
                    .hasSizeGreaterThan(2 * METHODS);
            assertThat(errors(program, rewritten(program, Returns.INLET)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }
}
