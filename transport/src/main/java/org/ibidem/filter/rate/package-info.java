/// Fewer bytes a second than the line takes: the filter `rate`. What is sent goes through a
/// [Bucket], of one link or shared by several of a node, who take turns at it.
///
/// Works over frames and over byte streams, and holds nothing itself: who may not send now gets
/// BUSY, and where he sleeps he is rung for when his turn has come.
package org.ibidem.filter.rate;
