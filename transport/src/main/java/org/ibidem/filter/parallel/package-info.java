/// One byte stream over several connections: `parallel`.
///
/// What is written is cut into pieces, each with the place of its first byte, which go over
/// whatever connection (a [Strand]) has room ([Outgoing]); the other end puts them in order
/// ([Incoming]). Both keep what they must in [Pages], within a window. A [Bundle] is all of it,
/// under one lock; whoever reads or writes moves it on in passing, and so does the node as sockets
/// have something and time goes by. After PSockets (Sivakumar, Bailey, Grossman, SC 2000) and the
/// parallel streams of NetIbis (Denis, Aumage, Hofman, Verstoep, Kielmann, Bal, HPDC 2004).
package org.ibidem.filter.parallel;
