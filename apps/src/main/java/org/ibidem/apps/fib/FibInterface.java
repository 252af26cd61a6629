package org.ibidem.apps.fib;

import ibis.satin.Spawnable;

/// What is spawned.
interface FibInterface extends Spawnable {
    /// The n-th number.
    long fib(int n);
}
