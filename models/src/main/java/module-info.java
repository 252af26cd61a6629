import org.jspecify.annotations.NullMarked;

/// Programming models: remote objects.
@NullMarked
module org.ibidem.models {
    requires transitive org.ibidem.core;
    requires transitive java.naming;
    requires transitive java.rmi;
    requires static org.jspecify;

    exports org.ibidem.rmi;
    exports org.ibidem.rmi.active;
    exports org.ibidem.rmi.frame;
    exports org.ibidem.rmi.program;
    exports org.ibidem.rmi.program.rmi to
            java.naming;
    exports org.ibidem.rmi.results;
    exports org.ibidem.rmi.rewrite;

    opens org.ibidem.rmi.frame to
            org.ibidem.serial;
    opens org.ibidem.rmi.program to
            org.ibidem.serial;

    provides org.ibidem.serial.wire.RemoteObjects with
            org.ibidem.rmi.frame.StandIns;
}
