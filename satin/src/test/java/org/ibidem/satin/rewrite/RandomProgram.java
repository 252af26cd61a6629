package org.ibidem.satin.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A random program that spawns: each of its classes `Shape1` and so on has one method, which
/// declares variables in blocks, spawns in `try`, in loops and in lambdas, and says what they hold
/// after a sync. What it gives does not depend on the order in which spawned calls end, as long as
/// the rewriter keeps to what [the guide](docs/guide/satin.md) promises: a variable that a catch
/// block assigns is read after the sync only, and at most one catch block leaves its method.
final class RandomProgram {
    private static final String HEAD =
            """
            import ibis.satin.*;
            import java.util.*;
            import java.util.function.*;

            interface Marked extends Spawnable {
                int f(int n) throws Bad;
                long g(long n) throws Bad;
                double d(double n, int m) throws Bad;
                Object h(Object a, int n) throws Bad;
                void v(int n) throws Bad;
            }

            @java.lang.annotation.Target(java.lang.annotation.ElementType.TYPE_USE)
            @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
            @interface Noted { }

            class Bad extends Exception {
                final int n;
                Bad(int n) { this.n = n; }
            }

            class Worse extends Bad {
                Worse(int n) { super(n); }
            }

            class Res implements AutoCloseable {
                public void close() { }
            }

            class Base extends SatinObject implements Marked {
                int fi;
                static long fl;
                static int work(int n) throws Bad {
                    int k = n;
                    for (int i = 0; i < (n * 1237 & 0xffff); i++) { k = k * 31 + i; }
                    if (n % 3 == 0) throw n % 2 == 0 ? new Worse(n) : new Bad(n);
                    if (n % 7 == 1) throw new IllegalStateException("i" + n);
                    return k;
                }
                public int f(int n) throws Bad { return work(n); }
                public long g(long n) throws Bad { return work((int) n) * 11L; }
                public double d(double n, int m) throws Bad { return work((int) n) + m; }
                public Object h(Object a, int n) throws Bad { return a + "h" + work(n); }
                public void v(int n) throws Bad { work(n); }
                static Object use(Object o) { return o; }
                static String show(Object... a) { return Arrays.deepToString(a); }
            }

            """;

    private static final List<String> TYPES =
            List.of("int", "long", "double", "float", "boolean", "Object", "String", "int[]");

    private static final List<String> RESULTS = List.of("int", "long", "double", "Object");

    /// Of those that end well.
    private static final int[] GOOD = {2, 4, 5, 7, 10, 11, 13, 14, 16, 17, 19, 20, 23, 25, 26};

    private static final int DEEPEST = 3;

    /// What catch blocks do with variables of their own: name, type, value.
    private static final List<String> LOCALS =
            List.of(
                    "int %1$s = 5; %1$s++; %1$s += 300; use(%1$s);",
                    """
                    try { %2$s %1$s = %3$s; use(%1$s); throw new Worse(1); }
                    catch (Worse w%1$s) { long q = w%1$s.n; use(q); }\
                    """,
                    "%2$s %1$s = %3$s; Supplier<Object> s%1$s = () -> %1$s; use(s%1$s.get());",
                    "long %1$s = 0; try { %1$s = 7; } finally { double z = %1$s; use(z); }",
                    "synchronized (this) { %2$s %1$s = %3$s; use(%1$s); }",
                    """
                    for (int i%1$s = 0; i%1$s < 3; i%1$s++) { long %1$s = i%1$s;
                    switch (i%1$s) { case 1: int z = 4; use(z); break; default: use(%1$s); } }\
                    """,
                    "for (Object %1$s : Arrays.asList(1, \"x\")) { use(%1$s); }",
                    "%2$s %1$s = %3$s; use(%1$s);",
                    """
                    Object %1$s = use("p");
                    if (%1$s instanceof String s%1$s && s%1$s.length() > 0) { use(s%1$s);
                    int y = switch (p) { case 0 -> 4; case 1 -> { int z = 3; yield z; } default -> 9; };
                    use(y); }\
                    """,
                    """
                    Object %1$s = use(p); switch (%1$s) { case String s%1$s -> use(s%1$s);
                    case Integer i%1$s when i%1$s > 1 -> { long z = i%1$s; use(z); } default -> { } }\
                    """,
                    """
                    record R%1$s(int a, Object b) { } Object %1$s = new R%1$s(p, "b");
                    if (%1$s instanceof R%1$s(int a%1$s, String b%1$s)) { use(a%1$s); use(b%1$s); }\
                    """);

    /// How many of them are Java 8, and Java 16.
    private static final int OF_8 = 8;

    private static final int OF_16 = 9;

    private final Random random;
    private final int release;
    private final StringBuilder text = new StringBuilder();
    private final List<String> visible = new ArrayList<>();

    /// Variables that may be read at any time, with their types.
    private final List<String[]> settled = new ArrayList<>();

    private int names;
    private boolean leaves;

    private RandomProgram(long seed, int release) {
        this.random = new Random(seed);
        this.release = release;
    }

    /// Its source.
    ///
    /// @param release of Java, whose syntax it may use
    static String source(long seed, int release, int methods) {
        var program = new RandomProgram(seed, release);
        var all = new StringBuilder(HEAD);
        var calls = new StringBuilder();
        for (int i = 1; i <= methods; i++) {
            all.append("class Shape%d extends Base {\n".formatted(i))
                    .append(program.method())
                    .append("}\n");
            calls.append(
                    """
                            for (int p = 0; p < 4; p++)
                                try { all.add(%1$d + ": " + new Shape%1$d().go(p)); }
                                catch (LinkageError e) { throw e; }
                                catch (Throwable e) { all.add(%1$d + "! " + e); }
                    """
                            .formatted(i));
        }
        return all
                + "public class Shape {\n    public static Object run() {\n"
                + "        List<String> all = new ArrayList<>();\n"
                + calls
                + "        return all;\n    }\n}\n";
    }

    private int below(int most) {
        return random.nextInt(most);
    }

    private boolean perhaps(int percent) {
        return below(100) < percent;
    }

    private <T> T any(List<T> all) {
        return all.get(below(all.size()));
    }

    private String name() {
        return "v" + ++names;
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation is of no class path of ours.
    private void line(String format, Object... values) {
        text.append(values.length == 0 ? format : format.formatted(values)).append('\n');
    }

    private String literal(String type) {
        int k = 1 + below(50);
        return switch (type) {
            case "int" -> perhaps(20) ? "p + " + k : "" + k;
            case "long" -> k + "L";
            case "double" -> k + ".5";
            case "float" -> k + ".25f";
            case "boolean" -> k % 2 == 0 ? "true" : "p > 1";
            case "String" -> "\"s" + k + "\"";
            case "int[]" -> "new int[] {" + k + ", p}";
            default ->
                    any(List.of("use(\"o%d\")", "use(%d)", "(Object) \"o%d\"", "(Object) null"))
                            .formatted(k);
        };
    }

    private String method() {
        text.setLength(0);
        visible.clear();
        settled.clear();
        names = 0;
        leaves = perhaps(30);
        line("%sString go(int p) throws Exception {", perhaps(10) ? "synchronized " : "");
        line("String acc = \"\";");
        for (int i = 2 + below(7); i > 0; i--) {
            statement(0);
        }
        sync();
        line("return acc;");
        line("}");
        return text.toString();
    }

    private void sync() {
        line("sync(); acc += show(%s);", visible.isEmpty() ? "0" : String.join(", ", visible));
    }

    private void statement(int depth) {
        int kind = below(100);
        if (kind < 30) {
            attempt();
        } else if (kind < 42) {
            spawn();
        } else if (kind < 57) {
            declare();
        } else if (kind < 62) {
            assign();
        } else if (kind < 67) {
            strange();
        } else if (kind < 90 && depth < DEEPEST) {
            nested(depth);
        } else {
            sync();
        }
    }

    private void declare() {
        var type = any(TYPES);
        var name = name();
        line("%s%s %s = %s;", perhaps(10) ? "@Noted " : "", type, name, literal(type));
        visible.add(name);
        settled.add(new String[] {type, name});
    }

    private void assign() {
        if (!settled.isEmpty()) {
            var one = any(settled);
            line("%s = %s;", one[1], literal(one[0]));
        }
    }

    private String call(String type, int n) {
        return switch (type) {
            case "int" -> "f(%d)".formatted(n);
            case "long" -> "g(%dL)".formatted(n);
            case "double" -> "d(%d.0, p)".formatted(n);
            default -> "h(\"q\", %d)".formatted(n);
        };
    }

    /// A call that does not fail.
    private void spawn() {
        int n = GOOD[below(GOOD.length)];
        switch (below(6)) {
            case 0 -> line("v(%d);", n);
            case 1 -> line("fi = f(%d); fl = g(%dL);", n, n);
            case 2 -> {
                var array = name();
                line(
                        "long[] %s = new long[3]; for (int i = 0; i < 3; i++) %s[i] = f(%d);",
                        array, array, n);
                visible.add(array);
            }
            case 3 -> {
                var name = name();
                line("String %s = (@Noted String) h(\"c\", %d);", name, n);
                visible.add(name);
            }
            default -> {
                var type = any(RESULTS);
                var name = name();
                line("%s %s = %s;", type, name, call(type, n));
                if (perhaps(15)) {
                    line("use(%s);", name);
                }
                visible.add(name);
            }
        }
    }

    /// A call in a `try`, which may fail.
    private void attempt() {
        var type = any(RESULTS);
        var result = name();
        boolean assigns = perhaps(25);
        line("%s %s%s;", type, result, assigns && perhaps(50) ? "" : " = " + literal(type));
        var set = new String[] {"", assigns ? result + " = " + literal(type) + ";" : ""};
        if (perhaps(60)) {
            var flag = name();
            var flagType = any(TYPES);
            line("%s %s = %s;", flagType, flag, literal(flagType));
            set[0] = flag + " = " + literal(flagType) + ";";
            visible.add(flag);
        }
        boolean inside = perhaps(15);
        if (inside) {
            sync();
        }
        line("try %s{", perhaps(7) ? "(Res res = new Res()) " : "");
        line(perhaps(20) ? "int k%1$s = 3; use(k%1$s);" : "", result);
        var call = result + " = " + call(type, below(40)) + ";";
        if (perhaps(20)) {
            line("try { %s } catch (@Noted Worse e) {", call);
            caught(set);
            line("}");
        } else {
            line(call);
        }
        line(inside ? "sync();" : "");
        line(perhaps(20) ? "long l%1$s = 3; use(l%1$s); }" : "}", result);
        handlers(set);
        visible.add(result);
    }

    private void handlers(String... set) {
        int form = below(3);
        line(form == 0 ? "catch (Bad | RuntimeException e) {" : "catch (Bad e) {");
        caught(set);
        line("}");
        if (form > 0) {
            line(form == 1 ? "catch (RuntimeException e) {" : "catch (Throwable t) {");
            caught(form == 1 ? set[1] : set[0], set[1]);
            line("}");
        }
    }

    /// The body of a catch block.
    private void caught(String... assignments) {
        for (int i = below(4); i > 0; i--) {
            local();
        }
        for (var one : assignments) {
            line(one);
        }
        if (leaves && perhaps(20)) {
            leaves = false;
            line(
                    any(
                            List.of(
                                    "if (p > 0) throw new IllegalStateException(\"left\");",
                                    "if (p > 1) return \"returned\";",
                                    "throw new Worse(p);")));
        }
    }

    private void local() {
        var type = any(TYPES);
        var form = LOCALS.get(below(release < 16 ? OF_8 : release < 21 ? OF_16 : LOCALS.size()));
        if (!settled.isEmpty() && perhaps(10)) {
            line("use(%s);", any(settled)[1]);
        } else {
            line(form, name(), type, literal(type));
        }
    }

    /// Syncs and spawns where there is something on the stack, or little in the frame.
    private void strange() {
        var name = name();
        int n = GOOD[below(GOOD.length)];
        switch (below(release < 16 ? 3 : 6)) {
            case 0 -> {
                sync();
                line(
                        "Object %1$s; synchronized (this) { %1$s = h(\"m\", %2$d); sync(); }",
                        name, n);
                visible.add(name);
            }
            case 1 -> {
                line(
                        "long %1$s = ((IntToLongFunction) n%1$s -> { long x%1$s = 0; try { x%1$s ="
                                + " g(n%1$s); } catch (Bad e) { int z = 3; use(z); } Object y%1$s ="
                                + " \"y\"; sync(); return x%1$s + y%1$s.hashCode();"
                                + " }).applyAsLong(%2$d);",
                        name, n);
                visible.add(name);
            }
            case 2 -> {
                line("long %1$s = 1; try { %1$s = g(%2$d); } finally { use(%1$s); }", name, n);
                visible.add(name);
            }
            case 3 -> {
                line(
                        "String %1$s = \"a\" + p + switch (p) { case 0 -> { sync(); yield 4; }"
                                + " default -> { int z = 3; yield z; } };",
                        name);
                visible.add(name);
            }
            case 4 -> {
                line(
                        "String %1$s = \"a\" + p + switch (p) { case 0 -> { int z = f(%2$d);"
                                + " sync(); yield z; } default -> { int z = 3; yield z; } };",
                        name, n);
                visible.add(name);
            }
            default -> {
                line(
                        "Integer %1$s = switch (p) { case 1 -> { Integer z = f(%2$d); yield z; }"
                                + " default -> f(%2$d); };",
                        name, n);
                visible.add(name);
            }
        }
    }

    /// A block whose variables are gone after it.
    private void nested(int depth) {
        int seen = visible.size();
        int had = settled.size();
        var name = name();
        boolean conditional = perhaps(60);
        if (conditional) {
            sync();
        }
        line(
                conditional
                        ? any(List.of(
                                        "if (p > %d) {",
                                        "for (int i%2$s = 0; i%2$s < 2; i%2$s++) {",
                                        "switch (p) { default: use(1); break; case %d: {",
                                        "do {"))
                                .formatted(below(4), name)
                        : "{");
        var opened = text.substring(text.lastIndexOf("\n", text.length() - 2) + 1);
        for (int i = 1 + below(4); i > 0; i--) {
            statement(depth + 1);
        }
        if (conditional || perhaps(30)) {
            sync();
        } else if (perhaps(50)) {
            var type = any(RESULTS);
            line("%s %s = %s;", type, name(), call(type, GOOD[below(GOOD.length)]));
        }
        line(
                opened.startsWith("switch")
                        ? "} }"
                        : opened.startsWith("do") ? "} while (p < 0);" : "}");
        visible.subList(seen, visible.size()).clear();
        settled.subList(had, settled.size()).clear();
        if (conditional && perhaps(20)) {
            sync();
        }
    }
}
