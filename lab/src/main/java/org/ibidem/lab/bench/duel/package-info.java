/// Makes the two processes of a benchmark, pins them to cores, and lets all contestants alternate
/// in them.
///
/// [Duel] is the parent: it commands two long-lived children ([Side]) over their standard input and
/// output and sleeps while they measure.
@NullMarked
package org.ibidem.lab.bench.duel;

import org.jspecify.annotations.NullMarked;
