package org.ibidem.lab.bench.serial;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// A node of a tree: four ints and two children.
final class Node implements Serializable {
    private static final long serialVersionUID = 1L;

    int a;
    int b;
    int c;
    int d;
    @Nullable Node left;
    @Nullable Node right;

    /// A full tree.
    static @Nullable Node tree(int levels) {
        if (levels == 0) {
            return null;
        }
        var node = new Node();
        node.a = levels;
        node.b = -levels;
        node.c = levels * levels;
        node.left = tree(levels - 1);
        node.right = tree(levels - 1);
        return node;
    }
}
