package org.ibidem.lab.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/// What is fuzzed: a class with `static void fuzzerTestOneInput(byte[])` that throws when something
/// is wrong.
///
/// @param target the class
/// @param vectors name of the file with its test vectors; empty: none
/// @param prefixes hexadecimal, each put in front of every vector
/// @param texts more seeds, as text
/// @param decoders the sources of what is fuzzed, files or folders below `org/ibidem` of their
///   module
record Target(
        String target,
        String vectors,
        List<String> prefixes,
        List<String> texts,
        List<String> decoders) {
    /// Inputs that did harm once, a folder for each target; and what every test run begins with.
    static final Path KEPT = Path.of("src", "test", "fuzz");

    /// Of these modules a decoder may be.
    private static final List<String> MODULES =
            List.of(
                    "base",
                    "serial",
                    "transport",
                    "node",
                    "core",
                    "hub",
                    "codecs",
                    "satin",
                    "authority",
                    "mpj",
                    "wrap",
                    "models");

    static List<Target> all() {
        return Stream.of(ofTrust(), ofNodes(), ofObjects()).flatMap(those -> those).toList();
    }

    /// By what it is known who is who.
    private static Stream<Target> ofTrust() {
        return Stream.of(
                of("org.ibidem.trust.TrustFuzz", "trust", "").of("trust"),
                of("org.ibidem.authority.InvitationFuzz", "invitation", "")
                        .of("trust/InvitationMessage.java authority"));
    }

    /// What nodes and hubs say to each other.
    private static Stream<Target> ofNodes() {
        return Stream.of(
                of("org.ibidem.handshake.HandshakeFuzz", "handshake", "00", "01")
                        .of("handshake/Handshake.java handshake/HandshakeMessages.java")
                        .of("handshake/Hello.java accept/ConnectionPreamble.java"),
                of("org.ibidem.control.ControlFuzz", "control", "")
                        .of("control/ControlFrames.java buffer/ControlReader.java"),
                of("org.ibidem.registry.wire.RegistryFuzz", "registry", "00", "01")
                        .of("registry/wire buffer/ControlReader.java"),
                of("org.ibidem.link.FramesFuzz", "frames", "00", "06", "ff")
                        .of("stack/FramesOverStream.java stack/StreamSource.java"),
                of("org.ibidem.channel.ChannelFuzz", "channels", "00", "01", "02", "03")
                        .of("channel/ChannelMessages.java"),
                of("org.ibidem.circuit.CircuitFuzz", "circuit", "")
                        .of("circuit/CircuitRequest.java"),
                of("org.ibidem.vlink.VLinkFuzz", "vlink", "").of("vlink/VLinkRequest.java"),
                of(
                                "org.ibidem.port.MessageFuzz",
                                "ports",
                                "00040400060006000700ff",
                                "010206000600ff",
                                "02010400ff",
                                "04")
                        .of("port/PortRequest.java")
                        .of("port/ReadMessage.java port/FrameReader.java port/RunReader.java")
                        .of("port/ArrayReader.java port/Layouts.java"),
                of("org.ibidem.filter.compress.CompressFuzz", "filters", "0700", "ff09")
                        .of("filter/compress codec"),
                of("org.ibidem.codecs.ZstdFuzz", "filters", "", "00", "0100").of("codecs"),
                of("org.ibidem.filter.conversion.ConversionFuzz", "ports", "")
                        .of("filter/conversion"),
                of("org.ibidem.filter.parallel.ParallelFuzz", "filters", "0700", "ff00", "ff01")
                        .of("filter/parallel"),
                of("org.ibidem.connect.splice.OfferFuzz", "splice", "")
                        .of("connect/splice/Offer.java"),
                of("org.ibidem.connect.reverse.RequestFuzz", "reverse", "")
                        .of("connect/reverse/Request.java"),
                of("org.ibidem.connect.routed.TrunkFuzz", "routed", "").of("connect/routed"),
                of("org.ibidem.link.udp.UdpFuzz", "udp", "06", "07").of("link/udp"),
                of("org.ibidem.filter.reliable.ReliableFuzz", "reliable", "10", "0010", "12")
                        .of("filter/reliable"),
                of("org.ibidem.wrap.WrapFuzz", "wrap", "").of("wrap/Message.java"),
                of("org.ibidem.satin.LetterFuzz", "satin", "").of("satin/Letter.java"),
                of("org.ibidem.mpj.device.circuit.DeviceFuzz", "mpj", "10", "28", "ff28", "38")
                        .of("mpj/device/circuit"),
                of("org.ibidem.hub.relay.RelayFuzz", "routed", "00", "40", "c0")
                        .of("hub/relay connect/routed/RoutedFrames.java"),
                of("org.ibidem.connect.socks.SocksFuzz", "socks", "00", "01", "02", "04", "05")
                        .of("connect/socks"));
    }

    /// Objects, calls of them, and what a person writes.
    private static Stream<Target> ofObjects() {
        return Stream.of(
                of("org.ibidem.serial.ObjectFuzz", "objects", "")
                        .of("serial/FromStream.java serial/JdkSerializer.java")
                        .of("serial/ObjectPolicy.java port/ObjectCoder.java"),
                of("org.ibidem.serial.GraphFuzz", "graphs", "")
                        .of("serial/ObjectReader.java serial/wire serial/codec serial/inside")
                        .of("serial/hook serial/model serial/table"),
                of("org.ibidem.rmi.RmiFuzz", "rmi", "00", "01", "02")
                        .of("rmi/frame rmi/generate rmi/Exported.java rmi/Words.java"),
                new Target(
                                "org.ibidem.lab.fuzz.StackFuzz",
                                "",
                                List.of(),
                                List.of("fragment(size=8k) > tcp", "multi(shm(ring=1M), tcp)", ""),
                                List.of())
                        .of("stack/Stack.java config/Notation.java"));
    }

    private static Target of(String target, String vectors, String... prefixes) {
        return new Target(target, vectors, List.of(prefixes), List.of(), List.of());
    }

    /// The same, which also decodes with these sources.
    private Target of(String more) {
        var all = Stream.concat(decoders.stream(), Stream.of(more.split(" ", -1))).toList();
        return new Target(target, vectors, prefixes, texts, all);
    }

    /// The files of its decoder, and its own.
    List<Path> sources() throws IOException {
        var files = new ArrayList<Path>();
        files.add(Path.of("src", "test", "java", target.replace('.', '/') + ".java"));
        for (var decoder : decoders) {
            int before = files.size();
            for (var module : MODULES) {
                var path = Path.of("..", module, "src", "main", "java", "org", "ibidem", decoder);
                if (Files.exists(path)) {
                    try (var found = Files.walk(path)) {
                        found.filter(Files::isRegularFile).sorted().forEach(files::add);
                    }
                }
            }
            if (files.size() == before) {
                throw new NoSuchFileException(decoder, null, "decoder of " + this);
            }
        }
        return files;
    }

    Path kept() {
        return KEPT.resolve(toString());
    }

    /// Its vectors, texts, and what did harm once.
    List<byte[]> seeds() throws IOException {
        var seeds = new ArrayList<byte[]>();
        for (var value : vectors.isEmpty() ? List.<String>of() : values()) {
            for (var prefix : prefixes) {
                seeds.add(HexFormat.of().parseHex(prefix + value));
            }
        }
        for (var text : texts) {
            seeds.add(text.getBytes(StandardCharsets.UTF_8));
        }
        if (Files.isDirectory(kept())) {
            try (var files = Files.list(kept())) {
                for (var file : files.sorted().toList()) {
                    seeds.add(Files.readAllBytes(file));
                }
            }
        }
        return seeds;
    }

    private Path fileOfVectors() {
        return Path.of("..", "fixtures", "src", "main", "resources", "wire", vectors + ".txt");
    }

    private List<String> values() throws IOException {
        var values = new ArrayList<String>();
        for (var line : Files.readAllLines(fileOfVectors())) {
            if (!line.startsWith("#") && line.contains(" = ")) {
                values.add(line.split(" = ", 2)[1].replace(" ", ""));
            }
        }
        return values;
    }

    @Override
    public String toString() {
        return target.substring(target.lastIndexOf('.') + 1);
    }
}
