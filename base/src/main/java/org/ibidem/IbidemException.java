package org.ibidem;

/// Root of everything Ibidem throws on purpose. Its message says what exactly went wrong and what
/// to do about it.
///
/// Unchecked, because messages are written and read in chains and lambdas, and because a broken
/// connection is handled where connections are made, seldom where an `int` is read.
public class IbidemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Says what went wrong.
    public IbidemException(String message) {
        super(message);
    }

    /// Says what went wrong, and what it came from.
    public IbidemException(String message, Throwable cause) {
        super(message, cause);
    }

    /// What a throwable says of itself, for a message to somebody who waits for one. Its class may
    /// be a program's own: where it fails to say anything, this is the name of that class.
    public static String describe(Throwable why) {
        try {
            return String.valueOf(why);
        } catch (RuntimeException | Error e) {
            return why.getClass().getName() + ", which does not say why: " + e.getClass().getName();
        }
    }
}
