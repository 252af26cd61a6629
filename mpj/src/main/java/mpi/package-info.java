/// MPI for Java: the API of mpiJava 1.2, as MPJ Express 0.44 has it.
///
/// Names are those of that API, which are not those of this house. What a method does is what MPI
/// 1.1 says of the function it is named after; what is said here is what differs in Java: all
/// counts, displacements, strides and extents count elements of the basic type, never bytes.
@NullMarked
package mpi;

import org.jspecify.annotations.NullMarked;
