package org.ibidem.link;

/// An ability of filters: what leaves one looks like chance, as ciphers and compressors make it. So
/// it is no use to compress that.
public interface Opaque {}
