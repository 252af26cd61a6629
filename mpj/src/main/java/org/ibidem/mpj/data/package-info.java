/// What is in messages: elements of arrays, laid out by datatypes, and objects.
///
/// A [org.ibidem.mpj.data.Part] names elements of an array: an offset, a count and a
/// [org.ibidem.mpj.data.Shape], which is a datatype flattened to runs of elements. They go straight
/// from the array to where the message leaves, and from where it arrives into the array.
@NullMarked
package org.ibidem.mpj.data;

import org.jspecify.annotations.NullMarked;
