/// The process that is a laboratory, and what it builds.
///
/// `unshare` gives it namespaces of its own for processes, mounts and networks (and users, for who
/// is not root). In them it is the first process, so the kernel ends all others with it: nothing is
/// left, whoever kills whom. [Blueprint] says what has to be built for a network, [Rules] what
/// makes a gateway what it is, [Builder] builds it, [Control] answers those outside.
///
/// Traps. A mount namespace is not kept alive by a file: that fails on some kernels, by chance; a
/// sleeping process is. The kernel's congestion control may be one that hides loss, so hosts get
/// cubic. NATs must not take up connections they have forgotten (`nf_conntrack_tcp_loose`).
@NullMarked
package org.ibidem.lab.net.keeper;

import org.jspecify.annotations.NullMarked;
