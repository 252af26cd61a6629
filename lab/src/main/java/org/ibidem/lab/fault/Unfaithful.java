package org.ibidem.lab.fault;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a filter that breaks, on purpose, the promise that frames arrive in order, whole, once.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Unfaithful {
    /// The one way in which it does.
    Way value();

    /// Ways to break the promise.
    enum Way {
        /// Some frames never arrive.
        LOSES,
        /// Some frames arrive twice, one right after the other.
        REPEATS,
        /// Some frames change places with the next one.
        REORDERS,
        /// In some frames one bit is another.
        ALTERS,
        /// The connection breaks.
        CUTS
    }
}
