/// The other way round: the peer is asked, over what reaches it already, to connect to us. For a
/// peer behind a firewall or NAT that lets out, when we can be reached ourselves.
package org.ibidem.connect.reverse;
