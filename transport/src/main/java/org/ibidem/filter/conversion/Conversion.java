package org.ibidem.filter.conversion;

/// The options of the `conversion` filter: none.
public record Conversion() {}
