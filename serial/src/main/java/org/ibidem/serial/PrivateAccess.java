package org.ibidem.serial;

import java.lang.invoke.MethodHandles;
import org.ibidem.serial.model.Access;

/// Access to the private fields and constructors of classes in packages that are not open to this
/// module: where a module declaration cannot say `opens`, its own code hands a lookup over.
///
/// ```java
/// PrivateAccess.grant(MethodHandles.lookup()); // in a static initializer of the class
/// ```
public final class PrivateAccess {
    private PrivateAccess() {}

    /// Takes a lookup with private access to its class, which serves that class alone, from now on:
    /// before the first of its objects travels.
    ///
    /// @throws IllegalArgumentException when it has no private access
    public static void grant(MethodHandles.Lookup lookup) {
        Access.grant(lookup);
    }
}
