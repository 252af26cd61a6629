package org.ibidem.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What an option is for: those of one group stand together in the help and in the manual.
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Group {
    /// Its heading, such as `Pool`.
    String value();
}
