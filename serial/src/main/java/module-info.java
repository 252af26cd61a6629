import org.jspecify.annotations.NullMarked;

/// Object graphs to bytes and back, by code made for each class, behind an allow-list. Needs
/// nothing but what Ibidem stands on, and can be used alone.
@NullMarked
module org.ibidem.serial {
    requires static org.jspecify;
    requires transitive org.ibidem.base;
    requires jdk.unsupported;

    exports org.ibidem.serial;
    exports org.ibidem.serial.rewrite;
    exports org.ibidem.serial.wire;

    uses org.ibidem.serial.wire.RemoteObjects;

    provides org.ibidem.serial.Serializer with
            org.ibidem.serial.GeneratedSerializer,
            org.ibidem.serial.ExtendedSerializer,
            org.ibidem.serial.JdkSerializer;
}
