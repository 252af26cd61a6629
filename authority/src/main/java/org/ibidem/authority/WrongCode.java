package org.ibidem.authority;

/// The two ends of an invitation do not have the same code, or what they said was altered on the
/// way: which of both it was nobody can tell.
final class WrongCode extends Exception {
    private static final long serialVersionUID = 1L;

    WrongCode(String why) {
        super(why);
    }

    WrongCode(String why, Throwable cause) {
        super(why, cause);
    }
}
