package org.ibidem.lab.bench;

/// How much of one measure a player plays at one go. Both ends are given the same.
///
/// @param samples how many are timed, one after the other
/// @param times round trips, or messages one way, in each
public record Burst(int samples, int times) {}
