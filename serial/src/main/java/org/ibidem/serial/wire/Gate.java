package org.ibidem.serial.wire;

import java.io.ObjectInputFilter;

/// What may come in.
public interface Gate {
    /// Decides about one class by its name, before it is loaded.
    boolean allows(String className);

    /// What to do where a class is refused that is wanted.
    default String advice(String className) {
        return "add it to the receive port's ObjectPolicy if it is wanted";
    }

    /// Where classes are found.
    ClassLoader loader();

    /// How much may come.
    Limits limits();

    /// The same as a filter of the JDK, for whoever combines it with others.
    ObjectInputFilter filter();
}
