import org.jspecify.annotations.NullMarked;

/// The `ibidem` command.
@NullMarked
module org.ibidem.cli {
    requires info.picocli;
    requires java.desktop;
    requires org.ibidem.authority;
    requires org.ibidem.core;
    requires org.ibidem.hub;
    requires org.ibidem.models;
    requires org.ibidem.personalities;
    requires org.ibidem.satin;
    requires org.ibidem.wrap;
    requires static org.jspecify;

    // picocli fills the options in by reflection.
    opens org.ibidem.cli to
            info.picocli;
    opens org.ibidem.cli.run to
            info.picocli;
}
