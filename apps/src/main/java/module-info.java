import org.jspecify.annotations.NullMarked;

/// Applications written with Ibidem: examples whose results are verified.
@NullMarked
module org.ibidem.apps {
    requires org.ibidem.core;
    requires java.desktop;
    requires static org.jspecify;

    // Whose objects travel.
    opens org.ibidem.apps.sor to
            org.ibidem.core;
}
