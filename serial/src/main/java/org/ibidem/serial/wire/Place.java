package org.ibidem.serial.wire;

/// Where in the stream an exception came from.
final class Place extends Exception {
    private static final long serialVersionUID = 1L;

    Place(long position) {
        super("at byte " + position + " of the message's objects", null, false, false);
    }
}
