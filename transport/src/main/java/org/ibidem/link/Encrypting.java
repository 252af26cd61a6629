package org.ibidem.link;

/// An ability of filters: what leaves one can be read, altered and invented by nobody but the two
/// ends.
public interface Encrypting {}
