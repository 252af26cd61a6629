import org.jspecify.annotations.NullMarked;

/// Applications written with Ibidem: examples whose results are verified. Open, as the launcher
/// calls their main methods, and their objects travel.
@NullMarked
open module org.ibidem.apps {
    requires org.ibidem.core;
    requires org.ibidem.satin;
    requires org.ibidem.models;
    requires java.desktop;
    requires jdk.httpserver;
    requires static org.jspecify;
}
