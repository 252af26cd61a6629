package org.ibidem.vlink;

import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;

/// What is said when one of the two channels of a VLink is asked for. Format: `docs/wire/vlink.md`.
sealed interface VLinkRequest {
    int LONGEST_NAME = 255;
    int LONGEST_NOTE = 512;
    int LARGEST = 1 << 10;

    /// By whoever connects.
    ///
    /// @param token names the VLink among those of who connects
    /// @param name of the listener
    /// @param note a word for whoever accepts
    record Connect(long token, String name, String note) implements VLinkRequest {
        static final int KIND = 1;

        @Override
        public byte[] encode() {
            return new ControlWriter(LARGEST)
                    .u8(KIND)
                    .i64(token)
                    .text(name, LONGEST_NAME)
                    .text(note, LONGEST_NOTE)
                    .toBytes();
        }
    }

    /// By whoever was connected to, for the way back.
    ///
    /// @param token as who connects has said it
    record Back(long token) implements VLinkRequest {
        static final int KIND = 2;

        @Override
        public byte[] encode() {
            return new ControlWriter(LARGEST).u8(KIND).i64(token).toBytes();
        }
    }

    byte[] encode();

    static VLinkRequest decode(byte[] request) {
        var in = new ControlReader(request);
        int kind = in.u8("kind");
        long token = in.i64("token");
        var decoded =
                switch (kind) {
                    case Connect.KIND ->
                            new Connect(
                                    token,
                                    in.name("name", LONGEST_NAME),
                                    in.text("note", LONGEST_NOTE));
                    case Back.KIND -> new Back(token);
                    default -> throw in.bad("kind", kind + " is none");
                };
        in.end();
        return decoded;
    }
}
