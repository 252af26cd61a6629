package org.ibidem.satin.rewrite;

import java.util.List;

/// Programs as text: each has a method `run` that gives what it has found.
public final class Shapes {
    private static final String HEAD =
            """
            import ibis.satin.*;
            import java.util.*;

            interface Marked extends Spawnable {
                long fib(int n);
                int twice(int n);
                boolean isEven(int n);
                byte small(int n);
                double half(double d, long l, int n);
                String text(String s, int n);
                int[] numbers(int n);
                void into(List<Integer> list, int n);
                int odd(int n);
            }

            class Found extends RuntimeException {
                final int value;
                Found(int value) { this.value = value; }
            }

            class Base extends SatinObject implements Marked {
                public long fib(int n) {
                    if (n < 2) return n;
                    long x = fib(n - 1);
                    long y = fib(n - 2);
                    sync();
                    return x + y;
                }
                public int twice(int n) { return 2 * n; }
                public boolean isEven(int n) { return n % 2 == 0; }
                public byte small(int n) { return (byte) (n * 7); }
                public double half(double d, long l, int n) { return (d + l + n) / 2; }
                public String text(String s, int n) { return s + n; }
                public int[] numbers(int n) { int[] a = new int[n]; Arrays.fill(a, n); return a; }
                public void into(List<Integer> list, int n) { }
                public int odd(int n) { if (n % 2 == 0) throw new Found(n); return n; }
            }

            """;

    private Shapes() {}

    /// A class `Shape` whose method `run` has this body, among these members.
    public static String of(String members, String body) {
        return HEAD
                + "public class Shape extends Base {\n"
                + members
                + "\n    public static Object run() { return new Shape().go(); }\n"
                + "    Object go() {\n"
                + body
                + "\n    }\n}\n";
    }

    static String of(String body) {
        return of("", body);
    }

    /// A class `Shape1` and so on for each of these bodies, and a class `Shape` whose method `run`
    /// gives what all of them have found.
    static String all(List<String> bodies) {
        var text = new StringBuilder(HEAD);
        var calls = new StringBuilder();
        for (int i = 1; i <= bodies.size(); i++) {
            text.append("class Shape%d extends Base {\n    Object go() {\n".formatted(i))
                    .append(bodies.get(i - 1))
                    .append("\n    }\n}\n");
            calls.append(
                            "        try { all.add(%d + \": \" + new Shape%d().go()); }\n"
                                    .formatted(i, i))
                    .append(
                            "        catch (RuntimeException e) { all.add(%d + \"! \" + e); }\n"
                                    .formatted(i));
        }
        return text
                + "public class Shape {\n    public static Object run() {\n"
                + "        List<String> all = new ArrayList<>();\n"
                + calls
                + "        return all;\n    }\n}\n";
    }
}
