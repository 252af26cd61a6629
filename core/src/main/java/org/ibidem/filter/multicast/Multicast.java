package org.ibidem.filter.multicast;

/// The options of the `multicast` filter: none.
public record Multicast() {}
