package org.ibidem.lab.net;

/// This machine cannot have a laboratory: the message says what it lacks or refuses, and what would
/// help. Tests are skipped with it.
public final class LabRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// With the reason, for people.
    public LabRefused(String why) {
        super(why);
    }
}
