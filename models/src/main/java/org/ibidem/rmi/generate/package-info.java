/// Makes the code of remote calls at their first use, with the Class-File API (JEP 484): a stub
/// class for each set of remote interfaces, and a class for each method that is called here. What
/// is not public is done by a proxy and by reflection.
package org.ibidem.rmi.generate;
