package org.ibidem.apps.matrix;

import ibis.satin.Spawnable;

/// What is spawned.
interface MatrixInterface extends Spawnable {
    /// The product of two matrices.
    Square product(Square one, Square other);
}
