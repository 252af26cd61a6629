package org.ibidem.lab.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// What is fuzzed: a class with `static void fuzzerTestOneInput(byte[])` that throws when something
/// is wrong.
///
/// @param target the class
/// @param vectors name of the file with its test vectors; empty: none
/// @param prefixes hexadecimal, each put in front of every vector
/// @param texts more seeds, as text
record Target(String target, String vectors, List<String> prefixes, List<String> texts) {
    /// Inputs that did harm once, a folder for each target; and what every test run begins with.
    private static final Path KEPT = Path.of("src", "test", "fuzz");

    private static final Path WIRE = Path.of("..", "core", "src", "test", "resources", "wire");

    static List<Target> all() {
        return List.of(
                of("org.ibidem.service.HandshakeFuzz", "handshake", "00", "01"),
                of("org.ibidem.service.ControlFuzz", "control", ""),
                of("org.ibidem.registry.wire.RegistryFuzz", "registry", "00", "01"),
                of("org.ibidem.link.FramesFuzz", "frames", "00", "06", "ff"),
                of("org.ibidem.service.ChannelFuzz", "channels", "00", "01", "02", "03"),
                of("org.ibidem.port.PortFuzz", "ports", ""),
                of(
                        "org.ibidem.port.MessageFuzz",
                        "ports",
                        "00040400060006000700ff",
                        "010206000600ff",
                        "02010400ff"),
                of("org.ibidem.filter.conversion.ConversionFuzz", "ports", ""),
                of("org.ibidem.connect.splice.OfferFuzz", "splice", ""),
                of("org.ibidem.connect.reverse.RequestFuzz", "reverse", ""),
                of("org.ibidem.connect.routed.TrunkFuzz", "routed", ""),
                of("org.ibidem.hub.relay.RelayFuzz", "routed", "00", "40", "c0"),
                of("org.ibidem.connect.socks.SocksFuzz", "socks", "00", "01", "02", "04", "05"),
                of("org.ibidem.serial.ObjectFuzz", "objects", ""),
                of("org.ibidem.serial.GraphFuzz", "graphs", ""),
                new Target(
                        "org.ibidem.lab.fuzz.StackFuzz",
                        "",
                        List.of(),
                        List.of("fragment(size=8k) > tcp", "multi(shm(ring=1M), tcp)", "")));
    }

    private static Target of(String target, String vectors, String... prefixes) {
        return new Target(target, vectors, List.of(prefixes), List.of());
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

    private List<String> values() throws IOException {
        var values = new ArrayList<String>();
        for (var line : Files.readAllLines(WIRE.resolve(vectors + ".txt"))) {
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
