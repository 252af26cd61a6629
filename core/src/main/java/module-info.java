import org.jspecify.annotations.NullMarked;

/// Ibidem's core: message ports over stacks of drivers, and all that is needed to reach a peer.
/// Beneath it, at run time, are `base` and `serial` and nothing else.
@NullMarked
@SuppressWarnings("module") // the hub, to which one room is exported, is built after this
module org.ibidem.core {
    requires static org.jspecify;
    requires transitive org.ibidem.base;
    requires transitive org.ibidem.serial;
    requires jdk.net;
    requires transitive jdk.jfr;

    exports org.ibidem.codec;
    exports org.ibidem.topology;
    exports org.ibidem.trust;
    exports org.ibidem.link;
    exports org.ibidem.registry;
    exports org.ibidem.registry.coordination;
    exports org.ibidem.arbitration;
    exports org.ibidem.monitor;
    exports org.ibidem.connect;
    exports org.ibidem.connect.direct;
    exports org.ibidem.connect.routed to
            org.ibidem.hub;
    exports org.ibidem.service;
    exports org.ibidem.tls to
            org.ibidem.hub;
    exports org.ibidem.selector;
    exports org.ibidem.circuit;
    exports org.ibidem.vlink;
    exports org.ibidem.port;
    exports org.ibidem.messaging;
    exports org.ibidem.registry.wire to
            org.ibidem.hub;

    // the ids of nodes travel in objects of programs
    opens org.ibidem.topology to
            org.ibidem.serial;

    uses org.ibidem.link.Driver;
    uses org.ibidem.link.Filter;
    uses org.ibidem.codec.Codec;
    uses org.ibidem.connect.ConnectMethod;
    uses org.ibidem.serial.Serializer;

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
