package org.ibidem.filter.whole;

/// The options of the `whole` filter: none.
public record Whole() {}
