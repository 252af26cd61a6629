package org.ibidem.rmi.frame;

/// The numbers of methods, for tests.
public final class Hashes {
    private Hashes() {}

    /// That of a method of this name and descriptor.
    public static long of(String nameAndDescriptor) {
        return RemoteMethod.hash(nameAndDescriptor);
    }
}
