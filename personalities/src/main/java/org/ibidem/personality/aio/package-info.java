/// Aio: operations that are begun and complete later, for programs that know them from elsewhere
/// (the *AIO* of PadicoTM).
///
/// - [Aio] and [ControlBlock] are the calls of POSIX's `<aio.h>`, on VLinks and files.
/// - [IbidemAsynchronousChannelProvider] takes the place of the JDK's provider: its
///   `AsynchronousSocketChannel` and `AsynchronousServerSocketChannel` become VLinks where the
///   rules of `sockets` say so, and are the JDK's otherwise. Handlers run in the threads of their
///   group, which is one of the JDK's.
@NullMarked
package org.ibidem.personality.aio;

import org.jspecify.annotations.NullMarked;
