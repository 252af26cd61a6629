import org.jspecify.annotations.NullMarked;

/// How bytes get from one process to another: links, drivers, filters, connect methods, and the
/// threads that drive them. Nothing here knows who a peer is. A driver, filter, connect method or
/// codec requires this module and no other.
@NullMarked
@SuppressWarnings("module") // the modules to which a room is exported are built after this
module org.ibidem.transport {
    requires static org.jspecify;
    requires transitive org.ibidem.base;
    requires jdk.net;
    requires transitive jdk.jfr;

    exports org.ibidem.arbitration;
    exports org.ibidem.codec;
    exports org.ibidem.connect;
    exports org.ibidem.connect.direct;
    exports org.ibidem.connect.routed to
            org.ibidem.hub,
            org.ibidem.node;
    exports org.ibidem.connect.socks to
            org.ibidem.node;
    exports org.ibidem.link;
    exports org.ibidem.monitor;
    exports org.ibidem.ring;
    exports org.ibidem.selector;
    exports org.ibidem.stack;
    exports org.ibidem.tls to
            org.ibidem.hub,
            org.ibidem.node;
    exports org.ibidem.topology;
    exports org.ibidem.wait;

    // the ids of nodes travel in objects of programs
    opens org.ibidem.topology to
            org.ibidem.serial;

    uses org.ibidem.link.Driver;
    uses org.ibidem.link.Filter;
    uses org.ibidem.codec.Codec;
    uses org.ibidem.connect.ConnectMethod;
    uses org.ibidem.wait.Descriptors;

    provides org.ibidem.link.Driver with
            org.ibidem.link.loopback.LoopbackDriver,
            org.ibidem.link.shm.ShmDriver,
            org.ibidem.link.tcp.TcpDriver,
            org.ibidem.link.udp.UdpDriver;
    provides org.ibidem.link.Filter with
            org.ibidem.filter.checksum.ChecksumFilter,
            org.ibidem.filter.compress.CompressFilter,
            org.ibidem.filter.conversion.ConversionFilter,
            org.ibidem.filter.fragment.FragmentFilter,
            org.ibidem.filter.multicast.MulticastFilter,
            org.ibidem.filter.multiplex.MultiplexFilter,
            org.ibidem.filter.multireceive.MultireceiveFilter,
            org.ibidem.filter.parallel.ParallelFilter,
            org.ibidem.filter.rate.RateFilter,
            org.ibidem.filter.reliable.ReliableFilter,
            org.ibidem.filter.tls.TlsFilter,
            org.ibidem.filter.whole.WholeFilter;
    provides org.ibidem.codec.Codec with
            org.ibidem.codec.Deflate;
    provides org.ibidem.connect.ConnectMethod with
            org.ibidem.connect.direct.Direct,
            org.ibidem.connect.reverse.Reverse,
            org.ibidem.connect.splice.Splice,
            org.ibidem.connect.socks.Socks,
            org.ibidem.connect.routed.Routed;
}
