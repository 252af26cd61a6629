package org.ibidem.lab.bench;

import java.util.Arrays;

/// What one message carries; each process has its own and reuses it for every message.
///
/// The sender rewrites it before every message and the receiver sums it up and compares, so that no
/// contestant can win by moving less, or memory that nobody touches.
public sealed interface Payload {
    /// Bytes that count as moved by one message: what a user wanted to send, without any framing.
    long bytes();

    /// Gives it the content of message `number` of a burst.
    void rewrite(int number);

    /// Sums it up and compares with the content of message `number`.
    ///
    /// @throws Corrupt when it is something else
    void verify(int number);

    /// A message did not arrive as it was sent: no figure of this run can be trusted.
    final class Corrupt extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Corrupt(String what, int number, long wanted, long got) {
            super(
                    "message "
                            + number
                            + " of "
                            + what
                            + ": its sum is "
                            + got
                            + " and should be "
                            + wanted);
        }

        private static void unless(long wanted, long got, String what, int number) {
            if (wanted != got) {
                throw new Corrupt(what, number, wanted, got);
            }
        }
    }

    /// 8 bytes, as one long.
    final class Word implements Payload {
        /// The content.
        public long value;

        @Override
        public long bytes() {
            return Long.BYTES;
        }

        @Override
        public void rewrite(int number) {
            value = number;
        }

        @Override
        public void verify(int number) {
            Corrupt.unless(number, value, "one long", number);
        }
    }

    /// 32 bytes, as five primitives: what a small request looks like.
    final class Five implements Payload {
        /// First on the wire.
        public int a;

        /// Second on the wire.
        public long b;

        /// Third on the wire.
        public long c;

        /// Fourth on the wire.
        public int d;

        /// Last on the wire.
        public long e;

        @Override
        public long bytes() {
            return 2 * Integer.BYTES + 3 * Long.BYTES;
        }

        @Override
        public void rewrite(int number) {
            a = number;
            b = number;
            c = 2;
            d = 3;
            e = 4;
        }

        @Override
        public void verify(int number) {
            Corrupt.unless(2L * number + 9, a + b + c + d + e, "five primitives", number);
        }
    }

    /// A byte array; the receiver's sum touches one byte of every cache line.
    final class Bytes implements Payload {
        private static final int LINE = 64;

        /// The content; whoever receives may replace it by another of the same length.
        public byte[] data;

        /// How many messages it is to whom that makes a difference: a window of them.
        public final int pieces;

        /// Of `length` bytes.
        public Bytes(int length) {
            this(length, 1);
        }

        /// As many beside each other, which travel as messages of their own.
        public Bytes(int length, int pieces) {
            this.data = new byte[length * pieces];
            this.pieces = pieces;
        }

        @Override
        public long bytes() {
            return data.length;
        }

        @Override
        public void rewrite(int number) {
            Arrays.fill(data, (byte) number);
        }

        @Override
        public void verify(int number) {
            long sum = 0;
            for (int i = 0; i < data.length; i += LINE) {
                sum += data[i];
            }
            long lines = (data.length + LINE - 1L) / LINE;
            Corrupt.unless((byte) number * lines, sum, "a byte array", number);
        }
    }

    /// An int array.
    final class Ints implements Payload {
        /// The content; whoever receives may replace it by another of the same length.
        public int[] data;

        /// Of `length` ints.
        public Ints(int length) {
            data = new int[length];
        }

        @Override
        public long bytes() {
            return (long) data.length * Integer.BYTES;
        }

        @Override
        public void rewrite(int number) {
            Arrays.fill(data, number);
        }

        @Override
        public void verify(int number) {
            int sum = 0; // wraps round at both ends alike, and so can be done several at a time
            for (int element : data) {
                sum += element;
            }
            int wanted = number * data.length;
            Corrupt.unless(wanted, sum, "an int array", number);
        }
    }

    /// A double array.
    final class Doubles implements Payload {
        /// The content; whoever receives may replace it by another of the same length.
        public double[] data;

        /// The distance of those that travel; 1: all do.
        public final int stride;

        /// Of `length` doubles, a multiple of four.
        public Doubles(int length) {
            this(length, 1);
        }

        /// Of which one in `stride` travels.
        public Doubles(int length, int stride) {
            if (length % 4 != 0) {
                throw new IllegalArgumentException(
                        "the sum takes four doubles at a time, so not " + length);
            }
            this.data = new double[length * stride];
            this.stride = stride;
        }

        @Override
        public long bytes() {
            return (long) count() * Double.BYTES;
        }

        /// How many travel.
        public int count() {
            return data.length / stride;
        }

        @Override
        public void rewrite(int number) {
            if (stride == 1) {
                Arrays.fill(data, number);
                return;
            }
            for (int i = 0; i < data.length; i += stride) {
                data[i] = number;
            }
        }

        @Override
        public void verify(int number) {
            double a = 0; // four sums, since one alone would wait for every addition
            double b = 0;
            double c = 0;
            double d = 0;
            for (int i = 0; i < data.length; i += 4 * stride) {
                a += data[i];
                b += data[i + stride];
                c += data[i + 2 * stride];
                d += data[i + 3 * stride];
            }
            Corrupt.unless(
                    (long) number * count(), (long) (a + b + c + d), "a double array", number);
        }
    }

    /// An object graph: a full binary tree of [TreeNode].
    final class Tree implements Payload {
        private final int nodes;

        /// Its root; whoever receives replaces it.
        public TreeNode root;

        /// Of `nodes` nodes, one less than a power of two.
        public Tree(int nodes) {
            this.nodes = nodes;
            this.root = TreeNode.full(nodes);
        }

        @Override
        public long bytes() {
            return (long) nodes * TreeNode.BYTES;
        }

        @Override
        public void rewrite(int number) {
            root.fill(number);
        }

        @Override
        public void verify(int number) {
            Corrupt.unless(10L * nodes + (long) number * nodes, root.sum(), "a tree", number);
        }
    }
}
