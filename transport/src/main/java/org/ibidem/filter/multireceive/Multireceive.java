package org.ibidem.filter.multireceive;

/// The options of the `multireceive` filter: none.
public record Multireceive() {}
