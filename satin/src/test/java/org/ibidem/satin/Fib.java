package org.ibidem.satin;

import org.jspecify.annotations.Nullable;

/// A program as it is written by hand.
final class Fib extends Job {
    private static final long serialVersionUID = 1;

    private final int n;
    private transient long value;

    private Fib(int n) {
        this.n = n;
    }

    static long of(int n) {
        var fib = new Fib(n);
        Job.sync(Job.spawn(fib, null));
        return fib.value;
    }

    @Override
    protected void run() {
        if (n < 2) {
            value = n;
            return;
        }
        var one = new Fib(n - 1);
        var other = new Fib(n - 2);
        Job.sync(Job.spawn(other, Job.spawn(one, null)));
        value = one.value + other.value;
    }

    @Override
    protected Object result() {
        return value;
    }

    @Override
    protected void result(@Nullable Object came) {
        value = came instanceof Long number ? number : -1;
    }
}
