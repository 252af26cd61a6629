package org.ibidem.vlink;

import org.ibidem.vlink.VLinkFailed.Kind;

/// What the reader of a VLink tells its writer when it reads no more: a letter for programs, then
/// words for people. Format: `docs/wire/vlink.md`.
final class Words {
    static final String RESET = "reset: ";
    static final String CLOSED = "closed: it reads no more";

    private Words() {}

    static VLinkFailed failure(String word) {
        return word.startsWith(RESET)
                ? Inflow.reset(word.substring(RESET.length()))
                : new VLinkFailed(Kind.UNREAD, "the other end reads no more: " + word);
    }
}
