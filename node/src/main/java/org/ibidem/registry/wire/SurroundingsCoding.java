package org.ibidem.registry.wire;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.topology.Egress;
import org.ibidem.topology.ProbeResult;
import org.ibidem.topology.Subnet;
import org.ibidem.topology.Surroundings;
import org.ibidem.topology.Surroundings.Interface;

/// Coding of [Surroundings] and [ProbeResult]; what a code means never changes.
final class SurroundingsCoding {
    private static final int FACE_BYTES = 64;
    private static final int PROXY_BYTES = 256;

    private SurroundingsCoding() {}

    /// Texts too long for the wire are cut.
    static void write(ControlWriter out, Surroundings known) {
        Parts.location(out, known.location());
        out.count(known.interfaces().size(), Surroundings.MOST_INTERFACES);
        for (var each : known.interfaces()) {
            out.text(ControlWriter.shortened(each.name(), FACE_BYTES), FACE_BYTES);
            var bytes = each.subnet().address().getAddress();
            out.u8(bytes.length).raw(bytes).u8(each.subnet().bits());
        }
        out.u8(code(known.egress()));
        Parts.reason(out, Protocol.clip(known.declared()));
        out.text(
                ControlWriter.shortened(known.seen(), Protocol.ADDRESS_BYTES),
                Protocol.ADDRESS_BYTES);
        out.count(known.proxies().size(), Surroundings.MOST_PROXIES);
        for (var proxy : known.proxies()) {
            out.text(ControlWriter.shortened(proxy, PROXY_BYTES), PROXY_BYTES);
        }
    }

    static Surroundings read(ControlReader in) {
        var location = Parts.location(in);
        var interfaces = interfaces(in);
        var egress = egress(in);
        var declared = Parts.reason(in);
        var seen = in.reason("seen", Protocol.ADDRESS_BYTES);
        var proxies = new ArrayList<String>();
        for (int left = in.count("proxies", Surroundings.MOST_PROXIES); left > 0; left--) {
            proxies.add(in.reason("proxy", PROXY_BYTES));
        }
        return new Surroundings(location, interfaces, egress, declared, seen, proxies);
    }

    private static List<Interface> interfaces(ControlReader in) {
        var interfaces = new ArrayList<Interface>();
        for (int left = in.count("interfaces", Surroundings.MOST_INTERFACES); left > 0; left--) {
            var name = in.reason("interface", FACE_BYTES);
            var address = Parts.bareAddress(in);
            try {
                interfaces.add(new Interface(name, new Subnet(address, in.u8("bits"))));
            } catch (IllegalArgumentException e) {
                throw in.bad("bits", String.valueOf(e.getMessage()));
            }
        }
        return interfaces;
    }

    private static int code(Egress egress) {
        return switch (egress) {
            case UNKNOWN -> 0;
            case UNTRANSLATED -> 1;
            case PRESERVING -> 2;
            case INDEPENDENT -> 3;
            case SYMMETRIC -> 4;
            case PROXY -> 5;
        };
    }

    private static Egress egress(ControlReader in) {
        int code = in.u8("egress");
        for (var egress : Egress.values()) {
            if (code(egress) == code) {
                return egress;
            }
        }
        throw in.bad("egress", "there is no way out of kind " + code);
    }

    static int code(ProbeResult passage) {
        return switch (passage) {
            case UNTRIED -> 0;
            case OPEN -> 1;
            case REFUSED -> 2;
            case DROPPED -> 3;
            case UNREACHABLE -> 4;
            case ASTRAY -> 5;
            case WITHIN -> 6;
        };
    }

    static ProbeResult passage(ControlReader in) {
        int code = in.u8("passage");
        for (var passage : ProbeResult.values()) {
            if (code(passage) == code) {
                return passage;
            }
        }
        throw in.bad("passage", "there is no passage of kind " + code);
    }
}
