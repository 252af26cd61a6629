import org.jspecify.annotations.NullMarked;

/// The process both sides can reach: registry, observer, broker and relay.
@NullMarked
module org.ibidem.hub {
    requires transitive org.ibidem.node;
    requires static org.jspecify;

    exports org.ibidem.hub;
}
