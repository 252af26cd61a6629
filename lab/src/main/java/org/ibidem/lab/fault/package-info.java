/// Faults as filters: put into a stack, they do to its frames what bad networks do.
///
/// All but `cut` act on the receiving side, so that nothing is lost or late before it was sent.
/// What they do follows from their seed and the order of the frames alone. One folder and one line
/// in `META-INF/services` each; one that breaks a promise of links says which by [Unfaithful], and
/// the contract suite holds it to that instead.
@NullMarked
package org.ibidem.lab.fault;

import org.jspecify.annotations.NullMarked;
