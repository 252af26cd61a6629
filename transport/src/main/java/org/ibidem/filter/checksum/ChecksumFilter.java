package org.ibidem.filter.checksum;

import org.ibidem.link.Delivering;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FilteredLink;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Lower;

/// The filter `checksum`: each frame carries the CRC-32C (RFC 9260, appendix A) of its payload and
/// flags, so that one that arrives altered is not taken for what was sent.
///
/// ```
/// | crc u32, little-endian | payload ...
/// ```
///
/// Against accidents, not against malice: whoever can alter a frame can alter its sum.
public final class ChecksumFilter implements FrameFilter, Delivering {
    static final int HEADER = 4;

    private static final DeliveryFaults LOSES = new DeliveryFaults(true, false, false);

    /// Found by its `provides` line.
    public ChecksumFilter() {}

    @Override
    public String name() {
        return "checksum";
    }

    @Override
    public Class<Checksum> options() {
        return Checksum.class;
    }

    @Override
    public DeliveryFaults delivery(DeliveryFaults below, Record options) {
        return loses(options) ? below.and(LOSES) : below;
    }

    private static boolean loses(Record options) {
        return ((Checksum) options).then() == Checksum.Then.LOSE;
    }

    @Override
    public int header(Record options) {
        return HEADER;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        return new FilteredLink(
                new ChecksumSink(below.sink(), headerOffset),
                new ChecksumSource(below, loses(options)),
                below,
                delivery(below.delivery(), options));
    }
}
