package org.ibidem.link;

/// An ability of filters: one that has nothing to do for a link is left out of it (layer
/// collapsing).
///
/// Both ends decide alone, so the answer must follow from what both know alike, or the filter must
/// not show on the wire.
public interface Collapsing {
    /// Would this filter change nothing over `lower`, which already has the filter's paradigm?
    boolean idle(Link lower, Record options, Terms terms);
}
