/// Channels: what a sender asks of a receiver, and the links that carry it. A link is made for the
/// first channel between two nodes with a stack and shared by those that follow.
///
/// [Channels] is both ends of it: [ChannelOpener] asks, [ChannelRequests] answers, [LinkMatcher]
/// brings a new link and the question that wanted it together; [DataLink] is a link with its
/// channels, [OutChannel] and [InChannel] are their ends. [BrokenLinkReporter] sees to it that a
/// peer learns that what it sent was lost. Formats: `docs/wire/channels.md`.
package org.ibidem.channel;
