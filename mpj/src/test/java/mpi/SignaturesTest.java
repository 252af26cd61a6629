package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Every public signature of package `mpi` of MPJ Express 0.44 is here, but for what is named. They
/// lie in `signatures.txt`; where the Debian package `libmpj-java` is installed, that list is
/// compared with it.
class SignaturesTest {
    private static final Path JAR = Path.of("/usr/share/mpj/lib/mpi.jar");

    /// Classes that no program names: how MPJ Express packs arrays; its reductions, one class for
    /// each operation and type; its ways to do collective operations; and the classes of its
    /// datatypes, which programs make by the static methods of Datatype.
    private static final Pattern INNER_CLASS =
            Pattern.compile(
                    "mpi\\.("
                            + "(Gather|Generic|Multistrided|Simple|Null|Strided)?Packer\\w*|\\w+Packer\\w*|OpWorker"
                            + "|(Max|Min|Sum|Prod|Land|Lor|Lxor|Band|Bor|Bxor)(Worker|Byte|Char|Short|Int|Long|Float|Double|Boolean)?"
                            + "|Maxloc|Minloc|IntracommImpl|PureIntracomm|NativeIntracomm|ProcTree"
                            + "|BasicType|Contiguous|Vector|Indexed|Struct|Freeable)");

    /// What mentions the layer below package mpi, which programs do not use; and the constructor of
    /// Datatype, which only its own classes call.
    private static final Pattern INNER_MEMBER =
            Pattern.compile(".*\\bmpjdev\\..*|mpi\\.Datatype new \\(\\).*");

    private static List<String> listed() throws IOException {
        try (InputStream in = SignaturesTest.class.getResourceAsStream("signatures.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static String classOf(String line) {
        return line.substring(0, line.indexOf(' '));
    }

    private static boolean isWanted(String line) {
        return !INNER_CLASS.matcher(classOf(line)).matches()
                && !INNER_MEMBER.matcher(line).matches();
    }

    private static String name(Class<?> type) {
        return type.describeConstable().map(SignaturesTest::name).orElseThrow();
    }

    private static String name(ClassDesc type) {
        String of = type.packageName();
        return (of.isEmpty() ? "" : of + ".") + type.displayName();
    }

    private static String names(List<ClassDesc> types) {
        return types.stream().map(SignaturesTest::name).collect(Collectors.joining(", ", "(", ")"));
    }

    private static String names(Class<?>[] types) {
        return Arrays.stream(types)
                .map(SignaturesTest::name)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    /// As [#of] has it, of a class that is loaded.
    private static List<String> ours(String className) throws ClassNotFoundException {
        Class<?> type = Class.forName(className);
        List<String> lines = new ArrayList<>();
        String begin = className + " ";
        lines.add(begin + "class");
        for (Field field : type.getFields()) {
            lines.add(
                    begin
                            + kind(field.getModifiers(), Modifier.isFinal(field.getModifiers()))
                            + field.getName()
                            + " "
                            + name(field.getType()));
        }
        for (var made : type.getConstructors()) {
            lines.add(begin + "new " + names(made.getParameterTypes()));
        }
        for (Method method : type.getMethods()) {
            lines.add(
                    begin
                            + kind(method.getModifiers(), false)
                            + method.getName()
                            + names(method.getParameterTypes())
                            + " "
                            + name(method.getReturnType()));
        }
        return lines;
    }

    private static String kind(int modifiers, boolean isFinal) {
        return (Modifier.isStatic(modifiers) ? "static " : "") + (isFinal ? "final " : "");
    }

    /// The public signatures of a class file.
    private static List<String> of(ClassModel model) {
        String begin = name(model.thisClass().asSymbol()) + " ";
        List<String> lines = new ArrayList<>();
        if (!model.flags().has(AccessFlag.PUBLIC)) {
            return lines;
        }
        lines.add(begin + "class");
        model.fields().stream()
                .filter(field -> field.flags().has(AccessFlag.PUBLIC))
                .forEach(field ->
                        lines.add(
                                begin
                                        + kind(
                                                field.flags().flagsMask(),
                                                field.flags().has(AccessFlag.FINAL))
                                        + field.fieldName().stringValue()
                                        + " "
                                        + name(field.fieldTypeSymbol())));
        model.methods().stream()
                .filter(method ->
                        method.flags().has(AccessFlag.PUBLIC)
                                && !method.flags().has(AccessFlag.SYNTHETIC))
                .forEach(method -> {
                    MethodTypeDesc type = method.methodTypeSymbol();
                    String called = method.methodName().stringValue();
                    lines.add(
                            called.equals("<init>")
                                    ? begin + "new " + names(type.parameterList())
                                    : begin
                                            + kind(method.flags().flagsMask(), false)
                                            + called
                                            + names(type.parameterList())
                                            + " "
                                            + name(type.returnType()));
                });
        return lines;
    }

    @Test
    void every_signature_that_programs_use_is_here() throws Exception {
        List<String> wanted = listed().stream().filter(SignaturesTest::isWanted).toList();
        assertThat(wanted).hasSizeGreaterThan(200);
        List<String> missing = new ArrayList<>();
        for (String className : wanted.stream().map(SignaturesTest::classOf).distinct().toList()) {
            List<String> ours = ours(className);
            wanted.stream()
                    .filter(line -> classOf(line).equals(className) && !ours.contains(line))
                    .forEach(missing::add);
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void what_statuses_inherit_there_is_here() throws Exception {
        assertThat(ours("mpi.Status"))
                .contains(
                        "mpi.Status source int",
                        "mpi.Status tag int",
                        "mpi.Status index int",
                        "mpi.Status count int",
                        "mpi.Status countInBytes int",
                        "mpi.Status numEls int");
    }

    /// Constants that javac copies into programs.
    @Test
    void constants_have_their_values() {
        assertThat(List.of(MPI.IDENT, MPI.SIMILAR, MPI.UNEQUAL, MPI.CONGRUENT, Group.EMPTY))
                .containsExactly(0, 1, 2, 3, 3);
        assertThat(MPI.DEBUG).isTrue();
    }

    @Test
    void failures_are_unchecked() {
        assertThat(RuntimeException.class).isAssignableFrom(MPIException.class);
    }

    @Test
    void what_mpijava_has_beside_is_here() throws Exception {
        assertThat(ours("mpi.Comm"))
                .contains(
                        "mpi.Comm Pack(java.lang.Object, int, int, mpi.Datatype, byte[], int) int",
                        "mpi.Comm Unpack(byte[], int, java.lang.Object, int, int, mpi.Datatype) int",
                        "mpi.Comm Errorhandler_set(mpi.Errhandler) void",
                        "mpi.Comm Errorhandler_get() mpi.Errhandler",
                        "mpi.Comm Is_null() boolean");
        assertThat(ours("mpi.MPI"))
                .contains(
                        "mpi.MPI static Buffer_attach(byte[]) void",
                        "mpi.MPI static WTIME_IS_GLOBAL int");
        assertThat(ours("mpi.Request")).contains("mpi.Request Free() void");
    }

    @Test
    void the_list_is_that_of_the_package() throws IOException {
        assumeTrue(Files.exists(JAR), "there is no " + JAR + " (package libmpj-java)");
        assertThat(listed()).containsExactlyInAnyOrderElementsOf(ofJar(JAR));
    }

    private static List<String> ofJar(Path path) throws IOException {
        List<String> lines = new ArrayList<>();
        try (JarFile jar = new JarFile(path.toFile())) {
            for (var entry :
                    jar.stream()
                            .filter(each -> each.getName().matches("mpi/\\w+\\.class"))
                            .toList()) {
                try (InputStream in = jar.getInputStream(entry)) {
                    lines.addAll(of(ClassFile.of().parse(in.readAllBytes())));
                }
            }
        }
        lines.sort(null);
        return lines;
    }

    /// Writes the list anew.
    public static void main(String[] args) throws IOException {
        Files.write(Path.of(args[1]), ofJar(Path.of(args[0])));
    }
}
