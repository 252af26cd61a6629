package org.ibidem.apps.sor;

/// What a process does in each iteration, with its block and its connections.
final class Iteration {
    private final Block block;
    private final Others others;

    Iteration(Block block, Others others) {
        this.block = block;
        this.others = others;
    }

    /// Relaxes every cell once.
    ///
    /// @return how far the worst cell was from the mean of its neighbours
    double relax() {
        return Math.max(half(Block.RED), half(Block.BLACK));
    }

    /// Relaxes the cells of one colour: the outermost rows first, so that they travel while the
    /// others are computed.
    private double half(int colour) {
        int top = block.first();
        int bottom = top + block.rows() - 1;
        double worst = block.relax(top, top + 1, colour);
        if (bottom > top) {
            worst = Math.max(worst, block.relax(bottom, bottom + 1, colour));
        }
        others.send(block, colour);
        worst = Math.max(worst, block.relax(top + 1, bottom, colour));
        others.receive(block, colour);
        return worst;
    }

    /// What all processes came to, each of which calls this with its own residual.
    Tally reduce(double residual) {
        return others.reduce(residual);
    }
}
