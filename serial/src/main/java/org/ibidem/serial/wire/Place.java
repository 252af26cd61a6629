package org.ibidem.serial.wire;

/// Where in the stream an exception came from.
final class Place extends Exception {
    private static final long serialVersionUID = 1L;

    Place(long position) {
        super("at byte " + position + " of the message's objects", null, false, false);
    }

    /// Says it in an exception, or in a new one of that kind: to those that compiled code made
    /// before it throws them, nothing can be added.
    static RuntimeException in(RuntimeException e, long position) {
        e.addSuppressed(new Place(position));
        if (e.getSuppressed().length > 0) {
            return e;
        }
        var fresh =
                switch (e) {
                    case ClassCastException _ -> new ClassCastException();
                    case NullPointerException _ -> new NullPointerException();
                    case ArrayIndexOutOfBoundsException _ -> new ArrayIndexOutOfBoundsException();
                    case ArrayStoreException _ -> new ArrayStoreException();
                    case ArithmeticException _ -> new ArithmeticException();
                    default -> e;
                };
        fresh.addSuppressed(new Place(position));
        return fresh;
    }
}
