import org.jspecify.annotations.NullMarked;

/// Programs that know nothing of Ibidem, of any language, over its streams.
@NullMarked
module org.ibidem.wrap {
    requires transitive org.ibidem.core;
    requires org.ibidem.personalities;
    requires static org.jspecify;

    exports org.ibidem.wrap;
}
