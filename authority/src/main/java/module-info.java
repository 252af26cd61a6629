import org.jspecify.annotations.NullMarked;

/// A pool's certificate authority: makes it, and issues certificates for nodes, hubs and
/// administrators.
@NullMarked
module org.ibidem.authority {
    requires transitive org.ibidem.node;
    requires org.bouncycastle.pkix;
    requires org.bouncycastle.provider;
    requires static org.jspecify;

    exports org.ibidem.authority;
}
