package org.ibidem.apps.sor;

/// The whole plate in one block and one thread: what the parallel run is compared with.
final class Sequential {
    private Sequential() {}

    /// Relaxes the whole plate `iterations` times.
    static Block solve(Plate plate, int iterations) {
        var block = new Block(plate, 0, plate.size());
        for (int i = 0; i < iterations; i++) {
            iterate(block);
        }
        return block;
    }

    /// Relaxes all red cells, then all black ones; returns the largest residual met.
    static double iterate(Block whole) {
        double red = whole.relax(0, whole.rows(), Block.RED);
        return Math.max(red, whole.relax(0, whole.rows(), Block.BLACK));
    }
}
