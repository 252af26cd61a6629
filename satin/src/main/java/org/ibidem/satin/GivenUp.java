package org.ibidem.satin;

/// Takes a worker out of a stolen job that nobody waits for any more, from its next spawn or sync.
/// An error, so that few programs catch it; one that does meets it again.
final class GivenUp extends Error {
    private static final long serialVersionUID = 1;

    GivenUp() {
        super("nobody waits for this job any longer", null, false, false);
    }
}
