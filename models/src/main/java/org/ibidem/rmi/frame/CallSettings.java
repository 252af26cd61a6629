package org.ibidem.rmi.frame;

/// How the calls of one stub are made.
///
/// @param limit for each call, in nanoseconds; [#NO_LIMIT]: none
/// @param oneWay whether nobody waits until a method without result has run
public record CallSettings(long limit, boolean oneWay) {
    /// Without a time limit.
    public static final long NO_LIMIT = Long.MAX_VALUE;

    /// As in `java.rmi`: a call waits until it is over.
    public static final CallSettings USUAL = new CallSettings(NO_LIMIT, false);
}
