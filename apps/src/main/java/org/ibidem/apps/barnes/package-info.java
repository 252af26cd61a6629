/// `barnes`: bodies that attract each other, by a tree in which far ones count as one (Barnes and
/// Hut, Nature 1986), over ports and over remote calls side by side, as Blackston and Suel compare
/// ways to communicate in N-body programs (Supercomputing 1997).
///
/// Every process knows where all bodies are and makes the tree for itself; it moves its own share,
/// by leapfrog steps, and tells all others where they are then ([Peers]). So it computes what one
/// process would, bit for bit. The energy of all bodies must stay what it was, which the steps and
/// the tree keep to a fraction of a percent.
package org.ibidem.apps.barnes;
