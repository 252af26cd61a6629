package org.ibidem.registry.coordination;

import org.ibidem.registry.Member;

/// The result of an election.
///
/// @param name of the election
/// @param winner the one and only at this time
/// @param term how many winners there were, this one included. A winner that is cut off may not
///   know yet that it has been replaced: whoever obeys winners refuses one whose term is lower than
///   one seen before
public record Election(String name, Member winner, long term) {}
