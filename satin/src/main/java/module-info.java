import org.jspecify.annotations.NullMarked;

/// Satin: divide and conquer.
@NullMarked
module org.ibidem.satin {
    requires transitive org.ibidem.core;
    requires static org.jspecify;

    exports ibis.satin;
    exports org.ibidem.satin;
    exports org.ibidem.satin.rewrite;
    exports org.ibidem.satin.run;
}
