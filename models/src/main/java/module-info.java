import org.jspecify.annotations.NullMarked;

/// Programming models: remote objects.
@NullMarked
module org.ibidem.models {
    requires transitive org.ibidem.core;
    requires transitive java.rmi;
    requires static org.jspecify;

    exports org.ibidem.rmi;
    exports org.ibidem.rmi.frame;

    opens org.ibidem.rmi.frame to
            org.ibidem.core;

    provides org.ibidem.serial.wire.RemoteObjects with
            org.ibidem.rmi.frame.StandIns;
}
