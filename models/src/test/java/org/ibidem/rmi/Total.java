package org.ibidem.rmi;

import java.io.Serializable;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// An object that tests call.
final class Total implements Counter {
    final AtomicInteger sum = new AtomicInteger();
    final AtomicInteger awaiting = new AtomicInteger();
    final AtomicInteger interrupted = new AtomicInteger();
    final CountDownLatch opened = new CountDownLatch(1);
    volatile @Nullable Counter self;

    /// A class that no interface names.
    static final class Unknown implements Serializable {
        private static final long serialVersionUID = 1L;
        int value = 7;
    }

    @Override
    public int add(int value) {
        return sum.addAndGet(value);
    }

    @Override
    public void nothing() {}

    @Override
    public String all(
            boolean z, byte b, short s, char c, int i, long j, float f, double d, String t) {
        return z + " " + b + " " + s + " " + c + " " + i + " " + j + " " + f + " " + d + " " + t;
    }

    @Override
    public double half(double value) {
        return value / 2;
    }

    @Override
    public float halfFloat(float value) {
        return value / 2;
    }

    @Override
    public long next(long value) {
        return value + 1;
    }

    @Override
    public boolean not(boolean value) {
        return !value;
    }

    @Override
    public char after(char value) {
        return (char) (value + 1);
    }

    @Override
    public short afterShort(short value) {
        return (short) (value + 1);
    }

    @Override
    public byte afterByte(byte value) {
        return (byte) (value + 1);
    }

    @Override
    public int[] doubled(int[] values) {
        return Arrays.stream(values).map(value -> 2 * value).toArray();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // it is what is asked
    public boolean same(int[] one, int[] other) {
        return one == other;
    }

    @Override
    public Pair swapped(Pair pair) {
        return new Pair(pair.right, pair.left);
    }

    @Override
    public void refuse(String why) throws Refused {
        throw new Refused(why);
    }

    @Override
    public void fail(String kind) throws RemoteException {
        switch (kind) {
            case "error" -> throw new AssertionError("an error");
            case "remote" -> throw new RemoteException("a remote one");
            default -> throw new IllegalArgumentException(kind);
        }
    }

    @Override
    public int tell(Listener listener, int value) throws RemoteException {
        return listener.heard(value) + 1;
    }

    @Override
    public Counter me() {
        return this;
    }

    @Override
    public Counter give(Counter other) {
        return other;
    }

    @Override
    public List<Counter> listed(List<Counter> some) {
        var all = new ArrayList<>(some);
        all.add(this);
        return all;
    }

    @Override
    public void await() throws InterruptedException {
        awaiting.incrementAndGet();
        try {
            opened.await();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        } finally {
            awaiting.decrementAndGet();
        }
    }

    @Override
    public Object odd(Object value) {
        return value;
    }
}
