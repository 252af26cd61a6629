/// Satin for Java: divide and conquer. Names and signatures are those of the published Satin (van
/// Nieuwpoort et al., "Satin: a high-level and efficient grid programming model", TOPLAS 2010),
/// which are not those of this house.
///
/// A class that extends [SatinObject] spawns the methods of an interface that extends [Spawnable]:
/// a call of one may be carried out by another process, and its result counts after the next
/// [SatinObject#sync]. As compiled, these are ordinary calls, and the program is sequential;
/// `ibidem run --satin` rewrites it as it is loaded.
@NullMarked
package ibis.satin;

import org.jspecify.annotations.NullMarked;
