package org.ibidem.filter.parallel;

import java.io.IOException;

/// The other end has broken the rules.
final class Violation extends IOException {
    private static final long serialVersionUID = 1L;

    Violation(String why) {
        super(why);
    }
}
