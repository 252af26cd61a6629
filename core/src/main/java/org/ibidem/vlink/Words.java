package org.ibidem.vlink;

import org.ibidem.vlink.VLinkFailed.Kind;

/// What the reader of a VLink tells its writer when it reads no more: a letter for programs, then
/// words for people. Format: `docs/wire/vlink.md`.
final class Words {
    static final String RESET = "reset: ";
    static final String CLOSED = "closed: it no longer reads";

    private static final String NO_WAY_BACK = RESET + "there was no way back: ";

    private Words() {}

    static String noWayBack(String why) {
        return NO_WAY_BACK + why;
    }

    /// Whether one who has the VLink, in both directions, says this.
    static boolean byOneWhoHasIt(String word) {
        return word.equals(CLOSED) || (word.startsWith(RESET) && !word.startsWith(NO_WAY_BACK));
    }

    static VLinkFailed failure(String word) {
        return word.startsWith(RESET)
                ? Inflow.reset(word.substring(RESET.length()))
                : new VLinkFailed(Kind.UNREAD, "the other end no longer reads: " + word);
    }
}
