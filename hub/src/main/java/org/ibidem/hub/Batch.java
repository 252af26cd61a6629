package org.ibidem.hub;

import java.util.List;

/// News as messages.
///
/// @param messages to send, in order; none when there is nothing that the receiver wants to know
/// @param upto number of the last change looked at
/// @param forSome whether changes in it are left out that are for some only
record Batch(List<byte[]> messages, long upto, boolean forSome) {}
