package org.ibidem.service;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.ibidem.topology.NodeId;

/// How a connection to a peer came about, or did not: every method tried, in order, when, how long
/// it took and what came of it.
///
/// @param peer to whom
/// @param purpose what for
/// @param tried in the order in which they were begun
public record Deliberation(NodeId peer, Purpose purpose, List<Tried> tried) {
    /// Keeps its own copy.
    public Deliberation {
        tried = List.copyOf(tried);
    }

    /// What became of one method.
    ///
    /// @param method its name
    /// @param began after the first
    /// @param took until it had connected, or had failed, or was not needed any more
    /// @param connected whether it made the connection
    /// @param why the reason, for people
    public record Tried(
            String method, Duration began, Duration took, boolean connected, String why) {
        @Override
        public String toString() {
            return method + ": " + why;
        }
    }

    /// The method that made the connection, or an empty text.
    public String method() {
        return tried.stream().filter(Tried::connected).map(Tried::method).findAny().orElse("");
    }

    /// All reasons in one line.
    public String reasons() {
        return tried.stream().map(Tried::toString).collect(Collectors.joining("; "));
    }
}
