import org.jspecify.annotations.NullMarked;

/// One process among others: its key and whom it trusts, its hub and its pool, and its connections
/// to its peers. Nothing here knows what a message is.
@NullMarked
@SuppressWarnings("module") // the modules to which a room is exported are built after this
module org.ibidem.node {
    requires static org.jspecify;
    requires transitive org.ibidem.transport;

    exports org.ibidem.identity;
    exports org.ibidem.peer;
    exports org.ibidem.registry;
    exports org.ibidem.registry.coordination;
    exports org.ibidem.registry.operation;
    exports org.ibidem.trust;

    // What programs never meet.
    exports org.ibidem.accept to
            org.ibidem.authority,
            org.ibidem.cli,
            org.ibidem.hub;
    exports org.ibidem.channel to
            org.ibidem.core;
    exports org.ibidem.control to
            org.ibidem.authority,
            org.ibidem.core,
            org.ibidem.hub;
    exports org.ibidem.dial to
            org.ibidem.core;
    exports org.ibidem.handshake to
            org.ibidem.authority,
            org.ibidem.hub;
    exports org.ibidem.registry.access to
            org.ibidem.cli,
            org.ibidem.core,
            org.ibidem.models,
            org.ibidem.wrap;
    exports org.ibidem.registry.wire to
            org.ibidem.hub;
    exports org.ibidem.station to
            org.ibidem.cli,
            org.ibidem.core,
            org.ibidem.hub,
            org.ibidem.models,
            org.ibidem.satin,
            org.ibidem.wrap;
}
