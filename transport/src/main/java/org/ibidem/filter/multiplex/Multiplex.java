package org.ibidem.filter.multiplex;

/// The options of the `multiplex` filter: none.
public record Multiplex() {}
