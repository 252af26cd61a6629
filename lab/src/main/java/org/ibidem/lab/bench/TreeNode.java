package org.ibidem.lab.bench;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// A node of the tree that every contestant carries: four ints and two children.
public final class TreeNode implements Serializable {
    /// Bytes of its ints, which is what counts as moved.
    public static final int BYTES = 4 * Integer.BYTES;

    private static final long serialVersionUID = 1L;

    private int a;
    private int b;
    private int c;
    private int d;
    private @Nullable TreeNode left;
    private @Nullable TreeNode right;

    private TreeNode() {}

    /// A full binary tree of `nodes` nodes, one less than a power of two.
    public static TreeNode full(int nodes) {
        if (nodes < 1 || Integer.bitCount(nodes + 1) != 1) {
            throw new IllegalArgumentException("a full tree has 2^k - 1 nodes, not " + nodes);
        }
        var node = new TreeNode();
        if (nodes > 1) {
            node.left = full(nodes / 2);
            node.right = full(nodes / 2);
        }
        return node;
    }

    /// Rewrites every int of the tree.
    void fill(int number) {
        a = number + 1;
        b = 2;
        c = 3;
        d = 4;
        if (left != null) {
            left.fill(number);
        }
        if (right != null) {
            right.fill(number);
        }
    }

    /// Sums up every int of the tree.
    public long sum() {
        long sum = (long) a + b + c + d;
        if (left != null) {
            sum += left.sum();
        }
        if (right != null) {
            sum += right.sum();
        }
        return sum;
    }
}
