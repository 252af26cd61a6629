import org.jspecify.annotations.NullMarked;

/// What programs use: message ports, circuits, streams and messaging. A module that requires this
/// one also sees a node, the transport beneath it, and serialization.
@NullMarked
module org.ibidem.core {
    requires static org.jspecify;
    requires transitive org.ibidem.node;
    requires transitive org.ibidem.serial;
    requires transitive org.ibidem.transport;

    exports org.ibidem.circuit;
    exports org.ibidem.messaging;
    exports org.ibidem.port;
    exports org.ibidem.vlink;

    uses org.ibidem.serial.Serializer;
}
