import org.jspecify.annotations.NullMarked;

/// Programming interfaces of other systems, thin over those of core.
@NullMarked
module org.ibidem.personalities {
    requires transitive org.ibidem.core;
    requires static org.jspecify;
    requires static java.instrument;

    exports org.ibidem.personality.aio;
    exports org.ibidem.personality.fm;
    exports org.ibidem.personality.madeleine;
    exports org.ibidem.personality.nio;
    exports org.ibidem.personality.sockets;
    exports org.ibidem.personality.vio;
}
