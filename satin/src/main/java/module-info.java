import org.jspecify.annotations.NullMarked;

/// Satin: divide and conquer.
@NullMarked
module org.ibidem.satin {
    requires transitive org.ibidem.core;
    requires static org.jspecify;

    // shared objects, and what stands for them in a message
    opens ibis.satin to
            org.ibidem.serial;
    opens org.ibidem.satin to
            org.ibidem.serial;

    exports ibis.satin;
    exports ibis.satin.impl;
    exports org.ibidem.satin;
    exports org.ibidem.satin.rewrite;
    exports org.ibidem.satin.run;
    exports org.ibidem.satin.trace;
}
