package org.ibidem.satin.rewrite;

/// Programs as text: each has a method `run` that gives what it has found.
final class Shapes {
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
    static String of(String members, String body) {
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
}
