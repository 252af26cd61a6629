package org.ibidem.lab.net.emulator;

import java.util.Arrays;

/// What is to happen when: a binary heap with the earliest on top; of equal times, the first that
/// came.
final class Agenda {
    static final long NEVER = Long.MAX_VALUE;

    private long[] due = new long[1024];
    private long[] order = new long[1024];
    private int[] what = new int[1024];
    private int size;
    private long count;

    /// When the earliest is due, or [#NEVER].
    long next() {
        return size == 0 ? NEVER : due[0];
    }

    void add(long when, int event) {
        if (size == due.length) {
            due = Arrays.copyOf(due, 2 * size);
            order = Arrays.copyOf(order, 2 * size);
            what = Arrays.copyOf(what, 2 * size);
        }
        due[size] = when;
        order[size] = count++;
        what[size] = event;
        rise(size++);
    }

    /// Takes the earliest.
    int take() {
        int event = what[0];
        size--;
        move(size, 0);
        sink(0);
        return event;
    }

    private void rise(int from) {
        for (int at = from; at > 0; ) {
            int above = (at - 1) >> 1;
            if (!earlier(at, above)) {
                return;
            }
            swap(at, above);
            at = above;
        }
    }

    private void sink(int from) {
        for (int at = from; ; ) {
            int below = 2 * at + 1;
            if (below + 1 < size && earlier(below + 1, below)) {
                below++;
            }
            if (below >= size || !earlier(below, at)) {
                return;
            }
            swap(at, below);
            at = below;
        }
    }

    private boolean earlier(int one, int other) {
        return due[one] < due[other] || (due[one] == due[other] && order[one] < order[other]);
    }

    private void move(int from, int to) {
        due[to] = due[from];
        order[to] = order[from];
        what[to] = what[from];
    }

    private void swap(int one, int other) {
        long time = due[one];
        long turn = order[one];
        int event = what[one];
        move(other, one);
        due[other] = time;
        order[other] = turn;
        what[other] = event;
    }
}
