/// Futures by need, for the callers of active objects ([org.ibidem.rmi.Rmi#activate]), as in
/// ProActive (Caromel, Klauser and Vayssière, "Towards seamless computing and metacomputing in
/// Java", 1998).
package org.ibidem.rmi.active;
